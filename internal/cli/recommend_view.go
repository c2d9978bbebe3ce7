package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/hosts"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/cli/verify"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/rules"
)

func (r *recommending) read(rep *recommend.Report) {
	when := ""
	if !rep.First.IsZero() {
		when = ", " + rep.First.Local().Format("2006-01-02") + " to " + rep.Last.Local().Format("2006-01-02")
	}
	fmt.Fprintf(r.Out, "%s in %s%s: %s\n", subcmd.Plural(rep.Decided, "call", "calls"), subcmd.Plural(rep.Sessions, "session", "sessions"),
		when, subcmd.Plural(rep.Prompts, "prompt", "prompts"))
	for _, why := range slices.Sorted(maps.Keys(rep.Skipped)) {
		fmt.Fprintf(r.Out, "  %5d  skipped: %s\n", rep.Skipped[why], hookio.Escape(why))
	}
	for _, step := range slices.Sorted(maps.Keys(rep.Settled)) {
		fmt.Fprintf(r.Out, "  %5d  %s\n", rep.Settled[step], settledBy(step))
	}
}

func settledBy(step string) string {
	why := "no allow rule is proposed for that"
	if step == "5" {
		why = "an ask rule or an address list wants that"
	}
	return "asked about by step " + step + " (" + decide.StepOf(step).Name + "): " + why
}

func (r *recommending) all(rep *recommend.Report) {
	if len(rep.Rules) == 0 {
		fmt.Fprintf(r.Out, "\nno rule to propose\n")
	} else {
		fmt.Fprintf(r.Out, "\nrules for allow in %s, %s spared by %s; lint finds nothing in them\n", r.Path(r.file),
			subcmd.Plural(rep.Spared, "prompt", "prompts"), subcmd.Plural(len(rep.Rules), "rule", "rules"))
	}
	for i, p := range rep.Rules {
		r.one(i+1, p)
	}
	if len(rep.Rejected) > 0 {
		r.Heading("not proposed")
	}
	for _, x := range rep.Rejected {
		fmt.Fprintf(r.Out, "  %s\n", hookio.Escape(x.Rule))
		r.Wrapped("     ", fmt.Sprintf("would spare %s: %s", subcmd.Plural(x.Asks, "prompt", "prompts"), excerpt(x.Why)))
	}
}

func (r *recommending) tighter(rep *recommend.Report) {
	if len(rep.Unused) > 0 {
		r.Heading(fmt.Sprintf("matched no call for %s", subcmd.Plural(r.o.unused, "day", "days")))
	}
	for _, u := range rep.Unused {
		r.oneUnused(u)
	}
	if len(rep.Wide) > 0 {
		r.Heading("wider than their use")
	}
	for _, w := range rep.Wide {
		r.oneWide(w)
	}
}

func (r *recommending) oneUnused(u recommend.Unused) {
	fmt.Fprintf(r.Out, "  %s  %s\n", hookio.Escape(u.Rule), r.Place(u.At))
	what := "no recorded call needs it"
	if u.Costs > 0 {
		what = fmt.Sprintf("needed for %s: %s", subcmd.Plural(u.Costs, "older call", "older calls"), excerpts(u.Calls))
	}
	r.Wrapped("     ", what+"; "+r.removal(u.Rule))
}

func (r *recommending) oneWide(w recommend.Wide) {
	fmt.Fprintf(r.Out, "  %s  %s\n", hookio.Escape(w.Rule), r.Place(w.At))
	r.Wrapped("     ", fmt.Sprintf("needed for %s; these do for all of them: %s", subcmd.Plural(w.Calls, "call", "calls"),
		hookio.Escape(strings.Join(w.Narrower, ", "))))
}

func (r *recommending) removal(rule string) string {
	return "permgate rules remove allow " + subcmd.QuoteArg(rule) + " --scope " + r.o.scope
}

func kindWords(kind string) string {
	return map[string]string{
		recommend.Exact: "this call only", recommend.Domain: "every address of that host",
		recommend.Stem: "any arguments", recommend.Folder: "every file in that folder",
		recommend.Tool: "every call of that tool",
	}[kind]
}

func (r *recommending) one(n int, p *recommend.Proposal) {
	fmt.Fprintf(r.Out, "%3d  %s\n", n, hookio.Escape(p.Rule))
	r.Wrapped("     ", fmt.Sprintf("%s; asked %s in %s; spares %s, %d so far", kindWords(p.Kind),
		subcmd.Plural(p.Asked, "time", "times"), subcmd.Plural(p.Sessions, "session", "sessions"),
		subcmd.Plural(p.Spared, "prompt", "prompts"), p.Total))
	if p.Kind != recommend.Exact {
		r.Wrapped("     ", "for "+excerpts(p.Calls))
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Others)) {
		r.Wrapped("     ", fmt.Sprintf("also matches %s", othersOf(kind, p.Others[kind])))
	}
	if len(p.Examples) > 0 {
		r.Wrapped("     ", "such as "+excerpts(p.Examples))
	}
}

