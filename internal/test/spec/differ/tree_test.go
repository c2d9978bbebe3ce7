package differ

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/permgate--owner/permgate/internal/test/spec"
)

// A tree is the folders that the calls of one drawn tree are decided in.
type tree struct {
	dir, project, home, state     string
	transcripts, scratch, managed string

	files map[string]*settings
	texts map[string]string // of other files
	turn  uint64            // which way the settings are spelt
	calls []*call
	args  []string // options of the hook
	env   []string
}

// settings is what one settings.json says.
type settings struct {
	lists    map[string][]string // of permissions
	recorded map[string][]string // of them, what the user recorded
	auto     map[string][]string
	keys     map[string]any // of permissions
}

// realise makes the settings of cases that differ in their calls alone.
func realise(dir string, cases []drawn) *tree {
	t := &tree{
		dir: dir, project: dir + "/app", home: dir + "/home", state: dir + "/state/permgate", managed: dir + "/managed",
		files: map[string]*settings{}, texts: map[string]string{}, turn: cases[0].Tree >> 8,
	}
	t.transcripts = t.home + "/.claude/projects/app"
	t.scratch = "/tmp/permgate-differ/scratch"
	t.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.home, "XDG_STATE_HOME=" + dir + "/state"}
	t.common(&cases[0])
	for i := range cases {
		d := &cases[i]
		c := t.call(d, i)
		t.calls = append(t.calls, c)
		t.rules(d, c)
		t.agent(d, c)
	}
	return t
}

// take returns one of n ways, another one each time.
func (t *tree) take(n uint64) uint64 {
	t.turn = t.turn*6364136223846793005 + 1442695040888963407
	return t.turn >> 33 % n
}

// common writes what all calls share.
func (t *tree) common(d *drawn) {
	if h := hostOf(d); h.name != "" {
		t.args = append(t.args, "--host", h.name)
	}
	if d.Flag != spec.NoMode {
		t.args = append(t.args, "--permission-mode", modeNames[d.Flag])
	}
	if d.AllowBypass {
		t.args = append(t.args, "--allow-dangerously-skip-permissions")
	}
	if d.Default != spec.NoMode {
		t.in(d.DefaultScope, d.Host == spec.Full && t.take(2) == 0).keys["defaultMode"] = modeNames[d.Default]
	}
	t.on(d.LockBypass, "disableBypassPermissionsMode")
	t.on(d.ManagedOnly, "allowManagedPermissionRulesOnly")
	if d.LockAuto && t.take(3) == 0 {
		t.env = append(t.env, "PERMGATE_DISABLE_AUTO_MODE=1")
	} else {
		t.on(d.LockAuto, "disableAutoMode")
	}
	if d.Headless && t.take(2) == 0 {
		t.args = append(t.args, "--headless")
	} else {
		t.on(d.Headless, "denyInsteadOfPrompting")
	}
	for _, list := range []string{"hard_deny", "soft_deny", "allow"} { // in place of those that are built in
		t.in(spec.Managed, false).auto[list] = []string{"Frobnicate(nothing)"}
	}
	t.fault(d.Fault)
	t.posture(d)
}

// on writes a switch into the settings of some scope.
func (t *tree) on(set bool, key string) {
	if set {
		t.in(spec.Scope(t.take(4)), t.take(2) == 0).keys[key] = true
	}
}

// in is the settings.json of a scope.
func (t *tree) in(scope spec.Scope, claude bool) *settings {
	root, managed := ".gen", "gen"
	if claude {
		root, managed = ".claude", "claude-code"
	}
	name := map[spec.Scope]string{
		spec.Managed: t.managed + "/" + managed + "/managed-settings.json",
		spec.User:    t.home + "/" + root + "/settings.json",
		spec.Local:   t.project + "/" + root + "/settings.local.json",
		spec.Shared:  t.project + "/" + root + "/settings.json",
	}[scope]
	if t.files[name] == nil {
		t.files[name] = &settings{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string]any{}}
	}
	return t.files[name]
}

// fault writes a file that cannot be used.
func (t *tree) fault(f spec.Fault) {
	const broken = `{"permissions": {"allow": ["Frobnicate(nothing)"`
	switch f {
	case spec.ManagedFault:
		t.texts[t.managed+"/san/managed-settings.json"] = broken
	case spec.UserFault:
		t.texts[t.home+"/.san/settings.json"] = broken
	case spec.ProjectFault:
		t.texts[t.project+"/.san/settings.json"] = broken
	case spec.UserKey:
		t.texts[t.home+"/.san/permgate.json"] = `{"frobnicate": true}`
	}
}

