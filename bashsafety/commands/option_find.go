package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// findLong finds a long option by its name or a prefix of it. Of several
// candidates the first that matters is meant, so that an abbreviation never
// hides one.
func (p *argParser) findLong(name string) (string, Act, Arg, bool) {
	if does, arg, ok := p.find(name); ok && (len(name) > 1 || p.style&SingleDash != 0) {
		return name, does, arg, true
	}
	if p.style&SingleDash != 0 || name == "" {
		return "", 0, NoArg, false
	}
	for _, g := range slices.Backward(p.gs) {
		for i := range g.Opts {
			if full := abbreviated(g.Opts[i].Names, name); full != "" {
				return full, g.Opts[i].Does, g.Opts[i].Arg, true
			}
		}
	}
	return p.findHarmless(name)
}

// abbreviated returns the first long name in a list that starts with name, ""
// when none does.
func abbreviated(list, name string) string {
	for f := range strings.FieldsSeq(list) {
		if f[0] != '-' && strings.HasPrefix(f, name) {
			return f
		}
	}
	return ""
}

// findHarmless finds an option that does not matter by a prefix of its name.
// Programs that share a table do not share all options: where one candidate
// takes the next word and another does not, none is meant.
func (p *argParser) findHarmless(name string) (full string, does Act, arg Arg, ok bool) {
	for _, g := range slices.Backward(p.gs) {
		for _, l := range [...]struct {
			list string
			arg  Arg
		}{{g.Values, HasArg}, {g.OptValues, OptArg}, {g.Flags, NoArg}} {
			for f := range strings.FieldsSeq(l.list) {
				switch {
				case f[0] == '-' || !strings.HasPrefix(f, name):
				case ok && (arg == HasArg) != (l.arg == HasArg):
					return "", 0, NoArg, false
				case !ok:
					full, arg, ok = f, l.arg, true
				}
			}
		}
	}
	return full, 0, arg, ok
}

// find finds an option by its exact name.
func (p *argParser) find(name string) (Act, Arg, bool) {
	for k := len(p.gs) - 1; k >= 0; k-- {
		g := p.gs[k]
		for i := range g.Opts {
			if shell.Listed(g.Opts[i].Names, name) {
				return g.Opts[i].Does, g.Opts[i].Arg, true
			}
		}
		switch {
		case shell.Listed(g.Values, name):
			return 0, HasArg, true
		case shell.Listed(g.OptValues, name):
			return 0, OptArg, true
		case shell.Listed(g.Flags, name):
			return 0, NoArg, true
		}
	}
	return 0, NoArg, false
}
