package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineShell finds the program of a shell: -c text, a script, standard input.
// Options are read as bash reads them: +x as well as -x, -o and -O with a
// value of their own, and the text of -c after all options.
func refineShell(c *Invocation) {
	name := ProgramName(c.Argv)
	s := shellArgs{c: c, i: 1}
	for s.i < len(c.Argv) && s.option() {
	}
	if s.doubt {
		try := "write the options out"
		if s.noexec {
			try = "put -- before the files"
		}
		c.doubt("unknown-program-text", "a word only known at run time could be -c; "+try, &c.Argv[0])
		return
	}
	switch rest := c.Argv[s.i:]; {
	case s.info:
	case s.command && len(rest) > 0:
		c.runs(Inner{Kind: InnerText, Via: name + " -c", Text: c.foreign(rest[0])})
	case s.command: // without a text it is an error, which other shells may take otherwise
		c.disproveIf(ForeignShell(name))
	case s.given:
	case s.stdin || len(rest) == 0 || standardInput(&rest[0]):
		c.runs(Inner{Kind: InnerStdin, Via: name})
	case rest[0].Pipe:
		c.doubt("unknown-program-text", "the script is the output of another command; write it out", &rest[0])
	case s.noexec && !s.unsure:
		c.touch(shell.Read, &rest[0], false)
	default:
		c.execute(&rest[0])
	}
}

type shellArgs struct {
	c *Invocation
	i int

	command, stdin, noexec, info, doubt bool

	given  bool // the text of -c was read
	unsure bool // another option may take -n back
}

// option reads one option; false when the options are over.
func (s *shellArgs) option() bool {
	w := &s.c.Argv[s.i]
	lit := shell.LiteralPrefix(w)
	if !w.Known && (lit == "" || lit[0] == '-') {
		s.unknown(w, lit)
		return false
	}
	switch {
	case lit == "--" || lit == "-":
		s.i++
		return false
	case len(lit) < 2 || lit[0] != '-' && lit[0] != '+':
		return false
	case strings.HasPrefix(lit, "--"):
		s.long(lit[2:])
		return true
	}
	if !s.shortForeign(lit) {
		s.i++
		s.letters(lit, w)
	}
	return true
}

// unknown reads a word that could be an option: alone and in one piece it is a script.
func (s *shellArgs) unknown(w *shell.Word, lit string) {
	s.doubt = lit != "" || !w.Single
	if lit == "" && w.Single && s.i+1 < len(s.c.Argv) && !s.command {
		s.c.Narrow("a word only known at run time could be -c")
	}
}

// parsesOne reports whether a command is a shell with -n and nothing else: the one word that
// follows is a file that is parsed, or an option without what it needs to run anything.
func parsesOne(argv []shell.Word) bool {
	return len(argv) == 2 && shell.AllKnown(argv) && IsShell(argv[0].Text) && argv[1].Text == "-n"
}

// letters reads a cluster of one-letter options.
func (s *shellArgs) letters(lit string, w *shell.Word) {
	on := lit[0] == '-'
	if letters(lit, '-', "kHP") || letters(lit, '+', "B") {
		s.rereads(lit, w)
	}
	s.command = s.command || on && strings.Contains(lit, "c")
	s.stdin = s.stdin || on && strings.Contains(lit, "s")
	s.noexec = s.noexec || on && strings.Contains(lit, "n")
	s.unsure = s.unsure || !on || strings.ContainsAny(lit, "io") // +n, and -n of an interactive shell
	for range strings.Count(lit, "o") + strings.Count(lit, "O") {
		s.named(on)
	}
}

// named reads the name of the option that follows -o or -O.
func (s *shellArgs) named(on bool) {
	if s.i >= len(s.c.Argv) || strings.HasPrefix(shell.LiteralPrefix(&s.c.Argv[s.i]), "-") {
		return
	}
	if value := &s.c.Argv[s.i]; !value.Known || s.loud(value.Text, on) {
		s.rereads(value.Text, value)
	}
	s.i++
}

// loud reports whether an option of -o or -O changes how the text is read. Those
// of zsh are others; the patterns of extglob are always doubts.
func (s *shellArgs) loud(option string, on bool) bool {
	if ProgramName(s.c.Argv) == "zsh" {
		return rereads(option) && option != "extglob"
	}
	return !quietOption(option, on) && option != "extglob"
}

