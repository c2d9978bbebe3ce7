package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// dirs are the folders registrations are kept in.
func (e *env) dirs() (*agents.Dirs, error) {
	home := e.world.Getenv("HOME")
	if home == "" {
		home = e.world.PasswdHome
	}
	if home == "" {
		return nil, errors.New("no home directory: HOME is not set")
	}
	d := &agents.Dirs{Home: home, Project: e.project(), Cwd: e.world.Cwd, Getenv: e.world.Getenv, Exists: exists,
		Waits: e.waits}
	if len(e.world.ManagedDir) > 0 {
		d.System = filepath.Dir(e.world.ManagedDir[0])
	}
	return d, nil
}

// waits is how long the programs that the settings name may keep a call of a host
// waiting: its hook needs a time-out above that.
func (e *env) waits(h *hookio.Host) (most time.Duration) {
	posture := &e.policy(h).Posture
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

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// readText returns the text of a file, nil when it cannot be read.
func (e *env) readText(name string) []byte {
	_, text, _, err := edit.Read(name)
	if err != nil {
		return nil
	}
	return text
}

// postureFile is the permgate.json a host's recommended keys go to: the one
// that has its section; in its own folder where that is one of those that are
// read; else in the first that has such a file, else in the first that is there,
// else in .claude.
func (e *env) postureFile(h *hookio.Host, scope string) (string, error) {
	folders, err := e.postureFolders(scope)
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
func (e *env) postureRank(h *hookio.Host, root int, folder string) int {
	name := filepath.Join(folder, "permgate.json")
	if doc, err := edit.Parse(name, e.readText(name)); err == nil &&
		edit.Member(edit.Member(&doc.Root, "hosts"), h.Name) != nil {
		return 4
	}
	switch {
	case len(h.Roots) > 0 && h.Roots[0] == load.Roots[root]:
		return 3
	case exists(name):
		return 2
	case exists(folder):
		return 1
	}
	return 0
}

// postureFolders are the settings folders of a scope, in the order of load.Roots.
func (e *env) postureFolders(scope string) ([]string, error) {
	dirs, err := e.dirs()
	if err != nil {
		return nil, err
	}
	var out []string
	for i, root := range load.Roots {
		h := agents.Lookup(strings.TrimPrefix(root, "."))
		if scope != hookio.ForManaged {
			p, _ := dirs.Place(h, hookio.ForUser)
			out = append(out, filepath.Dir(p.Name))
		} else if i < len(e.world.ManagedDir) {
			out = append(out, e.world.ManagedDir[i])
		} else {
			p, _ := dirs.Place(h, hookio.ForManaged)
			out = append(out, filepath.Dir(p.Name))
		}
	}
	return out, nil
}

// project is the nearest directory at or above cwd that holds .git, else cwd.
func (e *env) project() string {
	for dir := e.world.Cwd; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return e.world.Cwd
		}
	}
}

// executable is the path to register: the name on PATH that leads to this very
// file, because it survives an update that moves the file; else the file.
func (e *env) executable() (string, error) {
	file, err := e.findExecutable()
	if err == nil && !utf8.ValidString(file) {
		return "", fmt.Errorf("the path of this binary is not UTF-8, and no JSON file can name it: %q", file)
	}
	return file, err
}

func (e *env) findExecutable() (string, error) {
	exe, err := e.world.Exe()
	if err != nil {
		return "", fmt.Errorf("cannot find permgate's own binary: %w", err)
	}
	own, err := os.Stat(exe)
	if err != nil {
		return "", fmt.Errorf("cannot find permgate's own binary: %w", err)
	}
	name := "permgate"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(e.world.Getenv("PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(dir) && os.SameFile(info, own) {
			return file, nil
		}
	}
	if base := strings.TrimSuffix(filepath.Base(exe), ".exe"); base != "permgate" {
		return "", fmt.Errorf("this binary is named %s; hooks are recognised by the name permgate", base)
	}
	return exe, nil
}
