package lang

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A SQLDialect says how a database reads quotes and comments.
type SQLDialect uint8

const (
	SQLite   SQLDialect = iota // 'a''b', "name", `name`, [name]
	Postgres                   // 'a''b', E'a\'b', "name", $tag$ text $tag$
	MySQL                      // 'a\'b', "a\"b", `name`, # and -- comments, /*! code */
)

// A SQLToken is one word, name, string or sign of a SQL text.
type SQLToken struct {
	Kind SQLKind
	Text string // in lower case for words, the content of strings
}

// An SQLKind says what a token is.
type SQLKind uint8

const (
	sqlWord   SQLKind = iota // keyword or plain name
	sqlName                  // quoted name
	SQLString                // literal
	sqlSign                  // any other byte
	sqlBlank                 // blank or comment, which is left out
)

func (t *SQLToken) is(text string) bool {
	return (t.Kind == sqlSign || t.Kind == sqlWord) && t.Text == text
}

func sqlHas(s []SQLToken, text string) bool {
	return slices.ContainsFunc(s, func(t SQLToken) bool { return t.is(text) })
}

// sqlStarts reports whether tokens begin with the words and signs of a text.
func sqlStarts(s []SQLToken, text string) bool {
	for word := range strings.FieldsSeq(text) {
		if len(s) == 0 || !s[0].is(word) {
			return false
		}
		s = s[1:]
	}
	return true
}

// sqlCut splits the first statement off.
func sqlCut(tokens []SQLToken) (statement, rest []SQLToken) {
	end := 0
	for end < len(tokens) && !tokens[end].is(";") {
		end++
	}
	return tokens[:end], tokens[min(end+1, len(tokens)):]
}

// SQLTokens takes a text apart; not ok is a text that does not end or that is
// read in more than one way.
func SQLTokens(text string, d SQLDialect) (tokens []SQLToken, ok bool) {
	if strings.Contains(text, shell.HoleMark) {
		return nil, false
	}
	for i := 0; i < len(text); {
		t, n := sqlNext(text, i, d)
		if n == 0 {
			return nil, false
		}
		if t.Kind != sqlBlank {
			tokens = append(tokens, t)
		}
		i += n
	}
	return tokens, true
}

// sqlNext reads the token at i and its length, 0 for what is not understood.
func sqlNext(text string, i int, d SQLDialect) (t SQLToken, n int) {
	rest := text[i:]
	switch b := rest[0]; {
	case strings.IndexByte(" \t\n\r\f\v", b) >= 0:
		return SQLToken{Kind: sqlBlank}, 1
	case b == '#' && d == MySQL, shell.StartsWithAny(rest, "--", "/*"):
		return SQLToken{Kind: sqlBlank}, sqlComment(rest, d)
	case sqlOpens(b, d):
		return sqlQuotedToken(rest, d)
	case b == '$' && d == Postgres && (i == 0 || !sqlWordByte(text[i-1])):
		n = sqlDollar(rest)
		return SQLToken{SQLString, rest[:n]}, n
	case d == MySQL && shell.StartsWithAny(rest, `\G`, `\g`):
		return SQLToken{sqlSign, ";"}, 2
	case b < ' ', b == '\\', b == '`', b == 0x7f:
		return t, 0
	case sqlWordByte(b):
		n = shell.WordLength(rest, sqlWordByte)
		return SQLToken{sqlWord, strings.ToLower(rest[:n])}, n
	}
	return SQLToken{sqlSign, rest[:1]}, 1
}

// sqlOpens reports whether a byte opens a string or a quoted name.
func sqlOpens(b byte, d SQLDialect) bool {
	switch b {
	case '\'', '"':
		return true
	case '`':
		return d != Postgres
	}
	return b == '[' && d == SQLite
}

// sqlQuotedToken reads the string or name at the start of s.
func sqlQuotedToken(s string, d SQLDialect) (t SQLToken, n int) {
	if n = sqlQuoted(s, d); n == 0 {
		return t, 0
	}
	if t.Kind = sqlName; s[0] == '\'' || s[0] == '"' && d == MySQL {
		t.Kind = SQLString
	}
	t.Text = s[1 : n-1]
	return t, n
}

func sqlWordByte(b byte) bool { return shell.NameByte(b) || b == '$' || b >= 0x80 }

// sqlComment is the length of the comment at the start of s, 0 for one that
// does not end, that holds another, or that MySQL may run or not see.
func sqlComment(s string, d SQLDialect) int {
	if !strings.HasPrefix(s, "/*") {
		return sqlLineComment(s, d)
	}
	comment, _, ends := strings.Cut(s[2:], "*/")
	code := d == MySQL && shell.StartsWithAny(comment, "!", "M!")
	if !ends || code || strings.Contains(comment, "/*") {
		return 0
	}
	return len(comment) + 4
}

func sqlLineComment(s string, d SQLDialect) int {
	if d == MySQL && s[0] == '-' && len(s) > 2 && strings.IndexByte(" \t\n", s[2]) < 0 {
		return 0
	}
	if strings.Contains(s, "\r") {
		return 0 // some end a comment there
	}
	return Through(s, "\n")
}

// sqlQuoted is the length of the quoted text at the start of s, 0 for one that
// does not end or whose end depends on what a backslash means.
func sqlQuoted(s string, d SQLDialect) int {
	end := s[0]
	if end == '[' {
		if i := strings.IndexByte(s, ']'); i > 0 {
			return i + 1
		}
		return 0
	}
	for i := 1; i < len(s); i++ {
		if s[i] != end {
			continue
		}
		if d != SQLite && s[i-1] == '\\' {
			return 0
		}
		if i+1 < len(s) && s[i+1] == end {
			i++
			continue
		}
		return i + 1
	}
	return 0
}

// sqlDollar is the length of $tag$ text $tag$, or of a parameter such as $1.
func sqlDollar(s string) int {
	i := 1 + shell.WordLength(s[1:], shell.NameByte)
	if i == len(s) || s[i] != '$' {
		if i > 1 && s[1] >= '0' && s[1] <= '9' {
			return i
		}
		return 0
	}
	tag := s[:i+1]
	if end := strings.Index(s[len(tag):], tag); end >= 0 {
		return end + 2*len(tag)
	}
	return 0
}
