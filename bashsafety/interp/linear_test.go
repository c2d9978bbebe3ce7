package interp

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestLinear checks that twice the text is at most little more than twice the work, counted in steps.
func TestLinear(t *testing.T) {
	for _, unit := range []string{
		"a;", "x=1\n", "$x ", "\"$x\" ", "a|", "a && ", "a || ", "(a)\n", "if a; then b; fi\n",
		"for i in a b c; do x; done\n", "while a; do x=1; done\n", "f() { a; }\n", "cat <<E\nE\n", "cat <<E\nx\nE\n",
		"`a` ", "$(a) ", "a \\\n", "{a,b}", "{", "[", "((a))\n", "$((1+1)) ", "# x\n", "sudo ", "nice ", "eval a\n",
		"sh -c a\n", "a=~:", "echo a | sh\n", ">a ", "cd a\n", "cd a && ", "case a in a) b;; esac\n", "[[ a ]]\n",
		"a=(b c)\n", "export A=1\n", "declare a=b ", "${a:-", "! ", "time ", "coproc a\n", "x=$x$x\n", "'", "\"",
	} {
		small, large := steps(strings.Repeat(unit, 1000)), steps(strings.Repeat(unit, 2000))
		if large > 2*small+small/4+2000 {
			t.Errorf("%q: %d steps for 1000, %d for 2000", unit, small, large)
		}
	}
}

// TestByteLimitSteps checks that what is beyond the byte limit is no work.
func TestByteLimitSteps(t *testing.T) {
	line := "a b; # " + strings.Repeat("c", 1016) + "\n"
	text := strings.Repeat(line, shell.MaxBytes/len(line))
	if n, m := steps(text), steps(text+strings.Repeat(line, 960)); m > n {
		t.Errorf("1 MiB: %d steps, 64 KiB: %d", m, n)
	}
}

func steps(text string) int {
	w, c, st := start(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
	w.text(text, c, st)
	return w.Steps
}
