package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// lastRun is a log of three sessions in two projects, and the settings of the first.
func lastRun(t *testing.T, settings string) *logRun {
	l := newLogRun(t, nil)
	app := filepath.Join(l.e.World.PasswdHome, "app")
	l.e.World.Cwd = app
	writeFile(t, filepath.Join(app, ".git", "HEAD"), "")
	writeFile(t, filepath.Join(app, ".gen", "settings.json"), settings)
	file := filepath.Join(app, ".gen", "settings.json")
	push := decided(0, "ask", "ask", "5", "git push origin main")
	push.Rule, push.RulePlace = "Bash(git push:*)", file+":1:26"
	push.Reason = "ask rule: Bash(git push:*) (" + file + `:1:26) matches "git push origin main"`
	push.Trace = []log.Entry{{Step: "1", Decision: "pass"}, {Step: "5", Decision: "ask", Reason: push.Reason}}
	refused := became(1, push, log.Refused)
	refused.OutcomeReason = "not today"
	make := decided(2, "ask", log.Silence, "7", "make all")
	other := decided(3, "allow", "allow", "6", "elsewhere")
	other.Session = "s2"
	secret := decided(4, "ask", "ask", "7", "TOKEN=[secret] make")
	secret.Redacted = true
	for _, r := range []*log.Record{&push, &make, &secret} {
		r.Project = l.e.World.OS.Canon(app)
		r.Cwd = r.Project + "/web"
	}
	for _, r := range []log.Record{push, refused, make, other, secret} {
		l.append(string(r.AppendJSON(nil)))
	}
	l.e.World.Now = logTime.Add(10 * time.Minute)
	return l
}

const askPush = `{"permissions": {"ask": ["Bash(git push:*)"]}}`

func TestExplainLast(t *testing.T) {
	l := lastRun(t, askPush)
	where := strings.NewReplacer(": ~/app/", ": "+l.e.World.Cwd+string(filepath.Separator), ": ~/app\n", ": "+l.e.World.Cwd+"\n")
	l.want(where.Replace(`call 3 from the end below ~/app, 2026-11-20 14:00:00 (10 minutes ago)

ask  git push origin main  (step 5: .gen/settings.json:1  Bash(git push:*))
  ask rule: Bash(git push:*) (.gen/settings.json:1:26) matches "git push origin main"
  the program was told: ask; refused by the user: not today

then
  program: claude, event PreToolUse
  session: s1
  working directory: ~/app/web
  project: ~/app
  mode: default
  took: 1.0 ms
  permgate: v1

steps then
  1  deny      -     no opinion
  5  ask       ask   ask rule: Bash(git push:*) (.gen/settings.json:1:26) matches "git push origin main"

now
  the log does not tell whether the settings changed since; the decision would be the same
`), "explain", "--last", "3")
}

func TestExplainLastChoice(t *testing.T) {
	l := lastRun(t, askPush)
	for _, tt := range []struct{ args, want string }{
		{"--last", "TOKEN=[secret] make"},
		{"--last=1", "TOKEN=[secret] make"},
		{"--last 2", "make all"},
		{"--last=3", "git push origin main"},
		{"--last --session s2", "elsewhere"},
		{"--last --session s1", "TOKEN=[secret] make"},
		{"--last --cwd /w/app", "elsewhere"},
	} {
		out, err, code := l.run(append([]string{"explain"}, strings.Fields(tt.args)...)...)
		if code != subcmd.ExitOK || !strings.Contains(out, "  "+tt.want+"  (") {
			t.Errorf("%s: exit %d, %s%s", tt.args, code, err, out)
		}
	}
	for _, tt := range []struct{ args, err, hint string }{
		{"--last 4", "only 3 calls are logged below ~/app", "permgate explain --last=3"},
		{"--last --session s9", "no call is logged of session s9", "permgate log -n 5"},
		{"--last --cwd /elsewhere", "no call is logged below /elsewhere", "permgate log -n 5"},
		{"--last 0", "--last '0': not a number", "permgate explain --last=2"},
		{"--last ls", "--last 'ls': not a number", "permgate explain --last=2"},
		{"--last=2 ls", "--last takes its call from the log, not from a command", "permgate explain --last=2"},
	} {
		out, err, code := l.run(append([]string{"explain"}, strings.Fields(tt.args)...)...)
		if code != subcmd.ExitError || out != "" || !strings.Contains(err, tt.err) || !strings.Contains(err, "hint: "+tt.hint) {
			t.Errorf("%s: exit %d, %s%s", tt.args, code, err, out)
		}
	}
}

// TestExplainLastNow checks what is said about the settings of now.
func TestExplainLastNow(t *testing.T) {
	l := lastRun(t, askPush)
	out, _, _ := l.run("explain", "--last")
	has(t, out, "the call cannot be decided again: a secret in it was redacted in the log")
	out, _, _ = l.run("explain", "--last", "--json")
	if gjson.Get(out, "not_decided_anew").Str == "" || gjson.Get(out, "now").Exists() || gjson.Get(out, "logged.Attributes.permgate\\.step").Str != "7" {
		t.Error(out)
	}
	l = lastRun(t, `{"permissions": {"deny": ["Bash(git push:*)"]}}`)
	out, _, _ = l.run("explain", "--last", "3")
	has(t, out, "the decision would be different:\n  decision ask -> deny\n  answer ask -> deny\n  step 5 -> 1\n\ndeny  git push origin main  (step 1: .gen/settings.json:1  Bash(git push:*))\n", "\nmode\n  default", "\nsettings\n")
	out, _, _ = l.run("explain", "--last", "3", "--json")
	if gjson.Get(out, "now.decision").Str != "deny" || gjson.Get(out, "changed.0").Str != "decision ask -> deny" || gjson.Get(out, "outcome").Str != "refused by the user" {
		t.Error(out)
	}
}

func TestExplainLastOfNothing(t *testing.T) {
	l := newLogRun(t, nil)
	if _, err, code := l.run("explain", "--last"); code != subcmd.ExitError || !strings.Contains(err, "no call is logged in ") || !strings.Contains(err, "hint: permgate doctor") {
		t.Errorf("exit %d, %s", code, err)
	}
	writeFile(t, filepath.Join(l.e.World.PasswdHome, ".gen", "permgate.json"), `{"audit": "off"}`)
	if _, err, code := l.run("explain", "--last"); code != subcmd.ExitError || !strings.Contains(err, "the log is switched off (~/.gen/permgate.json:1)") {
		t.Errorf("exit %d, %s", code, err)
	}
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in\n%s", p, text)
		}
	}
}
