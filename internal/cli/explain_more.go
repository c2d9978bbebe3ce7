package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

func explainShell(e *subcmd.Env, v decide.Verdict) {
	s := v.Input().Script
	if s == nil {
		return
	}
	effects := otherEffects(e, s)
	proof := provenLine(e, v)
	if len(s.Findings)+len(s.Doubts)+len(effects) == 0 && proof == "" {
		return
	}
	e.Heading("the shell text")
	if proof != "" {
		e.Wrapped("  ", proof)
	}
	for _, line := range effects {
		e.Wrapped("  ", line)
	}
	for _, f := range s.Findings {
		e.Wrapped("  ", f.Check.Severity.String()+": "+f.Check.ID+": "+f.Check.Title+at(s, f.Span))
	}
	for _, d := range s.Doubts {
		e.Wrapped("  ", "uncertain: "+d.ID+": "+d.Msg+at(s, d.Span))
	}
}

// provenLine says whether the whole text only reads, "" where its commands have said it already.
func provenLine(e *subcmd.Env, v decide.Verdict) string {
	c, why := v.Input(), v.Unproven()
	if why == "" {
		return "only reads"
	}
	said := func(s bashsafety.Subcommand) bool { return s.Unproven() != "" }
	if len(c.Script.Findings)+len(c.Script.Doubts) > 0 || slices.ContainsFunc(c.Script.Subcommands, said) {
		return ""
	}
	return "not proven read-only: " + e.Short(hookio.Escape(why))
}

// explainScripts prints the scripts of the project, and why some were not looked at.
func explainScripts(e *subcmd.Env, s *bashsafety.Analysis) {
	if s == nil || len(s.Scripts) == 0 {
		return
	}
	e.Heading("project scripts")
	for i := range s.Scripts {
		t := &s.Scripts[i]
		name := e.Short(hookio.Escape(t.Origin.String()))
		if t.Why != "" {
			e.Wrapped("  ", name+": not checked: "+hookio.Escape(t.Why))
			continue
		}
		first, rest, _ := strings.Cut(strings.ReplaceAll(t.Text, bashsafety.HoleMark, "…"), "\n")
		if rest != "" {
			first += " …"
		}
		e.Wrapped("  ", name+": "+hookio.Escape(first))
	}
}

// otherEffects are what commands do besides reading and writing files, which are parts of the call.
func otherEffects(e *subcmd.Env, s *bashsafety.Analysis) []string {
	var out []string
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		for _, d := range explain.Deeds(sub) {
			target := e.Path(d.To)
			if target == e.World.Cwd {
				target = "the working directory"
			}
			out = append(out, hookio.Escape(facts.Spell(sub.Argv)+": "+strings.TrimSpace(d.Does+" "+target)))
		}
	}
	return out
}

// at quotes the part of a text a span is about.
func at(s *bashsafety.Analysis, span bashsafety.Span) string {
	if span.Start < 0 || span.End > len(s.Text) || span.Start >= span.End || span.End-span.Start > 80 {
		return ""
	}
	return "   " + hookio.Escape(s.Text[span.Start:span.End])
}

func explainMode(e *subcmd.Env, c *decide.Input) {
	p := c.Policy
	e.Heading("mode")
	fmt.Fprintf(e.Out, "  %s%s\n", p.Mode.Value, from(e, p.Mode))
	for _, n := range p.ModeNotes {
		e.Wrapped("  ", e.Short(n))
	}
	if !c.Call.Subagent() && !c.AsAgent {
		return
	}
	who := "subagent"
	if p.Agent != nil && p.Agent.Name != "" {
		who += " " + hookio.Escape(p.Agent.Name)
		if !p.Agent.Known {
			who += ", with no usable definition: restrictions only"
		}
	}
	e.Wrapped("  ", who)
}

func from(e *subcmd.Env, s rules.Setting) string {
	switch {
	case s.Pos.File != "":
		return "   " + e.Place(s.Pos)
	case s.Scope != rules.ScopeNone:
		return "   " + s.Scope.String()
	}
	return ""
}

