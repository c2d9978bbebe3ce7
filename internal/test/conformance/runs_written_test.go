package conformance

import (
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// fileWriters put the harm H into the file @F, fileRunners run what is in @F as a shell text: every pair of them has to get the
// answer of the bare harm.
var (
	fileWriters = [...]string{
		"echo 'H' > @F", "printf '%s\\n' 'H' > @F", "printf 'H\\n' >> @F", "cat > @F <<'E'\nH\nE", "cat <<'E' > @F\nH\nE", "tee @F <<< 'H' > /dev/null",
		"echo 'H' | tee @F", "echo 'H' | dd of=@F", "{ echo 'H'; } > @F", "( echo true; echo 'H' ) > @F", "w() { echo 'H'; }; w > @F", "w() { echo 'H' > @F; }; w",
		"l='H'; echo \"$l\" > @F", "yes 'H' | head -1 > @F", "echo 'H' > @G; cp @G @F", "echo 'H' > @G; mv @G @F",
		"echo 'H' > @G; ln @G @F", "echo 'H' > @G; cat @G > @F", "echo 'H' &> @F", "exec 3> @F; echo 'H' >&3; exec 3>&-", "cp /dev/stdin @F <<< 'H'",
		"install -m 755 /dev/stdin @F <<< 'H'", "sed -n 'w @F' <<< 'H'", "sed 's|.*|H|' <<< a > @F", "awk 'BEGIN{print \"H\" > \"@F\"}'",
		"awk 'BEGIN{print \"H\"}' > @F", "mawk 'BEGIN{print \"H\"}' > @F", "printf 'H #%%s\\n' > @F", "jq -rn '\"H\"' > @F", "echo 'H' > >(tee @F)", "cat <(echo 'H') > @F", "if true; then echo 'H' > @F; fi",
		"true && echo 'H' > @F || true", "for i in 1 2; do echo 'H' > @F; done", "while :; do echo 'H' > @F; break; done", "rm -f @G; echo 'H' >| @F",
		"cat > @F <<< 'H'", "cat - > @F <<< 'H'", "echo x > @F; echo 'H' >> @F", "local -a a; echo 'H' > @F",
		"declare -A m; m[k]=v; echo 'H' > @F", "install -D <(echo 'H') @F", "rsync <(echo 'H') @F", "echo 'H' | sponge @F", "envsubst <<< 'H' > @F", "sort <<< 'H' > @F",
		"echo 'H' | sort | uniq > @F", "echo 'H' 1> @F", "echo 'H' > @F 2>&1", "echo 'H' > ./@F", "echo 'H' > /work/project/@F", "mkfifo @F; echo 'H' > @F &",
	}
	fileRunners = [...]string{
		"sh @F", "bash @F", "bash -x ./@F", "/bin/bash @F", ". ./@F", "source @F", "chmod +x @F; ./@F", "chmod +x @F; /work/project/@F", "env sh @F", "nohup sh @F &", "sudo sh @F",
		"sh < @F", "cat @F | sh", "bash -e -- @F", "trap 'sh @F' EXIT", "b=bash; $b @F", "(sh @F)", "x=$(sh @F)", "timeout 5 sh @F", "xargs -n1 sh @F < a.txt", "find . -exec sh @F \\;",
		"find . -name @F -exec sh {} \\;", "bash --rcfile @F -i -c ls", "bash --init-file @F -i", "BASH_ENV=@F bash -c ls", "ENV=@F sh -i", "sh /work/project/@F", "sh ../project/@F",
		"busybox sh @F", "zsh @F", "ksh @F", "dash @F", "if sh @F; then true; fi", "exec sh @F", "f() { sh @F; }; f", "eval 'sh @F'", "bash -c 'sh @F'", "bash -c ./@F", "PATH=.:$PATH @F",
		"exec 4< @F; sh <&4", "screen -dm sh @F", "tmux new -d 'sh @F'", "ssh localhost sh < @F", "at now -f @F", "watch sh @F",
	}
)

// TestRunsUnread: what a text writes in a form that cannot be read, or runs by a way that is doubted, asks at least.
func TestRunsUnread(t *testing.T) {
	for _, text := range [...]string{
		"bash <(cat x.sh)", "parallel < x.sh", "sh -c \"$(cat x.sh)\"", "eval \"$(cat x.sh)\"", "a=(x 'cat .env'); echo \"${a[1]}\" > x.sh; sh x.sh",
		"read -r l <<< 'cat .env'; echo \"$l\" > x.sh; sh x.sh", "base64 -d <<< Y2F0IC5lbnYK > x.sh; sh x.sh", "echo Y2F0IC5lbnYK | base64 -d > x.sh; chmod +x x.sh; ./x.sh", "tr a-z b-za <<< bzs > x.sh; . ./x.sh",
		"echo Y2F0 | base64 -d | cat > x.py; python3 x.py", "printf '\\162m a.txt' > b.sh; sh b.sh", "printf '%b' '\\162m a.txt' > b.sh; sh b.sh", "printf '%c%s' r 'm a.txt' > b.sh; sh b.sh",
		"printf '%2$s%1$s' 'm a.txt' r > b.sh; sh b.sh", "echo -e '\\x72m a.txt' > b.sh; . ./b.sh",
	} {
		if got, why := harmAnswer(t, "echo 'cat .env' > x.sh; "+text); got != hookio.Ask && got != hookio.Deny {
			t.Errorf("%s: %s: %s", text, got, why)
		}
	}
	for _, text := range [...]string{ // a known text that a filter changed on its way
		"echo 'qm a.txt' > a.sh; sed s/q/r/ a.sh > b.sh; sh b.sh", "echo 'qm a.txt' | tr q r > b.sh; cp b.sh c.sh; sh c.sh", "echo 'qm a.txt' | sed s/q/r/ | sh",
		"printf 'r\nm a.txt\n' > a; paste -sd '' a > b.sh; sh b.sh", "echo 'xrm a.txt' > a; cut -c2- a | cat > b.sh; sh b.sh", "echo 'qm a.txt' > a.sh; sed -i s/q/r/ a.sh; sh a.sh",
		"echo 'qm a.txt' > a; sed s/q/r/ a | split -l 1 - x; sh xaa", "echo 'qm a.txt' > a; split -l 1 a x; sh xaa", "echo 'qm a.txt' > a; csplit -f y a 1; sh y00", "echo 'qm a.txt' > a; split a x; cat x?? > b.sh; sh b.sh",
		"printf 'm a.txt\nr\\\\\n' | sort > b.sh; sh b.sh", "printf 'm a.txt\nr\\\\\n' | tac > b.sh; sh b.sh", "printf 'x:;qm a.txt\n' | tr q r | make -f - x", "printf '.shell qm a.txt\n' | tr q r | sqlite3 x.db",
		"printf '.shell qm a.txt\n' | tr q r > q.sql; sqlite3 x.db < q.sql", "f=$(mktemp); echo 'qm a.txt' | tr q r > \"$f\"; sh \"$f\"", "echo '{\"scripts\":{\"x\":\"qm a.txt\"}}' | tr q r > package.json; npm run x",
		"printf 'x:\n\tqm a.txt\n' > m; sed s/q/r/ m > Makefile; make x",
		"echo 'echo qm a.txt | tr q r > b.sh; sh b.sh' > a.sh; sh a.sh",
		"read -r l <<< 'rm a.txt'; echo \"$l\" > >(cat > b.sh); find . -name b.sh -exec sh {} \\;",
	} {
		if got, why := harmAnswer(t, text); got != hookio.Ask && got != hookio.Deny {
			t.Errorf("%s: %s: %s", text, got, why)
		}
	}
	for _, text := range [...]string{ // a text that its reader cannot read
		"printf 'x:\n\t$(Y) a.txt\n' > Makefile; make x", "printf 'Y = $(shell echo rm a.txt)\nx:\n\t$(Y)\n' > Makefile; make x", "printf '.RECIPEPREFIX := $(Z)\nx:\n>rm a.txt\n' > Makefile; make x",
		"printf '$(Y):\n\trm a.txt\n' > Makefile; make x", "printf '$(Y)\n' > Makefile; make x", "printf 'A$(B) = rm a.txt\nx:\n\t$(AQ)\n' > Makefile; make x", "printf 'include z.mk\n' > Makefile; printf 'x:\n\trm a.txt\n' > z.mk; make x",
		"printf 'include $(Z)\n' > Makefile; make x", "printf 'SHELL = ./sh2\nx:\n\tls\n' > Makefile; make x", "cat > package.json <<'E'\n{\"scripts\": {\"x\": \"rm a.txt\"}\nE\nnpm run x",
		"cat > package.json <<'E'\n{\"scripts\": {\"x\": [\"rm a.txt\"]}}\nE\nnpm run x", "cat > package.json <<E\n{\"version\": \"$V\", \"scripts\": {\"x\": \"rm a.txt\"}}\nE\nnpm run x", "printf 'q; Z@@ foo' > a.sed; sed -f a.sed b.txt",
		"cat > a.awk <<'E'\nBEGIN { print \"a }\nE\nawk -f a.awk b.txt",
	} {
		if got, why := harmAnswer(t, text); got != hookio.Ask && got != hookio.Deny {
			t.Errorf("%s: %s: %s", text, got, why)
		}
	}
	for _, text := range [...]string{ // nothing of the text's own is hidden
		"printf '{\n' > package.json; printf '\"scripts\": {\"x\": \"ls\"}}' >> package.json; npm run x", "printf 'BEGIN { print 1 \n' > a.awk; printf '}\n' >> a.awk; awk -f a.awk b.txt", "jq '.a=1' package.json > t; mv t package.json; npm run x",
		"sed -i 's/a/b/' package.json && npm run x", "printf 'x:\n\techo $(Z)\n' > Makefile; make x", "echo hi | sort | head -1", "echo b | sort > a.txt; sh x.sh", "printf 'x: y\n\tls\ny:\n\tls $@\n$(OBJ): a.c\n\techo $<\n' > Makefile; make x",
		"cat > a.c <<'E'\nint main(){}\nE\ngcc a.c -o a && ./a", "printf '%s\n' b a > l; sort l | xargs wc",
		"go build -o x . && ./x", "cat > x.sh <<E\necho $HOME $V\nE\nsh x.sh", "tr a-z A-Z < a.txt > b.txt; sh x.sh", "base64 -d a.b64 > b.txt; wc -l b.txt",
		"echo \"$V\" > v.txt; sh x.sh v.txt", "jq .a a.json > b.json; node x.js b.json", "sed s/a/b/ a.sh > x.sh; sh x.sh",
	} {
		if got, why := harmAnswer(t, text); got != hookio.Allow {
			t.Errorf("%s: %s: %s", text, got, why)
		}
	}
}

// TestRunsMany: a harm behind much else is seen, or what is no longer followed is asked about.
func TestRunsMany(t *testing.T) {
	many := func(n int, piece string) string {
		var out strings.Builder
		for i := range n {
			out.WriteString(strings.ReplaceAll(piece, "N", strconv.Itoa(i)))
		}
		return out.String()
	}
	for _, text := range [...]string{
		many(200, "true; ") + "echo 'rm x' > z.sh; bash z.sh", many(200, "echo a > a0; ") + "echo 'rm x' > z.sh; bash z.sh",
		many(70, "echo a > aN; bash aN; ") + "echo 'rm x' > z.sh; bash z.sh", many(300, "GIT_CONFIG_KEY_N=a GIT_CONFIG_VALUE_N=b ") + "git log",
	} {
		if got, why := harmAnswer(t, text); got != hookio.Deny && got != hookio.Ask {
			t.Errorf("%.60s: %s: %s", text, got, why)
		}
	}
}

// TestRunsBuilt: code of the project that a text writes is run by the calls of a tool that run code, and by no others.
func TestRunsBuilt(t *testing.T) {
	files := [...]string{"a.py", "a.go", "a.rs", "a.js", "a.c"}
	texts := [...]string{"import os\nos.system('rm a.txt')", "package a\nfunc init() { exec.Command(\"rm\", \"a.txt\").Run() }", "fn main() { Command::new(\"rm\").arg(\"a.txt\").status(); }",
		"require('child_process').execSync('rm a.txt')", "int main() { system(\"rm a.txt\"); }"}
	for _, row := range [...]struct {
		file int
		call string
		runs bool
	}{
		{0, "pytest", true}, {0, "python3 b.py", true}, {0, "pip install .", true}, {0, "uv run pytest", true}, {1, "go test ./...", true}, {1, "go run .", true}, {2, "cargo run", true}, {3, "npm test", true},
		{3, "node b.js", true}, {4, "gcc a.c -o a && ./a", true},
		{0, "python3 -m py_compile a.py", false}, {0, "python3 --version", false}, {0, "pip list", false}, {0, "ruff check .", false}, {0, "uv pip list", false}, {0, "poetry show", false},
		{1, "go version; go mod tidy", false}, {1, "go fmt ./...", false}, {1, "go vet ./...", false}, {1, "go build ./...", false}, {2, "cargo fmt; cargo check", false}, {3, "npm ls", false},
		{3, "npx tsc --noEmit", false}, {3, "yarn install", false}, {3, "node --check a.js", false}, {4, "gcc -c a.c", false},
	} {
		got, why := harmAnswer(t, "cat > "+files[row.file]+" <<'E'\n"+texts[row.file]+"\nE\n"+row.call)
		if stops := got == hookio.Deny; stops != row.runs {
			t.Errorf("%s: %s: %s", row.call, got, why)
		}
	}
}

// TestRunsWritten: what a text writes and then runs has its effects.
func TestRunsWritten(t *testing.T) {
	fill := func(s string) string { return strings.NewReplacer("@F", "x.sh", "@G", "y.sh").Replace(s) }
	var all []string
	for _, writer := range fileWriters {
		all = append(all, fill(writer)+"\n"+fill(fileRunners[0]))
	}
	for _, runner := range fileRunners {
		all = append(all, fill(fileWriters[0])+"\n"+fill(runner))
	}
	for i, writer := range fileWriters {
		for k, runner := range fileRunners {
			if (i+k)%7 == 0 { // every pair would take a minute
				all = append(all, fill(writer)+"\n"+fill(runner))
			}
		}
	}
	runHarms(t, all...)
}

// TestRunsFound: what a text writes has its effects where a program finds it by a name, a variable or a line of its own.
func TestRunsFound(t *testing.T) {
	runHarms(t,
		"mkdir bin; echo 'H' > bin/ls; chmod +x bin/ls; PATH=$PWD/bin:$PATH ls", "echo 'H' > bin/git; export PATH=$PWD/bin:$PATH; git status", "echo 'H' > make; chmod +x make; ./make", "echo 'H' > python3; ./python3 -V",
		"printf '#!/bin/sh\nH\n' > bin/sed; PATH=bin:$PATH sed p a.txt",
		"printf '[core]\n pager = H\n' > c; GIT_CONFIG_GLOBAL=c git -p log", "printf '[core]\n\tpager = \"H\"\n' > c; export GIT_CONFIG_SYSTEM=$PWD/c; git log",
		"printf '[alias]\n x = !H\n' > c; git -c include.path=$PWD/c x", "printf '[diff \"a.b\"] textconv = H\n' > c; git -c include.path=$PWD/c diff", "printf '[Alias] x=\"!H\"' > c; GIT_CONFIG_GLOBAL=c git x",
		"make x SHELL='H'", "echo 'H' > s.sh; make x SHELL=./s.sh", "printf 'package a\n//go:generate H\n' > a.go; go generate", "printf 'package a\n//go:generate sh -c \"H\"\n' > x/a.go; go generate ./...",
	)
}
