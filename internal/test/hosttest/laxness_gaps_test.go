package hosttest

// laxGaps are the calls of TestLaxnessWide that run with permgate and not without it, and should not: each is taken out
// with its fault, for an entry that is not true fails.
var laxGaps = [...]string{
	// in plan Claude Code asks about what its file tools write, whatever a rule says
	"narrow: Write under the rule",
	// in auto Claude Code asks its classifier
	"narrow: echo x > {temp}/MADE",
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
	"narrow: plugh one \"t$T\"",
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
