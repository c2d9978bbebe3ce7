package commands

import (
	_ "embed" // of the variables
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// envCommands is env, of which one option rewrites the words after it.
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
// words after it stay, and env reads all of them from there, options among them.
func envSplits(c *Command, argv []shell.Word) []shell.Word {
	from := 1
	for n := 0; n < MaxStrip; n++ {
		a := parseArgs(argv, from, c.Style, []*Command{c})
		var split *Used
		for o := range a.options() {
			if o.Name == "S" || o.Name == "split-string" {
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
	plain bool // $ is a letter
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

// envEscapes are the letters after a backslash that stand for one character.
const envEscapes = "f\fn\nr\rt\tv\v"

// envSplit splits as env -S does: blanks separate, quotes and backslashes protect, # comments,
// ${NAME} is one value. After an unknown part any words may follow.
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

// splitWords splits a text that is known at blanks, with quotes and backslashes.
func splitWords(text string, at *shell.Word) []shell.Word {
	s := envSplitter{at: at, text: text, known: true, plain: true}
	for ; s.i < len(text) && !s.ended; s.i++ {
		s.next()
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
		if s.quote == '\'' || s.plain {
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

// escaped reads what follows a backslash; in single quotes only \' and \\ are escapes.
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

// Inert reports whether a variable in front of a command changes nothing about
// what the command runs, reads or writes.
func Inert(name string) bool {
	const inert = "NODE_ENV CI LANG TZ NO_COLOR FORCE_COLOR GOOS GOARCH CGO_ENABLED RUST_BACKTRACE RUST_LOG " +
		"PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE DEBUG TERM"
	return shell.Among(inert, name) || strings.HasPrefix(name, "LC_")
}

// Steers reports whether a variable that is set without being exported still
// reaches programs or the shell, because shells usually start with it.
func Steers(name string) bool {
	if shell.Among(steering, name) {
		return true
	}
	for p := range strings.FieldsSeq(steeringPrefixes) {
		if strings.HasPrefix(name, p) {
			return !Inert(name)
		}
	}
	return endsWithAny(name, "PAGER", "EDITOR", "_proxy", "_PROXY")
}

// steering are the variables of steers, steeringPrefixes what the names of further
// ones start with. Those from path on are zsh's, see tied.
const (
	steering = "PATH HOME IFS BASH_ENV ENV PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS CDPATH SHELL ZDOTDIR " +
		"NODE_OPTIONS JAVA_TOOL_OPTIONS MAKEFLAGS MAKEFILES GOFLAGS TAR_OPTIONS RIPGREP_CONFIG_PATH VIMINIT " +
		"EXINIT GLOBIGNORE FPATH TMPDIR BROWSER VISUAL PWD OLDPWD POSIXLY_CORRECT TMP TEMP HISTFILE EXECIGNORE " +
		"BASH_COMPAT BASH_LOADABLES_PATH path fpath cdpath module_path MODULE_PATH manpath mailpath TMPPREFIX"
	steeringPrefixes = "LD_ DYLD_ GIT_ XDG_ LESS PYTHON PERL5 RUBY RUSTC npm_config_ NPM_CONFIG_ CARGO_ SSH_ " +
		"BASH_FUNC_ DOCKER_ KUBE AWS_"
)

// ProgramVar reports whether programs find code, configuration or another
// machine by a variable, so that people export it. Names that scripts use for
// themselves (S, db, tmp, VERSION) are in no table.
func ProgramVar(name string) bool {
	if len(name) < 2 || name[0] >= 'a' && name[0] <= 'z' {
		return false // the lower case ones are among steers
	}
	head, rest, ok := strings.Cut(strings.TrimLeft(name, "_"), "_")
	own := ok && !noted(rest) || head == "PYENV" || head == "RBENV"
	return own && shell.HasLine(programVars, head+"_") || !strings.HasSuffix(name, "_") && shell.HasLine(programVars, name)
}

// noted reports whether the rest of a name is what scripts note about a program
// for themselves: NODE_VERSION=$(node -v).
func noted(rest string) bool { return rest == "VERSION" || rest == "PID" || rest == "COUNT" }

// programVars has a line for each name; what ends in an underscore is the start of names, up to their first one.
//
//go:embed program_vars.txt
var programVars string

// CodeVars are the variables whose value the shell runs, or takes for the
// program a name means.
var CodeVars = [...]string{"PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV", "BASH_CMDS", "BASH_ALIASES"}

// RunsCode reports one of CodeVars, or a function in the environment.
func RunsCode(name string) bool {
	return slices.Contains(CodeVars[:], name) || strings.HasPrefix(name, "BASH_FUNC_")
}
