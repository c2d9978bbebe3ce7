package lang

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// SQLDeletes reports whether a text holds a statement that drops something, or
// empties or changes a whole table. What is quoted or a comment is data. Where a
// text can be read in more than one way, all of it is looked at: other than for
// SQLReads, what is not understood deletes nothing.
func SQLDeletes(text string, d SQLDialect) bool {
	tokens := sqlPieces(text, d)
	undone := d != MySQL && sqlUndone(tokens)
	var made []string // temporary tables of the text itself
	body := false     // in the body of a trigger or function
	for len(tokens) > 0 {
		var s []SQLToken
		s, tokens = sqlCut(tokens)
		switch {
		case body:
			body = !sqlEnds(s)
		case sqlMakesRoutine(s):
			body = sqlHas(s, "begin") && !sqlEnds(s)
		case sqlMakesTemporary(s):
			made = append(made, sqlLastName(s))
		case sqlDropsOne(s) && slices.Contains(made, s[len(s)-1].Text):
		case !undone && sqlStatementDeletes(s, d):
			return true
		}
	}
	return false
}

// sqlMakesRoutine reports whether a statement makes what runs later.
func sqlMakesRoutine(s []SQLToken) bool {
	return sqlStarts(s, "create") && (sqlHas(s, "trigger") || sqlHas(s, "function") || sqlHas(s, "procedure"))
}

// sqlMakesTemporary reports whether a statement makes a table for the session.
func sqlMakesTemporary(s []SQLToken) bool {
	return len(s) > 3 && (sqlStarts(s, "create temp table") || sqlStarts(s, "create temporary table"))
}

// sqlLastName is the name of the table after CREATE TEMP TABLE IF NOT EXISTS.
func sqlLastName(s []SQLToken) string {
	s = s[3:]
	if len(s) > 3 && s[0].is("if") {
		s = s[3:]
	}
	return s[0].Text
}

// sqlDropsOne reports whether a statement drops the one table it names last.
func sqlDropsOne(s []SQLToken) bool {
	return len(s) == 3 && sqlStarts(s, "drop table") || len(s) == 5 && sqlStarts(s, "drop table if")
}

func sqlEnds(s []SQLToken) bool { return len(s) > 0 && s[len(s)-1].is("end") }

// sqlUndone reports whether all of a text is a transaction that is rolled back.
func sqlUndone(s []SQLToken) bool {
	for len(s) > 0 && s[len(s)-1].is(";") {
		s = s[:len(s)-1]
	}
	if len(s) < 2 || !sqlStarts(s, "begin") && !sqlStarts(s, "start transaction") {
		return false
	}
	return sqlStarts(s[len(s)-2:], "; rollback") && !sqlHas(s, "commit") && !sqlHas(s, "end")
}

// sqlVerbs are the statements of which the first word says what to look at.
var sqlVerbs = [...]struct {
	words   string
	deletes func(s []SQLToken, d SQLDialect) bool
}{
	{"drop", sqlDrops},
	{"truncate", func(s []SQLToken, _ SQLDialect) bool { return !s[1].is("(") }},
	{"explain", func(s []SQLToken, _ SQLDialect) bool { return sqlHas(s, "analyze") && sqlAnyDeletes(s) }},
	{"delete", func(s []SQLToken, _ SQLDialect) bool { // DELETE t, DELETE TOP (5) FROM t, DELETE column FROM t WHERE
		if !s[1].is("from") {
			return !sqlNarrowed(s[1:])
		}
		return sqlAnyDeletes(s)
	}},
	{"match optional", func(s []SQLToken, _ SQLDialect) bool { // of a graph: MATCH (n) DETACH DELETE n
		return sqlHas(s, "delete") && !sqlHas(s, "where") && !sqlHas(s, "{")
	}},
	{"reset purge", func(s []SQLToken, d SQLDialect) bool { // the logs a server is restored from
		return d == MySQL && (s[1].is("master") || s[1].is("binary"))
	}},
	{"copy", func(s []SQLToken, d SQLDialect) bool { // what the server runs as its own user
		return d == Postgres && sqlHas(s, "program")
	}},
	{"grant revoke comment", func([]SQLToken, SQLDialect) bool { return false }},
}

