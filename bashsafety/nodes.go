package bashsafety

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) ifClause(cl *syntax.IfClause, c *ctx, st *state) outcome {
	end := (*state)(nil) // every way out merged
	never := true
	merge := func(branch *state, since *binding, o outcome) {
		if o.never {
			return
		}
		never = false
		if o.fails {
			branch.cwd = branch.cwd.or(o.cwd)
		}
		if end == nil {
			end = branch
			end.blur(branch.vars, since)
			return
		}
		end.join(branch, since)
	}
	since := st.vars
	cur := st.clone()
	for ; cl != nil; cl = cl.Else {
		then, failed := cur, cur
		if cl.ThenPos.IsValid() {
			heed := cur.heedless()
			o := w.body(cl.Cond, c, cur)
			heed()
			failed = cur.clone()
			failed.cwd = o.failed(cur)
			then = cur.clone()
		}
		merge(then, since, w.body(cl.Then, c, then))
		cur = failed
		if !cl.ThenPos.IsValid() {
			cur = nil
		}
	}
	if cur != nil {
		merge(cur, since, outcome{})
	}
	if end != nil {
		*st = *end
	}
	return outcome{never: never}
}

func (w *walker) whileClause(cl *syntax.WhileClause, c *ctx, st *state) {
	w.loops++
	defer func() { w.loops-- }()
	w.blurAssigned(cl, st)
	since, body := st.vars, st.clone()
	heed := body.heedless()
	w.body(cl.Cond, c, body)
	heed()
	w.body(cl.Do, c, body)
	st.join(body, since)
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
		w.arithm(loop.Cond, c, st)
		w.arithm(loop.Post, c, st)
	default:
		w.doubt(dUnknownNode, c.span(cl), "")
	}
	w.blurAssigned(cl, st)
	since, body := st.vars, st.clone()
	w.body(cl.Do, c, body)
	st.join(body, since)
}

// maxUnroll is the longest list whose rounds are walked one by one.
const maxUnroll = 8

// forWords walks a loop over words. A short list is walked round by round, so
// that for d in build dist; do rm -r $d; done is what it is; a long one once,
// with the variable unknown.
func (w *walker) forWords(cl *syntax.ForClause, loop *syntax.WordIter, c *ctx, st *state) {
	var items []Word
	w.sideEffects(loop.Items, c, st)
	for i, word := range loop.Items {
		w.walkWords(loop.Items[i:i+1], c, st)
		items = w.fields(word, c, st, items)
	}
	w.holdWords(items)
	if !loop.InPos.IsValid() || cl.Select {
		items = []Word{{Text: HoleMark}}
	}
	w.blurAssigned(cl, st)
	w.loopVariable(loop.Name.Value, items, c.span(loop.Name), st)
	since, start := st.vars, len(w.s.Subcommands)
	var values []binding
	if !w.keeps(loop.Name.Value) {
		values = []binding{{text: HoleMark}}
	} else if len(items) > maxUnroll || len(items) > w.roundsLeft {
		values = []binding{anyOf(items)}
	} else {
		for i := range items {
			values = append(values, roundValue(&items[i]))
		}
	}
	for i, value := range values {
		w.roundsLeft--
		round, first := st.clone(), len(w.s.Subcommands)
		value.name = loop.Name.Value
		round.push(value)
		w.body(cl.Do, c, round)
		if i > 0 {
			w.dropRepeats(start, first)
		}
		st.join(round, since)
	}
}

// loopVariable follows the values that a loop gives its variable.
func (w *walker) loopVariable(name string, items []Word, span Span, st *state) {
	w.touched(name, span, st)
	if w.keeps(name) {
		return
	}
	for i := range items {
		w.number(items[i].Text, span, st)
		w.shellVar(items[i].Text, false, span)
	}
}

// roundValue is what the loop variable holds: for a pattern only what every
// file it finds starts with is known.
func roundValue(item *Word) binding {
	if !item.Glob {
		return binding{text: item.Text, down: item.Down, word: item.Down && !item.Single} // several numbers, one each round
	}
	if !findsBelow(item.Text) {
		return binding{text: literalPrefix(item) + HoleMark}
	}
	return binding{text: findsNames(item.Text), down: true}
}

