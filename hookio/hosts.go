package hookio

import (
	_ "embed" // of the examples
	"slices"
	"strings"
)

// An Alone says what a host does by itself where the hook is silent: how far
// silence is an answer. The zero value promises nothing: the host checks no
// workspace, enforces no mode, may read every permission file, and has no files
// of its own.
type Alone struct {
	// Workspace lists calls that the host stops or asks about when they write outside its folders.
	Workspace []ToolModes
	// Enforces lists the modes that the host enforces by itself, in permgate's names.
	Enforces []string
	// Rules names settings folders (".claude") whose rules the host reads; nil (unknown) is all.
	Rules []string
	// Grammar says how its rules cover commands; nil (not driven) is the widest way, except for writes.
	Grammar *Grammar
	// Own lists the files that the host tells its agent to write.
	Own []OwnFiles
	// Source says where that is from.
	Source string
}

// A Grammar is how rules of a host on commands are read, as far as it was seen.
type Grammar struct {
	// Redirects: a rule on a command also covers what a redirect of that writes into the host's folders.
	Redirects bool
	// Names of commands, blank-separated: Reads are those that the host runs by itself as far as they only read, Edits
	// those in acceptEdits; Blind those that no rule covers, and Through those it looks through at the command they
	// run.
	Reads, Edits, Blind, Through string
	// Suspends are the beginnings of rules that do not count in auto, with | between them, besides those on every command
	// and on agents.
	Suspends string
	// Variables may be set in front of a command that a rule covers, to plain values.
	Variables string
}

// Inert reports whether a rule covers a command behind a variable that is set to a value.
func (g *Grammar) Inert(name, value string) bool {
	plain := strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-") == ""
	return value != "" && plain && slices.Contains(strings.Fields(g.Variables), name)
}

// A WindowsShell is the shell in which a host on Windows runs what permgate knows as its Bash tool, or its hooks. The
// zero value is one that is not known: what bash and PowerShell would read differently is a doubt.
type WindowsShell struct {
	Shell  Shell
	Source string // where that is from
}

// A Shell is a language of commands.
type Shell uint8

const (
	Bash       Shell = iota + 1 // Git Bash, or a reader of its own of the same language
	PowerShell                  // Windows PowerShell or PowerShell 7
	NoQuotes                    // of hooks: words between blanks, where a quote is a sign like others
)

// A ToolModes is some tools in some modes, both in permgate's names.
type ToolModes struct{ Modes, Tools []string }

// A Base is the folder that the place of a host's own file starts from.
type Base uint8

const (
	BaseHome Base = iota + 1 // the user's home
	// the folder of the session's transcript; where none is sent, the one named after the project
	BaseSession
	BaseScratch // the folder the payload names for scratch files, which is below a temporary one
	BaseProject // the project
)

// An OwnFiles is a place where the host's agent keeps files of its own.
type OwnFiles struct {
	Base Base
	// Dir is the folder below the base, or ""; a component may be * (any) or {session} (its id), and with
	// BaseSession the first may be "..".
	Dir  string
	Ext  string // ending of the names of its files; "" is any
	Deep bool   // everything below it, not only the files in it
	// Shell: writes of shell commands count as well as those of the file tools.
	Shell bool
	Key   string // setting that names another folder, of the project or with BaseSession anywhere; "" for no such setting
	Plans bool   // what mode plan is for
	// Projects is the folder below the home that holds one folder per project,
	// for BaseSession.
	Projects string
	Doc      string // what is kept there
}

// ChecksWorkspace reports whether the host, in a mode, stops or asks about a tool's writes outside.
func (h *Host) ChecksWorkspace(tool, mode string) bool {
	return slices.ContainsFunc(h.Alone.Workspace, func(tm ToolModes) bool {
		return slices.Contains(tm.Tools, tool) && slices.Contains(tm.Modes, mode)
	})
}

// Enforces reports whether the host enforces a mode by itself.
func (h *Host) Enforces(mode string) bool { return slices.Contains(h.Alone.Enforces, mode) }

// ReadsRules reports whether the rules in a settings folder bind the host too, or may do so.
func (h *Host) ReadsRules(root string) bool {
	return h.Alone.Rules == nil || slices.Contains(h.Alone.Rules, root)
}

// A Dialog says where a call that a hook asks about goes on only if a person said yes in the host's own dialog.
type Dialog struct {
	Env   []Pair   // variables of a session in front of a person, and their values
	Modes []string // in which an ask is that dialog, in permgate's names
	// Source says where that is from.
	Source string
}

