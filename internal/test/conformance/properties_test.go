package conformance

import (
	"encoding/json"
	"math/rand"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// The pools the properties draw from. Commands are text; nothing runs them.
var (
	poolCommands = []string{
		"ls -la", "git status", "git push origin main", "git push --force", "rm x", "rm -rf build", "cat .env", "cat README.md",
		"echo hi > out.txt", "echo hi > /etc/passwd", "npm test", "npm run build", "curl https://example.com/x", "cd sub && git pull",
		"find . -name '*.go'", "find . -delete", "sed -i s/a/b/ f", "tee .git/config", "git commit -m 'a b'", "X=1 make", "PATH=/x ls",
		"echo $(whoami)", "python3 -c 'print(1)'", "docker ps", "git -C other status", "cp a b", "mv a /tmp/b", "grep -r foo .", "echo $X", "$X",
		"ls *.go", "git diff --output=x", "eval \"$y\"", "sort -o f g", "true", "echo 'unterminated",
	}
	poolRules = []string{
		"Bash", "Bash(git:*)", "Bash(git push *)", "Bash(rm:*)", "Bash(rm *)", "Bash(ls:*)", "Bash(echo:*)", "Bash(npm run *)", "Bash(npm test)",
		"Bash(cat:*)", "Bash(curl https://example.com/*)", "Read(./.env)", "Read(**/.env)", "Edit(./out.txt)", "Edit", "Bash(find:*)", "Bash(env:*)",
		"Bash(sh:*)", "Bash(timeout:*)", "Bash(sudo:*)", "Bash(bash:*)", "Bash(* --force)", "WebFetch(domain:example.com)", "Bash(cd:*)", "Bash(sed:*)",
	}
	poolModes = []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"}
)

type lists struct{ Allow, Ask, Deny []string }

func pick(r *rand.Rand, pool []string, max int) []string {
	out := []string{}
	for range r.Intn(max + 1) {
		out = append(out, pool[r.Intn(len(pool))])
	}
	return out
}

func decideText(t testing.TB, command, mode string, l lists) decide.Verdict {
	t.Helper()
	settings, _ := json.Marshal(map[string]any{"permissions": map[string][]string{"allow": l.Allow, "ask": l.Ask, "deny": l.Deny}})
	return decideSettings(t, command, mode, string(settings))
}

func decideSettings(t testing.TB, command, mode, settings string) decide.Verdict {
	t.Helper()
	_, v := caseSettings(t, command, mode, settings)
	return v
}

func caseSettings(t testing.TB, command, mode, settings string) (*decide.Input, decide.Verdict) {
	t.Helper()
	c, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: mode, Settings: map[string]string{"/home/dev/.gen/settings.json": settings}})
	return c, v
}

// checkProperties checks every property for one command, mode and policy.
func checkProperties(t testing.TB, r *rand.Rand, a, b, mode string, l lists) {
	t.Helper()
	va := decideText(t, a, mode, l)
	if again := decideText(t, a, mode, l); again.Decision() != va.Decision() || again.Reason() != va.Reason() {
		t.Errorf("same input, other output: %q %s %v: %v %q, %v %q", a, mode, l, va.Decision(), va.Reason(), again.Decision(), again.Reason())
	}
	if va.Decision() == hookio.Pass || va.Reason() == "" {
		t.Errorf("%q %s: no answer", a, mode)
	}
	more := l
	more.Deny = append(append([]string{}, l.Deny...), poolRules[r.Intn(len(poolRules))])
	never(t, "adding a deny loosens", a, mode, more, va.Decision())
	if n := len(l.Allow); n > 0 {
		less, i := l, r.Intn(n)
		less.Allow = append(append([]string{}, l.Allow[:i]...), l.Allow[i+1:]...)
		never(t, "removing an allow loosens", a, mode, less, va.Decision())
	}
	if !whole(t, a) {
		return // a text that does not end swallows what follows it
	}
	vb := decideText(t, b, mode, l)
	never(t, "a; b is laxer than the stricter of both", a+"\n"+b, mode, l, max(va.Decision(), vb.Decision()))
	for _, w := range wrappings(a) {
		never(t, "wrapping loosens", w, mode, l, va.Decision())
	}
}

