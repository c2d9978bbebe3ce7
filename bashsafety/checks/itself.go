package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// killsGate reports what ends a running hook: by its name or a pattern that finds
// it, or by the number that another command of the text looks up.
func killsGate(s *interp.Analysis) []interp.Finding {
	looked := false
	for i := range s.Subcommands {
		looked = looked || s.LooksForGate(i)
	}
	return remote.RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
		return looked && sub.Program == "kill" || killsByName(sub)
	})
}

// killsByName reports whether a command ends the hook by its name or a pattern.
func killsByName(sub *interp.Subcommand) bool {
	switch sub.Program {
	case "pkill":
		return interp.FindsGate(sub)
	case "killall", "killall5", "skill":
		return interp.NamesGate(sub) || sub.Call != nil && sub.HasWord("-r", "--regexp") && interp.FindsGate(sub)
	case "fuser":
		return interp.NamesGate(sub) && sub.HasWord("-k", "--kill")
	}
	return false
}

// packageManagers are the programs that may take permgate away.
const packageManagers = "brew port apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk snap flatpak npm pnpm " +
	"yarn bun volta cargo pip pip3 pipx uv nix-env mise asdf choco scoop winget"

// dropsGate reports what a package program takes away.
func dropsGate(s *interp.Analysis) []interp.Finding {
	return remote.RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
		return sub.Tables&ofPackagers != 0 && shell.Listed(packageManagers, sub.Program) && sub.NamesPackage() && sub.HasWord("remove", "rm",
			"uninstall", "unlink", "un", "purge", "erase", "del", "autoremove", "-e", "-r", "-R", "-P", "--erase",
			"--remove", "--purge", "--uninstall")
	})
}

// startsUnchecked reports an agent program that is started with other checks than its user has set up:
// by an option, or by a variable in front of it or set before.
func startsUnchecked(s *interp.Analysis) []interp.Finding {
	return remote.RunningAt(s, func(at int, sub *interp.Subcommand) bool {
		if sub.Call == nil || sub.Call.Cmd.Rare().Agent == nil || asksHelp(s, sub.Call) {
			return false
		}
		unchecks := sub.Call.Cmd.Rare().Agent.Unchecks
		return sub.Call.Unchecked() || slices.ContainsFunc(s.Subcommands[:at+1], func(other interp.Subcommand) bool {
			here := other.Structural || other.Span == sub.Span
			assigned := here && slices.ContainsFunc(other.Assigns, func(a shell.Assign) bool { return unchecks(a.Name) })
			return assigned || shell.Among("export declare typeset readonly setenv", other.Program) &&
				slices.ContainsFunc(other.Argv[1:], func(w shell.Word) bool {
					name, _, _ := strings.Cut(w.Text, "=")
					return unchecks(name)
				})
		})
	})
}
