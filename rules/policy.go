package rules

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

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
	OS                 OS     // how paths are read
	Cwd, Project, Home Path   // anchors; Home.Given is "" when unknown
	ConfigDir          string // that of CLAUDE_CONFIG_DIR where it counts
	// Folders are keys of the calling host that name one (plansDirectory) and what they say, where that counts; the highest first
	Folders [][2]string

	Allow, Ask, Deny []Rule // grants that do not count are already left out
	Untrusted        []Rule // allow rules left out because their file is not trusted: the host reads them anyway
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
	Agent   *AgentDef  // nil in the main loop
	Skill   *AgentDef  // allowed-tools of the skill, nil without one
	Tools   []ToolList // each has to name a tool, and cover its call
	Auto    AutoLists

	Examples []Example // of rules of permgate.json, also of those for other hosts; no decision looks at them

	Faults  []Fault
	Dropped []Dropped // grants that were written down but do not count, and why
	Sources []Source  // every settings file that exists, in the order read

	// Many: the files of a project hold so many rules that comparing them with a short call is counted, too.
	Many bool

	known *known // of AsIndexed, shared by copies: a list is known by where it is
}

// A Source is one settings file that was read.
type Source struct {
	Path  string
	Scope Scope
	Why   string // "" when its grants count, else why they do not
	Sum   uint64 // see SumOf
}

// A ToolList is the tools that may be used at all: of --tools, or of tools in a permgate.json. It grants nothing.
type ToolList struct {
	Rules []Rule
	Scope Scope
	Pos   Pos
}

// Key is the flag or the key that it is from.
func (l *ToolList) Key() string {
	if l.Scope == Flag {
		return "--tools"
	}
	return "tools"
}

// String is where it is, to say that a call is not in it.
func (l *ToolList) String() string {
	if l.Scope == Flag {
		return l.Key()
	}
	return l.Key() + " (" + l.Pos.String() + ")"
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
	RememberYes      Setting // "true" | "false"
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
// rule matches it. It changes no decision: lint and test check it.
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

// An Audit is what the key audit says of the log.
type Audit struct {
	Level    string // "off", "decisions", "full"
	MaxBytes int64  // size at which the log is rotated; 0 where nothing is said
	Keep     int    // how many old files are kept; 0 where nothing is said
}

// AuditLevel returns what is to be logged.
func (g *Posture) AuditLevel() Audit {
	a := Audit{Level: g.Audit.Value}
	if strings.HasPrefix(a.Level, "{") {
		v := gjson.Parse(a.Level)
		a = Audit{v.Get("level").Str, v.Get("maxBytes").Int(), int(v.Get("keep").Int())}
	}
	if a.Level == "" {
		a.Level = "decisions"
	}
	return a
}

// Setting returns the place of a key in g, nil for the keys that are lists.
func (g *Posture) Setting(name string) *Setting {
	switch name {
	case "catastrophic":
		return &g.Catastrophic
	case "onUnmatched":
		return &g.OnUnmatched
	case "subagents":
		return &g.Subagents
	case "readOnlyCommands":
		return &g.ReadOnlyCommands
	case "destructive":
		return &g.Destructive
	case "secrets":
		return &g.Secrets
	case "outsideReads":
		return &g.OutsideReads
	case "rememberYes":
		return &g.RememberYes
	case "autoProjectCode":
		return &g.AutoProjectCode
	case "projectTrust":
		return &g.ProjectTrust
	case "enforce":
		return &g.Enforce
	case "disableSessionGrants":
		return &g.NoSessionGrants
	case "alwaysAllow":
		return &g.AlwaysAllow
	case "expandScripts":
		return &g.ExpandScripts
	case "audit":
		return &g.Audit
	case "classifier":
		return &g.Classifier
	case "autoDenials":
		return &g.AutoDenials
	case "approver":
		return &g.Approver
	}
	return nil
}

// Hash returns a hash of the settings files that were read, where they are and
// what is in them: the log keeps it to tell whether they changed since.
func (p *Policy) Hash() string {
	h := uint64(FNVStart)
	for i := range p.Sources {
		h = FNV(h, p.Sources[i].Path)
		h = (h ^ p.Sources[i].Sum) * FNVPrime
	}
	for i := range p.Faults { // a file that could not be read is no source
		h = FNV(h, p.Faults[i].Pos.File)
	}
	return Hex(h)
}

// ManagedHash is a hash of what is in the managed settings, in the order read: machines with the same policy have the
// same, wherever it is kept. It is "" without managed settings.
func (p *Policy) ManagedHash() string {
	h := uint64(FNVStart)
	for i := range p.Sources {
		if s := &p.Sources[i]; s.Scope == Managed {
			h = (h ^ s.Sum) * FNVPrime
		}
	}
	if h == FNVStart {
		return ""
	}
	return Hex(h)
}

// Hex is a hash as it is printed; fmt is used for faults alone, so it is cold.
func Hex(h uint64) string { return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, h)) }

