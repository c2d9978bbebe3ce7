package conformance

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// TestTemporaryFiles: step 3b does not ask about what only the user can have put
// in a temporary folder, and about everything else it does. The mode is auto, in
// which Claude Code is not known to check the place itself.
func TestTemporaryFiles(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    hookio.Decision // Pass is silence
	}{
		{"echo x > /tmp/a.txt", hookio.Pass},
		{"mkdir -p /tmp/new/dir && echo x > /tmp/new/dir/f", hookio.Pass},
		{"touch /tmp/mine/f", hookio.Pass},
		{"touch /tmp/theirs/f", hookio.Ask},
		{"touch /tmp/open/f", hookio.Ask},
		{"touch /tmp/link/f", hookio.Ask},
		{"touch /tmp/filelink", hookio.Ask},
		{"touch /tmp/../opt/f", hookio.Ask},
		{"touch /var/tmp2/f", hookio.Ask},
		{"touch /opt/tmp/f", hookio.Ask},
		{"ln -s /opt/x /tmp/l; echo x > /tmp/l", hookio.Ask},
		{"ln -s /opt /tmp/l && touch /tmp/l/f", hookio.Ask},
		{"mv a /tmp/m; echo x > /tmp/m", hookio.Ask},
		{"mv d /tmp/m; echo x > /tmp/m/f", hookio.Ask},
		{"tar xf a.tar -C /tmp/t; echo x > /tmp/t/f", hookio.Ask},
		{"unzip a.zip -d /tmp/t && touch /tmp/t/f", hookio.Ask},
		{"cp -r src /tmp/c; echo x > /tmp/c/f", hookio.Ask},
		{"cp a /tmp/c; sed -i s/a/b/ /tmp/c", hookio.Pass},
		{"git clone https://x.example/r /tmp/r; touch /tmp/r/f", hookio.Ask},
		{"echo x > /tmp/.ssh/authorized_keys", hookio.Ask}, // sensitive wherever it lies
		{"x=$(mktemp) && echo y > \"$x\"", hookio.Pass},
		{"x=$(mktemp -d) && echo y > \"$x/f\"", hookio.Pass},
		{"x=$(mktemp).md; cat > \"$x\" <<< y", hookio.Pass},
		{"x=$(mktemp -d); echo y > \"$x/../../opt/f\"", hookio.Ask},
		{"x=$(mktemp -d -p .); echo y > \"$x/f\"", hookio.Ask},
		{"x=$(mktemp -u); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp --tmpdir=/opt); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp /opt/x.XXXX); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp /tmp/x.XXXX); echo y > \"$x\"", hookio.Pass},
		{"TMPDIR=/opt; x=$(mktemp); echo y > \"$x\"", hookio.Ask},
		{"TMPDIR=/opt x=$(mktemp); echo y > \"$x\"", hookio.Ask},
		{"export TMPDIR=/opt && echo y > $TMPDIR/f", hookio.Ask},
		{"mktemp() { echo /opt/f; }; x=$(mktemp); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp)$y; echo y > \"$x\"", hookio.Ask},
		{"x=$y$(mktemp); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp; echo /opt/f); echo y > \"$x\"", hookio.Ask},
		{"x=$(mktemp | sed s/tmp/opt/); echo y > \"$x\"", hookio.Ask},
		{"cd \"$(mktemp -d)\" && echo y > f", hookio.Pass},
		{"cd /opt; cd \"$(mktemp -d)\"; echo y > f", hookio.Ask},
		{"echo y > ${TMPDIR:-/tmp}/f", hookio.Pass},
		{"for i in 1 2 3; do echo $i > /tmp/out-$i; done", hookio.Pass},
		{"for i in $(seq 1 500); do echo $i > /tmp/out-$i; done", hookio.Pass},
		{"for f in *.go; do sed -i s/a/b/ \"$f\"; done", hookio.Pass},
		{"for f in .*; do touch \"$f/x\"; done", hookio.Ask},
		{"for f in $(cat list); do touch \"$f\"; done", hookio.Ask},
		{"for f in /opt/*; do touch \"$f\"; done", hookio.Ask},
		{"for f in *.go; do touch \"/opt/$f\"; done", hookio.Ask},
		{"for f in *.go; do touch \"$f/../../x\"; done", hookio.Ask},
		{"for f in *.go; do f=/opt/x; touch \"$f\"; done", hookio.Ask},
		{"echo x > /tmp/log-$(date +%s).txt", hookio.Pass},
		{"echo x > /tmp/log-$name.txt", hookio.Ask},
		{`x=$(mktemp -d); cp -s /opt/f "$x/l"; echo y > "$x/l"`, hookio.Ask},
		{`x=$(mktemp -d); rsync -a src/ "$x/"; echo y > "$x/l"`, hookio.Ask},
		{`rsync -a lnk /tmp/l; echo y > /tmp/l/f`, hookio.Ask},
		{`docker cp c:/x /tmp/l; echo y > /tmp/l/f`, hookio.Ask},
		{`gh repo clone a/b /tmp/r && touch /tmp/r/f`, hookio.Ask},
		{`cd /tmp && gh repo clone a/b && touch b/f`, hookio.Ask},
		{`svn checkout https://x.example/a /tmp/l; echo y > /tmp/l/f`, hookio.Ask},
		{`patch -d /tmp/l < p; echo y > /tmp/l/f`, hookio.Ask},
		{`cpio -idmD /tmp/l < a; cp a /tmp/l/f`, hookio.Ask},
		{`env TMPDIR=/opt bash -c 'x=$(mktemp -d); echo y > "$x/f"'`, hookio.Ask},
		{`TMPDIR=/opt sh -c 'echo y > ${TMPDIR:-/tmp}/f'`, hookio.Ask},
		{`TMPDIR=/opt env FOO=1 timeout 5 bash -c 'echo y > ${TMPDIR:-/tmp}/f'`, hookio.Ask},
		{`trap 'echo y > ${TMPDIR:-/tmp}/f' EXIT; TMPDIR=/opt`, hookio.Ask},
		{`. ./env.sh && echo y > ${TMPDIR:-/tmp}/f`, hookio.Ask},
		{`declare -n r=TMPDIR; r=/opt; x=$(mktemp -d); echo y > "$x/f"`, hookio.Ask},
		{`export PATH=.:$PATH; x=$(mktemp -d); echo y > "$x/f"`, hookio.Ask},
		{`for f in $x*; do touch "$f"; done`, hookio.Ask},
		{`touch "..$(seq 1 0)/x"`, hookio.Ask},
		{`touch ".$(seq 1 0)./x"`, hookio.Ask},
		{`for d in *; do echo y > "$d/f"; done`, hookio.Ask},
		{`for d in **/; do echo y > "$d/f"; done`, hookio.Ask},
		{`for d in /tmp/*; do echo y > "$d/f"; done`, hookio.Ask},
		{`for i in a b c d e f g h lnk; do touch "$i/x"; done`, hookio.Ask},
		{`for i in sub/x b/x c/x d/x e/x f/x g/x h/x k/l/m; do touch "$i"; done`, hookio.Ask},
		{`for i in 1 2; do echo y > n$i; done; for i in $(seq 9); do echo y > ln$i; done`, hookio.Ask},
		{`ln -s /opt q; for d in q*; do echo y > "$d/f"; done`, hookio.Ask},
		{"mv sub /tmp/", hookio.Pass},
		{"cp a /tmp && cp b /tmp/", hookio.Pass},
		{"cp -r sub /tmp/; for f in a b; do mv $f /tmp/; done", hookio.Pass},
		{"cp a /tmp/; echo x > /tmp/a", hookio.Pass},
		{"mv a /tmp/; echo x > /tmp/a", hookio.Ask},
		{"mv sub/*.go /tmp/; echo x > /tmp/b.go", hookio.Ask},
		{"mv d /tmp/; echo x > /tmp/d/f", hookio.Ask},
		{"mv $x /tmp/", hookio.Ask},
		{"cp a /tmp/link/", hookio.Ask},
		{"cp a /tmp/theirs/", hookio.Ask},
		{"cp filelink /tmp/", hookio.Ask},
		{"mv opt/filelink /tmp/", hookio.Ask},
		{"cp a /tmp/../opt/", hookio.Ask},
		{"cp a /tmp/..", hookio.Ask},
		{"chmod 700 /tmp", hookio.Ask},
		{"touch /tmp", hookio.Ask},
		{"rsync -a sub/ /tmp/", hookio.Ask},
		{"tar xf a.tar -C /tmp", hookio.Ask},
		{"cp -a sub/. /tmp/", hookio.Ask},
		{"ln -s /opt /tmp/; echo x > /tmp/opt/f", hookio.Ask},
		{"git diff > /tmp/x && git apply /tmp/x", hookio.Pass},
		{"git diff > /tmp/x && git reset -q HEAD && git apply --cached /tmp/x", hookio.Pass},
		{"git apply --unsafe-paths /tmp/p; echo x > /tmp/x", hookio.Ask},
		{"cd /tmp/mine && git apply /tmp/p; echo x > /tmp/mine/f", hookio.Ask},
		{"cd \"$x\" && git apply /tmp/p; echo x > /tmp/mine/f", hookio.Ask},
		{"patch -p1 < /tmp/p; echo x > \"$(mktemp)\"", hookio.Ask},
		{"split -n l/4 -d a /tmp/batch_", hookio.Pass},
		{"split -n l/4 -d a /tmp/filel", hookio.Ask},
		{"split a /tmp/the", hookio.Ask},
		{"split a /tmp/", hookio.Ask},
		{"ln -s /opt/f /tmp/batch_aa; split a /tmp/batch_", hookio.Ask},
		{"mv sub/f /tmp/batch_aa; split a /tmp/batch_", hookio.Ask},
		{"split a /tmp/theirs/batch_", hookio.Ask},
		{"split a /opt/batch_", hookio.Ask},
		{"split a /tmp/*/batch_", hookio.Ask},
		{"go build -o /tmp/x . && /tmp/x export --output /tmp/s/c.json", hookio.Pass},
		{"echo x > /tmp/y; ./tool --output /tmp/c.json && ./tool --out \"$(mktemp)\"", hookio.Pass},
		{"./tool --output /opt/c.json", hookio.Ask},
		{"./tool --output \"$x/c.json\"; echo x > /tmp/y", hookio.Ask},
		{`gh run view 5 > /tmp/a; gh api x > /tmp/b`, hookio.Pass},
		{`gh repo clone a/b /tmp/r && cd /tmp/r && go test ./... > /tmp/out.txt`, hookio.Pass},
		{`for f in sub/**/*.go; do sed -i s/a/b/ "$f"; done`, hookio.Pass},
		{`for f in sub/a.go sub/c/b.go sub/c.go sub/d.go sub/e.go sub/f.go sub/g.go sub/h.go sub/i.go; do sed -i s/a/b/ $f; done`, hookio.Pass},
		{`for f in *.go; do sed s/a/b/ "$f" > "$f.tmp" && mv "$f.tmp" "$f"; done`, hookio.Pass},
		{`for i in $(seq 1 500); do echo $i > out-$i; done`, hookio.Pass},
	} {
		b, _ := json.Marshal(map[string]string{"command": tt.command})
		_, v := call(t, Setup{Tool: "Bash", Input: b, Mode: "auto", Host: "claude", Named: true, Tmp: true,
			Symlinks: map[string]string{"/tmp/link": "/opt", "/tmp/filelink": "/opt/f", "/work/project/lnk": "/opt", "/work/project/ln5": "/opt/f"},
			Settings: map[string]string{"/home/dev/.claude/permgate.json": installedPosture(t), "/tmp/mine/a": "", "/tmp/theirs/a": "", "/tmp/open/a": "", "/opt/a": "", "/work/project/sub/c/b.go": ""},
			Arrange: func(f *fakefs.FS) {
				f.Own("/tmp/mine", 1000)
				f.Own("/tmp/open", 1000)
				f.File("/tmp/open").Mode = fs.ModeDir | 0o777
				f.Own("/tmp/theirs", 1001)
				f.Own("/tmp/link", 1000)
			}})
		if got := v.Answer().Decision; got != tt.want {
			t.Errorf("%s: %v, want %v (step %s: %s)", tt.command, got, tt.want, v.Step(), v.Reason())
		}
	}
}

