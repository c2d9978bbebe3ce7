package interp_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A textShape is a text of any size: before, open repeated, middle, shut as often, after.
type textShape struct{ before, open, middle, shut, after string }

// text returns the text with n repetitions; unbalanced leaves out what shuts.
func (s *textShape) text(n int, balanced bool) string {
	if !balanced {
		return s.before + strings.Repeat(s.open, n) + s.middle
	}
	return s.before + strings.Repeat(s.open, n) + s.middle + strings.Repeat(s.shut, n) + s.after
}

// fill returns the longest text within size.
func (s *textShape) fill(size int, balanced bool) string {
	size -= len(s.before) + len(s.middle)
	if balanced {
		return s.text((size-len(s.after))/(len(s.open)+len(s.shut)), true)
	}
	return s.text(size/len(s.open), false)
}

// nestings hold themselves, in every way the grammar has. Those with a closing
// bracket in quotes or a comment look shallow to who only counts brackets.
var nestings = [...]textShape{
	{open: "(", middle: "a", shut: ")"},
	{open: "( ", middle: "a", shut: " )"},
	{open: "( #)\n", middle: "a", shut: "\n)"},
	{open: "{ ", middle: "a", shut: "; }"},
	{open: "{\n", middle: "a", shut: "\n}"},
	{open: "{ #}\n", middle: "a", shut: "\n}"},
	{open: "{ '}'\n", middle: "a", shut: "\n}"},
	{open: "((", middle: "1", shut: "))"},
	{before: "((", open: "(", middle: "1", shut: ")", after: "))"},
	{open: "$(", middle: "a", shut: ")"},
	{open: "echo $(", middle: "a", shut: ")"},
	{open: "$( #)\n", middle: "a", shut: "\n)"},
	{open: "$(\ncat <<a\na\n", middle: "a", shut: ")"},
	{open: "$((", middle: "1", shut: "))"},
	{before: "echo $((", open: "(", middle: "1", shut: ")", after: "))"},
	{before: "echo $((", open: "(')'+", middle: "1", shut: ")", after: "))"},
	{open: "$( (", middle: "a", shut: ") )"},
	{open: "${x:-", middle: "a", shut: "}"},
	{before: "echo ", open: "${x:-'}'", middle: "a", shut: "}"},
	{before: "echo ", open: "\"${x:-", middle: "a", shut: "}\""},
	{open: "${x/", middle: "a", shut: "}"},
	{before: "echo ", open: "${x/'}'", middle: "a", shut: "}"},
	{open: "${x:$((", middle: "1", shut: "))}"},
	{open: "${x[${", middle: "1", shut: "}]}"},
	{open: "`", middle: "a", shut: "`"},
	{open: "`a ", middle: "a", shut: "`"},
	{open: "\"$(", middle: "a", shut: ")\""},
	{open: "\"$(echo ", middle: "a", shut: ")\""},
	{before: "[[ ", open: "( ", middle: "a", shut: " )", after: " ]]"},
	{before: "[[ ", open: "( ')' && ", middle: "a", shut: " )", after: " ]]"},
	{before: "[[ ", open: "! ", middle: "a", after: " ]]"},
	{before: "[[ a =~ ", open: "(", middle: "a", shut: ")", after: " ]]"},
	{open: "cat <(", middle: "a", shut: ")"},
	{open: "<(", middle: "a", shut: ")"},
	{open: "a >(", middle: "a", shut: ")"},
	{open: "$(cat <<E\n", middle: "a", shut: "\nE\n)"},
	{open: "cat <<E\n$(", middle: "a", shut: ")\nE\n"},
	{open: "if ", middle: "a", shut: "; then b; fi"},
	{open: "if a; then ", middle: "a", shut: "; fi"},
	{open: "if a; then b; else ", middle: "a", shut: "; fi"},
	{open: "if a; then # c\n", middle: "a", shut: "\nfi # d"},
	{open: "while ", middle: "a", shut: "; do b; done"},
	{open: "until a; do ", middle: "a", shut: "; done"},
	{open: "for i in a; do ", middle: "a", shut: "; done"},
	{open: "for i in a b c; do ", middle: "x $i", shut: "; done"},
	{open: "for ((;;)) do ", middle: "a", shut: "; done"},
	{open: "select x in a; do ", middle: "a", shut: "; done"},
	{open: "case x in x) ", middle: "a", shut: ";; esac"},
	{open: "case x in (x) ", middle: "a", shut: ";; esac"},
	{open: "case $(", middle: "a", shut: ") in x) b;; esac"},
	{open: "f() { ", middle: "a", shut: "; }"},
	{open: "f() ", middle: "{ f & f & }"},
	{open: "f()\n", middle: "{ a; }"},
	{open: "function f ", middle: "{ a; }"},
	{open: "function f { ", middle: "a", shut: "; }"},
	{open: "! ", middle: "a"},
	{open: "time ", middle: "x=1"},
	{open: "time -p ", middle: "a"},
	{open: "coproc ", middle: "a"},
	{open: "coproc x { ", middle: "a", shut: "; }"},
	{open: "sudo ", middle: "a"},
	{open: "env ", middle: "a"},
	{open: "nohup ", middle: "a"},
	{open: "find . -exec ", middle: "a"},
	{open: "ssh h ", middle: "rm x"},
	{open: "a=(", middle: "1", shut: ")"},
	{open: "declare a=(", middle: "1", shut: ")"},
	{before: "a=(", open: "[", middle: "1", shut: "]=2", after: ")"},
	{before: "((", open: "!", middle: "x", after: "))"},
	{before: "((", open: "- ", middle: "x", after: "))"},
	{before: "((", open: "a=", middle: "x", after: "))"},
	{before: "((", open: "a**", middle: "x", after: "))"},
	{before: "((", open: "a+", middle: "x", after: "))"},
	{before: "((", open: "a?", middle: "x", shut: ":x", after: "))"},
	{before: "((", open: "a?b:", middle: "x", after: "))"},
	{before: "((", open: "a[", middle: "x", shut: "]", after: "))"},
	{open: "$[", middle: "1", shut: "]"},
	{before: "let ", open: "a=", middle: "1"},
	{open: "@(", middle: "a", shut: ")"},
	{before: "echo ", open: "{a,", middle: "b", shut: "}"},
	{before: "echo ", open: "{'}',", middle: "b"},
	{open: "a && ", middle: "a"},
	{open: "a||", middle: "a"},
	{open: "a|", middle: "a"},
	{open: "a |& ", middle: "a"},
	{open: "x=1|", middle: "x=1"},
	{open: "x=1&&", middle: "x=1"},
}

