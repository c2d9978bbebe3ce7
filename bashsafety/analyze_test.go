package bashsafety

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// show writes a Script in one line: subcommands in [], then doubts.
func show(s *Script) string {
	var b strings.Builder
	for i := range s.Subcommands {
		if i > 0 {
			b.WriteByte(' ')
		}
		showSub(&b, &s.Subcommands[i])
	}
	for i := range s.Doubts {
		b.WriteString(" !" + s.Doubts[i].ID)
	}
	return strings.TrimSpace(b.String())
}

func showSub(b *strings.Builder, s *Subcommand) {
	b.WriteByte('[')
	for _, v := range s.Via {
		b.WriteString(v + ">")
	}
	for i := range s.Argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(showWord(&s.Argv[i]))
	}
	for i := range s.Effects {
		if e := &s.Effects[i]; e.Redirect {
			fmt.Fprintf(b, " %s%s", [...]string{Read: "<", Write: ">", Network: "net:"}[e.Kind], strings.ReplaceAll(e.Path, HoleMark, "?"))
		}
	}
	if len(s.Narrow) > 0 {
		b.WriteString(" ~")
	}
	b.WriteByte(']')
}

// showWord writes a known word plainly, a hole as ? (one argument) or ?? (any
// number), a pattern behind %.
func showWord(w *Word) string {
	hole := "?"
	if !w.Single {
		hole = "??"
	}
	t := strings.ReplaceAll(w.Text, HoleMark, hole)
	if w.Glob {
		return "%" + t
	}
	if t == "" || strings.ContainsAny(t, " \n\t") {
		return "'" + t + "'"
	}
	return t
}

func testEnv() Env { return Env{Cwd: "/w", Home: "/home/u"} }

func TestShow(t *testing.T) {
	if os.Getenv("SHOW") != "" {
		data, _ := os.ReadFile(os.Getenv("SHOW"))
		for _, text := range strings.Split(string(data), "\n%%\n") {
			fmt.Printf("%q\n   %s\n", text, show(Analyze(text, testEnv())))
		}
	}
}
