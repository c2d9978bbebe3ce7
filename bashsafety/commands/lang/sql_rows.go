package lang

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// sqlNarrowed reports whether a condition says which rows are meant: a WHERE
// before the parenthesis around is closed, that is not true of all of them.
func sqlNarrowed(s []SQLToken) bool {
	depth := 0
	for i := range s {
		switch t := &s[i]; {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth < 0 {
				return false
			}
		case t.is("where") && depth == 0:
			return !sqlAlways(s[i+1:])
		}
	}
	return false
}

// sqlAlways reports whether a condition is true of every row: 1=1, true, or one of them after OR.
func sqlAlways(s []SQLToken) bool {
	depth, from, always := 0, 0, true
	part := func(end int) {
		always = always && sqlTrue(s[from:end])
		from = end + 1
	}
	for i := range s {
		t := &s[i]
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth < 0 {
				part(i)
				return always
			}
		case depth > 0:
		case t.is("and"):
			part(i)
		case t.is("or"):
			if part(i); always {
				return true
			}
			always = true
		case t.Kind == sqlWord && shell.Listed("limit returning order option allow", t.Text):
			part(i)
			return always
		}
	}
	part(len(s))
	return always
}

// sqlTrue reports whether a comparison holds whatever the row: a literal that is
// true, or two that are the same.
func sqlTrue(s []SQLToken) bool {
	for len(s) > 1 && s[0].is("(") && s[len(s)-1].is(")") {
		s = s[1 : len(s)-1]
	}
	switch len(s) {
	case 1:
		return sqlTrueWord(&s[0])
	case 2:
		return sqlStarts(s, "not false") || sqlStarts(s, "not 0")
	case 3:
		return sqlComparisonTrue(&s[0], &s[1], &s[2])
	case 4:
		return sqlKey(&s[0]) && sqlKeyHolds(s[1:])
	}
	return false
}

func sqlTrueWord(t *SQLToken) bool {
	return t.is("true") || shell.Number(t.Text) && strings.Trim(t.Text, "0") != ""
}

func sqlComparisonTrue(a, op, b *SQLToken) bool {
	same := *a == *b
	switch {
	case op.is("="):
		return same
	case op.is("like"):
		return sqlMatchesAll(b)
	case shell.Number(a.Text) && shell.Number(b.Text): // 2 > 1
		return !same && (op.is(">") || op.is("<"))
	}
	return sqlKey(a) && op.is(">") && b.is("0")
}

func sqlMatchesAll(pattern *SQLToken) bool {
	return pattern.Kind == SQLString && pattern.Text != "" && strings.Trim(pattern.Text, "%") == ""
}

// sqlKey reports whether a column is the key of its table, by its name: it is
// never null, and counted from 1.
func sqlKey(t *SQLToken) bool {
	return t.Kind != SQLString && shell.Listed("id _id rowid ctid uuid pk", strings.ToLower(t.Text))
}

// sqlKeyHolds reports the comparisons that every key of a table passes.
func sqlKeyHolds(s []SQLToken) bool {
	return sqlStarts(s, "is not null") || sqlStarts(s, "> = 0") || sqlStarts(s, "< > 0") || sqlStarts(s, "! = 0")
}
