package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// sqlChecks find the statements and commands by which data is deleted wholesale.
var sqlChecks = []interp.Check{{
	ID:       "database-statement",
	Title:    "drops or empties data in a database",
	Why:      "deleted data is gone as soon as the statement runs",
	Instead:  "`psql -c 'SELECT count(*) FROM users WHERE id = 7'` to look first, then a statement with such a WHERE",
	Severity: interp.Destructive,
	Fails: []string{
		"psql -c 'alter table users drop email'", "mysql -e 'alter table `users` drop `email`'", "psql -c 'delete from users where id is not null'", "psql -c 'delete from users where id > 0'", "psql -c 'delete from users where 2 > 1'", "psql -c \"delete from users where name like '%'\"", "psql -c \"copy t from program 'id'\"", "mysql -e 'reset master'", "redis-cli shutdown nosave", "redis-cli cluster reset hard", "redis-cli config set dir /x", "redis-cli replicaof h 6379", "redis-cli eval \"for _,k in ipairs(redis.call('keys','*')) do redis.call('del',k) end\" 0", "mongosh --eval \"db['dropDatabase']()\"", "mongosh --eval 'db.adminCommand({shutdown: 1})'", "python3 -c \"import sqlite3; sqlite3.connect('a.db').execute('DROP TABLE t')\"", "python3 - <<'E'\ncur.execute(\"\"\"TRUNCATE users\"\"\")\nE", "node -e \"db.query('DROP TABLE t')\"", "php -r 'DB::statement(\"DROP TABLE t\");'", "rails runner 'User.delete_all'", "bin/rails runner \"Admin::User.destroy_all\"", "echo 'User.delete_all' | rails console", "python manage.py shell -c 'User.objects.all().delete()'", "php artisan tinker --execute='User::truncate();'", "rails r 'ActiveRecord::Base.connection.execute(\"DROP TABLE t\")'",
		"psql -c 'DROP TABLE users'", "psql app -tAc 'drop database if exists x'", "psql -c 'drop index i'", "psql -c'truncate users cascade'", "psql --command='DELETE FROM users'", "psql -c 'delete from users where 1=1'", "psql -c 'UPDATE users SET admin = true'",
		"psql -c \"select 1; DROP SCHEMA public CASCADE\"", "psql <<'E'\n\\c app\nDROP TABLE a;\nE", "psql <<< 'truncate table a'", "echo 'DROP TABLE x;' | psql app", "printf 'DELETE FROM %s;\\n' a | psql", "cat <<'E' | psql -f -\ndrop table a;\nE",
		"psql -c 'with d as (delete from a returning *) select * from d'", "psql -c 'DO $$ BEGIN DROP TABLE a; END $$'", "psql -c 'ALTER TABLE a DROP COLUMN b'", "psql -c 'drop /* x */ table \"a b\"'",
		"mysql -e 'drop database app'", "mysql -uroot -p app -e 'TRUNCATE users'", "mysql app <<'E'\n# gone\ndelete from a;\nE", "mariadb -e \"delete from a where true\"", "mysql -e '/*!50000 DROP TABLE a */'", "mysql -e 'update a set b=1 limit 5'",
		"sqlite3 app.db 'DROP TABLE t'", "sqlite3 app.db 'delete from t; vacuum'", "sqlite3 app.db <<'E'\n.mode json\nDELETE FROM t;\nE", "sqlite3 -cmd 'drop table t' a.db", "echo 'drop table t;' | sqlite3 a.db",
		"duckdb a.db -c 'drop table t'", "clickhouse-client -q 'TRUNCATE TABLE t'", "clickhouse client --query 'drop database d'", "sqlcmd -S h -Q 'DROP TABLE t'", "sqlcmd <<'E'\nSELECT 1\nGO\nDELETE FROM t\nGO\nE",
		"bq query --use_legacy_sql=false 'DROP TABLE d.t'", "cockroach sql -e 'DROP DATABASE d CASCADE'", "cqlsh h -e 'TRUNCATE ks.t'", "influx -database d -execute 'DROP MEASUREMENT m'", "snowsql -q 'drop table t'", "trino --execute 'delete from t'",
		"docker exec db psql -U u -c 'DROP TABLE t'", "docker compose exec -T db mysql -e 'drop database d'", "echo 'drop table t' | docker exec -i db psql", "kubectl exec -i pg-0 -- psql -c 'truncate t'", "ssh db \"psql -c 'drop table t'\"",
		"ssh db psql <<'E'\ndrop table t;\nE", "su postgres -c \"psql -c 'drop database d'\"", "sudo -u postgres psql -c 'DROP DATABASE d'", "heroku pg:psql -c 'DROP TABLE t'", "wrangler d1 execute D --command 'DROP TABLE t'",
		"turso db shell d 'drop table t'", "wp db query 'truncate wp_posts'", "echo 'drop table t' | npx prisma db execute --stdin", "psql -f a.sql <<< x; cat > a.sql <<'E'\ndrop table t;\nE", "cypher-shell 'MATCH (n) DETACH DELETE n'",
		"mongosh app --eval 'db.dropDatabase()'", "mongo --eval 'db.users.drop()'", "mongosh --eval 'db.users.deleteMany({})'", "mongosh <<< 'db.users.remove({})'", "mongosh --eval 'db.runCommand({dropDatabase: 1})'", "docker exec m mongosh --eval \"db.getSiblingDB('x').dropDatabase()\"",
		"aws athena start-query-execution --query-string 'DROP TABLE t'", "aws rds-data execute-statement --sql='DELETE FROM t'", "gcloud spanner databases ddl update d --ddl='DROP TABLE t'", "aws dynamodb batch-execute-statement --statements '[{\"Statement\": \"DELETE FROM \\\"t\\\"\"}]'",
		"redis-cli FLUSHALL", "redis-cli -h h -n 2 flushdb async", "echo FLUSHALL | redis-cli", "redis-cli <<'E'\nselect 1\nflushdb\nE", "docker exec r redis-cli flushall", "redis-cli --scan | xargs redis-cli del", "valkey-cli flushall", "redis-cli eval 'redis.call(\"flushall\")' 0",
	},
	Passes: []string{
		"psql -c 'create temp table x (a int); drop table x'", "psql -c 'alter table t drop constraint c'", "psql -c 'delete from carts where total > 0'", "psql -c 'delete from t where name is not null'", "psql -c 'copy t to stdout'", "redis-cli config set maxmemory 1gb", "redis-cli cluster info", "redis-cli replicaof no one", "redis-cli eval \"return redis.call('get','k')\" 0", "python3 -c \"import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE t')\"", "python3 -c \"c.execute('SELECT 1')\"", "python3 -c \"print('DROP TABLE t'); run(x)\"", "rails runner 'User.where(spam: true).delete_all'", "rails runner 'puts \"User.delete_all\"; user.posts.delete_all'", "python manage.py shell -c 'User.objects.filter(id=1).delete()'", "php artisan tinker --execute='User::find(1)->delete();'",
		"psql -c 'select * from users'", "psql -c 'delete from users where id = 7'", "psql -c \"update users set a = 1 where id = 7\"", "psql -c \"insert into t values ('drop table x')\"", "psql -c 'select \"drop table\" from t'", "psql -c 'select 1 -- drop table t'",
		"psql -c 'create table t (a int)'", "psql -c 'insert into t values (1) on conflict do update set a = 1'", "psql -c 'alter table t drop constraint c'", "psql -c 'alter table t alter column a drop not null'", "psql -c 'explain delete from t'",
		"psql -c 'begin; delete from t; rollback'", "psql -c 'select * from t for update'", "psql -c 'grant delete on t to u'", "psql -c 'create table t (a int references b on delete cascade)'", "psql -d drop -c 'select 1'", "psql -c \"create rule r as on delete to t do nothing\"",
		"mysql -e \"select 'drop table t'\"", "mysql -e 'insert into t values (1) on duplicate key update a = 2'", "mysql -e 'select truncate(1.234, 2)'", "mysql -e '-- drop table t'", "mysql -e 'create temporary table x (a int); drop temporary table x'",
		"sqlite3 a.db 'select 1'", "sqlite3 a.db '.tables'", "sqlite3 :memory: 'create table t (a); drop table t'", "sqlite3 a.db \"delete from t where a = 'x'\"", "sqlite3 a.db <<'E'\nCREATE TRIGGER x AFTER INSERT ON t BEGIN\n DELETE FROM u;\nEND;\nE",
		"sqlite3 a.db 'drop index if exists i'", "grep -rn 'DROP TABLE' migrations", "git commit -m 'DROP TABLE users'", "echo 'DROP TABLE users'", "echo 'DROP TABLE users' > down.sql", "cat <<'E' > down.sql\nDROP TABLE users;\nE", "rg 'TRUNCATE|DELETE FROM' src", "sed -n '/DROP TABLE/p' a.sql",
		"psql -f schema.sql", "psql app < schema.sql", "mongosh --eval 'db.users.find()'", "mongosh --eval 'db.users.deleteMany({a: 1})'", "mongosh --eval 'print(\"db.dropDatabase()\")'", "mongosh --eval 'db.users.deleteOne({_id: 1})'", "redis-cli get flushall",
		"aws athena start-query-execution --query-string 'SELECT 1'", "aws ec2 describe-instances --query 'drop table t'", "redis-cli del key", "redis-cli info", "redis-cli set a FLUSHALL", "npx prisma migrate dev --name 'drop users'", "supabase migration new 'drop table users'", "alembic revision -m 'drop users'", "duckdb -c 'select 1'", "bq query 'select 1'", "gh pr create --title 'DROP TABLE' --body 'truncate users'", "echo flushall", "psql -c 'vacuum full'", "sqlcmd -Q 'select 1'",
		"python3 -c \"print('DROP TABLE t')\"", "docker exec db psql -c 'select 1'", "clickhouse-client -q 'select count() from t'", "cypher-shell 'MATCH (n) RETURN count(n)'", "jq '.[] | select(.sql == \"drop table t\")' a.json",
	},
	Find: deletesData,
}}

