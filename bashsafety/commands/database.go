package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// databaseCommands are the programs that query databases. A connection string
// may hold a password: no reason and no effect repeats it.
var databaseCommands = []Command{
	{
		// Reading may create an empty file, or finish what a crash left in a
		// journal: nothing that was stored changes, so that it counts as reading.
		Names: "sqlite3", Net: StaysHere, Title: "queries a database", Style: SingleDash,
		Flags: "ascii bail batch box column csv header noheader html json line list markdown table tabs quote readonly safe stats " +
			"interactive echo version vfstrace help append deserialize nofollow memtrace unsafe-testing",
		Values: "separator newline nullvalue mmap maxsize pagecache vfs lookaside key hexkey textkey escape",
		Opts:   []Opt{{"init", HasArg, Unsafe}, {"cmd", HasArg, 0}, {"A archive zip", NoArg, Unsafe}}, ReadsSome: true, refine: refineSqlite,
		Special: &Special{Stdin: &StdinProgram{Like: "cmd", Unless: "-A version help archive", Operands: 1}},
	},
	{
		Names: "duckdb", Title: "queries a database", Style: SingleDash,
		Flags: "ascii bail batch box column csv header noheader html json jsonlines line list markdown table quote readonly safe stats " +
			"interactive echo version help no-stdin nofollow",
		Values: "separator newline nullvalue",
		Opts:   []Opt{{"init f file", HasArg, Unsafe}, {"cmd c s", HasArg, 0}, {"unsigned unredacted ui", NoArg, Unsafe}}, ReadsSome: true,
		refine:  refineDuckdb,
		Special: &Special{Stdin: &StdinProgram{Like: "c", Unless: "-csf file no-stdin version help", Operands: 1}},
	},
	{
		Names: "psql", Title: "queries PostgreSQL", Style: DashValues,
		Flags: "-aAbeEHlnqsStxXz01wW echo-all no-align echo-errors echo-queries echo-hidden html list no-readline quiet single-step " +
			"single-line tuples-only expanded no-psqlrc field-separator-zero record-separator-zero no-password password " +
			"single-transaction csv help",
		Values:    "-dFhpPRTUv dbname field-separator host port pset record-separator table-attr username set variable",
		OptValues: "-? version",
		Opts: []Opt{
			{"-c command", HasArg, 0}, {"-f file", HasArg, Unsafe}, {"-o output", HasArg, 0}, {"-L log-file", HasArg, WritesValue}, {"-V", NoArg, 0},
		},
		Forms: []Form{{"-c|--command|-l|--list|-V|--version", Proves, ""}, {"-f|--file=FILE", Reads, ""}}, refine: refinePsql,
		Special: &Special{Stdin: &StdinProgram{
			Like: "c", Unless: "-cflV command file list version help", Operands: NoLimit,
		}},
	},
	{
		Names: "mysql mariadb", Title: "queries MySQL", Style: DashValues,
		Flags: "-ABbCEHnNqrstTvVwX? batch column-names skip-column-names compress debug-info force html xml no-beep no-auto-rehash " +
			"quick raw reconnect skip-reconnect safe-updates silent table unbuffered verbose vertical wait show-warnings version help " +
			"line-numbers skip-line-numbers ssl skip-ssl no-defaults",
		Values: "-DhPSu database default-character-set host port protocol socket user connect-timeout max-allowed-packet " +
			"net-buffer-length login-path ssl-mode tls-version ssl-cipher defaults-group-suffix",
		OptValues: "-p password",
		Opts: []Opt{
			{"-e execute", HasArg, 0}, {"ssl-ca ssl-capath", HasArg, Reads}, {"ssl-cert ssl-key", HasArg, UsesKey}, {"pager", OptArg, Executes}, {"tee", HasArg, WritesValue},
			{"init-command defaults-file defaults-extra-file plugin-dir default-auth local-infile server-public-key-path init-command-add", HasArg, Unsafe},
			{"-G named-commands enable-cleartext-plugin", NoArg, Unsafe},
		},
		Forms: []Form{{"-e|--execute|-V|--version", Proves, ""}}, refine: refineMysql,
		Special: &Special{Stdin: &StdinProgram{Like: "e", Unless: "-eV execute version help", Operands: NoLimit}},
	},
	{
		Names: "redis-cli valkey-cli keydb-cli", Title: "queries Redis", Style: StopAtOperand,
		Flags: "-23cexX tls insecure raw no-raw csv json quoted-json no-auth-warning verbose quoted-input bigkeys memkeys scan stat " +
			"latency latency-history latency-dist askpass version help keystats",
		Values: "-hpsarindDt user pass sni pattern quoted-pattern count show-pushes tls-ciphers tls-ciphersuites memkeys-samples top cursor",
		Opts: []Opt{
			{"-u", HasArg, 0}, {"cacert cacertdir", HasArg, Reads}, {"cert key", HasArg, UsesKey}, {"rdb functions-rdb", HasArg, WritesValue}, {"eval", HasArg, Unsafe},
			{"pipe ldb ldb-sync-mode replica slave", NoArg, Unsafe}, {"cluster lru-test pipe-timeout intrinsic-latency test-memory hotkeys", HasArg, Changes},
		},
		ReadsSome: true, Forms: []Form{{"-x|-X", Disproves, ""}, {"--eval=FILE", Reads, ""}}, refine: refineRedis,
	},
	{
		Names: "clickhouse-client", Title: "queries ClickHouse", Values: "-hud host port user password database format max_threads",
		Flags: "-tms multiline multiquery secure time vertical stacktrace version help",
		Opts:  []Opt{{"-q query", HasArg, 0}, {"-C config-file queries-file", HasArg, Unsafe}, {"-n", NoArg, 0}, {"external", NoArg, Unsafe}}, Forms: []Form{{"-q|--query", Proves, ""}, {"--queries-file=FILE", Reads, ""}}, refine: refineClickhouse,
	},
	{
		Names: "mongosh mongo", Title: "runs JavaScript against MongoDB", Flags: "quiet norc nodb verbose tls retryWrites", Values: "-hpu host port username password authenticationDatabase authenticationMechanism apiVersion json",
		Opts: []Opt{{"-f file", HasArg, Unsafe}, {"shell", NoArg, 0}, {"eval", HasArg, 0}, {"tlsCAFile tlsCRLFile", HasArg, Reads}, {"tlsCertificateKeyFile", HasArg, UsesKey}}, refine: func(c *Invocation) { c.givenCode(0) },
	},
	{
		Names: "pg_dump pg_dumpall pg_restore mysqldump mariadb-dump mongodump mongorestore", Title: "saves or restores a database",
		Flags: "-abcCsvxOlAR1 data-only clean create schema-only verbose no-privileges no-owner single-transaction quick routines triggers all-databases no-data list",
		Values: "-hpPUuntTNjFZEd host port username user dbname schema table exclude-table jobs format compress encoding db collection " +
			"uri gzip archive exclude-schema where ignore-table password",
		Opts: []Opt{{"-f file result-file out", HasArg, Writes}, {"-r", HasArg, Writes}, {"tab", HasArg, Writes}, {"-o", HasArg, Writes}},
	},
}

