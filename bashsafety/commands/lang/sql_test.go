package lang

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

func TestSQLReads(t *testing.T) {
	for _, c := range []struct {
		dialect SQLDialect
		reads   bool
		texts   []string
	}{
		{Postgres, true, []string{
			"select 1", "SELECT count(*) FROM t;", "select a from t where b = 'x; drop table t'", "with a as (select 1) select * from a",
			"select $$; delete from t$$", "select $a$ $$ ; drop $a$", "explain analyze select 1", "show search_path", "values (1), (2)", "table t",
			"(select 1) union (select 2)", "select pg_catalog.count(*) from t", `select "delete" from t`, "select a::text, metadata->>'size' from t",
			"select 1 -- delete from t", "select 1 /* drop */", "select substring(a from 1 for 2) from t", "select replace(a, 'b', 'c') from t", "select $1",
			"select round((a)::numeric) from s.o where n like '%x%' order by 1 desc limit 5", "select * from unnest(array[1,2])", "select 1; select 2",
			"select coalesce(max(a), 0) filter (where b) over (partition by c order by d) from t",
		}},
		{Postgres, false, []string{
			"", ";", "delete from t", "with d as (delete from t returning *) select * from d", "select * into x from t", "select pg_read_file('/etc/passwd')",
			"select setval('s', 1)", "select pg_terminate_backend(1)", "select dblink('a','b')", "select lo_export(1,'/x')", "copy t to program 'id'",
			"select 1; drop table t", "select 1 -- \rdrop", "select * from t for update", "select * from t for no key update", "select 1 /* /* */ drop */", "select 'a",
			`select E'\'; drop table t; --'`, `select '\'; drop table t; --'`, "select \"pg_read_file\"('/x')", "select public.count(*) from t",
			"select pg_sleep(1)", `\! id`, `select 1 \g |id`, "do $$ begin end $$", "call f()", "explain analyze delete from t", "select `a`",
			"set role x", "begin; delete from t", "select 1\x00", "prepare x as delete from t", "select query_to_xml('delete from t',true,true,'')", "vacuum",
			"select $a$ ; $b$ drop", "explain (analyze, buffers) update t set a = 1", "select currval('s'), nextval('s')", "listen x", "select set_config('a','b',false)",
			"select 1; " + shell.HoleMark, "analyze t", "refresh materialized view v", "lock table t", "select foo.bar(1)", "select * from t, lateral evil(1)",
		}},
		{SQLite, true, []string{
			"pragma table_info(t)", "PRAGMA main.index_list('t')", "pragma user_version", "select [delete] from t", "select `a` from t", "select json_extract(a, '$.b') from t",
			"select substr(data, 1, 5), hex(x) from b where id like 'a%'", "explain query plan select 1", "select 'it''s'", `select '\' from t`,
			"select s.a from s join f on f.rowid = s.r where s.x = \"y\"", "select datetime(a/1000,'unixepoch') from t", "select a from pragma_table_info('t')",
		}},
		{SQLite, false, []string{
			"pragma user_version = 5", "pragma journal_mode=wal", "pragma journal_mode(wal)", "pragma wal_checkpoint", "pragma writable_schema(1)", "attach 'x' as y",
			"vacuum into 'x'", "select writefile('a','b')", "select load_extension('x')", "select readfile('x')", "select edit('x')", "replace into t values (1)",
			"with x as (select 1) insert into t select * from x", "select 1; update t set a = 1", "select fts3_tokenizer('x')", `select '\'; drop table t; --'`,
			"select \"writefile\"('a','b')", "select [writefile]('a','b')", "create table t(a)", "begin", "pragma table_info(t) = 1", "select /**/ writefile /**/ ('a','b')",
			"select writefile\n('a','b')", "use x", "pragma optimize", "reindex",
		}},
		{MySQL, true, []string{
			"select * from t limit 5", "show tables", "show create table t", "describe t", "use d; select 1", `select 1\G`, "select `delete` from t", "select 1 # x",
			`select "a" from t`, "desc t", "select date_format(a, '%Y') from t", "explain select 1", "select 1 -- x", "select @@version",
		}},
		{MySQL, false, []string{
			"select 1 into outfile '/x'", "select * into dumpfile '/x' from t", "select load_file('/etc/passwd')", "select 1 /*! into outfile '/x' */",
			"select 1 --1; drop table t", `select 'a\'; drop table t; -- '`, "system id", `select 1; \! id`, "source x", "select sleep(5)", "set global x = 1",
			"delimiter //", "tee x", "pager id", `select "\"; drop table t; -- "`, "select 1 /*M! into outfile '/x' */", "load data infile 'x' into table t",
			"select * from t for update", "select * from t lock in share mode", "handler t open", "call p()", `select 1 \. x`, "select get_lock('a', 1)",
			"show tables into x", "select benchmark(1, sleep(1))", "kill 5", "flush tables",
		}},
	} {
		for _, text := range c.texts {
			if got := SQLReads(text, c.dialect); got != c.reads {
				t.Errorf("dialect %d: %q: %v", c.dialect, text, got)
			}
		}
	}
}

func FuzzSQLReads(f *testing.F) {
	for _, s := range []string{"select 1", "select 'a", "select $a$", "/* */", "--\n", "pragma x.", "[", "with a as ("} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, d uint8) {
		// a further statement that changes something is never proven away by what comes before it
		if dialect := SQLDialect(d % 3); SQLReads(text, dialect) && SQLReads(text+"\n;delete from t", dialect) {
			t.Errorf("%q hides what follows", text)
		}
	})
}