// Attended reports whether, in a mode, nothing but the host's own dialog lets a call go on that a hook asks about.
func (h *Host) Attended(mode string, getenv func(string) string) bool {
	d := &h.Dialog
	absent := func(v Pair) bool { return getenv(v.From) != v.To }
	return len(d.Env) > 0 && slices.Contains(d.Modes, mode) && !slices.ContainsFunc(d.Env, absent)
}

// Lookup returns the host called name (or one of its aliases), or nil if none.
func Lookup(name string) *Host {
	for _, h := range Hosts() {
		if h.Name == name || slices.Contains(h.Aliases, name) {
			return h
		}
	}
	return nil
}

// Hosts returns every host permgate speaks with, in the order their marks are
// tried on a payload: what only one program sends comes before what others
// borrow, Claude Code's form before its followers', and generic, which takes
// every tool call, is last. A new host is added here and nowhere else.
func Hosts() []*Host {
	return []*Host{&opencode, &kilo, &cursor, &antigravity, &grok, &goose, &crush, &droid, &codex, &gemini, &vscode, &copilot, &caliban,
		&claude, &qwen, &san, &gen, &coreAgent, &exAthena, &generic}
}

// HostNames are the names of Hosts, for messages.
func HostNames() string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return strings.Join(names, ", ")
}

// An Example is a payload for doctor, bench and the golden files (testdata/hosts/NAME/golden.txt).
type Example struct {
	Name  string
	Event Event
	In    string // on stdin
}

// examples has a line for each: the host, the event, a name, and what comes on stdin, with tabs in between.
//
//go:embed examples.tsv
var examples string

// Examples are payloads of the host.
func (h *Host) Examples() (all []Example) {
	for line := range strings.Lines(examples) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if f[0] == h.Name {
			all = append(all, Example{Event: Event(f[1]), Name: f[2], In: f[3]})
		}
	}
	return all
}

// A Registration is how a host is told to call the hook, for install, doctor and docs/hosts.md.
type Registration struct {
	Programs []string // names the host has on PATH
	Folder   string   // folder that shows it was used here
	// Files keep its hooks. Of those for one scope and system the first that
	// holds counts; see HookFile.IfThere.
	Files []HookFile
	// Moved is a folder of Files and the environment variable that puts another
	// in its place: {"~/.codex", "CODEX_HOME"}.
	Moved Pair
	// Head are the members a new file starts with: {"version", "1"}.
	Head []Member
	// Plugin is the key of enabledPlugins, in Files, that switches on a plugin with the same hooks.
	Plugin string
	// Beside are further files that have to be there, of a plugin for example.
	Beside []TextFile

	Flat     bool     // events list handlers, not groups of handlers
	Matcher  string   // matcher that every tool meets; "" leaves the key out
	Command  []Pair   // GOOS to the key of the shell command; From "" is every other system
	Exec     bool     // "command" is the program and "args" its arguments: no shell reads them
	Fixed    []Member // further members of every handler: {"type", `"command"`}
	Timeout  string   // key of the time-out
	Millis   bool     // it is in milliseconds, not seconds
	FailShut Member   // makes a failed gate block
	OrExit2  bool     // only exit code 2 blocks: the command ends in one, with a reason, whatever the hook ends with
	OrDeny   bool     // no exit code blocks: the command prints {"decision":"deny"} after a hook that failed
	First    bool     // the first hook that decides counts: ours goes before those of others
	Async    Member   // lets a hook run in parallel to the session
	// Sh: other than on Windows a POSIX shell runs the command, not the user's own,
	// which may be fish or csh. false where that is not known.
	Sh bool
	// OnWindows is what runs the command there. Where it is not known, the command is one that cmd and sh read alike.
	OnWindows WindowsShell
	Windows   []Member // further members of every handler there

	Events  []HookEvent
	Posture []Recommended // keys of permgate.json that install writes
	// Inherits: the host also runs the hooks of .claude files, until its own files hold an entry for the same event,
	// and of an event that several of these hold it runs only those of the last.
	Inherits bool
	Plain    bool // it reads nothing of a file with comments or trailing commas
	Off      []OffSwitch
	After    string   // what the user has to do once after each change
	Notes    []string // what a user of some version has to know
	Source   string   // where the facts are from
}