// refineSqlite: SQL that only asks reads the database, all other SQL writes it. With an unknown
// value it reads, but that is not proven.
func refineSqlite(c *Invocation) {
	c.Facts.Code = true
	var texts []*shell.Word
	for i := range c.Opts {
		if c.Opts[i].Name == "cmd" {
			texts = append(texts, &c.Opts[i].Value)
		}
	}
	shown := len(texts)
	for n, i := range c.Operands {
		if n > 0 {
			texts = append(texts, &c.Argv[i])
		}
	}
	asks := len(texts) > shown
	likely := asks
	for _, w := range texts {
		asks = asks && w.Known && sqliteAsks(w.Text)
		likely = likely && sqliteAsks(strings.ReplaceAll(w.Text, shell.HoleMark, "x"))
	}
	if c.Has("version", "help") && len(c.Operands) == 0 {
		asks = true
	}
	for i := range c.Argv {
		if strings.HasPrefix(c.Argv[i].Text, "-A") {
			c.Narrow("-A packs and unpacks archives")
			break
		}
	}
	if w := c.Operand(0); w != nil && w.Text != ":memory:" {
		db := sqliteFile(w)
		if asks || likely || c.Has("readonly") {
			c.read(&db)
		} else {
			c.write(&db)
		}
	}
	c.disproveIf(!asks)
	for _, w := range texts {
		c.sqliteRisks(w)
	}
}

// sqliteFile is the file a database is named by, which may be a URI: https://sqlite.org/uri.html
func sqliteFile(w *shell.Word) shell.Word {
	db := *w
	if name, ok := strings.CutPrefix(w.Text, "file:"); ok {
		db.Text, _, _ = strings.Cut(name, "?")
		db.Text = "/" + strings.TrimLeft(db.Text, "/")
		if !strings.HasPrefix(name, "/") {
			db.Text = strings.TrimPrefix(db.Text, "/")
		}
	}
	return db
}

