package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// TestLift: what an exact rule takes back, from where, and what it never does.
func TestLift(t *testing.T) {
	const user, local, shared = "/home/dev/.claude/settings.json", "/w/p/.claude/settings.local.json", "/w/p/.claude/settings.json"
	for _, tt := range []struct{ file, rule, command, want string }{
		{local, "rm -rf src", "rm -rf src", "6"},
		{"session", "rm -rf src", "rm -rf src", "4"},
		{local, "git reset --hard", "git reset --hard", "6"},
		{local, "git -C web reset --hard", "git -C web reset --hard", "6"},
		{local, "rm -rf src", "rm -rf src; git reset --hard", "2 git-reset-hard"},
		{local, "find . -name x -delete", "find . -name x -delete", "6"},
		{local, "rm -rf src", "cd /w/p && rm -rf src", "7"},
		{local, "timeout 9 rm -rf src", "timeout 9 rm -rf src", "6"},
		{user, "rm -rf /w/p/src", "rm -rf /w/p/src", "6"},
		{user, "rm -rf /w/p/src", "cd web && rm -rf /w/p/src", "7"},
		{user, "parted disk.img mklabel gpt", "parted disk.img mklabel gpt", "6"},
		{user, "touch /w/other", "touch /w/other", "6"},
		{local, "touch ../other", "touch ../other", "6"},
		{"session", "touch ../other", "touch ../other", "4"},

		{local, "rm -rf src", "rm -rf web", "2 recursive-remove"},
		{local, "rm -rf src", "rm -rf src web", "2 recursive-remove"},
		{local, "rm -rf *", "rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src:*", "rm -rf src", "2 recursive-remove"},
		{local, "rm:*", "rm -rf src", "2 recursive-remove"},
		{local, "rm -rf '*' src", "rm -rf '*' src", "2 recursive-remove"},
		{local, "*", "rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "cd web && rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "cd web; rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "cd $x && rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "source ./env.sh; rm -rf src", "2 recursive-remove"},
		{local, "git reset --hard", ". ./env.sh && git reset --hard", "2 git-reset-hard"},
		{user, "rm -rf /w/p/src", "source ./env.sh; rm -rf /w/p/src", "7"},
		{local, "rm -rf src", "sudo rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "ls | xargs rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "bash -c 'rm -rf src'", "2 recursive-remove"},
		{local, "rm -rf src", "ls | rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "ssh h rm -rf src", "2 recursive-remove"},
		{local, "rm -rf src", "npm run wipe", "2 recursive-remove"},
		{local, "npm run wipe", "npm run wipe", "2 recursive-remove"},
		{local, "git update-ref --stdin", "git update-ref --stdin <<< 'delete refs/heads/x'", "2 git-branch-delete"},
		{user, "rm -rf src", "rm -rf src", "2 recursive-remove"},
		{user, "git reset --hard", "git reset --hard", "2 git-reset-hard"},
		{shared, "rm -rf src", "rm -rf src", "2 recursive-remove"},
		{"/etc/gen/managed-settings.json", "rm -rf src", "rm -rf src", "2 recursive-remove"},
		{local, "parted disk.img mklabel gpt", "parted disk.img mklabel gpt", "2 disk-tool"},
		{"session", "crontab -r", "crontab -r", "2"}, // what runs later is graver
		{user, "echo x", "echo x > /dev/sda", "2 device-write"},
		{local, "echo x", "echo x > ../other", "3b"},
		{user, "touch ../other", "touch ../other", "3b"},
		{user, "cp -t.. /w/p/package.json", "cp -t.. /w/p/package.json", "3b"},
		{user, "cp -t .. /w/p/package.json", "cp -t .. /w/p/package.json", "3b"},
		{user, "./cp /w/p/package.json /w/x", "cd .. && ./cp /w/p/package.json /w/x", "3b"},
		{local, "touch ../other", "cd web && touch ../../other", "3b"},
		{shared, "touch ../other", "touch ../other", "3b"},

		{user, "rm -rf /", "rm -rf /", "2 remove-root"},
		{user, "rm -rf /home/dev", "rm -rf /home/dev", "2 remove-root"},
		{local, "rm -rf .git", "rm -rf .git", "2"},
		{local, "rm -rf .claude", "rm -rf .claude", "2"},
		{local, "tmux send-keys x", "tmux send-keys x", "2 keystroke-injection"},
		{local, "touch /etc/x", "touch /etc/x", "2 system-write"},
		{local, "rm -rf src", "rm -rf src; $x", "2"},
		{local, "eval $x", "eval $x", "2"},
	} {
		files := practicalTree()
		rule := fmt.Sprintf(`"Bash(%s)"`, strings.ReplaceAll(tt.rule, `"`, `\"`))
		session := ""
		if tt.file == "session" {
			session = rule
		} else {
			files.Write(tt.file, `{"permissions": {"allow": [`+rule+`]}}`)
		}
		files.Own("/w", 1000)
		files.Own("/home/dev", 1000)
		if _, v := practicalIn(t, files, tt.command, session); asked(v) != tt.want || v.Step() == "6" && v.Decision() != hookio.Allow {
			t.Errorf("%s with %s in %s: %s %v, want %s: %s", tt.command, tt.rule, tt.file, asked(v), v.Decision(), tt.want, v.Reason())
		}
		files.Write(practicalKey, `{"expandScripts": true}`)
		if _, v := practicalIn(t, files, tt.command, session); v.Step() != "2" && v.Step() != "3b" {
			t.Errorf("%s with %s in %s: strict: %s: %s", tt.command, tt.rule, tt.file, asked(v), v.Reason())
		}
	}
}

// TestLiftManaged: a managed ask stays, and under managed rules only nothing lifts.
func TestLiftManaged(t *testing.T) {
	for _, managed := range []string{`{"permissions": {"ask": ["Bash(rm:*)"]}}`, `{"permissions": {"allowManagedPermissionRulesOnly": true}}`} {
		files := practicalTree()
		files.Write("/w/p/.claude/settings.local.json", `{"permissions": {"allow": ["Bash(rm -rf src)"]}}`)
		files.Write("/etc/gen/managed-settings.json", managed)
		files.Own("/w", 1000)
		if _, v := practicalIn(t, files, "rm -rf src", `"Bash(rm -rf src)"`); v.Step() != "2" {
			t.Errorf("%s: %s: %s", managed, asked(v), v.Reason())
		}
	}
}

// TestLiftSubagent: a subagent that inherits no grant is not let through.
func TestLiftSubagent(t *testing.T) {
	for posture, want := range map[string]hookio.Decision{"strict": hookio.Deny, "host": hookio.Allow} {
		files := practicalTree()
		files.Write("/w/p/.claude/settings.local.json", `{"permissions": {"allow": ["Bash(rm -rf src)"]}}`)
		files.Write(practicalKey, `{"destructive": "practical", "subagents": "`+posture+`"}`)
		files.Own("/w", 1000)
		files.Own("/home/dev", 1000)
		if _, v := practicalIn(t, files, "rm -rf src", "", `"agent_id":"a1"`); v.Decision() != want {
			t.Errorf("%s: %v, want %v: %s", posture, v.Decision(), want, v.Reason())
		}
	}
}

// practicalIn is practical with a rule granted to the session, "" for none.
func practicalIn(t *testing.T, files *fakefs.FS, command, rule string, more ...string) (*decide.Input, decide.Verdict) {
	t.Helper()
	if rule != "" {
		files.Write("/state/session-s1.json", `{"project": "/w/p", "allow": [`+rule+`]}`)
	}
	return practical(t, files, command, more...)
}
