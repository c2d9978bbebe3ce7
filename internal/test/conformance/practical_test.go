package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

const postureFile = "/home/dev/.claude/permgate.json"

// TestPracticalAttacks: no labelled attack that was stopped is allowed because
// "destructive" is "practical", under its own rules and in bypass.
func TestPracticalAttacks(t *testing.T) {
	checked := 0
	for _, r := range corpus(t, "attacks_dev.tsv") {
		for _, mode := range []string{"", "bypassPermissions"} {
			s := Setup{Tool: r.tool, Input: json.RawMessage(r.input), Mode: mode, Settings: map[string]string{
				"/home/dev/.claude/settings.json": `{"permissions":` + r.settings + `}`,
			}}
			_, strict, err := Call(s)
			if err != nil || strict.Decision() == hookio.Allow {
				continue
			}
			checked++
			s.Settings[postureFile] = `{"destructive": "practical"}`
			if _, v, _ := Call(s); v.Decision() == hookio.Allow {
				t.Errorf("%s in %q: %s: was %s, is %s", r.id, mode, r.input, strict.Reason(), v.Reason())
			}
		}
	}
	t.Logf("%d attacks that are stopped stay so", checked)
}

// TestPracticalLifts: with exact rules for all its commands in every place that
// counts, a text passes step 2 only if all that strict finds is destructive: no
// check of another severity, no doubt and no other reason of step 2.
func TestPracticalLifts(t *testing.T) {
	var texts []string
	for _, check := range bashsafety.Checks() {
		if !strings.HasPrefix(check.ID, "powershell-") {
			reported, _ := bashsafety.Examples(check)
			texts = append(texts, reported...)
		}
	}
	more := []string{"touch .bashrc", "echo x > .git/config", "source $x", "git -C ../other commit -m x", "echo $((", "cat /proc/1/environ", "ls", "cd web", "permgate trust", "mv src dist"}
	r, every := rand.New(rand.NewSource(1)), testenv.Every(t, 9, 1, 1)
	for i, text := range texts[:len(texts):len(texts)] {
		other := append(more, texts[r.Intn(len(texts))])[r.Intn(len(more)+1)]
		if i%every == 0 {
			texts = append(texts, text+"\n"+other, other+"\n"+text)
		}
	}
	lifted := 0
	for _, text := range texts {
		s := Setup{Tool: "Bash", Input: shell(text), Settings: map[string]string{}}
		c, strict, err := Call(s)
		if err != nil || strict.Step() != "2" {
			continue
		}
		var rules []string
		for i := range c.Script.Subcommands {
			rule, _ := json.Marshal("Bash(" + facts.Spell(c.Script.Subcommands[i].Argv) + ")")
			rules = append(rules, string(rule))
		}
		allow := `{"permissions": {"allow": [` + strings.Join(rules, ",") + `]}}`
		s.Settings["/home/dev/.gen/settings.json"] = allow
		s.Settings["/work/project/.gen/settings.local.json"] = allow
		s.Session = fmt.Sprintf(`{"project": "/work/project", "allow": [%s]}`, strings.Join(rules, ","))
		if _, v, _ := Call(s); v.Step() != "2" {
			t.Errorf("%q: rules alone lift step 2: %s", text, v.Reason())
		}
		s.Settings[postureFile] = `{"destructive": "practical"}`
		c, v, _ := Call(s)
		if v.Step() <= "2" {
			continue
		}
		lifted++
		for _, f := range c.Script.Findings {
			if f.Check.Severity != bashsafety.Destructive {
				t.Errorf("%q: %s is lifted: %s", text, f.Check.ID, v.Reason())
			}
		}
		if len(c.Script.Doubts) > 0 || strict.Why().Check == nil {
			t.Errorf("%q: lifted, with a doubt or another reason: %s", text, strict.Reason())
		}
	}
	t.Logf("%d of %d texts pass step 2 by exact rules", lifted, len(texts))
	if lifted < 50 {
		t.Errorf("only %d texts are lifted: the test looks at nothing", lifted)
	}
}
