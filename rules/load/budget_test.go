package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// shapes are files that could make a reader slow, by their size.
var shapes = map[string]func(n int) string{
	"one line":                func(n int) string { return settingsOf(n, ",") },
	"many lines":              func(n int) string { return settingsOf(n, ",\n\t") },
	"umlauts":                 func(n int) string { return strings.ReplaceAll(settingsOf(n, ","), "tool", "wärkzeug") },
	"malformed rules":         func(n int) string { return `{"permissions":{"deny":[` + times(n, `"B(",`) + `]}}` },
	"numbers for rules":       func(n int) string { return `{"permissions":{"deny":[` + times(n, `1,`) + `]}}` },
	"typos":                   func(n int) string { return `{` + times(n, `"permissionz":{},`) + `}` },
	"the same key":            func(n int) string { return `{` + times(n, `"a":1,`) + `}` },
	"the same lists":          func(n int) string { return `{` + times(n, `"permissions":{"deny":["B"]},`) + `}` },
	"open brackets":           func(n int) string { return times(n, "[") },
	"wrong brackets":          func(n int) string { return times(n, "[") + times(n, "}") },
	"a deep tree":             func(n int) string { return times(n, `{"a":`) },
	"objects closed by lists": func(n int) string { return times(90, "[") + times(n, "}") },
	"comments not closed":     func(n int) string { return times(n, "/*") },
	"comments never closed":   func(n int) string { return times(n, "/* ") },
	"stars and slashes":       func(n int) string { return times(n, "/*/") },
	"open strings":            func(n int) string { return times(n, "\"\n") },
	"open lists":              func(n int) string { return "[" + times(n, `"a":[`) },
	"keys in a list":          func(n int) string { return "[" + times(n, `"a","b":`) },
	"quotes":                  func(n int) string { return times(n, `"`) },
	"no UTF-8":                func(n int) string { return times(n, "\"\xff\",") },
	"no words":                func(n int) string { return times(n, "x ") },
	"rules of permgate":       func(n int) string { return `{"rules":[` + times(n, `{"match":["a"],"deny":"B(a)","x":1},`) + `]}` },
	"hosts":                   func(n int) string { return `{"hosts":{` + times(n, `"claude":{"audit":1},`) + `},"audit":1}` },
	"a long rule":             func(n int) string { return `{"permissions":{"deny":["Bash(` + times(n, "*a") + `)"]}}` },
}

func times(n int, s string) string { return strings.Repeat(s, n) }

func settingsOf(n int, sep string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"Bash(tool%d run:*)"`, i)
	}
	return `{"permissions":{"deny":[` + strings.Join(list, sep) + `]}}`
}

// parsing is the work of reading a text as a file of the project, and its faults.
func parsing(text string, gate bool) (steps int, l *loader) {
	l = &loader{p: &rules.Policy{}, w: Where{Host: "claude"}}
	l.parse(&source{place: place{path: "/p/.gen/f.json", scope: rules.Shared, root: ".gen", gate: gate}, data: []byte(text)})
	return l.steps, l
}

// TestGrowth: twice the file is twice the work, counted in steps and in
// allocations, whatever is in it.
func TestGrowth(t *testing.T) {
	for name, shape := range shapes {
		for _, gate := range [...]bool{false, true} {
			small, large := shape(4000), shape(16000)
			work := func(text string) (steps, allocs float64) {
				allocs = testing.AllocsPerRun(1, func() { n, _ := parsing(text, gate); steps = float64(n) })
				return steps, allocs + 100
			}
			s, few := work(small)
			l, many := work(large)
			grown, allocs := math.Log(l/s)/math.Log(4), math.Log(many/few)/math.Log(4)
			if grown > 1.1 || allocs > 1.1 {
				t.Errorf("%s (permgate.json: %v): steps grow with the power of %.2f, allocations of %.2f", name, gate, grown, allocs)
			}
		}
	}
}

// TestPos: a place is the same whether it is asked for in order or not.
func TestPos(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for range rnd.IntN(3000) {
			b.WriteString([...]string{"a", "\n", "é", "\r\n", "漢", " "}[rnd.IntN(6)])
		}
		d := doc{text: b.String(), line: 1, col: 1}
		for range 20 {
			at := rnd.IntN(len(d.text) + 1)
			for at < len(d.text) && d.text[at]&0xC0 == 0x80 {
				at++
			}
			head := d.text[:at]
			bol := strings.LastIndexByte(head, '\n') + 1
			want := rules.Pos{File: "f", Line: strings.Count(head, "\n") + 1, Col: len([]rune(head[bol:])) + 1}
			if got := d.pos("f", at); got != want {
				t.Fatalf("%q at %d: %v, want %v", d.text, at, got, want)
			}
		}
	}
}

// TestLongCost: a pattern longer than people write costs as much as reading it
// does, so that one of a mebibyte is compared a few times and no more.
func TestLongCost(t *testing.T) {
	command := &rules.Subject{Tool: "Bash", Command: &rules.Command{Deny: []grammar.Text{{{Lit: "ls"}}}}}
	file := &rules.Subject{Tool: "Read", Path: &rules.Path{Given: "/work/" + strings.Repeat("a/", 200), Real: "/x"}}
	for _, c := range []struct {
		rule    rules.Rule
		subject *rules.Subject
		least   int
		most    int
	}{
		{rules.Rule{Tool: "Bash", Pattern: strings.Repeat("*a", 500_000), List: rules.Deny}, command, 300_000, 1_000_000},
		{rules.Rule{Tool: "Read", Pattern: strings.Repeat("[", 1_000_000), List: rules.Deny}, file, 300_000, 1_000_000},
		{rules.Rule{Tool: "Bash", Pattern: strings.Repeat("a", 1_000_000), List: rules.Deny}, command, 10_000, 1_000_000},
		{rules.Rule{Tool: "Read", Pattern: "**/*a*b*c*d*", List: rules.Deny}, file, 60, 200},
		{rules.Rule{Tool: "Read", Pattern: "//**/secret.txt", List: rules.Deny}, file, 1, 20},
		{rules.Rule{Tool: "Bash", Pattern: "git push:*", List: rules.Deny}, command, 1, 20},
	} {
		if got := c.rule.Cost(c.subject); got < c.least || got > c.most {
			t.Errorf("%.20s costs %d, want %d to %d", c.rule.Pattern, got, c.least, c.most)
		}
	}
}

func TestSplitFlag(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" , ", nil},
		{"Bash", []string{"Bash"}},
		{"Bash,Read Edit", []string{"Bash", "Read", "Edit"}},
		{"Bash(git log *), Read(a b,c)  mcp__s", []string{"Bash(git log *)", "Read(a b,c)", "mcp__s"}},
		{"Edit(./Finance (2024)/**) Read", []string{"Edit(./Finance (2024)/**)", "Read"}},
		{"Bash(rm * Read", []string{"Bash(rm * Read"}},
		{"Bash) Read", []string{"Bash)", "Read"}},
	} {
		if diff := cmp.Diff(row.want, splitFlag(row.text)); diff != "" {
			t.Errorf("%q: %s", row.text, diff)
		}
	}
}
