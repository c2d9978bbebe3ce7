package algebra

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// shadowPolicy makes a policy of "[managed] LIST RULE" lines.
func shadowPolicy(t *testing.T, lines string) *rules.Policy {
	t.Helper()
	p := &rules.Policy{
		Cwd: rules.Path{Given: "/repo", Real: "/repo"}, Project: rules.Path{Given: "/repo", Real: "/repo"},
		Home: rules.Path{Given: "/home/u", Real: "/home/u"},
	}
	for _, line := range strings.Split(lines, "; ") {
		scope := rules.Shared
		if rest, ok := strings.CutPrefix(line, "managed "); ok {
			line, scope = rest, rules.Managed
		}
		if rest, ok := strings.CutPrefix(line, "user "); ok {
			line, scope = rest, rules.User
		}
		word, text, _ := strings.Cut(line, " ")
		switch word {
		case "mode":
			p.Mode.Value = text
			continue
		case "practical":
			p.Posture.Destructive.Value = word
			continue
		case "secrets":
			p.Posture.Secrets.Value = "ask"
			continue
		}
		list, to := rules.Deny, &p.Deny
		switch word {
		case "ask":
			list, to = rules.Ask, &p.Ask
		case "allow":
			list, to = rules.Allow, &p.Allow
		case "exclude":
			to = &p.Posture.ContentExclusion
		}
		r, err := rules.ParseRule(text, list, scope, rules.Pos{}, false)
		if err != nil {
			t.Fatal(err)
		}
		*to = append(*to, r)
	}
	return p
}

