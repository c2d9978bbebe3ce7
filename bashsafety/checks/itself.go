package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
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
		agent := sub.Call.Cmd.Rare().Agent
		unchecks := func(a shell.Assign) bool { return agent.Unchecks(a.Name) }
		if slices.ContainsFunc(sub.Assigns, unchecks) || sub.Call.Unchecked() != "" {
			return true
		}
		return slices.ContainsFunc(s.Subcommands[:at], func(before interp.Subcommand) bool {
			return exports(&before, agent)
		})
	})
}

// exports reports whether a command sets a variable that an agent heeds for those after it.
func exports(sub *interp.Subcommand, agent *commands.Agent) bool {
	if sub.Structural && slices.ContainsFunc(sub.Assigns, func(a shell.Assign) bool { return agent.Unchecks(a.Name) }) {
		return true
	}
	return shell.Among("export declare typeset readonly setenv", sub.Program) && slices.ContainsFunc(sub.Argv[1:], func(w shell.Word) bool {
		name, _, set := strings.Cut(w.Text, "=")
		return (set || sub.Program == "setenv") && agent.Unchecks(name)
	})
}
