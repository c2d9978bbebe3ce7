package subcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// SettingsFile is the file of a scope in the settings folder of the host, else in the first that exists, else .claude.
func (e *Env) SettingsFile(p *rules.Policy, h *hookio.Host, scope string) (string, error) {
	project := p.OS.Native(p.Project.Given)
	switch scope {
	case rules.Local.String():
		return filepath.Join(project, rootInUse(h, project), "settings.local.json"), nil
	case rules.Shared.String():
		return filepath.Join(project, rootInUse(h, project), "settings.json"), nil
	case rules.User.String():
		folders, err := e.PostureFolders(hookio.ForUser)
		if err != nil {
			return "", err
		}
		root := rootInUse(h, p.OS.Native(p.Home.Given))
		return filepath.Join(folders[slices.Index(load.Roots[:], root)], "settings.json"), nil
	}
	return "", fmt.Errorf("unknown scope %q; scopes are local, shared, user", hookio.Escape(scope))
}

// OwnRoot is the settings folder of a host, "" where none is named or permgate reads none of it.
func OwnRoot(h *hookio.Host) string {
	if h != nil && len(h.Roots) > 0 && slices.Contains(load.Roots[:], h.Roots[0]) {
		return h.Roots[0]
	}
	return ""
}

func rootInUse(h *hookio.Host, dir string) string {
	if root := OwnRoot(h); root != "" {
		return root
	}
	for _, root := range load.Roots {
		if Exists(filepath.Join(dir, root)) {
			return root
		}
	}
	return load.Roots[len(load.Roots)-1]
}

// SettingsFiles are the files of a scope in the settings folder of the host, else in all.
func (e *Env) SettingsFiles(p *rules.Policy, h *hookio.Host, scope string) []string {
	if OwnRoot(h) != "" {
		if name, err := e.SettingsFile(p, h, scope); err == nil {
			return []string{name}
		}
		return nil
	}
	var out []string
	for _, root := range load.Roots {
		if name, err := e.SettingsFile(p, &hookio.Host{Roots: []string{root}}, scope); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// OpenSettings reads a settings file for a change. Symlinks are followed, unless they lead where the scope has no say:
// a project may have brought them along.
func (e *Env) OpenSettings(p *rules.Policy, scope, name string) (*Change, *edit.Doc, error) {
	ch, err := e.OpenText(p, scope, name)
	if err != nil {
		return nil, nil, err
	}
	doc, err := edit.Parse(e.Path(name), ch.Old)
	return ch, doc, err
}

// OpenText is openSettings for another file in the settings folder.
func (e *Env) OpenText(p *rules.Policy, scope, name string) (*Change, error) {
	err := e.dangling(name)
	if err != nil {
		return nil, err
	}
	ch, err := LoadText(name)
	if err == nil {
		err = e.Elsewhere(p, scope, ch)
	}
	return ch, err
}

func (e *Env) dangling(name string) error {
	files := e.World.Files
	for _, at := range [...]string{filepath.Dir(name), name} {
		if !links(files, at) {
			continue
		}
		if _, err := files.Stat(at); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a symlink to %s, which does not exist: create the target or remove the link",
				e.Path(at), e.Path(load.Resolve(files, at)))
		}
	}
	return nil
}

// Elsewhere is the error for a file that symlinks lead out of where its scope has a say.
func (e *Env) Elsewhere(p *rules.Policy, scope string, ch *Change) error {
	real, base, whose := load.Resolve(e.World.Files, ch.Target), p.Project, "the project"
	if scope == rules.User.String() {
		base, whose = p.Home, "your home directory"
	}
	if rules.Within(p.OS.Canon(real), base.Real) || scope == rules.User.String() && e.owns(real, ch.Name) {
		return nil
	}
	return fmt.Errorf("%s is reached through a symlink to %s, outside %s: "+
		"change that file in its own place, or replace the link with a file",
		e.Path(ch.Name), e.Path(real), whose)
}

