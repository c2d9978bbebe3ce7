package hookio

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// An MCP says how a host spells mcp__SERVER__TOOL, the canonical name of an MCP server's tool.
type MCP struct {
	Forms []MCPForm
	// Server and Tool are paths of payload fields, as "mcp_context.server_name"; "" for none.
	Server, Tool string
	// Same are tools of the host's own servers that do what one of its tools does: rules that restrict that tool
	// restrict them, and none grants them anything.
	Same []Pair
}

// An MCPForm is how names are put together: mcp_SERVER_TOOL is {Prefix: "mcp_", Sep: "_"}.
type MCPForm struct {
	Prefix, Sep string
	// Last: of several separators the last is the likelier one.
	Last bool
}

// readMCP sets an MCP tool's canonical name. c.AlsoTool holds other readings
// where nothing names the server, and the name itself if any tool may have it.
func (c *Call) readMCP(payload Top) {
	m := &c.Host.MCP
	if m.Server != "" {
		server, tool := payload.within(m.Server), payload.within(m.Tool)
		if server.Exists() || tool.Exists() {
			root, serverKey, _ := strings.Cut(m.Server, ".")
			_, toolKey, _ := strings.Cut(m.Tool, ".")
			c.once(payload, root)
			c.once(topOf(payload.Get(root).Raw), serverKey, toolKey)
			c.namedMCP(m, server, tool)
			return
		}
	}
	c.cutMCP()
	if at := strings.LastIndex(c.RawTool, "__"); at > len("mcp_") && strings.HasPrefix(c.RawTool, "mcp__") {
		if server := payload.within("mcp_server.name").Str; server != "" {
			c.Called = mcpName(server, c.RawTool[at+len("__"):])
		}
	}
}

// cutMCP is readMCP for a host without fields of their own.
func (c *Call) cutMCP() {
	m := &c.Host.MCP
	if c.Tool != c.RawTool || strings.HasPrefix(c.RawTool, "mcp__") {
		return
	}
	if len(m.Forms) > 0 {
		c.boundName()
	}
	for _, f := range m.Forms {
		if readings := f.cut(c.RawTool); len(readings) > 0 {
			c.Tool, c.AlsoTool = readings[0], readings[1:]
			if f.Prefix == "" {
				c.AlsoTool = append(c.AlsoTool, c.RawTool)
			}
			return
		}
	}
}

// namedMCP takes the names from fields of their own. Another raw name is a further reading.
func (c *Call) namedMCP(m *MCP, server, tool gjson.Result) {
	for _, v := range [...]gjson.Result{server, tool} {
		if why := badText(v); why != "" || v.Str == "" {
			c.fault("the name of the MCP server or its tool is missing or not a string")
		}
	}
	c.Tool = mcpName(server.Str, tool.Str)
	agrees := c.RawTool == tool.Str
	for _, f := range m.Forms {
		agrees = agrees || plainName(c.RawTool) == plainName(f.Prefix+server.Str+f.Sep+tool.Str)
	}
	if agrees {
		return
	}
	c.boundName()
	c.AlsoTool = append(c.AlsoTool, c.RawTool)
	for _, f := range m.Forms {
		c.AlsoTool = append(c.AlsoTool, f.cut(c.RawTool)...)
	}
}

// boundName notes a name that is too long for all of its readings.
func (c *Call) boundName() {
	if len(c.RawTool) > maxToolName {
		c.fault("the name of the tool is over " + strconv.Itoa(maxToolName) + " bytes long")
	}
}

// maxToolName is the length from which of the readings of a name only the
// likeliest is made: all of them take as much memory as its square. Hosts and
// models take names of at most 128 bytes.
const maxToolName = 1 << 10

// cut returns every reading of a raw name, the likeliest first; none for a name of another form.
func (f MCPForm) cut(raw string) (readings []string) {
	rest, ok := strings.CutPrefix(raw, f.Prefix)
	if !ok {
		return nil
	}
	var places []int
	for i := 1; i+len(f.Sep) < len(rest); i++ {
		if strings.HasPrefix(rest[i:], f.Sep) {
			places = append(places, i)
		}
	}
	if f.Last {
		slices.Reverse(places)
	}
	if len(raw) > maxToolName {
		places = places[:min(1, len(places))]
	}
	for _, i := range places {
		readings = append(readings, mcpName(rest[:i], rest[i+len(f.Sep):]))
	}
	return readings
}

