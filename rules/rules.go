// Package rules holds permission rules and what a policy says, and matches rules
// against ready-made subjects. It is pure: it reads no file, and knows neither
// hosts nor shells nor decisions. It says which rules match, never what follows.
// Package load reads the settings files.
package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// A Pos is a place in a settings file, agent definition or flag. Line and Col
// start at 1; both are 0 for what is in no file.
type Pos struct {
	File string
	Line int
	Col  int
}

func (p Pos) String() string {
	file := NativeOS().Native(p.File)
	if p.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Col)
}

// A Scope is where a rule comes from. Higher values take precedence for
// single-valued keys; rules of all scopes count together.
type Scope uint8

const (
	ScopeNone Scope = iota
	User
	Shared
	Local
	Flag
	Managed
	Agent   // front matter of an agent definition
	Skill   // allowed-tools of a skill
	Session // grants of the running session
)

func (s Scope) String() string {
	return [...]string{"none", "user", "shared", "local", "flag", "managed", "agent", "skill", "session"}[s]
}

// OfProject reports whether files of the scope come with a project.
func (s Scope) OfProject() bool { return s == Shared || s == Local || s == Agent }

// A List is the list a rule is in, which also decides how widely it is read.
type List uint8

const (
	NoList List = iota
	Allow
	Ask
	Deny
	Whitelist // tools of permgate.json and --tools: names as in deny, patterns as in allow
)

func (l List) String() string { return [...]string{"none", "allow", "ask", "deny", "tools"}[l] }

// A Rule is one Tool or Tool(pattern) entry.
type Rule struct {
	Text    string // as written
	Tool    string // "Bash"; deny and ask also take "*" and "mcp__*"
	Pattern string // text between the parentheses, without the escapes of a .claude file
	Written string // that text as it is in the file, where it differs: deny and ask are read so as well
	Bare    bool   // no pattern, or one that matches every call of the tool
	List    List
	Scope   Scope
	Pos     Pos
	// from a .claude file: deny and ask also match what Claude Code's grammar matches, allow only what both do
	Claude bool
	Spares string // other tools that it does not speak of, each between blanks
	Note   string // how a malformed deny or ask was read; "" for a well-formed rule
	// an entry of "urls" in a permgate.json, which Text is then, and no rule text
	URL *URLEntry
}

// A Fault is something in a settings file that cannot be used. What was valid
// next to it stays in force.
type Fault struct {
	Pos   Pos
	Scope Scope
	Msg   string
	// Closed marks a fault of the whole file (decisions 6, step 0): while one
	// exists, allows of steps 3 to 7 become asks. A malformed single rule is not one.
	Closed bool
	Key    bool // it is an unknown key of permgate.json: what the file says otherwise counts
}

// A Path is an absolute, cleaned path as given and with symlinks resolved.
// Real equals Given when there is nothing to resolve.
type Path struct{ Given, Real string }

// Each yields both forms of a path, or the one that both are.
func (p Path) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		if yield(p.Given) && p.Real != p.Given {
			yield(p.Real)
		}
	}
}

// A Subject is what one rule is matched against: a whole call, one subcommand
// of a shell text, or one path of either. Everything in it is ready-made.
type Subject struct {
	Tool string // canonical tool name
	// further names the tool may have: a deny or ask rule binds by any of them, an allow rule has to know (see Match)
	Also []string
	// the name the host has for the tool, where only other systems have it for Tool: what restricts Tool binds, and an
	// allow rule has to spell this name
	Alias   string
	Bare    bool     // only rules that match every call of the tool may match (malformed input)
	Command *Command // Bash, Monitor: one subcommand; nil for a text without any
	Path    *Path    // file tools and file operands
	Glob    string   // Path holds a pattern (globs and braces in a shell operand): compared as patterns
	Dots    bool     // a wildcard of Glob also matches a dot at the start of a name
	Listed  bool     // what Glob finds are subjects of their own: only what holds for each of them counts
	// Glob is what a program looks for below a folder: a rule counts where the pattern spells what it names
	Named   bool
	Reading Reading // how far rules about reading count
	Tree    bool    // the call takes Path away with all that is below it
	URL     *URL
	Name    string // Agent type, skill, or the primary field of any other tool
	HasName bool
	Label   bool    // no allow rule matches by Name
	Fields  []Field // scalar top-level input fields
	Whole   string  // the whole text that Command is a part of, see Rule.Whole
}

// A Reading says how far rules about reading count for a file that is reached
// through a folder or a pattern. The zero value leaves them as they are.
type Reading uint8

const (
	CertainReads Reading = iota + 1 // where they match for certain: what is below Path stays where it is
	NoReads                         // not at all: nothing of the file is shown
)

// A Field is one scalar of a tool's input, for Tool(param:value) rules.
type Field struct {
	Name, Value string
	// JSON is the value before it is looked at: what is written into a file may be
	// long, and few rules speak about it. It is decoded once.
	JSON string
}

// text is the value, decoded.
func (f *Field) text() string {
	if f.JSON != "" {
		f.Value, f.JSON = gjson.Parse(f.JSON).String(), ""
	}
	return f.Value
}