// othersOf says how calls are answered that a rule matches and spares no prompt for.
func othersOf(kind string, n int) string {
	count := subcmd.Plural(n, "call", "calls")
	switch kind {
	case "allow":
		return count + " allowed without it"
	case "deny":
		return count + " still denied"
	}
	return count + " still asked about"
}

func excerpts(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = excerpt(text)
	}
	return strings.Join(out, "; ")
}

// excerpt is the beginning of a text, fit to print.
func excerpt(text string) string { return subcmd.Cut(hookio.Escape(text), 80) }

type wanted struct {
	picked []*recommend.Proposal
	more   []string // rules in the place of wider ones
	gone   []string // rules that go
}

func (w *wanted) added() []string {
	out := slices.Clone(w.more)
	for _, p := range w.picked {
		out = append(out, p.Rule)
	}
	return out
}

// write changes the settings file, and adds a test of each proposal to the policy tests.
func (r *recommending) write(w *wanted) int {
	tests := ""
	done, code := r.Env.Write(&r.o.WriteOptions, func() ([]*subcmd.Change, error) {
		ch, err := r.settings(w)
		if err != nil {
			return nil, err
		}
		more, err := r.tests(ch, w.picked)
		if more != nil {
			tests = more.Name
		}
		return []*subcmd.Change{ch, more}, err
	})
	if !done {
		return code
	}
	for _, l := range [...]struct {
		what  string
		texts []string
	}{{"added to", w.added()}, {"removed from", w.gone}} {
		if len(l.texts) > 0 {
			fmt.Fprintf(r.Out, "%s allow in %s: %s\n", l.what, r.Path(r.file), hookio.Escape(strings.Join(l.texts, ", ")))
		}
	}
	hosts.SayExport(r.Env)
	if tests != "" {
		fmt.Fprintf(r.Out, "with a test of each in %s\n", r.Path(tests))
	}
	return subcmd.ExitOK
}

func (r *recommending) settings(w *wanted) (*subcmd.Change, error) {
	ch, doc, err := r.OpenSettings(r.p, r.o.scope, r.file)
	if err != nil {
		return nil, err
	}
	allow := rules.Allow.String()
	for _, text := range w.gone {
		if _, err := doc.RemoveRule(allow, text); err != nil {
			return nil, err
		}
	}
	texts := w.added()
	for _, text := range texts {
		if _, err := doc.AddRule(allow, text); err != nil {
			return nil, err
		}
	}
	ch.Text = doc.Bytes()
	ch.Readable(r.o.scope)
	if why := r.void(ch, texts); why != "" {
		return nil, fmt.Errorf("the rules would do nothing in %s: %s", r.Path(r.file), why)
	}
	return ch, nil
}

// void says why rules of the file do not count, "" where they do.
func (r *recommending) void(ch *subcmd.Change, texts []string) string {
	p := gate.Policy(subcmd.CallOf(r.host), r.flags(), r.WorldWith(ch))
	for _, d := range p.Dropped {
		if d.Pos.File == r.World.OS.Canon(r.file) && slices.Contains(texts, d.Text) {
			a := &allowing{Env: r.Env, c: &decide.Input{Input: facts.Input{Call: subcmd.CallOf(r.host), Policy: p}}, flags: r.flags(), file: r.file}
			return a.uncounted()
		}
	}
	return ""
}

// tests adds a line for each rule that a test can be written for; nil if none.
func (r *recommending) tests(ch *subcmd.Change, picked []*recommend.Proposal) (*subcmd.Change, error) {
	name, scope, err := r.testFile()
	if err != nil {
		return nil, err
	}
	out, err := r.OpenText(r.p, scope.String(), name)
	if err != nil {
		return nil, err
	}
	w := r.WorldWith(ch)
	text := string(out.Old)
	for _, p := range picked {
		t := r.test(w, p)
		if t == nil {
			continue
		}
		if text, _, _, err = policytest.Append(r.Path(name), text, t); err != nil {
			return nil, err
		}
	}
	if text == string(out.Old) {
		return nil, nil
	}
	out.Text = []byte(text)
	out.Readable(scope.String())
	return out, nil
}

// testFile is where tests of the rules belong: a person's own rules have their own file.
func (r *recommending) testFile() (name string, scope rules.Scope, err error) {
	scope = scopeNamed(r.o.scope)
	if scope == rules.Local {
		return filepath.Join(filepath.Dir(r.file), policytest.LocalFileName), scope, nil
	}
	name, err = (&verify.TestOptions{User: scope == rules.User}).RecordFile(r.Env, r.p)
	return name, scope, err
}

// test is of the first allowed call that a line can express; nil for none.
func (r *recommending) test(w gate.World, p *recommend.Proposal) *policytest.Test {
	runner := policytest.Runner{World: w, Dir: r.p.Project.Given}
	f := r.flags()
	f.Mode = r.o.mode
	for _, call := range p.For() {
		v := decide.Decide(gate.Case(call, f, w))
		if v.Decision() != hookio.Allow {
			continue
		}
		t, err := runner.Record(v.Input(), v, policytest.Context{Mode: r.o.mode})
		if err != nil {
			continue
		}
		line, err := t.Line()
		if _, secret := redact.Text(line); err == nil && !secret {
			return t
		}
	}
	return nil
}
