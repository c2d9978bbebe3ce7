package cli

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestEveryChangeIsAskedAbout: what takes --yes changes the policy, and the check
// permgate-policy finds it in whatever an agent types. Of the verbs that only look
// it finds none, and what makes one of them change something.
func TestEveryChangeIsAskedAbout(t *testing.T) {
	looks := map[string]bool{"check": true, "explain": true, "rules": true, "lint": true, "test": true, "log": true, "replay": true, "prove": true, "policy": true, "report": true, "doctor": true, "help": true, "auto": true,
		"schema": true, "version": true}
	changes := map[string]string{"lint": "--fix", "test": "--record", "report": "--output", "replay": "--html"} // the option that makes a verb change something
	found := func(line string) bool {
		for _, f := range bashsafety.Analyze(line, bashsafety.Env{Cwd: "/work", Home: "/home/dev"}).Findings {
			if f.Check.ID == "permgate-policy" {
				return true
			}
		}
		return false
	}
	expect := func(want bool, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if found(line) != want {
				t.Errorf("%s: found %v, want %v", line, !want, want)
			}
		}
	}
	for _, c := range list() {
		line := "permgate " + c.Name
		fs := flagSet(c)
		option, some := changes[c.Name]
		if fs.Lookup("yes") != nil && looks[c.Name] != some {
			t.Errorf("%s takes --yes: what of it changes something?", line)
		}
		if c.Name == "recommend" || c.Name == "export" { // looks only where it says so
			expect(true, line, line+" --yes", line+" --json --yes", line+" --scope --json", "xargs "+line)
			if c.Name == "export" {
				expect(false, line+" --host claude --check", line+" --check")
				expect(true, line+" --host --check", line+" --check --yes", line+" --check=$x")
			}
			expect(false, line+" --json", line+" --dry-run", line+" --since 7d --dry-run", "env X=1 "+line+" x --json")
			continue
		}
		if !looks[c.Name] {
			expect(true, line, line+" --yes", line+" x", "xargs "+line, "env X=1 "+line+" --json", "sh -c '"+line+"'")
			continue
		}
		expect(false, line, line+" --json")
		if some {
			if fs.Lookup(option[2:]) == nil {
				t.Errorf("%s has no %s", line, option)
			}
			expect(true, line+" "+option, line+" x "+option+"=true", line+" --json "+option[:4]+"$x", "xargs "+line)
		}
		for _, sub := range c.Subs {
			if line == "permgate auto" || line == "permgate policy" {
				expect(false, line+" "+sub.Name+" x", line+" --json "+sub.Name+" x") // their verbs look as well
				continue
			}
			expect(true, line+" "+sub.Name, line+" --json "+sub.Name+" x", line+" --host claude "+sub.Name+" x --yes", "xargs "+line)
		}
	}
}