// OwnTool is the canonical name of the tool itself: that of the server's where it does what Tool does.
func (c *Call) OwnTool() string { return cmp.Or(c.Server, c.Tool) }

// OfServer reports whether the call is one of an MCP server's tool, whatever it does.
func (c *Call) OfServer() bool { return strings.HasPrefix(c.Grantee(), "mcp__") }

// OnlyServers reports whether a server's tool is not one that the host takes for its own: a rule of the host is about
// its name alone.
func (c *Call) OnlyServers() bool {
	return c.Server != "" && lookup(c.Host.MCP.Same, c.Server) == c.Server
}

// mcpShells are the names of tools by which servers run a shell: words, as in otherNames, also among words of
// mcpRuns. A name that a database or a game may have for commands of its own (run, exec, command) is one of a
// server named so.
var mcpShells = [...]Pair{
	{"pwsh powershell", "PowerShell"},
	{shellNames + " shellexecute execshell executeshellcommand startprocess wsl", "Bash"},
	{"cmd", "Bash"},
}

// mcpRuns are the words of a name that say that something runs, and no more.
const mcpRuns = "run exec execute invoke command cmd script expression in tool mcp server windows cli"

// borrowMCP finds which tool of the host a server's tool does the same as: one that the host's literal
// names, or a shell that gets a text. A call without a text for it is any call of an MCP tool.
func (c *Call) borrowMCP() {
	if c.Alias || !strings.HasPrefix(c.Tool, "mcp__") {
		return
	}
	tool := lookup(c.Host.MCP.Same, c.Tool)
	if tool == c.Tool {
		tool = ""
		for _, reading := range append([]string{c.Tool}, c.AlsoTool...) {
			tool = cmp.Or(tool, mcpShell(reading))
		}
	}
	f := fieldsOf(tool)
	if f == nil {
		return
	}
	for key, value := range Members(c.Input.Raw) {
		text := len(value) > len(`""`) && strings.ContainsRune(`"[`, rune(value[0]))
		if text && OneOf(f.Main, key) {
			c.Tool, c.Server, c.Alias = tool, c.Tool, true
			return
		}
	}
}

// mcpShell is the shell that a server's tool of a name is, "" for none.
func mcpShell(tool string) string {
	rest := strings.TrimPrefix(tool, "mcp__")
	i := strings.LastIndex(rest, "__")
	if i < 0 {
		return ""
	}
	server, name := rest[:i], rest[i+len("__"):]
	for _, p := range mcpShells {
		said := name != "cmd" && (OneOf(p.From, name) || namesOnly(p.From, name))
		if said || namesOnly(p.From, server) && namesOnly(mcpRuns, name) {
			return p.To
		}
	}
	return ""
}

// namesOnly reports whether a name has one of the words, and else only such as mcpRuns has.
func namesOnly(words, name string) bool {
	found := false
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
		own := OneOf(words, part)
		if found = found || own; !own && !OneOf(mcpRuns, part) {
			return false
		}
	}
	return found
}

func mcpName(server, tool string) string {
	return "mcp__" + plainName(server) + "__" + plainName(tool)
}

// plainName spells a name with the characters tool names may have, as Claude
// Code does.
func plainName(s string) string {
	b := []byte(s)
	for i, c := range b {
		if !letterOrDigit(c) && c != '-' && c != '_' {
			b[i] = '_'
		}
	}
	return string(b)
}

// The last words of fields' names, in small letters or a compound of their own: of shell texts, and of programs whose
// arguments are a field of their own; of programs' texts; of SQL; and of what is SQL, or a search for words. textWords
// may follow each. keyFields are typed into what another field names.
const (
	headWords   = "command cmd shell program executable exe binary "
	runWords    = headWords + shellTexts + " cmds cmdline bash sh bashcommand runcommand terminalcommand exec execute run statement statements"
	codeWords   = "code script scripts cell js javascript py python expression function"
	sqlWords    = "sql sqls sqlquery sqlstatement ddl"
	searchWords = "query queries statement statements stmt migration"
	textWords   = searchWords + " string str text content contents line lines snippet block source"
	listWords   = "commands cmds scripts statements queries sqls" // each element is a text
	keyFields   = "input stdin keys keystrokes"
	typedInto   = "process session terminal pane pid shell"
)

