package checks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// dataChecks find what deletes what is no file: databases and what is kept in
// secret stores.
var dataChecks = []analysis.Check{
	{
		ID:       "database-drop",
		Title:    "deletes a database or everything in it",
		Why:      "only a backup can restore it",
		Says:     []analysis.Said{{For: "dropdb", Title: "deletes the database NAME"}},
		Instead:  []analysis.Hint{{For: "dropdb", Swap: "dropdb=pg_dump --if-exists= -i= --force= -f=", Text: "`CALL` for a backup first"}},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return slices.Concat(formed(s, ofDatabases, databaseForms), cleansFirst(s), flushesCache(s))
		},
	},
	{
		ID:    "framework-reset",
		Title: "drops or empties an application's database",
		Why:   "the tables are recreated without their data",
		Instead: []analysis.Hint{
			{For: "rails", Swap: "db:reset=db:migrate db:migrate:reset=db:migrate", Text: "`CALL`, which keeps the data"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return formed(s, ofResets, resetForms) },
	},
	{
		ID:       "secret-store-delete",
		Title:    "deletes secrets from a secret store",
		Why:      "programs that need the secret stop working, and most stores keep no copy",
		Instead:  []analysis.Hint{{For: "vault kv delete", Swap: "delete=list", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return formed(s, ofSecrets, secretForms) },
	},
}

// databaseForms are the programs that delete databases without SQL.
var databaseForms = []remote.Form{
	{Names: "dropdb dropuser pg_dropcluster pg_resetwal", Unless: "-? -V"},
	{Names: "mysqladmin mariadb-admin", Words: "drop|shutdown", Among: true},
	{Names: "mongoimport", With: "--drop"},
	{Names: "mongorestore", With: "--drop", Unless: "--dryRun"},
	{Names: "supabase", Words: "db reset"},
	{Names: "turso", Words: "db|group destroy"},
	{Names: "pscale", Words: "database|branch|db delete"},
	{Names: "neonctl neon", Words: "projects|project|branches|branch|databases|database delete"},
	{Names: "atlas", Words: "clusters|cluster|projects|project delete"},
	{Names: "heroku", Words: "pg:reset|redis:destroy|addons:destroy"},
	{Names: "wrangler", Words: "d1|r2 delete"},
	{Names: "wp", Words: "db reset|drop|clean"},
	{Names: "wp", Words: "site empty"},
	{Names: "drush", Words: "sql:drop|sql-drop|site:install|site-install|si"},
	{Names: "bq", Words: "rm"},
	{Names: "etcdctl", Words: "del"},
	{Names: "etcdctl", Words: "member|user|role remove|delete"},
	{Names: "influx", Words: "bucket|org delete"},
	{Names: "influx", Words: "delete"},
	{Names: "rabbitmqctl", Words: "reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user"},
	{Names: "kafka-topics kafka-topics.sh", With: "--delete"},
	{Names: "couchbase-cli", Words: "bucket-delete|bucket-flush|collection-manage"},
	{Names: "sqlite-utils", Words: "drop-table|drop-view|delete"},
	{Names: "neo4j-admin", Words: "database delete|wipe"},
	{Names: "nodetool", Words: "clearsnapshot|truncatehints"},
	{Names: "edgedb gel", Words: "database|branch|instance drop|destroy|wipe"},
}

// resetForms are the commands by which frameworks drop what they store.
var resetForms = []remote.Form{
	{
		Names: "rails rake jrake", Among: true, Unless: "-T --tasks -n --dry-run -D --describe -P --prereqs -g",
		Words: "db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:schema:load|db:schema:load:*|db:structure:load|db:migrate:reset|" +
			"db:truncate_all|db:seed:replant|db:mongoid:drop|db:mongoid:purge|db:mongoid:reset|parallel:drop",
	},
	{Names: "hanami", Words: "db drop|reset"},
	{Names: "prisma", Words: "migrate reset"},
	{Names: "prisma", Words: "db push", With: "--force-reset --accept-data-loss"},
	{Names: "artisan", Words: "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|tenants:migrate-fresh|schema:drop", Unless: "--pretend"},
	{Names: "ace", Words: "migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate", Unless: "--dry-run"},
	{Names: "manage.py django-admin django-admin.py", Words: "flush|reset_db|reset_schema|drop_test_database"},
	{Names: "manage.py django-admin django-admin.py", Words: "migrate * zero", Unless: "--plan"},
	{Names: "knex", Words: "migrate:rollback", With: "--all"},
	{Names: "sequelize sequelize-cli", Words: "db:drop|db:migrate:undo:all|db:seed:undo:all"},
	{Names: "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", Words: "schema:drop"},
	{Names: "mikro-orm", Words: "schema:drop|schema:fresh|migration:fresh", Unless: "--dump -d"},
	{Names: "drizzle-kit", Words: "drop"},
	{Names: "drizzle-kit", Words: "push", With: "--force"},
	{Names: "medusa", Words: "db:rollback"},
	{Names: "alembic flask-migrate", Words: "downgrade base", Unless: "--sql"},
	{Names: "flask", Words: "db downgrade base", Unless: "--sql"},
	{Names: "mix", Words: "ecto.drop|ecto.reset|ecto.drop,|ecto.reset,|ash.reset|ash_postgres.drop", Among: true},
	{Names: "mix", Words: "ecto.rollback", With: "--all"},
	{Names: "flyway", Words: "clean", Among: true},
	{Names: "gradle gradlew", Words: "flywayClean|dropAll|*:flywayClean|liquibaseDropAll", Among: true, Unless: "-m --dry-run"},
	{Names: "mvn mvnw mvnd", Words: "flyway:clean|liquibase:dropAll|hibernate:drop", Among: true},
	{Names: "liquibase", Words: "drop-all|dropAll", Among: true},
	{Names: "console doctrine doctrine.php cake", Among: true, Unless: "--dump-sql --append",
		Words: "doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load|orm:schema-tool:drop|dbal:database:drop|d:d:d|d:s:d"},
	{Names: "dotnet", Words: "ef database drop", Unless: "--dry-run"},
	{Names: "dotnet-ef", Words: "database drop", Unless: "--dry-run"},
	{Names: "dotnet", Words: "ef database update 0"},
	{Names: "dotnet-ef", Words: "database update 0"},
	{Names: "magento", Words: "setup:uninstall", Among: true},
	{Names: "bench", Words: "drop-site|reinstall", Among: true},
	{Names: "diesel", Words: "database|db reset|drop"},
	{Names: "sqlx", Words: "database|db drop|reset"},
	{Names: "sea-orm-cli", Words: "migrate fresh|refresh|reset"},
	{Names: "goose", Words: "reset", Among: true},
	{Names: "goose", Words: "down-to 0", Among: true},
	{Names: "migrate golang-migrate", Words: "drop", Among: true},
	{Names: "migrate golang-migrate", Words: "down", Among: true, With: "-all --all"},
	{Names: "dbmate", Words: "drop", Among: true},
	{Names: "atlas", Words: "schema clean"},
	{Names: "atlas", Words: "schema apply", With: "--auto-approve", Unless: "--dry-run"},
	{Names: "hasura", Words: "migrate apply", With: "--down"},
	{Names: "loco loco-cli", Words: "db reset|truncate|drop"},
}

// secretForms are the commands that delete from secret stores and keyrings.
var secretForms = []remote.Form{
	{Names: "vault bao", Words: "delete"},
	{Names: "vault bao", Words: "kv delete|destroy"},
	{Names: "vault bao", Words: "kv metadata delete"},
	{Names: "vault bao", Words: "secrets|auth|audit disable"},
	{Names: "vault bao", Words: "policy|namespace|plugin delete|deregister"},
	{Names: "vault bao", Words: "token|lease revoke"},
	{Names: "vault bao", Words: "operator seal|step-down"},
	{Names: "vault bao", Words: "operator raft remove-peer"},
	{Names: "doppler", Words: "secrets|projects|configs|environments|configs:tokens delete"},
	{Names: "op", Words: "item|document|vault|user|group|connect delete", Unless: "--archive"},
	{Names: "op", Words: "connect token|server delete"},
	{Names: "security", Words: "delete-*"},
	{Names: "secret-tool", Words: "clear"},
	{Names: "pass gopass passage", Words: "rm|remove|delete|del"},
	{Names: "gopass", Words: "mounts|recipients rm|remove|delete|deauthorize"},
	{Names: "bw", Words: "delete|purge"},
	{Names: "berglas", Words: "delete"},
	{Names: "akeyless", Words: "delete-*"},
	{Names: "keyctl", Words: "clear|unlink|revoke|purge"},
	{Names: "bws", Words: "secret|project delete"},
	{Names: "lpass", Words: "rm"},
	{Names: "keyring", Words: "del"},
	{Names: "keepassxc-cli", Words: "rm|rmdir"},
	{Names: "kwallet-query", With: "-d"},
	{Names: "infisical", Words: "secrets delete"},
	{Names: "infisical", Words: "secrets folders delete"},
	{Names: "gpg gpg2", With: "--delete-secret-keys --delete-secret-key --delete-secret-and-public-key --delete-secret-and-public-keys"},
	{Names: "heroku", Words: "config:unset|config:remove"},
	{Names: "chamber", Words: "delete"},
	{Names: "fly flyctl", Words: "secrets unset"},
	{Names: "consul", Words: "kv delete"},
	{Names: "wrangler", Words: "secret delete"},
	{Names: "vercel", Words: "env rm|remove"},
	{Names: "netlify", Words: "env:unset"},
	{Names: "supabase", Words: "secrets unset"},
	{Names: "credhub", Words: "delete"},
	{Names: "conjur", Words: "policy replace"},
	{Names: "cmdkey", Words: "/delete*|-delete*"},
	{Names: "step", Words: "ca revoke"},
}

// formed reports the subcommands that have one of the forms of a table.
func formed(s *analysis.Analysis, of uint16, forms []remote.Form) []analysis.Finding {
	return remote.RunningTools(s, func(t *analysis.Tool) bool {
		return t.Tables&of != 0 && slices.ContainsFunc(forms, func(f remote.Form) bool {
			return shell.Listed(f.Names, t.Name) && f.Fits(t.Args)
		})
	})
}

// cleansFirst is pg_restore that drops what it is about to make.
func cleansFirst(s *analysis.Analysis) []analysis.Finding {
	return matching(s, "pg_dump", func(c *commands.Invocation, _ *analysis.Subcommand) bool {
		restores := commands.TableName(commands.ProgramName(c.Argv)) == "pg_restore"
		return restores && c.Has("c", "clean") && !c.Has("list", "f", "file")
	})
}

// flushesCache is the word that empties memcached or Redis, sent by hand.
func flushesCache(s *analysis.Analysis) []analysis.Finding {
	var all []analysis.Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if !shell.Listed("nc ncat netcat telnet socat", sub.Program) {
			continue
		}
		for _, text := range s.Fed(i) {
			for line := range strings.SplitSeq(lang.Unescaped(strings.ToLower(text)), "\n") {
				word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				if shell.Listed("flush_all flushall flushdb", word) {
					all = append(all, analysis.Finding{Sub: i, Span: sub.Span})
				}
			}
		}
	}
	return all
}