// whole reports whether a text parses and ends at its end.
func whole(t testing.TB, a string) bool {
	c, _ := caseSettings(t, a, "default", "{}")
	if c.Script == nil {
		return false // a blank command is malformed
	}
	for _, d := range c.Script.Doubts {
		if d.ID == "parse-error" {
			return false
		}
	}
	return !strings.HasSuffix(a, `\`)
}

func never(t testing.TB, what, command, mode string, l lists, least hookio.Decision) {
	t.Helper()
	if v := decideText(t, command, mode, l); v.Decision() < least {
		t.Errorf("%s: %q in %s under %+v: %v, was %v: %s", what, command, mode, l, v.Decision(), least, v.Reason())
	}
}

// wrappings are texts that run a, and perhaps more.
func wrappings(a string) []string {
	q := "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	var out []string
	if !strings.ContainsAny(a, ";&|\n(){}!#<>'\"\\`$") && !strings.Contains(strings.Fields(a + " x")[0], "=") {
		for _, w := range []string{"env ", "sudo -u root ", "command ", "nohup ", "timeout 5 ", "nice -n 5 ", "stdbuf -oL ", "exec ", "time -p ", "setsid ", "ionice -c2 ", "watch "} {
			out = append(out, w+a)
		}
	}
	return append(out,
		"("+a+"\n)", "{ "+a+"\n}", "if true; then "+a+"\nfi", "x=$("+a+"\n)", "sh -c "+q, "bash -lc "+q, "eval "+q,
		"while "+a+"\ndo true; done", "f() { "+a+"\n}\nf", "time "+a, "! "+a, "case x in x) "+a+"\n;; esac",
		a+"\ntrue", "cat <("+a+"\n)", "coproc { "+a+"\n}", "trap "+q+" EXIT", "echo \"$("+a+"\n)\"",
	)
}

// TestProperties checks the properties on a fixed random sample.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range testenv.Count(t, 60, 400, 400) {
		l := lists{pick(r, poolRules, 4), pick(r, poolRules, 2), pick(r, poolRules, 2)}
		checkProperties(t, r, poolCommands[r.Intn(len(poolCommands))], poolCommands[r.Intn(len(poolCommands))], poolModes[r.Intn(len(poolModes))], l)
		if t.Failed() {
			return
		}
	}
}

// FuzzProperties checks them on texts and rules the fuzzer makes up.
func FuzzProperties(f *testing.F) {
	for i, c := range poolCommands {
		f.Add(c, poolCommands[(i+7)%len(poolCommands)], poolRules[i%len(poolRules)], poolRules[(i+3)%len(poolRules)], int64(i))
	}
	f.Fuzz(func(t *testing.T, a, b, allow, deny string, seed int64) {
		if len(a) > 400 || len(b) > 400 || strings.ContainsAny(a+b, "\x00\ufffd") || a == "" || b == "" {
			t.Skip()
		}
		if c, _ := json.Marshal(a + b); strings.Contains(string(c), `\ufffd`) {
			t.Skip()
		}
		r := rand.New(rand.NewSource(seed))
		checkProperties(t, r, a, b, poolModes[r.Intn(len(poolModes))], lists{Allow: []string{allow}, Deny: []string{deny}})
	})
}

// TestSettingsMutations damages a settings file in every place its structure
// can break: the damage is a fault, or the policy is never laxer. What is left
// well-formed and merely says something else is the user's word.
func TestSettingsMutations(t *testing.T) {
	const good = `{
  // comment
  "permissions": {
    "defaultMode": "acceptEdits",
    "deny": ["Bash(rm:*)", "Read(./.env)"],
    "ask": ["Bash(git push:*)"],
    "allow": ["Bash(git:*)", "Bash(ls:*)"],
    "disableBypassPermissionsMode": "disable",
  }
}`
	calls := []string{"rm x", "git push", "git status", "ls", "cat .env"}
	base := map[string]hookio.Decision{}
	for _, c := range calls {
		for _, m := range []string{"default", "bypassPermissions"} {
			base[c+m] = decideSettings(t, c, m, good).Decision()
		}
	}
	check := func(what, text string) {
		t.Helper()
		for _, c := range calls {
			for _, m := range []string{"default", "bypassPermissions"} {
				least := base[c+m]
				k, v := caseSettings(t, c, m, text)
				for _, f := range k.Policy.Faults {
					if f.Closed {
						least = hookio.Ask // a fault allows nothing; what it lost cannot be known
					}
				}
				if v.Decision() < least {
					t.Errorf("%s: %q in %s is %v, was %v: %s\n%s", what, c, m, v.Decision(), base[c+m], v.Reason(), text)
				}
			}
		}
	}
	inString := false // what is in a string is the user's word
	for i := 1; i < len(good); i++ {
		check("truncated", good[:i])
		if good[i] == '"' {
			inString = !inString
		}
		if good[i] == '"' || !inString && strings.IndexByte(`{}[]:`, good[i]) >= 0 {
			check("without a structural byte", good[:i]+good[i+1:])
			check("with a doubled structural byte", good[:i]+string(good[i])+good[i:])
		}
	}
	for _, key := range []string{"permissions", "deny", "ask"} {
		check("with a second "+key, strings.Replace(good, `"`+key+`":`, `"`+key+`": null, "`+key+`":`, 1))
		check("with "+key+" of another type", strings.Replace(good, `"`+key+`":`, `"`+key+`": 1, "x":`, 1))
	}
}
