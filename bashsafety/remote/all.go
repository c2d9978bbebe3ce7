package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// EveryContainer finds the commands that get as names what a listing of all
// containers, images or volumes prints.
func EveryContainer(s *analysis.Analysis) []analysis.Finding {
	return RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		if !engineCall(sub, takesContainers) {
			return false
		}
		for k := range s.Subcommands {
			if k != i && engineCall(&s.Subcommands[k], listsAll) && feeds(s, k, i) {
				return true
			}
		}
		return false
	})
}

// engineCall reports whether a subcommand is a container engine whose words fit.
func engineCall(sub *analysis.Subcommand, fits func(args []shell.Word) bool) bool {
	return shell.Among("docker podman nerdctl", sub.Program) && len(sub.Argv) > 0 && fits(sub.Argv[1:])
}

// takesContainers reports the verbs that end or remove what they name.
func takesContainers(args []shell.Word) bool {
	row := commands.Loss{
		Values: "-Hcl host context log-level",
		Verbs:  []string{"rm|rmi|stop|kill", "container|image rm|remove|stop|kill", "network rm"},
	}
	return row.Takes(args)
}

// listsAll reports a listing that nothing narrows.
func listsAll(args []shell.Word) bool {
	row := commands.Loss{Values: "-Hcl host context log-level format", Verbs: []string{
		"ps|images !--filter !-f !-n !-l", "container|image|volume|network ls|list|ps !--filter !-f",
	}}
	return row.Takes(args)
}

// feeds reports whether all that one subcommand prints may be the words of another: through a
// pipe or a substitution. What others read first (grep, head) is a choice.
func feeds(s *analysis.Analysis, from, to int) bool {
	sub, by := &s.Subcommands[to], &s.Subcommands[from]
	if slices.Contains(sub.From, from) {
		other := func(k int) bool { return k != from && !calls(&s.Subcommands[k], by) }
		return !slices.ContainsFunc(sub.From, other)
	}
	for i := range s.Subcommands {
		if slices.Contains(s.Subcommands[i].From, from) {
			return false
		}
	}
	return slices.Contains(by.Via, "$()") &&
		slices.ContainsFunc(sub.Argv, func(w shell.Word) bool { return shell.NothingKnown(&w) })
}

// calls reports whether a subcommand calls the function that runs another one.
func calls(sub, in *analysis.Subcommand) bool {
	n := len(sub.Via)
	return len(sub.Argv) > 0 && len(in.Via) > n && in.Via[n] == "function "+sub.Argv[0].Text
}

// KillsAll finds signals to every process, to those of a user, and to the
// programs that a machine cannot do without.
func KillsAll(s *analysis.Analysis) []analysis.Finding {
	return append(killsListed(s), Named(s, func(name string, argv []shell.Word) bool {
		switch name {
		case "kill":
			return killsFirst(argv)
		case "killall5":
			return len(argv) == 1 || argv[1].Text != "--help"
		case "pkill", "killall", "skill":
			return killsByName(argv)
		}
		return shell.Among("taskkill taskkill.exe tskill stop-process spps", strings.ToLower(name)) &&
			slices.ContainsFunc(argv[1:], vitalOnWindows)
	})...)
}

// killsListed: Stop-Process of all that Get-Process lists, which nothing sifts.
func killsListed(s *analysis.Analysis) []analysis.Finding {
	sifts := func(k int) bool { return s.Subcommands[k].As != "get-process" || len(s.Subcommands[k].Argv) > 1 }
	return RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return sub.As == "stop-process" && len(sub.From) > 0 && !slices.ContainsFunc(sub.From, sifts)
	})
}

// vitalOnWindows reports whether a word is a pattern of everything, or a program that holds Windows together.
func vitalOnWindows(w shell.Word) bool {
	const vital = "* explorer csrss lsass winlogon services svchost smss wininit"
	return shell.Among(vital, strings.TrimSuffix(strings.ToLower(w.Text), ".exe"))
}

// killsFirst: kill -1 1234 sends signal 1; only after a signal or -- is -1
// every process there is. The first process is 1. Signal 0 does nothing.
func killsFirst(argv []shell.Word) bool {
	signal := false
	for i := 1; i < len(argv); i++ {
		t := argv[i].Text
		switch {
		case !argv[i].Known:
		case !signal && len(t) > 1 && t[0] == '-':
			if shell.Among("-l -L --help --list --table -0", t) {
				return false
			}
			if shell.Among("-s -n --signal", t) {
				i++
			}
			signal = true
		case t == "-1", t == "1":
			return true
		}
	}
	return false
}

// vitalPrograms are a pattern of everything, and what holds a machine together.
const vitalPrograms = ". .* .+ systemd init launchd sshd dockerd containerd kubelet WindowServer loginwindow Xorg " +
	"gnome-shell"

// killsByName: a pattern of everything, none but a user's name, or a program
// that holds the machine together.
func killsByName(argv []shell.Word) bool {
	row := commands.Loss{
		Values: "-uUGgPstoFyn euid uid user group pgroup parent session terminal signal older-than younger-than older",
		Flags:  "-fxi9v",
	}
	lists, operands, dry := row.Gives(argv[1:], "-l|--list")
	if dry || lists {
		return false
	}
	if len(operands) == 0 {
		users, _, _ := row.Gives(argv[1:], "-u|-U|--euid|--uid|--user|-G|--group")
		return users
	}
	return slices.ContainsFunc(operands, func(w *shell.Word) bool {
		name := strings.Trim(w.Text, "^$")
		return w.Known && (name == "" || shell.Among(vitalPrograms, name))
	})
}
