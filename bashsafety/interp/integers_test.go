package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// runsData lists texts in which a shell evaluates what is in a file: each is run by at
// least one of bash 5, bash 3.2 and zsh, with a[$(cmd)] in d.
var runsData = [...]string{
	"x=$(cat d); echo $((x))", "x=$(cat d); echo $(($x + 1))", "x=$(<d); echo \"$((x))\"", "read x < d; echo $((10#$x))",
	"n=0; while read k; do ((n+=k)); done < d; echo $n", "n=$(cat d); for ((i = 0; i < n; i++)); do echo $i; done",
	"x=$(cat d); [[ $x -gt 3 ]] && cat a", "x=$(cat d); [[ x -eq 3 ]] || cat a", "[[ $(cat d) -gt 3 ]]; cat a",
	"x=$(cat d); let x; cat a", "x=$(cat d); let \"y = $x\"; cat a", "let \"y=$(cat d)\"; cat a",
	"declare -i x; x=$(cat d); cat a", "declare -i x=$(cat d)", "typeset -i x; read x < d", "f() { local -i x=$1; cat a; }; f \"$(cat d)\"",
	"readonly -i x=$(cat d); cat a", "f() { x=$(cat d); }; declare -i x; f", "f() { declare -i x; }; f; x=$(cat d); cat a",
	"x=$(cat d); echo ${y:x}", "x=$(cat d); echo ${y:$x}", "x=$(cat d); echo ${y::x}", "x=$(cat d); echo \"${@:x}\"",
	"x=$(cat d); echo ${b[x]}", "x=$(cat d); echo ${b[$x]}", "x=$(cat d); echo ${#b[$x]}", "echo ${b[$(<d)]}; cat a",
	"x=$(cat d); echo $[x]", "x=$(cat d); m[$x]=1; cat a", "x=$(cat d); m[x]+=1; cat a", "x=$(cat d); m=([$x]=1); cat a",
	"k=$(cat d); unset \"a[$k]\"", "k=$(cat d); unset \"$k\"", "k=$(cat d); read \"a[$k]\" < b", "k=$(cat d); read \"$k\" < b",
	"k=$(cat d); printf -v \"a[$k]\" x", "k=$(cat d); test -v \"a[$k]\"", "k=$(cat d); [ -v \"$k\" ]", "k=$(cat d); [[ -v a[$k] ]]; cat a",
	"k=$(cat d); declare \"a[$k]=1\"", "k=$(cat d); export \"$k\"", "k=$(cat d); wait -n -p \"a[$k]\"", "k=$(cat d); getopts a \"b[$k]\" -a",
	"k=$(cat d); [ $k ]", "k=$(cat d); [ -t \"$k\" ]", "k=$(cat d); [[ -t $k ]]; cat a", "k=$(cat d); printf %d \"$k\"", "k=$(cat d); printf '%s %x' a $k",
	"k=$(cat d); printf '%*s' \"$k\" a", "k=$(cat d); shift \"$k\"; cat a", "f() { return \"$(cat d)\"; }; f; cat a", "k=$(cat d); exit $k",
	"for i in 1 2; do cat a; break $(cat d); done", "k=$(cat d); read -t \"$k\" x < b", "OPTIND=$(cat d); cat a", "RANDOM=$(cat d); cat a",
	"read SECONDS < d; cat a", "for OPTIND in $(cat d); do cat a; done", "HISTSIZE=$(cat d); cat a", "printf -v RANDOM %s \"$(cat d)\"; cat a",
	"for x in $(cat d); do echo $((x)); done", "for x in \"$@\"; do echo $((x)); done", "echo $((x))", "echo $(($1))", "echo $((N + 1))",
	"x=5; echo $((y)); cat a", "x=1; x=$(cat d); echo $((x))", "cat a && x=1; echo $((x))", "x=1; for i in a b; do echo $((x)); x=$(cat d); done",
	"x=1; y=$(cat d); x=$y; echo $((x))", "x=y; y=$(cat d); echo $((x))", "x=${1:-5}; echo $((x))", "x=5$(cat d); echo $((x))", "x=5; x+=$(cat d); echo $((x))",
	"mapfile -t x < d; echo $((x))", "x=(1 $(cat d)); echo $((x[1]))", "x=($(cat d)); echo ${x[0]} $((x))", "read -a x < d; echo $((x[0]))",
	"f() { echo $((x)); }; x=$(cat d); f", "f() { x=$(cat d); }; x=1; f; echo $((x))", "x=1; trap 'x=$(cat d)' USR1; echo $((x))", "eval 'x=$(cat d)'; echo $((x))",
	"x=$(cat d) let x", "k=; while cat a; do OPTIND=$k k=$(cat d); done", "k=; declare -i j; while cat a; do j=$k k=$(cat d); done", "declare -n r=x; x=$(cat d); echo $((r))", "x=1; declare -n r=x; r=$(cat d); echo $((x))", "unset RANDOM; RANDOM=$(cat d); echo $((RANDOM))",
	"n=$(wc -l d); echo $((n))", "n=$(wc -lc < d); echo $((n))", "n=$(grep -c x d e); echo $((n))", "n=$(grep -rc x d); echo $((n))", "n=$(grep -c x *.go); echo $((n))",
	"n=$(grep -Hc x d); echo $((n))", "n=$(grep -c x $f); echo $((n))", "n=$(date); echo $((n))", "n=$(date +%s:%N); echo $((n))", "n=$(stat -c %n d); echo $((n))",
	"n=$(nproc --help); echo $((n))", "n=$(./wc -l < d); echo $((n))", "n=$(wc -l d 2>&1); echo $((n))", "n=$(wc -l < d; cat d); echo $((n))", "n=$(wc -l < d || cat d); echo $((n))",
	"n=$(cat d | wc -l | cat d); echo $((n))", "n=$(seq -f x 3); echo $((n))", "n=$(seq $k); echo $((n))", "n=$(echo $x); echo $((n))", "n=$(git rev-list HEAD); echo $((n))",
	"n=$(git rev-list --count --left-right a...b); echo $((n))", "n=$(uname -r); echo $((n))", "n=$(id -un); echo $((n))",
	"k=$(cat d); echo $x[$k]", "k=$(cat d); echo \"$x[k]\"",
	"(( x )) && cat a", "if ((x)); then cat a; fi", "until ((x)); do cat a; done", "case $((x)) in 1) cat a;; esac", "cat <<E\n$((x))\nE", "cat <<< $((x))", "cat a$((x))",
	"echo ${x:-$((y))}", "sh -c 'cat a; echo $((x))'", "(cat a; : $((x)))", "cat a | grep $((x))", "echo $(cat $((x)))", "cat a & : $((x))",
}

