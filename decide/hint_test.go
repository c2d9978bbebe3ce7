package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// decided is what a gate without rules and settings says of a command.
func decided(command string, deny ...rules.Rule) (*Input, Verdict) {
	c := testCase("Bash")
	c.Call.Command = command
	c.Script = bashsafety.Analyze(command, bashsafety.Env{Cwd: "/w", Home: "/h"})
	c.Policy.Home = rules.Path{Given: "/h", Real: "/h"}
	c.Policy.Deny = deny
	return c, Decide(c)
}

// hinted returns the commands that a hint names.
func hinted(hint string) (commands []string) {
	for i, part := range strings.Split(hint, "`") {
		if i%2 == 1 {
			commands = append(commands, part)
		}
	}
	return commands
}

// TestHints: no command that a check offers instead is itself denied or asked about, be it in the literal
// or in the reason of a command the check reports, and it is about the call: every word is one of the
// call's, one of the literal's, or a name that the call has.
func TestHints(t *testing.T) {
	accepted := func(from, command string) {
		t.Helper()
		if c, v := decided(command); len(c.Script.Findings) > 0 || v.Step() != "7" {
			t.Errorf("%s: `%s` is offered, and step %s says: %s", from, command, v.Step(), v.Reason())
		}
	}
	offered := 0
	for _, check := range bashsafety.Checks() {
		known := " "
		for i := range check.Instead {
			h := &check.Instead[i]
			known += strings.NewReplacer("`", " ", ",", " ", "=", " ").Replace(h.Text+" "+h.Swap+" "+h.Add) + " "
			for _, command := range hinted(h.Text) {
				if !strings.Contains(command, "NAME") && command != "CALL" && !strings.HasPrefix(check.ID, "powershell") {
					accepted(check.ID, command)
				}
			}
		}
		reported, _ := bashsafety.Examples(check)
		for _, fails := range reported {
			_, v := decided(fails)
			for _, command := range hinted(v.Why().Way) {
				accepted(fails, command)
				offered++
				for word := range strings.FieldsSeq(command) {
					own := strings.Contains(fails, strings.Trim(word, "'")) || strings.Contains(v.Why().Part, word)
					if !own && v.Why().Check == check && !strings.Contains(word, "=") && !strings.Contains(known, " "+word+" ") {
						t.Errorf("%s: `%s` is offered, whose %s is not of the call", fails, command, word)
					}
				}
			}
		}
	}
	if offered < 100 {
		t.Errorf("only %d commands are offered", offered)
	}
}

// TestHintsAbout: what is offered, and for what nothing is.
func TestHintsAbout(t *testing.T) {
	for command, want := range map[string]string{
		"rm -rf /":                     "",
		"rm -rf x":                     "",
		"aws s3 rb s3://b --force":     "aws s3 ls s3://b",
		"aws s3 rm --recursive s3://b": "aws s3 rm --recursive s3://b --dryrun",
		"aws dynamodb delete-table --table-name x":     "",
		"aws ec2 terminate-instances --instance-ids i": "aws ec2 describe-instances --instance-ids i",
		"git push -f origin main":                      "git push --force-with-lease origin main",
		"git push origin +main":                        "",
		"git branch -D topic":                          "git branch -d topic",
		"git -C sub reset --hard HEAD~1":               "",
		"git reset --hard":                             "git stash",
		"git clean -fdx src":                           "git clean -ndx src",
		"find . -name '*.o' -delete":                   "find . -name '*.o' -print",
		"find $x -delete":                              "",
		"chmod -R 777 .":                               "chmod -R u+rwx .",
		"kubectl delete ns prod":                       "kubectl get all -n prod",
		"dropdb app":                                   "pg_dump app",
		"terraform destroy":                            "terraform plan -destroy",
		"mv ~ x":                                       "",
		"dd if=a of=b":                                 "",
	} {
		if _, v := decided(command); strings.Join(hinted(v.Why().Way), ", ") != want {
			t.Errorf("%s: %q, want %q", command, v.Reason(), want)
		}
	}
}

// TestHintsUnderRules: a command that a rule denies or asks about is not offered.
func TestHintsUnderRules(t *testing.T) {
	for rule, want := range map[string]string{
		"Bash(git stash)":   "",
		"Bash(git stash:*)": "",
		"Bash(git *)":       "",
		"Bash(npm:*)":       "git stash",
		"Read(.env)":        "git stash",
	} {
		r, err := rules.ParseRule(rule, rules.Ask, rules.User, rules.Pos{}, false)
		if err != nil {
			t.Fatal(err)
		}
		c := testCase("Bash")
		c.Call.Command = "git reset --hard"
		c.Script = bashsafety.Analyze(c.Call.Command, bashsafety.Env{Cwd: "/w", Home: "/h"})
		c.Policy.Ask = []rules.Rule{r}
		if v := Decide(c); strings.Join(hinted(v.Why().Way), ", ") != want {
			t.Errorf("%s: %q, want %q", rule, v.Reason(), want)
		}
	}
}
