package subcmd

import (
	"runtime"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// Source names what decided: the step, and the rule, the check or the mode.
func (e *Env) Source(v decide.Verdict) string {
	s := "step " + v.Step()
	if v.Origin() != "" && v.Origin() != v.Step() {
		s += " after " + v.Origin()
	}
	switch {
	case v.Why().Rule != nil:
		return s + ": " + e.Place(v.Why().Rule.Pos) + "  " + v.Why().Rule.Text
	case v.Why().Check != nil:
		return s + ": check " + v.Why().Check.ID
	}
	return s + ": " + stepName(v)
}

// stepName is the name of the step that decided; of step 7 with the mode.
func stepName(v decide.Verdict) string {
	if v.Step() == "7" {
		return "mode " + v.Input().Policy.Mode.Value
	}
	return decide.StepOf(v.Step()).Name
}

// Answer says what the host gets in one word, and where that comes from.
func (e *Env) Answer(v decide.Verdict) (word, why string) {
	if why := explain.Silence(v); why != "" {
		return e.Paint()(hookio.Pass, log.Silence), why
	}
	return e.Paint()(v.Decision(), v.Decision().String()), e.Source(v)
}

// AllowHint says how to let a call through from now on, where rules can; args name the call.
func (e *Env) AllowHint(v decide.Verdict, args string) {
	c := v.Input()
	if v.Decision() == hookio.Allow || v.ObserveOnly() {
		return
	}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	into := propose.Into{List: rules.Allow, Scope: rules.Local, Claude: ForClaude(host, c.Policy, rules.Local.String())}
	list, refusal := propose.For(v, into)
	if refusal != nil {
		return
	}
	var texts []string
	for i := range list {
		texts = append(texts, list[i].Rule)
	}
	e.Wrapped("  ", "to allow it from now on: permgate allow "+args+", which proposes "+strings.Join(texts, ", "))
}

// What only a person can do is told as it is typed on this system.

const windows = runtime.GOOS == "windows"

// AsAdmin is a command that needs the rights of the administrator.
func AsAdmin(command string) string {
	if windows {
		return "in a terminal that was opened as administrator: " + command
	}
	return "sudo " + command
}

// AdminExample is an example of such a command.
func AdminExample(command, what string) Example {
	if windows {
		return Example{command, what + "; as administrator"}
	}
	return Example{AsAdmin(command), what}
}

// NotOthers are the commands that take from others what they may do to a file: mode is what chmod is told.
func NotOthers(mode, name string) string {
	if windows {
		name = quoteArgNT(name)
		return "icacls " + name + " /inheritance:d, then icacls " + name + " /remove:g *S-1-1-0 *S-1-5-11 *S-1-5-32-545"
	}
	return "chmod " + mode + " " + QuoteArg(name)
}

// TakeOver is the command that makes a folder the user's.
func TakeOver(dir string) string {
	if windows {
		return AsAdmin("takeown /r /f " + quoteArgNT(dir))
	}
	return "sudo chown -R $(id -u) " + QuoteArg(dir)
}

func quoteArgNT(name string) string { return `"` + hookio.Escape(name) + `"` } // as cmd and PowerShell read it: no name has quotes
