package commands

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestSpellings: an option that matters, in any spelling that a parser of options may take for it, is never worth less
// than as the table spells it. The spellings are made here, apart from the code that reads them.
func TestSpellings(t *testing.T) {
	laxer := 0
	eachSpelling(func(bare, canonical, odd string) {
		if why := looser(describe(bare), describe(canonical), describe(odd)); why != "" {
			if laxer++; laxer <= 60 {
				t.Errorf("%s: %s of %s is gone", odd, why, canonical)
			}
		}
	})
	if laxer > 60 {
		t.Errorf("and %d more", laxer-60)
	}
}

func describe(text string) Facts {
	return Describe(split(text), &shell.CwdState{Dirs: []string{"/w"}}, "/home/u").Facts
}

// looser tells what an option adds to a command, and in another spelling does not.
func looser(without, of, in Facts) string {
	switch {
	case len(in.Doubts) < len(of.Doubts) && len(in.Narrow) == 0:
		return "the doubt"
	case in.Proof.Holds() && !of.Proof.Holds(), in.LocalProof.Holds() && !of.LocalProof.Holds(),
		in.ProjectProof.Holds() && !of.ProjectProof.Holds():
		return "the missing proof"
	case len(of.Narrow) > 0 && len(in.Narrow) == 0:
		return "the narrowing " + of.Narrow[0]
	}
	for _, e := range of.Effects {
		same := func(x shell.Effect) bool { return x.Kind == e.Kind && (x.Path == e.Path || e.Kind == shell.Read) }
		adds := e.Kind != shell.Read && e.Kind != shell.Looks && !slices.ContainsFunc(without.Effects, same)
		if adds && len(in.Narrow) == 0 && !slices.ContainsFunc(in.Effects, same) {
			return "the effect " + kindName(e.Kind) + " " + e.Path
		}
	}
	return ""
}

// eachSpelling calls do with every option that matters of every program: as the table
// spells it, and as a parser may take it as well.
func eachSpelling(do func(bare, canonical, odd string)) {
	var walk func(path string, root *Command, levels []*Command)
	walk = func(path string, root *Command, levels []*Command) {
		c := levels[len(levels)-1]
		if c.Style&NoOptions == 0 {
			for _, level := range levels {
				if level == root && level != c && root.Style&ProgramOptionsFirst != 0 {
					continue
				}
				for i := range level.Opts {
					spellOption(path, levels, &level.Opts[i], do)
				}
			}
		}
		for _, list := range [...][]Command{c.Subs, c.Also} {
			for i := range list {
				if name := list[i].Name(); !strings.Contains(name, "*") {
					walk(path+" "+name, root, append(slices.Clip(levels), &list[i]))
				}
			}
		}
	}
	for _, c := range All() {
		walk(c.Name(), c, []*Command{c})
	}
}

func spellOption(path string, levels []*Command, o *Opt, do func(bare, canonical, odd string)) {
	switch o.Does {
	case Executes, WritesValue, Writes, WritesInPlace, Changes, Unsafe, LoadsValue, RunsName, ObeysValue, SetsKey:
	default:
		return
	}
	style := levels[0].Style&(SingleDash|ShortEquals|DashValues) | levels[len(levels)-1].Style
	for f := range strings.FieldsSeq(o.Names) {
		names := []string{f}
		if f[0] == '-' {
			names = strings.Split(f[1:], "")
		}
		for _, n := range names {
			dashes := "--"
			if len(n) == 1 || style&SingleDash != 0 {
				dashes = "-"
			}
			canonical := path + " " + dashes + n
			switch {
			case o.Arg == HasArg:
				canonical += " /v/w"
			case o.Arg == OptArg && dashes == "--":
				canonical += "=/v/w"
			case o.Arg == OptArg:
				canonical += "/v/w"
			}
			for _, odd := range spellings(levels, style, dashes, n, o.Arg) {
				do(path, canonical, path+" "+odd)
			}
		}
	}
}

// spellings writes one option as a parser of the program's kind may take it.
func spellings(levels []*Command, style Style, dashes, name string, arg Arg) []string {
	var out []string
	with := func(words ...string) { // with the value
		for _, w := range words {
			switch arg {
			case NoArg:
				out = append(out, w)
			case HasArg:
				out = append(out, w+" /v/w", w+"=/v/w")
			case OptArg:
				out = append(out, w+"=/v/w")
			}
		}
	}
	kind := levels[0].Parser
	if len(name) == 1 {
		if other := strings.ToUpper(name); kind&AnyCase != 0 && other != name && !slices.ContainsFunc(levels, func(c *Command) bool { return listsOption(c, other) }) {
			with("-" + other)
		}
		if kind&EveryLetter != 0 && arg == HasArg {
			out = append(out, "-zz"+name+" /v/w", "-t"+name+" /v/w")
		}
		if style&SingleDash == 0 && arg != NoArg {
			out = append(out, "-"+name+"=/v/w", "-"+name+"/v/w")
		}
		with("--" + name)
		return out
	}
	with("-"+name, "--"+name, "---"+name)
	if strings.ContainsAny(name, "-_") {
		with("--"+strings.ReplaceAll(name, "-", "_"), "--"+strings.ReplaceAll(name, "_", "-"), "--"+camel(name), "-"+camel(name))
	}
	with("--"+strings.ToUpper(name), "--loose-"+name, "--loose_"+strings.ReplaceAll(name, "-", "_"))
	if kind&Plus != 0 {
		with("+" + name)
	}
	if len(name) > 5 && !slices.ContainsFunc(levels, func(c *Command) bool { return listsOption(c, name[:len(name)-1]) }) {
		with(dashes+name[:len(name)-1], "--"+name[:len(name)-1])
	}
	if arg == HasArg {
		out = append(out, dashes+name+":/v/w", dashes+"config."+name+"=/v/w")
	}
	if style&StopAtOperand == 0 && arg == HasArg { // what is not known may take the --
		out = append(out, "--zz-zz -- "+dashes+name+"=/v/w")
	}
	for _, value := range harmlessValues(levels) { // nopt and yargs: no value starts with a dash
		if arg == HasArg {
			out = append(out, value+"="+dashes+name+"=/v/w")
		}
		if arg == HasArg && style&DashValues == 0 {
			out = append(out, value+" "+dashes+name+"=/v/w")
		}
	}
	return out
}

// harmlessValues returns a long option that takes a value and does not matter, of each level.
func harmlessValues(levels []*Command) []string {
	var out []string
	for _, c := range levels {
		for f := range strings.FieldsSeq(c.Values) {
			if f[0] != '-' && len(f) > 1 {
				out = append(out, "--"+f)
				break
			}
		}
	}
	return out
}

// TestArgFiles: a file of options may hold any of them.
func TestArgFiles(t *testing.T) {
	for _, c := range All() {
		if c.Parser&ArgFiles == 0 {
			continue
		}
		for _, words := range []string{" @/v/w", " a @/v/w", " -o a @/v/w", " -- @/v/w"} {
			if f := describe(c.Name() + words); len(f.Narrow) == 0 || f.Proof.Holds() {
				t.Errorf("%s%s is covered", c.Name(), words)
			}
		}
	}
}

// listsOption reports whether a command's table has a long option of a name.
func listsOption(c *Command, name string) bool {
	return slices.ContainsFunc(append(optNames(c), c.Flags, c.Values, c.OptValues), func(list string) bool {
		return shell.Listed(list, name)
	})
}

func camel(name string) string {
	var b strings.Builder
	up := false
	for _, r := range name {
		switch {
		case r == '-' || r == '_':
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
