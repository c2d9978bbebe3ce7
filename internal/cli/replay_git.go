package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules/load"
)

// gitTime bounds how long git may take.
const gitTime = 30 * time.Second

// revision reads the settings folders of the project here at a git revision.
func (e *env) revision(ref string) (*load.StandIns, error) {
	missing := quoteArg(ref) + ": no such file, folder or git revision"
	if strings.HasPrefix(ref, "-") || ref == "" {
		return nil, errors.New(missing)
	}
	dir := e.policyUnder(nil, &gate.Flags{}).Project.Given
	args := []string{"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", ref}
	names := load.Roots[:]
	for _, f := range replacedFiles() {
		names = append(names, f.name)
	}
	list, err := e.git(dir, append(args, names...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", missing, err)
	}
	out := &load.StandIns{Whole: true, Revision: true}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		if slices.Contains(load.Roots[:], name) { // a link, or a submodule
			return nil, fmt.Errorf("%s is no folder in git", hookio.Escape(ref+":"+name))
		}
		root, base := path.Split(name)
		if root = strings.TrimSuffix(root, "/"); root == "" && strings.Contains(ref, ":") {
			return nil, fmt.Errorf("%s is a settings folder in git: name the revision alone", quoteArg(ref))
		}
		for _, f := range replacedFiles() {
			if f.name != base || !slices.Contains(load.Roots[:], root) {
				continue
			}
			s := load.StandIn{Scope: f.scope, Root: root, Gate: f.gate, Place: ref + ":" + name}
			if words := strings.Fields(head); words[0] == "100644" || words[0] == "100755" {
				s.Data, s.Err = e.git(dir, "cat-file", "blob", words[2])
			} else {
				s.Err = errors.New("is no file in git")
			}
			out.Files = append(out.Files, s)
		}
	}
	return out, nil
}

// git runs git to read objects. Neither the repository's hooks, pagers and filters
// nor its file system monitor are started.
func (e *env) git(dir string, args ...string) ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), gitTime)
	defer stop()
	args = append([]string{"--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = filepath.FromSlash(dir)
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), namesRepository),
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	var text, why bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &why
	err := cmd.Run()
	if line, _, _ := strings.Cut(why.String(), "\n"); err != nil && line != "" {
		err = fmt.Errorf("git: %s", strings.TrimPrefix(line, "fatal: "))
	}
	return text.Bytes(), err
}

// namesRepository reports whether a variable names another repository than the one of
// the folder git is started in. Git sets such for its hooks.
func namesRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE":
		return true
	}
	return false
}

// settingsNow is the operand of --against for the settings of now.
const settingsNow = "now"