// anyOf is what the loop variable holds in some round: what all items start
// with, and one word when none of them can split.
func anyOf(items []Word) binding {
	if len(items) == 0 {
		return binding{text: HoleMark}
	}
	prefix, down := items[0].Text, true
	for i := range items {
		down = down && !upward(items[i].Text)
		if !items[i].Known || strings.ContainsAny(items[i].Text, " \t\n*?[\\") {
			return binding{text: HoleMark}
		}
		for !strings.HasPrefix(items[i].Text, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if !down || prefix == "" && anyAbsolute(items) {
		return binding{text: prefix + HoleMark, word: true}
	}
	return binding{text: alike(items, prefix), word: true, down: true}
}

// dropRepeats removes the subcommands behind first that say the same as an
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
		if !slices.ContainsFunc(list[start:first], func(o Subcommand) bool { return sameCommand(&o, &list[i]) }) {
			list[keep] = list[i]
			keep++
		}
	}
	w.s.Subcommands = list[:keep]
}

func sameCommand(a, b *Subcommand) bool {
	return a.Span == b.Span && a.Structural == b.Structural && slices.Equal(a.Argv, b.Argv) && slices.Equal(a.Outer, b.Outer) &&
		slices.Equal(a.Effects, b.Effects) && slices.Equal(a.Narrow, b.Narrow) && len(a.Assigns) == 0 && len(b.Assigns) == 0
}

func (w *walker) caseClause(cl *syntax.CaseClause, c *ctx, st *state) {
	w.walkWord(cl.Word, c, st)
	since := st.vars
	out := st.clone() // no item may match
	for _, item := range cl.Items {
		for _, p := range item.Patterns {
			w.walkWord(p, c, st)
		}
		branch := st.clone()
		if item.Op != syntax.Break { // ;& and ;;& fall through
			branch.forget()
		}
		o := w.body(item.Stmts, c, branch)
		if o.never {
			continue
		}
		if o.fails {
			branch.cwd = branch.cwd.or(o.cwd)
		}
		out.join(branch, since)
	}
	*st = *out
}

// funcDecl walks the body as if it ran. When it really runs, variables and
// directory may be others.
func (w *walker) funcDecl(fn *syntax.FuncDecl, c *ctx, st *state) {
	name := ""
	if fn.Name != nil {
		name = fn.Name.Value
	} else {
		w.doubt(dZsh, c.span(fn), "")
	}
	n := c.through("function " + name)
	n.stdin, n.from = input{kind: stdinPipe}, nil
	body := st.clone()
	body.fresh()
	body.errexit = false // it may be called where failure is tested
	if w.moves {
		body.cwd = cwdState{moved: true}
	}
	w.body([]*syntax.Stmt{fn.Body}, n, body)
	w.blurAssigned(fn.Body, st)
}

// timeClause walks what time measures. time is taken off like the other
// wrappers, so it only shows in Outer.
func (w *walker) timeClause(cl *syntax.TimeClause, c *ctx, st *state) outcome {
	if cl.Stmt == nil { // behind a pipe, and in other shells, it is a program
		at := c.fr.at(int(cl.Time.Offset()), int(cl.Time.Offset())+len("time"))
		w.add(Subcommand{Span: at, Program: "time", Argv: []Word{knownWord("time", at)}, Via: c.via, From: c.from})
		return outcome{}
	}
	if w.depth++; w.depth > MaxNesting {
		w.depth--
		w.doubt(dTooDeep, Span{0, len(w.s.Text)}, "")
		return outcome{}
	}
	defer func() { w.depth-- }()
	at := c.fr.at(int(cl.Time.Offset()), int(cl.Time.Offset())+len("time"))
	n := *c
	n.outer = append(n.outer[:len(n.outer):len(n.outer)], knownWord("time", at))
	if cl.PosixFormat {
		n.outer = append(n.outer, knownWord("-p", at))
	}
	return w.stmt(cl.Stmt, &n, st)
}

func knownWord(text string, span Span) Word {
	return Word{Text: text, Known: true, Single: true, Span: span}
}