// A nature is what a field may be by its name.
type nature struct{ head, args, runs, keys, code, sql, search, list bool }

// natureOf looks at the last word of a name, in snake, kebab or camel case, or at the one before a word such as text.
func natureOf(name string) (n nature) {
	words := nameWords(name)
	for i := len(words) - 1; i >= 0; i-- {
		is := func(list string) bool { return OneOf(list, words[i]) }
		n.head, n.runs, n.code = n.head || is(headWords), n.runs || is(runWords), n.code || is(codeWords)
		n.sql, n.search, n.list = n.sql || is(sqlWords), n.search || is(searchWords), n.list || is(listWords)
		if !is(textWords) {
			break
		}
	}
	n.args, n.keys = OneOf(argFields, name), OneOf(keyFields, name)
	n.runs = n.runs || n.args || OneOf(shellTexts, name) // command_line
	return n
}

// nameWords are the words of a name in snake, kebab or camel case.
func nameWords(name string) []string {
	var b strings.Builder
	small := func(i int) bool { return i < len(name) && name[i] >= 'a' && name[i] <= 'z' }
	for i := range len(name) {
		capital := name[i] >= 'A' && name[i] <= 'Z'
		if i > 0 && capital && (small(i-1) || small(i+1)) {
			b.WriteByte(' ')
		}
		b.WriteByte(name[i])
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' })
}

// interpreters read a program text. The first two are tried on every one, the others by their language.
var interpreters = [...]Pair{
	{"", "python3 -c"}, {"", "node -e"}, {"ruby rb", "ruby -e"}, {"perl", "perl -e"}, {"php", "php -r"}}

// maxTexts and maxTextBytes bound the texts of one input, maxText one of them.
const maxTexts, maxTextBytes, maxText = 4096, 256 << 10, 60 << 10

// TooMany is the fault of a call with more texts than are looked at.
const TooMany = "tool_input has too many commands to look at"

// Readers tell what texts are: SQL that takes something away and is no search for words, and the name of a program.
type Readers struct{ SQL, Program func(string) bool }

type texts struct {
	Readers
	c    *Call
	all  []*Call
	left int // of maxTextBytes
	over bool
	keys bool // the tool's name says that it types into something
}

// Texts are the shell calls that what may be run in the input of a tool amounts to. What restricts Bash binds them,
// as it does a server's shell.
func (c *Call) Texts(tell Readers) []*Call {
	t := texts{Readers: tell, c: c, left: maxTextBytes, keys: saysTyped(c.RawTool, typedInto+" tmux "+keyFields)}
	Fields("", c.Input, t.field)
	if t.over {
		c.fault(TooMany)
	}
	return t.all
}

// add adds a text in pieces of whole lines. Of a command's nothing may be left out.
func (t *texts) add(by, text, dir string, command bool) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		piece, rest := text, ""
		if len(text) > maxText {
			if piece = text[:maxText]; strings.Contains(piece, "\n") {
				piece = piece[:strings.LastIndexByte(piece, '\n')]
			}
			_, rest, _ = strings.Cut(text[len(piece):], "\n")
		}
		full := len(t.all) >= maxTexts || t.left <= 0
		if t.over = t.over || command && (full || len(piece) == maxText); full {
			return
		}
		t.left -= len(piece)
		t.typed(by, piece, dir)
		text = rest
	}
}

func (t *texts) typed(by, text, dir string) {
	typed := *t.c
	if typed.Command = text; by != "sh" {
		if text[0] == '-' { // a comment of SQL is no option
			text = "\n" + text
		}
		typed.Command = by + " " + quoteArg(text)
	}
	if typed.Command == t.c.Command {
		return
	}
	typed.Tool, typed.Server, typed.Alias, typed.Guessed = "Bash", t.c.OwnTool(), true, by
	typed.Input = gjson.Parse(string(append(AppendJSON([]byte(`{"command":`), typed.Command), '}')))
	typed.URL, typed.AlsoURL, typed.Args, typed.Escape = "", nil, nil, ""
	typed.Under, typed.Filter = nil, nil
	typed.goInto(dir)
	t.all = append(t.all, &typed)
}

