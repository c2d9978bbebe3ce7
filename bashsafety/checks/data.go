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
		Loses:    commands.OfDatabase,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(cleansFirst(s), flushesCache(s)...)
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
		Loses:    commands.OfReset,
	},
	{
		ID:       "secret-store-delete",
		Title:    "deletes secrets from a secret store",
		Why:      "programs that need the secret stop working, and most stores keep no copy",
		Instead:  []analysis.Hint{{For: "vault kv delete", Swap: "delete=list", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Loses:    commands.OfSecrets,
	},
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
	resets := func(k int) bool { return remote.AnyWord(a.Subcommands[k].Argv, "sqlflush", "sqlclear") } // of Django
	return slices.ContainsFunc(a.Fed(t.Sub), client.Reader) || slices.ContainsFunc(a.Subcommands[t.Sub].From, resets)
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
	if strings.HasPrefix(word, "--") && strings.Contains(word, "\n") && d.Reader(word) { // it begins with a comment
		return true
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