// sqliteRisks narrows for SQL and dot commands that may do more than read.
func (c *Invocation) sqliteRisks(w *shell.Word) {
	if sqliteAsks(strings.ReplaceAll(w.Text, shell.HoleMark, "x")) {
		return
	}
	for line := range strings.SplitSeq(w.Text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ".") {
			c.sqliteDot(line, w)
		}
	}
	if _, after, ok := strings.Cut(w.Text, "edit("); ok { // edit(VALUE, EDITOR)
		_, editor, _ := strings.Cut(after, ",")
		c.scan("edit", strings.Trim(strings.TrimSpace(editor), `"');`), w)
	}
	low := strings.ToLower(w.Text)
	for _, f := range [...]string{"writefile", "load_extension", "edit(", "attach", "vacuum into", "fts3_tokenizer"} {
		if strings.Contains(low, f) {
			c.Narrow("the SQL can write a file or load code")
			return
		}
	}
}

// sqliteAsks reports whether an argument of sqlite3 is SQL or a dot command that only asks.
func sqliteAsks(text string) bool {
	if strings.HasPrefix(text, ".") {
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && (!strings.HasPrefix(line, ".") || !sqlitePrints(line)) {
				return false
			}
		}
		return true
	}
	return !strings.Contains(text, "\n.") && lang.SQLReads(text, lang.SQLite)
}

// sqliteShows are dot commands that only print.
const sqliteShows = ".tables .schema .headers .header .mode .indexes .indices .width .databases .dump " +
	".show .stats .timer .fullschema .eqp .separator .nullvalue .quit .exit .print .timeout .changes .bail " +
	".echo .help .explain .dbinfo .version .sha3sum .binary .nonce"

// sqlitePrints reports the dot commands that only print; sqlite3 takes
// abbreviations, which are not proven.
func sqlitePrints(line string) bool {
	name, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	return shell.Listed(sqliteShows, name)
}

// sqliteDot says what a dot command runs, writes or reads.
func (c *Invocation) sqliteDot(line string, at *shell.Word) {
	if at.Known && sqlitePrints(line) {
		return
	}
	c.Narrow("the dot command can run a command or write a file")
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	full := ""
	for _, n := range [...]string{".shell", ".system", ".output", ".once", ".backup", ".save", ".clone", ".log", ".trace", ".testcase", ".import", ".read", ".load", ".restore", ".open"} {
		if len(name) > 2 && strings.HasPrefix(n, name) {
			full = n
			break
		}
	}
	words := strings.Fields(rest)
	if full == "" || len(words) == 0 || !at.Known {
		return
	}
	last := shell.Literal(strings.Trim(words[len(words)-1], `"'`), at)
	first := shell.Literal(strings.Trim(words[0], `"'`), at)
	text, piped := strings.CutPrefix(strings.TrimLeft(rest, `"'`), "|")
	if text, _, _ = strings.Cut(text, rest[:1]); !strings.ContainsAny(rest[:1], `"'`) {
		text = rest[1:]
	}
	switch {
	case full == ".shell" || full == ".system":
		c.scan(full, rest, at)
	case piped:
		c.scan(full, text, at)
	case full == ".import" || full == ".read" || full == ".load":
		c.readValue(&first)
	case full == ".restore":
		c.readValue(&last)
	default:
		c.write(&last)
	}
}

// refineDuckdb: DuckDB locks and changes a database it opens unless told not to,
// and reads the files that strings name.
func refineDuckdb(c *Invocation) {
	c.Facts.Code = true
	asks := len(c.Operands) > 1
	for u := range c.options() {
		if u.Name == "c" || u.Name == "s" || u.Name == "cmd" {
			asks = true
			c.duckdbQuery(&u.Value)
		}
	}
	for n, i := range c.Operands {
		if n > 0 {
			c.duckdbQuery(&c.Argv[i])
		}
	}
	if w := c.Operand(0); w != nil && w.Text != ":memory:" {
		if c.Has("readonly") {
			c.read(w)
		} else {
			asks = false
			c.write(w)
		}
	}
	c.disproveIf(!asks)
}

