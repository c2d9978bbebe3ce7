package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) whileClause(cl *syntax.WhileClause, c *ctx, st *words.State) {
	w.loops++
	defer func() { w.loops-- }()
	w.rounds(cl, cl.Cond, cl.Do, c, st)
}

// rounds walks what a loop does in each of any number of rounds.
func (w *walker) rounds(cl syntax.Node, cond, do []*syntax.Stmt, c *ctx, st *words.State) {
	w.forgetAssigned(cl, st)
	since, body := st.Vars, st.Clone()
	first, narrow := len(w.s.Subcommands), st.Blockers
	w.endless++
	heed := body.WithoutErrexit()
	w.body(cond, c, body)
	heed()
	w.body(do, c, body)
	w.endless--
	st.Join(body, since)
	w.again(first, narrow, st)
}

func (w *walker) forClause(cl *syntax.ForClause, c *ctx, st *words.State) {
	w.loops++
	defer func() { w.loops-- }()
	switch loop := cl.Loop.(type) {
	case *syntax.WordIter:
		w.forWords(cl, loop, c, st)
		return
	case *syntax.CStyleLoop:
		w.arithm(loop.Init, c, st)
		surelyAssigns(loop.Init, st)
		w.arithm(loop.Cond, c, st)
		w.arithm(loop.Post, c, st)
	default:
		w.Doubt(analysis.DoubtUnknownNode, c.span(cl), "")
	}
	w.rounds(cl, nil, cl.Do, c, st)
}

// maxUnroll is the longest list whose rounds are walked one by one.
const maxUnroll = 8

// forWords walks a loop over words: a short list round by round, as in for d in a b; do rm -r $d;
// done, a long one once, with the variable unknown.
func (w *walker) forWords(cl *syntax.ForClause, loop *syntax.WordIter, c *ctx, st *words.State) {
	var items []shell.Word
	w.sideEffects(loop.Items, c, st)
	w.UnlikeZsh = false
	for _, word := range loop.Items {
		w.walkWord(word, c, st)
		items = w.Fields(word, c.fr, st, items)
	}
	items = append(items, w.ZshFields(loop.Items, c.fr, st)...)
	w.noteLiterals(items)
	if !loop.InPos.IsValid() || cl.Select {
		items = []shell.Word{{Text: shell.HoleMark}}
	}
	w.forgetAssigned(cl, st)
	w.loopVariable(loop.Name.Value, items, c.span(loop.Name), st)
	since, start, narrow := st.Vars, len(w.s.Subcommands), st.Blockers
	var values []words.Binding
	if !w.keeps(loop.Name.Value) {
		values = []words.Binding{{Text: shell.HoleMark}}
	} else if len(items) > maxUnroll || len(items) > w.roundsLeft {
		values = []words.Binding{anyOf(items)}
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
		round, first := st.Clone(), len(w.s.Subcommands)
		value.Name, value.Sure = loop.Name.Value, true
		round.Push(value)
		w.body(cl.Do, c, round)
		if i > 0 {
			w.dropRepeats(start, first)
		}
		st.Join(round, since)
	}
	w.again(start, narrow, st)
}