// AddRules adds rules to a list of the settings file of a scope as it is now.
func (e *Env) AddRules(p *rules.Policy, scope, name string, list rules.List, texts ...string) (*Change, error) {
	ch, doc, err := e.OpenSettings(p, scope, name)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		if _, err := doc.AddRule(list.String(), text); err != nil {
			return nil, err
		}
	}
	ch.Text = doc.Bytes()
	ch.Readable(scope)
	return ch, nil
}

// owns reports whether a file outside of home is the user's own: theirs, or in the folder their settings moved to.
func (e *Env) owns(real, name string) bool {
	files := e.World.Files
	if real == load.Resolve(files, filepath.Dir(name))+"/"+filepath.Base(name) && !links(files, filepath.Dir(name)) {
		return true // no link: CLAUDE_CONFIG_DIR, or a home that --home named
	}
	info, err := files.Stat(real)
	if err != nil {
		return false
	}
	uid, ok := files.Owner(info)
	return ok && uid == e.World.UID && !files.OthersWrite(info)
}

func links(files load.Files, name string) bool {
	info, err := files.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// UnknownHost reports a name that --host has and no agent program.
func (e *Env) UnknownHost(err error) int {
	return e.Fail("permgate help hosts lists the programs", "%v", err)
}

// Policy is what the settings say about calls made from here, of a host or of none in particular.
func (e *Env) Policy(h *hookio.Host) *rules.Policy {
	return e.PolicyUnder(h, &gate.Flags{})
}

// PolicyUnder is policy with options.
func (e *Env) PolicyUnder(h *hookio.Host, f *gate.Flags) *rules.Policy {
	return gate.Policy(CallOf(h), f, e.World)
}

// CallOf is a call about nothing, of a host or of a program without a name.
func CallOf(h *hookio.Host) *hookio.Call {
	call := hookio.Unread(hookio.Options{})
	if h != nil {
		call.Host, call.Named = h, true
	}
	return call
}

// Dirs are the folders registrations are kept in.
func (e *Env) Dirs() (*agents.Dirs, error) {
	home := cmp.Or(e.World.Getenv("HOME"), e.World.PasswdHome)
	if home == "" {
		return nil, errors.New("no home directory: HOME is not set")
	}
	var asked *hookio.Host // whose release and err are known
	var release string
	var err error
	d := &agents.Dirs{Home: home, Project: e.project(), Cwd: e.World.Cwd, Getenv: e.World.Getenv, Exists: Exists,
		Waits: e.waits, Release: func(h *hookio.Host) (string, error) {
			if name, file := e.Program(h); asked != h {
				if asked, release, err = h, "", nil; file != "" {
					release, err = operator.Version(name, e.Policy(h), e.World.Environ())
				}
			}
			return release, err
		}}
	if len(e.World.ManagedDir) > 0 {
		d.System = rules.NativeOS().Native(filepath.Dir(e.World.ManagedDir[0]))
	}
	return d, nil
}

// waits is how long the settings' own programs may delay a call of a host: its time-out must be longer.
func (e *Env) waits(h *hookio.Host) (most time.Duration) {
	posture := &e.Policy(h).Posture
	for _, key := range [...]struct {
		rules.Setting
		usual time.Duration
	}{{posture.Classifier, operator.ClassifierTimeout}, {posture.Approver, operator.ApproverTimeout}} {
		if p, err := operator.Parse(key.Value); err == nil {
			most += cmp.Or(p.Timeout, key.usual) + operator.Grace
		}
	}
	return most
}

// Program is the program of a host that PATH finds, and its file, "" for none: on Windows by PATHEXT.
func (e *Env) Program(h *hookio.Host) (name, file string) {
	for _, name := range h.Register.Programs {
		for _, dir := range filepath.SplitList(e.World.Getenv("PATH")) {
			if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil && dir != "" {
				return name, file
			}
		}
	}
	return "", ""
}

// Exists reports whether there is a file or folder of a name.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// ReadText returns the text of a file, nil when it cannot be read.
func (e *Env) ReadText(name string) []byte {
	_, text, _, err := edit.Read(rules.NativeOS().Native(name))
	if err != nil {
		return nil
	}
	return text
}

// PostureFile is the permgate.json for a host's recommended keys: the one with its section, else the one in its own
// folder, else one that exists, else one in a folder that exists, else in .claude.
func (e *Env) PostureFile(h *hookio.Host, scope string) (string, error) {
	folders, err := e.PostureFolders(scope)
	if err != nil {
		return "", err
	}
	last := len(load.Roots) - 1
	pick, rank := last, 0
	for i := last; i >= 0; i-- {
		if r := e.postureRank(h, i, folders[i]); r > 0 && r >= rank {
			pick, rank = i, r
		}
	}
	return filepath.Join(folders[pick], "permgate.json"), nil
}

// postureRank says how well the permgate.json of a settings folder is suited.
func (e *Env) postureRank(h *hookio.Host, root int, folder string) int {
	name := filepath.Join(folder, "permgate.json")
	if doc, err := edit.Parse(name, e.ReadText(name)); err == nil &&
		edit.Member(&doc.Root, "hosts", h.Name) != nil {
		return 4
	}
	switch {
	case len(h.Roots) > 0 && h.Roots[0] == load.Roots[root]:
		return 3
	case Exists(name):
		return 2
	case Exists(folder):
		return 1
	}
	return 0
}

// PostureFolders are the settings folders of a scope, in the order of load.Roots.
func (e *Env) PostureFolders(scope string) ([]string, error) {
	dirs, err := e.Dirs()
	if err != nil {
		return nil, err
	}
	at := hookio.ForUser
	if scope == hookio.ForManaged {
		at = scope
	}
	var out []string
	for i, root := range load.Roots {
		if i < len(e.World.ManagedDir) && at == hookio.ForManaged {
			out = append(out, e.World.ManagedDir[i])
			continue
		}
		p, _ := dirs.Place(agents.Lookup(strings.TrimPrefix(root, ".")), at)
		out = append(out, filepath.Dir(p.Name))
	}
	return out, nil
}

// project is the nearest directory at or above cwd that holds .git, else cwd.
func (e *Env) project() string {
	git := load.Git(e.World.Files, e.World.OS, e.World.UID)
	return cmp.Or(e.World.OS.Native(git.Around(e.World.OS.Canon(e.World.Cwd)).Root), e.World.Cwd)
}

// From is where a setting comes from, in brackets.
func (e *Env) From(s rules.Setting) string {
	if s.Pos.File == "" {
		return ""
	}
	return " (" + e.Place(s.Pos) + ")"
}

// A NamedSetting is a key of permgate.json and what is set.
type NamedSetting struct {
	Name string
	rules.Setting
}

// Settings are the keys that explain and rules print.
func Settings(p *rules.Policy) []NamedSetting {
	g := &p.Posture
	return []NamedSetting{
		{"disableBypassPermissionsMode", p.LockBypass}, {"disableAutoMode", p.LockAuto},
		{"blockReadsOutsideWorkingDirectories", p.FenceRead}, {"blockWritesOutsideWorkingDirectories", p.FenceWrite},
		{"denyInsteadOfPrompting", p.NoPrompts}, {"allowManagedPermissionRulesOnly", p.ManagedOnly},
		{"catastrophic", g.Catastrophic}, {"onUnmatched", g.OnUnmatched}, {"subagents", g.Subagents},
		{"destructive", g.Destructive}, {"secrets", g.Secrets}, {"outsideReads", g.OutsideReads},
		{"rememberYes", g.RememberYes},
		{"autoProjectCode", g.AutoProjectCode},
		{"readOnlyCommands", g.ReadOnlyCommands}, {"projectTrust", g.ProjectTrust}, {"enforce", g.Enforce},
		{"disableSessionGrants", g.NoSessionGrants}, {"expandScripts", g.ExpandScripts},
		{"classifier", g.Classifier}, {"autoDenials", g.AutoDenials},
	}
}

// ForClaude reports whether the settings file of a scope is one that Claude Code reads.
func ForClaude(h *hookio.Host, p *rules.Policy, scope string) bool {
	dir := p.Project.Given
	if scope == rules.User.String() {
		dir = p.Home.Given
	}
	return rootInUse(h, p.OS.Native(dir)) == ".claude"
}
