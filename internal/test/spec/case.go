// Package spec is the executable specification: the binding decisions as one function over an
// abstract case. It shares no code with the program, so that each checks the other: the tests
// enumerate the cases, and the differential test asks the program the same on real files.
//
// A number in a comment is a section of the decisions; 2.3b is step 3b of the table there.
package spec

// A Case is one call of one tool, and all that the answer depends on.
type Case struct {
	Event   Event
	Tool    Tool
	Place   Place   // of the file that an edit or a shell text writes, or Read reads
	Finding Finding // of the analysis
	Caller  Caller
	Host    Host
	Rules   []Rule // also grants and folders; only those that match the call, in any order

	// Where the mode comes from (3), NoMode where it does not: the host, --permission-mode, the
	// agent's definition, defaultMode of one settings file and whose file that is.
	Payload, Flag, Definition, Default Mode
	DefaultScope                       Scope
	AllowBypass                        bool // --allow-dangerously-skip-permissions
	LockBypass, LockAuto               bool // disableBypassPermissionsMode, disableAutoMode

	Headless    bool  // --headless or denyInsteadOfPrompting
	ManagedOnly bool  // allowManagedPermissionRulesOnly
	Fault       Fault // a settings file that holds none of Rules and Default, and cannot be used

	// Keys of permgate.json (6). Tight is deny, ask (onUnmatched), strict, ask, strict, require, true;
	// loose is ask, defer, host, allow, practical, off, false.
	Catastrophic, Defer, Subagents, ReadOnly, Destructive, Trust, Enforce Key
}

// A Rule is one that matches the call. Rules that do not match are not in a Case.
type Rule struct {
	List     List
	Form     Form
	Scope    Scope
	Claude   bool // in a .claude folder; else in .gen
	Recorded bool // Scope Shared: the user recorded it by `permgate trust`
	Wide     bool // its text is the name of the tool alone
}

// A Key is what the user's and the project's permgate.json say of one key.
type Key struct{ User, Project Say }

// What the facts of a Case are.
type (
	Told    uint8 // what the host is told, the laxest first; Silence: the host decides by itself
	Event   uint8 // the moment the host asks at
	Tool    uint8 // a kind of tool, and of what it is called with
	Place   uint8 // where the file lies that a call is about
	Finding uint8 // what step 2 finds by itself, without rules
	Caller  uint8 // who calls (6, Subagents)
	Host    uint8 // a kind of program that runs the hook, by what its literal says
	Mode    uint8 // a permission mode, the laxest first
	Scope   uint8 // whose file something is in
	List    uint8 // what a rule does
	Form    uint8 // how a rule matches the call
	Fault   uint8 // whose file cannot be used (2.0)
	Say     uint8 // one of the two values of a key
)

const (
	Allow, Silence, Ask, Deny                                          Told  = 0, 1, 2, 3
	PreToolUse, PermissionRequest                                      Event = 0, 1
	Unset, Tight, Loose                                                Say   = 0, 1, 2
	NoMode, Bypass, Auto, AcceptEdits, Default, Plan, DontAsk, Explore Mode  = 0, 1, 2, 3, 4, 5, 6, 7

	// Safe are Read, with a path, TaskList, which has neither path, URL nor command, and Question
	// (AskUserQuestion). PlanExit is ExitPlanMode, Edit any edit tool, BashRead shell text proven to read
	// inside the workspace only, Bash any other (not proven benign either, 8), Other a tool not known.
	Read, TaskList, Question, PlanExit, Edit, BashRead, Bash, Other Tool = 0, 1, 2, 3, 4, 5, 6, 7

	// Inside is cwd or the project; Temporary (2b) a temporary folder, the user's own; HostOwn (2b) a file
	// the host tells its agent to write, for Bash in the scratchpad; Outside anything else.
	Inside, Outside, Temporary, HostOwn Place = 0, 1, 2, 3

	// Destructive is about files, of one subcommand with absolute operands inside; Sensitive the write of
	// a sensitive path; Doubt a text that cannot be seen through; Catastrophic on that list.
	Clean, Destructive, Sensitive, Doubt, Catastrophic Finding = 0, 1, 2, 3, 4

	// Subagent has no definition in any file, it is the host's own; Agent has one of the user's, without
	// allow_tools; that of AgentAllows covers the call, that of AgentExcludes names another tool only;
	// AgentUnread has a definition that cannot be used.
	Main, Subagent, Agent, AgentAllows, AgentExcludes, AgentUnread Caller = 0, 1, 2, 3, 4, 5

	// Bare is no host that is named, Plain one that prompts for ask; both promise nothing else. Full is
	// Claude Code, all of 2b. NoPrompt and Runs cannot show an ask: deny is what they are told; silence
	// runs the tool on Runs. Unasking has no word for ask: silence leads to its own prompt.
	Bare, Plain, Full, NoPrompt, Unasking, Runs Host = 0, 1, 2, 3, 4, 5

	// Local is a settings.local.json that the project's git index does not list; Session granted to the
	// running session, only for Allows.
	Managed, User, Local, Shared, Session Scope = 0, 1, 2, 3, 4

	// HardDenies, SoftDenies: autoMode; Opens: additionalDirectories that hold the place of the call.
	Denies, Asks, Allows, HardDenies, SoftDenies, Opens List = 0, 1, 2, 3, 4, 5

	// Matches is for certain; an allow covers the call, by a pattern without // or ~/. Could: a deny or ask
	// may match, which is not known. Allows only: HeldBack covers the call except for what section 4 holds
	// back; Exact spells out a shell text of one subcommand; Anchored is a // or ~/ path and covers the file.
	Matches, Could, HeldBack, Exact, Anchored Form = 0, 1, 2, 3, 4

	// UserKey: a permgate.json of the user has a key that is not known.
	NoFault, ManagedFault, UserFault, ProjectFault, UserKey Fault = 0, 1, 2, 3, 4
)