func TestShadows(t *testing.T) {
	for _, row := range []struct{ policy, want string }{
		{"allow Bash(git *); allow Bash(npm *)", ""},
		{"deny Bash(rm -rf:*); deny Bash(rm -fr:*); deny Bash(rm -r x); deny Bash(rm x -f --recursive)",
			"Bash(rm -fr:*) covered by Bash(rm -rf:*) by meaning | Bash(rm x -f --recursive) covered by Bash(rm -rf:*) by meaning"},
		{"ask Bash(git push -f origin:*); ask Bash(git push --force:*)", "Bash(git push -f origin:*) covered by Bash(git push --force:*) by meaning"},
		{"allow Bash(rm -rf:*); allow Bash(rm -fr:*)", ""},
		{"deny Bash(git push:*); allow Bash(git push origin); allow Bash(git *)", "Bash(git push origin) denied first by Bash(git push:*)"},
		{"deny Bash(git push:*); ask Bash(git push *)", "Bash(git push *) denied first by Bash(git push:*)"},
		{"ask Bash(npm:*); allow Bash(npm test)", "Bash(npm test) asked about first by Bash(npm:*)"},
		{"exclude Read(**/*.pem); allow Read(./x.pem)", "Read(./x.pem) denied first by Read(**/*.pem)"},
		{"allow Bash(npm:*); allow Bash(npm *)", "Bash(npm *) covered by Bash(npm:*)"},
		{"allow Bash(npm *); allow Bash(npm:*)", "Bash(npm *) covered by Bash(npm:*)"},
		{"allow Bash(npm run x); allow Bash(npm  run x)", "Bash(npm  run x) the same as Bash(npm run x)"},
		{"deny Read(.env); deny Read(**/.env)", "Read(**/.env) the same as Read(.env)"},
		// a rule without wildcard stands for more than a pattern where its command has options that execute
		{"allow Bash(npm *); allow Bash(npm test)", "Bash(npm test) covered by Bash(npm *)"},
		{"allow Bash(git *); allow Bash(git -c core.pager=x log)", ""},
		{"allow Bash(npm *); allow Bash(timeout 5 npm test)", ""},
		{"allow Bash(curl https://x/*); allow Bash(curl https://x/a)", "Bash(curl https://x/a) covered by Bash(curl https://x/*)"},
		// several together; what may be denied is asked about before an allow counts
		{"deny Bash(git push); deny Bash(git push *); allow Bash(git push:*)", "Bash(git push:*) denied first by Bash(git push) and Bash(git push *)"},
		{"deny Bash(git push); deny Bash(git p*); deny Bash(git push *); allow Bash(git push:*)", "Bash(git push) covered by Bash(git p*) | Bash(git push *) covered by Bash(git p*) | Bash(git push:*) denied first by Bash(git p*)"},
		{"deny Bash(git push *); allow Bash(git push:*)", ""},
		{"deny Bash(git push); ask Bash(git push *); allow Bash(git push:*)", "Bash(git push:*) asked about first by Bash(git push) and Bash(git push *)"},
		{"allow Bash(git push); allow Bash(git push *); allow Bash(git push:*)", "Bash(git push) covered by Bash(git push:*) | Bash(git push *) covered by Bash(git push:*)"},
		{"allow Agent(a); allow Agent(a?*); allow Agent(b*); allow Agent(a*)", "Agent(a) covered by Agent(a*) | Agent(a?*) covered by Agent(a*)"},
		{"deny Agent(a); deny Agent(a?*); deny Agent(*); allow Agent(a*)", "Agent(a) covered by Agent(*) | Agent(a?*) covered by Agent(*) | Agent(a*) denied first by Agent(*)"},
		{"deny Agent(a); deny Agent(ab*); deny Agent(a?*); allow Agent(a*)", "Agent(ab*) covered by Agent(a?*) | Agent(a*) denied first by Agent(a) and Agent(a?*)"},
		// what step 3b looks at
		{"allow Edit; allow Edit(//tmp/**); allow Edit(/a)", "Edit(/a) covered by Edit"},
		{"allow Edit(//tmp/**); allow Edit(//tmp/a)", "Edit(//tmp/a) covered by Edit(//tmp/**)"},
		{"ask Edit; allow Edit(//tmp/**); allow Edit(/a)", "Edit(/a) asked about first by Edit"},
		{"managed ask Edit; allow Edit(//tmp/**)", "Edit(//tmp/**) asked about first by Edit"},
		// observe mode leaves managed restrictions standing alone
		{"managed deny Bash(rm *); deny Bash(rm *)", "Bash(rm *) the same as Bash(rm *)"},
		{"deny Bash(rm:*); managed deny Bash(rm *)", ""},
		{"deny Bash(rm:*); managed ask Bash(rm *)", ""},
		{"deny Bash(rm:*); managed allow Bash(rm *)", "Bash(rm *) denied first by Bash(rm:*)"},
		{"mode bypassPermissions; ask Bash(npm *); managed ask Bash(git *)", "Bash(npm *) silenced by mode bypassPermissions for what it matches for certain; only managed ask rules override it"},
		// a rule that names one thing lifts questions that no pattern does, by its scope
		{"practical; allow Bash(rm *); user allow Bash(rm -r dist)", ""},
		{"practical; allow Bash(rm *); allow Bash(rm -r dist)", "Bash(rm -r dist) covered by Bash(rm *)"},
		{"practical; user allow Bash(rm *); user allow Bash(rm -r *)", "Bash(rm -r *) covered by Bash(rm *)"},
		{"practical; user allow Bash(rm -r dist); user allow Bash(rm  -r dist)", "Bash(rm  -r dist) the same as Bash(rm -r dist)"},
		{"practical; managed allow Bash(rm -r a); user allow Bash(rm -r a)", "Bash(rm -r a) the same as Bash(rm -r a)"},
		{"user allow Bash(rm *); user allow Bash(rm -r dist)", "Bash(rm -r dist) covered by Bash(rm *)"},
		{"secrets; allow Read; user allow Read(~/.ssh/id_rsa)", ""},
		{"secrets; allow Read; allow Read(/a); user allow Read(/a)", "Read(/a) the same as Read(/a)"},
		{"mode auto; allow Read; managed allow Read(.env)", ""},
	} {
		var got []string
		for _, s := range Shadows(shadowPolicy(t, row.policy)) {
			got = append(got, s.Rule.Text+" "+s.How())
		}
		if text := strings.Join(got, " | "); text != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.policy, text, row.want)
		}
	}
}
