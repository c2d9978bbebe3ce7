package cli

import (
	"fmt"
	"path/filepath"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// recordTest appends the answer to a call to the project's tests.
func recordTest(e *env, o *testOptions, args []string) int {
	call, f, code := o.last.subject(e, &o.callOptions, args, "check", "that call cannot be recorded")
	if call == nil {
		return code
	}
	c := gate.Case(call, f, e.world)
	v := decide.Decide(c)
	t, line, code := o.newTest(e, c, v, f)
	if t == nil {
		return code
	}
	name, err := o.recordFile(e, c.Policy)
	if err != nil {
		return e.fail("", "%v", err)
	}
	at, added, scope := 0, false, rules.Shared
	if o.user {
		scope = rules.User
	}
	done, code := e.write(&o.writeOptions, func() ([]*change, error) {
		ch, err := e.openText(c.Policy, scope.String(), name)
		if err != nil {
			return nil, err
		}
		var text string
		if text, at, added, err = policytest.Append(e.path(name), string(ch.old), t); err != nil {
			return nil, err
		}
		ch.text = []byte(text)
		ch.readable(scope.String())
		return []*change{ch}, nil
	})
	if !done {
		return code
	}
	word := "recorded at"
	if !added {
		word = "is already there, at"
	}
	fmt.Fprintf(e.out, "%s %s:%d\n  %s\n", word, e.path(name), at, hookio.Escape(line))
	e.wrapped("  ", e.short(v.Reason))
	return exitOK
}

// newTest is the test that says what became of a call, and its line; nil when
// there can be none, which it then has said.
func (o *testOptions) newTest(e *env, c *decide.Case, v decide.Verdict, f *gate.Flags) (t *policytest.Test,
	line string, code int) {
	if name := beyondTests(f); name != "" {
		return nil, "", e.fail("remove it; tests run with the settings files only", "a test line cannot express --%s", name)
	}
	runner := policytest.Runner{World: e.world, Dir: c.Policy.Project.Given}
	t, err := runner.Record(c, v, o.context())
	if err != nil {
		return nil, "", e.fail("permgate explain shows the whole decision", "%s cannot be recorded: %v",
			hookio.Escape(gate.Title(c.Call)), err)
	}
	if line, err = t.Line(); err != nil {
		return nil, "", e.fail("", "%v", err)
	}
	if _, secret := redact.Text(line); secret {
		return nil, "", e.fail("write the test by hand, with a placeholder",
			"the call contains what looks like a secret, and the test file is shared")
	}
	return t, line, exitOK
}

// beyondTests names an option that no line of a test stands for, "" for none.
func beyondTests(f *gate.Flags) string {
	for _, o := range [...]struct {
		name string
		set  bool
	}{
		{"settings", len(f.Settings) > 0}, {"add-dir", len(f.AddDirs) > 0}, {"allowedTools", len(f.Allowed) > 0},
		{"disallowedTools", len(f.Denied) > 0}, {"tools", len(f.Tools) > 0}, {"home", f.Home != ""}, {"allow-dangerously-skip-permissions", f.AllowBypass},
	} {
		if o.set {
			return o.name
		}
	}
	return ""
}

// context is what the options say that context lines say too.
func (o *testOptions) context() policytest.Context {
	c := policytest.Context{Mode: o.Mode, Agent: o.Agent, Skill: o.Skill, Host: o.Host, Event: o.Event}
	if o.Headless {
		c.Headless = "on"
	}
	return c
}

// recordFile is the file a test is added to: the one there is, else one in the
// folder in use; of the project, or with --user of the user.
func (o *testOptions) recordFile(e *env, p *rules.Policy) (string, error) {
	scope := rules.Shared
	if o.user {
		scope = rules.User
	}
	settings, err := e.settingsFile(p, nil, scope.String())
	if err != nil {
		return "", err
	}
	folders := []string{filepath.Dir(settings)}
	if o.user {
		users, err := e.postureFolders(hookio.ForUser)
		if err != nil {
			return "", err
		}
		folders = append(folders, users...)
	} else {
		for _, root := range load.Roots {
			folders = append(folders, filepath.Join(p.Project.Given, root))
		}
	}
	for _, file := range policytest.FileNames {
		for _, folder := range folders {
			if name := filepath.Join(folder, file); exists(name) {
				return name, nil
			}
		}
	}
	return filepath.Join(folders[0], policytest.FileName), nil
}
