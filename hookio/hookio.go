// Package hookio reads one tool call from an agent's hook and writes one answer back.
//
// It knows the wire: how each host spells a call, what it does with our bytes
// and exit code, and nothing of rules or shells. Strings are kept exactly as
// the host sent them; what they mean is decided elsewhere.
package hookio

import "github.com/tidwall/gjson"

// A Decision is the answer to one tool call, in order of strictness, so that
// max is "the strictest wins". Pass, the zero value, is no opinion: only code
// that writes Allow by hand can allow.
type Decision uint8

const (
	Pass Decision = iota
	Allow
	Ask
	Deny
)

// String returns the word used on the wire and on the command line; Pass is "pass".
func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "pass"
}

// Access says what a tool does with a path.
type Access uint8

const (
	AccessNone Access = iota
	AccessRead
	AccessWrite
)

// An Arg is one path parameter of a tool call, exactly as sent.
type Arg struct {
	Path   string
	Access Access
	// Pattern: the path may match as a glob (* ? [ ] in a name, ** across folders,
	// dot files too). It is also a plain Arg, for a file of that very name.
	Pattern bool
}

// An Event is the canonical name of a hook event. The first three get a
// decision; every other event is read and answered with silence.
type Event string

const (
	PreToolUse        Event = "PreToolUse"
	PermissionRequest Event = "PermissionRequest"
	// PreSkillShellCommand is about a command in the text of a skill or slash command, which the host has checked
	// before: it asks no one, and what is not denied runs.
	PreSkillShellCommand Event = "PreSkillShellCommand"

	// How a call ended, for the log.
	PostToolUse        Event = "PostToolUse"
	PostToolUseFailure Event = "PostToolUseFailure"
	PermissionDenied   Event = "PermissionDenied"
	SessionEnd         Event = "SessionEnd"
)

// Decides reports whether the event carries a tool call that wants an answer.
func (e Event) Decides() bool {
	return e == PreToolUse || e == PermissionRequest || e == PreSkillShellCommand
}

// ofCall reports whether the event is about one tool call, before or after it.
func (e Event) ofCall() bool {
	return e.Decides() || e == PostToolUse || e == PostToolUseFailure || e == PermissionDenied
}

// A Call is one tool call with Claude Code's tool and field names, whatever the host's are.
type Call struct {
	Host  *Host // never nil after Read
	Named bool  // the host was given by --host, not guessed from the payload
	Event Event
	// RawEvent is the event as the host or --event spells it, or "": its answer may depend on that.
	RawEvent string
	Tool     string // canonical tool name: "Bash", "Edit", "mcp__server__tool"
	RawTool  string // the name as the host sent it
	// Alias: RawTool is no name of the host's literal, and other systems have it for Tool.
	// What restricts Tool binds then, and what is granted to it is not. The same holds for an MCP tool that does what
	// Tool does.
	Alias bool
	// Server is the canonical name of that MCP tool, "" for none.
	Server string
	// Guessed is what reads the command where that is a text in the input of another call, see Texts: sh, or a program
	// that is taken to. A rule about every call of a tool does not speak of it.
	Guessed string
	// AlsoTool holds more names of the tool: other cuts of an MCP tool's, and other names in rules.
	AlsoTool []string
	Called   string // the tool under the name that the payload has for its MCP server
	CallID   string // the host's id of the call; "" when it sends none
	// Skill is what holds the command of PreSkillShellCommand, and SkillSource whose it is, both as sent.
	Skill, SkillSource string

	Command string   // Bash, Monitor, PowerShell
	Dir     string   // folder the command runs in, where the call names one: absolute or below Cwd; "" is Cwd
	URL     string   // WebFetch
	AlsoURL []string // further URLs of a call that fetches several
	Name    string   // what a pattern of any other tool is matched on (Agent type, skill, query, ...)
	HasName bool
	Label   bool         // Name may be a label that the model makes up: what restricts it binds, and no grant to it does
	Args    []Arg        // every path parameter, in order; the first is the primary one
	Under   []string     // patterns of files below the primary path (or cwd), which a search takes
	Filter  []string     // patterns of the names a search takes below these
	Input   gjson.Result // the whole tool_input object; scalar fields serve Tool(param:value) rules
	Primary string       // name of the primary field in Input, "" when the tool has none
	// Escape is what asks to run a command outside of the host's sandbox, a field of the input or the event; "" for
	// nothing.
	Escape string

	// Malformed says why tool_input may not mean what it seems to (duplicate keys,
	// wrong type, missing field), or "". Such a call is denied or asked about.
	Malformed string

	Cwd        string // as sent; "" when the payload has none
	Project    string // project directory the payload names; "" when it names none
	Transcript string
	SessionID  string
	AgentID    string
	AgentType  string
	RawMode    string // permission mode as sent
	Mode       string // RawMode in permgate's vocabulary; RawMode itself when the host's map has no entry
	PlanFile   string // the host's own plan file, when the call names one
	Scratch    string // folder for scratch files that the host names; "" when it names none
	Note       string // of an event that does not decide: the reason or error it gives
	// Interrupted: of PostToolUseFailure, the person stopped the call, be it before it began.
	Interrupted bool

	// AllowForSession is set by who decides, not by the payload: with an allow of
	// PermissionRequest the host is told to allow the text of Command by itself
	// until its session ends. It is left out for hosts that take no such answer.
	AllowForSession bool
}

