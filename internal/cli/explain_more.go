package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// explainShell prints what the analysis of a shell text found.
func explainShell(e *env, c *decide.Case) {
	s := c.Script
	if s == nil {
		return
	}
	effects := otherEffects(e, s)
	proof := provenLine(e, c)
	if len(s.Findings)+len(s.Doubts)+len(effects) == 0 && proof == "" {
		return
	}
	e.heading("the shell text")
	if proof != "" {
		e.wrapped("  ", proof)
	}
	for _, line := range effects {
		e.wrapped("  ", line)
	}
	for _, f := range s.Findings {
		e.wrapped("  ", f.Check.Severity.String()+": "+f.Check.ID+": "+f.Check.Title+at(s, f.Span))
	}
	for _, d := range s.Doubts {
		e.wrapped("  ", "uncertain: "+d.ID+": "+d.Msg+at(s, d.Span))
	}
}

// provenLine says whether the text as a whole is proven to only read, "" where
// its commands have said it already.
func provenLine(e *env, c *decide.Case) string {
	why := c.Unproven()
	if why == "" {
		return "only reads"
	}
	for i := range c.Script.Subcommands {
		if c.Script.Subcommands[i].Unproven() != "" {
			return ""
		}
	}
	if len(c.Script.Findings)+len(c.Script.Doubts) > 0 {
		return ""
	}
	return "not proven read-only: " + e.short(hookio.Escape(why))
}

// explainScripts prints the scripts of the project that were looked at, and why
// others were not.
func explainScripts(e *env, s *bashsafety.Analysis) {
	if s == nil || len(s.Scripts) == 0 {
		return
	}
	e.heading("project scripts")
	for i := range s.Scripts {
		t := &s.Scripts[i]
		name := e.short(hookio.Escape(t.Origin.String()))
		if t.Why != "" {
			e.wrapped("  ", name+": not checked: "+hookio.Escape(t.Why))
			continue
		}
		first, rest, _ := strings.Cut(strings.ReplaceAll(t.Text, bashsafety.HoleMark, "…"), "\n")
		if rest != "" {
			first += " …"
		}
		e.wrapped("  ", name+": "+hookio.Escape(first))
	}
}

