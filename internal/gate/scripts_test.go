package gate

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// Only expandScripts reads files of the project, and only those of a runner
// that is there.
func TestExpandReads(t *testing.T) {
	for _, tt := range []struct {
		key, command string
		more         int // files opened besides the settings
	}{
		{"false", "npm run a; make; just; task; mise run a", 0},
		{"true", "ls -la", 0},
		{"true", "npm run a", 1},
		{"true", "npm run a; npm run a; make; just", 1},
	} {
		files := fakefs.New(map[string]string{
			"/w/package.json":              `{"scripts": {"a": "rm -rf /"}}`,
			"/home/dev/.gen/permgate.json": `{"expandScripts": ` + tt.key + `}`,
		})
		files.Own("/w", 1000)
		w := World{
			Getenv: func(string) string { return "" }, Cwd: "/w", PasswdHome: "/home/dev", UID: 1000, Files: files, Now: time.Time{}.Add(time.Hour),
			Exe: func() (string, error) { return "/usr/bin/permgate", nil }, ManagedDir: []string{"/etc/gen"},
		}
		reads := func(command string) int {
			call, err := hookio.Read(strings.NewReader(`{"cwd":"/w","tool_name":"Bash","tool_input":{"command":"`+command+`"}}`), hookio.Options{})
			if err != nil {
				t.Fatal(err)
			}
			files.Reads = 0
			if c := Case(call, &Flags{}, w); (len(c.Script.Findings) > 0) != (tt.more > 0 && command == tt.command) {
				t.Errorf("%s: findings %v", command, c.Script.Findings)
			}
			return files.Reads
		}
		if plain, got := reads("true"), reads(tt.command); got-plain != tt.more {
			t.Errorf("%s with %s: %d files of the project were opened, want %d", tt.command, tt.key, got-plain, tt.more)
		}
	}
}