// SumOf is the hash of a file's text.
func SumOf(text []byte) uint64 { return FNV(FNVStart, text) }

// FNV is the 64 bit FNV-1a hash of s, going on from h; times FNVPrime is as if a zero byte came next.
func FNV[T string | []byte](h uint64, s T) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * FNVPrime
	}
	return h
}

// What FNV begins with, and what it multiplies with.
const (
	FNVStart = 14695981039346656037
	FNVPrime = 1099511628211
)

// A Mode is a permission mode and how strict it is: a subagent under a strict
// session may not be laxer than the session.
type Mode struct {
	Name   string
	strict int
	Doc    string
}

// Modes are the permission modes, the laxest first.
var Modes = [...]Mode{
	{"bypassPermissions", 0, "everything is allowed except what steps 1 and 2 stop"},
	{"auto", 1, "edits, and commands the classifier approves, are allowed"},
	{"acceptEdits", 2, "safe tools and edits are allowed, everything else is asked about"},
	{"default", 3, "safe tools are allowed, everything else is asked about"},
	{"plan", 4, "safe tools are allowed, everything else is denied; hosts set it while planning"},
	{"dontAsk", 5, "safe tools are allowed, everything else is denied: no prompt is possible"},
	{"explore", 5, "safe tools are allowed, everything else is denied: for agents that only explore"},
}

// ModeNames are their names.
func ModeNames() (names []string) {
	for i := range Modes {
		names = append(names, Modes[i].Name)
	}
	return names
}

// ModeAliases are further names of modes: the one that Claude Code's dialog shows, and ExAthena's.
var ModeAliases = [...]struct{ Name, Mode string }{
	{"manual", "default"}, {"accept_edits", "acceptEdits"}, {"trusted", "bypassPermissions"},
}

// ModeAlias is the mode that a further name means, "" for none.
func ModeAlias(name string) string {
	for i := range ModeAliases {
		if ModeAliases[i].Name == name {
			return ModeAliases[i].Mode
		}
	}
	return ""
}

// PayloadMode is the place of a mode that the host sent, as reasons name it.
const PayloadMode = "permission_mode"

// The modes that a policy treats in a special way.
const (
	ModeBypass  = "bypassPermissions"
	ModeAuto    = "auto"
	ModeDefault = "default"
)

// Strictness is how strict a mode is, -1 for an unknown one.
func Strictness(mode string) int {
	for i := range Modes {
		if Modes[i].Name == mode {
			return Modes[i].strict
		}
	}
	return -1
}

// StricterMode reports whether mode a lets less run than mode b. An unknown mode
// counts as default.
func StricterMode(a, b string) bool {
	return max(Strictness(a), defaultAt(a)) > max(Strictness(b), defaultAt(b))
}

func defaultAt(mode string) int {
	if Strictness(mode) < 0 {
		return Strictness(ModeDefault)
	}
	return -1
}

// With is the policy with further rules at the end of its lists.
func (p *Policy) With(extra ...Rule) *Policy {
	out := *p
	lists := [...]*[]Rule{Allow: &out.Allow, Ask: &out.Ask, Deny: &out.Deny}
	for _, list := range lists[Allow:] {
		*list = slices.Clip(*list)
	}
	for _, r := range extra {
		*lists[r.List] = append(*lists[r.List], r)
	}
	return &out
}

// Distance is the number of single-character changes between two words.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			up := row[j+1]
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, up+1, diag+cost)
			diag = up
		}
	}
	return row[len(b)]
}
