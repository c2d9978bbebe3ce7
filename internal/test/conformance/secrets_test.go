package conformance

import (
	"encoding/json"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// TestSecrets: with "secrets": "ask" what holds keys or tokens is asked about
// outside the project, in every mode, unless an exact rule of the user names it.
func TestSecrets(t *testing.T) {
	const home = "/home/dev"
	in := func(key, value string) json.RawMessage {
		b, _ := json.Marshal(map[string]string{key: value})
		return b
	}
	for _, tt := range []struct {
		tool, operand string
		want          hookio.Decision // Pass is silence
	}{
		{"Read", home + "/.ssh/id_rsa", hookio.Ask},
		{"Read", home + "/.ssh/id_rsa.pub", hookio.Pass},
		{"Read", home + "/.ssh/config", hookio.Pass},
		{"Read", "~/.aws/credentials", hookio.Ask},
		{"Read", home + "/.aws/config", hookio.Pass},
		{"Read", "/etc/shadow", hookio.Ask},
		{"Read", "/work/project/etc/shadow", hookio.Pass},
		{"Read", "/work/other/.env", hookio.Ask},
		{"Read", "/work/other/.env.example", hookio.Pass},
		{"Read", "/work/project/.env", hookio.Pass}, // rules decide there
		{"Read", "/work/project/link", hookio.Ask},
		{"Grep", home + "/.aws", hookio.Ask},
		{"Grep", home, hookio.Ask},
		{"Glob", home, hookio.Pass},
		{"Read", home + "/.config/gh/hosts.yml", hookio.Ask},
		{"Read", home + "/notes.txt", hookio.Pass},
		{"Bash", "cat ~/.git-credentials", hookio.Ask},
		{"Bash", "base64 < ~/.netrc", hookio.Ask},
		{"Bash", "cp ~/.ssh/id_ed25519 x", hookio.Ask},
		{"Bash", "cat ~/.ssh/id_*", hookio.Ask},
		{"Bash", "tar cf x.tar ~/.gnupg", hookio.Ask},
		{"Bash", "grep -r token ~/.config", hookio.Ask},
		{"Bash", "grep -r x /work/other", hookio.Pass},
		{"Bash", "ssh -i ~/.ssh/id_rsa host uptime", hookio.Pass},
		{"Bash", "scp -i ~/.ssh/id_rsa a host:", hookio.Pass},
		{"Bash", "cat ~/.ssh/known_hosts", hookio.Pass},
		{"Bash", "cat /proc/1/mem", hookio.Ask},
		{"Bash", "sudo cat /etc/shadow", hookio.Ask},
		{"Bash", "source ~/.vault-token", hookio.Ask},
		{"Bash", "find ~/.ssh -type f -exec cat {} +", hookio.Ask},
		{"Bash", "find ~/.aws -type f -exec cat {} +", hookio.Ask},
		{"Bash", "find ~/.ssh -type f | xargs cat", hookio.Ask},
		{"Bash", "echo ~/.ssh/id_rsa | xargs cat", hookio.Ask},
		{"Bash", "for f in ~/.ssh/*; do cat \"$f\"; done", hookio.Ask},
		{"Bash", "cat ~/.ssh/$x", hookio.Ask},
		{"Bash", "find . -name '*.go' -exec cat {} +", hookio.Pass},
		{"Bash", "find . -type f | xargs cat", hookio.Pass},
		{"Bash", "find ~/.ssh -type f | xargs ls -l", hookio.Pass},
		{"Bash", "for f in ~/.ssh/*.pub; do cat \"$f\"; done", hookio.Pass},
		{"Bash", "cat ~/src/$x/main.go", hookio.Pass},
		{"PowerShell", "Compress-Archive ~/.gnupg a.zip", hookio.Ask},
		{"PowerShell", "Get-ChildItem ~/.ssh | Get-Content", hookio.Ask},
		{"Bash", "cat $(echo ~/.ssh/id_rsa)", hookio.Ask},
		{"Bash", "xargs cat <<< ~/.ssh/id_rsa", hookio.Ask},
		{"Bash", "cat \"${K:-$HOME/.ssh/id_rsa}\"", hookio.Ask},
		{"Bash", "set -- ~/.aws/credentials; cat \"$1\"", hookio.Ask},
		{"Bash", "python3 -c \"print(open('/home/dev/.aws/credentials').read())\"", hookio.Ask},
		{"Bash", "read -r f <<< /etc/shadow; sudo cat \"$f\"", hookio.Ask},
		{"Bash", "ssh -i ~/.ssh/id_rsa host uptime; cat \"$f\"", hookio.Pass},
		{"Bash", "echo see ~/.ssh/config; cat \"$f\"", hookio.Pass},
		{"Bash", "python3 -c \"import os; print(os.path.expanduser('~'))\"", hookio.Pass},
	} {
		key := map[string]string{"Bash": "command", "PowerShell": "command", "Grep": "path", "Glob": "path"}[tt.tool]
		if key == "" {
			key = "file_path"
		}
		input := in(key, tt.operand)
		if tt.tool == "Grep" || tt.tool == "Glob" {
			input = json.RawMessage(`{"pattern":"x","path":` + quote(tt.operand) + `}`)
		}
		for _, mode := range []string{"default", "auto", "acceptEdits", "bypassPermissions"} {
			s := Setup{Tool: tt.tool, Input: input, Mode: mode, Host: "claude", Named: true,
				Symlinks: map[string]string{"/work/project/link": home + "/.ssh/id_rsa"},
				Settings: map[string]string{home + "/.claude/permgate.json": installedPosture(t), home + "/.aws/credentials": "x", home + "/.ssh/id_rsa": "x", home + "/.gnupg/secring.gpg": "x", home + "/.config/gh/hosts.yml": "x"}}
			_, v := call(t, s)
			if got := v.Answer().Decision; got != tt.want {
				t.Errorf("%s %s in %s: %v, want %v (step %s: %s)", tt.tool, tt.operand, mode, got, tt.want, v.Step(), v.Reason())
			}
			if logged, _ := redact.Text(v.Reason()); tt.want == hookio.Ask && logged != v.Reason() {
				t.Errorf("%s %s: the log would hold %s", tt.tool, tt.operand, logged)
			}
			if v.Origin() != "2" || tt.tool != "Read" {
				continue
			}
			// an exact rule of the user's own lets it pass, one with a wildcard or of the project does not
			for file, rule := range map[string]string{home + "/.claude/settings.json": "Read(/" + tt.operand + ")", "/work/project/.claude/settings.local.json": "Read(/" + tt.operand + ")"} {
				s.Settings = map[string]string{home + "/.claude/permgate.json": installedPosture(t), file: `{"permissions":{"allow":["` + rule + `"]}}`}
				_, v, err := Call(s)
				if err != nil || tt.operand[0] == '~' || tt.operand == "/work/project/link" {
					continue
				}
				if lifted := v.Answer().Decision != hookio.Ask; lifted != (file == home+"/.claude/settings.json") {
					t.Errorf("%s with %s in %s: %v (%s)", tt.operand, rule, file, v.Decision(), v.Reason())
				}
			}
		}
	}
}

// TestSecretsAreNoReads: what holds keys is never proven read-only, and without
// the posture rules decide.
func TestSecretsAreNoReads(t *testing.T) {
	for command, want := range map[string]hookio.Decision{
		"cat ~/.git-credentials": hookio.Ask, "cat .env": hookio.Ask, "cat README.md": hookio.Allow, "cat ~/.ssh/id_rsa.pub": hookio.Allow,
		"head /etc/shadow": hookio.Ask, "cat .env.example": hookio.Allow,
	} {
		_, v, err := Call(Setup{Tool: "Bash", Input: shell(command), Mode: "default", Settings: map[string]string{"/home/dev/.gen/permgate.json": readsPass}})
		if err != nil || v.Decision() != want {
			t.Errorf("%s: %v, want %v (%s)", command, v.Decision(), want, v.Reason())
		}
	}
}

// TestFolderNoWordNames: an exact rule lifts step 3b's question about what its words name, and not about a folder that they
// only lead to.
func TestFolderNoWordNames(t *testing.T) {
	for command, want := range map[string]string{"git -C ../lib status": "3b", "cat ../lib/a": "6"} {
		_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: "default", Settings: map[string]string{
			"/work/lib/a": "", "/work/lib/.git/HEAD": "ref: refs/heads/main\n", "/work/lib/.git/objects/a": "", "/work/lib/.git/refs/a": "",
			"/home/dev/.gen/permgate.json":           `{"outsideReads":"ask","destructive":"practical"}`,
			"/work/project/.gen/settings.local.json": `{"permissions":{"allow":["Bash(` + command + `)"]}}`,
		}})
		if v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
}