// TestOwnFiles: what a host tells its agent to write is silence at most, in every
// mode, and nothing that lies near it is.
func TestOwnFiles(t *testing.T) {
	const home, projects = "/home/dev", "/home/dev/.claude/projects/-work-project"
	scratch := `,"scratchpad_dir":"/tmp/claude-1000/x/scratchpad"`
	for _, tt := range []struct {
		tool, operand string
		want          hookio.Decision
	}{
		{"Write", projects + "/memory/MEMORY.md", hookio.Pass},
		{"Edit", projects + "/memory/go.md", hookio.Pass},
		{"Write", projects + "/memory/x.sh", hookio.Ask},
		{"Write", projects + "/memory/sub/x.md", hookio.Ask},
		{"Write", projects + "/memory/../settings.md", hookio.Ask},
		{"Write", home + "/.claude/projects/-other/memory/MEMORY.md", hookio.Ask},
		{"Write", home + "/.claude/CLAUDE.md", hookio.Ask},
		{"Write", home + "/.claude/agents/x.md", hookio.Ask},
		{"Write", home + "/.claude/plans/a-b.md", hookio.Pass},
		{"Write", home + "/.claude/plansx.md", hookio.Ask},
		{"Write", home + "/.claude/plans/link.md", hookio.Ask},
		{"Write", "/tmp/claude-1000/x/scratchpad/deep/a.py", hookio.Pass},
		{"Bash", "echo x > /tmp/claude-1000/x/scratchpad/a", hookio.Pass},
		{"Write", "/tmp/claude-1000/x/scratchpad/.git/hooks/pre-commit", hookio.Ask},
		{"Bash", "echo x > " + projects + "/memory/MEMORY.md", hookio.Ask},
	} {
		input, _ := json.Marshal(map[string]string{"file_path": tt.operand, "content": "x", "old_string": "a", "new_string": "b"})
		if tt.tool == "Bash" {
			input, _ = json.Marshal(map[string]string{"command": tt.operand})
		}
		for _, mode := range []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"} {
			_, v := call(t, Setup{Tool: tt.tool, Input: input, Mode: mode, Host: "claude", Named: true, Tmp: true, Transcript: projects + "/s1.jsonl", Payload: scratch,
				Symlinks: map[string]string{home + "/.claude/plans/link.md": home + "/.bashrc"},
				Settings: map[string]string{home + "/.claude/permgate.json": installedPosture(t), home + "/.claude/settings.json": `{"permissions":{"allow":["Edit","Write"]}}`}})
			got := v.Answer().Decision
			if stopped := got == hookio.Ask || got == hookio.Deny; stopped != (tt.want == hookio.Ask) || got == hookio.Allow {
				t.Errorf("%s %s in %s: %v, want %v (step %s: %s)", tt.tool, tt.operand, mode, got, tt.want, v.Step(), v.Reason())
			}
		}
	}
}