// posture writes the permgate.json of the user and of the project.
func (t *tree) posture(d *drawn) {
	user, project := map[string]any{}, map[string]any{}
	for _, k := range []struct {
		spec.Key
		name         string
		tight, loose any
	}{
		{d.Catastrophic, "catastrophic", "deny", "ask"},
		{d.Defer, "onUnmatched", "ask", "defer"},
		{d.Subagents, "subagents", "strict", "host"},
		{d.ReadOnly, "readOnlyCommands", "ask", "allow"},
		{d.Destructive, "destructive", "strict", "practical"},
		{d.Trust, "projectTrust", "require", "off"},
		{d.Enforce, "enforce", true, false},
	} {
		for _, say := range []struct {
			spec.Say
			to map[string]any
		}{{k.User, user}, {k.Project, project}} {
			if say.Say != spec.Unset {
				say.to[k.name] = []any{k.tight, k.loose}[say.Say-spec.Tight]
			}
		}
	}
	root := [...]string{".gen", ".claude"}[t.take(2)]
	if h := hostOf(d).name; h != "" && t.take(2) == 0 {
		user = map[string]any{"hosts": map[string]any{h: user}}
	}
	t.json(t.home+"/"+root+"/permgate.json", user)
	if len(project) > 0 {
		t.json(t.project+"/"+root+"/permgate.json", project)
	}
}

func (t *tree) json(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	t.texts[name] = string(text)
}

// rules writes the rules of one call.
func (t *tree) rules(d *drawn, c *call) {
	var granted []string
	session := map[string]any{}
	for i, r := range d.Rules {
		text := t.rule(d, c, i)
		if r.Scope == spec.Session {
			switch {
			case r.Form == spec.Matches && d.Tool == spec.Edit:
				session["allowAllEdits"] = true
			case r.Form == spec.Matches && (forms(d)[spec.HeldBack] || d.Variant%11 < 4):
				session["allowAllBash"] = true
			default:
				granted = append(granted, text)
			}
			continue
		}
		f := t.in(r.Scope, r.Claude)
		switch r.List {
		case spec.HardDenies, spec.SoftDenies:
			f.auto[listNames[r.List]] = append(f.auto[listNames[r.List]], text)
		default:
			f.lists[listNames[r.List]] = append(f.lists[listNames[r.List]], text)
			if r.Recorded {
				f.recorded[listNames[r.List]] = append(f.recorded[listNames[r.List]], text)
			}
		}
	}
	if len(session)+len(granted) > 0 {
		c.session = c.id
		session["project"], session["since"], session["allow"] = t.project, now(), granted
		t.json(t.state+"/session-"+c.session+".json", session)
	}
}

var listNames = map[spec.List]string{
	spec.Denies: "deny", spec.Asks: "ask", spec.Allows: "allow", spec.Opens: "additionalDirectories",
	spec.HardDenies: "hard_deny", spec.SoftDenies: "soft_deny",
}

// agent writes the definition of the subagent that makes a call.
func (t *tree) agent(d *drawn, c *call) {
	text := "---\nname: " + c.agent + "\n"
	if d.Definition != spec.NoMode {
		text += "permissionMode: " + modeNames[d.Definition] + "\n"
	}
	switch d.Caller {
	case spec.Main, spec.Subagent:
		return
	case spec.AgentAllows:
		text += "allow_tools: [Read, TaskList, AskUserQuestion, ExitPlanMode, Edit, Bash, Frobnicate]\n"
	case spec.AgentExcludes:
		text += "allow_tools: [Frobnicated]\n"
	case spec.AgentUnread:
		text += "allow_tools: {Bash: all}\n"
	}
	root := [...]string{".gen", ".claude"}[d.Tree/13%2]
	t.texts[t.home+"/"+root+"/agents/"+c.agent+".md"] = text + "---\nNothing.\n"
}

// write puts the files on the disk, with the user's record of those of the project.
func (t *tree) write() error {
	for _, dir := range []string{t.project + "/.git", t.home, t.managed, filepath.Dir(t.state)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// the index of a repository that tracks nothing
	index := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), make([]byte, 20)...)
	if err := os.WriteFile(t.project+"/.git/index", index, 0o644); err != nil {
		return err
	}
	if err := t.record(); err != nil {
		return err
	}
	for name, f := range t.files {
		if err := put(name, text(f.lists, f.keys, f.auto)); err != nil {
			return err
		}
	}
	for name, text := range t.texts {
		if err := put(name, text); err != nil {
			return err
		}
	}
	return nil
}

// record has the user record what was recorded, before the rest is written.
func (t *tree) record() error {
	some := false
	for name, f := range t.files {
		if len(f.recorded) == 0 || !strings.HasPrefix(name, t.project) {
			continue
		}
		if some = true; put(name, text(f.recorded, nil, nil)) != nil {
			return fmt.Errorf("cannot write %s", name)
		}
	}
	if !some {
		return nil
	}
	out, err := t.run("trust", "--yes").CombinedOutput()
	if err != nil {
		return fmt.Errorf("permgate trust: %v: %s", err, out)
	}
	return nil
}

// text is a settings.json with some lists of permissions, other keys of it, and lists of autoMode.
func text(lists map[string][]string, keys map[string]any, auto map[string][]string) string {
	permissions := maps.Clone(keys)
	if permissions == nil {
		permissions = map[string]any{}
	}
	for name, list := range lists {
		permissions[name] = list
	}
	top := map[string]any{"permissions": permissions}
	if len(auto) > 0 {
		top["autoMode"] = auto
	}
	out, err := json.Marshal(top)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func put(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}
