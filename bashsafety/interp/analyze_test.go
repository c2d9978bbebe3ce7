package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// show writes an Analysis in one line: subcommands in [], then doubts.
func show(s *analysis.Analysis) string {
	var b strings.Builder
	for i := range s.Subcommands {
		if i > 0 {
			b.WriteByte(' ')
		}
		showSub(&b, &s.Subcommands[i])
	}
	for i := range s.Doubts {
		b.WriteString(" !" + s.Doubts[i].ID)
	}
	return strings.TrimSpace(b.String())
}

func showSub(b *strings.Builder, s *analysis.Subcommand) {
	b.WriteByte('[')
	for _, v := range s.Via {
		b.WriteString(v + ">")
	}
	for i := range s.Argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(showWord(&s.Argv[i]))
	}
	for i := range s.Effects {
		if e := &s.Effects[i]; e.Redirect {
			fmt.Fprintf(b, " %s%s", [...]string{shell.Read: "<", shell.Write: ">", shell.Network: "net:"}[e.Kind], strings.ReplaceAll(e.Path, shell.HoleMark, "?"))
		}
	}
	if len(s.PatternBlockers) > 0 {
		b.WriteString(" ~")
	}
	b.WriteByte(']')
}

// showWord writes a known word plainly, a hole as ? (one argument) or ?? (any number), a pattern after %.
func showWord(w *shell.Word) string {
	hole := "?"
	if !w.Single {
		hole = "??"
	}
	t := strings.ReplaceAll(w.Text, shell.HoleMark, hole)
	if w.Glob {
		return "%" + t
	}
	if t == "" || strings.ContainsAny(t, " \n\t") {
		return "'" + t + "'"
	}
	return t
}

func testEnv() analysis.Env { return analysis.Env{Cwd: "/w", Home: "/home/u"} }

func TestAnalyze(t *testing.T) {
	for _, c := range cases {
		if got := show(bashsafety.Analyze(c.text, testEnv())); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestSpans checks that every place is inside the text and that the command is where its span says.
func TestSpans(t *testing.T) {
	for _, c := range cases {
		checkSpans(t, bashsafety.Analyze(c.text, testEnv()))
	}
}

func checkSpans(t *testing.T, s *analysis.Analysis) {
	t.Helper()
	in := func(what string, sp shell.Span) {
		if sp.Start < 0 || sp.Start > sp.End || sp.End > len(s.Text) {
			t.Errorf("%q: %s has span %v outside the text", s.Text, what, sp)
		}
	}
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		in("subcommand", sub.Span)
		for j := range sub.Argv {
			in("word", sub.Argv[j].Span)
			if w := &sub.Argv[j]; w.Known && strings.Contains(w.Text, shell.HoleMark) {
				t.Errorf("%q: a known word holds a hole", s.Text)
			}
		}
		for j := range sub.Effects {
			in("effect", sub.Effects[j].Span)
			if e := &sub.Effects[j]; e.Known && strings.Contains(e.Path, shell.HoleMark) {
				t.Errorf("%q: a known path holds a hole", s.Text)
			}
		}
		for _, from := range sub.From {
			if from < 0 || from >= i {
				t.Errorf("%q: subcommand %d reads from %d", s.Text, i, from)
			}
		}
	}
	for i := range s.Doubts {
		in("doubt", s.Doubts[i].Span)
	}
}

func TestLimits(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct{ name, text, doubt string }{
		{"bytes", "rm x\n" + rep("a b c d e f\n", 6000), "too-long"},
		{"parens", rep("(", 101) + "ls" + rep(")", 101), "too-deep"},
		{"substitutions", rep("echo $(", 101) + rep(")", 101), "too-deep"},
		{"arithmetic", "echo $((" + rep("(", 101) + "1" + rep(")", 101) + "))", "too-deep"},
		{"hidden closers", rep("( # )\n", 101) + "ls\n" + rep(")\n", 101), "too-deep"},
		{"reserved words", rep("if a; then ", 101) + "ls" + rep("; fi", 101), "too-deep"},
		{"launchers", rep("env ", 150) + "ls", "too-deep"},
		{"wrappers", rep("nice ", 40) + "ls", "too-much-work"},
		{"commands", rep("ls\n", 501), "too-many-commands"},
		{"brace words", "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "brace-limit"},
		{"brace text", rep("echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\n", 20), "brace-limit"},
		{"text in text", nested(12), "too-much-work"},
	} {
		s := bashsafety.Analyze(c.text, testEnv())
		if !hasDoubt(s, c.doubt) {
			t.Errorf("%s: no %s in %v", c.name, c.doubt, s.Doubts)
		}
		if len(s.Subcommands) > shell.MaxSubcommands {
			t.Errorf("%s: %d subcommands", c.name, len(s.Subcommands))
		}
		checkSpans(t, s)
	}
	// What can be seen is kept, for deny rules.
	for _, text := range []string{
		"curl x\n" + rep("# 0123456789\n", 6000),
		rep("(", 200) + "curl x" + rep(")", 200),
		"ls; curl x &&",
	} {
		if s := bashsafety.Analyze(text, testEnv()); !hasProgram(s, "curl") {
			t.Errorf("%.20q...: curl is lost: %s", text, show(s))
		}
	}
	if s := bashsafety.Analyze(rep("(", 90)+"ls"+rep(")", 90), testEnv()); len(s.Doubts) > 0 {
		t.Errorf("90 levels: %v", s.Doubts)
	}
}

// nested is a shell that reads a shell from a here-document, n times.
func nested(n int) string {
	text := "ls\n"
	for i := range n {
		text = fmt.Sprintf("bash <<'E%d'\n%sE%d\n", i, text, i)
	}
	return text
}

func hasDoubt(s *analysis.Analysis, id string) bool {
	for i := range s.Doubts {
		if s.Doubts[i].ID == id {
			return true
		}
	}
	return false
}

func hasProgram(s *analysis.Analysis, name string) bool {
	for i := range s.Subcommands {
		if s.Subcommands[i].Program == name {
			return true
		}
	}
	return false
}

// TestOrder analyses texts after one another in two orders: what was read before,
// with a mistake in it or without, changes no answer.
func TestOrder(t *testing.T) {
	texts := []string{
		"[[ a =~ (b ]] && x", "echo `a \"$(b)\"`", "cat <<E\n$(x\nE\n", "f() { g; }; f", "echo \"`echo \\`id\\``\"", "a $((", "ls",
		"cat <<'A' <<B\nx\nA\ny\nB\n", "case x in (", "[[ a =~ b(c|d) ]] && rm x", "echo ${x", "# only", "cat <<E", "echo 'a b' \"$x\"",
	}
	want := make([]string, len(texts))
	for i, text := range texts {
		want[i] = show(bashsafety.Analyze(text, testEnv()))
	}
	for i := range texts {
		for k := len(texts) - 1; k >= 0; k-- {
			text := texts[(i*k+k)%len(texts)]
			bashsafety.Analyze(text, testEnv())
			if got := show(bashsafety.Analyze(texts[k], testEnv())); got != want[k] {
				t.Errorf("%q after %q: %s, want %s", texts[k], text, got, want[k])
			}
		}
	}
}