// TestOwnFilesOfOthers is TestOwnFiles for hosts that send no mode that matters here: their file tools, by the names they have.
func TestOwnFilesOfOthers(t *testing.T) {
	const home = "/home/dev"
	qwen, gemini, agy := home+"/.qwen/projects/-work-project", home+"/.gemini/tmp/app", home+"/.gemini/antigravity-cli/brain"
	for _, tt := range []struct {
		host, transcript, tool, path string
		unasked                      bool
	}{
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", qwen + "/memory/MEMORY.md", true},
		{"qwen", qwen + "/chats/s1.jsonl", "edit", qwen + "/memory/go.md", true},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", qwen + "/memory/pinned/a.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", qwen + "/memory/x.sh", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", qwen + "/chats/x.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", home + "/.qwen/projects/-other/memory/MEMORY.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", home + "/.qwen/QWEN.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", home + "/.qwen/agents/x.md", false},
		{"qwen", "", "write_file", qwen + "/memory/MEMORY.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "write_file", qwen + "/memory/link.md", false},
		{"qwen", qwen + "/chats/s1.jsonl", "run_shell_command", qwen + "/memory/MEMORY.md", false},
		{"gemini", gemini + "/chats/s1.jsonl", "write_file", gemini + "/memory/MEMORY.md", true},
		{"gemini", gemini + "/chats/s1.jsonl", "replace", gemini + "/memory/notes.md", true},
		{"gemini", gemini + "/chats/s1.jsonl", "write_file", gemini + "/memory/skills/x/SKILL.md", false},
		{"gemini", gemini + "/chats/s1.jsonl", "write_file", home + "/.gemini/GEMINI.md", false},
		{"gemini", gemini + "/chats/s1.jsonl", "write_file", home + "/.gemini/settings.json", false},
		{"gemini", gemini + "/chats/s1.jsonl", "write_file", home + "/.gemini/tmp/other/memory/MEMORY.md", false},
		{"antigravity", "", "write_to_file", agy + "/s1/task.md", true},
		{"antigravity", "", "replace_file_content", agy + "/s1/implementation_plan.md", true},
		{"antigravity", "", "write_to_file", agy + "/s1/run.sh", false},
		{"antigravity", "", "write_to_file", agy + "/s1/.system_generated/logs/x.md", false},
		{"antigravity", "", "write_to_file", agy + "/s2/task.md", false},
		{"antigravity", "", "write_to_file", home + "/.gemini/config/hooks.json", false},
		{"antigravity", "", "write_to_file", "/work/project/.agents/hooks.json", false},
		{"antigravity", "", "write_to_file", "/work/project/.agents/agents/x/agent.md", false},
		{"antigravity", "", "write_to_file", "/work/project/.agent/hooks.json", false},
		{"copilot", "", "create", home + "/.copilot/agents/x.agent.md", false},
		{"copilot", "", "create", "/work/project/.github/agents/x.agent.md", false},
	} {
		key := map[string]string{"antigravity": "TargetFile", "copilot": "path"}[tt.host]
		if key == "" {
			key = "file_path"
		}
		input, _ := json.Marshal(map[string]string{key: tt.path, "content": "x"})
		if tt.tool == "run_shell_command" {
			input, _ = json.Marshal(map[string]string{"command": "echo x > " + tt.path})
		}
		_, v := call(t, Setup{Tool: tt.tool, Input: input, Host: tt.host, Named: true, Transcript: tt.transcript,
			Symlinks: map[string]string{qwen + "/memory/link.md": home + "/.bashrc"},
			Settings: map[string]string{home + "/.claude/permgate.json": postureOf(t, tt.host), home + "/.claude/settings.json": `{"permissions":{"allow":["Edit(~/**)","Edit(//work/**)"]}}`}})
		got := v.Answer().Decision
		if stopped := got == hookio.Ask || got == hookio.Deny; stopped == tt.unasked || got == hookio.Allow {
			t.Errorf("%s %s %s: %v, unasked is %v (step %s: %s)", tt.host, tt.tool, tt.path, got, tt.unasked, v.Step(), v.Reason())
		}
	}
}

