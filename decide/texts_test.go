package decide

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/asks"
	"github.com/permgate--owner/permgate/decide/internal/deny"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestTextsAskLikeCommands: of a text in the input of an MCP tool nothing is asked that is not asked of the command typed, and
// all of that is which is no doubt. Deny rules bind both alike.
func TestTextsAskLikeCommands(t *testing.T) {
	pieces := []string{"cat ~/.aws/credentials", "echo x >> ~/.bashrc", "git push", "cd sub && rm -rf x", "cat .env", "git -C /other commit", ". ~/x.sh", "$x y",
		"cat /proc/1/environ", "tee ~/.ssh/config", `python3 -c "open('/h/.netrc').read()"`, "echo rm -rf /", "ls", "for f in *; do cat $f; done", "x=$(cat ~/.netrc)"}
	for _, check := range bashsafety.Checks() {
		reported, passed := bashsafety.Examples(check)
		pieces = append(append(pieces, reported...), passed...)
	}
	every, random := testenv.Every(t, 4, 1, 1), rand.New(rand.NewPCG(1, 2))
	joints := []string{"; ", " && ", "\n", " | ", " || "}
	for i := 0; i < 4000; i += every {
		text := pieces[random.IntN(len(pieces))] + joints[random.IntN(len(joints))] + pieces[random.IntN(len(pieces))]
		if i < len(pieces) {
			text = pieces[i]
		}
		bash, typed := textCase(t, "Bash", text), textCase(t, "mcp__x__y", text)
		if typed == nil {
			continue // it is not valid bash
		}
		c := bash.Facts()
		var all, sure []string
		for _, q := range verdict.Standing(c, asks.Immune(c), noLifts, 0).All() {
			says := withoutRule(q.String())
			all = append(all, says)
			if !q.Grave(verdict.Doubtful) && !strings.Contains(says, " may ") {
				sure = append(sure, says)
			}
		}
		got := verdict.Standing(typed.Facts(), asks.Immune(typed.Facts()), noLifts, 0).All()
		for _, q := range got {
			says := strings.ReplaceAll(q.String(), "`mcp__x__y`", "the command")
			if !slices.Contains(all, says) {
				t.Errorf("%q: only the text asks: %s", text, says)
			}
			sure = slices.DeleteFunc(sure, func(s string) bool { return s == says })
		}
		if len(sure) > 0 {
			t.Errorf("%q: only the command asks: %s", text, sure)
		}
		if a, b := deny.Step(c), deny.Step(typed.Facts()); a.Holds() != b.Holds() {
			t.Errorf("%q: denied as a command %v, as a text %v", text, a.Holds(), b.Holds())
		}
	}
}

// withoutRule takes out which rule would allow a command: none does that of a server's text.
func withoutRule(says string) string {
	before, rest, ok := strings.Cut(says, ". To allow it from now on")
	if _, after, ends := strings.Cut(rest, "shows the file)"); ok && ends {
		return before + after
	}
	return says
}

func noLifts() []verdict.Lift[facts.Facts] { return nil }

// textCase is a call with a text under a policy, or what Texts makes of its input; nil where that does not parse.
func textCase(t *testing.T, tool, text string) *Input {
	input := string(hookio.AppendJSON(nil, text))
	call, err := hookio.Read(strings.NewReader(`{"transcript_path":"/h/.claude/x","cwd":"/w","tool_name":"`+tool+`","tool_input":{"command":`+input+`}}`), hookio.Options{Host: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	if tool != "Bash" {
		call = call.Texts(hookio.Readers{SQL: bashsafety.PlainSQL})[0]
	}
	in := testCase("")
	in.Call = call
	in.Policy.Home, in.Policy.Posture.Secrets.Value = rules.Path{Given: "/h", Real: "/h"}, "ask"
	r, err := rules.ParseRule("Bash(git push:*)", rules.Deny, rules.User, rules.Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	in.Policy.Deny = []rules.Rule{r}
	env := bashsafety.Env{Cwd: "/w", Home: "/h", Secret: in.Secret(), Parsed: new(bashsafety.Parsed)}
	if in.Script = bashsafety.Analyze(call.Command, env); env.Parsed.Err != nil {
		return nil
	}
	return in
}