// field adds what a field may run, or an element of its list, which has no object.
func (t *texts) field(object, name string, v gjson.Result) {
	if v.Type != gjson.String && !v.IsArray() {
		return
	}
	n := natureOf(name)
	shell, program := v.Str, v.Str
	switch {
	case t.left <= 0 && (n.code || !n.runs): // the budget is spent, and what is left out of it is no fault
		return
	case n == nature{}, v.IsArray() && n.list && object != "":
		return
	case v.IsArray():
		shell, program = listTexts(name, v, n.code)
		n.sql, n.search = false, false // of each element
	case object == "" && !n.list:
		n = nature{sql: n.sql, search: n.search} // all else is read with its list
	}
	b := placeOf(object)
	b.typed = b.typed || t.keys
	if n.keys && !b.typed || n.args && t.takes(b.heads, v) {
		return
	}
	for i := 0; n.head && i < len(b.args); i++ {
		t.add("sh", v.Str+" "+new(Call).joinArgs(name, b.args[i]), b.dir, true)
		n.runs = n.runs && !b.args[i].IsArray() // a quote in a text keeps both from being read
	}
	if n.runs || n.keys || n.code {
		t.add("sh", shell, b.dir, n.runs && !n.args && !n.code)
	}
	if n.code {
		t.add("sh", cellShell(program), b.dir, false)
	}
	for i, p := range interpreters {
		if n.code && (i < 2 || OneOf(p.From, b.language)) {
			t.add(p.To, program, b.dir, false)
		}
	}
	if n.sql || n.search && t.SQL(v.Str) {
		t.add("psql -c", v.Str, b.dir, false)
	}
}

// takes reports whether arguments are those of one of these programs, and no command by themselves: they are read with
// the program then.
func (t *texts) takes(heads []string, args gjson.Result) bool {
	word := len(heads) > 0 && !args.IsArray() && !strings.Contains(args.Str, " ")
	return word || slices.ContainsFunc(heads, func(head string) bool {
		head, _, _ = strings.Cut(strings.TrimSpace(head), " ")
		return t.Program(head) && !OneOf("bash sh zsh", head)
	})
}

// saysTyped reports whether a name has a word for what is typed into, of a list.
func saysTyped(name, list string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return OneOf(list, w) })
}

// A place is what an object says about its texts.
type place struct {
	dir, language string
	heads         []string
	args          []gjson.Result
	typed         bool
}

func placeOf(object string) (b place) {
	for key, value := range Members(object) {
		one := gjson.Parse(value)
		switch {
		case OneOf(shellDirs, key):
			b.dir = one.Str
		case OneOf("language lang runtime interpreter kernel", key):
			b.language = one.Str
		case OneOf(argFields, key):
			b.args = append(b.args, one)
		case one.Type == gjson.String && natureOf(key).head:
			b.heads = append(b.heads, one.Str)
		}
		b.typed = b.typed || saysTyped(key, typedInto)
	}
	return b
}

// listTexts is a list as a shell text, of one command's words or of lines, and as the lines of a program.
func listTexts(name string, list gjson.Result, code bool) (shell, program string) {
	list.ForEach(func(_, e gjson.Result) bool {
		program += e.Str + "\n"
		return true
	})
	first, _, _ := strings.Cut(program, "\n")
	words := strings.Contains("\n"+program, "\n-") || OneOf("echo printf grep rg git", first) // these may have blanks
	if strings.Contains(first, " ") || (code || !words) && strings.Contains(program, " ") {
		return program, program
	}
	return new(Call).joinArgs(name, list), program
}

// cellShell are the shell lines of a notebook's cell: !COMMAND, NAME = !COMMAND, %sh COMMAND, and all after %%bash.
func cellShell(cell string) string {
	var b strings.Builder
	for line := range strings.Lines(cell) {
		line = strings.TrimSpace(line)
		before, run, marked := strings.Cut(line, "!")
		name, assigns := strings.CutSuffix(strings.TrimSpace(before), "=")
		magic, rest, _ := strings.Cut(line, " ")
		switch {
		case OneOf("%%bash %%sh", magic) && strings.HasPrefix(magic, "%%"):
			_, all, _ := strings.Cut(cell, line+"\n")
			return b.String() + all
		case marked && (before == "" || assigns && !strings.ContainsAny(name, "<>=(\"'")):
			b.WriteString(strings.TrimLeft(run, "!") + "\n")
		case strings.HasPrefix(magic, "%") && OneOf("%sh %sx %system", magic):
			b.WriteString(rest + "\n")
		}
	}
	return b.String()
}
