package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// ChangesPolicy reports whether a call of the gate does more than look. Without a verb it is the
// hook, which writes the log.
func ChangesPolicy(c *commands.Invocation) bool {
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		verb := shell.LiteralPrefix(w)
		switch rest := c.Argv[i+1:]; {
		case w.Known && strings.HasPrefix(verb, "-"):
		case w.Known && shell.Among("check explain log prove policy doctor help auto schema version", verb):
			return false
		case shell.Among("lint test replay report recommend export rules", verb):
			return !w.Known || changesByVerb(verb, rest)
		case !mayBeValue(c.Argv, i):
			return true
		}
	}
	return !slices.ContainsFunc(c.Argv[1:], func(w shell.Word) bool {
		return shell.Among("-h --help --version", w.Text)
	})
}

// mayBeValue reports whether a word that is not the last may be the value of an option.
func mayBeValue(argv []shell.Word, i int) bool {
	before := argv[i-1].Text
	return i > 1 && i+1 < len(argv) && strings.HasPrefix(before, "--") && !strings.Contains(before, "=")
}

// changesByVerb reports whether the words after a verb that looks make it change something.
func changesByVerb(verb string, args []shell.Word) bool {
	writes := []string{"--fix", "--record"}
	switch verb {
	case "rules":
		return changesRules(args)
	case "report":
		writes = []string{"-o", "--output"}
	case "replay":
		writes = []string{"--html"}
	case "recommend", "export":
		return !onlyProposes(args)
	}
	return slices.ContainsFunc(args, func(w shell.Word) bool {
		return !w.Known || shell.StartsWithAny(w.Text, writes...)
	})
}

// onlyProposes reports whether an option, not a value of one, tells permgate recommend or export to
// write nothing.
func onlyProposes(args []shell.Word) bool {
	only := false
	for k := range args {
		switch w := &args[k]; {
		case !w.Known, w.Text == "--", shell.StartsWithAny(w.Text, "--yes", "--dry-run=", "--json="):
			return false
		case w.Text == "--dry-run" || w.Text == "--json" || w.Text == "--check":
			only = only || k == 0 || !strings.HasPrefix(args[k-1].Text, "-") ||
				shell.Among("--wide --rare --lines --dry-run --json", args[k-1].Text)
		}
	}
	return only
}

// changesRules reports whether permgate rules is asked to do more than list them.
func changesRules(args []shell.Word) bool {
	const selectsCall = "--host --cwd --home --agent --skill --permission-mode" // a value comes after each
	for k := 0; k < len(args); k++ {
		switch next := &args[k]; {
		case !next.Known:
			return true
		case shell.Among(selectsCall, next.Text) && k+1 < len(args) && args[k+1].Known:
			k++
		case !strings.HasPrefix(next.Text, "-") && next.Text != "list":
			return true
		}
	}
	return false
}

// ChangesGate reports whether a command would do more than look if its program were the gate, and
// by which word.
func (s *Subcommand) ChangesGate() (verb string, changes bool) {
	if len(s.Argv) < 2 || !ChangesPolicy(&commands.Invocation{Argv: s.Argv}) {
		return "", false
	}
	for i := range s.Argv[1:] {
		switch t := s.Argv[1+i].Text; t {
		case "allow", "trust", "install", "upgrade", "uninstall", "session", "rules", "init", "state", "lint", "hook", "export",
			"import", "recommend", "bench", "completion":
			return t, true
		}
	}
	return "", true
}

// HasWord reports whether a word is among the arguments, or a letter after one -.
func (s *Subcommand) HasWord(words ...string) bool {
	for i := range s.Argv[1:] {
		t := s.Argv[1+i].Text
		cluster := len(t) > 2 && t[0] == '-' && t[1] != '-'
		for _, w := range words {
			if t == w || cluster && len(w) == 2 && strings.Contains(t[1:], w[1:]) {
				return true
			}
		}
	}
	return false
}

// LooksForGate reports whether a command looks up the number of a running hook.
func (a *Analysis) LooksForGate(i int) bool {
	sub := &a.Subcommands[i]
	switch sub.Program {
	case "pgrep":
		return FindsGate(sub)
	case "pidof", "ps", "lsof", "fuser", "top":
		return NamesGate(sub)
	case "grep", "egrep", "fgrep", "rg", "awk", "gawk", "mawk", "sed":
	default:
		return false
	}
	named := func(w shell.Word) bool { return strings.Contains(shell.Without(`[]\`, w.Text), "permgate") }
	if len(sub.From) == 0 || !slices.ContainsFunc(sub.Argv[1:], named) {
		return false
	}
	for from, n := sub.From, 0; len(from) > 0 && n < len(a.Subcommands); n++ {
		switch prev := &a.Subcommands[from[0]]; prev.Program {
		case "ps", "pgrep", "lsof", "top":
			return true
		default:
			from = prev.From
		}
	}
	return false
}

// FindsGate reports whether a pattern finds the name of the gate, or with -f how hosts call it.
func FindsGate(sub *Subcommand) bool {
	line := "permgate"
	if sub.HasWord("-f", "--full") {
		line += " hook"
	}
	for i := range sub.Argv[1:] {
		t := sub.Argv[1+i].Text
		if strings.HasPrefix(t, "-") {
			continue
		}
		for alt := range strings.SplitSeq(t, "|") {
			alt = strings.NewReplacer(".*", "*", ".+", "*", ".", "?", "^", "", "$", "", "(", "", ")", "", `\`, "").
				Replace(alt)
			found, err := path.Match("*"+path.Base(alt)+"*", line)
			if found && err == nil && strings.Trim(alt, "*?") != "" {
				return true
			}
		}
	}
	return false
}

// NamesGate reports whether a word is the name of the gate, or a pattern of it.
func NamesGate(sub *Subcommand) bool {
	return slices.ContainsFunc(sub.Argv[1:], func(w shell.Word) bool {
		return path.Base(strings.Trim(w.Text, "^$.*[]()")) == "permgate"
	})
}

// NamesPackage reports whether a word is the gate as a package, with any version or scope.
func (s *Subcommand) NamesPackage() bool {
	for i := range s.Argv[1:] {
		name := path.Base(s.Argv[1+i].Text)
		if at := strings.IndexAny(name, "@="); at > 0 {
			name = name[:at]
		}
		if name == "permgate" {
			return true
		}
	}
	return false
}

// CodeChanges reports whether a program in another language that a subcommand is given seems to change files.
func (s *Subcommand) CodeChanges() bool {
	return slices.ContainsFunc(s.Programs, func(t *code.Text) bool { return t.Changes })
}

// CodeFindsGate returns the gate's name where a program in another language looks for its program.
func (s *Subcommand) CodeFindsGate() string {
	for _, t := range s.Programs {
		if strings.Contains(t.Source, "permgate") && shell.ContainsAny(t.Source, "which", "command -v", "type -") {
			return "permgate"
		}
	}
	return ""
}

// LooksUpFiles reports whether a subcommand prints where programs or files are.
func (s *Subcommand) LooksUpFiles() bool {
	return shell.Listed("which command type whereis where whence locate mlocate plocate find fd", s.Program)
}
