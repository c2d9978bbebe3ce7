package bashsafety

import (
	"path"
	"strings"
)

// AnalyzePowerShell says what a PowerShell text would run. Cmdlets are known by
// the table of powershell_cmdlets.go, programs by the tables of bash. Nothing is
// proven to only read.
func AnalyzePowerShell(text string, env Env) (s *Script) {
	if env.Home != "" {
		env.Home = path.Clean(env.Home)
	}
	s = &Script{Text: text, env: env}
	w := &walker{s: s, env: env, budget: newBudget()}
	defer func() {
		if recover() != nil {
			w.doubt(dInternal, Span{0, len(text)}, "")
		}
	}()
	st := &state{}
	if strings.HasPrefix(env.Cwd, "/") {
		st.cwd.dirs = []string{path.Clean(env.Cwd)}
	}
	if env.Dir != "" {
		st.cwd = cwdState{moved: true}
		if env.Dir[0] == '/' {
			st.cwd.dirs = []string{path.Clean(env.Dir)}
		}
	}
	if len(text) > MaxBytes {
		w.doubt(dTooLong, Span{0, len(text)}, "")
		text = completeLines(text[:MaxBytes])
	}
	w.unicode(strings.ReplaceAll(text, "\r\n", " \n"), &ctx{fr: &frame{src: text}})
	p := psParser{w: w, st: st, s: text}
	p.read()
	w.expandScripts()
	w.behindLinks()
	w.finish()
	runPowerShellChecks(s)
	return s
}

// read reads the text twice.
func (p *psParser) read() {
	p.facts.sets = map[string]int{}
	p.dry = true
	p.stmts(0)
	p.dry, p.i, p.sets = false, 0, nil
	if p.facts.hops { // a loop comes back with another directory
		p.st.cwd = cwdState{moved: true}
	}
	p.stmts(0)
}

// runPowerShellChecks runs the checks of PowerShell, and those of bash on the
// programs of the text.
func runPowerShellChecks(s *Script) {
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		sub.ReadOnly = false
		if sub.call == nil && sub.Remote && len(sub.Argv) > 0 {
			sub.call = describe(sub.Argv, &cwdState{}, s.env.Home)
		}
		if sub.call != nil && sub.call.cmd == nil {
			sub.call = nil
		}
		if sub.call != nil {
			sub.call.home = s.env.Home
		}
	}
	runFamily(s, powershellChecks)
	for _, family := range checkFamilies {
		runFamily(s, family)
	}
}

// cmdletName is the canonical name of a command in lower case.
func cmdletName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	if c := cmdletOf(name); c != nil {
		return strings.ToLower(c.name)
	}
	return name
}