// loopVariable follows the values that a loop gives its variable.
func (w *walker) loopVariable(name string, items []shell.Word, span shell.Span, st *words.State) {
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

// roundValue is what the loop variable holds; of a pattern, what all its files start with.
func roundValue(item *shell.Word) words.Binding {
	if !item.Glob {
		several := item.Down && !item.Single // numbers, one each round
		tokens := item.Tokens && item.NoDash
		return words.Binding{Text: item.Text, Down: item.Down, Word: several, Tokens: tokens, Listing: item.List}
	}
	if !commands.FindsBelow(item.Text) {
		return words.Binding{Text: shell.LiteralPrefix(item) + shell.HoleMark}
	}
	return words.Binding{Text: commands.FindsNames(item.Text), Down: true}
}

// anyOf is what the loop variable holds in any round: what all items start with.
func anyOf(items []shell.Word) words.Binding {
	if len(items) == 0 {
		return words.Binding{Text: shell.HoleMark}
	}
	prefix, down, tokens := items[0].Text, true, true
	for i := range items {
		down = down && !shell.Upward(items[i].Text)
		tokens = tokens && !strings.HasPrefix(items[i].Text, "-")
		if !items[i].Known || commands.MayExpand(items[i].Text) {
			return words.Binding{Text: shell.HoleMark}
		}
		for !strings.HasPrefix(items[i].Text, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if !down || prefix == "" && commands.AnyAbsolute(items) {
		return words.Binding{Text: prefix + shell.HoleMark, Word: true, Tokens: tokens}
	}
	return words.Binding{Text: commands.Alike(items, prefix), Word: true, Down: true, Tokens: tokens}
}

// dropRepeats removes what an earlier round said as well. From and By count positions, so pipes and launchers stay.
func (w *walker) dropRepeats(start, first int) {
	list := w.s.Subcommands
	for i := first; i < len(list); i++ {
		if len(list[i].From) > 0 || list[i].By > 0 {
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

// maxJobs is how many jobs a loop may start and still only read.
const maxJobs = 64

// many reports whether a loop may have more than maxJobs rounds. A pattern finds as many files as
// there are.
func many(items []shell.Word) bool {
	for i := range items {
		if w := &items[i]; !w.Known && !w.Single && !w.Glob {
			return true
		}
	}
	return len(items) > maxJobs
}

// repeats reports whether what runs a command may run it any number of times.
func repeats(via []string) bool {
	for _, v := range via {
		switch v {
		case "xargs", "find", "parallel", "watch", "watch -x", "entr", "entr -s", "fd":
			return true
		}
	}
	return false
}

// spawns disproves the commands from an index on, which a loop starts in the background.
func (w *walker) spawns(from int) {
	for i := from; i < len(w.s.Subcommands); i++ {
		sub := &w.s.Subcommands[i]
		sub.ReadOnly, sub.When.Spawned = false, !sub.Structural
	}
}

// timeClause walks what time measures; the word itself only shows in Outer.
func (w *walker) timeClause(cl *syntax.TimeClause, c *ctx, st *words.State) outcome {
	at := c.fr.At(int(cl.Time.Offset()), int(cl.Time.Offset())+len("time"))
	time := words.Known("time", at)
	switch name := firstAssigned(cl.Stmt); {
	case name != "": // which the program of that name then takes for a program that does not exist
		w.Add(analysis.Subcommand{
			Span: at, Program: "time", Argv: []shell.Word{time, words.Known(name, at)}, Via: c.via, From: c.from,
			Standing: commands.Guessed(),
		})
	case startsAssigned(cl.Stmt):
		w.Doubt(analysis.DoubtParserDiff, c.span(cl), "bash 3.2 runs time before an assignment as a program")
	}
	if cl.Stmt == nil { // after a pipe, and in other shells, it is a program
		w.Add(analysis.Subcommand{Span: at, Program: "time", Argv: []shell.Word{time}, Via: c.via, From: c.from})
		return outcome{}
	}
	n := *c
	n.outer = append(slices.Clip(n.outer), time)
	if cl.PosixFormat {
		n.outer = append(n.outer, words.Known("-p", at))
	}
	if _, ok := cl.Stmt.Cmd.(*syntax.TimeClause); ok {
		w.Doubt(analysis.DoubtZsh, c.span(cl), "the second time is a program in zsh")
	}
	branch := st.Clone() // the shell itself, or in zsh a shell of its own
	o := w.body([]*syntax.Stmt{cl.Stmt}, &n, branch)
	st.Join(branch, st.Vars)
	return o
}

// startsAssigned reports whether a statement starts with an assignment.
func startsAssigned(s *syntax.Stmt) bool {
	if s == nil {
		return false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && (len(call.Args) == 0 || len(call.Assigns) > 0)
}

// firstAssigned is the first assignment of a command, "" where that may name a file.
func firstAssigned(s *syntax.Stmt) string {
	if !startsAssigned(s) {
		return ""
	}
	call := s.Cmd.(*syntax.CallExpr)
	if len(call.Args) == 0 {
		return ""
	}
	a := call.Assigns[0]
	if a.Name == nil || a.Value == nil || a.Index != nil || a.Append {
		return ""
	}
	if value := words.PlainLit(a.Value); value != "" && !strings.Contains(value, "/") {
		return a.Name.Value + "=" + value
	}
	return ""
}
