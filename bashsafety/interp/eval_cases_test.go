package interp_test

import (
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// evalCases are texts that the shell evaluates a second time, in the notation of show.
var evalCases = [...]struct{ text, want string }{
	{`./s & P=$!; trap "kill $P; rm -f a" EXIT`,
		"[./s] [trap 'kill ?; rm -f a' EXIT] [trap>kill ??] [trap>rm -f a]"},
	{`N=$(nproc); sh -c "make -j $N"; sh -c "a$N"; sh -c "$N"`, // a number alone is no argument
		"[$()>nproc] [sh -c 'make -j ?'] [sh -c>make -j ?? ~] [sh -c a?] [sh -c>a??] [sh -c ?] !unknown-program-text !dynamic-command"},
	{`while :; do eval "kill $P"; P="; rm -rf ~"; done; read Q; eval "kill $Q"; eval "kill '$!'"; eval "x=$!"`,
		"[:] [eval 'kill ?'] [eval>kill ??] [read Q] [eval 'kill ?'] [eval>kill ??] [eval 'kill '?''] [eval>kill ${_}] [eval x=?] " +
			"!unknown-program-text !unknown-program-text !unknown-program-text !unknown-program-text"},
	{"mapfile -c 1 -C 'touch a' x < f",
		"[mapfile -c 1 -C 'touch a' x </w/f] [mapfile -C>touch a ? ?]"},
	{"mapfile -C 'touch a; ' -c 1 x",
		"[mapfile -C 'touch a; ' -c 1 x] [mapfile -C>touch a] [mapfile -C>? ?] !dynamic-command"},
	{"compgen -C 'touch a' b",
		"[compgen -C 'touch a' b] [compgen -C>touch a ? ? ?]"},
	{". <(a)",
		"[. /dev/fd/?] [<()>a] !piped-program"},
	{"trap 'x=git' DEBUG; x=touch; $x a",
		"[trap x=git DEBUG] [?? a] !dynamic-command"},
	{"trap 'a > f' EXIT",
		"[trap 'a > f' EXIT] [trap>a >/w/f]"},
	{"trap 'a > f' EXIT; cd b",
		"[trap 'a > f' EXIT] [trap>a >?/f >/w/f] [cd b]"},
	{"trap 'x=git' EXIT; x=touch; $x a",
		"[trap x=git EXIT] [touch a]"},
	{"x=touch; declare \"x=git\"; $x a",
		"[declare x=git] [?? a] !dynamic-command"},
	{"x=touch; export x; $x a",
		"[export x ~] [touch a ~]"},
	{"readonly x=touch; $x a; x=git; $x b",
		"[readonly x=touch] [touch a] [?? b] !dynamic-command"},
	{"declare -l x; x=GIT; $x a",
		"[declare -l x] [?? a] !dynamic-command"},
	{"declare -n r=x; x=touch; r=git; $x a",
		"[declare -n r=x] [?? a] !dynamic-command"},
	{"local x=touch; $x a",
		"[local x=touch] [?? a] !dynamic-command"},
	{"REPLY=touch; $REPLY a",
		"[?? a] !dynamic-command"},
	{"x=a; git $((x=5)) $x",
		"[git ? ?? ~]"},
	{"read x <<< 'a[$(b)]'; ((x))",
		"[read x ~] !hidden-eval"},
	{"read x; ((x)); echo 'a[0] $(b)'",
		"[read x ~] [echo 'a[0] $(b)' ~]"},
	{"read PS4",
		"[read PS4] !shell-variable"},
	{"for PS4 in a; do b; done",
		"[b ~] !shell-variable"},
	{"BASH_CMDS[git]=/x; git a",
		"[git a ~] !shell-variable"},
	{"declare -a x='($(a))'",
		"[declare -a x=($(a))] !hidden-eval"},
	{"x='$(a)'; let \"m[$x]=1\"",
		"[let m[$(a)]=1 ~] !hidden-eval !hidden-eval"},
	{"set -k; git x=1",
		"[set -k] [git x=1] !shell-option"},
	{"fc -s",
		"[fc -s ~] !unknown-program-text"},
	{"PS1='$(a)'; PS2='> '",
		"!shell-variable"},
	{"sh -c '((a))'; bash -c '((a))'",
		"[sh -c ((a)) ~] [bash -c ((a)) ~] !parser-diff"},
	{"sh -c '[[ -f x ]] && a'; sh -c '[[ a || b ]]'",
		"[sh -c '[[ -f x ]] && a'] [sh -c>a] [sh -c '[[ a || b ]]'] !parser-diff"},
	{"sh -c 'a &> f'; sh -c 'a &> f b'",
		"[sh -c 'a &> f'] [sh -c>a >/w/f] [sh -c 'a &> f b'] [sh -c>a b >/w/f] !parser-diff"},
	{"sh -c \"echo $'\\\\'; a'\"",
		"[sh -c 'echo $'\\'; a''] [sh -c>echo ''; a'] !parser-diff"},
	{"x=a; x=b eval 'touch $x'",
		"[eval 'touch $x' ~] [eval>touch ?? ~]"},
}

func TestEvaluated(t *testing.T) {
	for _, c := range evalCases {
		if got := show(bashsafety.Analyze(c.text, testEnv())); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestEveryday: a doubt about these would only teach users to say yes.
func TestEveryday(t *testing.T) {
	for _, text := range rows(t, "testdata/eval_everyday.txt") {
		if s := bashsafety.Analyze(text, testEnv()); len(s.Doubts) > 0 {
			t.Errorf("%q: %s", text, show(s))
		}
	}
}

// rows reads a file of texts, one a line: ␤ stands for a newline, ## starts a heading.
func rows(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(string(data), "\n") {
		if line != "" && !strings.HasPrefix(line, "## ") {
			out = append(out, strings.ReplaceAll(line, "␤", "\n"))
		}
	}
	return out
}
