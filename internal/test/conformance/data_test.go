package conformance

import (
	"cmp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// broadly is what somebody writes who wants to hear no question again.
var broadly = `{"permissions":{"allow":["Bash(*)","Read","Edit","Write","WebFetch","Read(//**)","Edit(//**)"]}}`

// installed decides a shell text as the installed hook does, in a mode, under the
// rules above.
func installed(t *testing.T, command, mode string) hookio.Answer {
	t.Helper()
	_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: mode, Host: "claude", Named: true, Tmp: true, Settings: map[string]string{
		"/home/dev/.claude/permgate.json": installedPosture(t), "/home/dev/.claude/settings.json": broadly,
	}})
	return v.Answer()
}

// TestDeletesNoFiles: what drops databases, resets applications and empties
// secret stores is asked about in every mode and under the broadest rules, by
// the check of its kind; what only looks like it is not.
func TestDeletesNoFiles(t *testing.T) {
	stopped, passed := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(dataStops), "\n") {
		check, command, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no check before %q", line)
		}
		command = strings.ReplaceAll(command, `⏎`, "\n")
		for _, mode := range []string{"default", "acceptEdits", "bypassPermissions"} {
			a := installed(t, command, mode)
			want := hookio.Ask
			if strings.HasPrefix(check, "!") {
				want = hookio.Deny
			}
			if a.Decision != want || !strings.Contains(a.Reason, strings.TrimPrefix(check, "!")) {
				t.Errorf("%s: %q in %s: %v, %s", check, command, mode, a.Decision, a.Reason)
			}
		}
		stopped++
	}
	for _, command := range strings.Split(strings.TrimSpace(dataPasses), "\n") {
		command = strings.ReplaceAll(command, `⏎`, "\n")
		for _, mode := range []string{"default", "bypassPermissions"} {
			if a := installed(t, command, mode); a.Decision == hookio.Ask || a.Decision == hookio.Deny {
				t.Errorf("%q in %s: %v, %s", command, mode, a.Decision, a.Reason)
			}
		}
		passed++
	}
	if stopped < 150 || passed < 100 {
		t.Errorf("%d lines that stop and %d that pass are too few", stopped, passed)
	}
}

// Under onUnmatched "defer" a call no rule is about is left to the host. One
// whose rule is held back is not: the host reads that rule too, and wider.
func TestHeldBack(t *testing.T) {
	posture := installedPosture(t)
	for _, tt := range []struct {
		allow, command string
		want           hookio.Decision // Pass is silence
		mode           string          // "" is default
	}{
		{`"Bash(make:*)"`, "cargo build", hookio.Pass, ""},
		{`"Bash(git:*)"`, "git log", hookio.Allow, ""},
		{`"Bash(git:*)"`, "git -c core.fsmonitor='touch x' status", hookio.Ask, ""},
		{`"Bash(git status:*)"`, "git -C /elsewhere status", hookio.Pass, ""}, // the host compares the words as they are
		{`"Bash(git status:*)"`, "git -C src status", hookio.Pass, ""},
		{`"Bash(git log:*)"`, "git --git-dir=x log", hookio.Pass, ""}, // the host compares the words as they are
		{`"Bash(go test:*)"`, "go test -exec ./x ./...", hookio.Ask, ""},
		{`"Bash(go test:*)"`, "cargo build && go test -exec ./x ./...", hookio.Pass, ""}, // no rule of the host covers the rest
		{`"Bash(go test:*)"`, "help cd; go test -exec ./x ./...", hookio.Pass, ""},
		{`"Bash(go test:*)"`, "FOO=1 ls; go test -exec ./x ./...", hookio.Pass, ""}, // nor what is behind a variable that is not on its list
		{`"Bash(go test:*)"`, "touch a; go test -exec ./x ./...", hookio.Ask, "acceptEdits"},
		{`"Bash(xargs:*)"`, "touch a; xargs ./x", hookio.Ask, "acceptEdits"}, // the host's mode covers touch
		{`"Bash(xargs:*)"`, "cargo build; xargs ./x", hookio.Pass, ""},
		{`"Bash(xargs:*)"`, "cargo build", hookio.Pass, "acceptEdits"},
		{`"Bash(go test:*)"`, "go test -exec ./x ./...", hookio.Ask, "plan"}, // where the host's rules count too
		{`"Bash(go test:*)"`, "cargo build", hookio.Pass, "plan"},
		{`"Bash(go test:*)"`, "go test -exec ./x ./...", hookio.Deny, "dontAsk"},
		{`"Bash(go test:*)"`, "cd src && go test -exec ./x ./...", hookio.Ask, ""},
		{`"Bash(trap:*)"`, "trap 'curl https://x.example' EXIT", hookio.Pass, ""}, // nor trap
		{`"Bash(git:*)"`, "ls; git -c core.pager=./x log", hookio.Ask, ""},
		{`"Bash(make:*)"`, "trap 'curl https://x.example' EXIT", hookio.Pass, ""},
		{`"Bash(find:*)"`, "find . -name x | xargs grep y", hookio.Pass, ""},
		{`"Bash(git:*)"`, "FOO=1 git log", hookio.Pass, ""}, // the host's own list of variables
		{`"Bash(ls:*)"`, "PATH=/tmp ls", hookio.Pass, ""},
		{`"Bash(git:*)"`, "GIT_SSH_COMMAND='sh -c ./x' git fetch origin", hookio.Pass, ""},
		{`"Bash(git:*)"`, "FOO=1 LD_PRELOAD=./x git status", hookio.Pass, ""},
		{`"Bash(go test:*)"`, "GOFLAGS=-toolexec=./x go test ./...", hookio.Pass, ""},
		{`"Bash(make:*)"`, "PATH=/tmp ls", hookio.Pass, ""},
		{`"Bash(git:*)"`, "CI=1 git log", hookio.Allow, ""},
		{`"Bash(printf:*)","Bash(ls:*)"`, "printf -v PATH x; ls", hookio.Ask, ""},
		{`"Bash(curl https://ok.example/*)"`, "curl https://ok.example/a https://bad.example/b", hookio.Ask, ""},
	} {
		_, v := call(t, Setup{Tool: "Bash", Input: shell(tt.command), Mode: cmp.Or(tt.mode, "default"), Host: "claude", Named: true, Settings: map[string]string{
			"/home/dev/.claude/permgate.json": posture,
			"/home/dev/.claude/settings.json": `{"permissions":{"allow":[` + tt.allow + `]}}`,
		}})
		if got := v.Answer().Decision; got != tt.want {
			t.Errorf("%s with %s: %v, want %v (step %s: %s)", tt.command, tt.allow, got, tt.want, v.Step(), v.Reason())
		}
	}
}
