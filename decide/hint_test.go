package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// decided is what a gate without rules and settings says of a command.
func decided(command string, deny ...rules.Rule) (*Case, Verdict) {
	c := testCase("Bash")
	c.Call.Command = command
	c.Script = bashsafety.Analyze(command, bashsafety.Env{Cwd: "/w", Home: "/h"})
	c.Policy.Home = rules.Path{Given: "/h", Real: "/h"}
	c.Policy.Deny = deny
	return c, Decide(c)
}

// hinted returns the commands that the hint of a reason names.
func hinted(reason string) (commands []string) {
	_, hint, _ := strings.Cut(reason, ". Try ")
	for i, part := range strings.Split(hint, "`") {
		if i%2 == 1 {
			commands = append(commands, part)
		}
	}
	return commands
}

// TestHints: no command that a check offers instead is itself denied or asked
// about by steps 1 and 2, be it in the literal or in the reason of a command the
// check reports, with what that command deletes put into it.
func TestHints(t *testing.T) {
	accepted := func(from, command string) {
		if c, v := decided(command); len(c.Script.Findings) > 0 || v.Step == "1" || v.Step == "2" {
			t.Errorf("%s: `%s` is offered, and step %s says: %s", from, command, v.Step, v.Reason)
		}
	}
	for _, check := range bashsafety.Checks() {
		for _, command := range hinted(". Try " + check.Instead) {
			accepted(check.ID, command)
		}
		reported, _ := bashsafety.Examples(check)
		for _, fails := range reported {
			_, v := decided(fails)
			for _, command := range hinted(v.Reason) {
				accepted(fails, command)
			}
		}
	}
	names := []string{".git", "x/.git", "a/b", "/etc/cron.d", "/etc", "/h/.ssh", "/tmp/x", "node_modules", ".env", "../x"}
	for i := range guard.Sensitives {
		for _, p := range guard.Sensitives[i].Paths {
			if p[0] != '~' && p[0] != '$' && guard.Sensitives[i].Class == guard.Control {
				names = append(names, strings.ReplaceAll(strings.TrimSuffix(p, "/"), "*", "x"))
			}
		}
	}
	offered := 0
	for _, name := range names {
		_, v := decided("rm -rf " + grammar.Quote(name))
		for _, command := range hinted(v.Reason) {
			accepted(name, command)
			offered++
		}
	}
	if offered < len(names) {
		t.Errorf("%d commands are offered instead of %d", offered, len(names))
	}
}

// TestHintsUnderRules: a rule that begins like a hint keeps the name out of it, or
// leaves it out as a whole; another one does neither.
func TestHintsUnderRules(t *testing.T) {
	for rule, want := range map[string]string{
		"Bash(rm x/*)":     "rm build/file.o, rmdir build",
		"Bash(rmdir:*)":    "",
		"Bash(rm *.o)":     "",
		"Bash(*x/file*)":   "",
		"Bash(git push:*)": "rm x/file.o, rmdir x",
		"Read(.env)":       "rm x/file.o, rmdir x",
	} {
		r, err := rules.ParseRule(rule, rules.Deny, rules.User, rules.Pos{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, v := decided("rm -rf x", r); strings.Join(hinted(v.Reason), ", ") != want {
			t.Errorf("%s: %q, want %q", rule, v.Reason, want)
		}
	}
}
