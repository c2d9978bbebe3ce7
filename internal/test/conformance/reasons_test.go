package conformance

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestReasons: what a prompt says is one plain sentence, what to try instead, and
// in brackets at the end what has it asked. It names the real cause: the part
// that a rule covers except for what narrows it, not the first without a rule.
func TestReasons(t *testing.T) {
	const home = "/home/dev/.gen/settings.json"
	for _, tt := range []struct{ settings, mode, command, part, want string }{
		{"", "bypassPermissions", "rm -rf x", "rm -rf x",
			"`rm -rf x` deletes `x`, which does not exist now [permgate recursive-remove: asks in every mode]"},
		{"", "default", "mkdir x; rm -rf x", "rm -rf x", "`rm -rf x` deletes `x`, which does not exist now; " +
			"another part of the command may put something there first [permgate recursive-remove: asks in every mode]"},
		{"", "default", "rm -rf a b", "rm -rf a b",
			"`rm -rf a b` deletes 2 names, none of which exists now [permgate recursive-remove: asks in every mode]"},
		{`"allow":["Bash(rm *)"]`, "dontAsk", "rm -rf x", "rm -rf x", "`rm -rf x` deletes `x`, which does not exist now " +
			"[permgate recursive-remove; mode: don't ask (auto-deny): bypass-immune: destructive command]"},
		{`"deny":["Bash(git push:*)"]`, "default", "git push -n", "git push -n", "`git push -n` matches your deny rule Bash(git push:*) [permgate deny rule, " + home + ":1:25]"},
		{"", "default", "make all", "make all", "no rule allows `make all` [permgate mode: default requires confirmation]"},
		{`"allow":["Bash(git log:*)"]`, "default", "git log $BASE..HEAD", "git log …..HEAD",
			"your rule Bash(git log:*) (" + home + ":1:26) does not cover `git log …..HEAD`: an unquoted expansion could become an option [permgate mode: default requires confirmation]"},
		{`"allow":["Bash(git:*)"]`, "default", "make; git -c core.pager=./x log", "git -c core.pager=./x log", "your rule Bash(git:*) (" + home + ":1:26) does not cover `git -c core.pager=./x log`: "},
		{"", "bypassPermissions", "reg delete HKCU/Software/X /f", "reg delete HKCU/Software/X /f", "`reg delete HKCU/Software/X /f` changes or deletes by " +
			"a system tool of Windows; what it changes binds every program and later login, or cannot be undone. " +
			"Try `reg query HKCU/Software/X` to look first [permgate windows-system: asks in every mode]"},
		{"", "bypassPermissions", "reg delete r.j3ss.co/x", "reg delete r.j3ss.co/x", "`reg delete r.j3ss.co/x` deletes container volumes, "},
		{"", "bypassPermissions", "echo x > .git/config", ".git/config", "`echo x > .git/config` writes `/work/project/.git/config`, which git runs commands from"},
	} {
		set := Setup{Tool: "Bash", Mode: tt.mode, Settings: map[string]string{}, AsIs: true}
		set.Input, _ = json.Marshal(map[string]string{"command": tt.command})
		if tt.settings != "" {
			set.Settings[home] = `{"permissions":{` + tt.settings + `}}`
		}
		_, v, err := Call(set)
		if err != nil || !strings.HasPrefix(v.Reason(), strings.Split(tt.want, "…..HEAD")[0]) {
			t.Errorf("%s: %q, %v; want %q", tt.command, v.Reason(), err, tt.want)
		}
		if !strings.Contains(v.Why().Part, strings.Split(tt.part, "…..HEAD")[0]) {
			t.Errorf("%s: part %q, want %q", tt.command, v.Why().Part, tt.part)
		}
	}
}

// TestMark: a host's dialog shows nothing but the reason, so every ask and every deny ends with who says
// so, and with the check, the mode or the step that has it.
func TestMark(t *testing.T) {
	ends := regexp.MustCompile(`[^ ] \[permgate [^\[\]]*[^\[\] ]\]$`)
	answers, every, n := map[string]int{}, testenv.Every(t, 6, 1, 1), 0 // a sample takes each row in one of the modes
	for _, name := range []string{"attacks.tsv", "benign.tsv", "gaps.tsv"} {
		for _, r := range ownCorpus(t, name) {
			n++
			for k, mode := range []string{"default", "acceptEdits", "auto", "dontAsk", "plan", "bypassPermissions"} {
				if (n+k)%every > 0 {
					continue
				}
				_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input), Mode: mode, Settings: map[string]string{
					"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`,
				}})
				if err != nil || v.Decision() == hookio.Allow {
					continue
				}
				answers[v.Step()]++
				for _, reason := range []string{v.Reason(), v.HostAnswer().Reason} {
					if !ends.MatchString(reason) || strings.Count(reason, "[permgate ") != 1 {
						t.Errorf("%s in %s: %q", r.id, mode, reason)
					}
				}
			}
		}
	}
	for _, step := range []string{"1", "2", "3b", "5", "7", "8"} {
		if answers[step] == 0 {
			t.Errorf("step %s answers no row", step)
		}
	}
}
