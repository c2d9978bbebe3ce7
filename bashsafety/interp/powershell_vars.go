package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// plainName takes the scope off the name of a variable or function.
func plainName(name string) string {
	for _, scope := range [...]string{"global:", "script:", "local:", "private:", "variable:", "using:"} {
		if rest, ok := strings.CutPrefix(name, scope); ok {
			return rest
		}
	}
	return name
}

// variable reads a variable and returns what is known of its value.
func (p *psParser) variable() psWord {
	from := p.i
	p.i++
	name := plainName(p.name())
	p.seen = name
	w := psHole(from, p.i)
	switch name {
	case "true", "false", "null":
		w.Text, w.Known = "$"+name, true
	case "home", "env:userprofile", "env:home":
		if p.facts.sets[name] == 0 && !p.facts.byRef {
			w.folder = p.w.env.Home
		}
	case "pwd":
		if len(p.st.cwd.Dirs) == 1 {
			w.folder = p.st.cwd.Dirs[0]
		}
	default:
		if drive, _, ok := strings.Cut(name, ":"); ok && drive != "env" {
			p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "a variable of the drive "+drive, from)
		}
		for i := range p.vars {
			if p.vars[i].name == name {
				w = p.vars[i].word
				w.Span = shell.Span{Start: from, End: p.i}
			}
		}
	}
	return w
}

// set follows an assignment. right is its value when that is one known string.
func (p *psParser) set(t psTarget, right *psWord) {
	switch name := t.variable; {
	case t.static:
		if !shell.Listed(psSettable, t.member) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "an assignment to "+t.member, p.i)
		}
	case name == "":
		if shell.Listed(psTouching, t.member) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "an assignment to ."+t.member, p.i)
		}
	case p.dry:
		p.facts.sets[name]++
	case shell.Listed(psHooks, name):
		p.doubt(analysis.DoubtShellVar, shell.HidesAll, "$"+name, p.i)
	case strings.HasPrefix(name, "env:"):
		p.setEnv(strings.ToUpper(name[len("env:"):]))
	case strings.Contains(name, ":"):
		p.doubt(analysis.DoubtShadow, shell.HidesAll, "$"+name, p.i)
	case right != nil && right.Known && p.setOnce(name):
		w := *right
		w.Quoted = true
		p.vars = append(p.vars, psBinding{name, w})
	}
}

// setOnce reports whether a variable has one value in all of the text.
func (p *psParser) setOnce(name string) bool {
	return p.facts.sets[name] == 1 && !p.facts.byRef && p.depth == 0 && len(p.vars) < maxBindings
}

// setEnv follows an assignment to a variable of the environment.
func (p *psParser) setEnv(name string) {
	if p.dry {
		return
	}
	if commands.RunsCode(name) {
		p.doubt(analysis.DoubtShellVar, shell.HidesAll, name, p.i)
	}
	if !commands.Inert(name) {
		p.st.addBlocker(analysis.SetEarlier(name))
	}
}
