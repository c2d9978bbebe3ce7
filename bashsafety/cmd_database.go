package bashsafety

import "strings"

// databaseCommands are the programs that query databases.
var databaseCommands = []Command{
	{
		Names: []string{"sqlite3"},
		Title: "queries a database",
		Style: SingleDash,
		Flags: "ascii bail batch box column csv header noheader html json line list markdown table tabs quote readonly safe stats interactive echo " +
			"version vfstrace help A append deserialize nofollow",
		Values: "separator newline nullvalue mmap maxsize pagecache vfs zip lookaside key",
		Opts:   []Opt{{"init", HasArg, Unsafe}, {"cmd", HasArg, 0}},
		more:   sqliteMore,
		Examples: []Example{
			{"sqlite3 x.db 'select 1'", "ro read:x.db"},
			{"sqlite3 x.db 'select 1; delete from t'", "write:x.db"},
			{"sqlite3 x.db", "write:x.db"},
			{`sqlite3 x.db "select a from t where b='$b'"`, "read:x.db"},
			{`sqlite3 x.db "$q"`, "narrow write:x.db"},
			{`sqlite3 x.db "delete from t where b='$b'"`, "write:x.db"},
			{"sqlite3 x.db .tables", "ro read:x.db"},
			{"sqlite3 -readonly x.db 'select 1'", "ro read:x.db"},
			{"sqlite3 x.db '.shell id'", "narrow write:x.db"},
			{"sqlite3 x.db \"select writefile('a','b')\"", "narrow write:x.db"},
			{"sqlite3 -cmd '.sh id' x", "narrow write:x"},
		},
	},
	{
		Names:  []string{"psql", "mysql", "mariadb", "mongo", "mongosh", "redis-cli"},
		Title:  "queries a database",
		Style:  0,
		Flags:  "-AaqtxwWnbESsXl",
		Values: "-cdhpUveFRPkTDu dbname host port username command variable user password database execute eval",
		Opts:   []Opt{{"-foL file output log-file", HasArg, Unsafe}, {"pager tee", HasArg, Executes}, {"init-command", HasArg, 0}},
		more:   sqlMore,
		Examples: []Example{
			{"psql -c 'select 1'", ""},
			{`psql -c '\! id'`, "narrow"},
			{"psql -c \"copy t to program 'id'\"", "narrow"},
			{"mysql --pager=x", "narrow mysql --pager>>'x'"},
		},
	},
}

// sqliteMore: SQL that only asks reads the database, everything else writes
// it, a text without any known word included; dot commands and some functions do more.
func sqliteMore(c *call) {
	text := ""
	for n, i := range c.operands {
		if n > 0 {
			text += c.argv[i].Text + "\n"
		}
	}
	for i := range c.opts {
		if c.opts[i].name == "cmd" {
			text += c.opts[i].value.Text + "\n"
		}
	}
	low := strings.ToLower(text)
	asks := sqlAsks(low)
	switch w := c.operand(0); {
	case w == nil:
	case asks || c.has("readonly"):
		c.read(w)
		c.d.readOnly = asks && len(c.unknown) == 0 && len(c.holes) == 0
	case strings.Contains(low, HoleMark) && sqlAsks(strings.ReplaceAll(low, HoleMark, "x")):
		c.read(w) // what is written asks; what is filled in is not known
	default:
		c.write(w)
	}
	for line := range strings.SplitSeq(low, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ".") && !sqliteDot(line) {
			c.narrow("the dot command can run a command or write a file")
			return
		}
	}
	for _, f := range [...]string{"writefile", "load_extension", "edit(", "attach", "vacuum into"} {
		if strings.Contains(low, f) {
			c.narrow("the SQL can write a file or load code")
			return
		}
	}
}

// sqliteDot reports the dot commands that only print.
func sqliteDot(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	switch name {
	case ".tables", ".schema", ".headers", ".header", ".mode", ".indexes", ".indices", ".width", ".databases", ".dump", ".show", ".stats", ".timer", ".fullschema", ".eqp", ".separator", ".nullvalue", ".quit", ".exit", ".print", ".timeout", ".changes", ".bail", ".echo", ".help", ".explain":
		return true
	}
	return false
}

// sqlAsks reports whether every statement of a text in lower case only asks.
func sqlAsks(low string) bool {
	if strings.TrimSpace(low) == "" || strings.Contains(low, HoleMark) || strings.ContainsAny(low, "'\"`") && strings.Contains(low, ";") && strings.Count(strings.TrimRight(low, "; \n"), ";") > 0 {
		return false
	}
	for stmt := range strings.FieldsFuncSeq(low, func(r rune) bool { return r == ';' || r == '\n' }) {
		stmt = strings.TrimSpace(stmt)
		first, rest, _ := strings.Cut(strings.ReplaceAll(stmt, "(", " "), " ")
		switch first {
		case "", "select", "explain", "values", "from", "where", "order", "limit", "group", "join", "left", "inner", "and", "or", "on", "having", "union":
		case "pragma":
			if strings.Contains(rest, "=") || strings.Contains(stmt, "(") && !strings.HasPrefix(rest, "table_") && !strings.HasPrefix(rest, "index_") && !strings.HasPrefix(rest, "foreign_key_list") {
				return false
			}
		default:
			if !sqliteDot(stmt) {
				return false
			}
		}
	}
	return !strings.Contains(low, "writefile") && !strings.Contains(low, "load_extension") && !strings.Contains(low, "edit(")
}

func sqlMore(c *call) {
	for i := range c.argv[1:] {
		low := strings.ToLower(c.argv[i+1].Text)
		for _, f := range [...]string{`\!`, `\copy`, `\o`, `\g`, `\i`, `\w`, `\e`, `\s`, " program ", "into outfile", "into dumpfile", "system ", "pg_read", "pg_write", "lo_export", "eval "} {
			if strings.Contains(low, f) {
				c.narrow("the query can run a command or write a file")
				return
			}
		}
	}
}
