package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// envCommands is env, of which one option rewrites the words behind it.
var envCommands = []Command{
	{
		Names: "env genv", Title: "runs with another environment",
		Flags: "-0iv null ignore-environment debug list-signal-handling help version", Values: "-uLU unset argv0 -a",
		OptValues: "block-signal default-signal ignore-signal",
		Opts:      []Opt{{"-C chdir", HasArg, 0}, {"-S split-string", HasArg, 0}, {"-P", HasArg, Unsafe}}, Style: StopAtOperand, ReadOnly: true,
		Special: &Special{rewrite: envSplits}, refine: refineEnv,
	},
}

// refineEnv is env [options] [NAME=value]... [command].
func refineEnv(c *Invocation) {
	in := Inner{Kind: InnerArgv, Via: "env"}
	if o := c.Option("C", "chdir"); o != nil {
		in.Dir = &o.Value
	}
	argv := c.rest(0)
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "-" {
		argv = argv[1:]
	}
	if in.Assigns, in.Argv = leadingAssigns(argv); len(in.Argv) > 0 {
		c.runs(in)
		return
	}
	c.Disprove(printsEnvironment)
}

// envSplits puts what -S splits its value into in the place of the option; the
// words behind it stay, and env reads all of them from there, options among them.
func envSplits(c *Command, argv []shell.Word) []shell.Word {
	from := 1
	for n := 0; n < MaxStrip; n++ {
		a := parseArgs(argv, from, c.Style, []*Command{c})
		var split *Used
		for i := range a.Opts {
			if o := &a.Opts[i]; o.Name == "S" || o.Name == "split-string" {
				split = o
				break
			}
		}
		if split == nil {
			return argv
		}
		next := split.at + 1
		if split.Given && !attachedTo(&argv[split.at], split) {
			next++
		}
		words := append(argv[:split.at:split.at], withoutSplit(&argv[split.at], split.Name)...)
		from = len(words)
		if !split.Given {
			return append(words, shell.Hole("", &argv[0]))
		}
		words = append(words, envSplit(&split.Value)...)
		argv = append(words, argv[min(next, len(argv)):]...)
	}
	return append(argv[:1:1], shell.Hole("", &argv[0]))
}

// attachedTo reports whether the value of an option is in the word that names it.
func attachedTo(w *shell.Word, u *Used) bool {
	if u.Name == "S" {
		return strings.IndexByte(w.Text, 'S')+1 < len(w.Text)
	}
	return strings.Contains(w.Text, "=")
}

// withoutSplit is what a run of letters holds before its S: -vS is -v.
func withoutSplit(w *shell.Word, name string) []shell.Word {
	at := strings.IndexByte(w.Text, 'S')
	if name != "S" || at < 2 {
		return nil
	}
	return []shell.Word{shell.Literal(w.Text[:at], w)}
}

// An envSplitter takes the value of -S apart.
type envSplitter struct {
	words []shell.Word
	at    *shell.Word
	text  string
	i     int
	quote byte // the quotes that are open, 0 for none
	b     strings.Builder
	in    bool // a word has begun
	known bool
	ended bool // a comment, or \c
}

func (s *envSplitter) flush() {
	if s.in {
		v := shell.Literal(s.b.String(), s.at)
		if !s.known { // a variable that is not set makes no word, one that is empty does
			v.Known, v.Single, v.Quoted = false, false, false
		}
		s.words = append(s.words, v)
	}
	s.in, s.known = false, true
	s.b.Reset()
}

func (s *envSplitter) add(c byte) {
	s.in = true
	s.b.WriteByte(c)
}

func (s *envSplitter) open() {
	s.in, s.known = true, false
	s.b.WriteString(shell.HoleMark)
}

// envEscapes are the letters behind a backslash that stand for one character.
const envEscapes = "f\fn\nr\rt\tv\v"

// envSplit splits as env -S does: blanks separate, quotes and backslashes
// protect, # starts a comment, ${NAME} is one value. Of a text that is not known
// the words before the unknown part are certain, and any may follow.
func envSplit(w *shell.Word) []shell.Word {
	if w.Glob {
		return []shell.Word{shell.Hole("", w)}
	}
	text, rest, open := strings.Cut(w.Text, shell.HoleMark)
	s := envSplitter{at: w, text: text, known: true}
	for s.i < len(text) {
		if s.next(); s.ended {
			return s.words
		}
		s.i++
	}
	if open || !w.Known {
		s.open()
		if strings.Trim(rest, shell.HoleMark) != "" { // other words may follow
			s.b.WriteString(shell.HoleMark)
		}
	}
	s.flush()
	return s.words
}

// next reads one character, or one that is escaped.
func (s *envSplitter) next() {
	switch c := s.text[s.i]; c {
	case '\'', '"':
		s.quotes(c)
	case ' ', '\t', '\n', '\v', '\f', '\r':
		if s.quote == 0 {
			s.flush()
		} else {
			s.add(c)
		}
	case '#':
		if s.ended = !s.in; s.in {
			s.add(c)
		}
	case '\\':
		s.escaped()
	case '$':
		if s.quote == '\'' {
			s.add(c)
			return
		}
		s.open()
		if end := strings.IndexByte(s.text[s.i:], '}'); end >= 0 {
			s.i += end
		}
	default:
		s.add(c)
	}
}

// quotes opens or closes quotes; those of the other kind are a character.
func (s *envSplitter) quotes(c byte) {
	if s.quote != 0 && s.quote != c {
		s.add(c)
		return
	}
	if s.in = true; s.quote == c {
		s.quote = 0
	} else {
		s.quote = c
	}
}

// escaped reads what stands behind a backslash; in single quotes it protects a
// quote and itself only.
func (s *envSplitter) escaped() {
	if s.i+1 == len(s.text) || s.quote == '\'' && strings.IndexByte(`\'`, s.text[s.i+1]) < 0 {
		s.add('\\')
		return
	}
	s.i++
	switch c := s.text[s.i]; c {
	case 'c', '_':
		s.separates(c)
	default:
		if e := strings.IndexByte(envEscapes, c); e >= 0 && e%2 == 0 && s.quote != '\'' {
			c = envEscapes[e+1]
		}
		s.add(c)
	}
}

// separates reads \_, a blank, and \c, which ends the text; in quotes the one is a
// blank in the word and the other a letter.
func (s *envSplitter) separates(c byte) {
	switch {
	case s.quote == 0:
		s.flush()
		s.ended = c == 'c'
	case c == '_':
		s.add(' ')
	default:
		s.add(c)
	}
}
