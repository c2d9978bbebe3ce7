package native

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// everyProgram are rules with a wildcard on all programs of the tables, and on their subcommands.
func everyProgram() (texts []string) {
	var add func(before string, c *bashsafety.Command)
	add = func(before string, c *bashsafety.Command) {
		for name := range strings.FieldsSeq(c.Names) {
			if texts = append(texts, before+name); strings.Count(before, " ") > 1 {
				continue
			}
			for i := range c.Subs {
				add(before+name+" ", &c.Subs[i])
			}
		}
	}
	for _, c := range bashsafety.Commands() {
		add("", c)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// keysNamed are words that name a key, or may, for one program or the other.
func keysNamed() (out []string) {
	for _, first := range strings.Split("|.|-x|--x=y|. a|-r . a|-n 1|-f a|--", "|") {
		for _, key := range strings.Split("~/.ssh/id_rsa|~/.aws/credentials|-f ~/.netrc|@~/.ssh/id_rsa|--file=/home/u/.ssh/id_rsa|--input ~/.netrc|"+
			"-f~/.netrc|file:///home/u/.netrc|x=@/home/u/.netrc|~/.ssh/*|-- ~/.netrc", "|") {
			out = append(out, strings.TrimSpace(first+" "+key))
		}
	}
	return out
}

// TestNoOperandIsKey: a rule with a wildcard is written for no program that may read a key which its words name.
func TestNoOperandIsKey(t *testing.T) {
	every, texts := testenv.Every(t, 9, 2, 1), []string{"jq", "gojq", "grep", "rg", "awk", "cat", "seq", "echo"}
	for i, text := range everyProgram() {
		if i%every == 0 && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	w := worldOf(t, map[string]string{
		"/home/u/.gen/settings.json":    rulesOf(`"Bash(`+strings.Join(texts, `:*)", "Bash(`)+`:*)"`, "", ""),
		"/home/u/.claude/permgate.json": recommended,
	})
	p, stems := New(&claude, w), []string(nil)
	for _, r := range p.Plan(func(string) bool { return false }).User {
		stem, more := strings.CutSuffix(strings.TrimPrefix(r.Text, "Bash("), ":*)")
		if r.List != rules.Allow || !more {
			continue
		}
		stems = append(stems, stem)
		for _, words := range keysNamed() {
			if v := p.try(&p.here[0], p.call(&p.here[0], "Bash", stem+" "+words)).v; v.Decision() != hookio.Allow {
				t.Errorf("Bash(%s:*) is written: %s", stem, v.Reason())
				break
			}
		}
	}
	t.Logf("%d of %d: %s", len(stems), len(texts), strings.Join(stems, ", "))
	if len(stems) < 72/every/2 {
		t.Errorf("only %d", len(stems))
	}
}
