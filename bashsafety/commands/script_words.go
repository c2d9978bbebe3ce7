package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// npmScripts reads npm run X and the commands that run scripts of their own name.
func npmScripts(c *Invocation, out *ScriptCall, words []int) {
	verb := ""
	if len(words) > 0 {
		verb = c.Argv[words[0]].Text
	}
	rest := words[min(1, len(words)):]
	switch verb {
	case "run", "run-script", "rum", "urn":
		if len(rest) == 0 { // lists them
			out.Ref.Runner = ""
			return
		}
		out.name(&c.Argv[rest[0]])
		if rest = rest[1:]; len(rest) > 0 && len(c.Unknown) > 0 { // npm run --option value X
			out.name(&c.Argv[rest[0]])
		}
	case "test", "t", "tst":
		out.Ref.Names = []string{"test"}
	case "start", "stop", "version":
		out.Ref.Names = []string{verb}
	case "restart":
		out.Ref.Names = []string{"restart", "stop", "start"}
	case "publish", "pack":
		out.Ref.Names, rest = []string{verb, "prepublishOnly", "pack", "prepare"}, nil
	case "install", "i", "ci", "clean-install", "install-test", "it", "cit", "install-ci-test":
		c.installs(out, rest)
		if rest = nil; strings.HasSuffix(verb, "t") && out.Ref.Runner != "" {
			out.Ref.Names = append(out.Ref.Names, "test")
		}
	default:
		out.Ref.Runner = ""
	}
	for _, i := range rest {
		out.Args = append(out.Args, c.Argv[i])
	}
}

// installs are the scripts of the project that run when all it needs is
// installed; where packages are named, only theirs do.
func (c *Invocation) installs(out *ScriptCall, packages []int) {
	out.Ref.Names = []string{"install", "prepublish", "prepare"}
	if len(packages) > 0 || c.Has("ignore-scripts") {
		out.Ref.Runner = ""
	}
}

// wordScripts reads a runner that takes everything after the name of the
// script for the script's. It runs a script when no command of its own has that
// name; those of its own that run scripts run the ones of their name.
func wordScripts(c *Invocation, out *ScriptCall, words []int) {
	if len(words) == 0 {
		if out.Ref.Runner == "yarn" { // alone it installs
			c.installs(out, nil)
		} else {
			out.Ref.Runner = ""
		}
		return
	}
	at := words[0]
	if name := c.unknownBefore(at); name != "" {
		out.Why = "unknown option " + name // it may take the next word
		return
	}
	switch verb := c.Argv[at].Text; {
	case verb == "run", verb == "run-script", verb == "r" && out.Ref.Runner == "mise":
		p := parseArgs(c.Argv, at+1, StopAtOperand, []*Command{&runOptions})
		if c.Cmd.Style&StopAtOperand != 0 { // else they are among c.opts
			out.opts = p.Opts
		}
		switch {
		case len(p.Unknown) > 0:
			out.Why = "unknown option " + p.Unknown[0]
			return
		case len(p.Operands) == 0:
			out.Ref.Runner = ""
			return
		}
		at = p.Operands[0]
	case shell.Listed(c.Cmd.Special.Scripts.Own, verb), out.Ref.Runner == "bun" && strings.ContainsAny(verb, "./"):
		out.Ref.Runner = ""
		return
	}
	out.name(&c.Argv[at])
	switch {
	case out.Ref.Runner == "mise":
	case len(out.Ref.Names) == 0:
	case at != words[0]: // run NAME
	case out.Ref.Names[0] == "t", out.Ref.Names[0] == "tst":
		out.Ref.Names[0] = "test"
	case out.Ref.Names[0] == "add" && out.Ref.Runner == "yarn":
		c.installs(out, nil)
	case out.Ref.Names[0] == "i", out.Ref.Names[0] == "install", out.Ref.Names[0] == "ci":
		c.installs(out, words[1:])
	case out.Ref.Names[0] == "publish", out.Ref.Names[0] == "pack":
		out.Ref.Names = []string{out.Ref.Names[0], "prepublishOnly", "pack", "prepare"}
	}
	for i := at + 1; out.Ref.Runner == "mise" && i+1 < len(c.Argv); i++ {
		if c.Argv[i].Text == ":::" { // another task
			out.name(&c.Argv[i+1])
		}
	}
	out.end = at + 1
	if out.Args = c.Argv[at+1:]; len(out.Args) > 0 && out.Args[0].Text == "--" {
		out.Args = out.Args[1:]
	}
}

// unknownBefore returns an option in front of the word at that the grammar does
// not list and that has no value attached.
func (c *Invocation) unknownBefore(at int) string {
	for i := 1; i < at; i++ {
		word := c.Argv[i].Text
		if !strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		for _, name := range c.Unknown {
			inCluster := !strings.HasPrefix(word, "--") && strings.HasSuffix(word, name)
			if word == "--"+name || word == "-"+name || inCluster {
				return name
			}
		}
	}
	return ""
}

// runOptions are the options between run and the name of the script, of pnpm,
// yarn, bun and mise together.
var runOptions = Command{
	Flags: "-bfqrsvFy silent if-present bun smol hot watch no-clear-screen parallel stream aggregate-output " +
		"sequential no-bail recursive quiet raw force yes verbose report-summary reverse top-level binaries-only " +
		"inspect inspect-brk interactive timings skip-deps",
	Values: "-Cjt cwd dir prefix cd filter resume-from reporter-hide-prefix jobs output tool shell " +
		"workspace-concurrency reporter loglevel",
}

// namedScripts reads make, just and task: every word is a target or a setting.
func namedScripts(c *Invocation, out *ScriptCall, words []int) {
	for _, i := range words {
		w := &c.Argv[i]
		switch {
		case c.DashDash > 0 && i > c.DashDash && out.Ref.Runner == "task": // for the script, as CLI_ARGS
		case w.Known && strings.Contains(w.Text, "="):
			out.Ref.Vars = append(out.Ref.Vars, w.Text)
		default:
			out.name(w)
		}
	}
}

func (s *ScriptCall) name(w *shell.Word) {
	if !w.Known {
		s.Why = "the script name is unknown"
		return
	}
	s.Ref.Names = append(s.Ref.Names, w.Text)
}
