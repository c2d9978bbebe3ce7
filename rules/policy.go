package rules

import (
	"io/fs"
	"slices"
)

// Files is the file system as the loader sees it. Errors follow io/fs.
type Files interface {
	// ReadFile returns a regular file of at most max bytes, opened without
	// blocking; anything else is an error that says what it is.
	ReadFile(path string, max int64) ([]byte, error)
	// ReadDir returns the names in a directory in name order.
	ReadDir(path string) ([]string, error)
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	// Readlink returns the target of a symlink.
	Readlink(path string) (string, error)
	// Owner returns the numeric owner of a file; ok is false where there is no such thing.
	Owner(fs.FileInfo) (uid int, ok bool)
	// OthersWrite reports whether the mode bits let anybody but the owner write.
	// A group with the number of the owner is the owner's private group and counts as the owner.
	OthersWrite(fs.FileInfo) bool
	// Device returns the file system a file is on; ok is false where there is no telling.
	Device(fs.FileInfo) (id uint64, ok bool)
	// Links returns how many names a file has; ok is false where there is no telling.
	Links(fs.FileInfo) (n uint64, ok bool)
	// Tracked reports whether the git index of the repository around path holds
	// it; outside git it is false, and an index that cannot be read counts as true.
	Tracked(path string) bool
	// Unindexed reports whether no git index says anything about path: there is no
	// repository around it, or one without an index of its own.
	Unindexed(path string) bool
}

// A Where says for which call the settings are loaded.
type Where struct {
	OS      OS     // how paths are read
	Cwd     string // absolute
	Project string // the project directory the host named; "" to search for it
	// Home is the user's home directory. TrustHome is false when it came from
	// an environment variable; grants then count only as decisions 6 says.
	Home       string
	TrustHome  bool
	PasswdHome string // from the passwd entry; "" when there is none
	ConfigDir  string // CLAUDE_CONFIG_DIR, "" when unset
	UID        int
	Presets    []Preset  // managed settings outside of the managed folders
	StandIns   *StandIns // settings to try out; nil for none
	// overrides the managed folders, for tests: files of UID count there like root's; nil means the system's
	ManagedDir []string
	Roots      []string // settings folders of the calling host, for defaultMode (".claude")
	// name given with --host; "" when the payload's shape decided. Selects permgate.json's "hosts" section
	Host string

	// definition to load for a subagent; "" for the main loop; a name no file can have is an unknown agent
	Agent       string
	MainAgent   bool // Agent is the main session's: its lists apply, but the mode is the session's
	Skill       string
	Settings    []string // --settings
	AddDirs     []string // --add-dir, relative to Cwd
	Allowed     []string // --allowedTools values
	Denied      []string // --disallowedTools values
	Tools       []string // --tools values; not empty where the flag was given
	Mode        string   // --permission-mode
	AllowBypass bool     // --allow-dangerously-skip-permissions
	PayloadMode string   // permission mode of the payload, already in permgate's vocabulary
	AutoOff     bool     // the kill switch of the environment, KillSwitch, is set

	// Trusted says what the user recorded of a project's file (projectTrust
	// "require"), whose text is content. It is asked only about files that grant
	// something; nil trusts nothing. The policy holds the anchors and Places.
	Trusted func(p *Policy, path string, content []byte) Trust
	// Recorded reports whether the user recorded a folder that an environment
	// variable names; nil knows of none.
	Recorded func(dir string) bool
}

// canon gives the system's paths the form all others have.
func (w *Where) canon() {
	if w.OS == Linux {
		return
	}
	for _, p := range [...]*string{&w.Cwd, &w.Project, &w.Home, &w.PasswdHome, &w.ConfigDir} {
		*p = w.OS.Canon(*p)
	}
	w.ManagedDir = slices.Clone(w.ManagedDir)
	for i, dir := range w.ManagedDir {
		w.ManagedDir[i] = w.OS.Canon(dir)
	}
}

// A Preset is managed settings that the operating system keeps: macOS managed
// preferences, the policies in the Windows registry.
type Preset struct {
	Place string // how faults and rules name it: the file, or the registry value
	Root  string // settings folder whose settings.json it stands for: ".claude"; "" for a permgate.json
	// Text is set when Data is what a person wrote, so that lines and columns of it mean something to them.
	Text bool
	Data []byte // JSON
	Err  error  // why it cannot be used, though it is there; Data is not looked at then
}

// A Setting is one single-valued setting and the place it came from.
type Setting struct {
	Value string
	Scope Scope
	Pos   Pos
}

// FromPayload reports whether the host sent the setting with the call.
func (s Setting) FromPayload() bool { return s.Pos.File == payloadMode }

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

	many    bool    // see Many
	known   *known  // of AsIndexed, shared by copies: a list is known by where it is
	letters letters // see WithLetters
}

// A Source is one settings file that was read.
type Source struct {
	Path  string
	Scope Scope
	Why   string // "" when its grants count, else why they do not
	sum   uint64 // of the text
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
	data     []byte // the file's text
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
func (p *Policy) AutoRestricts() bool { return p.Mode.Value == modeAuto || p.Auto.Locked }
