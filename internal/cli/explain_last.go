package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

func explainLast(e *subcmd.Env, o *subcmd.CallOptions, l *subcmd.LastOptions, args []string) int {
	last, n, where, code := l.Find(e, o, args)
	if last == nil {
		return code
	}
	last.Again(e)
	if o.JSON {
		return e.PrintObject(lastObject(last, e))
	}
	printLast(last, e, n, where)
	return subcmd.ExitOK
}

// lastDiffers names what is not as it was: decision, step, rule, check, answer.
func lastDiffers(l *subcmd.LastCall) []string {
	if l.Case == nil {
		return nil
	}
	rule, place, check := "", "", ""
	if l.Verdict.Rule != nil {
		rule, place = l.Verdict.Rule.Text, l.Verdict.Rule.Pos.String()
	}
	if l.Verdict.Check != nil {
		check = l.Verdict.Check.ID
	}
	var out []string
	for _, d := range [...]struct{ name, then, now string }{
		{"decision", l.Decision, l.Verdict.Decision.String()},
		{"answer", l.Answered, subcmd.Answer(l.Case, l.Verdict)},
		{"step", l.Step, l.Verdict.Step},
		{"rule", l.Rule, hookio.Escape(rule)},
		{"check", l.Check, check},
		{"place", l.RulePlace, hookio.Escape(place)},
	} {
		if d.then != d.now && (d.name != "place" || rule != "" && len(out) == 0) {
			out = append(out, d.name+" "+cmp.Or(d.then, "none")+" -> "+cmp.Or(d.now, "none"))
		}
	}
	return out
}

func printLast(l *subcmd.LastCall, e *subcmd.Env, n int, where string) {
	v := newLogView(e, nil)
	which := "the last call "
	if n > 1 {
		which = fmt.Sprintf("call %d from the end ", n)
	}
	e.Wrapped("", which+where+", "+l.Time.Local().Format("2006-01-02 15:04:05")+" ("+subcmd.Ago(e.World.Now.Sub(l.Time))+")")
	word, colour := answeredWord(l.LoggedCall)
	fmt.Fprintf(e.Out, "\n%s  %s  (%s)\n", v.paint(colour, word), cmp.Or(loggedTitle(&l.Record), "-"),
		v.source(l.LoggedCall))
	if l.Reason != "" {
		e.Wrapped("  ", e.Short(hookio.Escape(l.Reason)))
	}
	e.Wrapped("  ", lastTold(l))
	e.Heading("then")
	for _, f := range [...]struct{ name, value string }{
		{"program", strings.TrimSuffix(l.Host+", event "+l.HostEvent, ", event ")}, {"called as", l.Command}, {"session", l.Session}, {"subagent", strings.TrimSpace(l.AgentType + " " + l.AgentID)},
		{"working directory", l.Cwd}, {"project", l.Project}, {"mode", l.Mode}, {"took", ms(l.Duration)}, {"permgate", l.Version},
	} {
		if strings.TrimSpace(f.value) != "" {
			e.Wrapped("  ", f.name+": "+hookio.Escape(f.value))
		}
	}
	if len(l.Trace) > 0 {
		e.Heading("steps then")
		for _, t := range l.Trace {
			d := subcmd.Decision(t.Decision)
			word := map[bool]string{true: d.String(), false: "-"}[d != hookio.Pass]
			stepLine(e, hookio.Escape(t.Step), decide.StepName(t.Step), d, word, cmp.Or(hookio.Escape(t.Reason), "no opinion"))
		}
	}
	printLastNow(l, e)
}

// printLastNow prints today's decision, in explain's form where it differs.
func printLastNow(l *subcmd.LastCall, e *subcmd.Env) {
	e.Heading("now")
	settings := "settings unchanged since"
	switch {
	case l.PolicyHash == "":
		settings = "the log does not tell whether the settings changed since"
	case l.Changed:
		settings = "settings changed since"
	}
	if l.Case == nil {
		e.Wrapped("  ", settings+"; the call cannot be decided again: "+l.Why)
		return
	}
	diff := lastDiffers(l)
	if len(diff) == 0 {
		e.Wrapped("  ", settings+"; the decision would be the same")
		e.AllowHint(l.Case, l.Verdict, l.Args)
		return
	}
	if l.PolicyHash != "" && !l.Changed {
		settings += ", but something else changed: session grants, files on disk, or input that is not logged"
		if l.Version != version() {
			settings += ", the version (" + hookio.Escape(l.Version) + ")"
		}
	}
	e.Wrapped("  ", settings+"; the decision would be different:")
	for _, d := range diff {
		e.Wrapped("  ", e.Short(d))
	}
	fmt.Fprintln(e.Out)
	explainAll(e, l.Case, l.Verdict, l.Args)
}

// lastTold says what the program was told and how the call ended.
func lastTold(l *subcmd.LastCall) string {
	s := "the program was told: " + hookio.Escape(cmp.Or(l.Answered, "nothing"))
	switch {
	case l.Fault != "" && l.Answered == "":
		s = "the hook ended with exit code 2, which blocks the call"
	case l.Observed:
		s = "observe mode: the program was told nothing, and would have been told: " + hookio.Escape(l.Told())
	case l.Answered == log.Silence:
		s = "the program was told nothing and decides itself"
		if l.HostAsked() {
			s = "the program was told nothing and asked its user"
		}
	}
	if b := l.Became(); b != "" {
		s += "; " + b
	}
	if o := l.Base().End; o != nil && o.OutcomeReason != "" {
		s += ": " + hookio.Escape(o.OutcomeReason)
	}
	return s
}

// lastObject is explain --last as JSON: the line as stored, and the call decided again.
func lastObject(l *subcmd.LastCall, e *subcmd.Env) *subcmd.Object {
	o := &subcmd.Object{}
	o.Add("logged", []byte(l.Line), "outcome", subcmd.Opt(l.Became()))
	if l.PolicyHash != "" {
		o.Boolean("settings_changed", l.Changed)
	}
	if l.Case == nil {
		o.Str("not_decided_anew", l.Why)
		return o
	}
	o.Add("changed", lastDiffers(l), "now", explanation(e, l.Case, l.Verdict).End())
	return o
}
