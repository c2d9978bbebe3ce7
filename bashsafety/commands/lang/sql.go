// Package lang reads the languages that programs take as an argument: sed, awk,
// SQL and GraphQL. A text goes in, and what it would do comes out.
package lang

import (
	_ "embed" // of the functions
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Through is the length of a text up to the end of a mark, all of it where the
// mark is missing.
func Through(text, mark string) int {
	if at := strings.Index(text, mark); at >= 0 {
		return at + len(mark)
	}
	return len(text)
}

// SQLReads proves that every statement of a text only reads. What a view, a
// rule or an overloaded operator of the database does is not seen. It answers
// no for what it does not know: other statements, functions outside a list,
// text that servers read in more than one way.
func SQLReads(text string, d SQLDialect) bool {
	tokens, ok := SQLTokens(text, d)
	if !ok {
		return false
	}
	any := false
	for len(tokens) > 0 {
		var s []SQLToken
		if s, tokens = sqlCut(tokens); len(s) == 0 {
			continue
		}
		if !sqlStatementReads(s, d) {
			return false
		}
		any = true
	}
	return any
}

func sqlStatementReads(s []SQLToken, d SQLDialect) bool {
	if shell.Listed("select values with table", sqlFirstWord(s)) {
		return sqlQueryReads(s)
	}
	if s[0].Kind != sqlWord {
		return false
	}
	switch s[0].Text {
	case "explain", "describe", "desc":
		return sqlQueryReads(s)
	case "show":
		return !sqlHas(s, "into") && !sqlHas(s, "(")
	case "use":
		return d == MySQL && len(s) == 2
	case "pragma":
		return d == SQLite && sqlPragmaReads(s[1:])
	}
	return false
}

// sqlFirstWord is the word a statement begins with, in parentheses or not.
func sqlFirstWord(s []SQLToken) string {
	for len(s) > 0 && s[0].is("(") {
		s = s[1:]
	}
	if len(s) == 0 || s[0].Kind != sqlWord {
		return ""
	}
	return s[0].Text
}

// sqlQueryReads looks for words that change something anywhere in a query, as
// a common table expression may hold them, and for functions that are not known.
func sqlQueryReads(s []SQLToken) bool {
	for i := range s {
		switch t := &s[i]; {
		case t.Kind != sqlSign && i+1 < len(s) && s[i+1].is("("):
			if !sqlCallReads(s, i) {
				return false
			}
		case t.Kind != sqlWord:
		case shell.Listed(sqlChanges, t.Text), t.Text == "for" && sqlLocks(s[i+1:]):
			return false
		}
	}
	return true
}

// sqlLocks reports whether FOR locks rows.
func sqlLocks(s []SQLToken) bool { return len(s) > 0 && shell.Listed("update share no key", s[0].Text) }

// sqlCallReads reports whether what comes before a parenthesis is a keyword, or a
// function that changes nothing. One in a schema may be anybody's.
func sqlCallReads(s []SQLToken, i int) bool {
	t := &s[i]
	if t.Kind != sqlWord {
		return false
	}
	if i > 0 && s[i-1].is(".") {
		return i > 1 && s[i-2].is("pg_catalog") && shell.HasLine(sqlFunctions, t.Text)
	}
	return shell.HasLine(sqlFunctions, t.Text) || shell.Listed(sqlBeforeParen, t.Text)
}

// sqlChanges are the words no reading query holds.
const sqlChanges = "insert update delete merge replace upsert create drop alter truncate grant revoke into outfile " +
	"dumpfile copy call do execute exec prepare lock attach detach vacuum reindex load install export import " +
	"handler set reset"

// sqlBeforeParen are the keywords a parenthesis may follow.
const sqlBeforeParen = "select from where and or not in exists case when then else end as on using by having over " +
	"filter within group partition any all some union except intersect join limit offset between like ilike is " +
	"distinct with recursive materialized values interval array row order return both leading trailing lateral " +
	"only explain analyze tablesample rollup cube sets window match against escape glob regexp rlike similar to"

// sqlFunctions has a line for each function that changes nothing and reads no file.
//
//go:embed sql_functions.txt
var sqlFunctions string

// sqlTellingPragmas are the pragmas that only tell: https://sqlite.org/pragma.html.
// Those of the second list do so without a value.
const (
	sqlTellingPragmas = "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list " +
		"foreign_key_check integrity_check quick_check"
	sqlSettings = "database_list collation_list compile_options function_list module_list pragma_list user_version " +
		"schema_version page_count page_size freelist_count encoding journal_mode synchronous foreign_keys " +
		"cache_size auto_vacuum application_id max_page_count journal_size_limit wal_autocheckpoint busy_timeout " +
		"locking_mode temp_store mmap_size recursive_triggers secure_delete"
)

// sqlPragmaReads reports whether a pragma only tells.
func sqlPragmaReads(s []SQLToken) bool {
	if len(s) > 2 && s[1].is(".") {
		s = s[2:]
	}
	if len(s) == 0 || s[0].Kind != sqlWord || sqlHas(s, "=") {
		return false
	}
	return shell.Listed(sqlTellingPragmas, s[0].Text) || len(s) == 1 && shell.Listed(sqlSettings, s[0].Text)
}
