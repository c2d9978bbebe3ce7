package oracle

// grammar is the shell language as templates; § and a letter is a symbol, ¡ in front marks what POSIX lacks.
// What stands often in a list is taken often.
var grammar = [...]rule{
	{'T', 3, []string{ // a text
		"§L", "§L", "§V; §L", "§V§N§V§N§C", "§L§;§L", "§V; §V; §C", "§V§;§M§;§C", "§C§;§M", "§#\n§L", "#!/bin/sh\n§L", "\n \n§L", "§L §#",
		"§M§;§L", "¡§F§;§L§;f §W", "cd §D && §C§R", "cd §D; §C > o§u", "(cd §D; §C > o§u); §C",
	}},
	{'L', 3, []string{ // a list of statements
		"§C", "§C", "§S", "§S", "§S§;§S", "§S && §S", "§S || §S", "§S | §S", "¡§S |& §S", "§S & §S", "§S&&§S||§S", "§S |\n §S", "§S && §#\n§S", "! §S", "¡time §S",
		"¡time -p §S", "§S §R; §S", "§S;", "§S &", "¡coproc §C", "¡coproc c { §B§;}",
	}},
	{'S', 4, []string{ // a statement
		"§C", "§C", "§C", "§V", "§C§R", "§C§R", "§C §H", "§C §R §H", "§K", "§K", "§K§R", "§M", "§M", "§V §C", "§R §C", "{ §L§;}", "(§B)", "( §B )§R", "§X",
	}},
	{'K', 4, []string{ // compound commands
		"if §C; then §C; fi", "for i in §W; do §C §W; done", "case §w in §j) §C;; esac", "{ §C; }",
		"if §L§;then §L§;elif §C; then §L§;else §L§;fi", "while §C; do §L§;done", "until §C§;do §L§;done", "for i in §W §W; do §L§;done", "for i do §C \"$i\"; done",
		"for i in a b\ndo qa \"$i\" $i\ndone", "¡for ((§a; §a; 0)) do §L§;done", "¡for ((;0;)) { §C; }", "¡select i in §W; do §C; break; done", "case §w in §j) §L ;; §j|§j) §C;; *) §C;; esac",
		"case §w in (§j) §C;; (*) §C;; esac", "case §w in\n§j)\n§L§;;; # c\n*) §C\nesac", "¡case §w in §j) §C;& §j) §C;;& *) §C;; esac", "case §w in esac; §C", "case in in in) §C;; esac",
		"¡[[ §t ]]", "¡[[ §t ]] && §C", "¡[[ §t && §t ]] || §C", "¡[[ ! §t ]]; §C", "¡if [[ §t ]]; then §C; fi", "¡((§a))", "¡((§a)) && §C", "¡if ((§a)); then §C; fi",
		"qa $(case §w in §j) §C;; esac)", "qa \"$(case x in (x) §C;; esac)\"", "( (§C) )", "((§C) )", "{ §C; } | §C", "(§C; §C) & wait",
	}},
	{'F', 1, []string{ // functions
		"f() { §L§;}", "f () (§B)", "¡function f { §L§;}", "¡function f() { §L§;}", "f()\n{\n§L\n}", "f() { §L§;}§R", "f() if §C; then §C; fi", "¡f() [[ §t ]]", "¡f-g() { §C; }",
		"f() { local x=§W; §C $x; }",
	}},
	{'C', 6, []string{ // simple commands
		"§P §u", "§P §u §w", "§P §u §W", "§P §u §W §W", "§P §W §u", "§P",
		"§P §W", "§P §W §W §W", "§P  §u\t§W ", "§P §u \\\n §W", "§P \\\n\t§u §W", "§P §u §W §#", "§l §P §u §W", "\\§P §u", "§P§Y §u", "§c §u", "§c §u §W", "§P -- §W", "§P -x§W §u", "§P --o=§W",
		"./§P §u", "/bin/§P §W", "/usr/bin/§P §u", "¡/bin/§P §u <(§B)", "¡§P §u <(§B) >(§B)", "§P §u §k",
	}},
	{'P', 6, []string{"qa", "qb", "qc", "git", "rm", "touch", "q-d", "q_e", "q.f", "cp", "qa:b", "qa+b", "ls", "cat", "grep", "Qa", "é", "qa@1", "qa%", "[qa", "find", "tee"}},
	{'c', 3, []string{ // command names that need reading
		"'qa'", "\"qb\"", "q\\a", "q''a", "\"q\"a", "q\\\na", "¡$'qa'", "¡$'\\x71a'", "¡$\"qa\"", "$x", "\"$x\"", "${x}", "${x:-qa}", "$y", "{qa,§u}", "q\"\"b", "~/qa", "q[a]", "$(§B)", "`§G`",
	}},
	{'l', 2, []string{ // launchers, run as they stand
		"nice", "env", "env X=1", "timeout 5", "nohup", "xargs", "sudo", "command", "exec", "nice -n 5", "¡builtin command", "¡exec -a z", "stdbuf -o0", "xargs -n 1", "env -i", "sudo -u u", "timeout -s 9 1m",
		"¡time", "¡command -p", "sh -c", "setsid", "watch", "find . -exec",
	}},
	{'W', 5, []string{ // a word
		"§w", "§p", "§p", "\"§d\"", "'§r'", "§p§p", "§p§p", "§p§p§p", "\"§d§d\"", "§w§p", "§p§w", "\"§d\"§p", "§p\"§d\"", "\"§d§d§d\"", "'§r'§p", "¡<(§B)", "¡>(§B)", "§b", "¡$'§e§e'", "§w=§p",
	}},
	{'w', 16, []string{ // plain words
		"w", "a b", "-f", "x", "1", "./x", "/tmp/x", "../y", "a=b", "a.b", "n:m", "é", "日本", "-", "--", "x,y", "%s", "@x", "a#b", "^", "+x", "!x", "=x", "}", "{}", "]", "[", "{", "a{b", "HEAD~1", "a~b", "a^b", "'#'", "x'#'", "''", "\"\"", "a''#b", "''#",
	}},
	{'p', 12, []string{ // pieces of an unquoted word
		"a", "b", "'§r'", "\"§d\"", "§y", "$x", "${x}", "\\ ", "\\'", "\\\"", "§w", "\"$x\"",
		"'§r'", "\"§d\"", "\"§d§d\"", "¡$'§e'", "¡$'§e§e'", "¡$\"§d\"", "§y", "$y", "$z", "$§n", "${§n}", "$1", "$@", "\"$@\"", "$*", "$#", "$?", "$$", "$-", "$0", "${§m", "${§m", "${§m", "$(§B)", "$(§B)", "`§G`", "$((§a))",
		"¡$[§a]", "$(( §a ))", "*", "?", "x*", "[a-z]*", "*.go", "sub/*", "¡{a,b}", "¡{1..3}", "¡{§w,§p}", "¡{a,{b,c}}", "¡{a..c}", "~", "~/x", "$", "\\\n", "\\$x", "\\`", "\\*", "\\\\", "\\#", "\\~", "\\a", "\"\"", "''", "$(§B)x", "$(<x.go)", "¡${|§C;}",
	}},
	{'y', 8, []string{"\\ ", "\\;", "\\&", "\\(", "\\<", "\\|", "\\n", "\\\\", "\\=", "\\{", "\\,", "\\-", "\\!", "\\\t", "\\é", "\\\""}},
	{'b', 4, []string{"x{a,b}", "{a,b}{c,d}", "{1..3}", "{,x}", "{a,b", "{a}", "{a,'b c'}", "{a,\"$x\"}", "{§w,§p}§p", "§p{a,b}", "{3..1..2}", "{01..03}", "{a..e..2}", "${x}{a,b}", "$x{a,b}", "{$x,b}", "\\{a,b}", "{a\\,b}", "{a,b\\}", "{{a,b},c}", "{a,b}}", "{a,$(§B)}", "{a, b}", "a{1,2}b{3,4}", "{a..b}{1..2}", "'{a,b}'"}},
	{'d', 10, []string{ // pieces in double quotes
		"a", "b c", "'", "\\\"", "\\$", "\\\\", "$x", "${x}", "é", " ",
		"a\\b", "\\a", "\\`", "\\\n", "#", "# c", "\n", "*", "~", "{a,b}", "!", "$", "$y", "$z", "$§n", "${§n}", "$@", "$*", "$#", "$?", "$1", "${§o", "${§o", "${§o", "$(§B)", "$(§B)", "`§g`", "$((§a))", "¡$[§a]", "a$", "$'a'", "\\'", "'$x'", "'$(§B)'", ";", "(", ")", "<", "|", "&", "\t", "a  b", "\\\\$x", "\\$(x)", "=", "\\}", "}",
	}},
	{'r', 8, []string{"a", "b c", "\"", "$x", "\\", "# c", "$(qz)", "`qz`", "\\\\", "\n", "*", "~", "é", "a\\", ";", "&& qz", "(", ")", "{a,b}", "\t", "", "${x}", "\\n", "%s", "<<E", "E"}},
	{'e', 8, []string{ // pieces of $'...'
		"a", "\\n", "\\t", "\\\\", "\\'", "\\\"", "\\x41", "\\101", "\"", "$x", "$(qz)", "`", "\\u00e9", "\\U0001F600", "\\x4", "\\e", "\\a", "\\b", "\\f", "\\v", "\\r", "\\?", "\\q", "\\cA", "\\1", "\\12", "\\x", "é", " ", "\n", "\\\n", "#", "\\x7", "\\u41", "\\x{41}", "\\0", "\\'a\\'", "\\8", "\\c\\\\", "\\x414", "\\1011",
	}},
	{'h', 8, []string{ // lines of a here-document
		"text", "a 'b", "a \"b", "$x", "${x}", "\\$x", "# c", "x\\\\", "§d", "§d§d", "$(§B)", "`§G`", "${§o", "$((§a))", "a\\\nb", "\\`x\\`", "'$(§B)'", "\"$(§B)\"", "E x", " E", "\\a", "\"${x}\"", "${x:-\"a b\"}", "${x:-'a'}", "$", "a$", "\\", "\t x", "EE", "x \\", "$'a'", "a)", "}",
	}},
	{'E', 3, []string{"E", "EOF", "'E'", "\"E\"", "\\E", "E'F'", "\"E F\"", "E-F", "'E)'", "¡$'E'", "E.1", "'E F'", "_", "''", "é", "!", "E\\F", "{E", "}", "'#'", "E#", "1", "*", "~", "'a`'", "\"E\"F", "in"}},
	{'n', 5, []string{"x", "y", "z", "HOME", "u", "PWD", "arr", "i", "PATH", "UNSET", "OLDPWD", "_", "IFS", "RANDOM", "LINENO", "BASHPID", "UID", "PPID", "SECONDS", "BASH", "0", "X", "x_1", "REPLY", "OPTIND", "HOSTNAME", "BASH_VERSION", "FUNCNAME", "SHLVL"}},
	{'m', 8, []string{ // the rest of ${ outside quotes
		"x}", "y}", "x:-a}", "x:+a}", "u:-b}", "x#a}", "x%b}", "#x}", "§n:-§W}", "§n-§W}", "§n:+§W}", "§n+§W}", "u:=§p}", "u=§w}", "§n:?§p}", "x#§p}", "x##§p}", "x%§p}", "x%%§p}", "¡x/§p/§p}", "¡x//§p/§p}", "¡x/#a/§p}", "¡x/%a/§p}", "¡x/a}",
		"¡x:§a}", "¡x:§a:§a}", "¡x: -1}", "¡x:(-1)}", "¡x^}", "¡x^^}", "¡x,,}", "¡x^^[§p]}", "¡x@Q}", "¡x@P}", "¡x@E}", "¡x@A}", "¡x@U}", "¡x@a}", "¡x@K}", "¡!x}", "¡!x*}", "¡!x@}", "¡!arr[@]}", "¡arr}", "¡arr[0]}", "¡arr[§a]}", "¡arr[@]}", "¡arr[*]}", "¡#arr[@]}",
		"¡arr[@]:0:1}", "¡arr[@]/a/§p}", "¡arr[$(§B)]}", "#}", "##}", "#u}", "1}", "1:-§p}", "@}", "*}", "@:-§p}", "?}", "$}", "¡@:1}", "¡@:1:1}", "¡*:§a}", "-}", "!}", "u:-$(§B)}", "u:-`§G`}", "u:-${x:-§p}}", "u:-\"§d\"}", "u:-'§r'}", "u-\\}}", "x:-{a,b}}", "u:-~}", "u:-*}",
		"u:-a b}", "u:-\"a b\"}", "u:-'}'}", "x:-\n}", "u:-§p §p}", "¡x@Q§w}", "¡u:-$'§e'}", "x#'§r'}", "x#\"§d\"}", "x%\\*}", "¡x/\\//§p}", "10}", "01}", "¡arr[-1]}", "¡arr[x]}", "¡m[k]}", "¡m[$x]}", "¡m[\"§d\"]}", "¡m['§r']}", "u:-\\\n§p}", "u:-#a}", "¡u:-<(§B)}", "#@}", "#*}", "#?}", "#-}", "#x#a}",
	}},
	{'o', 6, []string{ // the rest of ${ in double quotes
		"x}", "y}", "x:-a}", "x:+a}", "u:-b}", "#x}", "§n:-§d}", "§n-§d}", "u:-§d§d}", "u:=§d}", "§n:+§d}", "x:?§d}", "x#§p}", "x##§p}", "x%§p}", "x%%§p}", "¡x/§p/§d}", "¡x//§p/§d}", "¡x/a}", "¡x:§a}", "¡x:§a:§a}", "¡x^}", "¡x^^}", "¡x@Q}", "¡x@P}", "¡x@E}", "¡!x}", "¡!x*}", "¡!arr[@]}", "¡arr}",
		"¡arr[0]}", "¡arr[§a]}", "¡arr[@]}", "¡arr[*]}", "¡arr[@]:0:1}", "#}", "1}", "1:-§d}", "@}", "*}", "@:-§d}", "u:-$(§B)}", "u:-`§g`}", "u:-\"§d\"}", "u:-'§r'}", "u:-'a'}", "u:-\\}}", "u:-\"'\"}", "u:-${x:-§d}}", "¡u:-$'§e'}", "x#'§r'}", "x#\"§d\"}", "x%'}'}", "u:-}", "¡@:1}", "u:-a b}", "u:-*}", "u:-~}", "u:-\\\"}",
		"u:-{}}", "u:-\n}", "u:-\\\n§d}", "¡arr[$(§B)]}", "¡m[k]}", "¡m['§r']}", "¡x/\\//§d}", "¡x/'a'/§d}", "¡x/\"a\"/§d}", "#@}", "u:-`§G`}", "¡@Q}", "¡arr[@]@Q}", "¡*/a/b}",
	}},
	{'a', 8, []string{ // arithmetic
		"1", "0", "x", "i", "1+1", "i+1", "$x", "2", "i++", "--i", "i=2", "i+=1", "i=§a,§a", "(§a)", "§a+§a", "§a*§a", "-§a", "!§a", "~1", "1?§a:2", "0?1:§a", "§a<2", "§a==1", "1&&§a", "0||§a", "1<<2", "010", "0x1f", "16#f", "2**3", "5%3", "5/2", "${x}", "${i:-1}", "${#x}",
		"$(§B)", "`§G`", "$((§a))", "¡arr[0]", "¡arr[§a]", "¡arr[$(§B)]", "\"1\"", "\"§a\"", "'1'", " 1 ", "1 + \\\n 1", "\n1", "$i", "$#", "$?", "${§o", "¡m['k']", "¡m[\"$x\"]", "x[0]", "1 # 2", "i", "y", "e", "${e}", "$1", "1;", "1^2", "i|1", "\"${x}\"", "$'1'", "( (1) )", "$(( (1) ))", "1 ? 2 : 3",
	}},
	{'t', 6, []string{ // in [[ ]]
		"a", "-n $x", "a == b", "$x = §p", "-z §p", "-f x.go", "§p == §p", "§p = §j", "§p != §j", "§p =~ §x", "§p =~ §x", "§p < §p", "§p -eq §a", "x -eq §a", "§a -lt §a", "'§r' -eq 1", "-v x", "-v arr[§a]", "-v '§r'", "-v arr['§r']", "-e §p", "-o errexit", "( §t )", "§t && §t", "§t || §t", "! §t", "§p -ef §p", "-n \"§d\"", "a\n&& b", "a ==\\\n b", "-t 0", "-R x", "arr[0] -eq 1", "\"arr[$(§B)]\" -eq 1", "-n $(§B)", "$(§B) == x", "-d sub", "x == (a)", "x == @(a|b)", "x == a*(b)",
	}},
	{'x', 3, []string{"a", "^b.c$", "a|b", "(a|b)c", "[a-z]+", "[[:alpha:]]", "'a b'", "\"§d\"", "$x", "a\\ b", "(a b)", "a{1,2}", "\\(a\\)", "[^)]", "()", "a(b|(c))", "^[a-z ]", "a#b", "$(§B)", "${x}$", "\\.", ".*\\$", "(<|>)", "[\"']", "a&b", "(;)", "\\;", "[(]", "x\\\ny"}},
	{'j', 4, []string{"a", "*", "'§r'", "\"§d\"", "x*", "[a-z]", "?", "$x", "a\\)", "¡@(a|b)", "\"esac\"", "-*", "§p", "(a", "a ", " a", "\\\na", "~", "{a,b}", "$(§B)", "`§G`", "${§m", "a|\\\nb", "''", "[!a]", "[)]", "in", "if", "do", "1)", "¡$'§e'"}},
	{'V', 6, []string{ // assignments
		"x=§w", "x='a b'", "y=qb", "x=qa", "i=1", "z=\"§d\"", "x=§p", "x=§p§p", "x=§W", "y=$x", "y=\"$x §d\"", "¡x+=§p", "x=", "x= y=2", "x=$(§B)", "x=`§G`", "x=$((§a))", "x=~", "x=~/a:~", "x=*", "x={a,b}", "x=\\\n§p", "¡arr=(§p §p)", "¡arr=(a 'b c' \"\")", "¡arr=(§W)", "¡arr=([2]=§p §p)", "¡arr=([$(§B)]=1)", "¡arr+=(§p)", "¡arr[1]=§p", "¡arr[§a]=§p", "¡arr=()", "¡arr=(a\n§#\nb)",
		"¡declare -A m=([k]=§p)", "¡declare -A m; m[§p]=1", "¡declare x=§p", "¡declare -a arr=(§p)", "¡declare -i i=§a", "¡declare -r r=§p", "¡declare -n y=x", "¡declare \"x=§d\"", "¡declare -g x=§p", "¡declare -l x=§p", "¡typeset x=§p", "export x=§p", "export x", "export x=§p y=§p", "readonly z=§p", "set -- §W §W", "set -- \"§d\" §p", "set -- $x", "set -- a 'b c'", "shift", "shift; set -- §p",
		"unset x", "¡unset 'arr[0]'", "¡unset arr", "read x <<< §p", "read x y < x.go", "¡read -r x <<< \"§d\"", "read x <<E\n§h\nE", "¡printf -v x §p", "¡printf -v x '%s' §p", "¡printf -v 'arr[0]' §p", "¡mapfile -t arr <<< \"§d\"", "¡let i=§a", "¡let \"i=§a\"", "¡let i=1 x=i+1", "getopts ab x", "IFS=,", "IFS=", "IFS=: read x y <<< a:b", "x=1 y=$x", "PATH=/stub:$PATH", "HOME=/tmp", "local x=1", "¡x[0]=§p", "x=\"$x\"\"§d\"", "y='§r'", "i='1+1'", "x='$(qz)'", "x='arr[$(qz)]'", "e='i+1'", "¡arr=(§p)\nx=${arr[0]}", "x=qa y=\"-f\"", "x=$x§w", "x=\"${x}a\"", "x=${x:-§p}", "x=$1", "x=$@", "¡x=\"${arr[*]}\"", "x=a#b", "x=#a", "x=a;y=b", "x=(", "x=a y", "¡x=<(§B)",
	}},
	{'M', 5, []string{ // builtins
		"eval §Q", "eval §P §u", "trap §Q EXIT", "cd §D", "eval \"§P $x\"", "eval §P §W", "eval §W", "eval '§P §u' '§W'", "eval -- §Q", "trap -- §Q EXIT", "trap '§P §u' EXIT; trap - EXIT", "trap §Q 0", "trap §Q ERR", "¡trap §Q DEBUG", "¡trap §Q RETURN", "trap §Q EXIT; exit 0", "cd §D && §C", "cd §D; §C", "cd §D || §C", "(cd §D); §C > o", "cd §D && §C > o§u", "cd -", "cd", "cd \"$x\"; §C > o",
		"¡pushd §D && §C > o", "¡pushd §D; popd; §C > o", "set -e; §C; §C", "set -u; §C $u", "set -f; §C *", "set -x; §C", "set -o pipefail; §C | §C", "set +e", "set -n; §C", "set -eu\n§C", "¡shopt -s extglob\n§C @(a|b)", "¡shopt -s nullglob; §C q* x*", "¡shopt -s dotglob; §C *", "¡shopt -s nocaseglob; §C X*", "¡shopt -s globstar; §C **/*.go", "¡shopt -s failglob; §C q*", "¡shopt -s expand_aliases; alias qz='§P §u'\nqz §u", "alias qz=§Q; qz", "alias qa='qb '\nqa §u",
		"test -v §Q", "¡test -v x && §C", "¡test -v 'arr[$(§B)]'", "¡[ -v 'arr[0]' ]", "[ §p = §p ] && §C", "[ -n \"§d\" ] || §C", "test §p; §C", "[ 1 -eq §p ]", "[ §W ]", "test §w -a §p", "test ! §p", "¡test 'arr[$(§B)]' -eq 1", "¡printf '%d' 'arr[$(§B)]'", "printf '%s\\n' §W", "printf §W", "echo §W", "echo §p > o§u", "echo -e §p | §C", "¡compgen -C §Q x", "¡compgen -W §Q", "¡compgen -F f x", "¡complete -C §Q x", "¡mapfile -C §Q -c 1 x < x.go", "¡mapfile -C '§P §u' -c 1 arr <<< a",
		"¡unset 'arr[$(§B)]'", "¡unset -v 'x[$(§B)]'", "¡read 'arr[$(§B)]' <<< a", "¡read -a arr <<< §p", "¡read -p §p x <<< a", "¡printf -v 'arr[$(§B)]' a", "¡declare 'arr[$(§B)]=1'", "¡declare \"x=$(§B)\"", "¡declare -i i='arr[$(§B)]'", "¡export 'x=§r'", "¡let 'arr[$(§B)]=1'", "¡let i=§a", "¡let §Q", "¡readonly 'x[$(§B)]=1'", "¡wait -n -p 'arr[$(§B)]'", "exec > o§u; §C", "exec 3> o§u; §C >&3", "¡exec {v}> o; §C >&$v", "exec §C", "exec -a x §C", "exec 2>&1; §C",
		"command §C", "command -v §P", "command -V qa", "command -- §C", "command eval §Q", "builtin eval §Q", "builtin cd §D", "command -p §C", "type §P", "hash -r; §C", "¡hash -p /bin/rm qa; qa §u", "¡enable -n test; test §u", "¡enable -f ./x.so qz", "¡history -w o§u", "¡history -s §Q", "¡fc -s", "¡bind -x §Q", "ulimit -n 10; §C", "umask 077; §C", "times; §C", "wait; §C", "jobs; §C", "return 0; §C", "exit; §C", "break; §C", ": §W; §C", ": ${u:=§p}; §C $u", ": ${x:=qa}; $x §u", "true && §C", "false || §C", ". ./x.go; §C", "source x.go; §C",
		"¡PS4='$(§B)'; set -x; §C", "¡PROMPT_COMMAND=§Q; §C", "BASH_ENV=x §C", "¡X=§Q; §C", "¡x=§Q; echo ${x@P}", "¡x=§Q; eval \"$x\"", "x='§P §u'; $x", "x='§P §u'; eval $x", "x=§u; §P \"$x\" $x", "¡y=x; §P ${!y}", "¡f=qa; ${f} §u", "¡x='i[$(§B)]'; echo $((x))", "¡x='i[$(§B)]'; ((x))", "¡x='i[$(§B)]'; [[ x -eq 1 ]]", "¡x='i[$(§B)]'; declare -i i=x", "¡x='i[$(§B)]'; echo ${y:x}", "¡x='i[$(§B)]'; arr[x]=1", "¡x='i[$(§B)]'; let x", "¡command_not_found_handle() { §C; }; §C", "suspend", "logout; §C", "¡caller; §C", "¡disown; §C",
		"sh -c §Q", "bash -c §Q", "¡bash -c §Q x y", "sh <<E\n§h\nE", "bash <<< §Q", "echo §Q | sh", "env sh -c §Q", "xargs sh -c §Q", "find . -name §p -exec §P §u {} \\;", "ssh h §Q", "§P §u <<< §W", "§P <<< \"§d\"", "§F§;f §u", "§F§;§C", "§F§;f; f", "f §u; §F", "(§F§;f) | §C",
	}},
	{'R', 6, []string{ // redirections
		" > o§u", " >> o§u", " 2> o§u", " < x.go", " 2>&1", " > /dev/null", " >o§u", "> o§u", " >| o§u", " <> o§u", "¡ &> o§u", "¡ &>> o§u", "¡ >& o§u", " > 'o§u'", " > \"o$x\"", " > \"§d\"", " > $x", " > §p", " > ~/o", " > \\\no§u", " >\\\n o§u", " > sub/o", " > ../o", " > ./o§u", " > o§u > p§u", " 3> o§u", " 3>&1", " 2>&-", " <&-", " >&2", " 1>&2", " 0<x.go", "¡ {v}> o§u", "¡ {v}>&1", " 3>&1 >&2 2>&3", "¡ 2>&1-", " 10> o§u", "¡ <<< §W", "¡ <<<\"§d\"", "¡ <<<'§r'", " §H", " <<E\n§h\nE", "¡ < <(§B)", "¡ > >(§B)",
		" > $(§B)", " > o`§G`", " > /tmp/o§u", " > //tmp//o", " > o*", "¡ > {a,b}", " > a\\ b", "¡ > $'a\\tb'", " > o# ", " > é", " >/dev/stderr", "¡ > /dev/tcp/h/1", "¡ >&o§u", "¡ &>o§u 2>&1", "¡ >& $x", " >& 2", " > &1", " 1> o§u", " 2>>o§u", " 2>|o§u", " a> o§u", " x2> o§u", " '2'> o§u", " \\2> o§u", " $x> o§u", " 2 > o§u", " 2\\\n> o§u", " >\"o\"'p'", " > -", " > 1", "¡ >&1o", " > o§u < x.go 2>&1", "¡ {x}< x.go", "¡ {v}>&-", " > ${u:-o}", " > $((§a))", "¡ <<<$x", " < $x", " < ~/x", " 99> o", " 1>o§u 2>p§u",
	}},
	{'Y', 2, []string{">o§u", "<x.go", ">&2", "2>o§u", "<<E\n§h\nE", "¡<<<§w", "&", "|§C", ";§C", "#a", "¡&>o§u", "&&§C", "||§C", "\\\n", ">|o§u"}},
	{'D', 3, []string{"sub", "/tmp", "..", "sub/deep", "'d e'", "/", "~", "$HOME", "\"$PWD\"", "sub/../sub", "nodir", "-- sub", "-P sub", "$x", "./sub", "-", "/usr/..", "s*", "sub//deep", "\"$(§B)\"", "sub/", "''", "\"$x/sub\"", "${u:-sub}", "sub\\\n/deep"}},
	{'#', 3, []string{"# c", "#", "# c\\", "# '", "# \"", "# `", "# $(", "#c", "# <<E", "# \\", "# é", "## x", "# c; qz", "# ${x", "# ) }", "# c \\\\"}},
	{'k', 3, []string{"$(§B)", "\"$(§B)\"", "`§G`", "\"`§g`\"", "\"$(§P \"§d\")\"", "$(§P $(§C))", "`§P \\`§C\\``", "$(\n§L\n)", "$( # c\n§C)", "$(§C # c\n)", "\"$(§C §#\n)\"", "$(§H\n)", "$(§C §H)", "\"$(cat <<E\n§h\nE\n)\"", "\"$(cat <<'E'\n§r\nE\n)\"", "$(cat <<E\n§h\nE\n)", "$((§a)) $(§B)", "$( (§C) )", "$((§C) )", "${u:-$(§C)}", "\"${u:-$(§C)}\"", "\"${u:-`§C`}\"", "$(§C)$(§C)", "\"$(§C) $(§C)\"", "$(case x in x) §C;; esac)", "$(if §C; then §C; fi)", "$({ §C; })", "$(§C;)", "$(\\\n§C)", "$\\\n(§C)", "\"$\\\n(§C)\"", "$(x=§u; §P $x)", "$(<x.go)", "$(< \"§d\")", "$(cd sub && §C)", "`§C\n`", "\"`echo \\\"§u\\\"`\"", "$()", "``", "$( )", "¡<(§C | §C)", "¡>(§C > o§u)"}},
	{'X', 2, []string{ // forms other shells read differently, and rare ones
		"§C", "¡echo @(a|b) ; §C", "¡§P !(x)", "¡§P +([a-z])", "§P *(x)", "§P =ls", "§P a*~b", "§P x(N)", "§P ${(U)x}", "§P $+x", "§P ^x", "§P **/", "§P >! o", "§C &| §C", "§C &! §C", "- §C", "noglob §C", "repeat 2 §C", "for i (a b) §C", "§P $x[1]", "§P ${x}[1]", "§P {1..3..}", "§P <->", "§P a#", "§P \\u0041", "§P 'a''b'", "§P $'a' 'b'", "§P x=(a)", "a=b§P §u", "a-b=c §u", "1a=b §u", "a[0]=b §C", "a[1 + 1]=b §C", "'a'=b §u",
		"a\\=b §u", "$x=b §u", "\"a\"=b §u", "a+=b §C", "if=1; §C", "{§P §u;}", "{ §C }", "}", "§P }", "§P {", "§P ]]", "§P [[ a", "! ! §C", "!§P §u", "¡time ! §C", "¡time; §C", "¡! time §C", "¡time -- §C", "¡time -x §C", "¡time §V", "¡coproc §P §u", "¡coproc x { §C; }", "¡coproc x (§C)", "¡coproc x=1 §C", "¡coproc §C > o", "§P\t§u", "§P\v§u", "§P\f§u", "§P\r§u", "§P \u00a0 §u", "§P\u2003§u", "§P§u\\", "§C;\n\n;", "§C\\\n", "§C \\\n", "\\\n§C", "§C;;", "§C |\\\n§C", "§C &\\\n& §C", "§C |\n§#\n§C", "i\\\nf §C; then §C; fi", "if §C; th\\\nen §C; fi", "\\if §u", "'if' §u", "do §u", "§P if then fi", "in §u", "function §u", "esac", "\\{ §u", "x=1 if §u", "§P §u )", "(§C", "§P \"§d", "§P '§u", "§P `§C", "§P $(§C", "§P ${x", "§P §u <<E\n§h", "§P <<E; §C\n§h\nE\n§C", "§P <<E && §C\nE\n§C", "§P <<E <<F\n§h\nE\n§h\nF\n§C", "§P <<E | §P <<F\n§h\nE\n§h\nF", "{ §P <<E; }\n§h\nE", "(§P <<E)\n§h\nE", "if §P <<E; then §C; fi\n§h\nE", "§P $(§P <<E)\n§h\nE", "§P $(§P <<E\n§h\nE)\n§C", "§P \"$(§P <<E)\"\n§h\nE\n", "§P <<E\n§h\nE \n§C\nE", "§P <<E\n§h\n\\E\n§C\nE", "§P <<-E\n\t§h\n\tE\n§C", "§P <<- E\n  E\nE\n§C", "§P <<E#x\n§h\nE#x\n§C", "§P << E\\\nF\n§h\nEF\n§C", "§P <<\"E\\\nF\"\n§h\nEF\n§C", "§P <<$x\n§h\n$x\n§C", "§P <<$(§u)\n§h\n$(a1)\n", "§P <<${x}\na\n${x}\n§C", "§P <<`a`\nb\n`a`\n§C", "§P <<(\n", "§P << \\\nE\n§h\nE\n§C", "§P 3<<E <&3\n§h\nE\n§C",
		"select i in a; do §C; break; done < x.go", "while read x; do §C $x; done <<< \"§d\"", "while read x; do §C $x; done <<E\n§h\nE", "§C | while read x; do §C; done", "until false; do §C; break; done", "while :; do §C; break; done", "for ((i=0;i<2;i++)); do §C $i; done", "for ((i=0;i<2;i++)) { §C; }", "for i; do §C; done", "for i in; do §C; done", "for i in a b; { §C; }", "for i in $(§B); do §C; done", "for i in {1..2}; do §P $i §u; done", "for i in *; do §P $i; done", "for x in a 'b c'; do §P $x \"$x\"; done", "for x in qa qb; do $x §u; done", "case $x in §j) §C;; *) §C; esac", "case \"$(§C)\" in *) §C;; esac", "case x in x) ;; esac; §C", "case x in\n# c )\nx) §C;;\nesac", "case x in x) §C;; # esac\nesac", "case x in x|y) §C;;&\n*) §C;; esac", "case x in x) if §C; then §C; fi;; esac", "case x in if) §C;; x) §C;; esac",
		"§P $(case x in x) §C;; y) esac)", "§P $(case x in\nx) §C\n;;\nesac)", "§P \"$(case a in b) ;; a) §C ;; esac)\"", "§P `case x in x) §C;; esac`", "§P $(case x in esac; §C)", "§P $(for case in a; do §C; done)", "§P $(echo case x in x\\))", "§P $(§P case)", "§P $(§P # )\n)", "§P $(§P ')' §u)", "§P $(§P \")\" §u)", "§P $(§P \\) §u)", "§P $((1)+(2))", "§P $(((1)))", "§P $(( (§C) ))", "§P $((§C); (§C))", "((1)); §C", "((x=1,y=2)); §P $x", "(( 1 )) || §C", "((§C); §C)", "§P $[1+1]", "§P $[$(§C)]", "§P $((16#ff)) $((x?1:2))", "§P $((1)) $(( `§C` ))", "§P $(( \"$(§C)\" ))",
	}},
}