// duckdbQuery reads the files a query names, and takes the proof from one that
// does more than ask for what is here.
func (c *Invocation) duckdbQuery(w *shell.Word) {
	tokens, _ := lang.SQLTokens(w.Text, lang.Postgres)
	if !w.Known || !lang.SQLReads(w.Text, lang.Postgres) {
		c.Disprove("")
		low := strings.ToLower(w.Text)
		command := strings.HasPrefix(strings.TrimSpace(low), ".") || strings.Contains(low, "\n.")
		if command {
			c.ProgramText("duckdb", w)
		}
		if command || shell.ContainsAny(low, "copy", "install", "load", "attach", "export") {
			c.Narrow("the query can run a command, write a file or load code")
		}
		return
	}
	for i := range tokens {
		if t := &tokens[i]; t.Kind == lang.SQLString && strings.Contains(t.Text, "://") {
			c.Disprove("")
		} else if t.Kind == lang.SQLString && strings.ContainsAny(t.Text, "./") {
			c.readValue(new(shell.Literal(t.Text, w)))
		}
	}
}

// refinePsql: every -c must be a query that only asks, or a \d command.
func refinePsql(c *Invocation) {
	c.Facts.Code = true
	c.databaseHosts(true)
	asks := true
	for u := range c.options() {
		switch u.Name {
		case "c", "command":
			asks = c.psqlCommand(&u.Value) && asks
		case "o", "output":
			if text, ok := strings.CutPrefix(u.Value.Text, "|"); ok {
				c.Narrow("-o runs a command")
				c.scan("-o", text, &u.Value)
			} else {
				c.writeExtra(&u.Value)
			}
		}
	}
	c.disproveIf(!asks)
}

// psqlCommand reports whether one -c only asks.
func (c *Invocation) psqlCommand(w *shell.Word) bool {
	text := strings.TrimSpace(w.Text)
	if strings.HasPrefix(text, `\`) {
		name, rest, _ := strings.Cut(text[1:], " ")
		if w.Known && !strings.ContainsAny(rest, "\\`|\n") && psqlLooks(name) {
			return true
		}
		c.Narrow("the command can run a command or write a file")
	} else if w.Known && lang.SQLReads(text, lang.Postgres) {
		return true
	}
	c.sqlRisks(w)
	return false
}

// psqlLooks names the backslash commands that show something.
func psqlLooks(name string) bool {
	return shell.Listed("l l+ z conninfo x timing a t h ?", name) ||
		strings.HasPrefix(name, "d") && strings.Trim(name, "abcdefgilmnoprstuvwxyzADEFOPRTS+") == ""
}

// sqlRisks narrows for what else a query can do, and shows the checks what it runs.
func (c *Invocation) sqlRisks(w *shell.Word) {
	low := strings.ToLower(w.Text)
	if strings.HasPrefix(low, shell.HoleMark) || strings.Contains(low, `\`) && strings.Contains(low, "`") {
		c.Narrow("the query can run a command, or read or write a file")
	}
	if at := strings.Index(low, " program '"); at >= 0 && strings.HasPrefix(strings.TrimSpace(low), `\copy`) { // \copy t from program 'COMMAND'
		text, _, _ := strings.Cut(w.Text[at+len(" program '"):], "'")
		c.scan("program", text, w)
	}
	if _, text, ok := strings.Cut(w.Text, `\!`); ok {
		c.scan(`\!`, strings.TrimSpace(text), w)
	} else if text, ok := strings.CutPrefix(strings.TrimSpace(w.Text), "system "); ok {
		c.scan("system", strings.TrimRight(text, "; \n"), w)
	}
	for _, f := range [...]string{
		`\!`, `\copy`, `\o`, `\g|`, `\g |`, `\i`, `\w`, `\e`, `\s`, `\.`, `\t`, `\p`, " program ", "into outfile", "into dumpfile", "system ", "source ", "tee ", "pager ", "pg_read",
		"pg_write", "lo_export", "lo_import", "pg_ls_dir", "dblink", "load_file", "copy ", "load data", "create extension", "language plpython", "eval ",
	} {
		if strings.Contains(low, f) {
			if len(c.Facts.Narrow) == 0 {
				c.Narrow("the query can run a command, or read or write a file")
			}
			return
		}
	}
}

// refineMysql: every -e must only ask.
func refineMysql(c *Invocation) {
	c.Facts.Code = true
	c.databaseHosts(false)
	asks := true
	for u := range c.options() {
		if u.Name == "e" || u.Name == "execute" {
			if !u.Value.Known || !lang.SQLReads(u.Value.Text, lang.MySQL) {
				asks = false
				c.sqlRisks(&u.Value)
			}
		}
	}
	c.disproveIf(!asks || len(c.Operands) > 1)
}

