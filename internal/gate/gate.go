package gate

import (
	"cmp"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/managed"
	"github.com/permgate--owner/permgate/internal/gate/scripts"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A World is what a process can see, so that tests can give it another one.
type World struct {
	Getenv     func(string) string
	Environ    func() []string // the whole environment; nil when it is not known
	Cwd        string
	PasswdHome string
	StateHome  string // the state folder of PasswdHome, where that is not .local/state/permgate in it
	UID        int
	Exe        func() (string, error) // absolute path of the running binary
	Files      load.Files
	Now        time.Time
	ManagedDir []string // overrides the managed folders; nil means the system's
	OS         rules.OS // how paths are read
	// Presets returns the managed settings the system keeps elsewhere; nil for none.
	Presets func() []load.Preset
	// StandIns are settings to try out in place of those of every project; nil for none.
	StandIns *load.StandIns
	// AnyDisk: the question is about rules, and what is not there now may be when a call is made.
	AnyDisk bool
	// Writing is what permgate itself is about to write, while Files show it as written; nil for nothing.
	Writing []Writing
}

// TestOnlyWorld lets tests of the whole program put another home and other
// managed folders in the place of those of the machine. Nothing but TestMain sets it.
var TestOnlyWorld func(*World)

// System is the world as it is.
func System() World {
	cwd, _ := os.Getwd()
	uid := disk.UID()
	w := World{
		Getenv:     os.Getenv,
		Environ:    os.Environ,
		Cwd:        cwd,
		PasswdHome: disk.PasswdHome(uid),
		UID:        uid,
		Exe:        os.Executable,
		Files:      disk.Disk{},
		Now:        time.Now(),
		OS:         rules.NativeOS(),
		Presets:    managed.Presets,
	}
	if TestOnlyWorld != nil {
		TestOnlyWorld(&w)
	}
	return w
}

// WithCache is w for a process that decides one call and ends: the disk is asked once for a name.
func (w World) WithCache() World {
	if _, ok := w.Files.(disk.Disk); ok {
		w.Files = &disk.Once{}
	}
	return w
}

// withoutCache undoes WithCache, for what is written down by turns with other processes.
func (w World) withoutCache() World {
	if o, ok := w.Files.(*disk.Once); ok {
		w.Files = o.Disk
	}
	return w
}

// Case builds the case of one call. What a pattern means is worked out once for all decisions about it.
func Case(call *hookio.Call, f *Flags, w World) *decide.Input {
	return CaseUnder(Policy(call, f, w).AsIndexed(math.MaxInt), call, f, w)
}

// CaseUnder is Case under a policy loaded before or being tried out, to see what a rule of it does.
func CaseUnder(policy *rules.Policy, call *hookio.Call, f *Flags, w World) *decide.Input {
	own := func() []string { return guarded(f, w, policy) }
	return caseOf(policy, grants(call, f, w, policy), own, call, f, w)
}

func caseOf(policy *rules.Policy, granted facts.Grants, own func() []string,
	call *hookio.Call, f *Flags, w World) *decide.Input {
	place := world.Facts{
		FS:      w.Files,
		AnyDisk: w.AnyDisk,
		User:    world.User{ID: w.UID, Home: w.PasswdHome, Temp: w.Getenv("TMPDIR")},
		Environ: w.Environ,
		Guarded: own,
		Program: func() string {
			exe, err := w.Exe()
			if err != nil {
				return ""
			}
			return w.OS.Canon(exe)
		},
	}
	c := &decide.Input{Input: facts.Input{Call: call, Policy: policy, World: world.New(place, policy, call.Dir), Grants: granted,
		AsAgent: f.Agent != "", Headless: f.Headless}}
	c.Answered, c.Repositories = answered(call, f, w, policy), func() map[string]string { own, _ := Repositories(w); return own }
	if call.Malformed == "" && call.Command != "" {
		env := bashsafety.Env{Cwd: policy.Cwd.Given, Home: policy.Home.Given, Temp: c.World.TempDir(), TempUnset: c.World.User.Temp == ""}
		env.Script, env.Exported, env.Secret = expand(policy, w), exported(w), c.Secret()
		env.Named = c.World.Named
		env.BSD = policy.OS == rules.MacOS
		if call.Dir != "" {
			env.Dir = rules.CleanPath(call.Dir, policy.Cwd.Given, policy.Home.Given)
		}
		if call.Tool == "PowerShell" {
			c.Script = bashsafety.AnalyzePowerShell(call.Command, env)
		} else if shell := shellOf(call, policy.OS); shell != hookio.Bash {
			c.Script = bashsafety.AnalyzeWindows(call.Command, env, shell == hookio.PowerShell)
		} else {
			env.Parsed = new(bashsafety.Parsed)
			c.Script = bashsafety.Analyze(call.Command, env)
			c.Reread = func(works func(*bashsafety.Entering) bool) *bashsafety.Analysis {
				again := env
				again.Enters = works
				return bashsafety.Analyze(call.Command, again)
			}
		}
	}
	if call.Malformed != "" || call.Guessed != "" || !facts.TakesAnyText(call) {
		return c
	}
	for _, text := range call.Texts(hookio.Readers{SQL: bashsafety.PlainSQL, Program: bashsafety.KnownProgram}) {
		if one := textCase(policy, granted, own, text, f, w); one != nil {
			c.Texts = append(c.Texts, one)
			many := func(d bashsafety.Doubt) bool { return d.ID == "too-many-commands" }
			if text.Guessed == "sh" && slices.ContainsFunc(one.Script.Doubts, many) {
				call.Malformed = hookio.TooMany
			}
		}
	}
	return c
}

// textCase is the case of a text in a call's input, nil where it is no shell text.
func textCase(policy *rules.Policy, granted facts.Grants, own func() []string,
	text *hookio.Call, f *Flags, w World) *decide.Input {
	one := caseOf(policy, granted, own, text, f, w)
	for range 2 { // a here-document may be unclosed in what is left
		if p := one.Script.Env.Parsed; p != nil && p.Err != nil {
			if text.Command = p.Complete(); text.Command == "" {
				return nil
			}
			one = caseOf(policy, granted, own, text, f, w)
		}
	}
	s := one.Script
	if s.Env.Parsed != nil && s.Env.Parsed.Err != nil {
		return nil
	}
	if text.Guessed != "sh" && len(s.Subcommands) > 0 {
		s.Subcommands[0].Structural = true // no rule is about the program that is taken to read it
	}
	return one
}

// shellOf is the shell that reads a command, the zero value for bash and PowerShell. No shell reads a list of words.
func shellOf(call *hookio.Call, os rules.OS) hookio.Shell {
	own := call.Host.OnWindows.Shell
	switch {
	case os != rules.Windows, call.Tool != "Bash", own == hookio.Bash && call.Server == "":
		return hookio.Bash
	case call.Input.Get("cmd").IsArray(), call.Input.Get("command").IsArray():
		return hookio.Bash
	case strings.Contains(strings.ToLower(call.Server), "bash"):
		return hookio.Bash
	case call.Input.Get("shell").Exists(), call.Server != "": // the call names it itself, or its server has it
		return 0
	}
	return own
}

// exported are the variables the command's shell has from the hook. Start-up files may add others.
func exported(w World) func(string) bool {
	return func(name string) bool {
		if w.Environ == nil {
			return w.Getenv(name) != ""
		}
		return slices.ContainsFunc(w.Environ(), func(kv string) bool {
			rest, ok := strings.CutPrefix(kv, name)
			return ok && strings.HasPrefix(rest, "=")
		})
	}
}

// expand finds the scripts that a runner starts, in what the call writes, and in files where expandScripts is on.
func expand(p *rules.Policy, w World) func(bashsafety.ScriptRef) []bashsafety.ScriptText {
	f := &scripts.Finder{Files: w.Files, Roots: []rules.Path{p.Cwd, p.Project}, WrittenOnly: !p.Posture.ExpandScripts.On()}
	for i := range p.Dirs {
		f.Roots = append(f.Roots, p.Dirs[i].Path)
	}
	return f.Find
}

// grants adds the session's grants and directories to the policy, but none of a
// state folder that a variable put into the project, or that is not the user's.
func grants(call *hookio.Call, f *Flags, w World, p *rules.Policy) facts.Grants {
	dir, why := stateDir(f, w)
	if why != "" || f.State == "" && notOwn(dir, w, p) != "" {
		return facts.Grants{}
	}
	return sessions(dir, w).Load(useOf(call), p, w.PasswdHome, home(f, w))
}

// SessionStoreProblem says why nothing in the folder of Sessions counts under a policy, "" if it does.
func SessionStoreProblem(f *Flags, w World, p *rules.Policy) string {
	switch dir, why := stateDir(f, w); {
	case why != "":
		return "the state folder " + dir + " " + why
	case f.State == "" && notOwn(dir, w, p) != "":
		return "the state folder " + dir + " is inside the project, or others can write to it"
	}
	return ""
}

// Sessions is where the grants of sessions are kept.
func Sessions(f *Flags, w World) *state.Store { return sessions(StateDir(f, w), w) }

func sessions(dir string, w World) *state.Store {
	return &state.Store{Dir: dir, Files: w.Files, UID: w.UID, Now: w.Now}
}

// LoadOptions says for which call the settings are to be loaded.
func LoadOptions(call *hookio.Call, f *Flags, w World) load.Where {
	where := load.Where{
		OS:          w.OS,
		Cwd:         cmp.Or(f.Cwd, call.Cwd, w.Cwd),
		Project:     call.Project,
		Home:        home(f, w),
		TrustHome:   f.Home != "",
		PasswdHome:  w.PasswdHome,
		MainAgent:   f.Agent == "" && !call.Subagent(),
		UID:         w.UID,
		ManagedDir:  w.ManagedDir,
		Roots:       call.Host.Roots,
		Agent:       f.Agent,
		Skill:       f.Skill,
		SkillText:   call.ProjectSkill(),
		Settings:    f.Settings,
		AddDirs:     f.AddDirs,
		Allowed:     f.Allowed,
		Denied:      f.Denied,
		Tools:       f.Tools,
		Mode:        f.Mode,
		AllowBypass: f.AllowBypass,
		PayloadMode: call.Mode,
		AutoOff:     killed(w.Getenv(load.KillSwitch)),
		Trusted:     trusted(f, w),
		Recorded:    recorded(w),
		StandIns:    w.StandIns,
	}
	if w.Presets != nil {
		where.Presets = w.Presets()
	}
	where.TrustHome = where.TrustHome || where.Home == where.PasswdHome
	if f.Home == "" {
		where.ConfigDir = w.Getenv("CLAUDE_CONFIG_DIR")
	}
	if where.Cwd = w.OS.Canon(where.Cwd); !path.IsAbs(where.Cwd) {
		where.Cwd = path.Join(w.OS.Canon(w.Cwd), where.Cwd)
	}
	if call.Named {
		where.Host = call.Host.Name
		if where.Project == "" && call.Host.ProjectVar != "" {
			where.Project = w.Getenv(call.Host.ProjectVar)
		}
	}
	switch {
	case where.Agent != "":
	case call.AgentType != "":
		where.Agent = call.AgentType
	case call.AgentID != "":
		where.Agent = "(unnamed)" // no definition can have this name: restrictions only
	}
	return where
}

// AskNobody is the variable under which classifier and approver do not run, as in doctor's samples.
const AskNobody = "PERMGATE_ASK_NOBODY"

// AsksNobody reports whether AskNobody is set.
func AsksNobody(w World) bool { return killed(w.Getenv(AskNobody)) }

// killed reports whether the kill switch is set: to all but what plainly says no.
func killed(value string) bool { return value != "" && value != "0" && value != "false" }

// StateDir is the folder of the session state.
func StateDir(f *Flags, w World) string {
	dir, _ := stateDir(f, w)
	return dir
}

// home is the home directory of the call: --home, else what the environment says.
func home(f *Flags, w World) string {
	if f.Home != "" && !w.OS.IsAbs(f.Home) {
		return path.Join(w.OS.Canon(w.Cwd), w.OS.Slashes(f.Home))
	}
	return cmp.Or(f.Home, w.Getenv("HOME"), w.PasswdHome)
}

// guarded lists the files of the gate itself: writing one would rewrite the
// policy. It names the places of later calls too, whose environment may differ.
func guarded(f *Flags, w World, p *rules.Policy) []string {
	dirs := load.ManagedDirs(w.OS)
	out := append([]string{StateDir(f, w)}, dirs[:]...)
	if w.OS == rules.MacOS {
		out = append(out, managed.Preferences)
	}
	if exe, err := w.Exe(); err == nil {
		out = append(out, exe)
	}
	for _, home := range [...]string{w.PasswdHome, w.Getenv("HOME"), f.Home} {
		if home != "" {
			out = append(out, path.Join(w.OS.Canon(home), ".local/state/permgate"))
		}
	}
	if d := w.Getenv("XDG_STATE_HOME"); w.OS.IsAbs(d) {
		out = append(out, path.Join(w.OS.Canon(d), "permgate"))
	}
	if dir := w.Getenv("CLAUDE_CONFIG_DIR"); w.OS.IsAbs(dir) {
		for _, name := range [...]string{"settings.json", "settings.local.json", "permgate.json", load.Exported, "agents", "skills"} {
			out = append(out, path.Join(w.OS.Canon(dir), name))
		}
	}
	out = moved(append(out, managedHooks(w.OS)...), w)
	for i := range p.Sources {
		if file := p.Sources[i].Path; path.IsAbs(file) { // and no registry value
			out = append(out, file)
		}
	}
	if p.Agent != nil && p.Agent.Found {
		out = append(out, p.Agent.Pos.File)
	}
	for i := range out {
		out[i] = w.OS.Canon(out[i])
	}
	return out
}

// managedHooks are the hook files of administrators. Those of Linux are in folders that count as the system's.
func managedHooks(os rules.OS) (out []string) {
	system := ""
	switch os {
	case rules.MacOS:
		system = "darwin"
	case rules.Windows:
		system = "windows"
	default:
		return nil
	}
	for _, h := range hookio.Hosts() {
		for i := 0; h.Register != nil && i < len(h.Register.Files); i++ {
			if file := &h.Register.Files[i]; file.Scope == hookio.ForManaged && file.OS == system {
				out = append(out, file.Path)
			}
		}
	}
	return out
}

// moved adds the hosts' hook and settings files whose folder an environment variable moves.
func moved(out []string, w World) []string {
	for _, h := range hookio.Hosts() {
		if h.Register == nil || h.Register.Moved.To == "" {
			continue
		}
		dir := w.Getenv(h.Register.Moved.To)
		if !w.OS.IsAbs(dir) {
			continue
		}
		add := func(name string) {
			if rest, ok := strings.CutPrefix(name, h.Register.Moved.From+"/"); ok {
				out = append(out, path.Join(w.OS.Canon(dir), rest))
			}
		}
		if from := h.Register.Moved.From; from != "~" && from != "~/.config" && from != "~/.claude" {
			out = append(out, dir) // a folder of the host's own; Claude Code keeps its plans there too
			continue
		}
		for i := range h.Register.Files {
			add(h.Register.Files[i].Path)
		}
		for i := range h.Register.Off {
			add(h.Register.Off[i].Path)
		}
	}
	return out
}
