package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// namesCases are texts that set a variable by which programs are found, or make the shell evaluate text, in ways
// the name does not show; and everyday texts that do neither. What counts is the git after it.
var namesCases = [...]struct{ want, text string }{
	// attributes on variables that the shell sets by itself
	{"doubt", "declare -i REPLY; read <<< 'a[$(id)]'"}, {"doubt", "declare -i MAPFILE; mapfile <<< 'a[$(id)]'"},
	{"doubt", "declare -i _; : 'a[$(id)]'"}, {"doubt", "typeset -ix _; git log 'a[$(id)]'"}, {"doubt", "local -i REPLY; read"},
	{"doubt", "declare -i COPROC; coproc a"}, {"doubt", "declare -i OPTARG; getopts a: o -a 'x[$(id)]'"}, {"doubt", "declare -n REPLY=PATH; read"},
	{"doubt", "declare -i \"$x\"; read <<< 'a[$(id)]'"}, {"doubt", "declare -i ${x}; : 'a[$(id)]'"}, {"doubt", "declare -n $x; read <<< 'a[$(id)]'"},
	// names with a hole
	{"narrow", "declare $(echo PATH)=./bin; git status"}, {"narrow", "read ${x}PATH <<< ./bin; git status"}, {"narrow", "printf -v \"$x\"PATH ./bin; git status"},
	{"narrow", "read \"$x\" <<< ./bin; git status"}, {"narrow", "read -ra \"$x\" <<< ./bin; git status"}, {"narrow", "mapfile \"$x\" <<< ./bin; git status"},
	{"narrow", "getopts o \"$x\" -o; git status"}, {"narrow", "unset $x; git status"}, {"narrow", "unset \"${x}TH\"; git status"}, {"narrow", "wait -n -p \"$x\"; git status"},
	{"narrow", "export \"$x\"=./bin; git status"}, {"narrow", "readonly $x=./bin; git status"}, {"narrow", "typeset \"GIT_$x=./bin\"; git log"}, {"narrow", "export \"$x\"; git log"},
	{"narrow", "let \"$x=1\"; git status"}, {"narrow", "let \"$x\"; git status"}, {"narrow", "let $x+1; git status"}, {"doubt", "coproc \"$x\" { a; }; git status"},
	{"narrow", "declare \"LD_${x}=./x.so\"; git status"}, {"narrow", "printf -v \"PA$x\" ./bin; git status"}, {"narrow", "declare $opts PATH=./bin; git status"},
	{"narrow", "printf -v x -v PATH ./bin; git status"}, {"narrow", "printf -v PATH -v x ./bin; git status"}, {"narrow", "printf -vPATH ./bin; git status"},
	{"doubt", "printf -v x -v 'a[$(id)]' y"}, {"doubt", "read \"BASH_$x\" <<< ./bin"},
	// references
	{"narrow", "declare -n r=PATH; r=./bin; git status"}, {"narrow", "declare -n r; r=PATH; r=./bin; git status"}, {"narrow", "declare -n r; for r in PATH; do r=./bin; done; git status"},
	{"narrow", "for r in PATH; do declare -n q=$r; q=./bin; git status; done"}, {"narrow", "declare -n r=$x; r=./bin; git status"}, {"narrow", "declare -n r; read r <<< PATH; r=./bin; git status"},
	{"narrow", "declare -n r; printf -v r PATH; git status"}, {"narrow", "declare -n r; r=$x; git status"}, {"doubt", "f() { local -n v=$1; v=./bin; }; f PATH; git status"},
	// traps
	{"narrow", "trap 'PATH=./bin' DEBUG; git status"}, {"narrow", "trap 'GIT_PAGER=./x' DEBUG; git log"}, {"narrow", "trap 'PATH=./bin' RETURN; git status"}, {"narrow", "trap 'read PATH < f' USR1; git status"},
	{"narrow", "trap 'export GIT_PAGER=./x' ERR; git log"}, {"narrow", "trap 'PATH=./bin' \"$s\"; git status"}, {"doubt", "trap 'IFS=g' DEBUG; git status"}, {"doubt", "trap 'alias git=./x' DEBUG; git status"},
	{"narrow", "trap 'git status' EXIT; PATH=./bin"}, {"narrow", "(trap 'git status' EXIT; PATH=./bin)"}, {"narrow", "trap 'git status' DEBUG; declare $x=./bin"}, {"narrow", "trap 'git status' DEBUG; PATH=./bin command true"},
	{"narrow", "mapfile -C 'PATH=./bin :' -c 1 x < f; git status"},
	// the next round of a loop
	{"narrow", "for i in 1 2; do git status; PATH=./bin; done"}, {"narrow", "while git status; do PATH=./bin; done"}, {"narrow", "until git status; do read PATH; done"},
	{"narrow", "for ((i=0; i<2; i++)); do git log; GIT_PAGER=./x; done"}, {"narrow", "for i in a b c d e f g h i j; do git status; export $i=./bin; done"},
	// numbers that assign
	{"narrow", "((PATH=1)); git status"}, {"narrow", ": $((PATH++)); git status"}, {"narrow", "[[ PATH=1 -eq 1 ]]; git status"}, {"narrow", "arr[PATH=1]=x; git status"},
	{"narrow", "x='PATH=1'; ((x)); git status"}, {"narrow", "x='PATH=1'; y=x; echo $((y)); git status"}, {"narrow", "x='PATH=1'; read y <<< x; ((y)); git status"},
	// options and variables of the shell
	{"doubt", "shopt -s cdable_vars; x=/etc; cd x; git status"}, {"doubt", "HISTFILE=~/.ssh/authorized_keys; set -o history\ngit log <<E\nssh-rsa AAA\nE"}, {"doubt", "shopt -so history"},
	{"doubt", "shopt -o -s history"}, {"doubt", "shopt history -so"}, {"doubt", "set -eu -o history"}, {"doubt", "bash -o history -c 'git log'"}, {"doubt", "bash -O cdable_vars -c 'cd x'"},
	{"doubt", "shopt -s autocd"}, {"doubt", "shopt -s extdebug"}, {"doubt", "shopt -s compat31"}, {"doubt", "shopt -u interactive_comments"}, {"doubt", "set -P"}, {"doubt", "set -o physical"},
	{"doubt", "shopt -s execfail"}, {"doubt", "shopt -s \"$x\""}, {"doubt", "set $x"}, {"doubt", "set -o \"$x\""}, {"doubt", "BASH_COMPAT=3.1; git status"}, {"narrow", "EXECIGNORE='*/git'; git status"},
	{"narrow", "HISTFILE=~/.ssh/authorized_keys; git status"}, {"narrow", "HISTFILE=x bash -i -c 'git status'"}, {"narrow", "read HISTFILE <<< x; git status"},

	{"narrow", "declare -n r; for r in *; do r=./bin; done; git status"}, {"", "for DIRSTACK in *; do git status; done"},
	{"", "declare -i i; for i in $(seq 3); do git status; done"}, {"", "declare -u x; for x in *.go; do git status; done"},

	{"", "read -r line; git status"}, {"", "while read -r line; do git log \"$line\"; done < f"}, {"", "read -p \"$p\" -r line; git status"}, {"", "read -d \"$d\" -t\"$n\" line; git status"},
	{"", "declare -i n=0; n=n+1; git status"}, {"", "local -i n=0; git status"}, {"", "declare -i OPTIND=1 SECONDS=0; git status"}, {"", "declare +i REPLY; git status"},
	{"", "trap 'rm -f \"$tmp\"' EXIT; git status"}, {"", "trap 'x=1; kill $pid' INT TERM; git status"}, {"", "trap - EXIT; git status"}, {"", "trap 'PATH=./bin' EXIT; git status"},
	{"", "local x=\"$1\"; git status"}, {"", "printf -v s '%s' x; git status"}, {"", "printf -v \"arr[$i]\" %s x; git status"}, {"", "printf -v \"cfg_$k\" %s x; git status"}, {"", "printf -v \"my_${k}_file\" %s x; git status"},
	{"", "declare \"cfg_$k=$v\"; git status"}, {"", "unset \"cfg_$k\" \"arr[$i]\"; git status"}, {"", "declare -p \"$x\"; declare -f \"$y\"; git status"},
	{"", "shopt -s nullglob; git status"}, {"", "shopt -s nullglob dotglob globstar; git status"}, {"", "shopt -q extglob; shopt -p; shopt; git status"}, {"", "shopt -u nullglob; git status"},
	{"", "set -euo pipefail; git status"}, {"", "set -eo pipefail -u; git status"}, {"", "set -x; git status; set +x"}, {"", "set +o history; git status"}, {"", "set -- $x; git status"}, {"", "set -o errexit -o nounset; git status"},
	{"", "bash -euo pipefail -c 'git status'"}, {"", "getopts ab: opt \"$@\"; git status"}, {"", "while getopts ab: opt \"$@\"; do git status; done"}, {"", "wait $pid; git status"}, {"", "wait \"$a\" $b; git status"},
	{"", "mapfile -t -d \"$d\" arr < f; git status"}, {"", "mapfile -t arr < <(ls); git status"}, {"", "let i++; let \"i=$n+1\" i+=2; git status"}, {"", "((i++, j = i * 2)); git status"},
	{"", "for f in *.go; do n=$((n + 1)); git log \"$f\"; done"}, {"", "while ((i < 3)); do git status; i=$((i + 1)); done"}, {"", "f() { local -n out=$1; out=x; }; git status"}, {"", "TMOUT=1 FUNCNEST=3; git status"},
}

func TestNames(t *testing.T) {
	for _, c := range namesCases {
		s := bashsafety.Analyze(c.text, testEnv())
		got := ""
		for i := range s.Subcommands {
			if sub := &s.Subcommands[i]; sub.Program == "git" && slices.ContainsFunc(sub.PatternBlockers, func(why string) bool { return strings.Contains(why, "variable") }) {
				got = "narrow"
			}
		}
		if len(s.Doubts) > 0 {
			got = "doubt"
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q: %s", c.text, got, c.want, show(s))
		}
	}
}