func refineClickhouse(c *Invocation) {
	c.databaseHosts(false)
	for u := range c.options() {
		if u.Name == "q" || u.Name == "query" {
			c.disproveIf(!u.Value.Known || !lang.SQLReads(u.Value.Text, lang.MySQL))
		}
	}
}

// redisReads are the commands of Redis that change nothing: https://redis.io/docs/latest/commands/
const redisReads = "get mget strlen exists ttl pttl expiretime pexpiretime type keys scan dbsize info ping " +
	"echo hget hgetall hmget hkeys hvals hlen hexists hscan hstrlen hrandfield lrange llen lindex lpos " +
	"smembers scard sismember smismember sscan srandmember sinter sunion sdiff sintercard zrange " +
	"zrangebyscore zrangebylex zrevrange zrevrangebyscore zrevrangebylex zcard zscore zmscore zcount zrank " +
	"zrevrank zlexcount zscan zinter zunion zdiff zrandmember xrange xrevrange xlen xinfo xpending getrange " +
	"substr getbit bitcount bitpos object randomkey time lastsave role geopos geodist geohash georadius_ro " +
	"georadiusbymember_ro geosearch sort_ro bitfield_ro lolwut"

// redisReadsOf are the commands with a reading subcommand.
const redisReadsOf = "client.list client.info client.getname client.id memory.usage memory.stats " +
	"memory.doctor slowlog.get slowlog.len latency.latest latency.history latency.doctor latency.graph " +
	"cluster.info cluster.nodes cluster.slots cluster.shards cluster.myid cluster.keyslot command.count " +
	"command.docs command.info command.list acl.whoami acl.cat pubsub.channels pubsub.numsub pubsub.numpat " +
	"function.stats script.exists module.list"

// refineRedis looks the command up; without one standard input is read.
func refineRedis(c *Invocation) {
	c.databaseHosts(false)
	c.disproveIf(!shell.AllKnown(c.rest(0)) || !c.redisReads())
}

// redisReads reports whether the command, or the option in place of one, reads.
func (c *Invocation) redisReads() bool {
	verb, arg := strings.ToLower(c.LiteralOperand(0)), ""
	if verb == "" {
		return c.Has("scan", "bigkeys", "memkeys", "stat", "latency", "latency-history", "version", "help")
	}
	if rest := c.rest(1); len(rest) > 0 {
		arg = strings.ToLower(rest[0].Text)
	}
	return shell.Listed(redisReads, verb) || shell.Listed(redisReadsOf, verb+"."+arg)
}

// databaseHosts notes the servers that a client is told: a query carries what the text says there.
// byURL is set when the name of a database may be a connection string.
func (c *Invocation) databaseHosts(byURL bool) {
	for u := range c.options() {
		switch u.Name {
		case "h", "host":
			if !localHost(u.Value.Text) {
				c.network(&u.Value)
			}
		case "d", "dbname", "u":
			if byURL && !u.Value.Known {
				c.network(&u.Value)
			} else {
				c.databaseURL(&u.Value)
			}
		}
	}
	for _, i := range c.Operands {
		c.databaseURL(&c.Argv[i])
	}
}

// databaseURL looks for a server in a connection string.
func (c *Invocation) databaseURL(w *shell.Word) {
	named := strings.Contains(w.Text, "host") && strings.Contains(w.Text, "=")
	if named || shell.ContainsAny(w.Text, "://", "service=") {
		c.network(withoutUser(w))
	}
}

// withoutUser is the server of a connection string: what is next to it may be a password.
func withoutUser(w *shell.Word) *shell.Word {
	short := *w
	if i := strings.Index(w.Text, "://"); i >= 0 {
		if at := strings.LastIndexByte(w.Text, '@'); at > i {
			short.Text = w.Text[:i+3] + w.Text[at+1:]
		}
		short.Text, _, _ = strings.Cut(short.Text, "?")
	} else if _, host, ok := strings.Cut(w.Text, "host="); ok {
		short.Text, _, _ = strings.Cut(host, " ")
	}
	return &short
}

// localHost reports whether a server is on this machine, by name or by its socket.
func localHost(s string) bool {
	return s == "localhost" || s == "127.0.0.1" || s == "::1" || strings.HasPrefix(s, "/")
}
