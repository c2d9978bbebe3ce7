package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
)

// Record makes a test of a call that was decided: the shortest that makes the
// same call, leads to the same answer for the same reason, and expects it. given
// is what the context has to say in any case; mode and host of the call are
// added where the answer depends on them.
func (r *Runner) Record(c *decide.Input, v decide.Verdict, given Context) (*Test, error) {
	if c.Call.Malformed != "" {
		return nil, errors.New("the call is malformed: " + c.Call.Malformed)
	}
	base, err := r.base(c, given)
	if err != nil {
		return nil, err
	}
	made := false
	for _, t := range spellings(c.Call) {
		for _, context := range contexts(base, c.Call) {
			t.Context = context
			verdict, err := r.Decide(t)
			if err != nil || !sameCall(verdict.Input().Call, c.Call) {
				continue
			}
			made = true
			if t.Want = verdict.Decision().String(); !sameAnswer(v, verdict) {
				continue
			}
			if _, err := t.Line(); err != nil {
				return nil, err
			}
			return t, nil
		}
	}
	if !made {
		return nil, errors.New("a test line cannot express this call")
	}
	return nil, fmt.Errorf("the answer (%s, step %s) depends on something a test line cannot express, such as session grants", v.Decision(), v.Step())
}

// base is the context that a test of the call has in any case.
func (r *Runner) base(c *decide.Input, given Context) (Context, error) {
	if dir, of := c.Policy.Cwd.Given, r.World.OS.Canon(r.Dir); dir != of {
		given.Cwd = dir
		if rel, ok := strings.CutPrefix(dir, strings.TrimSuffix(of, "/")+"/"); ok {
			given.Cwd = rel
		}
	}
	if given.Agent == "" && c.Call.Subagent() {
		if given.Agent = c.Call.AgentType; given.Agent == "" {
			return given, errors.New("the call comes from a subagent without a name")
		}
	}
	// Each value has to come back from its line: none that a line could not hold.
	if f := Parse("", strings.Join(Context{}.To(given), "\n")); len(f.Errors) > 0 || f.End != given {
		return given, fmt.Errorf("a test line cannot express where the call is made: %s", hookio.Escape(given.String()))
	}
	return given, nil
}

// contexts are the contexts to try, the shortest first.
func contexts(base Context, call *hookio.Call) []Context {
	mode, host := call.Mode, ""
	if checkMode(mode) != nil {
		mode = ""
	}
	if call.Host.Name != "generic" {
		host = call.Host.Name
	}
	all := []Context{base}
	add := func(mode, host string) {
		with := base
		if with.Mode == "" {
			with.Mode = mode
		}
		if with.Host == "" {
			with.Host = host
		}
		if !slices.Contains(all, with) {
			all = append(all, with)
		}
	}
	add("", host)
	add(mode, "")
	add(mode, host)
	return all
}

// spellings are the ways to write a call: what its tool is called on, and its whole input.
func spellings(call *hookio.Call) []*Test {
	text := ""
	switch {
	case call.Command != "":
		text = call.Command
	case len(call.Args) > 0:
		text = call.Args[0].Path
	case call.URL != "":
		text = call.URL
	default:
		text = call.Name
	}
	out := []*Test{Spelled(call.OwnTool(), text)}
	var b bytes.Buffer
	if json.Compact(&b, []byte(call.Input.Raw)) == nil {
		out = append(out, &Test{Tool: call.OwnTool(), Argument: b.String(), Given: true})
	}
	return out
}

// sameCall reports whether rules and checks see the same in two calls.
func sameCall(a, b *hookio.Call) bool {
	return a.HasName == b.HasName &&
		slices.Equal(
			[]string{a.Tool, a.Server, a.Command, a.Dir, a.URL, a.Name, a.Malformed},
			[]string{b.Tool, b.Server, b.Command, b.Dir, b.URL, b.Name, b.Malformed},
		) &&
		slices.EqualFunc(
			[][]string{a.AlsoURL, a.Under, a.AlsoTool},
			[][]string{b.AlsoURL, b.Under, b.AlsoTool},
			slices.Equal,
		) &&
		slices.Equal(a.Args, b.Args)
}

// sameAnswer reports whether two verdicts are one, for one reason.
func sameAnswer(v, w decide.Verdict) bool {
	sameRule := v.Why().Rule == w.Why().Rule || v.Why().Rule != nil && w.Why().Rule != nil && *v.Why().Rule == *w.Why().Rule
	return v.Decision() == w.Decision() && v.Why().Check == w.Why().Check && sameRule && slices.Equal(
		[]string{v.Step(), v.Origin(), v.Why().Part, v.Input().Policy.Mode.Value},
		[]string{w.Step(), w.Origin(), w.Why().Part, w.Input().Policy.Mode.Value},
	)
}

// Append returns a file's text with a test added after the context lines it
// needs, and the test's line, from 1; added is false if it is there.
func Append(name, text string, t *Test) (out string, line int, added bool, err error) {
	f := Parse(name, text)
	if len(f.Errors) > 0 {
		return "", 0, false, &f.Errors[0]
	}
	own, err := t.Line()
	if err != nil {
		return "", 0, false, err
	}
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	for i := range f.Tests {
		if have, err := f.Tests[i].Line(); err == nil && have == own && f.Tests[i].Context == t.Context {
			return text, f.Tests[i].Pos.Line, false, nil
		}
	}
	out = text
	switch {
	case out == "":
		out = header
	case !strings.HasSuffix(out, "\n"):
		out += end
	}
	for _, l := range append(f.End.To(t.Context), own) {
		out += l + end
	}
	again := Parse(name, out)
	if n := len(again.Tests); len(again.Errors) > 0 || n != len(f.Tests)+1 || again.Tests[n-1].Context != t.Context {
		return "", 0, false, errors.New("a test line cannot express this call")
	}
	return out, again.Tests[len(again.Tests)-1].Pos.Line, true, nil
}

// header is what a new file begins with.
const header = "# Policy tests, run by permgate test. permgate help test says how a line is written.\n"
