package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// strangerFacts is all that is said of a program without a table: an unquoted
// unknown word may bring along any option.
func strangerFacts(argv []shell.Word) (d Facts) {
	ended := false
	for i := range argv[1:] {
		w := &argv[i+1]
		ended = ended || w.Known && w.Text == "--"
		if !ended && !w.Single && mayBeOption(w) {
			d.Narrow = append(d.Narrow, "an unquoted expansion could become an option")
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
		if opt := strings.HasPrefix(w.Text, "-"); opt {
			_, value, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			w = shell.Suffix(&w, len(w.Text)-len(value))
		}
		if w.Known && strings.ContainsAny(w.Text, "./") && !strings.ContainsAny(w.Text, " \t\n:") {
			all = append(all, shell.EffectsOf(shell.Read, &w, cwd)...)
		}
	}
	return all
}

// Unsaid reports whether the literal leaves open what the word at a place of argv is: any
// word of a program without one, or of one whose literal lists neither options nor what
// operands are; what goes to a script; and of all others an option that is not listed, and
// what follows it.
func (c *Invocation) Unsaid(at int) bool {
	if c == nil || c.Cmd == nil || c.Sub.saysNothing() || c.handsOn(at) {
		return true
	}
	if c.Cmd.Style&NoOptions != 0 || len(c.Unknown) == 0 {
		return false
	}
	value := !strings.HasPrefix(c.Argv[at].Text, "-") && !slices.Contains(c.Values, at)
	return c.unlistedOption(at) || value && c.unlistedOption(at-1)
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
	if m.Operands != Words || m.ReadOnly || m.ReadsSome {
		return false
	}
	listed := m.Flags+m.Values+m.OptValues != "" || len(m.Opts) > 0 || m.HasSubs()
	return m.Style&NoOptions != 0 || !listed && !m.RunsRest
}

// unlistedOption reports whether the word at a place is an option that is not listed.
func (c *Invocation) unlistedOption(at int) bool {
	dashes, _, _ := strings.Cut(c.Argv[at].Text, "=")
	name := strings.TrimLeft(dashes, "-")
	return name != "" && name != dashes && (slices.Contains(c.Unknown, name) || slices.Contains(c.Unknown, name[:1]))
}