// otherEffects says what the commands would do besides reading and writing
// files, which are listed among the parts of the call.
func otherEffects(e *env, s *bashsafety.Analysis) []string {
	var out []string
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		for j := range sub.Effects {
			f := &sub.Effects[j]
			what := ""
			switch f.Kind {
			case bashsafety.Execute:
				what = "runs "
			case bashsafety.Source:
				what = "sources "
			case bashsafety.Network:
				what = "talks to "
			case bashsafety.Privilege:
				what = "becomes another user "
			case bashsafety.GitChange:
				what = "changes the git repository of "
			case bashsafety.Unknown:
				out = append(out, hookio.Escape(decide.Spell(sub.Argv)+": may do anything"))
				continue
			case bashsafety.GitRead:
				what = "reads the git repository of "
			default:
				continue
			}
			target := e.path(strings.ReplaceAll(f.Path, bashsafety.HoleMark, "…"))
			if target == e.world.Cwd {
				target = "the working directory"
			}
			out = append(out, hookio.Escape(decide.Spell(sub.Argv)+": "+strings.TrimSpace(what+target)))
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

// explainMode prints the mode in effect and where it comes from.
func explainMode(e *env, c *decide.Case) {
	p := c.Policy
	e.heading("mode")
	fmt.Fprintf(e.out, "  %s%s\n", p.Mode.Value, from(e, p.Mode))
	for _, n := range p.ModeNotes {
		e.wrapped("  ", e.short(n))
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
	e.wrapped("  ", who)
}

// from says where a setting comes from.
func from(e *env, s rules.Setting) string {
	switch {
	case s.Pos.File != "":
		return "   " + e.place(s.Pos)
	case s.Scope != rules.ScopeNone:
		return "   " + s.Scope.String()
	}
	return ""
}

// explainSettings prints the settings that count, those that are set aside, and
// what is wrong with the files.
func explainSettings(e *env, c *decide.Case) {
	p := c.Policy
	e.heading("settings")
	fmt.Fprintf(e.out, "  working directory %s, project %s\n", hookio.Escape(p.Cwd.Given), hookio.Escape(p.Project.Given))
	var files []string
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range list {
			files = addFile(files, list[i].Pos.File)
		}
	}
	for _, f := range files {
		d, a, w := count(p.Deny, f), count(p.Ask, f), count(p.Allow, f)
		fmt.Fprintf(e.out, "  %s   %d deny, %d ask, %d allow\n", e.path(f), d, a, w)
	}
	if g := &c.Grants; g.Until != "" {
		e.wrapped("  ", "session grants, until "+g.Until+": "+strings.Join(granted(g), ", ")+"   "+e.path(g.File))
	}
	for _, d := range p.Dirs {
		fmt.Fprintf(e.out, "  additional directory %s   %s\n", hookio.Escape(d.Path.Given), e.place(d.Pos))
	}
	for _, s := range settings(p) {
		if s.Value != "" {
			fmt.Fprintf(e.out, "  %s: %s%s\n", s.name, hookio.Escape(s.Value), from(e, s.Setting))
		}
	}
	for _, d := range p.Dropped {
		e.wrapped("  ", "does not count: "+d.Text+" ("+e.place(d.Pos)+"): "+d.Why)
	}
	for _, f := range p.Faults {
		kind := "skipped: "
		if f.Closed {
			kind = "error, so every allow of steps 3 to 7 becomes ask: "
		}
		e.wrapped("  ", kind+e.fault(&f))
	}
}

// granted are the grants of a session that count.
func granted(g *decide.Grants) []string {
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
		out = append(out, hookio.Escape(g.Rules[i].Text))
	}
	return out
}

func addFile(files []string, f string) []string {
	if f == "" || slices.Contains(files, f) {
		return files
	}
	return append(files, f)
}

func count(list []rules.Rule, file string) int {
	n := 0
	for i := range list {
		if list[i].Pos.File == file {
			n++
		}
	}
	return n
}

// explainAgent lists the tools a host should show a subagent: seed text of the
// model's prompt, never the authority.
func explainAgent(e *env, c *decide.Case) {
	if !c.AsAgent {
		return
	}
	e.heading("tools to show to this agent")
	e.wrapped("  ", strings.Join(visible(c), " "))
}

// visible lists the tools of a host that decide.Visible would show.
func visible(c *decide.Case) []string {
	tools := []string{"Read", "Glob", "Grep", "LSP", "WebFetch", "WebSearch", "TaskCreate", "TaskGet",
		"TaskList", "TaskUpdate",
		"AskUserQuestion", "CronList", "Edit", "Write", "NotebookEdit", "Bash", "Monitor", "PowerShell", "Agent", "Skill"}
	if a := c.Policy.Agent; a != nil { // MCP and other tools only its lists know
		for _, list := range [...][]rules.Rule{a.Allow, a.Tools} {
			for i := range list {
				tools = addFile(tools, list[i].Tool)
			}
		}
	}
	var shown []string
	for _, t := range tools {
		if decide.Visible(c.Policy, t) {
			shown = append(shown, t)
		}
	}
	if len(shown) == 0 {
		return []string{"none"}
	}
	return shown
}

// explanation is what explain prints, as JSON.
func explanation(e *env, c *decide.Case, v decide.Verdict) *object {
	o := result(c, v)
	o.list("steps", len(v.Trace), func(i int, o *object) {
		t := v.Trace[i]
		o.add("step", t.Step.Num, "name", t.Step.Name, "decision", t.Verdict.Decision,
			"reason", opt(t.Verdict.Reason))
	})
	all := parts(c)
	o.list("parts", len(all), func(i int, o *object) {
		p := all[i]
		o.add("part", hookio.Escape(p.Label), "needs_allow", p.NeedsAllow)
		o.list("rules", len(p.Hits), func(j int, o *object) {
			fillRule(o, p.Hits[j].Rule)
			o.boolean("sure", p.Hits[j].Sure)
		})
		if p.Sub != nil && p.Effect == nil {
			o.add("via", p.Sub.Via, "narrow", p.Sub.PatternBlockers, "read_only", p.Sub.Unproven() == "",
				"not_read_only", opt(hookio.Escape(p.Sub.Unproven())))
		}
	})
	if c.Script != nil {
		fillScript(o, c)
	}
	p := c.Policy
	o.add("mode_from", opt(p.Mode.Pos.String()), "mode_notes", p.ModeNotes)
	fillUnused(o, p)
	o.strs("silenced", silenced(e, c, v))
	if c.AsAgent {
		o.strs("tools", visible(c))
	}
	return o
}

// fillUnused adds the grants that do not count and what cannot be read.
func fillUnused(o *object, p *rules.Policy) {
	o.list("dropped", len(p.Dropped), func(i int, o *object) {
		o.add("rule", p.Dropped[i].Text, "at", p.Dropped[i].Pos, "why", p.Dropped[i].Why)
	})
	o.list("faults", len(p.Faults), func(i int, o *object) {
		o.add("at", p.Faults[i].Pos, "message", p.Faults[i].Msg, "closed", p.Faults[i].Closed)
	})
}

// fillScript adds what the analysis of a shell text found.
func fillScript(o *object, c *decide.Case) {
	s := c.Script
	o.opt("not_read_only", hookio.Escape(c.Unproven()))
	o.list("findings", len(s.Findings), func(i int, o *object) {
		o.add("check", s.Findings[i].Check.ID, "severity", s.Findings[i].Check.Severity)
	})
	o.list("doubts", len(s.Doubts), func(i int, o *object) {
		o.add("id", s.Doubts[i].ID, "message", s.Doubts[i].Msg)
	})
	if len(s.Scripts) == 0 {
		return
	}
	o.list("scripts", len(s.Scripts), func(i int, o *object) {
		t := &s.Scripts[i]
		o.add("name", hookio.Escape(t.Name), "file", opt(hookio.Escape(t.File)), "line", t.Line,
			"text", opt(hookio.Escape(strings.ReplaceAll(t.Text, bashsafety.HoleMark, "…"))),
			"why", opt(hookio.Escape(t.Why)))
	})
}