// integers lists texts in which nothing but integers is evaluated.
var integers = [...]string{
	"i=0; while [ $i -lt 5 ]; do echo $i; i=$((i+1)); done", "i=0; while ((i < 5)); do echo $i; ((i++)); done", "for ((i = 0; i < 5; i++)); do echo $i; done",
	"for ((i = 0, j = 1; i < j; i++)); do echo $((i + j)); done", "n=$(wc -l < f); echo $((n/2))", "n=$(wc -l < \"$f\"); echo $((n/2))", "for i in $(seq 1 10); do echo $((i*2)); done",
	"for i in {1..20}; do echo $((i*2)); done", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $((i*2)); done", "for i in 1 2 3; do echo $((i*2)); done", "sleep $((RANDOM % 5))",
	"[[ $(grep -c x f) -gt 0 ]] && cat f", "[[ $? -eq 0 ]] && cat f", "[[ $# -gt 1 ]] && cat f", "[ \"$(git rev-list --count HEAD)\" -gt 3 ] && cat f",
	"[[ $(git rev-list --count HEAD) -gt 3 ]] && cat f", "x=$(cat d); [ \"$x\" -gt 3 ] && cat f", "x=$(cat d); echo \"$x\" ${#x} $((${#x} + 1))", "x=$(ls | wc -l); [[ $x -gt 3 ]] && cat f",
	"x=$(grep -c a f || true); echo $((x))", "x=$(grep -ci a f 2>/dev/null || echo 0); echo $((x))", "start=$(date +%s); sleep 1; end=$(date +%s); echo $((end - start))",
	"start=$SECONDS; sleep 1; echo $((SECONDS - start))", "s=$(stat -c %s f); echo $((s / 1024))", "n=$(nproc); echo $((n - 1))", "echo $(( $(nproc) * 2 ))", "x=5; y=$x; echo $((y))",
	"x=5; for i in a b; do y=$x; x=$((x + 1)); echo $((y)); done", "i=0; for f in *.go; do i=$((i+1)); echo $i $f; done", "a=(1 2 3); echo ${a[1]} ${a[@]} $((a[0]))", "i=1; echo ${a[i]} ${a[$i]} ${b:i:2}",
	"i=0; f() { i=$((i + 1)); }; f; cat f", "f() { local n=5; echo $((n * 2)); }; f", "x=010; echo $((10#$x))", "declare -i x=5; x=6; echo $x", "let x=5; let x+=1; echo $x",
	"x=5; unset x; cat f", "read x < d; echo $x", "read -r -p \"$q\" x < d; cat f", "printf '%s\\n' \"$x\"", "printf '%d\\n' 5", "n=$(wc -l < f); printf '%d\\n' \"$n\"", "x=$(cat d); printf -v y %s \"$x\"; cat f",
	"export A=\"$b\"; cat f", "f() { local x=$1; cat f; }; f \"$y\"", "x=${y:1:2}; cat f", "[ -n \"$x\" ] && cat f", "[ \"$x\" = y ] && cat f", "[[ $x == y ]] && cat f", "exit $?", "f() { return 1; }; f; cat f",
	"n=0; while read -r l; do n=$((n+1)); done < f; echo $n", "n=0; while read -r l; do ((n++)); done < f; echo $n", "x=$((1 + 2)); echo $((x * 2))", "x=5; echo $((${x:-0} + 1))", "echo $((1 + 1)) $[2 + 2]",
	"x=$((1 + 1))\necho $((x))", "n=$(id -u); [[ $n -eq 0 ]] && cat f", "n=-5; echo $((n))", "x=0x1f; echo $((x))",
}

