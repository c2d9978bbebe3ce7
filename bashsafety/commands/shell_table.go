package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// shellCommands are the shells, those of sh and those of other families. Only these read their
// texts; what sh would read alike is read, everything else is a doubt.
var shellCommands = []Command{
	{
		Names: "bash sh dash zsh ksh mksh ash rbash yash ksh93 pdksh oksh loksh lksh posh osh bosh hush mrsh brush sash", Special: &Special{Project: &Running{By: RunsFile}},
		Title: "runs shell text", Style: NoOptions, ReadOnly: true, // but for what it runs
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
	switch TableName(name) {
	case "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "rc", "es", "ysh", "ion", "murex", "ngs", "oil":
		return true
	}
	return false
}

// foreign reads the text of such a shell. Plain commands, in quotes where need be,
// mean the same in all of them; a mark in front of a program says that it is none
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
	for i := 1; i < len(c.Argv); i++ {
		switch strings.ToLower(strings.TrimLeft(shell.LiteralPrefix(&c.Argv[i]), "/")) {
		case "c", "k", "r":
			if i+1 < len(c.Argv) {
				c.remote(Inner{Kind: InnerText, Via: "cmd /c", Text: joined(c.Argv[i+1:])})
			}
			return
		}
	}
	c.runs(Inner{Kind: InnerStdin, Via: "cmd"})
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
			return
		}
		switch pwshOption(option) {
		case "encodedcommand":
			c.doubt("unknown-program-text", "the program is encoded; write it out", w)
			c.mayDoAnything(w)
			return
		case "command":
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

// pwshOption is what an abbreviated option of PowerShell is: the program or where
// it is, or "value" for one with a value, "" for any other.
func pwshOption(option string) string {
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
