package native

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// recommended is what permgate install writes.
const recommended = `{"hosts": {"claude": {"catastrophic": "deny", "destructive": "practical", "secrets": "ask", "onUnmatched": "defer",
	"subagents": "host", "projectTrust": "require", "rememberYes": true}, "codex": {"subagents": "host", "secrets": "ask"}}}`

const project = "/home/u/app"

// worldOf is a machine with one user and a project in git.
func worldOf(t *testing.T, files map[string]string) gate.World {
	t.Helper()
	fs := fakefs.New(files)
	fs.Mkdir(project + "/.git")
	fs.Mkdir(project + "/sub")
	fs.Own("/home/u", 1000)
	return gate.World{
		Getenv: func(string) string { return "" }, Environ: func() []string { return nil }, Cwd: project, PasswdHome: "/home/u", UID: 1000,
		Exe: func() (string, error) { return "/usr/bin/permgate", nil }, Files: fs, ManagedDir: []string{"/etc/gen", "/etc/san", "/etc/claude-code"},
	}
}
