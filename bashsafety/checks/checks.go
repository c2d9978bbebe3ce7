// Package checks holds what is asked about in every mode: commands that destroy
// data or the machine, or hide what they do.
package checks

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// checkFamilies are the checks in the order of their findings, the worst first.
var checkFamilies = [...][]analysis.Check{
	catastrophicChecks, destructiveChecks, gitChecks, gitLossChecks, dataChecks, sqlChecks, remoteChecks, sendChecks, suspiciousChecks,
}

// All returns every check, the worst first, those of PowerShell last.
func All() []*analysis.Check {
	var all []*analysis.Check
	for _, family := range append(slices.Clone(checkFamilies[:]), powerShellChecks) {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}

// OfGit is a check of git commands, which the disk may tell from harmless ones.
func OfGit(id string) *analysis.Check {
	for _, family := range [...][]analysis.Check{gitChecks, gitLossChecks} {
		if i := slices.IndexFunc(family, func(c analysis.Check) bool { return c.ID == id }); i >= 0 {
			return &family[i]
		}
	}
	panic("no check " + id)
}

// Run fills s.Findings.
func Run(s *analysis.Analysis) {
	defer s.DoubtPanic()
	takeApart(s)
	runFamilies(s, s.HasPowerShell)
}

// takeApart looks up, once for all checks, what the walk did not: commands that run elsewhere, in other folders.
func takeApart(s *analysis.Analysis) {
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Structural || len(sub.Argv) == 0 {
			continue
		}
		if sub.Call == nil || !sub.Here() {
			sub.Call = commands.Describe(sub.Argv, &shell.CwdState{}, s.Env.Home)
		}
		if sub.Call.Home = s.Env.Home; sub.Call.Cmd == nil {
			sub.Call = nil
		}
	}
}

// The tables and lists of programs, a bit each. What is not in one needs no search.
const (
	ofClients uint16 = 1 << iota
	ofSenders
	ofInterpreters
	ofDownloaders
	ofPackagers
)

// tablesOf returns the tables that may name a program. Their rows are lists, in
// which a name with a blank finds two.
func tablesOf(name string) uint16 {
	if strings.Contains(name, " ") {
		return ^uint16(0)
	}
	return tableIndex(name)
}

// listTools notes which tables may name the programs of a text, and the cmdlets by their whole name.
func listTools(s *analysis.Analysis, powerShell bool) {
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		sub.As = sub.Call.TableName(sub.Program)
		sub.Tables = tablesOf(sub.Program) | tablesOf(sub.As)
		if powerShell && sub.Tables == 0 {
			sub.As = powershell.CmdletName(sub.Program)
			sub.Tables = tablesOf(sub.As)
		}
	}
	s.Tools = remote.Tools(s)
	for i := range s.Tools {
		t := &s.Tools[i]
		t.Tables = tablesOf(t.Name)
		if powerShell && t.Tables == 0 && t.Losses == 0 {
			t.Name = powershell.CmdletName(t.Name)
			t.Tables, t.Losses = tablesOf(t.Name), commands.LossesOf(t.Name)
		}
		s.Losses |= t.Losses
	}
}

//go:generate go test . -run Index -update

// runFamilies runs the checks of bash, after those of PowerShell where there is some.
func runFamilies(s *analysis.Analysis, powerShell bool) {
	listTools(s, powerShell)
	if powerShell {
		runFamily(s, powerShellChecks)
	}
	for _, family := range checkFamilies {
		runFamily(s, family)
	}
}

func runFamily(s *analysis.Analysis, family []analysis.Check) {
	for i := range family {
		check := &family[i]
		var found []analysis.Finding
		if check.Loses != 0 {
			found = remote.Losing(s, check.Loses, check.Itself)
		}
		if check.Find != nil {
			found = append(found, check.Find(s)...)
		}
		for _, f := range found {
			if f.Check = check; !contained(s, &f) {
				s.Findings = append(s.Findings, f)
			}
		}
	}
}

// contained reports a catastrophe of files that stays in a container.
func contained(s *analysis.Analysis, f *analysis.Finding) bool {
	if f.Sub < 0 || f.Check.Severity != analysis.Catastrophic || f.Check.About != analysis.AboutFiles {
		return false
	}
	sub := &s.Subcommands[f.Sub]
	return sub.Untouched(sub.Effects)
}

// matching reports the calls of a program that fit. What is quoted is data and never fires.
func matching(
	s *analysis.Analysis, program string, fits func(*commands.Invocation, *analysis.Subcommand) bool,
) []analysis.Finding {
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		c := sub.Call
		return c != nil && c.Cmd.Is(program) && !asksHelp(s, c) && fits(c, sub)
	})
}

// writing reports the subcommands with a known write that fits.
func writing(s *analysis.Analysis, fits func(*shell.Effect) bool) []analysis.Finding {
	var all []analysis.Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		for k := range sub.Effects {
			if e := &sub.Effects[k]; changesFile(e) && (e.Known || e.Glob) && fits(e) {
				all = append(all, analysis.Finding{Sub: i, Span: e.Span})
				break
			}
		}
	}
	return all
}

func changesFile(e *shell.Effect) bool { return e.Kind == shell.Write || e.Kind == shell.Delete }

// asksHelp reports whether a command only prints its help or version. After an
// operand the option counts only where the program would still read it as one.
func asksHelp(s *analysis.Analysis, c *commands.Invocation) bool {
	switch c.Cmd.Name() {
	case "find", "permgate", "crontab":
		return false
	}
	if c.TellsUsage() {
		return true
	}
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		if !w.Known || w.Text == "--" {
			return false
		}
		if (w.Text == "--help" || w.Text == "--version") && !slices.Contains(c.Values, i) {
			operandFirst := slices.ContainsFunc(c.Operands, func(o int) bool { return o < i })
			return !operandFirst || !s.Env.BSD && c.Cmd.Style&commands.StopAtOperand == 0
		}
	}
	return false
}

// RunPowerShell is Run for a PowerShell text.
func RunPowerShell(s *analysis.Analysis) {
	defer s.DoubtPanic()
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Call == nil && !sub.Here() && len(sub.Argv) > 0 {
			sub.Call = commands.Describe(sub.Argv, &shell.CwdState{}, s.Env.Home)
		}
		if sub.Call != nil && sub.Call.Cmd != nil {
			sub.Call.Home = s.Env.Home
		} else {
			sub.Call = nil
		}
	}
	runFamilies(s, true)
}

// examples has a line for each: the id of a check, whether the check reports the
// command or lets it pass, and the command, with tabs in between.
//
//go:embed examples.tsv
var examples string

// Examples returns the commands that a check must report, and look-alikes that it
// must leave alone. In the file, a command of several lines is quoted as in Go.
func Examples(id string) (reported, passed []string) {
	for line := range strings.Lines(examples) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), id+"\t")
		if !ok {
			continue
		}
		kind, command, _ := strings.Cut(rest, "\t")
		if text, err := strconv.Unquote(command); err == nil && strings.Contains(text, "\n") {
			command = text
		}
		if kind == "reported" {
			reported = append(reported, command)
		} else {
			passed = append(passed, command)
		}
	}
	return reported, passed
}
