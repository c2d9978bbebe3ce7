package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/page"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
)

func explainCommand() *subcmd.Command {
	var o subcmd.CallOptions
	var last subcmd.LastOptions
	var html bool
	return &subcmd.Command{
		Name:     "explain",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | CHECK-ID | --last [N]",
		Operands: "check file",
		Words: func(fs *pflag.FlagSet, args []string) bool {
			return subcmd.CommandWords(fs, args) && findCheck(args[0]) == nil && lint.Find(args[0]) == nil
		},
		Short: "show every step, rule and finding behind a decision",
		Long: `Takes the same forms as check. It prints what every step decided, which rules match
which part of the call, what the shell text would read, write and run, which
settings count, which do not and why, and where the mode comes from. With --agent
it also lists the tools a host should show to that agent.

With the id of a check, for shell texts or of lint, it explains that check.

--html prints the answer, the steps and the parts of the call as a page for a browser,
which needs no network: permgate explain --html 'make x' > page.html

--last explains a logged call: the last decision, why, and whether today's settings
would decide the same. It takes the last call of any session inside the project of
the working directory; --last 2 takes the one before, --session ID the calls of one
session, wherever it ran. An agent's own calls of permgate explain and permgate log are
left out unless they were denied.

The exit code is 0 for any decision, 3 on errors.`,
		Examples: []subcmd.Example{
			{"permgate explain 'cd /x && git push -f'", "a shell text"},
			{"permgate explain --agent reviewer 'git stash'", "as a subagent, with its tools"},
			{"permgate explain recursive-remove", "a check"},
			{"permgate explain --last", "the last decision, and why"},
		},
		Flags: func(fs *pflag.FlagSet) {
			last.Register(fs, "", "with the grants of this session: its `ID`; with --last: its last call, by its id or the start of it")
			fs.BoolVar(&html, "html", false, "print a page for a browser")
			o.RegisterClassify(fs)
			o.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int {
			e.Needed()
			named := len(args) == 1 && o.Tool == "" && (findCheck(args[0]) != nil || lint.Find(args[0]) != nil)
			switch {
			case html && o.JSON:
				return e.Fail("", "one of --html and --json is enough")
			case html && (last.N != "" || named):
				return e.Fail("permgate explain --html COMMAND", "--html shows a call that is not in the log, and no check")
			case last.N != "" && o.Classify:
				return e.Fail("permgate explain --classify COMMAND", "--classify is for a call that is not in the log")
			case last.N != "":
				return explainLast(e, &o, &last, args)
			}
			o.Session = last.Session
			if named {
				return explainNamed(e, args[0], o.JSON)
			}
			o.Imply(e)
			call, err := o.Call(e, args)
			if err != nil {
				return e.Fail("permgate help explain shows the forms", "%v", err)
			}
			v := o.Decide(e, call)
			if o.JSON || html {
				res := explain.Of(v, e.Place)
				o.Implied.Of(v.Input().Call).AddTo(res)
				if html {
					return explainPage(e, v.Input(), res)
				}
				return e.PrintObject(res)
			}
			e.SayImplied(o.Implied.Of(v.Input().Call))
			explainAll(e, v, o.Implied.Of(v.Input().Call).Option()+subcmd.CallArgs(args, o.Tool))
			return subcmd.ExitOK
		},
	}
}

// explainPage prints a decision as a page, with the folders that it writes paths below.
func explainPage(e *subcmd.Env, c *decide.Input, res *subcmd.Object) int {
	res.Add("cwd", c.Policy.Cwd.Given, "home", c.Policy.Home.Given)
	if err := page.Explain(e.Machine(), res.End()); err != nil {
		return e.Fail("", "%v", err)
	}
	return subcmd.ExitOK
}

// explainAll prints all of a decision; args name the call to permgate allow.
func explainAll(e *subcmd.Env, v decide.Verdict, args string) {
	c := v.Input()
	printVerdict(e, v)
	if v.Why().Loss != nil {
		e.Wrapped("  ", "there now: "+v.Why().Loss.Detail())
	}
	e.AllowHint(v, args)
	explainSteps(e, v)
	explainParts(e, v)
	explainShell(e, v)
	explainScripts(e, c.Script)
	explainMode(e, c)
	explainSettings(e, c)
	explainAgent(e, c)
}

// explainSteps prints the trace. Steps below the one that answered were not asked.
func explainSteps(e *subcmd.Env, v decide.Verdict) {
	e.Heading("steps")
	for _, t := range v.Trace() {
		word := "-"
		if t.Decision != hookio.Pass {
			word = t.Decision.String()
		}
		stepLine(e, t.Step, decide.StepOf(t.Step).Name, t.Decision, word, cmp.Or(t.Reason, "no opinion"))
	}
	for _, s := range explain.NotReached(v) {
		stepLine(e, s.Num, s.Name, hookio.Pass, "not reached", "")
	}
	host := &decide.HostSteps[0]
	stepLine(e, host.Num, host.Name, v.Answer().Decision, explain.Answer(v), explain.HostStep(v))
	for _, note := range explain.Silenced(v, e.Place) {
		e.Wrapped("  note: ", note)
	}
}

func stepLine(e *subcmd.Env, num, name string, d hookio.Decision, word, why string) {
	head := fmt.Sprintf("  %-3s%-10s%s", num, name, e.Paint()(d, word))
	col := len("  3b workspace ") + len(word)
	if why == "" {
		e.Columns(head, col, "")
		return
	}
	gap := max(6-len(word), 1)
	e.Columns(head+strings.Repeat(" ", gap), col+gap, e.Short(why))
}

func explainParts(e *subcmd.Env, v decide.Verdict) {
	e.Heading("parts of the call, and the rules that match them")
	paint := e.Paint()
	for _, p := range explain.Parts(v) {
		label := hookio.Escape(p.Label)
		if p.Sub != nil && p.Effect == nil && len(p.Sub.Via) > 0 {
			label += "   (through " + strings.Join(p.Sub.Via, ", ") + ")"
		}
		indent := "  "
		if p.Effect != nil {
			dir := v.Input().Policy.OS.Native(v.Input().Policy.OS.Canon(e.World.Cwd) + "/")
			indent, label = "    ", strings.Replace(label, " "+dir, " ", 1)
		}
		fmt.Fprintf(e.Out, "%s%s\n", indent, label)
		for _, h := range p.Hits {
			sure := ""
			if v.Facts().ByMeaning(h, *p.Subject) {
				sure = "   by meaning"
			}
			if !h.Sure {
				sure += "   for some value of a word that is not known"
			}
			fmt.Fprintf(e.Out, "%s  %s  %s  %s%s\n", indent,
				paint(listDecision(h.Rule.List), h.Rule.List.String()), h.Rule.Text, e.Place(h.Rule.Pos), sure)
		}
		if p.NeedsAllow && !matched(p.Hits, rules.Allow) {
			fmt.Fprintf(e.Out, "%s  %s\n", indent, paint(hookio.Pass, "no allow rule"))
		}
		if p.Sub != nil && p.Effect == nil {
			for _, n := range p.Sub.PatternBlockers {
				e.Wrapped(indent+"  ", "allow rules with patterns do not cover it: "+n)
			}
			if why := p.Sub.Unproven(); why != "" {
				e.Wrapped(indent+"  ", "not proven read-only: "+e.Short(hookio.Escape(why)))
			}
		}
	}
}

func matched(hits []rules.Hit, list rules.List) bool {
	return slices.ContainsFunc(hits, func(h rules.Hit) bool { return h.Rule.List == list })
}

func listDecision(l rules.List) hookio.Decision {
	switch l {
	case rules.Allow:
		return hookio.Allow
	case rules.Ask:
		return hookio.Ask
	case rules.Deny:
		return hookio.Deny
	}
	return hookio.Pass
}

// A checkText is what explain says of a check, of shell texts or of settings files.
type checkText struct{ id, severity, title, why, instead string }

func (c *checkText) object() *subcmd.Object {
	return subcmd.NewObject("id", c.id, "severity", c.severity, "title", c.title, "why", c.why,
		"instead", subcmd.Opt(c.instead))
}

// print prints the check, and the lines of its examples.
func (c *checkText) print(e *subcmd.Env, reported, passed []string) int {
	fmt.Fprintf(e.Out, "%s   %s\n", c.id, c.severity)
	e.Wrapped("  ", c.title)
	e.Wrapped("  why: ", c.why)
	if c.instead != "" {
		e.Wrapped("  instead: ", c.instead)
	}
	for i, lines := range [...][]string{reported, passed} {
		e.Heading([...]string{"reported", "not reported"}[i])
		for _, line := range lines {
			fmt.Fprintf(e.Out, "  %s\n", hookio.Escape(line))
		}
	}
	return subcmd.ExitOK
}

// explainNamed explains the check, of shell texts or of settings files, that has an id.
func explainNamed(e *subcmd.Env, id string, json bool) int {
	if c := findCheck(id); c != nil {
		return explainCheck(e, c, json)
	}
	return explainLint(e, lint.Find(id), json)
}

func explainCheck(e *subcmd.Env, c *bashsafety.Check, json bool) int {
	text := checkText{c.ID, c.Severity.String(), c.Title, c.Why, c.Alternatives()}
	reported, passed := bashsafety.Examples(c)
	if json {
		o := text.object()
		o.Add("reports", reported, "passes", passed)
		return e.PrintObject(o)
	}
	return text.print(e, reported, passed)
}

func explainLint(e *subcmd.Env, c *lint.Check, json bool) int {
	text := checkText{c.ID, c.Severity.String(), c.Title, c.Why, c.Fix}
	reported, passed := c.Examples()
	if json {
		o := text.object()
		fillLintExamples(o, "reports", reported)
		fillLintExamples(o, "passes", passed)
		return e.PrintObject(o)
	}
	return text.print(e, lintExamples(reported), lintExamples(passed))
}

func fillLintExamples(o *subcmd.Object, key string, list []lint.Example) {
	o.List(key, len(list), func(i int, o *subcmd.Object) {
		o.Add("file", list[i].Name(), "text", list[i].Text, "at", subcmd.Opt(list[i].At), "fixed", subcmd.Opt(list[i].Fixed))
	})
}

// lintExamples are the lines of examples, and of what --fix makes of each.
func lintExamples(list []lint.Example) (lines []string) {
	for i := range list {
		lines = append(lines, list[i].Name()+": "+list[i].Text)
		if list[i].Fixed != "" {
			lines = append(lines, "  with --fix: "+list[i].Fixed)
		}
	}
	return lines
}

func findCheck(id string) *bashsafety.Check {
	all := bashsafety.Checks()
	if i := slices.IndexFunc(all, func(c *bashsafety.Check) bool { return c.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}