// TestNestings checks that no nesting, however deep and well hidden, gets by
// without a doubt, or costs more than memory in proportion to the text.
func TestNestings(t *testing.T) {
	every := testenv.Every(t, 3, 1, 1)
	for i, s := range nestings {
		for j, text := range []string{
			s.text(100_000, true), s.text(100_000, false), s.fill(shell.MaxBytes-1, true), s.fill(shell.MaxBytes-1, false),
		} {
			if j >= 2 && (i+j)%every != 0 {
				continue
			}
			if script := bounded(t, text); len(script.Doubts) == 0 {
				t.Errorf("%s: %d bytes without a doubt", label(text), len(text))
			}
			if j%2 != 0 {
				continue
			}
			if script := bashsafety.AnalyzePowerShell(text, testEnv()); len(script.Doubts) == 0 && len(script.Subcommands) > 1 {
				t.Errorf("PowerShell, %s: %d bytes without a doubt", label(text), len(text))
			}
		}
	}
}

// floods are long without being deep.
var floods = [...]textShape{
	{open: "a;"}, {open: "x=1;"}, {open: "x=1\n"}, {open: "x=$x$x;"}, {open: "a&"}, {open: "fi;"}, {open: ")"}, {open: "}"}, {open: "x=1)"},
	{open: "\\"}, {open: "\\\n"}, {open: "a\\\n"}, {open: "#\n"}, {open: "a # c\n"}, {open: "'"}, {open: "\"", after: "\""}, {open: "\"\""},
	{open: "$'a'"}, {open: "`a` "}, {open: "\"`"}, {open: "[a"}, {open: "{"}, {open: "<("}, {open: "<"}, {open: "<<"}, {open: "\x00"}, {open: "\r"},
	{open: "\u200b"}, {open: "a\xff;"}, {open: "cat <<a\na\n"}, {open: "cat <<a\n"}, {open: "f() { f|f& };"}, {open: "alias a=b;"}, {open: "cd a||cd b;"},
	{before: "cat ", open: "<<a "}, {before: "a ", open: ">f "}, {before: "a ", open: "2>&1 "}, {before: "ls ", open: "* "}, {before: "ls ", open: "*/"},
	{before: "rm ", open: "a "}, {before: "rm ", open: "../"}, {before: "echo ", open: "{a,b}"}, {before: "echo ", open: "{1..1000000} "},
	{before: "echo ", open: "{,}"}, {before: "echo ", open: "},{"}, {before: "echo {", open: "a,", after: "}"}, {before: "echo ", open: "$x "},
	{before: "case x in ", open: "a|", middle: "a", after: ") b;; esac"}, {before: "case x in ", open: "a) x=1;; ", after: "esac"},
	{before: "if a; then b; ", open: "elif a; then b; ", after: "fi"}, {before: "[ ", open: "a -a ", middle: "a", after: " ]"},
	{before: "[[ ", open: "a && ", middle: "a", after: " ]]"}, {before: "for i in a b c d e f g h; do ", open: "r $i;", after: " done"},
	{before: "sed -e '", open: "s/a/b/;", after: "'"}, {before: "awk '", open: "{system(\"a\")}", after: "'"}, {before: "perl -e '", open: "`a`;", after: "'"},
	{before: "python3 -c '", open: "os.system(", after: "'"}, {before: "eval '", open: "a;", after: "'"}, {before: "ssh h '", open: "a;", after: "'"},
	{open: "sh -c a;"}, {open: "echo a|sh;"}, {open: "bash <(curl a);"}, {before: "export ", open: "A=1 "}, {open: "A=1 ", middle: "a"},
	{before: "git ", open: "-c a=b ", middle: "status"}, {before: "tmux ", open: "a \\; "}, {before: "find ", open: "\\( ", shut: "\\) "},
	// what is long and what is many, multiplied
	{before: "HOME=/" + strings.Repeat("a/", 16000) + ";rm ", open: "~ "},
	{before: "cd " + strings.Repeat("a/", 16000) + ";rm ", open: "b "},
	{before: "x=/" + strings.Repeat("a/", 16000) + ";rm ", open: "$x "},
	{before: "x='" + strings.Repeat("a ", 16000) + "';: ", open: "$x "},
	{before: "a=(" + strings.Repeat("a ", 16000) + ");: ", open: "\"${a[@]}\" "},
	{before: "ln -t " + strings.Repeat("a/", 16000) + " ", open: "b "},
	{before: "x='" + strings.Repeat("y=1;", 4000) + "';", open: "eval \"$x\";"},
	{before: strings.Repeat("for i in a b c d e f g h; do ", 99), open: "x=1;", after: strings.Repeat("done;", 99)},
	{before: strings.Repeat("f() { ", 99), open: "f & ", after: strings.Repeat("}\n", 99)},
	{before: strings.Repeat("sudo ", 99), open: "a "},
	{before: strings.Repeat("a|", 400), open: "x=1|", middle: "x=1"},
	{before: "g() { ", open: "a|", middle: "g; g", after: "; }"}, {before: "g() { f & g; }; ", open: "f() { g & };"},
}

