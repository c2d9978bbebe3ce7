package cli

import (
	"errors"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/trust"
)

// print lists the files and whether they are trusted.
func (k *grantDiff) print(e *env, json bool) {
	hosts, from := e.required()
	if json {
		k.printJSON(e, hosts)
		return
	}
	fmt.Fprintln(e.out, e.requiredLine(hosts, from))
	for _, f := range k.entries {
		note := ""
		switch f.state() {
		case stateTrusted:
			note = "on " + f.since()
		case stateChanged:
			note = plural(len(f.news()), "new grant", "new grants") + " since " + f.since()
		case stateNotNeeded:
			if note = "grants nothing"; len(f.Grants) > 0 {
				note = "git does not track it"
			}
		case stateFaulty:
			note = e.fault(f.Fault)
		case stateUntrusted:
			if note = plural(len(f.Grants), "grant", "grants"); f.err != nil {
				note += "; " + f.err.Error()
			}
		}
		fmt.Fprintf(e.out, "%-10s  %s   (%s)\n", f.state(), e.path(f.Path), hookio.Escape(e.short(note)))
	}
	for _, r := range k.gone {
		fmt.Fprintf(e.out, "%-10s  %s   (trusted on %s)\n", stateGone, e.path(k.at.Path(r.Key)), trust.Date(r.When))
	}
	folders, err := gate.Folders(e.world)
	for _, dir := range folders {
		fmt.Fprintf(e.out, "%-10s  %s   (a folder of yours, by --folder)\n", stateTrusted, e.path(dir))
	}
	if err != nil {
		fmt.Fprintf(e.out, "%-10s  %s\n", stateFaulty, hookio.Escape(err.Error()))
	}
	if len(k.entries)+len(k.gone) == 0 {
		fmt.Fprintf(e.out, "no settings or agent definitions in %s\n", e.path(k.policy.Project.Given))
	}
}

// printJSON prints the list as one JSON object.
func (k *grantDiff) printJSON(e *env, hosts []string) {
	var o object
	o.str("project", k.policy.Project.Given)
	o.strs("required_by", hosts)
	o.list("files", len(k.entries)+len(k.gone), func(i int, o *object) {
		if i >= len(k.entries) {
			r := k.gone[i-len(k.entries)]
			o.str("file", k.at.Path(r.Key))
			o.str("state", stateGone)
			o.str("trusted", trust.Date(r.When))
			return
		}
		f := k.entries[i]
		o.str("file", f.Path)
		o.str("scope", f.Scope.String())
		o.str("state", f.state())
		o.opt("trusted", f.since())
		if f.Fault != nil {
			o.str("fault", f.Fault.Pos.String()+": "+f.Fault.Msg)
		}
		if f.err != nil {
			o.str("record", f.err.Error())
		}
		o.list("grants", len(f.Grants), func(i int, o *object) {
			g := &f.Grants[i]
			o.str("kind", g.Kind)
			o.str("text", g.Text)
			o.num("line", g.Pos.Line)
			o.num("col", g.Pos.Col)
			o.opt("host", g.Host)
			if f.Needed {
				o.boolean("trusted", f.held == nil || !f.held[i])
			}
		})
	})
	e.machine().Write(append(o.end(), '\n'))
}

// diffOf prints what changed in one file, and which grants are new by it.
func (k *grantDiff) diffOf(e *env, f *entry) {
	last := f.last()
	if last == nil || len(last.Content) == 0 {
		e.printDiff(diff.Diff("/dev/null", nil, e.path(f.Path), f.Content))
	} else {
		e.printDiff(diff.Diff(e.path(f.Path)+" (trusted on "+f.since()+")", last.Content, e.path(f.Path), f.Content))
	}
	if last != nil {
		for _, g := range f.news() {
			fmt.Fprintf(e.out, "new: %s %s (%s)\n", g.Kind, hookio.Escape(g.Text), e.place(g.Pos))
		}
	}
}

// diff prints what is new since the files were trusted. A change by which
// nothing more is granted is none.
func (k *grantDiff) diff(e *env) int {
	code := exitOK
	var err error
	for _, f := range k.entries {
		switch {
		case f.err != nil:
			err = errors.Join(err, f.err)
		case f.held == nil && f.Fault == nil, !f.Needed:
		default:
			k.diffOf(e, f)
			code = exitFindings
		}
	}
	for _, r := range k.gone {
		e.printDiff(diff.Diff(e.path(k.at.Path(r.Key))+" (trusted on "+trust.Date(r.When)+")", r.Content, "/dev/null", nil))
		code = exitFindings
	}
	if err != nil {
		return e.failFile(err)
	}
	return code
}
