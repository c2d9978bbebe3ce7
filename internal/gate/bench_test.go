package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// benchCall is a typical call in a project with two settings files.
func benchCall(b *testing.B) (payload string, w World, f *Flags) {
	b.Helper()
	dir := b.TempDir()
	home, app := filepath.Join(dir, "home"), filepath.Join(dir, "home", "app")
	for _, d := range []string{filepath.Join(home, ".claude"), filepath.Join(app, ".claude"), filepath.Join(app, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	settings := []byte(`{"permissions": {"allow": ["Bash(git status:*)", "Bash(npm test:*)", "Read(./src/**)"], "ask": ["Bash(git push:*)"], "deny": ["Read(./secret/**)"]}}`)
	for _, name := range []string{filepath.Join(home, ".claude", "settings.json"), filepath.Join(app, ".claude", "settings.json")} {
		if err := os.WriteFile(name, settings, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	payload = `{"session_id":"0b1f9a52","transcript_path":"/x/.claude/s.jsonl","cwd":"` + app + `","permission_mode":"default","hook_event_name":"PreToolUse",` +
		`"tool_name":"Bash","tool_input":{"command":"cd web && npm test -- --watch=false 2>&1 | tail -n 40","description":"run the tests","timeout":120000},"tool_use_id":"toolu_01"}`
	w = World{Getenv: func(string) string { return "" }, Cwd: app, PasswdHome: home, UID: disk.UID(),
		OS: rules.NativeOS(), Files: disk.Disk{},
		ManagedDir: []string{filepath.Join(dir, "none")}, Exe: os.Executable}
	return payload, w, &Flags{Host: "claude"}
}

// BenchmarkLog is what comes after the answer.
func BenchmarkLog(b *testing.B) {
	payload, w, f := benchCall(b)
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		b.Fatal(err)
	}
	c := Case(call, f, w)
	v := decide.Decide(c)
	b.ReportAllocs()
	for b.Loop() {
		r := log.Decided(c, v, v.Answer())
		r.Time = time.Now()
		if err := LogWriter(f, w, c.Policy).Write(r); err != nil {
			b.Fatal(err)
		}
	}
}
