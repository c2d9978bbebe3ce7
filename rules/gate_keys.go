package rules

// A GateKind says what a value of permgate.json looks like.
type GateKind uint8

const (
	GateWord     GateKind = iota // one of Values
	GateBool                     // true or false
	GatePatterns                 // list of path patterns, grammar of Read rules
	GateDomains                  // list of domains, or {"deny": list}
	GateOperator                 // any JSON value; kept as written
	GateSwitch                   // true or false; true tightens, but only files of Loosen may set it
	GateNames                    // list of names of folders, from files of Loosen only
	GateRules                    // list of objects with one rule each, see ruleObjects
	GateAudit                    // one of Values, or an object with level, maxBytes and keep
)

// A GateKey is one key of permgate.json. Every scope may tighten; only user
// and managed files may choose a value looser than the default.
type GateKey struct {
	Name    string
	Kind    GateKind
	Values  []string // GateWord and GateBool: from the loosest to the tightest, which also stands in for a value that cannot be understood
	Default string   // what holds when nobody says anything
	Loosen  []Scope  // whose file may loosen; for GateOperator, GateSwitch and GateNames: may set it at all
	Idle    bool     // nothing acts on it yet: a file that sets it is told so
	Doc     string
	Example string // a value
}

var (
	onOff     = []string{"false", "true"}
	operators = []Scope{User, Managed}
)

// GateKeys are the keys of permgate.json, in the order of the documentation.
// "hosts" holds one object per host name with the same keys, which bind only
// calls of a hook registered with that --host and win over those beside it.
var GateKeys = [...]GateKey{
	{Name: "catastrophic", Kind: GateWord, Values: []string{"ask", "deny"}, Default: "ask", Loosen: operators,
		Doc: "what happens to commands that destroy a system, such as recursive removal of / or the home directory", Example: `"deny"`},
	{Name: "onUnmatched", Kind: GateWord, Values: []string{"defer", "ask"}, Default: "ask", Loosen: operators,
		Doc: `what happens to a call no rule speaks of: "defer" stays silent, so that the host decides by its own rules; a call whose allow rule does not cover all it does is still asked about`, Example: `"defer"`},
	{Name: "subagents", Kind: GateWord, Values: []string{"host", "strict"}, Default: "strict", Loosen: operators,
		Doc: `"strict": a subagent inherits every restriction and no grant; "host": grants and mode of the session apply to it too`, Example: `"host"`},
	{Name: "readOnlyCommands", Kind: GateWord, Values: []string{"allow", "ask"}, Default: "ask", Loosen: operators,
		Doc: `"allow": shell commands that are proven to only read count as safe tools do`, Example: `"allow"`},
	{Name: "destructive", Kind: GateWord, Values: []string{"practical", "strict"}, Default: "strict", Loosen: operators,
		Doc: `"practical": removing folders that a build makes again, and folders in a temporary folder, is no finding, and an exact allow rule of yours lifts a destructive finding`, Example: `"practical"`},
	{Name: "rebuildable", Kind: GateNames, Loosen: operators,
		Doc: `further names of folders that a build makes again, for "destructive": "practical"; node_modules, dist, build and their like are known; the lists of all files count together`, Example: `["out-tsc", "generated"]`},
	{Name: "secrets", Kind: GateWord, Values: []string{"rules", "ask"}, Default: "rules", Loosen: operators,
		Doc: `"ask": reading a file that holds keys or tokens outside the project is asked about, whatever reads it, unless an exact allow rule of yours names the file; "rules": only your rules decide`, Example: `"ask"`},
	{Name: "outsideReads", Kind: GateWord, Values: []string{"allow", "ask"}, Default: "allow", Loosen: operators,
		Doc: `"ask": reads outside the workspace are asked about, as writes are`, Example: `"ask"`},
	{Name: "projectTrust", Kind: GateWord, Values: []string{"off", "require"}, Default: "off", Loosen: operators,
		Doc: `"require": what a repository brings grants nothing until permgate trust has recorded it; settings.local.json does, unless git tracks it`, Example: `"require"`},
	{Name: "enforce", Kind: GateBool, Values: onOff, Default: "true", Loosen: operators,
		Doc: "false: every call is decided and logged, but only a managed deny is answered", Example: `false`},
	{Name: "disableSessionGrants", Kind: GateBool, Values: onOff, Default: "false", Loosen: operators,
		Doc: "true: grants of the running session are not looked at", Example: `true`},
	{Name: "contentExclusion", Kind: GatePatterns,
		Doc: "files no tool may read or change, as patterns of Read rules; the lists of all files count together", Example: `["**/*.pem", "~/.ssh/**"]`},
	{Name: "urls", Kind: GateDomains,
		Doc: "domains that may not be fetched, as in WebFetch(domain:...) rules; the lists of all files count together", Example: `{"deny": ["*.example.net"]}`},
	{Name: "rules", Kind: GateRules,
		Doc: `rules with examples: each object holds one of "allow", "ask" and "deny", a rule that counts like one in the settings.json beside it, and may hold "match" and "not_match", ` +
			`lists of what calls of its tool are called on; permgate test and lint check that the rule matches the ones and not the others`,
		Example: `[{"deny": "Bash(git push *)", "match": ["git push --force"], "not_match": ["git log"]}]`},
	{Name: "alwaysAllow", Kind: GateWord, Values: []string{"session", "off"}, Default: "off", Loosen: operators,
		Doc: `"session": where the host is about to ask, and a rule or a session grant allows the call, the host is told to allow the very same text by itself until its session ends; ` +
			`only plain shell commands that name no file, and only for hosts that take such an answer (Claude Code)`, Example: `"session"`},
	{Name: "expandScripts", Kind: GateSwitch, Default: "false", Loosen: operators,
		Doc: "true: the project's script behind npm run, make, just, task or mise run is read, and denied or asked about for what it does", Example: `true`},
	{Name: "audit", Kind: GateAudit, Values: []string{"off", "decisions", "full"}, Default: "decisions", Loosen: operators,
		Doc: `what is logged of each call: "decisions" keeps what decides of the input, "full" all of it, secrets left out of both; an object ` +
			`{"level": ..., "maxBytes": ..., "keep": ...} also sets when the log is rotated and how many old files are kept. ` +
			`A managed file's word is final; a value that cannot be understood counts as "decisions"`, Example: `"full"`},
	{Name: "classifier", Kind: GateOperator, Loosen: operators, Idle: true,
		Doc: "the operator's classifier for mode auto: a command or a URL", Example: `{"command": ["my-classifier"]}`},
	{Name: "approver", Kind: GateOperator, Loosen: operators, Idle: true,
		Doc: "who is asked where the host cannot ask", Example: `{"command": ["my-approver"]}`},
}

// Setting returns the place of a key in g, nil for the keys that are lists.
func (g *Gate) Setting(name string) *Setting {
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
	case "approver":
		return &g.Approver
	}
	return nil
}

// rank returns the place of a value in Values, -1 if it is none of them.
func (k *GateKey) rank(value string) int {
	for i, v := range k.Values {
		if v == value {
			return i
		}
	}
	return -1
}