// A Member is one key with its value as JSON.
type Member struct{ Name, JSON string }

// A Recommended is a key that install writes into permgate.json, and its version among
// the host's: who installed an earlier one is offered it once.
type Recommended struct {
	Name, JSON string
	Since      int
}

// Does says in a clause what the key makes permgate do.
func (k *Recommended) Does() string {
	switch k.Name + " " + strings.Trim(k.JSON, `"`) {
	case "catastrophic deny":
		return "denies what destroys the machine or your home, or runs what it downloads"
	case "destructive practical":
		return "asks before it deletes what git cannot bring back, but not about build output and temporary files"
	case "secrets ask":
		return "asks before keys and tokens are read"
	case "onUnmatched defer":
		return "leaves every call that no rule speaks about to the program"
	case "subagents host":
		return "decides for subagents as for the main agent"
	case "projectTrust require":
		return "counts what a project's files allow only once you trust them (permgate trust)"
	case "expandScripts true":
		return "looks into the scripts of the project that a command starts"
	case "rememberYes true":
		return "does not ask twice in a session about the same file"
	}
	return "has " + k.Name + " " + k.JSON
}

// Whose file it is. A managed one is an administrator's.
const (
	ForUser    = "user"
	ForProject = "project"
	ForManaged = "managed"
)

// A HookFile is one place where a host keeps hooks.
type HookFile struct {
	Scope   string
	OS      string // GOOS; "" is every system
	Path    string // "~/...", relative to the project, or absolute
	Root    string // key that holds the events; "" is the file itself
	Own     bool   // made by install and taken away by uninstall
	IfThere bool   // counts only when it exists
	Hides   bool   // an event it holds is not read from the files after it
}

// A TextFile is a file install writes next to a HookFile; Path is relative to that folder. A text that
// begins with Mark is ours, of whatever version: install brings it up to date, and uninstall removes it.
type TextFile struct {
	Path, head, Mark string
	rest             *string // nil for nothing
}

// Text is what is in the file.
func (f *TextFile) Text() string {
	if f.rest == nil {
		return f.head
	}
	return f.head + *f.rest
}

// Ours reports whether a text is one that install wrote.
func (f *TextFile) Ours(text []byte) bool {
	return string(text) == f.Text() || f.Mark != "" && strings.HasPrefix(string(text), f.Mark)
}

// A HookEvent is one event to register.
type HookEvent struct {
	Name string // as the host spells it
	// Matcher replaces the registration's, for an event that is not called for every tool.
	Matcher string
	// Gates: a failure of this hook must block. At a permission dialog it only leaves the dialog.
	Gates   bool
	Records bool // only tells the log how a call ended
	Async   bool // may run in parallel to the session
	NoTool  bool // it is not about a tool: no matcher
	// Since is the first release that knows the event, "" for any. install leaves it out of older ones, for Claude Code
	// warns of an unknown one at each start; they run What without the hook, unless the setting Off is true.
	Since, What, Off string
}

// An OffSwitch is a setting that keeps a host from running hooks.
type OffSwitch struct {
	Scope string // whose file it is in
	Path  string // as in HookFile; "" is the HookFile of the scope itself
	Key   string // keys joined by dots; the file is TOML when Path ends in .toml
	Value string // the value that switches off, or an element of the list that does
	// Spares is the scope whose hooks run all the same, "" for none.
	Spares string
}

// Parts several hosts have in common.
var (
	eventsClaude = []EventName{
		{"PreToolUse", PreToolUse}, {"PermissionRequest", PermissionRequest}, {"PostToolUse", PostToolUse},
		{"PostToolUseFailure", PostToolUseFailure}, {"SessionEnd", SessionEnd},
	}
	fieldsCamel = []Pair{
		{"sessionId", "session_id"}, {"transcriptPath", "transcript_path"}, {"permissionMode", "permission_mode"},
		{"hookEventName", "hook_event_name"}, {"toolName", "tool_name"}, {"toolInput", "tool_input"}, {"toolUseId", "tool_use_id"},
	}
	typeCommand   = []Member{{"type", `"command"`}}
	commandKey    = []Pair{{"", "command"}}
	version1      = []Member{{"version", "1"}}
	gateAndDialog = []HookEvent{{Name: "PreToolUse", Gates: true}, {Name: "PermissionRequest"}}
	posture       = []Recommended{{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1},
		{"onUnmatched", `"defer"`, 1}, {"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1}}
)
