package oracle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// A commandLine is one generated command.
type commandLine struct {
	stdin   string
	argv    []string
	strange bool // it has an option the tables do not list
}

// text is the command line as one would type it.
func (l *commandLine) text() string {
	var b strings.Builder
	for i, w := range l.argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoteWord(w))
	}
	if l.stdin != "/dev/null" {
		b.WriteString(" < " + l.stdin)
	}
	return b.String()
}

func quoteWord(w string) string {
	if w != "" && strings.Trim(w, letters+"-_./,:=+@%") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// A lineMaker makes command lines for one program.
type lineMaker struct {
	r       *rand.Rand
	p       *program
	known   []tableOption
	help    []helpOption
	command *bashsafety.Command
}

func newLineMaker(t testing.TB, c *Cage, p *program, seed uint64) *lineMaker {
	m := &lineMaker{r: rand.New(rand.NewPCG(seed, uint64(len(p.name))<<8|uint64(p.name[0]))), p: p, command: tableOf(p.name)}
	if m.command != nil {
		m.known = optionsOf(m.command)
	}
	m.help = helpOf(t, c, p.name)
	return m
}

func (m *lineMaker) pick(list ...string) string { return list[m.r.IntN(len(list))] }
func (m *lineMaker) one(n int) bool             { return m.r.IntN(n) == 0 }

// line makes one command line.
func (m *lineMaker) line() commandLine {
	l := commandLine{stdin: "/dev/null", argv: []string{m.p.name}}
	if m.one(3) {
		l.stdin = m.pick(append([]string{"a", "nums", "list", "x.diff", "t.tar", "c.txt"}, m.p.stdin...)...)
	}
	var operands []string
	if m.p.words != nil {
		operands = m.p.words(m)
	} else {
		for f := range strings.FieldsSeq(m.pick(m.p.operands...)) {
			operands = append(operands, m.value(f))
		}
	}
	var options []string
	if n := m.r.IntN(4); !m.p.bare {
		for range n {
			options = append(options, m.option(&l)...)
		}
	}
	switch {
	case m.one(5): // options after operands
		l.argv = append(append(l.argv, operands...), options...)
	case m.one(5) && len(operands) > 1:
		l.argv = append(append(append(l.argv, operands[0]), options...), operands[1:]...)
	case m.one(8) && !m.p.bare:
		l.argv = append(append(append(l.argv, options...), "--"), operands...)
	default:
		l.argv = append(append(l.argv, options...), operands...)
	}
	return l
}

// option makes the words of one option, or of a cluster of several.
func (m *lineMaker) option(l *commandLine) []string {
	if len(m.help) == 0 || m.one(7) {
		if len(m.known) == 0 {
			return nil
		}
		o := m.known[m.r.IntN(len(m.known))]
		if slices.Contains(strings.Fields(m.p.avoid), o.name) {
			return nil
		}
		return m.spell(o.name, o.arg, "")
	}
	o := m.help[m.r.IntN(len(m.help))]
	name := o.short
	if name == "" || o.long != "" && m.one(2) {
		name = o.long
	}
	if name == "help" || name == "version" || slices.Contains(strings.Fields(m.p.avoid), name) {
		return nil
	}
	l.strange = l.strange || m.isStrange(name)
	words := m.spell(name, o.arg, o.meta)
	if len(name) == 1 && m.one(3) { // a cluster
		if k := m.help[m.r.IntN(len(m.help))]; k.short != "" && k.arg == commands.NoArg {
			l.strange = l.strange || m.isStrange(k.short)
			words[0] = "-" + k.short + words[0][1:]
		}
	}
	return words
}

// isStrange reports whether the tables do not list an option. An entry that reads all words itself lists none.
func (m *lineMaker) isStrange(name string) bool {
	_, ok := find(m.known, name)
	return !ok && (m.command == nil || m.command.Style&commands.NoOptions == 0)
}

func (m *lineMaker) spell(name string, arg commands.Arg, meta string) []string {
	dash := "--"
	if len(name) == 1 || m.command != nil && m.command.Style&commands.SingleDash != 0 {
		dash = "-"
	}
	value := m.valueOf(name, meta)
	if dash == "--" && m.one(6) && len(name) > 4 {
		name = name[:3+m.r.IntN(len(name)-3)] // an abbreviation
	}
	switch {
	case arg == commands.NoArg, arg == commands.OptArg && m.one(3):
		return []string{dash + name}
	case dash == "-" && (arg == commands.OptArg || m.one(3)):
		return []string{dash + name + value}
	case arg == commands.OptArg || m.one(2):
		return []string{dash + name + "=" + value}
	}
	return []string{dash + name, value}
}

// valueOf makes a value for an option: what the program's list says, what the help calls it, or anything.
func (m *lineMaker) valueOf(name, meta string) string {
	if kind, ok := m.p.values[name]; ok {
		return m.value(m.pick(strings.Fields(kind)...))
	}
	switch meta := strings.ToUpper(meta); {
	case meta == "CONTROL":
		return m.pick("none", "off", "numbered", "t", "existing", "nil", "simple", "never")
	case strings.Contains(meta, "SUF"):
		return m.pick(".bak", "x", "~~", ".1")
	case strings.Contains(meta, "FILE") || meta == "F" || strings.Contains(meta, "ARCHIVE"):
		return m.value("F")
	case strings.Contains(meta, "DIR"):
		return m.value("D")
	case strings.Contains(meta, "MODE"):
		return m.value("M")
	case meta == "WHEN":
		return m.pick("always", "never", "auto")
	case strings.Contains(meta, "NUM") || strings.Contains(meta, "SIZE") || strings.Contains(meta, "BYTES") || meta == "N" || meta == "LIST" ||
		strings.Contains(meta, "COL") || strings.Contains(meta, "WIDTH") || strings.Contains(meta, "LINE") || strings.Contains(meta, "FIELD"):
		return m.value("#")
	case strings.Contains(meta, "PATTERN") || strings.Contains(meta, "RE") || strings.Contains(meta, "GLOB"):
		return m.value("P")
	case strings.Contains(meta, "PROG") || strings.Contains(meta, "COMMAND"):
		return m.pick("./tool", "cat", "gzip", "touch ran")
	}
	return m.value(m.pick("#", "F", "P", "T", "D", "N"))
}

// value makes a word of a kind. What is no kind is the word itself.
func (m *lineMaker) value(kind string) string {
	switch kind {
	case "F": // a file, or nearly
		return m.pick("a", "b", "c.txt", "empty", "sub/s", "new", "dir2/new", "sub/../b", "link", "/w/a", "d e/f g", "nums", "missing/x",
			"dangling", "dirlink/s", "a", "b", "new2", "ro", "dir2/../new3", "./a", "sub")
	case "E": // an existing file
		return m.pick("a", "b", "c.txt", "sub/s", "link", "/w/a", "d e/f g", "nums", "dirlink/s", "list", "empty", "sub/../b")
	case "N":
		return m.pick("new", "dir2/new", "sub/new", "/w/new2", "dirlink/new", "dangling", "sub/deep/../new3", "d e/n", "-")
	case "D":
		return m.pick("sub", "dir2", "dir3", ".", "sub/deep", "dirlink", "/w/dir2", "dir2/", "d e", "..", "/tmp")
	case "X": // anything that has a path
		return m.value(m.pick("F", "E", "N", "D"))
	case "#":
		return m.pick("1", "2", "3", "10", "0", "+2", "-1", "1K", "4", "7")
	case "P":
		return m.pick("alpha", "a", "^b", ".*", "[0-9]", "*", "*.txt", "foo|bar", "")
	case "M":
		return m.pick("600", "u+x", "a-w", "755", "go=", "+r", "=rw", "-x", "0")
	case "T":
		return m.pick("x", "%s", "a b", ":", "alpha", "none", "all", "1,2")
	case "O":
		return m.pick("64999", ":64999", "64999:64999", "0", "root", ":")
	case "A":
		return m.pick("t.tar", "t.tgz", "new.tar", "a", "z.zip")
	case "Z":
		return m.pick("m.gz", "m.bz2", "m.xz", "m.zst", "m.lzma", "a", "c.txt", "t.tgz", "sub/s", "link", "d e/f g", "missing", "sub", "a~",
			"dir2/a", "./c.txt")
	case "G":
		return m.pick("o.o", "o.o", "l.a", "aa", "a", "new.o")
	case "Q": // a patch
		return m.pick("x.diff", "two.diff", "bad.diff")
	}
	return kind
}

// shorter yields the line with one option or operand less, for each that can go.
func (l *commandLine) shorter() []commandLine {
	var out []commandLine
	for i := range l.argv[1:] {
		k := *l
		k.argv = slices.Delete(slices.Clone(l.argv), i+1, i+2)
		out = append(out, k)
	}
	if l.stdin != "/dev/null" {
		k := *l
		k.stdin = "/dev/null"
		out = append(out, k)
	}
	return out
}
