package hosttest

// laxGaps are the calls of TestLaxnessWide that run with permgate and not without it, and should not: each is taken out
// with its fault, for an entry that is not true fails.
var laxGaps = [...]string{
	// what a redirect writes, under the rule of the command
	"narrow: echo x > MADE",
	"narrow: echo x >> MADE",
	"narrow: echo x 2> MADE",
	"narrow: echo x &> MADE",
	"narrow: echo x >| MADE",
	"narrow: echo x >& MADE",
	"narrow: echo x 3> MADE",
	"narrow: > MADE echo x",
	"narrow: echo x <> MADE",
	"narrow: echo x && echo y > MADE",
	"narrow: timeout 5 echo x > MADE",
	"narrow: { echo x; } > MADE",
	"narrow: (echo x) > MADE",
	"narrow: (echo x > MADE)",
	"narrow: for i in 1 2; do echo x; done > MADE",
	"narrow: for i in 1 2; do echo x > MADE; done",
	"narrow: if echo x; then echo y; fi > MADE",
	"narrow: f=MADE; echo x > $f",
	"narrow: f=MADE; echo x > \"$f\"",
	"narrow: echo x > \"$PWD/MADE\"",
	"narrow: echo x > $(echo MADE)",
	"narrow: echo x > {project}/MADE",
	"narrow: echo x > old/../MADE",
	"narrow: echo x > ed/../MADE",
	"narrow: echo x | cat > MADE",
	"narrow: bash -c 'echo x > MADE'",
	"narrow: cat > MADE <<'EOF'\nx\nEOF",
	"narrow: cat >> MADE <<'EOF'\nx\nEOF",
	"narrow: cat <<EOF > MADE\nx\nEOF",
	"narrow: cat <<'EOF' > MADE\nx\nEOF",
	"narrow: cat <<< x > MADE",
	"narrow: cat README.md | sort > MADE",
	"narrow: cat < README.md > MADE 2>&1",
	"narrow: git log --oneline > MADE",
	"narrow: git diff > MADE",
	"narrow: ls -la > MADE",
	"narrow: grep -rn app . > MADE",
	"narrow: sort README.md > MADE",
	"narrow: curl -sS https://unknown-host.example/page > MADE",
	"narrow: npm test > MADE",
	"narrow: npm test 2> MADE",
	"narrow: npm test && echo ok > MADE",
	"narrow: go test ./... > MADE",
	"worktree beside: allowed with a redirect",
	// what the local file of the main checkout denies, or asks about
	// in plan Claude Code asks about what its file tools write, whatever a rule says
	"narrow: Write under the rule",
	// in auto Claude Code asks its classifier
	"narrow: echo x > {temp}/MADE",
	"narrow: npx tsc",
}

// laxOwn are the calls that only run with permgate because it takes the person's own rule for more texts than Claude Code
// does: rules for the command and for the write, or the write spelled in the rule, or nothing that is written.
var laxOwn = [...]string{
	// Claude Code does not look into these
	"narrow: (plugh one)",
	"narrow: { plugh one; }",
	"narrow: plugh one &",
	"narrow: for i in a b; do plugh one $i; done",
	"narrow: plugh one \"$(plugh one)\"",
	"narrow: x=$(plugh one); echo $x",
	"narrow: plugh one {a,b}",
	"narrow: plugh one; echo $?",
	"narrow: find . -name '*.go' -exec cat {} \\;",
	// names that are the same program, and variables that change nothing
	"narrow: /usr/bin/plugh one",
	"narrow: DEBUG=1 plugh one",
	"narrow: PAGER=cat plugh one",
	"narrow: NODE_ENV=\"a b\" plugh one",
	// a rule for a command is one for what it reads
	"narrow: plugh one < {home}/notes/todo.txt",
	// a rule for the file, or for this very text
	"narrow: cat <<EOF > ed/MADE\nx\nEOF",
	"narrow: f=ed/MADE; echo x > $f",
	"narrow: printf exact > exact.txt",
	// loosened: what only reads needs no rule
	"narrow: env plugh one",
	"narrow: set -e; plugh one",
	"narrow: git log --oneline | head -1",
	"narrow: npm test | tail -5",
}
