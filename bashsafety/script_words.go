package bashsafety

import "strings"

// npmScripts reads npm run X and the commands that run scripts of their own name.
func npmScripts(c *call, out *scriptCall, words []int) {
	verb := ""
	if len(words) > 0 {
		verb = c.argv[words[0]].Text
	}
	rest := words[min(1, len(words)):]
	switch verb {
	case "run", "run-script", "rum", "urn":
		if len(rest) == 0 { // lists them
			out.ref.Runner = ""
			return
		}
		out.name(&c.argv[rest[0]])
		if rest = rest[1:]; len(rest) > 0 && len(c.unknown) > 0 { // npm run --option value X
			out.name(&c.argv[rest[0]])
		}
	case "test", "t", "tst":
		out.ref.Names = []string{"test"}
	case "start", "stop", "version":
		out.ref.Names = []string{verb}
	case "restart":
		out.ref.Names = []string{"restart", "stop", "start"}
	case "publish", "pack":
		out.ref.Names, rest = []string{verb, "prepublishOnly", "pack", "prepare"}, nil
	case "install", "i", "ci", "clean-install", "install-test", "it", "cit", "install-ci-test":
		c.installs(out, rest)
		if rest = nil; strings.HasSuffix(verb, "t") && out.ref.Runner != "" {
			out.ref.Names = append(out.ref.Names, "test")
		}
	default:
		out.ref.Runner = ""
	}
	for _, i := range rest {
		out.args = append(out.args, c.argv[i])
	}
}

// installs are the scripts of the project that run when all it needs is
// installed; where packages are named, only theirs do.
func (c *call) installs(out *scriptCall, packages []int) {
	out.ref.Names = []string{"install", "prepublish", "prepare"}
	if len(packages) > 0 || c.has("ignore-scripts") {
		out.ref.Runner = ""
	}
}

// wordScripts reads a runner that takes everything behind the name of the
// script for the script's. It runs a script when no command of its own has that
// name; those of its own that run scripts run the ones of their name.
func wordScripts(c *call, out *scriptCall, words []int) {
	if len(words) == 0 {
		if out.ref.Runner == "yarn" { // alone it installs
			c.installs(out, nil)
		} else {
			out.ref.Runner = ""
		}
		return
	}
	at := words[0]
	if name := c.unknownBefore(at); name != "" {
		out.why = "the option " + name + " is not known" // it may take the next word
		return
	}
	switch verb := c.argv[at].Text; {
	case verb == "run", verb == "run-script", verb == "r" && out.ref.Runner == "mise":
		p := parseArgs(c.argv, at+1, StopAtOperand, []*Command{&runOptions})
		if c.cmd.Style&StopAtOperand != 0 { // else they are among c.opts
			out.opts = p.opts
		}
		switch {
		case len(p.unknown) > 0:
			out.why = "the option " + p.unknown[0] + " is not known"
			return
		case len(p.operands) == 0:
			out.ref.Runner = ""
			return
		}
		at = p.operands[0]
	case listed(c.cmd.scripts.Own, verb), out.ref.Runner == "bun" && strings.ContainsAny(verb, "./"):
		out.ref.Runner = ""
		return
	}
	out.name(&c.argv[at])
	switch {
	case out.ref.Runner == "mise":
	case len(out.ref.Names) == 0:
	case at != words[0]: // run NAME
	case out.ref.Names[0] == "t", out.ref.Names[0] == "tst":
		out.ref.Names[0] = "test"
	case out.ref.Names[0] == "add" && out.ref.Runner == "yarn":
		c.installs(out, nil)
	case out.ref.Names[0] == "i", out.ref.Names[0] == "install", out.ref.Names[0] == "ci":
		c.installs(out, words[1:])
	case out.ref.Names[0] == "publish", out.ref.Names[0] == "pack":
		out.ref.Names = []string{out.ref.Names[0], "prepublishOnly", "pack", "prepare"}
	}
	for i := at + 1; out.ref.Runner == "mise" && i+1 < len(c.argv); i++ {
		if c.argv[i].Text == ":::" { // another task
			out.name(&c.argv[i+1])
		}
	}
	out.end = at + 1
	if out.args = c.argv[at+1:]; len(out.args) > 0 && out.args[0].Text == "--" {
		out.args = out.args[1:]
	}
}

// unknownBefore returns an option in front of the word at that the grammar does
// not list and that has no value attached.
func (c *call) unknownBefore(at int) string {
	for i := 1; i < at; i++ {
		word := c.argv[i].Text
		if !strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		for _, name := range c.unknown {
			if word == "--"+name || word == "-"+name || !strings.HasPrefix(word, "--") && strings.HasSuffix(word, name) {
				return name
			}
		}
	}
	return ""
}

// runOptions are the options between run and the name of the script, of pnpm,
// yarn, bun and mise together.
var runOptions = Command{
	Flags: "-bfqrsvFy silent if-present bun smol hot watch no-clear-screen parallel stream aggregate-output sequential no-bail recursive quiet raw force yes verbose " +
		"report-summary reverse top-level binaries-only inspect inspect-brk interactive timings skip-deps",
	Values: "-Cjt cwd dir prefix cd filter resume-from reporter-hide-prefix jobs output tool shell workspace-concurrency reporter loglevel",
}

// namedScripts reads make, just and task: every word is a target or a setting.
func namedScripts(c *call, out *scriptCall, words []int) {
	for _, i := range words {
		w := &c.argv[i]
		switch {
		case c.dashdash > 0 && i > c.dashdash && out.ref.Runner == "task": // for the script, as CLI_ARGS
		case w.Known && strings.Contains(w.Text, "="):
			out.ref.Vars = append(out.ref.Vars, w.Text)
		default:
			out.name(w)
		}
	}
}

func (s *scriptCall) name(w *Word) {
	if !w.Known {
		s.why = "the name of the script is not known"
		return
	}
	s.ref.Names = append(s.ref.Names, w.Text)
}
