package bashsafety

import "strings"

// A sqlDialect says how a database reads quotes and comments.
type sqlDialect uint8

const (
	sqlite   sqlDialect = iota // 'a''b', "name", `name`, [name]
	postgres                   // 'a''b', E'a\'b', "name", $tag$ text $tag$
	mysql                      // 'a\'b', "a\"b", `name`, # and -- comments, /*! code */
)

// A sqlToken is one word, name, string or sign of a SQL text.
type sqlToken struct {
	kind sqlKind
	text string // in lower case for words, the content of strings
}

type sqlKind uint8

const (
	sqlWord   sqlKind = iota // keyword or plain name
	sqlName                  // quoted name
	sqlString                // literal
	sqlSign                  // one byte that is none of these
)

// sqlReads proves that every statement of a text only reads. What a view, a
// rule or an overloaded operator of the database does is not seen. It answers
// no for what it does not know: other statements, functions outside a list,
// text that servers read in more than one way.
func sqlReads(text string, d sqlDialect) bool {
	tokens, ok := sqlTokens(text, d)
	if !ok {
		return false
	}
	any := false
	for len(tokens) > 0 {
		end := 0
		for end < len(tokens) && !tokens[end].is(";") {
			end++
		}
		if end > 0 {
			if !sqlStatementReads(tokens[:end], d) {
				return false
			}
			any = true
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return any
}

func (t *sqlToken) is(text string) bool {
	return (t.kind == sqlSign || t.kind == sqlWord) && t.text == text
}

// sqlStatementReads looks at one statement.
func sqlStatementReads(s []sqlToken, d sqlDialect) bool {
	first := 0
	for first < len(s) && s[first].is("(") {
		first++
	}
	if first == len(s) || s[first].kind != sqlWord {
		return false
	}
	switch s[first].text {
	case "select", "values", "with", "table":
		return sqlQueryReads(s)
	case "explain", "describe", "desc":
		return first == 0 && sqlQueryReads(s)
	case "show":
		return first == 0 && !sqlHas(s, "into") && !sqlHas(s, "(")
	case "use":
		return first == 0 && d == mysql && len(s) == 2
	case "pragma":
		return first == 0 && d == sqlite && sqlPragmaReads(s[1:])
	}
	return false
}

func sqlHas(s []sqlToken, text string) bool {
	for i := range s {
		if s[i].is(text) {
			return true
		}
	}
	return false
}

// sqlQueryReads looks for words that change something anywhere in a query, as
// a common table expression may hold them, and for functions that are not known.
func sqlQueryReads(s []sqlToken) bool {
	for i := range s {
		t := &s[i]
		call := i+1 < len(s) && s[i+1].is("(")
		switch {
		case t.kind != sqlWord && t.kind != sqlSign && call:
			return false
		case t.kind != sqlWord:
		case call:
			qualified := i > 0 && s[i-1].is(".")
			if qualified && !(i > 1 && s[i-2].is("pg_catalog")) || !listed(sqlFunctions, t.text) && (qualified || !listed(sqlBeforeParen, t.text)) {
				return false
			}
		case listed(sqlChanges, t.text):
			return false
		case t.text == "for" && i+1 < len(s) && listed("update share no key", s[i+1].text):
			return false
		}
	}
	return true
}

// sqlChanges are the words no reading query holds.
const sqlChanges = "insert update delete merge replace upsert create drop alter truncate grant revoke into outfile dumpfile copy call do execute exec " +
	"prepare lock attach detach vacuum reindex load install export import handler set reset"

// sqlBeforeParen are the keywords a parenthesis may follow.
const sqlBeforeParen = "select from where and or not in exists case when then else end as on using by having over filter within group partition any all some " +
	"union except intersect join limit offset between like ilike is distinct with recursive materialized values interval array row order return both leading " +
	"trailing lateral only explain analyze tablesample rollup cube sets window match against escape glob regexp rlike similar to"

// sqlFunctions are functions of the databases that change nothing and read no
// file, and the types that take a length.
const sqlFunctions = "count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg json_group_array " +
	"json_group_object bool_and bool_or every bit_and bit_or stddev stddev_pop stddev_samp variance var_pop var_samp corr percentile_cont percentile_disc mode " +
	"abs ceil ceiling floor round trunc truncate mod power pow sqrt exp ln log log10 log2 sign greatest least random rand pi sin cos tan asin acos atan atan2 radians degrees " +
	"length char_length character_length octet_length lower upper initcap trim ltrim rtrim btrim lpad rpad left right substr substring substring_index replace " +
	"translate reverse repeat concat concat_ws instr position strpos locate split_part regexp_replace regexp_match regexp_matches regexp_split_to_array " +
	"regexp_split_to_table regexp_substr regexp_instr regexp_like starts_with format printf quote quote_ident quote_literal quote_nullable hex unhex encode " +
	"decode md5 sha1 sha2 sha256 ascii chr char unicode soundex to_char to_date to_number to_timestamp date time datetime julianday unixepoch strftime timediff now " +
	"current_timestamp current_date current_time localtimestamp localtime clock_timestamp statement_timestamp transaction_timestamp timeofday age date_part date_trunc " +
	"extract make_date make_interval make_timestamp justify_days justify_hours year month day dayofweek dayofmonth dayofyear week weekday hour minute second " +
	"microsecond quarter date_add date_sub datediff date_diff date_format from_unixtime unix_timestamp str_to_date timestampdiff timestampadd last_day curdate curtime utc_timestamp " +
	"coalesce ifnull nullif iif if isnull nvl cast convert try_cast typeof pg_typeof to_json to_jsonb row_to_json array_to_json json_build_object json_build_array " +
	"jsonb_build_object jsonb_build_array json_object json_array json json_valid json_type json_extract json_extract_path json_extract_path_text jsonb_extract_path " +
	"jsonb_extract_path_text json_array_length jsonb_array_length json_each json_each_text jsonb_each jsonb_each_text json_tree json_array_elements " +
	"json_array_elements_text jsonb_array_elements jsonb_array_elements_text json_object_keys jsonb_object_keys jsonb_typeof json_typeof jsonb_pretty jsonb_strip_nulls " +
	"json_strip_nulls jsonb_path_query jsonb_path_exists jsonb_path_query_array json_unquote json_contains json_keys json_length json_set json_insert json_remove json_patch json_quote " +
	"jsonb_set jsonb_insert jsonb to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_headline snippet highlight bm25 " +
	"unnest generate_series generate_subscripts array_length array_to_string array_position array_positions array_append array_cat array_remove array_upper " +
	"array_lower array_dims cardinality string_to_array row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value " +
	"version sqlite_version database schema user current_user session_user current_schema current_schemas current_database changes total_changes last_insert_rowid " +
	"pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_database_size pg_get_indexdef pg_get_constraintdef pg_get_viewdef " +
	"pg_get_functiondef pg_get_triggerdef pg_get_expr pg_get_userbyid pg_get_serial_sequence pg_get_ruledef pg_table_is_visible pg_encoding_to_char format_type " +
	"obj_description col_description shobj_description to_regclass to_regtype has_table_privilege has_schema_privilege has_database_privilege pg_is_in_recovery " +
	"pg_backend_pid pg_postmaster_start_time pg_column_size pg_tablespace_size pg_stat_get_activity inet_server_addr inet_server_port txid_current_if_assigned current_setting " +
	"pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_foreign_key_list pragma_database_list " +
	"num_nulls num_nonnulls width_bucket isfinite overlay gcd lcm div crc32 field elt find_in_set inet_aton inet_ntoa uuid bin oct conv export_set makedate addtime subtime " +
	"likely unlikely likelihood zeroblob sqlite_source_id sqlite_compileoption_used glob like match concat_agg any_value approx_count_distinct median quantile arg_max arg_min list " +
	"numeric decimal varchar nvarchar char character varying float double real bit timestamp timestamptz timetz int integer bigint smallint text blob binary varbinary signed unsigned"

// sqlPragmaReads knows the pragmas that only tell: https://sqlite.org/pragma.html
func sqlPragmaReads(s []sqlToken) bool {
	if len(s) > 2 && s[1].is(".") {
		s = s[2:]
	}
	if len(s) == 0 || s[0].kind != sqlWord || sqlHas(s, "=") {
		return false
	}
	return listed("table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check integrity_check quick_check", s[0].text) ||
		len(s) == 1 && listed("database_list collation_list compile_options function_list module_list pragma_list user_version schema_version page_count "+
			"page_size freelist_count encoding journal_mode synchronous foreign_keys cache_size auto_vacuum application_id max_page_count journal_size_limit "+
			"wal_autocheckpoint busy_timeout locking_mode temp_store mmap_size recursive_triggers secure_delete", s[0].text)
}

// sqlTokens takes a text apart; not ok is a text that does not end or that is
// read in more than one way.
func sqlTokens(text string, d sqlDialect) (tokens []sqlToken, ok bool) {
	if strings.Contains(text, HoleMark) {
		return nil, false
	}
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' || b == '\v':
			i++
		case strings.HasPrefix(text[i:], "--"), b == '#' && d == mysql, strings.HasPrefix(text[i:], "/*"):
			n := sqlComment(text[i:], d)
			if n == 0 {
				return nil, false
			}
			i += n
		case b == '\'', b == '"', b == '`' && d != postgres, b == '[' && d == sqlite:
			n := sqlQuoted(text[i:], d)
			if n == 0 {
				return nil, false
			}
			kind := sqlName
			if b == '\'' || b == '"' && d == mysql {
				kind = sqlString
			}
			tokens = append(tokens, sqlToken{kind, text[i+1 : i+n-1]})
			i += n
		case b == '$' && d == postgres && (i == 0 || !sqlWordByte(text[i-1])):
			n := sqlDollar(text[i:])
			if n == 0 {
				return nil, false
			}
			tokens = append(tokens, sqlToken{sqlString, text[i : i+n]})
			i += n
		case b == '\\' || b == '`' || b < ' ' || b == 0x7f:
			if d == mysql && (strings.HasPrefix(text[i:], `\G`) || strings.HasPrefix(text[i:], `\g`)) {
				tokens = append(tokens, sqlToken{sqlSign, ";"})
				i += 2
				continue
			}
			return nil, false
		case sqlWordByte(b):
			end := i
			for end < len(text) && sqlWordByte(text[end]) {
				end++
			}
			tokens = append(tokens, sqlToken{sqlWord, strings.ToLower(text[i:end])})
			i = end
		default:
			tokens = append(tokens, sqlToken{sqlSign, text[i : i+1]})
			i++
		}
	}
	return tokens, true
}

func sqlWordByte(b byte) bool { return nameByte(b) || b == '$' || b >= 0x80 }

// sqlComment is the length of the comment at the start of s, 0 for one that
// does not end, that holds another, or that MySQL may run or not see.
func sqlComment(s string, d sqlDialect) int {
	if strings.HasPrefix(s, "/*") {
		end := strings.Index(s[2:], "*/")
		if end < 0 || strings.Contains(s[2:2+end], "/*") || d == mysql && (strings.HasPrefix(s[2:], "!") || strings.HasPrefix(s[2:], "M!")) {
			return 0
		}
		return end + 4
	}
	if d == mysql && s[0] == '-' && len(s) > 2 && s[2] != ' ' && s[2] != '\t' && s[2] != '\n' {
		return 0
	}
	if strings.Contains(s, "\r") {
		return 0 // some end a comment there
	}
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end + 1
	}
	return len(s)
}

// sqlQuoted is the length of the quoted text at the start of s, 0 for one that
// does not end or whose end depends on what a backslash means.
func sqlQuoted(s string, d sqlDialect) int {
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
		if d != sqlite && s[i-1] == '\\' {
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
	i := 1
	for i < len(s) && nameByte(s[i]) {
		i++
	}
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