// TestAgentTokens: the files in which agent programs keep what they log in with are asked about where they are read.
func TestAgentTokens(t *testing.T) {
	for _, file := range []string{
		".codex/auth.json", ".codex/.credentials.json", ".gemini/oauth_creds.json", ".gemini/mcp-oauth-tokens.json", ".gemini/a2a-oauth-tokens.json",
		".gemini/gemini-credentials.json", ".gemini/antigravity-cli/antigravity-oauth-token", ".qwen/oauth_creds.json", ".qwen/mcp-oauth-tokens.json",
		".copilot/config.json", ".copilot/mcp-oauth-config/x.tokens.json", ".factory/auth.json", ".factory/auth.v2.file", ".factory/auth.v2.key",
		".factory/auth.encrypted", ".config/cursor/auth.json", ".cursor/auth.json", ".grok/auth.json",
		".local/share/opencode/auth.json", ".local/share/opencode/mcp-auth.json", ".local/share/kilo/auth.json", ".local/share/kilo/mcp-auth.json",
		".config/goose/secrets.yaml", ".local/share/crush/crush.json", ".local/share/amp/secrets.json", ".cline/data/secrets.json",
		".cline/data/settings/providers.json", ".augment/session.json", ".local/share/devin/credentials.toml", ".pi/agent/auth.json",
		".codeium/config.json",
	} {
		for _, tool := range []string{"Read", "Bash"} {
			input, _ := json.Marshal(map[string]string{"file_path": "/home/dev/" + file})
			if tool == "Bash" {
				input, _ = json.Marshal(map[string]string{"command": "cat ~/" + file})
			}
			_, v, err := Call(Setup{Tool: tool, Input: input, Host: "claude", Named: true, Mode: "bypassPermissions",
				Settings: map[string]string{"/home/dev/.claude/permgate.json": installedPosture(t)}})
			if got := v.Answer().Decision; err != nil || got != hookio.Ask {
				t.Errorf("%s %s: %v (%s)", tool, file, got, v.Reason())
			}
		}
	}
}