// sqlPieces takes a text apart as far as that is possible: what the tokens of
// the dialect do not hold is left out, and lines that are commands of a client.
func sqlPieces(text string, d SQLDialect) []SQLToken {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.ReplaceAll(text, shell.HoleMark, "x"), "\n") {
		switch t := strings.TrimSpace(line); {
		case strings.HasPrefix(t, `\`), d == SQLite && strings.HasPrefix(t, "."):
		case strings.EqualFold(t, "go"):
			b.WriteString(";\n")
		default:
			b.WriteString(line + "\n")
		}
	}
	text = Unescaped(b.String())
	if tokens, ok := SQLTokens(text, d); ok {
		return tokens
	}
	var all []SQLToken
	for len(text) > 0 { // statement by statement: one that cannot be read hides no other
		end := strings.IndexByte(text, ';') + 1
		if end == 0 {
			end = len(text)
		}
		tokens, ok := SQLTokens(text[:end], d)
		if !ok {
			tokens, _ = SQLTokens(strings.Map(plainSQL, text[:end]), d)
		}
		all, text = append(all, tokens...), text[end:]
	}
	return all
}

// Unescaped is a text as printf prints it, as far as lines and blanks go.
func Unescaped(text string) string {
	if !strings.ContainsAny(text, "\\\r") {
		return text
	}
	return strings.NewReplacer(`\n`, "\n", `\r`, "\n", `\t`, "\t", "\r", "\n").Replace(text)
}

// plainSQL blanks what keeps a text from being taken apart.
func plainSQL(r rune) rune {
	switch {
	case r < ' ', r == 0x7f, strings.ContainsRune("\\`'\"$#*/!", r):
		return ' '
	}
	return r
}

func sqlStatementDeletes(s []SQLToken, d SQLDialect) bool {
	for len(s) > 0 && s[0].Kind == sqlSign {
		s = s[1:]
	}
	if len(s) < 2 || s[0].Kind != sqlWord {
		return false
	}
	for i := range sqlVerbs {
		if v := &sqlVerbs[i]; shell.Listed(v.words, s[0].Text) {
			return v.deletes(s, d)
		}
	}
	if shell.Listed("do execute exec prepare", s[0].Text) && sqlStringDeletes(s, d) {
		return true
	}
	return sqlAnyDeletes(s)
}

// sqlAnyDeletes reports whether a statement in a statement deletes.
func sqlAnyDeletes(s []SQLToken) bool {
	for i := range s {
		if t := &s[i]; t.Kind == sqlWord && sqlWordDeletes(t.Text, s[:i], s[i+1:]) {
			return true
		}
	}
	return false
}

// sqlDrops is DROP. The index of a database in a file holds no data and is made again.
func sqlDrops(s []SQLToken, d SQLDialect) bool {
	t := &s[1]
	if d == SQLite && (t.is("index") || t.is("trigger") || t.is("view")) {
		return false
	}
	return !t.is("temporary") && !t.is("temp") && t.Kind != sqlSign
}

// sqlStringDeletes reports whether a string holds a program that deletes.
func sqlStringDeletes(s []SQLToken, d SQLDialect) bool {
	return slices.ContainsFunc(s, func(t SQLToken) bool {
		return t.Kind == SQLString && SQLDeletes(sqlBody(t.Text), d)
	})
}

// sqlBody is the text between the marks of a string in dollars, or of any other.
func sqlBody(text string) string {
	if strings.HasPrefix(text, "$") {
		if mark := strings.IndexByte(text[1:], '$') + 2; mark > 1 && len(text) >= 2*mark {
			text = text[mark : len(text)-mark]
		}
		text = strings.TrimSpace(text)
		if low := strings.ToLower(text); strings.HasPrefix(low, "begin") {
			text = text[len("begin"):]
		}
	}
	return text
}

// sqlWordDeletes reports whether a word of a statement, with what comes before and
// after it, begins one that deletes.
func sqlWordDeletes(word string, before, after []SQLToken) bool {
	if len(after) == 0 || len(after) == 1 && word != "drop" {
		return false
	}
	switch word {
	case "drop":
		return sqlDropDeletes(before, &after[0])
	case "truncate":
		return after[0].is("table")
	case "delete":
		mutates := len(before) > 2 && sqlStarts(before, "alter table") && after[0].is("where") // of ClickHouse
		return (mutates || after[0].is("from")) && !sqlNarrowed(after)
	case "update":
		return sqlUpdateDeletes(before, after)
	}
	return false
}

// sqlDropDeletes is DROP in a statement, such as ALTER TABLE.
func sqlDropDeletes(before []SQLToken, what *SQLToken) bool {
	const kept = "constraint default not index key foreign primary check identity expression policy trigger rule " +
		"generated system"
	switch {
	case len(before) < 2, !before[0].is("alter"):
		return what.Kind == sqlWord && shell.Listed("table database schema keyspace", what.Text)
	case what.is("column"), what.is("partition"):
		return true
	}
	return before[1].is("table") && what.Kind != sqlSign && !shell.Listed(kept, what.Text)
}

// sqlUpdateDeletes is UPDATE t SET of every row.
func sqlUpdateDeletes(before, after []SQLToken) bool {
	if len(before) > 0 && (before[0].is("create") || shell.Listed("do key for on no", before[len(before)-1].Text)) {
		return false
	}
	if sqlStarts(before, "alter table") && sqlHas(after, "where") && !sqlNarrowed(after) { // of ClickHouse
		return true
	}
	for i := 1; i < min(len(after), 8); i++ {
		if after[i].is("set") {
			return !sqlNarrowed(after[i:])
		}
	}
	return false
}

// SQLiteDeletes is SQLDeletes with the commands of SQLite's client that put other data into the place of a
// database's: .restore, which may be shortened, and .open --new.
func SQLiteDeletes(text string) bool {
	for line := range strings.SplitSeq(Unescaped(text), "\n") {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		restores := len(name) > len(".re") && strings.HasPrefix(".restore", name)
		opens := len(name) > len(".o") && strings.HasPrefix(".open", name) && shell.ContainsAny(rest, "-new")
		if restores || opens {
			return true
		}
	}
	return SQLDeletes(text, SQLite)
}

// PlainSQL reports whether a text that may as well be a search for words is SQL that takes something away: it begins as
// a statement does, a verb and its word are together, and after the name comes what SQL has there.
func PlainSQL(text string) bool {
	const begins = "alter begin call commit copy create delete do drop exec execute explain if insert match merge " +
		"optional pragma replace rollback select set start truncate update use vacuum with"
	for text = strings.TrimLeft(text, "; \t\r\n"); strings.HasPrefix(text, "#"); { // a comment of MySQL
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimLeft(text, "; \t\r\n")
	}
	all := sqlPieces(text, Postgres)
	first := sqlFirstWord(all)
	if !shell.Listed(begins, first) {
		return false
	}
	for i := range all {
		switch s := all[i:]; {
		case i == 1 && first == "do" && s[0].Kind == SQLString && PlainSQL(sqlBody(s[0].Text)):
			return true
		case i > 0 && all[i-1].Kind != sqlSign && !shell.Listed("begin explain analyze then null", all[i-1].Text):
		case s[0].is("update") && len(s) > 2 && sqlHas(s, "set") && sqlHas(s, "="):
			return true
		case s[0].is("delete") && i > 1 && shell.Listed("match optional", first):
			if len(s) == 2 || len(s) > 2 && s[2].Kind == sqlSign {
				return true
			}
		case sqlPairDeletes(s):
			return true
		}
	}
	return false
}

// sqlPairDeletes reports whether tokens begin with a verb, its word and a name, and after that what SQL has there.
func sqlPairDeletes(s []SQLToken) bool {
	const pairs = "delete+from detach+delete truncate+table alter+table drop+table drop+database drop+schema " +
		"drop+keyspace drop+view drop+index drop+user drop+role drop+sequence drop+function drop+procedure drop+type drop+extension"
	const ends = "where using returning as order limit cascade restrict restart continue drop"
	if len(s) > 1 && s[1].is("materialized") {
		s = append([]SQLToken{s[0]}, s[2:]...)
	}
	if len(s) < 3 || !shell.Listed(pairs, s[0].Text+"+"+s[1].Text) {
		return false
	}
	verb, rest := s[0].Text, s[2:]
	for len(rest) > 1 && shell.Listed("if exists only", rest[0].Text) {
		rest = rest[1:]
	}
	if len(rest) > 1 && verb == "delete" && len(rest[1].Text) == 1 && strings.HasPrefix(rest[0].Text, rest[1].Text) {
		rest = rest[1:] // FROM users u
	}
	return len(rest) == 1 || rest[1].Kind == sqlSign || rest[0].is("[") || shell.Listed(ends, rest[1].Text)
}
