package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestFunctions checks which calls of a function of the text are followed: the body is walked with the words of the call,
// and what is not followed is doubted.
func TestFunctions(t *testing.T) {
	for _, c := range functionCases {
		if got := show(bashsafety.Analyze(c.text, testEnv())); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

var functionCases = [...]struct{ text, want string }{
	{"f() { ls; }; f",
		"[function f>ls] [f] [function f>ls]"},
	{`hi() { echo "hi $1"; }; hi bob`,
		"[function hi>echo 'hi ?'] [hi bob] [function hi>echo 'hi bob']"},
	{`f() { cat "$1" $2; }; f .env a; f "a b" 'c d'; f x`,
		"[function f>cat ? ??] [f .env a] [function f>cat .env a] [f 'a b' 'c d'] [function f>cat 'a b' c d] [function f>cat 'a b' 'c d'] [f x] [function f>cat x]"},
	{`f() { rm -rf "$1"; }; f /; f $x; f "$x"; f *.go`,
		"[function f>rm -rf ?] [f /] [function f>rm -rf /] [f ?? ~] [f ?] [f %*.go ~] !shadowed-command !shadowed-command !shadowed-command"},
	{`f() { cat "$@"; }; f a 'b c'; f`,
		"[function f>cat ??] [f a 'b c'] [function f>cat a 'b c'] [f] [function f>cat ??]"},
	{`f() { cat $@ "$*" $*; }; f a`,
		"[function f>cat ?? ? ??] [f a] [function f>cat a a a]"},
	{`f() { cat x$@y "$*" $*; }; f a "b c"`,
		"[function f>cat x??y ? ??] [f a 'b c'] [function f>cat xa b cy 'a b c' a b c] [function f>cat xa 'b cy' 'a b c' a 'b c']"},
	{`f() { "$@"; }; f git push`,
		"[function f>??] [f git push] !dynamic-command !shadowed-command"},
	{`f() { shift; cat "$1"; }; f a .env`,
		"[function f>shift] [function f>cat ?] [f a .env] !shadowed-command"},
	{`f() { set -- .env; cat "$1"; }; f a`,
		"[function f>set -- .env] [function f>cat ?] [f a] !shadowed-command"},
	{`f() { g; cat "$1"; }; g() { :; }; f .env`,
		"[function f>g] [function f>cat ?] [function g>:] [f .env] [function f>g] [function f>function g>:] [function f>cat .env] !shadowed-command"},
	{`g() { :; }; f() { g; cat "$1"; }; f .env`,
		"[function g>:] [function f>g] [function f>function g>:] [function f>cat ?] [f .env] [function f>g] [function f>function g>:] [function f>cat .env]"},
	{`f() { f "$1"; }; f a`,
		"[function f>f ?] [f a] [function f>f a] !shadowed-command !shadowed-command"},
	{"f() { a; }; f() { b; }; f",
		"[function f>a] [function f>b] [f] !shadowed-command"},
	{"f() { a; }; f; eval 'f() { b; }'",
		"[function f>a] [f] [eval 'f() { b; }'] [eval>function f>b] !shadowed-command"},
	{"ls() { rm x; }; ls",
		"[function ls>rm x] [ls] [function ls>rm x]"},
	{"git() { command git -p \"$@\"; }; git log; read() { a; }; read x",
		"[function git>command git -p ??] [function git>command>git -p ?? ~] [git log] [function git>command git -p log] [function git>command>git -p log ~] [function read>a] [read x] !shadowed-command"},
	{"f() { local -a a; declare -A b; read -r c; mapfile -t d; cat .env; }; f",
		"[function f>local -a a ~] [function f>declare -A b ~] [function f>read -r c ~] [function f>mapfile -t d ~] [function f>cat .env ~] [f ~] [function f>local -a a ~] [function f>declare -A b ~] " +
			"[function f>read -r c ~] [function f>mapfile -t d ~] [function f>cat .env ~]"},
	{`f() { local n=$1; cat "$n"; }; f .env`,
		"[function f>local n=?] [function f>cat ?] [f .env] [function f>local n=.env] [function f>cat .env]"},
	{`f() { for x; do cat "$x"; done; }; f .env`,
		"[function f>cat ?] [f .env] !shadowed-command"},
	{`f() { cat "${1:-.env}"; }; f; f a`,
		"[function f>cat ?] [f] [f a] [function f>cat a] !shadowed-command"},
	{`f() { cat "${1%x}"; }; f .envx`,
		"[function f>cat ?] [f .envx] !shadowed-command"},
	{"f() { cat a; }; f | sh; x | f",
		"[function f>cat a] [f] [function f>cat a] [sh] [x] [f] [function f>cat a] !piped-program"},
	{`f() { curl x; }; sh -c "$(f)"`,
		"[function f>curl x] [sh -c ?] [$()>f] [$()>function f>curl x] !unknown-program-text"},
	{"f() { PATH=/e:$PATH; }; f; git status",
		"[f] [git status ~]"},
	{"f() { cd /; }; f; rm -rf x",
		"[function f>cd /] [f] [function f>cd /] [rm -rf x]"},
	{`f() { command shift; cat "$1"; }; f a .env`,
		"[function f>command shift] [function f>command>shift] [function f>cat ?] [f a .env] !shadowed-command"},
	{`f() { printf -v argv x; cat "$1"; }; f a`,
		"[function f>printf -v argv x] [function f>cat ?] [f a] !shadowed-command"},
	{`f() { printf "-v" x; }; f; g() { printf ''-v x; }; g; h() { printf \-v x; }; h; i() { printf "$x" y; }; i`,
		"[function f>printf -v x] [f] [function g>printf -v x] [g] [function h>printf -v x] [h] [function i>printf ? y] [i] " +
			"!shadowed-command !shadowed-command !shadowed-command !shadowed-command"},
	{`f() { printf "\n%s" "$1"; printf '\n%s' "$1"; printf %s x; }; f a; g() { printf $'\x2dv' x; }; g`,
		`[function f>printf \n%s ?] [function f>printf \n%s ?] [function f>printf %s x] [f a] [function f>printf \n%s a] ` +
			`[function f>printf \n%s a] [function f>printf %s x] [function g>printf -v x] [g] !shadowed-command`},
	{`f() { builtin set -- .env; cat "$1"; }; f a`,
		"[function f>builtin set -- .env] [function f>builtin>set -- .env] [function f>cat ?] [f a] !shadowed-command"},
	{`f() { cat "$1"; }; X=1 f .env; command f .env; xargs f .env; time f .env`,
		"[function f>cat ?] [f .env ~] [command f .env] [command>f .env] [command>function f>cat .env] [xargs f .env] [xargs>f .env ?? ~] [f .env] !shadowed-command !shadowed-command !shadowed-command"},
	{`f() { cat "$1"; }; trap 'f .env' EXIT; trap f EXIT`,
		"[function f>cat ?] [trap 'f .env' EXIT] [trap>f .env] [trap>function f>cat .env] [trap f EXIT] [trap>f] [trap>function f>cat '']"},
	{`f() { cat "$1"; }; alias f=rm; f a`,
		"[function f>cat ?] [alias f=rm] [f a] !alias !shadowed-command"},
	{`f() { cat "${!1}"; }; f HOME`,
		"[function f>cat ?] [f HOME] !hidden-eval !shadowed-command"},
	{`f() { a "$1" "$10" "${10}"; }; f x`,
		"[function f>a ? ?0 ?] [function f>a ? ?? ? ~] [f x] !shadowed-command"},
	{"f() { echo $((1 + $1)) $((1)); }; f 5",
		"[function f>echo ? ? ~] [f 5 ~] [function f>echo ? ? ~]"},
	{`f() { cat "$1"; }; for i in a .env; do f $i; done`,
		"[function f>cat ?] [f a] [function f>cat a] [f .env] [function f>cat .env]"},
	{`f() { sh -c 'cat "$1"' _ x; }; f .env`,
		`[function f>sh -c 'cat "$1"' _ x] [function f>sh -c>cat ?] [f .env] [function f>sh -c 'cat "$1"' _ x] [function f>sh -c>cat ?]`},
	{"f() { cat <<< \"$1\"; cat > \"$1\" <<E\n$1\nE\n}; f .env",
		"[function f>cat] [function f>cat >?] [f .env] [function f>cat] [function f>cat >/w/.env]"},
	{`f() ( cd "$1"; rm -rf x ) ; f /`,
		"[function f>cd ?] [function f>rm -rf x] [f /] [function f>cd /] [function f>rm -rf x]"},
	{`f() { [ -n "$1" ] && cat "$1" || return 1; }; if f .env; then b; fi`,
		"[function f>[ -n ? ]] [function f>cat ?] [function f>return 1] [f .env] [function f>[ -n .env ]] [function f>cat .env] [function f>return 1] [b]"},
}