// Subagent reports whether the call comes from a subagent. Claude Code's
// agent_type alone names the main session's agent; see Host.AgentTypeIsMain.
func (c *Call) Subagent() bool {
	return c.AgentID != "" || c.AgentType != "" && !(c.Host != nil && c.Host.AgentTypeIsMain)
}

// ProjectSkill is the project's skill or slash command whose text holds the call, "" for none. Where the host does not
// say whose it is, it may be the project's.
func (c *Call) ProjectSkill() string {
	switch {
	case c.Event != PreSkillShellCommand || c.SkillSource != "" && c.SkillSource != "projectSettings":
		return ""
	case c.Skill == "":
		return c.SkillSource
	}
	return c.Skill
}

// An Answer is what goes back to the host. Decision Pass is silence, as if there were no hook.
type Answer struct {
	Decision Decision
	Reason   string
	Allow    string // the command with which the user allows the call from now on, "" for none
}

// An AskForm says what a host makes of "ask".
type AskForm uint8

const (
	AskPrompts AskForm = iota + 1 // the host shows a prompt
	AskSilent                     // silence leads to the host's own prompt
	AskDenies                     // the host cannot ask: deny, with a reason that says so
)

// A Pair maps one name to another.
type Pair struct{ From, To string }

// An EventName maps a host's name of an event to the canonical one.
type EventName struct {
	Name  string
	Event Event
}

// A Host is one agent program: how it spells calls, answers and modes, and how
// it is told to call the hook. It is data; adding a host is one literal in one
// file of its own, named in Hosts.
type Host struct {
	// OnWindows is the shell that reads what its shell tool is given on Windows.
	OnWindows WindowsShell
	Name      string   // value of --host
	Aliases   []string // other values of --host
	Title     string
	Roots     []string // settings folders of its ecosystem, for defaultMode: ".claude"

	// Detect reports whether a payload carries this host's marks.
	Detect func(payload Top) bool
	// Events maps the host's names of events; a name it lacks is Claude Code's own.
	Events []EventName
	// Fields maps further spellings of payload fields to Claude Code's. One host
	// may send both spellings; they must say the same then.
	Fields []Pair
	// InputText: tool_input may come as the text of a JSON object.
	InputText bool
	// OmitsEmpty: tool_input is left out where it has no members.
	OmitsEmpty bool
	// Shapes say which fields of the input of the host's own tools decide; a
	// tool they lack has the shape of its canonical name.
	Shapes []Shape
	// Decode fills c from a payload; nil means the fields above.
	Decode func(c *Call, payload Top)
	// Silence is printed for no opinion on an event that decides; most hosts take "" for that.
	Silence string
	// Reader is what the host makes of the way its hook ends.
	Reader []Reading
	Calls  string // what calls permgate as docs/seeds.md has it, where install cannot register it
	Driven Driven // the last run that found Reader to hold
	// Answers are the places of a decision in an answer; the first that holds one counts.
	Answers []AnswerKey
	AnyExit bool // a decision counts whatever the exit code, except 2
	Strict  bool // JSON without a decision is a hook that failed
	Reasons bool // permissionDecision "deny" without a reason likewise
	// Encode appends the line for a; it is never called with Pass.
	Encode func(dst []byte, c *Call, a Answer) []byte

	Modes []Pair // host mode name -> permgate mode name
	Tools []Pair // host tool name -> canonical tool name
	MCP   MCP    // how it spells tools of MCP servers; zero: as Claude Code does

	// AskIs says what an ask becomes for a call of this host.
	AskIs func(c *Call) AskForm
	// SilenceRuns is true where silence lets the tool run without the host's
	// own permission flow, so that "defer" must not be silence there.
	SilenceRuns bool
	// CwdMoves: the payload's cwd is where the call asks to run; the session works in the hook's.
	CwdMoves        bool
	Shared          bool // other programs run this host's settings files: their marks in a payload win over --host
	AgentTypeIsMain bool // agent_type without agent_id names the main session
	// URIs: a path may be a URI.
	URIs bool
	// Guards are path components whose writes the host asks about, or approves in
	// bypassPermissions, in spite of a hook's ask; only a deny holds.
	Guards         []string
	AutoClassifier bool // the host judges calls itself in mode auto: an allow would silence it
	// Refused reports whether a PostToolUse is about a call that never ran.
	Refused          func(p Top) bool
	AllowsForSession bool          // an allow of PermissionRequest may hold updatedPermissions with a rule for the session
	PlanPasses       []string      // tools that mode plan does not deny besides the safe ones: they plan, and change nothing
	SubagentsPrompt  bool          // the host can prompt for a call made inside a subagent
	ProjectVar       string        // environment variable that names the project directory
	Snapshots        string        // folder, below its own, of the functions and aliases its shells start with
	Alone            Alone         // what it does by itself where the hook is silent
	Dialog           Dialog        // where an ask is a question to a person, and nothing else answers it
	Register         *Registration // nil: registered by hand
	Source           string        // where the facts are from, with version and date
}
