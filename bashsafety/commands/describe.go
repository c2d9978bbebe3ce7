package commands

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An Inner is a command that a command runs.
type Inner struct {
	Kind InnerKind
	Via  string       // "sudo", "xargs", "sh -c"
	Argv []shell.Word // InnerArgv: the command
	Text shell.Word   // InnerText: shell text; a hole when it is not literal
	// Strip marks the wrappers that are taken off for every list (timeout time nice nohup stdbuf).
	Strip bool
	// Remote marks text or argv that runs on another machine or in a container,
	// or a string inside the program of another language: seen by deny rules and
	// checks only, without effects, and a text that does not parse is no doubt.
	Remote bool
	// Narrows marks a remote argv of a program from a package: it runs here, and
	// what it loads is not covered by a rule on the launcher.
	Narrows bool
	// Assigns are the variables the launcher sets (env A=1 cmd, sudo A=1 cmd).
	Assigns []shell.Assign
	// Dir is the directory the command runs in when it is not the launcher's
	// (env -C, sudo -D, find -execdir); a hole when it is not known.
	Dir *shell.Word
	// More marks an argv that gets further, unknown words appended (xargs, find -exec {}).
	More bool
}

// An InnerKind says in what form a command is given that another one runs.
type InnerKind uint8

const (
	InnerArgv       InnerKind = iota + 1 // argv is run as it is
	InnerText                            // text is shell source, analysed in turn
	InnerPowerShell                      // text is PowerShell
	InnerStdin                           // a shell or interpreter that reads its program from standard input
)

// Facts are what the tables say of one argv. The zero value says: an
// unknown program, nothing proven.
type Facts struct {
	Effects []shell.Effect
	Inner   []Inner
	Narrow  []string
	Doubts  []shell.Doubt
	Alt     [][]shell.Word
	Proof   shell.Proof
	// LocalProof holds when the effects are all the program does, ProjectProof when it
	// also runs code of the project, see Command.Local and Running.
	LocalProof, ProjectProof shell.Proof
	// OnlyLaunches is set when all the program does itself is to read and to run inner
	// commands, each a subcommand of its own that has to be proven by itself.
	OnlyLaunches bool
	// Code is set when the program is given text in a language of its own.
	Code bool
	// Credential is the form that prints a secret, nil for none.
	Credential *Credential
	// Known is set when the program has a table entry.
	Known bool
	// closed is set when no option in any release of the program executes or
	// writes, so that an unknown unquoted word can do no harm as an option.
	closed bool
	// valueAt lists the positions in argv that are values of options. narrow
	// already speaks of every hole that could be an option.
	valueAt []int
	// Chdir is the new directory of cd and pushd; nil for everything else.
	Chdir *shell.Word
}

// Describe looks argv up in the command tables. argv[0] is a known command
// word; cwd resolves paths. It is the only door from the walker to the tables.
// The cmd of the answer is nil when they do not know the program.
func Describe(argv []shell.Word, cwd *shell.CwdState, home string) *Invocation {
	c := NewInvocation(argv, cwd, home)
	if c.Cmd == nil {
		c.Facts = strangerFacts(argv)
		c.Facts.Effects = strangerReads(argv, cwd)
		c.namedOptions(argv, 1, "-")
		c.applyNamed()
		c.ofGit()
		return c
	}
	c.apply()
	if !SystemProgram(argv[0].Text) || c.Folded {
		// the name is known, the program is not
		c.Facts.OnlyLaunches, c.Facts.closed = false, false
		c.Disprove("")
		if c.Facts.LocalProof.Disprove(""); c.Folded {
			c.unbind("")
		}
		c.keepOn()
		if len(c.Facts.Narrow) == 0 {
			c.Facts.Narrow = strangerFacts(argv).Narrow
		}
	}
	return c
}

// SystemProgram reports whether a command word finds the program the tables
// speak of: by its name alone, or in a directory of the system.
func SystemProgram(word string) bool {
	dir, _ := path.Split(word)
	switch dir {
	case "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/":
		return true
	}
	return false
}

// ProgramName is the base name tables and checks know a command word by, ""
// when it is not known.
func ProgramName(argv []shell.Word) string {
	if len(argv) == 0 || !argv[0].Known {
		return ""
	}
	return path.Base(argv[0].Text)
}

// TableName is the name by which the tables know a program; see find.
func TableName(name string) string { return Find(name).As }

func versionRune(r rune) bool { return '0' <= r && r <= '9' || r == '.' || r == '-' }

// VariantName strips what versions and variants add: python3.12, mkfs.ext4.
func VariantName(name string) string {
	if strings.HasPrefix(name, "mkfs.") {
		return "mkfs"
	}
	if strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") || strings.HasPrefix(name, "ld.so") {
		return "ld.so"
	}
	name = strings.TrimSuffix(name, ".exe")
	if base := strings.TrimRightFunc(name, versionRune); base != name {
		switch base {
		case "python", "pip", "ruby", "perl", "php", "lua", "node", "gcc", "g++", "clang", "clang++", "pypy":
			return base
		}
	}
	return name
}