// shortForeign reads an option of a shell of another family whose value is a
// text: they may be given several times, and options may follow.
func (s *shellArgs) shortForeign(lit string) bool {
	argv, name := s.c.Argv, ProgramName(s.c.Argv)
	if !ForeignShell(name) || strings.HasPrefix(lit, "--") {
		return false
	}
	letters := "c"
	switch TableName(name) {
	case "fish":
		letters = "cC"
	case "nu":
		letters = "ce"
	case "elvish":
		if lit == "-rc" || lit == "-norc" {
			s.i++
			if s.i < len(argv) && lit == "-rc" {
				s.loads("rc")
			}
			return true
		}
	}
	at := strings.IndexAny(lit, letters)
	if at < 1 {
		return false
	}
	s.i++
	value := shell.Suffix(&argv[s.i-1], at+1)
	switch {
	case value.Text != "" && TableName(name) != "csh" && TableName(name) != "tcsh":
	case s.i < len(argv):
		value = argv[s.i]
		s.i++
	default:
		s.command = true
		return true
	}
	s.runs(lit[at:at+1], value)
	return true
}

// runs adds a text that an option holds.
func (s *shellArgs) runs(letter string, text shell.Word) {
	if letter == "c" {
		s.given = true
	}
	s.c.runs(Inner{Kind: InnerText, Via: ProgramName(s.c.Argv) + " -" + letter, Text: s.c.foreign(text)})
}

// loads reads the next word as a file that is run first.
func (s *shellArgs) loads(option string) {
	s.c.touch(shell.Read, &s.c.Argv[s.i], false)
	s.c.Narrow("--" + option + " runs a file")
	s.i++
}

// rereads doubts an option under which the text is read in another way.
func (s *shellArgs) rereads(option string, at *shell.Word) {
	option = strings.ReplaceAll(option, shell.HoleMark, "?")
	s.c.doubt("shell-option", option+" may change how the code is read; leave it as it is", at)
}

// long reads a long option.
func (s *shellArgs) long(name string) {
	at := s.i
	s.i++
	name, _, attached := strings.Cut(name, "=")
	value := func() *shell.Word {
		if attached {
			return new(shell.Suffix(&s.c.Argv[at], len(name)+3))
		}
		if s.i < len(s.c.Argv) {
			s.i++
			return &s.c.Argv[s.i-1]
		}
		return &shell.Word{}
	}
	switch name {
	case "rcfile", "init-file", "rc", "config", "env-config", "plugin-config", "plugins":
		s.c.touch(shell.Read, value(), false)
		s.c.Narrow("--" + name + " runs a file")
	case "profile", "profile-startup", "debug-output":
		if ForeignShell(ProgramName(s.c.Argv)) {
			s.c.writeExtra(value())
		}
	case "init-command":
		s.runs("C", *value())
	case "execute":
		s.runs("e", *value())
	case "command", "commands":
		s.runs("c", *value())
	case "no-execute":
		s.noexec = true
	case "version", "help", "dump-strings", "dump-po-strings":
		s.info = true
	case "norc", "noprofile", "posix":
	default:
		s.unsure = true // zsh's --exec
	}
}

// shellCommands are the shells, those of sh and those of other families. Only these read their
// texts; what sh would read alike is read, everything else is a doubt.
var shellCommands = []Command{
	{
		Names: "bash sh dash zsh ksh mksh ash rbash yash ksh93 pdksh oksh loksh lksh posh osh bosh hush mrsh brush sash", Forms: []Form{{"=bosh", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsFile}},
		Title: "runs shell text", Style: NoOptions, ReadOnly: true, // except for what it runs
		refine: refineShell,
	},
	{
		Names: "fish csh tcsh nu elvish xonsh rc es ysh ion murex ngs oil",
		Title: "runs text of a shell of its own", Style: NoOptions, ReadsSome: true, refine: refineShell,
	},
	{Names: "cmd", Title: "runs text of the shell of Windows", Style: NoOptions, refine: refineCmd},
	{Names: "pwsh powershell", Title: "runs PowerShell", Style: NoOptions, refine: refinePwsh, InfoFlags: "-Version --version -v -Help -h -?"},
}

// ForeignShell reports whether a shell has a language that is not that of sh. The
// list is that of the table, which a function in it cannot ask.
func ForeignShell(name string) bool {
	return shell.Among("fish csh tcsh nu elvish xonsh rc es ysh ion murex ngs oil", TableName(name))
}

// foreign reads the text of such a shell. Plain commands, in quotes where need be,
// mean the same in all of them; a mark before a program says that it is not one
// of the shell's own.
func (c *Invocation) foreign(text shell.Word) shell.Word {
	if !text.Known {
		return text
	}
	if ForeignShell(ProgramName(c.Argv)) {
		text.Text = Unmarked(text.Text)
		if !AlikeEverywhere(text.Text) {
			c.Narrow("sh reads this text differently")
			c.doubt("unknown-program-text", "code for "+ProgramName(c.Argv)+
				" that sh would read differently; write it for sh, or as plain commands", &text)
			c.mayDoAnything(&text)
		}
	}
	return text
}

// Unmarked takes nu's ^ and elvish's e: off the words that start with them.
func Unmarked(text string) string {
	if !strings.ContainsAny(text, "^:") {
		return text
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = strings.TrimPrefix(strings.TrimPrefix(w, "^"), "e:")
	}
	return strings.Join(words, " ")
}

