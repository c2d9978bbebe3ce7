package powershell

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A psLoop is where a loop or a function begins: in the text, and among what was listed.
type psLoop struct{ at, subs, leaves int }

func (p *psParser) loop(at int) psLoop { return psLoop{at, len(p.a.Subcommands), len(p.leaves)} }

// conditionText reads ( pipeline ) and returns its text in lower case, without blanks and parentheses.
func (p *psParser) conditionText() string {
	p.blank(true)
	from := p.i
	p.condition()
	return shell.Without(" \t\r\n()", strings.ToLower(p.s[min(from, p.i):p.i]))
}

// constant reports whether nothing that happens changes a condition; one that is the value never does not count.
func constant(cond string, never ...string) bool {
	literals := strings.NewReplacer("$true", "1", "$false", "0", "$null", "0", "!", "", "-not", "", "-eq", "", "-ne", "",
		"-gt", "", "-ge", "", "-lt", "", "-le", "", "-and", "", "-or", "", "'", "", `"`, "")
	return cond != "" && !slices.Contains(never, cond) && shell.Number(literals.Replace(cond))
}

// alwaysTrue reports whether a condition holds whatever happens, neverTrue whether it never does.
func alwaysTrue(cond string) bool {
	text, opened := strings.CutPrefix(cond, "'")
	text, closed := strings.CutSuffix(text, "'")
	words := opened && closed && text != "" && !strings.Contains(text, "'")
	return words || constant(cond, "0", "$false", "$null", "!$true", "-not$true")
}

func neverTrue(cond string) bool { return constant(cond, "1", "$true", "!$false", "-not$false") }

// endlessFor reports whether the head of a for loop has no condition, or one that always holds.
func endlessFor(head string) bool {
	parts := strings.Split(head, ";")
	return len(parts) < 2 || parts[1] == "" || alwaysTrue(parts[1])
}

// manyRounds reports whether the numbers of a range or of a loop's head are further apart than a machine has room for
// programs.
func manyRounds(text string) bool {
	const many = 1000
	numbers := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	least, most := math.MaxInt, 0
	for _, t := range numbers {
		n, _ := strconv.Atoi(t) // the largest there is where it is too large
		least, most = min(least, n), max(most, n)
	}
	return most >= many && (len(numbers) == 1 || most-least >= many)
}

func manyRange(text string) bool { return strings.Contains(text, "..") && manyRounds(text) }

// callsItself reports whether a function without a condition calls itself.
func (p *psParser) callsItself(l psLoop, name string) bool {
	body := strings.ToLower(p.s[l.at:p.i])
	return !shell.ContainsAny(body, "if", "switch") && slices.ContainsFunc(p.a.Subcommands[min(l.subs, len(p.a.Subcommands)):],
		func(sub analysis.Subcommand) bool { return strings.EqualFold(sub.Program, name) })
}

// endLoop notes a loop without an end, or of very many rounds, of which every round starts something and waits for
// nothing.
func (p *psParser) endLoop(l psLoop, forever bool) {
	if p.dry || !forever {
		return
	}
	var started []shell.Span
	body := p.a.Subcommands[min(l.subs, len(p.a.Subcommands)):]
	for i := range body {
		if startsApart(&body[i]) {
			started = append(started, body[i].Span)
		}
	}
	apart := func(at shell.Span) bool { // in what is started
		return slices.ContainsFunc(started, func(s shell.Span) bool { return s != at && s.Contains(at) })
	}
	leaves := func(at int) bool { return !apart(p.place(shell.Span{Start: at, End: at + 1})) }
	waits := func(sub analysis.Subcommand) bool { return pauses(&sub) && !apart(sub.Span) }
	ends := slices.ContainsFunc(p.leaves[l.leaves:], leaves) || slices.ContainsFunc(body, waits)
	if len(started) > 0 && !ends {
		p.a.Endless = append(p.a.Endless, p.place(shell.Span{Start: l.at, End: p.i}))
	}
}

// startsApart reports whether a command starts a program or a job and does not wait for it: programs with a window are
// never waited for.
func startsApart(sub *analysis.Subcommand) bool {
	const starts = "start-process start-job start-threadjob invoke-item explorer notepad calc mspaint start"
	return shell.Listed(starts, CmdletName(sub.Program)) && !slices.ContainsFunc(sub.Argv, isWait)
}

func isWait(w shell.Word) bool { return strings.HasPrefix(strings.ToLower(w.Text), "-wa") }

// pauses reports whether a command waits, so that a loop does not start things as fast as it can.
func pauses(sub *analysis.Subcommand) bool {
	const waits = "start-sleep wait-process wait-job wait-event receive-job read-host timeout pause choice sleep"
	return shell.Listed(waits, CmdletName(sub.Program)) || slices.ContainsFunc(sub.Argv, isWait)
}