// TestOutsideReads: with "outsideReads": "ask" step 3b asks about reads as well, of tools and of
// operands, and additional directories and rules with // or ~/ open what they name.
func TestOutsideReads(t *testing.T) {
	setup := func(tool, input string) Setup {
		return Setup{Tool: tool, Input: json.RawMessage(input), Mode: "default", Tmp: true, Host: "claude", Named: true,
			Transcript: "/home/dev/.claude/projects/-work-project/s1.jsonl",
			Symlinks:   map[string]string{"/work/project/link": "/opt/x", "/work/project/dir": "/opt"},
			Settings: map[string]string{"/work/project/a": "", "/work/project/sub/b": "", "/opt/x": "", "/opt/data/y": "", "/tmp/mine": "",
				"/home/dev/.gen/permgate.json": `{"outsideReads":"ask"}`,
				"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash","Read","Read(//opt/data/**)","Read(~/notes/**)"],"additionalDirectories":["/srv/lib/..."]}}`},
			Arrange: func(files *fakefs.FS) { files.Own("/tmp/mine", 1000) }}
	}
	asks := map[string][]string{
		"Bash": {
			"cat /opt/x", "cat $x", "cat ../x", "cat ~/x", "cat link", "cat dir/x", "cat < /opt/x", "x=$(< /opt/x)", "wc -l </opt/x", "mapfile </opt/x", "cat /opt/*", "cat ../*", "cat *", "grep -r x /opt",
			"grep -r x ..", "rg x /opt", "find /opt -name x", "find ~ -type f", "cd /opt && cat x", "cd /opt && grep -r x", "cd /opt && rg x", "cd /opt && ls", "cd /opt && ls -la", "cd $x && ls",
			"ls /opt", "ls ~", "ls /", "tar czf a.tgz /opt/r", "diff a /opt/x", "cp /opt/x a", "head -n1 /opt/x | wc", "sed -n 1p /opt/x", "cat <(cat /opt/x)", "bash -c 'cat /opt/x'", "find . -exec cat /opt/x +",
			"curl -T /opt/x https://example.com", "curl file:///opt/x", "cat sub/$x", "cat /srv/lib/../x", "git -C /opt/none log", "cd /opt/none && git log", "git --git-dir=/opt/none/.git log", "git diff --no-index a /opt/x",
			"python3 /opt/x.py", "ln -s /opt/x b; cat b", "while read l; do :; done </opt/x", "cat /home/dev/.claude/projects/-work-project/memory/a.md",
		},
		"Read":         {`{"file_path":"/opt/x"}`, `{"file_path":"../x"}`, `{"file_path":"~/x"}`, `{"file_path":"link"}`, `{"file_path":"/work/project/../x"}`},
		"Grep":         {`{"pattern":"x","path":"/opt"}`, `{"pattern":"x","path":".."}`, `{"pattern":"x","path":"dir"}`, `{"pattern":"x","glob":"/opt/*"}`, `{"pattern":"x","glob":"../**"}`},
		"Glob":         {`{"pattern":"/opt/**"}`, `{"pattern":"../**/*.go"}`, `{"pattern":"*","path":"/opt"}`, `{"pattern":"a/../../**"}`},
		"LS":           {`{"path":"/opt"}`},
		"LSP":          {`{"file_path":"/opt/x.go"}`},
		"NotebookRead": {`{"notebook_path":"/opt/x.ipynb"}`},
	}
	passes := map[string][]string{
		"Bash": {
			"cat a", "cat sub/*", "cat ./sub/../a", "grep -r x .", "rg x", "find . -name x", "ls", "ls -la sub", "cd sub && ls", "echo a > b", "echo /opt/x", "cat /dev/null", "make 2>&1", "git log", "git -C sub log",
			"cat /opt/data/y", "cp /opt/data/y a", "grep -r x /opt/data", "cat ~/notes/a", "cat /srv/lib/x", "grep -r x /srv/lib", "cat /tmp/mine", "cat <<'X'\n/opt/x\nX",
		},
		"Read": {`{"file_path":"a"}`, `{"file_path":"/opt/data/y"}`, `{"file_path":"~/notes/a"}`, `{"file_path":"/srv/lib/x"}`, `{"file_path":"/tmp/mine"}`,
			`{"file_path":"/home/dev/.claude/projects/-work-project/memory/a.md"}`},
		"Grep": {`{"pattern":"x"}`, `{"pattern":"x","path":"sub"}`, `{"pattern":"x","path":"/srv/lib"}`, `{"pattern":"x","path":"/opt/data"}`},
		"Glob": {`{"pattern":"**/*.go"}`, `{"pattern":"/srv/lib/**"}`},
		"LS":   {`{"path":"sub"}`},
	}
	decided := func(tool, text string) (decide.Verdict, error) {
		if tool == "Bash" {
			b, _ := json.Marshal(map[string]string{"command": text})
			text = string(b)
		}
		_, v, err := Call(setup(tool, text))
		return v, err
	}
	for tool, texts := range asks {
		for _, text := range texts {
			if v, err := decided(tool, text); err != nil || v.Decision() != hookio.Ask || v.Step() != "3b" {
				t.Errorf("%s %s: %v at step %s, want an ask of 3b (%s) %v", tool, text, v.Decision(), v.Step(), v.Reason(), err)
			}
		}
	}
	for tool, texts := range passes {
		for _, text := range texts {
			if v, err := decided(tool, text); err != nil || v.Decision() != hookio.Allow {
				t.Errorf("%s %s: %v at step %s, want allow (%s) %v", tool, text, v.Decision(), v.Step(), v.Reason(), err)
			}
		}
	}
}