// A dataClient is a program that runs queries: every word it is given, and what
// it is fed, may be one.
type dataClient struct {
	Names  string
	Reader func(string) bool
	// Behind are the words a query comes after; "" where any word may be one.
	Behind string
}

var dataClients = [...]dataClient{
	{"psql pgcli usql ysqlsh pg:psql cockroach redshift vsql gsql edb-psql", func(t string) bool { return lang.SQLDeletes(t, lang.Postgres) }, ""},
	{"mysql mariadb mycli mysqlsh tidb clickhouse-client clickhouse clickhouse-local singlestore memsql", func(t string) bool { return lang.SQLDeletes(t, lang.MySQL) }, ""},
	{"sqlite3 sqlite litecli sqlcipher duckdb libsql", func(t string) bool { return lang.SQLDeletes(t, lang.SQLite) }, ""},
	{
		"sqlcmd mssql-cli bcp isql sqlplus sql tsql bq cqlsh influx snowsql snow trino presto impala-shell hive beeline spark-sql databricks osql db2 fbsql isql-fb surreal " +
			"cypher-shell pgbench steampipe athena dolt",
		statementDeletes, "",
	},
	{
		"aws aws2 gcloud az", statementDeletes, "--query-string --sql --sqls --sql-statement --sql-statements --statement --statements --cli-input-json " +
			"--ddl --querytext -q",
	},
	{
		"prisma wp drush pscale supabase turso d1 sqlite-utils atlas neonctl",
		func(t string) bool { return lang.SQLDeletes(t, lang.SQLite) }, "query sql-query sql:query sqlq execute shell --command -c -q -e --execute --query --sql",
	},
	{"mongosh mongo", remote.MongoDeletes, ""},
	{"redis-cli valkey-cli keydb-cli", remote.RedisDeletes, ""},
	{"python node ruby perl php", remote.CodeDeletes, "-c -e -r --eval -p -ne"},
	{"rails", remote.CodeDeletes, "runner r"},
	{"manage.py django-admin", remote.CodeDeletes, "shell shell_plus -c --command"},
	{"artisan", remote.CodeDeletes, "tinker --execute"},
}

