package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Net says what the words of a command are to the network. The zero value is a
// program that talks to no one its words name.
type Net uint8

const (
	// FetchesURLs is a program that fetches a file operand, or an option's file, when
	// it is a URL.
	FetchesURLs Net = iota + 1
	// AsksServices is one that asks a service which its words, or configuration
	// that came with a project, may name: what is not literal is carried there.
	AsksServices
	// StaysHere is one that talks to no one.
	StaysHere
)

// net is what the subcommand says, else the program.
func (c *Invocation) net() Net {
	if c.Sub.Net != 0 {
		return c.Sub.Net
	}
	return c.Cmd.Net
}

// reaches takes the proof of reading back where a word may carry something that
// is not literal to the network, and adds the URLs that are fetched: the proof
// goes no further than the WebFetch tool.
func (c *Invocation) reaches() {
	switch net := c.net(); net {
	case AsksServices:
		for _, w := range c.words() {
			if !w.Known && !w.Integers {
				c.Disprove("sends a word only known at run time to a service")
			}
			c.fetches(w)
		}
	case FetchesURLs:
		for u := range c.options() {
			switch u.does {
			case Reads, UsesKey, LoadsValue:
				c.mayFetch(&u.Value)
			}
		}
		switch c.Sub.Operands {
		case Reads, ReadsTree, PatternReads:
			for _, i := range c.Operands {
				c.mayFetch(&c.Argv[i])
			}
		}
	}
}

// fetches adds the URL a word holds. A bucket is no host, and a file is read.
func (c *Invocation) fetches(w *shell.Word) bool {
	at := strings.Index(w.Text, "://")
	if at < 0 {
		return false
	}
	start := at
	for start > 0 && schemeByte(w.Text[start-1]) {
		start--
	}
	url := shell.Suffix(w, start)
	switch w.Text[start:at] {
	case "s3", "gs", "":
		return false
	case "file", "fileb":
		name := shell.Suffix(w, at+len("://"))
		c.read(&name)
		return false
	}
	known := func(e shell.Effect) bool { return e.Kind == shell.Network && strings.HasPrefix(e.Path, url.Text) }
	if !slices.ContainsFunc(c.Facts.Effects, known) {
		c.network(&url)
	}
	return true
}

func schemeByte(b byte) bool {
	return shell.NameByte(b) && b != '_' || strings.IndexByte("+-.", b) >= 0
}

// mayFetch is fetches for a word that is otherwise a file: one that is not known
// may be a URL unless its beginning says that it is a path.
func (c *Invocation) mayFetch(w *shell.Word) {
	if c.fetches(w) {
		c.Disprove("reads a URL")
		return
	}
	if !isPath(w) {
		c.Disprove("may fetch a URL: its input is unknown")
	}
}

// isPath reports whether a word is certainly no URL and names no host.
func isPath(w *shell.Word) bool {
	if w.Known || w.Down || w.Glob && !strings.Contains(w.Text, shell.HoleMark) {
		return true
	}
	lit := shell.LiteralPrefix(w)
	first, _, path := strings.Cut(lit, "/")
	return path && !strings.Contains(first, ":") || strings.HasPrefix(lit, ".")
}

// strangerFacts is all that is said of a program without a table: an unquoted
// unknown word may bring along any option.
func strangerFacts(argv []shell.Word) (d Facts) {
	ended := false
	for i := range argv[1:] {
		w := &argv[i+1]
		ended = ended || w.Known && w.Text == "--"
		if !ended && !w.Single && mayBeOption(w) {
			d.Narrow = append(d.Narrow, mayBringAnOption)
			return d
		}
	}
	return d
}

// strangerReads takes the words of a program without a table that look like a
// path, and the values of its options that do, for files it reads.
func strangerReads(argv []shell.Word, cwd *shell.CwdState) []shell.Effect {
	var all []shell.Effect
	for i := range argv[1:] {
		w := argv[i+1]
		if LeavesOut(argv, i+1) {
			continue
		}
		if opt := strings.HasPrefix(w.Text, "-"); opt {
			_, value, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			w = shell.Suffix(&w, len(w.Text)-len(value))
		}
		driven := shell.OnDrive(w.Text) && !strings.ContainsAny(w.Text[2:], "\n:")
		if w.Known && (driven || strings.ContainsAny(w.Text, "./") && !strings.ContainsAny(w.Text, " \t\n:")) {
			all = append(all, shell.EffectsOf(shell.Read, &w, cwd)...)
		}
	}
	return all
}

