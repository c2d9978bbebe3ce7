package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// Arithmetic runs the command in a subscript of its values: with a[$(cmd)] in f, x=$(cat f); echo
// $((x)) runs cmd. That is no question of its own, but such a text is not proven, and no rule with
// a pattern covers it.

// runsData is why a rule with a pattern does not cover a text.
const runsData = "arithmetic evaluates a value that may not be a number, and runs commands inside it"

// integers is what is believed of values that are evaluated as numbers. It holds only when all of
// the text was seen: loops and functions assign in any order.
type integers struct {
	unproven bool         // a value is evaluated that is not proven to be an integer
	relies   bool         // one is that is proven by what variables hold
	believed []string     // the variables that were taken for integers
	other    []string     // those that were given something else
	typed    []string     // those that evaluate what they are given
	anyOther bool         // any variable may have been given anything
	numeric  []shell.Span // the texts that are run with such values in them
}

// disproven reports whether the text evaluates a value that may be any text.
func (n *integers) disproven() bool {
	relies := n.relies || len(n.typed) > 0
	for _, name := range n.other {
		if slices.Contains(n.typed, name) || relies && slices.Contains(n.believed, name) {
			return true
		}
	}
	return n.unproven || n.anyOther && len(n.typed)+len(n.believed) > 0 || max(len(n.other), len(n.typed)) >= maxAttrs
}

// holdRunData adds the reason to every command of a text that evaluates such a value.
func (w *walker) holdRunData() {
	if w.disproven() {
		w.narrowFrom(0, len(w.s.Subcommands), []string{runsData})
	}
}

// evaluates follows a word that is evaluated as a number.
func (w *walker) evaluates(v *shell.Word, st *words.State) {
	if w.muted == 0 && !w.Integral(v, st) {
		w.unproven = true
	}
}

// Integral reports whether a word is made of numbers and of variables that hold integers.
func (w *walker) Integral(v *shell.Word, st *words.State) bool {
	text := v.Text
	if v.Numeric {
		w.relies = true
		text = strings.ReplaceAll(text, shell.HoleMark, "0")
	}
	if strings.ContainsAny(text, "$`"+shell.HoleMark) {
		return false
	}
	for name, rest := nextName(text); name != ""; name, rest = nextName(rest) {
		rest = strings.TrimLeft(rest, " \t")
		if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
			continue // it is assigned
		}
		if value, ok := st.Lookup(name); ok && shell.Number(value) {
			continue
		}
		if !w.IsInteger(name, st) {
			return false
		}
		w.relies = true
	}
	return true
}

// IsInteger reports whether a variable was given nothing but integers so far; disproven looks at
// the rest.
func (w *walker) IsInteger(name string, st *words.State) bool {
	b := st.Bound(name)
	ok := b != nil && b.Sure || b == nil && shell.Among("RANDOM LINENO SECONDS PIPESTATUS", name)
	if !ok || slices.Contains(w.other, name) {
		return false
	}
	w.addAttr(&w.believed, name)
	return len(w.believed) < maxAttrs
}

// holds notes what a variable is given.
func (w *walker) holds(name string, list ...shell.Word) {
	for i := range list {
		v := &list[i]
		w.relies = w.relies || v.Numeric && integerVar(name)
		plain := (v.Known || v.Numeric) && !strings.ContainsAny(v.Text, "[$`")
		if other, _ := nextName(v.Text); !plain || other != "" {
			w.holdsOther(name)
		}
	}
}

// holdsOther notes that a variable may be given what is no integer.
func (w *walker) holdsOther(name string) {
	if w.muted > 0 {
		return
	}
	w.addAttr(&w.other, name)
	w.unproven = w.unproven || integerVar(name)
}

// integerVar names the variables that bash or zsh make an integer: they evaluate what
// they are given.
func integerVar(name string) bool {
	return shell.Among("RANDOM SRANDOM SECONDS LINENO COLUMNS LINES OPTIND HISTCMD HISTSIZE SAVEHIST UID EUID GID EGID "+
		"SHLVL FUNCNEST MAILCHECK KEYTIMEOUT LISTMAX TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT EPOCHSECONDS PPID TTYIDLE ERRNO", name)
}

// evaluatesName follows the name of a variable whose subscript is evaluated.
func (w *walker) evaluatesName(a *shell.Word, st *words.State) {
	name, _, _ := strings.Cut(a.Text, "=")
	name, index, open := strings.Cut(name, "[")
	switch {
	case open:
		w.evaluates(&shell.Word{Text: subscript(index), Numeric: a.Numeric}, st)
	case strings.Contains(name, shell.HoleMark):
		w.evaluates(a, st)
	}
}

// zshSubscript follows the [...] after $x, which is text to bash.
func (w *walker) zshSubscript(p *syntax.ParamExp, rest []syntax.WordPart, c *ctx, st *words.State) {
	if len(rest) == 0 || !p.Short {
		return
	}
	if lit, ok := rest[0].(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "[") {
		v := w.Single(&syntax.Word{Parts: rest}, c.fr, st, false)
		w.evaluates(&shell.Word{Text: subscript(strings.TrimPrefix(v.Text, "[")), Numeric: v.Numeric}, st)
	}
}
