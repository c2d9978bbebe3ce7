package load

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A Switch is a key of settings.json that is true, or absent.
type Switch struct {
	Name string
	Lock bool // "disable" is as good as true
	Doc  string
}

// Switches are the switches of settings.json, in the order of the documentation.
var Switches = [numSwitches]Switch{
	{"disableBypassPermissionsMode", true, "mode bypassPermissions falls back to default"},
	{"disableAutoMode", true, "mode auto falls back to default; its hard_deny and soft_deny still bind"},
	{"blockReadsOutsideWorkingDirectories", false, "reads outside the working directory, the project and additionalDirectories are denied"},
	{"blockWritesOutsideWorkingDirectories", false, "writes outside the working directory, the project and additionalDirectories are denied"},
	{"denyInsteadOfPrompting", false, "no prompt is possible: ask becomes deny"},
	{"allowManagedPermissionRulesOnly", false, "only the administrator's files grant anything; deny and ask rules of all files still apply"},
}

// The other keys of settings.json that are read; the rest is the host's. PermissionKeys are under
// "permissions", rules.AutoKeys under "autoMode"; all but defaultMode are lists.
var (
	topKeys        = [...]rules.SettingsKey{{Name: "permissions"}, {Name: "autoMode"}}
	PermissionKeys = [...]rules.SettingsKey{
		{Name: "allow", Doc: "calls that run without asking; every part of a call needs a matching rule", Example: `["Bash(git status)", "Read(./src/**)"]`},
		{Name: "ask", Doc: "calls that are asked about; one matching part is enough, and ask overrides allow", Example: `["Bash(git push:*)"]`},
		{Name: "deny", Doc: "calls that never run; one matching part is enough, and deny overrides everything", Example: `["Read(./.env)"]`},
		{Name: "defaultMode", Doc: "the permission mode, which decides when no rule matches", Example: `"acceptEdits"`},
		{Name: "additionalDirectories", Doc: "directories outside the project that may be written to; their settings files are not read", Example: `["../shared"]`},
	}
)

type spelling uint8

// known finds the key that is written, or was meant.
func known(key, path string, keys []rules.SettingsKey) (string, spelling) {
	n := len(keys)
	if path != "autoMode." {
		n += len(Switches)
	}
	name := func(i int) string {
		if i < len(keys) {
			return keys[i].Name
		}
		return Switches[i-len(keys)].Name
	}
	i, how := nearest(key, n, name)
	return name(i), how
}

// nearest finds which of n names a key is, or was meant to be.
func nearest(key string, n int, name func(i int) string) (at int, how spelling) {
	for i := range n {
		switch name := name(i); {
		case name == key:
			return i, exact
		case strings.EqualFold(name, key):
			at, how = i, otherCase
		case how == unknown && OneTypo(name, key):
			at, how = i, similar
		}
	}
	return at, how
}

// OneTypo reports whether one letter was added, lost, changed or swapped with its neighbour.
func OneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	if len(a) < 3 || same == len(b) {
		return false
	}
	if a, b = a[same:], b[same:]; len(a) < len(b) {
		return a == b[1:]
	}
	swapped := len(a) > 1 && a[0] == b[1] && a[1] == b[0]
	return a[1:] == b[1:] || swapped && a[2:] == b[2:]
}

// The switches of settings.json only restrict, under permissions or at top level, in any scope.
const (
	lockBypass = iota
	lockAuto
	fenceRead
	fenceWrite
	noPrompts
	managedOnly
	numSwitches
)

// A PostureKind says what a value of permgate.json looks like.
type PostureKind uint8

const (
	PostureWord     PostureKind = iota // one of Values
	PostureBool                        // true or false
	PosturePatterns                    // list of path patterns, grammar of Read rules
	PostureURLs                        // list of entries, see URLForms, or {"allow": list, "deny": list}
	PostureOperator                    // a program of the operator's: an object with command and timeoutMs
	PostureSwitch                      // true or false; true tightens, but only files of Loosen may set it
	PostureNames                       // list of names of folders, from files of Loosen only
	PostureRules                       // list of objects with one rule each, see ruleObjects
	PostureTools                       // list of names of tools or rules, see rules.ToolRule
	PostureAudit                       // one of Values, or an object with level, maxBytes and keep
	PostureNumber                      // whole number from 1 to MaxPostureNumber, from files of Loosen only
)

