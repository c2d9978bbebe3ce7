package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// runCmdlet lists a cmdlet with what it does.
func (p *psParser) runCmdlet(c *psCommand, cmd *cmdlet) {
	b := psCall{p: p, cmd: cmd, c: c}
	b.bind()
	sub := analysis.Subcommand{Program: psBase(c.words[0].Text), Argv: p.argv(c.words)}
	p.spellings(&sub, cmd)
	if shell.StartsWithAny(strings.ToLower(sub.Program), "curl", "wget") && unixOptions(c.words) {
		p.native(c) // the program of that name, which newer versions run
		return
	}
	at := p.add(c, sub)
	b.effects()
	if at >= 0 {
		p.w.s.Subcommands[at].Effects = b.all
		p.w.s.Subcommands[at].Launcher = b.launches
		p.w.s.Subcommands[at].PlainRemoval = b.plainRemoval()
	}
	p.flows(c, cmd, b.all)
}

// unixOptions reports whether a command has options that no cmdlet has.
func unixOptions(words []psWord) bool {
	return slices.ContainsFunc(words[1:], func(w psWord) bool {
		t := w.Text
		letter := len(t) == 2 && t[0] == '-'
		return letter || strings.HasPrefix(t, "--") || len(t) == 3 && strings.HasPrefix(t, "-s")
	})
}

// spellings adds the name of the cmdlet, for every rule, and its aliases, for
// deny and ask.
func (p *psParser) spellings(sub *analysis.Subcommand, cmd *cmdlet) {
	named := func(name string) []shell.Word {
		argv := append([]shell.Word(nil), sub.Argv...)
		argv[0].Text = name
		return argv
	}
	if sub.Argv[0].Text != cmd.name {
		sub.Same = append(sub.Same, named(cmd.name))
	}
	for alias := range strings.FieldsSeq(cmd.aliases) {
		if !strings.EqualFold(alias, sub.Argv[0].Text) {
			sub.Alt = append(sub.Alt, named(alias))
		}
	}
}

// flows follows where the objects of a pipeline come from.
func (p *psParser) flows(c *psCommand, cmd *cmdlet, effects []shell.Effect) {
	switch cmd.name {
	case "Get-ChildItem", "Get-Item":
		c.flow.open, c.flow.roots = false, nil
		for _, e := range effects {
			if e.Kind == shell.Read {
				c.flow.roots = append(c.flow.roots, e)
			}
		}
		if len(effects) == 0 && !c.flow.piped && p.listsHere(c, cmd) {
			here := shell.Literal(".", &c.words[0].Word)
			c.flow.roots = shell.EffectsOf(shell.Read, &here, &p.st.cwd)
		}
	case "Where-Object", "Sort-Object", "Get-Unique":
	case "Select-Object":
		c.flow.open = c.flow.open ||
			slices.ContainsFunc(c.words[1:], func(w psWord) bool { return !selectsObjects(&w) })
	default:
		c.flow.open, c.flow.roots = true, nil
	}
}

// selectsObjects reports whether a word of Select-Object only says which objects go on.
func selectsObjects(w *psWord) bool {
	const counts = "-first -last -skip -skiplast -unique -index"
	return w.bare && (shell.Number(w.Text) || shell.Listed(counts, strings.ToLower(w.Text)))
}

// listsHere reports whether a listing is one of the working directory: no word
// of it could be a folder.
func (p *psParser) listsHere(c *psCommand, cmd *cmdlet) bool {
	if cmd.name != "Get-ChildItem" {
		return len(c.words) == 1
	}
	return !slices.ContainsFunc(c.words[1:], func(w psWord) bool { return !w.Known || w.splat })
}

// plainRemoval reports whether a command is a Remove-Item of the files it names.
func (b *psCall) plainRemoval() bool {
	if b.cmd.does != psDeletes || b.c.flow.piped || len(b.c.outs) > 0 {
		return false
	}
	return !slices.ContainsFunc(b.given, func(g psGiven) bool {
		return !shell.Listed("Path LiteralPath Recurse Force ErrorAction Confirm Verbose", g.name) ||
			slices.ContainsFunc(g.words, func(w psWord) bool { return !w.Known })
	})
}
