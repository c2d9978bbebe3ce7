package rules

// A Setting is one single-valued setting and the place it came from.
type Setting struct {
	Value string
	Scope Scope
	Pos   Pos
}

// FromPayload reports whether the host sent the setting with the call.
func (s Setting) FromPayload() bool { return s.Pos.File == PayloadMode }

// On reports whether a boolean setting is "true".
func (s Setting) On() bool { return s.Value == "true" }

// A Policy is everything the settings say about one call.
type Policy struct {
	OS                 OS   // how paths are read
	Cwd, Project, Home Path // anchors; Home.Given is "" when unknown

	Allow, Ask, Deny []Rule // grants that do not count are already left out
	Untrusted        []Rule // allow rules left out because their file is not trusted: the host reads them all the same
	Unmanaged        []Rule // allow rules that allowManagedPermissionRulesOnly alone leaves out: a host may read them
	// InIndex are the local settings files that grant nothing for the one reason
	// that git's index holds them and no one trusted them.
	InIndex []string
	Dirs    []Dir // additionalDirectories that count
	// the project and every additional directory, counting or not: no environment variable may name a folder below one
	Places []Path

	Mode      Setting  // the mode in effect (one of Modes)
	ModeNotes []string // warnings about modes and locks, for reasons

	LockBypass  Setting // Value "true" when bypassPermissions is locked
	LockAuto    Setting
	FenceRead   Setting // blockReadsOutsideWorkingDirectories
	FenceWrite  Setting
	NoPrompts   Setting // denyInsteadOfPrompting
	ManagedOnly Setting // allowManagedPermissionRulesOnly

	Posture Posture
	Agent   *AgentDef // nil in the main loop
	Skill   *AgentDef // allowed-tools of the skill, nil without one
	// --tools: a whitelist that grants nothing; HasTools where the flag was given, be it with an empty list
	Tools    []Rule
	HasTools bool
	Auto     AutoLists

	Examples []Example // of rules of permgate.json, also of those for other hosts; no decision looks at them

	Faults  []Fault
	Dropped []Dropped // grants that were written down but do not count, and why
	Sources []Source  // every settings file that exists, in the order read

	// Many: the files of a project hold so many rules that comparing them with a short call is counted, too.
	Many bool

	known   *known  // of AsIndexed, shared by copies: a list is known by where it is
	letters letters // see WithLetters
}

// A Source is one settings file that was read.
type Source struct {
	Path  string
	Scope Scope
	Why   string // "" when its grants count, else why they do not
	Sum   uint64 // see SumOf
}

// A Dir is one additional directory.
type Dir struct {
	Path  Path
	Scope Scope
	Pos   Pos
}

// A Dropped is a grant that does not count.
type Dropped struct {
	Text string
	Pos  Pos
	Why  string

	Dir Path // of an additional directory

	Untrusted bool   // of a directory: as the rules of Policy.Untrusted
	Mode      string // of a mode beyond default
	Auto      string // the list of autoMode, of an entry of one
}

// A Posture holds the merged keys of permgate.json. Zero values are the bare posture.
type Posture struct {
	Catastrophic     Setting // "deny" | "ask"
	OnUnmatched      Setting // "ask" | "defer"
	Observes         bool    // a user or managed file says enforce false, though another may take it back
	LeftToHost       bool    // a user or managed file says onUnmatched "defer", though another may take it back
	Subagents        Setting // "strict" | "host"
	ReadOnlyCommands Setting // "ask" | "allow"
	ProjectTrust     Setting // "off" | "require"
	Destructive      Setting // "practical" | "strict"
	Secrets          Setting // "rules" | "ask"
	OutsideReads     Setting // "allow" | "ask"
	AutoProjectCode  Setting // "true" | "false"
	Enforce          Setting // "true" | "false"
	NoSessionGrants  Setting // disableSessionGrants
	ExpandScripts    Setting
	AlwaysAllow      Setting
	ContentExclusion []Rule    // path patterns as Read deny rules
	URLs             []Rule    // of urls.deny
	URLAllow         []Rule    // of urls.allow: those that count, which are in Policy.Allow as well
	URLsSet          Setting   // where urls.allow says something: what it does not name is asked about then
	Rebuildable      []Setting // names of folders a build makes again, besides the known ones

	Audit Setting // see AuditLevel

	// Set by user or managed files only; Value is what operator.Parse reads, "" for nothing.
	Classifier, Approver Setting
	AutoDenials          Setting // see Number
}

// An AgentDef is the front matter of an agent definition or skill.
type AgentDef struct {
	Name     string
	Pos      Pos
	Known    bool // false: no such definition, or one that cannot be read; restrictions only
	Found    bool // a definition exists, readable or not; false also for agents built into a host
	Narrow   bool // Allow narrows but grants nothing: a skill, or a file whose grants do not count
	Mode     string
	HasAllow bool // allow_tools is present, perhaps empty
	Allow    []Rule
	Granted  []Rule // those of Allow that also grant; none when Narrow is set
	Deny     []Rule
	HasTools bool
	Tools    []Rule // whitelist that never grants
	ToolsPos Pos
	Content  []byte // the file's text
}

// The lists of autoMode, in the order of AutoKeys.
const (
	AutoHardDeny = iota
	AutoSoftDeny
	AutoAllow
)

// AutoLists are the rule lists of autoMode.
type AutoLists struct {
	HardDeny, SoftDeny, Allow []Rule
	// Own is true when a list was written down, and nowhere with "$defaults": the
	// built-in one does not apply then.
	Own [len(AutoKeys)]bool
	// Defaults is where "$defaults" puts the built-in list into one; On where it does.
	Defaults [len(AutoKeys)]Setting
	// Locked: the mode would be auto, but a kill switch made it default. What auto
	// would have denied or asked about must not become laxer by that.
	Locked bool
}

// AutoRestricts reports whether autoMode.hard_deny and soft_deny bind: in mode
// auto, and where a kill switch took it away.
func (p *Policy) AutoRestricts() bool { return p.Mode.Value == ModeAuto || p.Auto.Locked }

// An Example is a call written next to a rule of permgate.json, and whether the
// rule matches it. Nothing of it bears on a decision: lint and test check it.
type Example struct {
	Rule Rule
	// Text is the argument of a call of the rule's tool, or a JSON object that is
	// its whole input; where the rule names no single tool, tool and argument.
	Text  string
	Match bool // from "match"; else from "not_match"
	Pos   Pos  // of the text
}

// A SettingsKey is another key of settings.json that is read here.
type SettingsKey struct {
	Name, Doc string
	Example   string // a value; "" for an object that is described elsewhere
}

// AutoKeys are the keys of "autoMode", lists of rules.
var AutoKeys = [...]SettingsKey{
	{"hard_deny", `rules for calls that mode auto denies; "$defaults" means the built-in ones`, `["$defaults", "Bash(terraform apply:*)"]`},
	{"soft_deny", `rules for calls that mode auto asks about; "$defaults" means the built-in ones`, `["$defaults", "Bash(gh release:*)"]`},
	{"allow", `rules for calls that mode auto allows; "$defaults" means the built-in ones`, `["$defaults"]`},
}