// Unsaid reports whether the literal leaves open what the word at a place of argv is: any word of a program without
// one; what goes to a script; an option that is not listed, and what follows it; and, wholly is not set then, an
// operand where the literal lists options and says nothing of what operands are, or a subcommand is not listed.
func (c *Invocation) Unsaid(at int) (unsaid, wholly bool) {
	switch {
	case c == nil || c.Cmd == nil || c.handsOn(at) || c.Sub.saysNothing():
		return true, true
	case c.Cmd.Style&NoOptions != 0:
		return false, false
	case c.Unlisted(at):
		return true, true
	}
	_, operand := slices.BinarySearch(c.Operands, at)
	return operand && c.loosely() && !c.Inner(at), false
}

// Unlisted reports whether the word at a place of argv is an option that no row lists, or may be the value of one:
// behind a subcommand that is not listed the options are among the operands.
func (c *Invocation) Unlisted(at int) bool {
	switch {
	case c == nil || c.Cmd == nil || c.unlistedOption(at):
		return true
	case strings.HasPrefix(c.Argv[at].Text, "-"):
	case slices.Contains(c.Values, at):
		return false
	case c.unlistedOption(at - 1):
		return true
	default:
		at--
	}
	_, operand := slices.BinarySearch(c.Operands, at)
	return operand && strings.HasPrefix(c.Argv[at].Text, "-") && c.loosely()
}

// loosely reports whether the literal lists options and says nothing of operands, or not the subcommand that is used.
func (c *Invocation) loosely() bool {
	return c.Sub.mayDoMore() || c.Sub.HasSubs() && !c.Sub.OwnOperands
}

// Inner reports whether the word at a place is one of a command that the program surely runs, or runs elsewhere.
func (c *Invocation) Inner(at int) bool {
	return c != nil && slices.ContainsFunc(c.Facts.Inner, func(in Inner) bool {
		words := in.Text.Span
		if len(in.Argv) > 0 {
			words = shell.Span{Start: in.Argv[0].Span.Start, End: in.Argv[len(in.Argv)-1].Span.End}
		}
		return !(in.Guess && in.Here()) && words.Contains(c.Argv[at].Span)
	})
}

// handsOn reports whether the word at a place goes to a script or a task that other words name.
func (c *Invocation) handsOn(at int) bool {
	runs := c.Sub.Rare().Project
	named := c.Sub.Operands == Scripts || runs != nil && runs.By&(RunsFile|RunsTool) != 0
	task := runs != nil || c.Cmd.Rare().Project != nil || c.Cmd.Rare().Scripts != nil
	if task && c.DashDash > 0 && at > c.DashDash {
		return true
	}
	return named && len(c.Operands) > 0 && at > c.Operands[0]
}

// saysNothing reports whether a literal lists no options, or says that every word is an
// operand, and nothing of what operands are.
func (m *Command) saysNothing() bool {
	listed := m.Flags+m.Values+m.OptValues != "" || len(m.Opts) > 0 || m.HasSubs()
	return m.unsaidOperands() && (m.Style&NoOptions != 0 || !listed && !m.RunsRest)
}

// mayDoMore is saysNothing for a literal that lists options and says of nothing that it is all that the program does.
func (m *Command) mayDoMore() bool {
	return m.unsaidOperands() && !m.RunsRest && !m.Local && !m.Contains
}

func (m *Command) unsaidOperands() bool { return m.Operands == Words && !m.ReadOnly && !m.ReadsSome }

// unlistedOption reports whether the word at a place is an option that is not listed.
func (c *Invocation) unlistedOption(at int) bool {
	dashes, _, _ := strings.Cut(c.Argv[at].Text, "=")
	name := strings.TrimLeft(dashes, "-")
	return name != "" && name != dashes && (slices.Contains(c.Unknown, name) || slices.Contains(c.Unknown, name[:1]))
}