func TestFloods(t *testing.T) {
	for _, s := range floods {
		bounded(t, s.fill(shell.MaxBytes, true))
	}
}

// bounded analyses a text and checks that the answer keeps its limits and that
// what it cost is in proportion to the longest text there is.
func bounded(t *testing.T, text string) *analysis.Analysis {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := bashsafety.Analyze(text, testEnv())
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 300 {
		t.Errorf("%s: %d bytes need %d MiB", label(text), len(text), used)
	}
	if hasDoubt(s, "internal-error") || len(s.Subcommands) > shell.MaxSubcommands || len(s.Doubts) > analysis.MaxDoubts {
		t.Errorf("%s: %d subcommands, %d doubts", label(text), len(s.Subcommands), len(s.Doubts))
	}
	return s
}

func label(text string) string { return fmt.Sprintf("%.40q", text) }

// TestCommandLimit checks the 500th and the 501st command, however they are reached.
func TestCommandLimit(t *testing.T) {
	for _, s := range []textShape{
		{open: "a;"}, {open: "a\n"}, {open: "a&"}, {open: "a|", middle: "a"}, {open: "a&&", middle: "a"}, {before: ": ", open: "$(a) "},
		{before: "{ ", open: "a;", after: "}"}, {before: "while a; do ", open: "a;", after: "done"}, {before: "for i in $x; do ", open: "a;", after: "done"},
		{before: "sh -c '", open: "a;", after: "'"}, {before: "f() { ", open: "a;", after: "}"},
	} {
		base := len(bashsafety.Analyze(s.text(1, true), testEnv()).Subcommands) - 1
		full := bashsafety.Analyze(s.text(shell.MaxSubcommands-base, true), testEnv())
		if len(full.Subcommands) != shell.MaxSubcommands || hasDoubt(full, "too-many-commands") {
			t.Errorf("%q: %d commands, doubts %v", s.open, len(full.Subcommands), full.Doubts)
		}
		over := bashsafety.Analyze(s.text(shell.MaxSubcommands-base+1, true), testEnv())
		if len(over.Subcommands) != shell.MaxSubcommands || !hasDoubt(over, "too-many-commands") {
			t.Errorf("%q and one more: %d commands, doubts %v", s.open, len(over.Subcommands), over.Doubts)
		}
	}
	braces := bashsafety.Analyze(strings.Repeat("for i in {1..8}; do a $i; done;", 63), testEnv())
	if !hasDoubt(braces, "too-many-commands") && len(braces.Subcommands) > shell.MaxSubcommands {
		t.Errorf("loops: %d commands", len(braces.Subcommands))
	}
}

