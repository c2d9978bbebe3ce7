// Package lang reads the languages that programs take as an argument: sed, awk,
// SQL and GraphQL. A text goes in, and what it would do comes out.
package lang

import (
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
		return i > 1 && s[i-2].is("pg_catalog") && shell.Listed(sqlFunctions, t.Text)
	}
	return shell.Listed(sqlFunctions, t.Text) || shell.Listed(sqlBeforeParen, t.Text)
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

// sqlFunctions are functions of the databases that change nothing and read no
// file, and the types that take a length.
const sqlFunctions = "count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg " +
	"json_object_agg jsonb_object_agg json_group_array json_group_object bool_and bool_or every bit_and bit_or " +
	"stddev stddev_pop stddev_samp variance var_pop var_samp corr percentile_cont percentile_disc mode abs ceil " +
	"ceiling floor round trunc truncate mod power pow sqrt exp ln log log10 log2 sign greatest least random rand " +
	"pi sin cos tan asin acos atan atan2 radians degrees length char_length character_length octet_length lower " +
	"upper initcap trim ltrim rtrim btrim lpad rpad left right substr substring substring_index replace translate " +
	"reverse repeat concat concat_ws instr position strpos locate split_part regexp_replace regexp_match " +
	"regexp_matches regexp_split_to_array regexp_split_to_table regexp_substr regexp_instr regexp_like starts_with " +
	"format printf quote quote_ident quote_literal quote_nullable hex unhex encode decode md5 sha1 sha2 sha256 " +
	"ascii chr char unicode soundex to_char to_date to_number to_timestamp date time datetime julianday unixepoch " +
	"strftime timediff now current_timestamp current_date current_time localtimestamp localtime clock_timestamp " +
	"statement_timestamp transaction_timestamp timeofday age date_part date_trunc extract make_date make_interval " +
	"make_timestamp justify_days justify_hours year month day dayofweek dayofmonth dayofyear week weekday hour " +
	"minute second microsecond quarter date_add date_sub datediff date_diff date_format from_unixtime " +
	"unix_timestamp str_to_date timestampdiff timestampadd last_day curdate curtime utc_timestamp coalesce ifnull " +
	"nullif iif if isnull nvl cast convert try_cast typeof pg_typeof to_json to_jsonb row_to_json array_to_json " +
	"json_build_object json_build_array jsonb_build_object jsonb_build_array json_object json_array json " +
	"json_valid json_type json_extract json_extract_path json_extract_path_text jsonb_extract_path " +
	"jsonb_extract_path_text json_array_length jsonb_array_length json_each json_each_text jsonb_each " +
	"jsonb_each_text json_tree json_array_elements json_array_elements_text jsonb_array_elements " +
	"jsonb_array_elements_text json_object_keys jsonb_object_keys jsonb_typeof json_typeof jsonb_pretty " +
	"jsonb_strip_nulls json_strip_nulls jsonb_path_query jsonb_path_exists jsonb_path_query_array json_unquote " +
	"json_contains json_keys json_length json_set json_insert json_remove json_patch json_quote jsonb_set " +
	"jsonb_insert jsonb to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_headline snippet " +
	"highlight bm25 unnest generate_series generate_subscripts array_length array_to_string array_position " +
	"array_positions array_append array_cat array_remove array_upper array_lower array_dims cardinality " +
	"string_to_array row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value " +
	"nth_value version sqlite_version database schema user current_user session_user current_schema " +
	"current_schemas current_database changes total_changes last_insert_rowid pg_size_pretty " +
	"pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_database_size pg_get_indexdef " +
	"pg_get_constraintdef pg_get_viewdef pg_get_functiondef pg_get_triggerdef pg_get_expr pg_get_userbyid " +
	"pg_get_serial_sequence pg_get_ruledef pg_table_is_visible pg_encoding_to_char format_type obj_description " +
	"col_description shobj_description to_regclass to_regtype has_table_privilege has_schema_privilege " +
	"has_database_privilege pg_is_in_recovery pg_backend_pid pg_postmaster_start_time pg_column_size " +
	"pg_tablespace_size pg_stat_get_activity inet_server_addr inet_server_port txid_current_if_assigned " +
	"current_setting pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info " +
	"pragma_foreign_key_list pragma_database_list num_nulls num_nonnulls width_bucket isfinite overlay gcd lcm div " +
	"crc32 field elt find_in_set inet_aton inet_ntoa uuid bin oct conv export_set makedate addtime subtime likely " +
	"unlikely likelihood zeroblob sqlite_source_id sqlite_compileoption_used glob like match concat_agg any_value " +
	"approx_count_distinct median quantile arg_max arg_min list numeric decimal varchar nvarchar char character " +
	"varying float double real bit timestamp timestamptz timetz int integer bigint smallint text blob binary " +
	"varbinary signed unsigned"

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
