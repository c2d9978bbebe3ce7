package words

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// braces returns the words that brace expansion makes of one, as lists of
// parts. Over budget the answer is one unknown word and a Doubt. The list of a
// word without braces is put into one.
func (r *Reader) braces(word *syntax.Word, span shell.Span, one [][]syntax.WordPart) [][]syntax.WordPart {
	if !slices.ContainsFunc(word.Parts, opensBrace) {
		return append(one, word.Parts)
	}
	split := *word // SplitBraces replaces the parts, never changes them
	if !syntax.SplitBraces(&split) {
		return [][]syntax.WordPart{word.Parts}
	}
	if letterSteps(split.Parts) {
		if r.UnlikeZsh = true; r.asZsh {
			return [][]syntax.WordPart{word.Parts}
		}
	}
	if looseBraces(split.Parts) || followsPID(split.Parts) || loneDollar(split.Parts) && braceCount(split.Parts) > 1 {
		r.Walk.Doubt(analysis.DoubtParserDiff, span, "unbalanced braces next to a brace expansion")
	}
	laterRanges(split.Parts)
	n := braceCount(split.Parts)
	if n > shell.MaxBraceWord && numberRanges(split.Parts) {
		n = braceCount(split.Parts)
	}
	if n == 1 {
		if couldPair(word.Parts) {
			r.Walk.Doubt(analysis.DoubtParserDiff, span, "braces with a comma that not every shell expands")
		}
		return [][]syntax.WordPart{split.Parts}
	}
	if !r.Walk.TakeWords(n) || n > shell.MaxBraceWord {
		r.Walk.Doubt(analysis.DoubtBraceLimit, span, "")
		return [][]syntax.WordPart{{&syntax.BraceExp{}}}
	}
	words := braceExpand(split.Parts)
	for i := range words {
		words[i] = joinTilde(words[i])
	}
	return words
}

func opensBrace(p syntax.WordPart) bool {
	lit, ok := p.(*syntax.Lit)
	return ok && strings.IndexByte(lit.Value, '{') >= 0
}

// joinTilde joins the literals after a tilde that braces brought to the start
// of a word: it is expanded after them.
func joinTilde(parts []syntax.WordPart) []syntax.WordPart {
	if len(parts) < 2 {
		return parts
	}
	first, ok := parts[0].(*syntax.Lit)
	if !ok || !strings.HasPrefix(first.Value, "~") {
		return parts
	}
	joined, n := *first, 1
	for ; n < len(parts); n++ {
		lit, ok := parts[n].(*syntax.Lit)
		if !ok {
			break
		}
		joined.Value += lit.Value
	}
	return append([]syntax.WordPart{&joined}, parts[n:]...)
}

// laterRanges replaces ranges that bash 3.2 does not know, with a step or with
// leading zeros, by what is not known.
func laterRanges(parts []syntax.WordPart) {
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		switch {
		case !ok:
		case !b.Sequence:
			for _, e := range b.Elems {
				laterRanges(e.Parts)
			}
		case len(b.Elems) > 2, shell.Padded(b.Elems[0].Lit()), shell.Padded(b.Elems[1].Lit()):
			b.Elems = nil
		}
	}
}

// numberRanges replaces long ranges of numbers, as in for i in {1..500}, by
// unknown numbers and reports whether there were any.
func numberRanges(parts []syntax.WordPart) bool {
	found := false
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if !b.Sequence {
			for _, e := range b.Elems {
				found = numberRanges(e.Parts) || found
			}
		} else if len(b.Elems[0].Lit()) > 0 && !shell.Letter(b.Elems[0].Lit()) && len(sequence(b)) > 16 {
			b.Elems, found = nil, true
		}
	}
	return found
}

// braceCount says how many words the parts expand to, at most one more than
// the budget.
func braceCount(parts []syntax.WordPart) int {
	n := 1
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		k := 0
		if len(b.Elems) == 0 {
			k = 1
		} else if b.Sequence {
			k = len(sequence(b))
		} else {
			for _, e := range b.Elems {
				k += braceCount(e.Parts)
			}
		}
		if n *= k; n > shell.MaxBraceWord {
			return shell.MaxBraceWord + 1
		}
	}
	return n
}

func braceExpand(parts []syntax.WordPart) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok || len(b.Elems) == 0 {
			for i := range all {
				all[i] = append(all[i], p)
			}
			continue
		}
		var alts [][]syntax.WordPart
		if b.Sequence {
			for _, s := range sequence(b) {
				alts = append(alts, []syntax.WordPart{&syntax.Lit{Value: s}})
			}
		} else {
			for _, e := range b.Elems {
				alts = append(alts, braceExpand(e.Parts)...)
			}
		}
		next := make([][]syntax.WordPart, 0, len(all)*len(alts))
		for _, head := range all {
			for _, tail := range alts {
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		all = next
	}
	return all
}