// sqlChecks find the statements and commands by which data is deleted wholesale.
var sqlChecks = []analysis.Check{{
	ID:       "database-statement",
	Title:    "drops or empties data in a database",
	Of:       "runs STATEMENT",
	Why:      "the data is gone as soon as the statement runs",
	Instead:  []analysis.Hint{{Text: "a SELECT with the same WHERE to look first"}},
	Severity: analysis.Destructive,
	Find:     deletesData,
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
	{"sqlite3 sqlite litecli sqlcipher duckdb libsql", lang.SQLiteDeletes, ""},
	{
		"sqlcmd mssql-cli bcp isql sqlplus sql tsql bq cqlsh influx snowsql snow trino presto impala-shell hive beeline spark-sql databricks osql db2 fbsql isql-fb surreal " +
			"cypher-shell pgbench steampipe athena dolt invoke-sqlcmd",
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
}

// deletesData looks at the words of every client, and at what it is fed.
func deletesData(s *analysis.Analysis) []analysis.Finding {
	return append(remote.CodeFinds(s, remote.CodeDeletes), remote.RunningTools(s, func(t *analysis.Tool) bool {
		if t.Tables&ofClients == 0 {
			return false
		}
		client := clientOf(t.Name)
		return client != nil && clientDeletes(s, client, t)
	})...)
}

func clientDeletes(a *analysis.Analysis, client *dataClient, t *analysis.Tool) bool {
	switch {
	case shell.Listed("sqlite3 duckdb", t.Name) && inMemory(t.Args):
		return false
	case remote.Redis(t):
		if remote.RedisDeletes(shell.JoinText(remote.OperandsOf(t.Args))) {
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
	return slices.ContainsFunc(a.Fed(t.Sub), client.Reader)
}

// fedMutations are requests with a mutation of GraphQL that deletes, on standard input or in a
// file.
func fedMutations(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		asks := false
		switch sub.As {
		case "curl", "wget", "http":
			asks = true
		case "gh", "glab":
			asks = remote.AnyWord(sub.Argv, "api")
		}
		return asks && !remote.AsksItself(sub.Call) && slices.ContainsFunc(s.Fed(i), lang.PostsDeletion)
	})
}

// byXargs reports whether a program adds words to those of a subcommand.
func byXargs(s *analysis.Subcommand) bool {
	return slices.ContainsFunc(s.Via, func(via string) bool { return strings.Contains(via, "xargs") })
}

func clientOf(name string) *dataClient {
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

// statementDeletes reports whether a text, the value of a field or a string of JSON deletes.
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
		statement, err := strconv.QuotedPrefix(text[at:])
		if err != nil {
			break
		}
		if lang.SQLDeletes(strings.Trim(statement, `"`), lang.Postgres) {
			return true
		}
		text = text[:1] + text[at+len(statement):]
	}
	return false
}

// inMemory reports whether a client of a database in a file is given none.
func inMemory(args []shell.Word) bool {
	return slices.ContainsFunc(args, func(w shell.Word) bool { return w.Known && w.Text == ":memory:" })
}