// explainSettings prints the settings that count, those that do not, and faults.
func explainSettings(e *subcmd.Env, c *decide.Input) {
	p := c.Policy
	e.Heading("settings")
	fmt.Fprintf(e.Out, "  working directory %s, project %s\n",
		hookio.Escape(p.OS.Native(p.Cwd.Given)), hookio.Escape(p.OS.Native(p.Project.Given)))
	var files []string
	counts := map[string]*[3]int{}
	for i, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for j := range list {
			f := list[j].Pos.File
			if counts[f] == nil {
				counts[f] = &[3]int{}
				files = append(files, f)
			}
			counts[f][i]++
		}
	}
	for _, f := range files {
		if n := counts[f]; f != "" {
			fmt.Fprintf(e.Out, "  %s   %d deny, %d ask, %d allow\n", e.Path(f), n[0], n[1], n[2])
		}
	}
	if g := &c.Grants; g.Until != "" {
		e.Wrapped("  ", "session grants, until "+g.Until+": "+strings.Join(granted(g), ", ")+"   "+e.Path(g.File))
	}
	for _, d := range p.Dirs {
		fmt.Fprintf(e.Out, "  additional directory %s   %s\n", hookio.Escape(d.Path.Given), e.Place(d.Pos))
	}
	for _, s := range subcmd.Settings(p) {
		if s.Value != "" {
			fmt.Fprintf(e.Out, "  %s: %s%s\n", s.Name, hookio.Escape(s.Value), from(e, s.Setting))
		}
	}
	for _, d := range p.Dropped {
		e.Wrapped("  ", "does not count: "+d.Text+" ("+e.Place(d.Pos)+"): "+d.Why)
	}
	for _, f := range p.Faults {
		kind := "skipped: "
		if f.Closed {
			kind = "error, so every allow of steps 3 to 7 becomes ask: "
		}
		e.Wrapped("  ", kind+e.Fault(&f))
	}
}

func granted(g *facts.Grants) []string {
	var out []string
	if g.All {
		out = append(out, "everything")
	}
	if g.AllEdits {
		out = append(out, "all edits")
	}
	if g.AllBash {
		out = append(out, "all Bash")
	}
	for i := range g.Rules {
		text := g.Rules[i].Text
		if end := g.End(text); end != ", until "+g.Until {
			text += end
		}
		out = append(out, hookio.Escape(text))
	}
	return out
}

// explainAgent lists the tools to show a subagent: seed text of its prompt, never the authority.
func explainAgent(e *subcmd.Env, c *decide.Input) {
	if !c.AsAgent {
		return
	}
	e.Heading("tools to show to this agent")
	e.Wrapped("  ", strings.Join(explain.Visible(c), " "))
}

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
	if l.Verdict.Why().Rule != nil {
		rule, place = l.Verdict.Why().Rule.Text, l.Verdict.Why().Rule.Pos.String()
	}
	if l.Verdict.Why().Check != nil {
		check = l.Verdict.Why().Check.ID
	}
	var out []string
	for _, d := range [...]struct{ name, then, now string }{
		{"decision", l.Decision, l.Verdict.Decision().String()},
		{"answer", l.Answered, explain.Answer(l.Verdict)},
		{"step", l.Step, l.Verdict.Step()},
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
		{"working directory", e.World.OS.Native(l.Cwd)}, {"project", e.World.OS.Native(l.Project)},
		{"skill", strings.TrimSpace(l.SkillSource + " " + l.Skill)}, {"mode", l.Mode}, {"took", ms(l.Duration)}, {"permgate", l.Version},
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
			stepLine(e, hookio.Escape(t.Step), decide.StepOf(t.Step).Name, d, word, cmp.Or(hookio.Escape(t.Reason), "no opinion"))
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
		e.AllowHint(l.Verdict, l.Args)
		return
	}
	if l.PolicyHash != "" && !l.Changed {
		settings += ", but something else changed: session grants, files on disk, or input that is not logged"
		if l.Version != Version() {
			settings += ", the version (" + hookio.Escape(l.Version) + ")"
		}
	}
	e.Wrapped("  ", settings+"; the decision would be different:")
	for _, d := range diff {
		e.Wrapped("  ", e.Short(d))
	}
	fmt.Fprintln(e.Out)
	explainAll(e, l.Verdict, l.Args)
}

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
		o.Add("settings_changed", l.Changed)
	}
	if l.Case == nil {
		o.Add("not_decided_anew", l.Why)
		return o
	}
	o.Add("changed", lastDiffers(l), "now", explain.Of(l.Verdict, e.Place).End())
	return o
}