// MaxPostureNumber is the highest value of a key of kind PostureNumber.
const MaxPostureNumber = 100

// A PostureKey is a key of permgate.json: all scopes tighten, only user and managed files loosen.
type PostureKey struct {
	Name string
	Kind PostureKind
	// PostureWord and PostureBool: from the loosest to the tightest, which is also
	// taken for a value that cannot be understood
	Values  []string
	Default string        // what holds when no file says anything
	Loosen  []rules.Scope // whose file may loosen; for a kind that only they set: may set it at all
	Idle    bool          // nothing acts on it yet: a file that sets it is told so
	Doc     string
	Example string // a value
}

var (
	onOff     = []string{"false", "true"}
	operators = []rules.Scope{rules.User, rules.Managed}
)

// PostureKeys are the keys of permgate.json, in the order of the documentation.
// "hosts" holds one object per host name with the same keys, which bind only
// calls of a hook registered with that --host and win over those at top level.
var PostureKeys = [...]PostureKey{
	{Name: "catastrophic", Kind: PostureWord, Values: []string{"ask", "deny"}, Default: "ask", Loosen: operators,
		Doc: "what happens to commands that destroy a system, such as deleting / or the home directory recursively", Example: `"deny"`},
	{Name: "onUnmatched", Kind: PostureWord, Values: []string{"defer", "ask"}, Default: "ask", Loosen: operators,
		Doc: `what happens to a call no rule matches: "defer" stays silent, so the host decides by its own rules; a call only partly covered by an allow rule is still asked about`, Example: `"defer"`},
	{Name: "subagents", Kind: PostureWord, Values: []string{"host", "strict"}, Default: "strict", Loosen: operators,
		Doc: `"strict": a subagent inherits every restriction and no grant; "host": the session's grants and mode apply to it too`, Example: `"host"`},
	{Name: "readOnlyCommands", Kind: PostureWord, Values: []string{"allow", "ask"}, Default: "ask", Loosen: operators,
		Doc: `"allow": shell commands proven read-only are treated like safe tools`, Example: `"allow"`},
	{Name: "destructive", Kind: PostureWord, Values: []string{"practical", "strict"}, Default: "strict", Loosen: operators,
		Doc: `"practical": deleting folders a build recreates, or folders in a temporary folder, is not asked about, and your own exact allow rule overrides a destructive finding`, Example: `"practical"`},
	{Name: "rebuildable", Kind: PostureNames, Loosen: operators,
		Doc: `more names of folders a build recreates, for "destructive": "practical"; node_modules, dist, build and the like are built in; lists from all files are merged`, Example: `["out-tsc", "generated"]`},
	{Name: "secrets", Kind: PostureWord, Values: []string{"rules", "ask"}, Default: "rules", Loosen: operators,
		Doc: `"ask": reading a file with keys or tokens outside the project is always asked about, unless your own exact allow rule names the file; "rules": only your rules decide`, Example: `"ask"`},
	{Name: "outsideReads", Kind: PostureWord, Values: []string{"allow", "ask"}, Default: "allow", Loosen: operators,
		Doc: `"ask": reads outside the workspace are asked about, as writes are`, Example: `"ask"`},
	{Name: "rememberYes", Kind: PostureBool, Values: []string{"true", "false"}, Default: "false", Loosen: operators,
		Doc: "true: what you said yes to in the host's own dialog is not asked again until the session ends, for 12 hours at most: " +
			"writing the same file outside the project, editing texts of the same skill, the same git command in the same other repository", Example: `true`},
	{Name: "autoProjectCode", Kind: PostureBool, Values: []string{"true", "false"}, Default: "false", Loosen: operators,
		Doc: "true: in mode auto, running the project's own code (its builds, tests and scripts) counts as benign", Example: `true`},
	{Name: "projectTrust", Kind: PostureWord, Values: []string{"off", "require"}, Default: "off", Loosen: operators,
		Doc: `"require": files from a repository grant nothing until you run permgate trust; settings.local.json does, unless git tracks it`, Example: `"require"`},
	{Name: "enforce", Kind: PostureBool, Values: onOff, Default: "true", Loosen: operators,
		Doc: "false: every call is decided and logged, but only a managed deny is answered", Example: `false`},
	{Name: "disableSessionGrants", Kind: PostureBool, Values: onOff, Default: "false", Loosen: operators,
		Doc: "true: session grants are ignored", Example: `true`},
	{Name: "contentExclusion", Kind: PosturePatterns,
		Doc: "files no tool may read or change, as Read rule patterns; lists from all files are merged", Example: `["**/*.pem", "~/.ssh/**"]`},
	{Name: "urls", Kind: PostureURLs,
		Doc: `hosts, origins and paths that may not be reached ("deny", or a plain list; from all files), and those that may ("allow"; only from user and managed files): once "allow" ` +
			`has an entry, every other address is asked about`,
		Example: `{"deny": ["*.example.net", "https://example.com/private/*"], "allow": ["go.dev", "http://localhost:3000"]}`},
	{Name: "rules", Kind: PostureRules,
		Doc: `rules with examples: each object holds one of "allow", "ask" and "deny", a rule that counts like one in the settings.json next to it, and may hold "match" and "not_match", ` +
			`lists of example inputs; permgate test and lint check that the rule matches the first and not the second`,
		Example: `[{"deny": "Bash(git push *)", "match": ["git push --force"], "not_match": ["git log"]}]`},
	{Name: "tools", Kind: PostureTools,
		Doc: "the only tools that may be used at all, as names or rules; every other call is denied, in every mode. Names are exact (Read is not Grep) and may hold wildcards (mcp__github__*). " +
			"A call has to be in the list of every file that has one, [] leaves nothing, and no list grants anything", Example: `["Read", "Edit", "Bash(git:*)", "mcp__github__*"]`},
	{Name: "alwaysAllow", Kind: PostureWord, Values: []string{"session", "off"}, Default: "off", Loosen: operators,
		Doc: `"session": when the host is about to ask and a rule or session grant allows the call, the host is told to allow the identical command itself until the session ends; ` +
			`only plain shell commands that name no file, and only for hosts that support it (Claude Code, Gen, San)`, Example: `"session"`},
	{Name: "expandScripts", Kind: PostureSwitch, Default: "false", Loosen: operators,
		Doc: "true: the project script that npm run, make, just, task or mise run starts is read, and denied or asked about for what it does", Example: `true`},
	{Name: "audit", Kind: PostureAudit, Values: []string{"off", "decisions", "full"}, Default: "decisions", Loosen: operators,
		Doc: `what is logged of each call: "decisions" keeps the deciding parts of the input, "full" all of it, both with secrets redacted; an object ` +
			`{"level": ..., "maxBytes": ..., "keep": ...} also sets when the log is rotated and how many old files are kept. ` +
			`A managed file's value is final; an invalid value counts as "decisions"`, Example: `"full"`},
	{Name: "classifier", Kind: PostureOperator, Loosen: operators,
		Doc: "a program of yours that judges the calls mode auto would ask about; it has timeoutMs (default 3000) to answer", Example: `{"command": ["my-classifier"], "timeoutMs": 3000}`},
	{Name: "autoDenials", Kind: PostureNumber, Default: "3", Loosen: operators,
		Doc: "after so many denials by your classifier in a row, you are asked instead, until it allows a call", Example: `5`},
	{Name: "approver", Kind: PostureOperator, Loosen: operators,
		Doc: "a program of yours to ask where the host cannot ask; it has timeoutMs (default 60000) to answer", Example: `{"command": ["my-approver"]}`},
}

// rank returns the place of a value in Values, -1 if it is not there.
func (k *PostureKey) rank(value string) int { return slices.Index(k.Values, value) }