// AlikeEverywhere reports whether a text is of plain words, quotes without an
// escape, pipes and separators.
func AlikeEverywhere(text string) bool {
	for text = strings.ReplaceAll(text, "&&", "||"); text != ""; { // both separate commands
		b, rest := text[0], text[1:]
		switch {
		case b == '\'' || b == '"':
			end := strings.IndexByte(rest, b)
			if end < 0 || strings.ContainsAny(rest[:end], escapesIn(b)) {
				return false
			}
			rest = rest[end+1:]
		case b == '~': // ~/x
			if rest != "" && strings.IndexByte("/ ;", rest[0]) < 0 {
				return false
			}
		case b >= 0x80 || strings.IndexByte("$`\\!(){}[]<>?^@#&", b) >= 0:
			return false
		}
		text = rest
	}
	return true
}

// escapesIn are the characters that mean something between quotes.
func escapesIn(quote byte) string {
	if quote == '"' {
		return "$`\\!"
	}
	return "\\"
}

// refineCmd is cmd /c TEXT.
func refineCmd(c *Invocation) {
	c.Narrow("a Windows shell reads its text differently")
	c.mayDoAnything(&c.Argv[0])
	if len(c.Argv) > 1 {
		c.runs(Inner{Kind: InnerCmd, Via: "cmd /c", Argv: c.Argv[1:]})
	}
	if !slices.ContainsFunc(c.Argv[1:], endsCmd) {
		c.runs(Inner{Kind: InnerStdin, Via: "cmd"})
	}
}

// endsCmd reports whether an option of cmd is followed by the text it runs.
func endsCmd(w shell.Word) bool {
	t := strings.ToLower(strings.TrimLeft(w.Text, "/"))
	return w.Text != t && t != "" && strings.IndexByte("ckr", t[0]) >= 0
}

// refinePwsh is pwsh -Command TEXT, -File SCRIPT, -EncodedCommand; names of options
// may be abbreviated, and case does not matter.
func refinePwsh(c *Invocation) {
	name := strings.TrimSuffix(ProgramName(c.Argv), ".exe")
	c.Narrow("it runs PowerShell")
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		option, isOption := strings.CutPrefix(strings.ToLower(shell.LiteralPrefix(w)), "-")
		if !isOption {
			c.execute(w)
			if name == "powershell" { // that of Windows takes it for a command
				c.mayDoAnything(w)
				c.runs(Inner{Kind: InnerPowerShell, Via: name + " -c", Text: joined(c.Argv[i:])})
			}
			return
		}
		switch PowerShellOption(option) {
		case "encodedcommand":
			c.doubt("unknown-program-text", "the program is encoded; write it out", w)
			c.mayDoAnything(w)
			return
		case "command":
			if i+2 == len(c.Argv) && c.Argv[i+1].Text == "-" { // standard input
				continue
			}
			c.mayDoAnything(w)
			if i+1 < len(c.Argv) {
				c.runs(Inner{Kind: InnerPowerShell, Via: name + " -c", Text: joined(c.Argv[i+1:])})
			}
			return
		case "file":
			if i+1 < len(c.Argv) {
				c.execute(&c.Argv[i+1])
			}
			return
		case "value":
			i++
		}
	}
	c.mayDoAnything(&c.Argv[0])
	c.runs(Inner{Kind: InnerStdin, Via: name})
}

// PowerShellOption is what an abbreviated option of PowerShell is: the program or where
// it is, or "value" for one with a value, "" for any other.
func PowerShellOption(option string) string {
	switch option {
	case "ec":
		return "encodedcommand"
	case "cwa":
		return "command"
	case "", "ep", "ex", "wd":
		return "value"
	}
	for _, full := range [...]string{"encodedcommand", "command", "file"} {
		if strings.HasPrefix(full, option) {
			return full
		}
	}
	if strings.HasPrefix("commandwithargs", option) {
		return "command"
	}
	for _, full := range [...]string{
		"executionpolicy", "workingdirectory", "outputformat", "inputformat", "windowstyle", "settingsfile", "psconsolefile",
		"custompipename", "configurationfile",
	} {
		if strings.HasPrefix(full, option) {
			return "value"
		}
	}
	if len(option) > 2 && strings.HasPrefix("configurationname", option) {
		return "value"
	}
	return ""
}

// PosixShell reports whether a shell of that name may be another one than bash,
// as sh is on Debian. Its text is parsed as bash all the same; where the other
// shell would run something else there is a doubt.
func PosixShell(name string) bool {
	return shell.Among("sh dash ash posh bosh hush mrsh", name)
}

// IsShell reports whether a program reads shell text.
func IsShell(name string) bool {
	const shells = "bash zsh ksh mksh rbash fish yash ksh93 pdksh oksh loksh lksh osh brush"
	return shell.Among(shells, name) || PosixShell(name)
}
