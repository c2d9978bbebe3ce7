package cli

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// keptAs is the name a file's backups begin with: its own, or, for a file of the
// project, one in the state folder: in the project they would be in the way of
// everybody who looks at it, and one git add from being committed.
func (e *env) keptAs(target string) string {
	p := e.policy(nil)
	file := e.world.OS.Canon(target)
	if !rules.Within(file, p.Project.Given) && !rules.Within(file, p.Project.Real) ||
		gate.SessionStoreProblem(&gate.Flags{}, e.world, p) != "" {
		return target
	}
	folder := fnv.New64a()
	folder.Write([]byte(filepath.Dir(file)))
	dir := filepath.Join(gate.StateDir(&gate.Flags{}, e.world), "backup",
		fmt.Sprintf("%s-%x", filepath.Base(p.Project.Given), folder.Sum64()))
	if os.MkdirAll(dir, 0o700) != nil {
		return target
	}
	return filepath.Join(dir, filepath.Base(target))
}
