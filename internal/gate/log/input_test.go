package log

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// large returns inputs of several megabytes, each large in another way.
func large() [][2]string {
	return [][2]string{
		{"a list of words", `{"a":[` + list(`"x"`, 500_000) + `]}`},
		{"a list of nothing", `{"a":[` + list(`{}`, 500_000) + `]}`},
		{"a list of lists", `{"a":[` + list(`[["TOKEN=a b"]]`, 100_000) + `]}`},
		{"a number", `{"a":` + strings.Repeat("1", 2<<20) + `}`},
		{"members", `{` + list(`"password":"x y"`, 200_000) + `}`},
		{"texts", `{"a":[` + list(`"`+strings.Repeat("key = 'value' ", 5000)+`"`, 100) + `]}`},
		{"a text", `{"a":"` + strings.Repeat(`x=\"c `, 500_000) + `"}`},
		{"a key", `{"` + strings.Repeat(`k`, 2<<20) + `":1}`},
		{"edits", `{"edits":[` + list(`{"path":"a","old_string":"x"}`, 200_000) + `]}`},
	}
}

func list(e string, n int) string { return strings.TrimSuffix(strings.Repeat(e+",", n), ",") }

// TestLarge checks that what is logged of a large input stays far below
// MaxLine, over which no reader shows it, is valid, says that something is
// missing, and does not take the time there is: an unlogged call is what
// somebody may want.
func TestLarge(t *testing.T) {
	for _, l := range large() {
		for _, key := range []string{`"a"`, `"file_path"`} {
			input := strings.Replace(l[1], `"a"`, key, 1)
			call := &hookio.Call{Host: hookio.Lookup("claude"), Tool: "Read", Input: gjson.Parse(input)}
			for name, f := range map[string]func(*hookio.Call) ([]byte, bool){"decisions": Deciding, "full": whole} {
				start := testenv.Worked()
				b, _ := f(call)
				if took := testenv.Worked() - start; took > 5*time.Second { // many times what it takes
					t.Errorf("%s, %s %s: %v", l[0], name, key, took)
				}
				if len(b) > MaxLine/2 || !gjson.ValidBytes(b) {
					t.Errorf("%s, %s %s: %d bytes, valid %v", l[0], name, key, len(b), gjson.ValidBytes(b))
				}
				if name == "full" && !strings.Contains(string(b), CutMark) {
					t.Errorf("%s %s: does not say that it was cut", l[0], key)
				}
			}
		}
	}
}

// TestVisible: a line of the log can be looked at with cat, and still holds what was sent.
func TestVisible(t *testing.T) {
	const sent = "ls \u009b2J\u202eabc\u200b \U000e0041 é 漢 \x1b[0m \"q\" \\u202e"
	call := &hookio.Call{Host: hookio.Lookup("claude"), Tool: "Bash", Input: gjson.Parse(string(hookio.AppendJSON([]byte(`{"command":`), sent)) + "}")}
	for name, f := range map[string]func(*hookio.Call) ([]byte, bool){"decisions": Deciding, "full": whole} {
		b, _ := f(call)
		if got := gjson.GetBytes(b, "command").Str; got != sent || !gjson.ValidBytes(b) {
			t.Errorf("%s: %q", name, got)
		}
		for _, r := range string(b) {
			if !unicode.IsPrint(r) {
				t.Errorf("%s: %U in %s", name, r, b)
			}
		}
	}
}