// deletesData looks at the words of every client, at what it is fed, and at the
// files it runs that the same text writes.
func deletesData(s *interp.Analysis) []interp.Finding {
	return remote.RunningTools(s, func(t *interp.Tool) bool {
		if t.Tables&ofClients == 0 {
			return false
		}
		client := clientOf(t.Name)
		return client != nil && clientDeletes(s, client, t)
	})
}

func clientDeletes(a *interp.Analysis, client *dataClient, t *interp.Tool) bool {
	switch {
	case shell.Listed("sqlite3 duckdb", t.Name) && inMemory(t.Args):
		return false
	case remote.Redis(t):
		if remote.RedisDeletes(oneText(remote.OperandsOf(t.Args))) {
			return true
		}
		if remote.RedisRemoves(t.Args) && byXargs(&a.Subcommands[t.Sub]) {
			return true
		}
	default:
		for i := range t.Args {
			if client.deletes(t.Args[i].Text) && client.isQuery(t.Args, i) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fedTexts(a, t.Sub), client.Reader)
}

// fedMutations are the requests that send a mutation of GraphQL which deletes, where
// the same text says it on standard input or in a file.
func fedMutations(s *interp.Analysis) []interp.Finding {
	return remote.RunningAt(s, func(i int, sub *interp.Subcommand) bool {
		asks := shell.Listed("curl wget http", sub.As) || shell.Listed("gh glab", sub.As) && remote.AnyWord(sub.Argv, "api")
		return asks && !remote.AsksItself(sub.Call) && slices.ContainsFunc(fedTexts(s, i), lang.PostsDeletion)
	})
}

// byXargs reports whether a program adds words to those of a subcommand.
func byXargs(s *interp.Subcommand) bool {
	return slices.ContainsFunc(s.Via, func(via string) bool { return strings.Contains(via, "xargs") })
}

func clientOf(name string) *dataClient {
	if name == "" {
		return nil
	}
	for i := range dataClients {
		if shell.Listed(dataClients[i].Names, name) {
			return &dataClients[i]
		}
	}
	return nil
}

// deletes reports whether a word, or the value after the option it begins with,
// is a query that deletes.
func (d *dataClient) deletes(word string) bool {
	if len(word) < 4 {
		return false
	}
	if word[0] != '-' {
		return d.Reader(word)
	}
	if _, value, ok := strings.Cut(word, "="); ok && d.Reader(value) {
		return true
	}
	if word[1] == '-' {
		return false
	}
	for i := 2; i < min(len(word), 8); i++ { // -c'drop table t', -tAc...
		if d.Reader(word[i:]) {
			return true
		}
	}
	return false
}

// isQuery reports whether a word may be a query: an option with its value, or one
// that comes after such an option or verb, with at most another between.
func (d *dataClient) isQuery(args []shell.Word, i int) bool {
	if option, _, ok := strings.Cut(args[i].Text, "="); d.Behind == "" || ok && shell.Among(d.Behind, option) {
		return true
	}
	return slices.ContainsFunc(args[max(i-2, 0):i], // shell NAME QUERY
		func(w shell.Word) bool { return shell.Among(d.Behind, w.Text) })
}

// statementDeletes reports whether a text is a statement that deletes, the value of a
// field that is one, or JSON with one in a string.
func statementDeletes(text string) bool {
	_, value, _ := strings.Cut(text, "=")
	if lang.SQLDeletes(text, lang.Postgres) || lang.SQLDeletes(value, lang.Postgres) {
		return true
	}
	for text = strings.TrimSpace(lang.Unescaped(text)); shell.StartsWithAny(text, "{", "["); {
		at := strings.IndexByte(text[1:], '"') + 1
		if at == 0 {
			break
		}
		statement, rest, ok := commands.CodeString(text[at:])
		if ok && lang.SQLDeletes(statement, lang.Postgres) {
			return true
		}
		if !ok || len(rest) == 0 {
			break
		}
		text = text[:1] + rest
	}
	return false
}

// inMemory reports whether a client of a database in a file is given none.
func inMemory(args []shell.Word) bool {
	return slices.ContainsFunc(args, func(w shell.Word) bool { return w.Known && w.Text == ":memory:" })
}

// fedTexts are the texts that a subcommand may read from its standard input, or
// from a file of its own that the text writes: here-documents, and what is echoed.
func fedTexts(a *interp.Analysis, i int) []string {
	var all []string
	sub := &a.Subcommands[i]
	if sub.StdinText != nil {
		all = append(all, sub.StdinText.Text)
	}
	for _, k := range sub.From {
		if k < len(a.Subcommands) {
			all = append(all, said(&a.Subcommands[k])...)
		}
	}
	for _, e := range sub.Effects {
		if e.Kind == shell.Read && e.Known {
			all = append(all, saidTo(a, e.Path)...)
		}
	}
	return all
}

// saidTo are the texts that subcommands print which write a file.
func saidTo(a *interp.Analysis, path string) (all []string) {
	for k := range a.Subcommands {
		for _, e := range a.Subcommands[k].Effects {
			if e.Kind == shell.Write && e.Known && e.Path == path {
				all = append(all, said(&a.Subcommands[k])...)
			}
		}
	}
	return all
}

// said are the texts a subcommand prints, as far as they are in the text.
func said(s *interp.Subcommand) []string {
	var all []string
	if s.StdinText != nil {
		all = append(all, s.StdinText.Text)
	}
	if shell.Listed("echo printf print yes", s.Program) && len(s.Argv) > 1 {
		all = append(all, oneText(s.Argv[1:]))
		for i := range s.Argv[1:] {
			all = append(all, s.Argv[1+i].Text)
		}
	}
	return all
}

func oneText(words []shell.Word) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
	}
	return strings.Join(texts, " ")
}