// sequence lists the words of {x..y..step}, at most one more than the
// budget.
func sequence(b *syntax.BraceExp) []string {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	step := int64(1)
	if len(b.Elems) > 2 {
		step, _ = strconv.ParseInt(b.Elems[2].Lit(), 10, 32)
		step = max(step, -step, 1)
	}
	lo, err := strconv.ParseInt(from, 10, 32)
	hi, err2 := strconv.ParseInt(to, 10, 32)
	letters := false
	if err != nil || err2 != nil {
		if len(from) != 1 || len(to) != 1 {
			return make([]string, shell.MaxBraceWord+1) // beyond every budget
		}
		letters, lo, hi = true, int64(from[0]), int64(to[0])
	}
	width := 0
	if !letters && (shell.Padded(from) || shell.Padded(to)) {
		width = max(len(from), len(to))
	}
	count := min((max(lo, hi)-min(lo, hi))/step+1, shell.MaxBraceWord+1)
	if lo > hi {
		step = -step
	}
	out := make([]string, 0, count)
	for v := lo; int64(len(out)) < count; v += step {
		switch {
		case letters && shell.NameByte(byte(v)):
			out = append(out, string(rune(v)))
		case letters:
			out = append(out, `\`+string(rune(v)))
		default:
			out = append(out, shell.Pad(strconv.FormatInt(v, 10), width))
		}
	}
	return out
}

// looseBraces reports whether a word with a brace expansion has further braces;
// bash pairs them by its own rules.
func looseBraces(parts []syntax.WordPart) bool {
	found, loose := false, false
	for _, p := range parts {
		switch n := p.(type) {
		case *syntax.BraceExp:
			found = true
			for _, e := range n.Elems {
				loose = loose || hasBrace(e.Parts) || looseBraces(e.Parts)
			}
		case *syntax.ParamExp:
			loose = loose || braceInOperand(n)
		}
	}
	return found && (loose || hasBrace(parts))
}

// braceInOperand reports whether a word inside ${...} has a brace: bash counts
// the { of ${x-{}.
func braceInOperand(n *syntax.ParamExp) bool {
	if n.Exp != nil && wordHasBrace(n.Exp.Word) {
		return true
	}
	return n.Repl != nil && (wordHasBrace(n.Repl.Orig) || wordHasBrace(n.Repl.With))
}

func wordHasBrace(word *syntax.Word) bool { return word != nil && hasBrace(word.Parts) }

// followsPID reports whether a brace expansion follows $$: bash takes ${ for the
// start of an expansion when it looks for braces.
func followsPID(parts []syntax.WordPart) bool {
	for i, p := range parts[1:] {
		if _, ok := p.(*syntax.BraceExp); !ok {
			continue
		}
		for j := i; j >= 0; j-- {
			if lit, ok := parts[j].(*syntax.Lit); ok && lit.Value == "" {
				continue
			}
			if shortName(parts[j]) == "$" {
				return true
			}
			break
		}
	}
	return false
}

// loneDollar reports whether a word with a brace expansion holds a $ that is
// text, which the expansion may put something after.
func loneDollar(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch n := p.(type) {
		case *syntax.Lit:
			if text, ok := strings.CutSuffix(n.Value, "$"); ok && !shell.OddBackslashes(text) {
				return true
			}
		case *syntax.BraceExp:
			for _, e := range n.Elems {
				if loneDollar(e.Parts) {
					return true
				}
			}
		}
	}
	return false
}

// couldPair reports whether an unquoted {, a comma and a } follow each other:
// bash finds pairs, as in a{},}, that the parser does not.
func couldPair(parts []syntax.WordPart) bool {
	want := "{,}"
	for b := range plainBytes(parts) {
		if b == want[0] {
			if want = want[1:]; want == "" {
				return true
			}
		}
	}
	return false
}

func hasBrace(parts []syntax.WordPart) bool {
	for b := range plainBytes(parts) {
		if b == '{' || b == '}' {
			return true
		}
	}
	return false
}

// plainBytes yields the bytes of the literals that no backslash quotes.
func plainBytes(parts []syntax.WordPart) iter.Seq[byte] {
	return func(yield func(byte) bool) {
		for _, p := range parts {
			lit, ok := p.(*syntax.Lit)
			for i := 0; ok && i < len(lit.Value); i++ {
				if lit.Value[i] == '\\' {
					i++
				} else if !yield(lit.Value[i]) {
					return
				}
			}
		}
	}
}

// joinsName reports whether brace expansion put a letter after $name, which
// makes it the name of another variable.
func joinsName(parts []syntax.WordPart) bool {
	for i, p := range parts {
		if !shell.ValidName(shortName(p)) {
			continue
		}
		for _, next := range parts[i+1:] {
			lit, ok := next.(*syntax.Lit)
			if ok && lit.Value == "" {
				continue
			}
			if ok && shell.NameByte(lit.Value[0]) {
				return true
			}
			break
		}
	}
	return false
}
