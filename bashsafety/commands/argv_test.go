package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// tool is a program with one option of every kind.
var tool = Command{
	Names: "tool", Flags: "-ab all verbose", Values: "-n lines limit", OptValues: "-i color",
	Opts: []Opt{{"-o output", HasArg, WritesValue}, {"exec", HasArg, Executes}, {"-x", NoArg, Executes}},
}

func TestParseArgs(t *testing.T) {
	for _, c := range []struct {
		cmd   string
		style Style
		want  string
	}{
		{"tool -ab f", 0, "a b | f"},
		{"tool f -a g", 0, "a | f g"},
		{"tool f -a g", StopAtOperand, "| f -a g"},
		{"tool -n 5 -n5 f", 0, "n=5 n=5 | f"},
		{"tool -abn5 f", 0, "a b n=5 | f"},
		{"tool -abn 5 f", 0, "a b n=5 | f"},
		{"tool --lines=5 --lines 6 f", 0, "lines=5 lines=6 | f"},
		{"tool --li 5 f", 0, "lines=5 | f unknown li"},
		{"tool --lin 5", 0, "lines=5 | unknown lin"},
		{"tool --all --al --verb", 0, "all all verbose | unknown al verb"},
		{"tool --color=red --color red", 0, "color=red color | red"},
		{"tool -ired -i red", 0, "i=red i | red"},
		{"tool --outp=x", 0, "output=x | unknown outp"},
		{"tool -ao x", 0, "a o=x |"},
		{"tool -aox", 0, "a o=x |"},
		{"tool --e x", 0, "exec=x | unknown e"},
		{"tool -- -a --output=x", 0, "| -a --output=x"},
		{"tool - f", 0, "| - f"},
		{"tool -z --zap f", 0, "| f unknown z zap"},
		{"tool -n", 0, "n |"},
		{"tool -a", NoOptions, "| -a"},
		{"tool -all -lines 5 --lines=6", SingleDash, "all lines=5 lines=6 |"},
		{"tool -li 5", SingleDash, "| 5 unknown li"},
		{`tool "$x" f`, 0, "| ? f holes 1"},
		{"tool $x", 0, "| ? holes 1"},
		{`tool -n "$x" f`, 0, "n=? | f"},
		{"tool -n $x f", 0, "n=? | f holes 2"},
		{`tool -- "$x"`, 0, "| ?"},
		{`tool "./$x"`, 0, "| ./?"},
		{`tool -n"$x"`, 0, "n=? |"},
		{`tool -a"$x"`, 0, "a | holes 1"},
		{`tool --lines="$x"`, 0, "lines=? |"},
		{`tool --"$x"`, 0, "| holes 1"},
		{"tool *.go", 0, "| *.go holes 1"},
		{"tool src/*.go", 0, "| src/*.go"},
	} {
		if got := tellArgs(split(c.cmd), parseArgs(split(c.cmd), 1, c.style, []*Command{&tool})); got != c.want {
			t.Errorf("%s (style %d)\n got %s\nwant %s", c.cmd, c.style, got, c.want)
		}
	}
}

func tellArgs(argv []shell.Word, a Args) string {
	var out []string
	for _, u := range a.Opts {
		s := u.Name
		if u.Given {
			s += "=" + u.Value.Text
		}
		out = append(out, s)
	}
	out = append(out, "|")
	for _, i := range a.Operands {
		out = append(out, argv[i].Text)
	}
	if len(a.Unknown) > 0 {
		out = append(out, "unknown "+strings.Join(a.Unknown, " "))
	}
	if len(a.Holes) > 0 {
		out = append(out, "holes "+strings.Trim(fmt.Sprint(a.Holes), "[]"))
	}
	return strings.ReplaceAll(strings.Join(out, " "), shell.HoleMark, "?")
}

// TestShortEquals: pflag and argparse drop a = after a one-letter option.
func TestShortEquals(t *testing.T) {
	cmd := Command{Style: ShortEquals, Flags: "-it", Values: "-v"}
	for text, want := range map[string]string{"x -v=/:/h c": "/:/h", "x -itv=a c": "a", "x -v =a c": "=a", "x -va c": "a"} {
		got := parseArgs(split(text), 1, cmd.Style, []*Command{&cmd})
		if len(got.Opts) == 0 || got.Opts[len(got.Opts)-1].Value.Text != want || len(got.Operands) != 1 {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if got := parseArgs(split("x -i=false c"), 1, cmd.Style, []*Command{&cmd}); len(got.Unknown) != 0 || len(got.Operands) != 1 {
		t.Errorf("-i=false: %+v", got)
	}
}

// TestSubPatterns: a subcommand's exact name comes before a pattern, its own before shared ones.
func TestSubPatterns(t *testing.T) {
	cmd := Command{Subs: []Command{{Names: "get-*", Title: "own"}}, Also: []Command{{Names: "get-token *-x", Title: "shared"}}}
	for name, want := range map[string]string{"get-token": "shared", "get-y": "own", "get-x": "own", "a-x": "shared", "gett": ""} {
		got := ""
		if s := cmd.sub(name); s != nil {
			got = s.Title
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
