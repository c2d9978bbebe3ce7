package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
)

// typical is what one hook call looks like: a compound command, four settings
// files of 15 rules each.
func typical(tb testing.TB) (payload string, w World) {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	for i, name := range []string{home + "/.claude/settings.json", home + "/.gen/settings.json", project + "/.claude/settings.json", project + "/.claude/settings.local.json"} {
		var b strings.Builder
		b.WriteString(`{"permissions": {"allow": [`)
		for j := range 8 {
			fmt.Fprintf(&b, "\n  \"Bash(tool%d%d:*)\",", i, j)
		}
		b.WriteString(`], "ask": ["Bash(git push *)", "Bash(npm publish *)", "WebFetch(domain:example.com)"], "deny": ["Read(./.env)", "Read(./secrets/**)", "Bash(rm -rf *)", "Edit(//etc/**)"]}}`)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	if err := os.Mkdir(project+"/.git", 0o755); err != nil {
		tb.Fatal(err)
	}
	payload = fmt.Sprintf(`{"session_id":"s1","transcript_path":"%s/.claude/projects/x/1.jsonl","cwd":%q,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cd web && npm test 2>&1 | tail -20"}}`, home, project)
	return payload, World{
		Getenv: func(k string) string { return map[string]string{"HOME": home}[k] },
		Cwd:    project, PasswdHome: home, UID: disk.UID(), Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files: disk.Disk{}, Now: time.Now(), ManagedDir: []string{},
	}
}

// BenchmarkDecision is one whole decision, from payload to answer: ns, bytes
// and allocations.
func BenchmarkDecision(b *testing.B) {
	payload, w := typical(b)
	b.ReportAllocs()
	for b.Loop() {
		call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
		if err != nil {
			b.Fatal(err)
		}
		c := Case(call, &Flags{Host: "claude"}, w)
		v := decide.Decide(c)
		hookio.Write(nil, call, v.Answer())
	}
}

func BenchmarkCase(b *testing.B) {
	payload, w := typical(b)
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Case(call, &Flags{Host: "claude"}, w)
	}
}

func BenchmarkDecide(b *testing.B) {
	payload, w := typical(b)
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: "claude"})
	if err != nil {
		b.Fatal(err)
	}
	c := Case(call, &Flags{Host: "claude"}, w)
	b.ReportAllocs()
	for b.Loop() {
		decide.Decide(c)
	}
}
