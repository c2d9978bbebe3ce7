package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

func (w *walker) whileClause(cl *syntax.WhileClause, c *ctx, st *state) {
	w.loops++
	w.endless++
	defer func() { w.loops--; w.endless-- }()
	w.forgetAssigned(cl, st)
	since, body := st.vars, st.clone()
	first, narrow := len(w.s.Subcommands), st.blockers
	heed := body.withoutErrexit()
	w.body(cl.Cond, c, body)
	heed()
	w.body(cl.Do, c, body)
	st.join(body, since)
	w.again(first, narrow, st)
}

func (w *walker) forClause(cl *syntax.ForClause, c *ctx, st *state) {
	w.loops++
	defer func() { w.loops-- }()
	switch loop := cl.Loop.(type) {
	case *syntax.WordIter:
		w.forWords(cl, loop, c, st)
		return
	case *syntax.CStyleLoop:
		w.arithm(loop.Init, c, st)
		st.surelyAssigns(loop.Init)
		w.arithm(loop.Cond, c, st)
		w.arithm(loop.Post, c, st)
	default:
		w.doubt(analysis.DoubtUnknownNode, c.span(cl), "")
	}
	w.forgetAssigned(cl, st)
	since, body := st.vars, st.clone()
	first, narrow := len(w.s.Subcommands), st.blockers
	w.endless++
	w.body(cl.Do, c, body)
	w.endless--
	st.join(body, since)
	w.again(first, narrow, st)
}

// maxUnroll is the longest list whose rounds are walked one by one.
const maxUnroll = 8

// forWords walks a loop over words. A short list is walked round by round, so
// that for d in build dist; do rm -r $d; done is what it is; a long one once,
// with the variable unknown.
func (w *walker) forWords(cl *syntax.ForClause, loop *syntax.WordIter, c *ctx, st *state) {
	var items []shell.Word
	w.sideEffects(loop.Items, c, st)
	w.unlikeZsh = false
	for i, word := range loop.Items {
		w.walkWords(loop.Items[i:i+1], c, st)
		items = w.fields(word, c, st, items)
	}
	items = append(items, w.zshFields(loop.Items, c, st)...)
	w.noteLiterals(items)
	if !loop.InPos.IsValid() || cl.Select {
		items = []shell.Word{{Text: shell.HoleMark}}
	}
	w.forgetAssigned(cl, st)
	w.loopVariable(loop.Name.Value, items, c.span(loop.Name), st)
	since, start, narrow := st.vars, len(w.s.Subcommands), st.blockers
	var values []binding
	if !w.keeps(loop.Name.Value) {
		values = []binding{{text: shell.HoleMark}}
	} else if len(items) > maxUnroll || len(items) > w.roundsLeft {
		values = []binding{anyOf(items)}
	} else {
		for i := range items {
			values = append(values, roundValue(&items[i]))
		}
	}
	if many(items) {
		w.endless++
		defer func() { w.endless-- }()
	}
	for i, value := range values {
		w.roundsLeft--
		round, first := st.clone(), len(w.s.Subcommands)
		value.name, value.sure = loop.Name.Value, true
		round.push(value)
		w.body(cl.Do, c, round)
		if i > 0 {
			w.dropRepeats(start, first)
		}
		st.join(round, since)
	}
	w.again(start, narrow, st)
}

// loopVariable follows the values that a loop gives its variable.
func (w *walker) loopVariable(name string, items []shell.Word, span shell.Span, st *state) {
	w.touched(name, span, st)
	w.holds(name, items...)
	if w.keeps(name) {
		return
	}
	for i := range items {
		w.number(items[i].Text, span, st)
		w.shellVar(items[i].Text, false, span)
		if w.opaque || slices.Contains(w.refs, name) {
			w.refersTo(&items[i], span, st)
		}
	}
}

// roundValue is what the loop variable holds: for a pattern only what every
// file it finds starts with is known.
func roundValue(item *shell.Word) binding {
	if !item.Glob {
		several := item.Down && !item.Single // numbers, one each round
		return binding{text: item.Text, down: item.Down, word: several, tokens: item.Tokens && item.NoDash}
	}
	if !commands.FindsBelow(item.Text) {
		return binding{text: shell.LiteralPrefix(item) + shell.HoleMark}
	}
	return binding{text: commands.FindsNames(item.Text), down: true}
}

// anyOf is what the loop variable holds in some round: what all items start
// with, and one word when none of them can split.
func anyOf(items []shell.Word) binding {
	if len(items) == 0 {
		return binding{text: shell.HoleMark}
	}
	prefix, down, tokens := items[0].Text, true, true
	for i := range items {
		down = down && !shell.Upward(items[i].Text)
		tokens = tokens && !strings.HasPrefix(items[i].Text, "-")
		if !items[i].Known || commands.MayExpand(items[i].Text) {
			return binding{text: shell.HoleMark}
		}
		for !strings.HasPrefix(items[i].Text, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if !down || prefix == "" && commands.AnyAbsolute(items) {
		return binding{text: prefix + shell.HoleMark, word: true, tokens: tokens}
	}
	return binding{text: commands.Alike(items, prefix), word: true, down: true, tokens: tokens}
}

// dropRepeats removes the subcommands after first that say the same as an
// earlier round did. A round with pipes stays: From counts positions.
func (w *walker) dropRepeats(start, first int) {
	list := w.s.Subcommands
	for i := first; i < len(list); i++ {
		if len(list[i].From) > 0 {
			return
		}
	}
	keep := first
	for i := first; i < len(list); i++ {
		if !slices.ContainsFunc(list[start:first], func(o analysis.Subcommand) bool { return sameCommand(&o, &list[i]) }) {
			list[keep] = list[i]
			keep++
		}
	}
	w.s.Subcommands = list[:keep]
}

func sameCommand(a, b *analysis.Subcommand) bool {
	if a.Span != b.Span || a.Structural != b.Structural || len(a.Assigns) > 0 || len(b.Assigns) > 0 {
		return false
	}
	return slices.Equal(a.Argv, b.Argv) && slices.Equal(a.Outer, b.Outer) &&
		slices.Equal(a.Effects, b.Effects) && slices.Equal(a.PatternBlockers, b.PatternBlockers)
}