// TestByteLimit checks the longest text there is, and that of a longer one no
// more than complete lines up to there are looked at.
func TestByteLimit(t *testing.T) {
	line := "a b; # " + strings.Repeat("c", 1016) + "\n"
	text := strings.Repeat(line, shell.MaxBytes/len(line))
	if len(text) != shell.MaxBytes {
		t.Fatal(len(text))
	}
	s := bashsafety.Analyze(text, testEnv())
	if len(s.Doubts) != 0 || len(s.Subcommands) != shell.MaxBytes/len(line) {
		t.Errorf("64 KiB: %d commands, doubts %v", len(s.Subcommands), s.Doubts)
	}
	for _, more := range []string{"x", "rm y", strings.Repeat(line, 1023*64)[:1<<20-shell.MaxBytes]} {
		over := bashsafety.Analyze(text+more, testEnv())
		if !hasDoubt(over, "too-long") || len(over.Subcommands) != len(s.Subcommands) {
			t.Errorf("%d bytes: %d commands, doubts %v", len(text)+len(more), len(over.Subcommands), over.Doubts)
		}
	}
	// the first line alone is longer: nothing of it is looked at
	if s := bashsafety.Analyze("rm x; "+strings.Repeat("y", 1<<20), testEnv()); !hasDoubt(s, "too-long") || len(s.Subcommands) != 0 {
		t.Errorf("1 MiB in a line: %d commands, doubts %v", len(s.Subcommands), s.Doubts)
	}
}
