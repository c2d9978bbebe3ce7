package cli

import (
	"fmt"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/lint"
	"github.com/permgate--owner/permgate/rules"
)

// show prints what the files grant, and what lint finds wrong with a grant.
func (k *grantDiff) show(e *env, files []*entry) {
	found := k.dangers(e, files)
	for _, f := range files {
		what := "never trusted"
		if f.state() == stateChanged {
			what = "new since it was trusted on " + f.since() + "; permgate trust --diff shows what changed"
		}
		grants := f.news()
		fmt.Fprintf(e.out, "%s (%s)\n", e.path(f.Path), what)
		if f.file != f.Path && f.file != realName(k, f.Path) {
			fmt.Fprintf(e.out, "  resolves to %s\n", e.path(f.file))
		}
		kind, text := 0, 0
		for _, g := range grants {
			kind, text = max(kind, len(g.Kind)), max(text, min(utf8.RuneCountInString(hookio.Escape(g.Text)), 60))
		}
		for _, g := range grants {
			fmt.Fprintf(e.out, "  %-*s  %-*s  %s\n", kind, g.Kind, text, hookio.Escape(g.Text), e.place(g.Pos))
			for i := range found[g.Pos] {
				e.wrapped("      ! ", hookio.Escape(e.short(danger(&found[g.Pos][i]))))
			}
		}
	}
}

// dangers are the findings of lint that a reader of grants must know, of the
// very texts that are shown, by their place.
func (k *grantDiff) dangers(e *env, files []*entry) map[rules.Pos][]lint.Finding {
	out := map[rules.Pos][]lint.Finding{}
	var names []string
	for _, f := range files {
		if f.Scope != rules.Agent {
			names = append(names, f.Path)
		}
	}
	for _, in := range lint.Only(e.world, gate.Flags{}, hookio.Lookup("generic"), names) {
		for _, f := range files {
			if f.Scope != rules.Agent && in.File(f.Path) != nil {
				in = in.With(f.Path, string(f.Content))
			}
		}
		for _, f := range lint.Run(in) {
			if f.Exploit != "" || f.Check.Severity == lint.Error {
				out[f.Pos] = append(out[f.Pos], f)
			}
		}
	}
	return out
}

// danger is a finding on one line.
func danger(f *lint.Finding) string {
	text := f.Check.ID + ": " + f.Text
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	return text
}
