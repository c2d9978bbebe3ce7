package bashsafety

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Budgets of brace expansion.
const (
	maxBraceWord = 64   // words from one
	maxBraceText = 1000 // words in one analysis
)

// braces returns the words that brace expansion makes of one, as lists of
// parts. Over budget the answer is one unknown word and a Doubt.
func (w *walker) braces(word *syntax.Word, span Span) [][]syntax.WordPart {
	split := *word // SplitBraces replaces the parts, never changes them
	if !syntax.SplitBraces(&split) {
		return [][]syntax.WordPart{word.Parts}
	}
	if looseBraces(split.Parts) || behindPID(split.Parts) || loneDollar(split.Parts) && braceCount(split.Parts) > 1 {
		w.doubt(dParserDiff, span, "unbalanced braces next to a brace expansion")
	}
	n := braceCount(split.Parts)
	if n > maxBraceWord && numberRanges(split.Parts) {
		n = braceCount(split.Parts)
	}
	if n == 1 {
		if couldPair(word.Parts) {
			w.doubt(dParserDiff, span, "braces and a comma that are no expansion to every reader")
		}
		return [][]syntax.WordPart{split.Parts}
	}
	if w.bracesLeft -= n; n > maxBraceWord || w.bracesLeft < 0 {
		w.doubt(dBraceLimit, span, "")
		return [][]syntax.WordPart{{&syntax.BraceExp{}}}
	}
	words := braceExpand(split.Parts)
	for i := range words {
		words[i] = joinTilde(words[i])
	}
	return words
}

// joinTilde joins the literals behind a tilde that braces brought to the start
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
		} else if len(b.Elems[0].Lit()) > 0 && !letter(b.Elems[0].Lit()) && len(sequence(b)) > 16 {
			b.Elems, found = nil, true
		}
	}
	return found
}

func letter(s string) bool { return len(s) == 1 && nameStart(s[0]) }

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
		if n *= k; n > maxBraceWord {
			return maxBraceWord + 1
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

// sequence lists what {x..y..step} stands for, at most one more than the
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
			return make([]string, maxBraceWord+1) // beyond every budget
		}
		letters, lo, hi = true, int64(from[0]), int64(to[0])
	}
	width := 0
	if !letters && (padded(from) || padded(to)) {
		width = max(len(from), len(to))
	}
	if lo > hi {
		step = -step
	}
	var out []string
	for v := lo; (step > 0 && v <= hi || step < 0 && v >= hi) && len(out) <= maxBraceWord; v += step {
		switch {
		case letters && nameByte(byte(v)):
			out = append(out, string(rune(v)))
		case letters:
			out = append(out, `\`+string(rune(v)))
		default:
			out = append(out, pad(strconv.FormatInt(v, 10), width))
		}
	}
	return out
}

// padded reports whether a number has leading zeros.
func padded(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0'
}

func pad(s string, width int) string {
	sign := ""
	if s[0] == '-' {
		sign, s, width = "-", s[1:], width-1
	}
	if n := width - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return sign + s
}
