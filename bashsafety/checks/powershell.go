package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// powerShellChecks are the checks of AnalyzePowerShell.
var powerShellChecks = []analysis.Check{
	{
		ID:       "powershell-remove",
		Title:    "deletes files or folders and everything in them",
		Why:      "files outside git cannot be recovered",
		Instead:  []analysis.Hint{{For: "Remove-Item", When: analysis.OneFile, Text: "`Remove-Item NAME`"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Trees:    true, Removes: true,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(runningCmdlet(s, removesTree), removesListed(s)...)
		},
	},
	{
		ID:       "powershell-remove-root",
		Title:    "deletes a drive, the system or a home directory",
		Why:      "everything below it is lost at once",
		Severity: analysis.Catastrophic,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			ruins := func(e shell.Effect) bool { return e.Kind == shell.Delete && shell.Ruinous(&e, s.Env.Home) }
			return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
				name := powershell.CmdletName(sub.Program)
				return (name == "move-item" || removesTree(name, sub.Argv)) && slices.ContainsFunc(sub.Effects, ruins)
			})
		},
	},
	{
		ID:       "powershell-download",
		Title:    "runs what it downloads",
		Why:      "the server decides what runs on your machine",
		Instead:  []analysis.Hint{{Text: "saving it to a file and reading it first"}},
		Severity: analysis.Catastrophic,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
				if powershell.CmdletName(sub.Program) != "invoke-expression" {
					return false
				}
				text := strings.ToLower(s.Text[sub.Span.Start:sub.Span.End])
				return strings.Contains(text, ".downloadstring") || slices.ContainsFunc(append(commandsIn(s, i), sub.From...),
					func(k int) bool { return s.Subcommands[k].Does(shell.Network) })
			})
		},
	},
	{
		ID:    "powershell-disk",
		Title: "erases a disk or stops the machine",
		Why:   "the data on the disk, or unsaved work, is lost",
		Instead: []analysis.Hint{
			{For: "Format-Volume", Text: "`Get-Volume` to look first"},
			{For: "Clear-Disk", Text: "`Get-Disk` to look first"},
		},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return runningCmdlet(s, func(name string, argv []shell.Word) bool {
				return name == "vssadmin" && remote.AnyWord(argv, "delete") || shell.Listed("format-volume clear-disk initialize-disk "+
					"remove-partition stop-computer restart-computer clear-recyclebin reset-physicaldisk clear-content-volume "+
					"format.com diskpart", name)
			})
		},
	},
	{
		ID:       "powershell-expression",
		Title:    "runs text as a command",
		Why:      "the text cannot be checked before it runs",
		Instead:  []analysis.Hint{{Text: "the command itself"}},
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return runningCmdlet(s, func(name string, argv []shell.Word) bool {
				switch name {
				case "invoke-expression", "invoke-command", "add-type", "set-executionpolicy", "invoke-cimmethod", "invoke-wmimethod":
					return true
				case "start-process":
					return remote.AnyWord(argv, "RunAs")
				case "powershell", "pwsh":
					return slices.ContainsFunc(argv[1:], func(w shell.Word) bool {
						t := strings.ToLower(w.Text)
						option := len(t) > 1 && (t[0] == '-' || t[0] == '/')
						return option && commands.PowerShellOption(t[1:]) == "encodedcommand"
					})
				}
				return false
			})
		},
	},
}

// runningCmdlet reports the subcommands whose canonical name and words fit.
func runningCmdlet(s *analysis.Analysis, fits func(name string, argv []shell.Word) bool) []analysis.Finding {
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return fits(powershell.CmdletName(sub.Program), sub.Argv)
	})
}

// commandsIn lists the subcommands in the words of another one.
func commandsIn(s *analysis.Analysis, at int) []int {
	var all []int
	for i := range s.Subcommands {
		if i != at && s.Subcommands[at].Span.Contains(s.Subcommands[i].Span) {
			all = append(all, i)
		}
	}
	return all
}

// removesTree is Remove-Item -Recurse in all its spellings, those of cmd and Unix among them.
func removesTree(name string, argv []shell.Word) bool {
	switch name {
	case "cmd":
		return remote.AnyWord(argv, "rd", "rmdir", "del", "erase") && remote.AnyWord(argv, "/s") ||
			slices.ContainsFunc(argv[1:], cmdLineRemovesTree)
	case "remove-item":
		return slices.ContainsFunc(argv[1:], recurses)
	}
	return false
}

// removesListed finds what deletes or empties files that a recursive listing found, by pipes, variables and blocks.
func removesListed(s *analysis.Analysis) []analysis.Finding {
	f := &flow{s: s, carries: make([]bool, len(s.Subcommands)), signs: make([]string, len(s.Subcommands))}
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		f.carries[i] = powershell.CmdletName(sub.Program) == "get-childitem" && slices.ContainsFunc(sub.Argv[1:], recurses)
	}
	if !slices.Contains(f.carries, true) {
		return nil
	}
	f.spread()
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		return f.carries[i] && shell.Among("remove-item clear-content", powershell.CmdletName(sub.Program))
	})
}

// cmdLineRemovesTree reports whether a word is a command line for cmd that removes a tree.
func cmdLineRemovesTree(w shell.Word) bool {
	low := " " + strings.ToLower(w.Text) + " "
	return shell.ContainsAny(low, "rd ", "rmdir ", "del ", "erase ") && strings.Contains(low, " /s ")
}

// recurses reports whether a word may be -Recurse; @options hides which options it holds.
func recurses(w shell.Word) bool {
	t, value, _ := strings.Cut(strings.ToLower(w.Text), ":")
	if value == "$false" {
		return false
	}
	splat := !w.Known && !w.Single
	return splat || shell.Among("/s -rf -fr", t) || len(t) > 1 && strings.HasPrefix("-recurse", t)
}
