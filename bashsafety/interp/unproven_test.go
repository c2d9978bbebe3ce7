package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// exampleFolder holds the examples of all programs.
const exampleFolder = "../commands/testdata/examples"

// TestUnproven: the reason names what prevents the proof.
func TestUnproven(t *testing.T) {
	for _, row := range []struct{ cmd, want string }{
		{"ls -la", ""},
		{"git status", ""},
		{"cat a 2>/dev/null", ""},
		{"frobnicate", "unknown command frobnicate"},
		{"./ls", "./ls may be any program with that name"},
		{"git push", "git push may change the repository"},
		{"git frobnicate", "unknown command git frobnicate"},
		{"docker container frobnicate", "unknown command docker container frobnicate"},
		{"git log --frob", "unknown option --frob of git log"},
		{"sort $x f", "an unquoted expansion could become an option"},
		{"./frobnicate", "unknown command ./frobnicate"},
		{"setsid frob", "setsid runs another command"},
		{"xargs grep -l x", ""},
		{"xargs -I{} basename {}", ""},
		{"xargs --frob ls", "unknown option --frob of xargs"},
		{"xargs ls > out", "a redirect writes /w/out"},
		{"xargs -P$x ls", "an unquoted expansion could become an option"},
		{"find . -exec grep -l x {} +", ""},
		{"find . -exec ls {} + -delete", "-delete removes what is found"},
		{"env -i ls", ""},
		{"bash -c ls", ""},
		{"command ls", ""},
		{"sed -n \"$((RANDOM-5)),$((RANDOM+5))p\" f", ""},
		{"x=$(cat g); head -n $((x+1)) f", "arithmetic evaluates a value that may not be a number, and runs commands inside it"},
		{"sed -n \"${#}p\" f", ""},
		{"sed -n \"$((x))w out\" f", "the sed script is not understood; use only s, p, d and the like"},
		{"sed -n \"$((x))e id\" f", "the sed script runs a command"},
		{"sed -n \"${x}p\" f", "a word only known at run time could be an option; put -- before it"},
		{"x=5; head -n $((x+1)) f", ""},
		{"sort $((LINENO))", ""},
		{"sort \"$((x))$y\"", "a word only known at run time could be an option; put -- before it"},
		{"sort a$x", "an unquoted expansion could become an option"},
		{"sort a\"$x\"", ""},
		{"sort -- a$x", ""},
		{"sort a*", ""},
		{"cat a$x", ""},
		{"git log a$x", "an unquoted expansion could become an option"},
		{"cp a b", "cp writes /w/b"},
		{"rm a", "rm deletes /w/a"},
		{"ls > out", "a redirect writes /w/out"},
		{"> out", "a redirect writes /w/out"},
		{"sudo ls", "sudo becomes another user"},
		{"bash x.sh", "bash runs /w/x.sh"},
		{"PAGER=x git log", "the variable PAGER set for it may change what it does"},
		{"git -c a=b log", "-c loads configuration or code, or disables a safety check"},
		{"sort -o f g", "sort writes /w/f"},
		{"env", "env prints the environment, which may hold secrets"},
		{"$x", "the command name is only known at run time"},
		{"make", "make may change something"},
	} {
		s := bashsafety.Analyze(row.cmd, analysis.Env{Cwd: "/w", Home: "/home/u"})
		got := "no subcommand"
		if len(s.Subcommands) > 0 {
			got = s.Subcommands[0].Unproven()
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.cmd, got, row.want)
		}
		if proven := len(s.Subcommands) > 0 && s.Subcommands[0].ReadOnly; proven != (row.want == "") {
			t.Errorf("%s: read-only is %v", row.cmd, proven)
		}
	}
}

// TestUnprovenComplete: there is a reason wherever there is no proof.
func TestUnprovenComplete(t *testing.T) {
	for _, ex := range examples.Read(exampleFolder) {
		s := bashsafety.Analyze(ex.Cmd, analysis.Env{Cwd: "/w", Home: "/home/u"})
		for i := range s.Subcommands {
			sub := &s.Subcommands[i]
			proven := sub.ReadOnly && (sub.Here() || sub.Contained())
			if !sub.Structural && proven != (sub.Unproven() == "") {
				t.Errorf("%s: read-only %v, reason %q", ex.Cmd, proven, sub.Unproven())
			}
		}
	}
}