// A URL is what WebFetch rules look at.
type URL struct {
	Text string // as sent
	Host string // canonical: ASCII, lower case, no port, no trailing dot; IPv4 dotted
	// false when parsing was not beyond doubt: such a URL matches no allow rule and every deny or ask that could
	Sure bool
	// Picked: no protocol is named, so the program picks one, and Text has a guess.
	Picked bool
	Open   bool // Text is only how it begins: the path goes on in a way not known before it runs
}

// A Command is one subcommand, ready for matching.
type Command struct {
	Allow []grammar.Text // an allow rule must cover one of these
	Exact []grammar.Text // tried by rules without wildcard only (wrappers left on)
	Deny  []grammar.Text // tried by deny and ask besides Allow and Exact
	// Narrow is empty, or says why a patterned allow rule does not cover this
	// command (decisions 4: options that execute or write, unsafe git globals, ...).
	Narrow string
	// Spelled says that the texts show what Narrow is about, as they show an
	// option and never an assignment: then a rule without wildcard, which spells
	// it too, does cover the command.
	Spelled bool
	// Means reports whether the command has the options that a deny or ask rule names in another spelling or place: for
	// certain (all), or for some values. nil has none.
	Means func(rule *grammar.Reading) (all, some bool)
}

// A Hit is a rule that matches a subject. Sure is false when it matches only
// for some values of the holes; for allow only sure hits are returned. Whole is
// set when the rule spells the whole text, and so covers all its parts.
type Hit struct {
	Rule  *Rule
	Sure  bool
	Whole bool
}

// SafeTool reports whether calls of a tool are allowed where no rule speaks:
// it neither changes the machine nor runs anything (decisions 2, step 7).
func SafeTool(name string) bool {
	switch name {
	case "Read", "Glob", "Grep", "WebFetch", "WebSearch", "LSP",
		"TaskCreate", "TaskGet", "TaskList", "TaskUpdate",
		"AskUserQuestion", "CronList":
		return true
	}
	return false
}

// EditTool reports whether a tool changes files.
func EditTool(name string) bool {
	switch name {
	case "Edit", "Write", "NotebookEdit":
		return true
	}
	return false
}

// Tools are the tools a rule can name, those of MCP servers apart.
var Tools = [...]string{
	"Bash", "PowerShell", "Monitor", "Read", "Glob", "Grep", "LS", "LSP", "NotebookRead",
	"Edit", "Write", "NotebookEdit", "MultiEdit", "apply_patch", "WebFetch", "WebSearch", "Agent", "Task", "Skill", "MCP",
	"AskUserQuestion", "BashOutput", "KillShell", "KillBash", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate",
	"TaskOutput", "TaskStop", "TodoRead", "TodoWrite", "EnterPlanMode", "ExitPlanMode",
	"EnterWorktree", "ExitWorktree", "SlashCommand", "ToolSearch", "SendMessage", "TeamCreate", "TeamDelete",
	"ListMcpResourcesTool", "ReadMcpResourceTool", "CronCreate", "CronDelete", "CronList", "RemoteTrigger",
	"StructuredOutput", "Sleep", "Brief", "Config", "Cd",
	"Memory", "Sampling", "Extension", // what hosts have a tool for under many names
	Sandbox, // what a call does besides: it leaves the sandbox
}

// Sandbox is no tool of a host: Sandbox(escape) is what a call does that asks to run outside of the host's sandbox.
const (
	Sandbox = "Sandbox"
	Leaves  = "escape"
)

// KnownTool reports whether a rule for the tool can mean a tool of some host.
// Names of MCP tools and name patterns always can.
func KnownTool(name string) bool {
	return mcpTool(name) || strings.ContainsAny(name, "*?") || slices.Contains(Tools[:], name)
}

// CanonicalTool returns the name that rules and calls use for a tool.
func CanonicalTool(name string) string {
	switch name {
	case "Task":
		return "Agent"
	case "MultiEdit", "apply_patch":
		return "Edit"
	}
	return name
}

// CommandTool reports whether a tool runs commands.
func CommandTool(name string) bool {
	return name == "Bash" || name == "Monitor" || name == "PowerShell"
}

// readTool reports whether a Read rule speaks about the tool.
func readTool(name string) bool {
	switch name {
	case "Read", "Grep", "Glob", "LSP", "LS", "NotebookRead":
		return true
	}
	return false
}

func mcpTool(name string) bool { return strings.HasPrefix(name, "mcp__") && len(name) > len("mcp__") }

// mcpPrefix returns the length of mcp__server__ at the start of a name, more
// than the whole when there is no such prefix. A wildcard is no server.
func mcpPrefix(name string) int {
	if mcpTool(name) {
		if i := strings.Index(name[5:], "__"); i > 0 && !strings.ContainsAny(name[:5+i], "*?") {
			return 5 + i + 2
		}
	}
	return len(name) + 1
}

// SystemFolders are those whose programs allow rules know by their base names.
var SystemFolders = [...]string{"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"}
