package decide

import (
	"github.com/permgate--owner/permgate/decide/internal/verdict"
)

// A Step is one line of the security argument, as help and explain tell it. Decide is the argument itself.
type Step struct{ Num, Name, Doc string }

// Steps are those of which the first with an opinion answers, in the order of Decide.
var Steps = [...]Step{
	{"1", "deny", "a deny of any scope is final: nothing below can lift it"},
	{"2", "immune", "always asks; no rule, mode or session grant can skip it"},
	{"3", "bypass", "the user switched prompts off for everything but steps 1 and 2, and 3b for what the whole machine uses"},
	{"3b", "workspace", "writes outside the project are asked about before any grant counts"},
	{"4", "session", "what the user granted for this session"},
	{"5", "ask", "ask rules override allow rules"},
	{"6", "allow", "an allow rule must cover every part of the call"},
	{"7", "mode", "no rule matched: the mode decides"},
}

// LaterSteps change an answer of those: the first two only make it stricter, the last one takes a question back.
var LaterSteps = [...]Step{
	{"0", "load", "a settings file that cannot be used turns every allow of steps 3 to 7 into an ask"},
	{"8", "coercion", "where no prompt is possible (subagents, --headless, dontAsk), ask is deny"},
	{verdict.Approver{}.Num(), "approver",
		"the program named in approver is asked where an ask would become deny because no one is there; never about a deny"},
}

// HostSteps are step 9, in order: they turn the verdict into what the host is told.
var HostSteps = [...]Step{
	{"9", "host", "an ask that the program would ignore is denied, an allow that only an untrusted rule explains is asked about"},
	{"9", "handback", "a deny that is no more than the program's own mode is the ask it was made of"},
	{"9", "silence", "nothing is told where the program asks or decides by itself"},
	{"9", "unseen", "an ask that the program does not show in its mode is denied"},
}

// StepOf is a step by its number, the zero Step for none.
func StepOf(num string) Step {
	for _, list := range [...][]Step{Steps[:], LaterSteps[:], HostSteps[:]} {
		for _, s := range list {
			if s.Num == num {
				return s
			}
		}
	}
	return Step{}
}