// TestRunsData: what may run data is proven of no command, covered by no rule with a
// pattern, and no question of its own.
func TestRunsData(t *testing.T) {
	env := analysis.Env{Cwd: "/w", Home: "/home/u"}
	for _, text := range runsData {
		s := bashsafety.Analyze(text, env)
		for _, d := range s.Doubts {
			if d.ID != "hidden-eval" && d.ID != "shadowed-command" && d.ID != "zsh-only" && d.ID != "parser-diff" && d.ID != "shell-variable" {
				t.Errorf("%s: doubt %s: %s", text, d.ID, d.Msg)
			}
		}
		if len(s.Findings) > 0 {
			t.Errorf("%s: finding %s", text, s.Findings[0].Check.ID)
		}
		if len(s.Subcommands) == 0 {
			t.Errorf("%s: no subcommand", text)
		}
		for i := range s.Subcommands {
			if sub := &s.Subcommands[i]; !sub.Structural && (sub.ReadOnly || sub.Unproven() == "" || len(sub.PatternBlockers) == 0) {
				t.Errorf("%s: %s is not held", text, sub.Argv[0].Text)
			}
		}
	}
	for _, text := range integers {
		s := bashsafety.Analyze(text, env)
		for i := range s.Subcommands {
			held := func(why string) bool { return strings.HasPrefix(why, "arithmetic") }
			if sub := &s.Subcommands[i]; slices.ContainsFunc(sub.PatternBlockers, held) {
				t.Errorf("%s: held, although it evaluates integers alone", text)
				break
			}
		}
	}
}
