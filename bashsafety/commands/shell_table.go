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
		Examples: []Example{
			{"bash -c 'rm x'", "bash -c>'rm x'"}, {"bash -lc id", "bash -c>'id'"}, {"sh -ec 'set -x; id' a0 a1", "sh -c>'set -x; id'"},
			{"bash -O extglob -c id", "bash -c>'id'"}, {"bash -c -x id", "bash -c>'id'"}, {"bash -c -- id", "bash -c>'id'"},
			{`bash -c "$x"`, "bash -c>?"}, {"bash x.sh a", "exec:x.sh read:x.sh"}, {"bash", "bash>-"}, {"bash -s -- --yes", "bash>-"},
			{"bash --rcfile /tmp/e -i", "narrow read:/tmp/e bash>-"}, {"bash -n x.sh", "ro read:x.sh"}, {"bash --version", "ro"},
			{"zsh -o extended_glob -c id", "zsh -c>'id'"}, {"bash +O extglob x", "exec:x read:x"}, {`bash "$f"`, "exec:? read:?"},
			{`bash $f x`, "doubt:unknown-program-text narrow"}, {`bash "$f" x`, "narrow exec:? read:?"}, {"yash -c 'rm x'", "yash -c>'rm x'"},
			{"ksh93 -c 'rm x'", "ksh93 -c>'rm x'"}, {"osh -c 'rm x'", "osh -c>'rm x'"},
		},
	},
	{
		Names: "fish csh tcsh nu elvish xonsh rc es ysh ion murex ngs oil",
		Title: "runs text of a shell of its own", Style: NoOptions, ReadsSome: true, refine: refineShell,
		Examples: []Example{
			{"fish -c 'rm x'", "fish -c>'rm x'"}, {"fish --command=id", "fish -c>'id'"}, {"fish -C 'rm x' -c ls", "fish -C>'rm x' fish -c>'ls'"},
			{"fish --init-command 'rm x'", "fish -C>'rm x' fish>-"}, {"fish -c 'echo (rm x)'", "doubt:unknown-program-text narrow unknown:? fish -c>'echo (rm x)'"},
			{"fish -c id -c 'rm x'", "fish -c>'id' fish -c>'rm x'"}, {"fish -c 'a; and b | c'", "fish -c>'a; and b | c'"}, {"fish --profile x -c ls", "write:x narrow fish -c>'ls'"},
			{"fish x.fish a", "exec:x.fish read:x.fish"}, {"fish --version", "ro"}, {"fish -n x.fish", "ro read:x.fish"}, {"fish", "fish>-"},
			{"csh -fc 'rm -rf x'", "csh -c>'rm -rf x'"}, {"tcsh -c 'foreach f (a b) rm $f'", "doubt:unknown-program-text narrow unknown:? tcsh -c>'foreach f (a b) rm $f'"}, {"csh x.csh", "exec:x.csh read:x.csh"},
			{"nu --commands 'rm x'", "nu -c>'rm x'"}, {"nu -c '^rm x | ^cat'", "nu -c>'rm x | cat'"}, {"nu -e 'rm x'", "nu -e>'rm x' nu>-"}, {"nu --config x -c ls", "read:x narrow nu -c>'ls'"},
			{"elvish -c 'e:rm x'", "elvish -c>'rm x'"}, {"elvish -rc x", "narrow read:x elvish>-"}, {"xonsh -c '![rm x]'", "doubt:unknown-program-text narrow unknown:? xonsh -c>'![rm x]'"},
			{"xonsh --rc x -c ls", "read:x narrow xonsh -c>'ls'"}, {"rc -c 'rm x'", "rc -c>'rm x'"}, {`fish -c "$x"`, "fish -c>?"}, {"es -c ls", "es -c>'ls'"},
		},
	},
	{
		Names: "cmd", Title: "runs text of the shell of Windows", Style: NoOptions, refine: refineCmd,
		Examples: []Example{{"cmd.exe /c 'del /s x'", "narrow unknown:? cmd /c>>'del /s x'"}, {"cmd /c rm -rf x", "narrow unknown:? cmd /c>>'rm -rf x'"}, {"cmd", "narrow unknown:? cmd>-"}, {"cmd //C ver", "narrow unknown:? cmd /c>>'ver'"}},
	},
	{
		Names: "pwsh powershell", Title: "runs PowerShell", Style: NoOptions, refine: refinePwsh, InfoFlags: "-Version --version -v -Help -h -?",
		Examples: []Example{
			{"pwsh -c 'rm -r x'", "narrow unknown:? pwsh -c>'rm -r x'"}, {"pwsh -NoProfile -Command Remove-Item x -Recurse", "narrow unknown:? pwsh -c>'Remove-Item x -Recurse'"},
			{"pwsh -File x.ps1 a", "narrow exec:x.ps1 read:x.ps1"}, {"pwsh x.ps1", "narrow exec:x.ps1 read:x.ps1"}, {"pwsh -EncodedCommand eA==", "doubt:unknown-program-text narrow unknown:?"},
			{"pwsh -Version", "ro"}, {"pwsh", "narrow unknown:? pwsh>-"}, {"powershell.exe -ep Bypass -c 'iwr x'", "narrow unknown:? powershell -c>'iwr x'"},
		},
	},
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
