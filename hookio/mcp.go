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

// The fields of shell texts, whatever the tool is called, and of programs whose arguments are a field of their own:
// words, as in otherNames. maySQL is SQL, or a search for words.
const (
	headFields = " command cmd shell program executable exe binary "
	runFields  = shellTexts + headFields + argFields + " cmds cmdline bashcommand bash sh scripts statement " +
		"statements input stdin keys keystrokes exec execute run runcommand terminalcommand"
	maySQL = "query queries statement statements"
)

// interpreters read a program text. The first two are tried on every one, the others by their language.
var interpreters = [...]Pair{
	{"", "python3 -c"}, {"", "node -e"}, {"ruby rb", "ruby -e"}, {"perl", "perl -e"}, {"php", "php -r"}}

// maxTexts bounds the texts of one input, maxText is how much is read of one.
const maxTexts, maxText = 4096, 60 << 10

// Texts are the shell calls that what may be run in the input of a tool amounts to. What restricts Bash binds them,
// as it does a server's shell. isSQL tells a text that takes something away from a search for words.
func (c *Call) Texts(isSQL func(string) bool) (all []*Call) {
	Fields("", c.Input, func(object, name string, v gjson.Result) {
		if len(all) >= maxTexts {
			c.fault("tool_input has too many commands to look at")
			return
		}
		fieldTexts(object, name, v, isSQL, func(by, text, dir string) {
			typed := *c
			if text = strings.TrimSpace(text); len(text) > maxText { // to the end of a line, if it has several
				if text = text[:maxText]; strings.Contains(text, "\n") {
					text = text[:strings.LastIndexByte(text, '\n')]
				}
			}
			if typed.Command = text; by != "sh" {
				typed.Command = by + " " + quoteArg(text)
			}
			if text != "" && typed.Command != c.Command {
				typed.Tool, typed.Server, typed.Alias, typed.Guessed = "Bash", c.OwnTool(), true, by
				typed.Input = gjson.Parse(string(append(AppendJSON([]byte(`{"command":`), typed.Command), '}')))
				typed.URL, typed.AlsoURL, typed.Args, typed.Escape = "", nil, nil, ""
				typed.Under, typed.Filter = nil, nil
				typed.goInto(dir)
				all = append(all, &typed)
			}
		})
	})
	return all
}

// fieldTexts calls add with what a field may run, or an element of its list, which has no object.
func fieldTexts(object, name string, v gjson.Result, isSQL func(string) bool, add func(by, text, dir string)) {
	runs, code := OneOf(runFields, name), OneOf("code script scripts", name)
	sql := OneOf("sql sqls sqlquery sqlstatement", name)
	switch argv := !OneOf("commands cmds scripts statements queries sqls", name); {
	case !runs && !code && !sql && !OneOf(maySQL, name):
		return
	case v.IsArray() && (argv || object == ""):
		all, text := v.Array(), new(Call).joinArgs(name, v)
		if len(all) > 0 && strings.Contains(all[0].Str, " ") { // no program has such a name: all are texts
			text = ""
			for _, one := range all {
				text += one.Str + "\n"
			}
		}
		v.Type, v.Str = gjson.String, text
	case v.Type != gjson.String, argv && object == "":
		return
	}
	dir, language := "", ""
	for key, value := range Members(object) {
		switch one := gjson.Parse(value); {
		case OneOf(shellDirs, key):
			dir = one.Str
		case OneOf("language lang runtime interpreter kernel", key):
			language = one.Str
		case OneOf(argFields, key) && OneOf(headFields, name):
			add("sh", v.Str+" "+new(Call).joinArgs(key, one), dir)
			runs = runs && !one.IsArray() // a quote in a text keeps both from being read
		case OneOf(argFields, name) && OneOf(headFields, key) && one.Type == gjson.String:
			return // they are read with it
		}
	}
	if runs || code {
		add("sh", v.Str, dir)
	}
	for i, p := range interpreters {
		if code && (i < 2 || OneOf(p.From, language)) {
			add(p.To, v.Str, dir)
		}
	}
	if sql || OneOf(maySQL, name) && isSQL(v.Str) {
		add("psql -c", v.Str, dir)
	}
}
