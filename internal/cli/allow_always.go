package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"permgate/decide"
	"permgate/hookio"
	"permgate/internal/approver"
	"permgate/internal/gate"
	"permgate/internal/propose"
	"permgate/rules"
)

// Always is what permgate allow --yes would write for a call of the hook.
func Always(c *decide.Case, v decide.Verdict, f *gate.Flags, w gate.World) approver.Saving {
	var said bytes.Buffer
	e := &env{in: strings.NewReader(""), out: io.Discard, err: &said, world: w, cmd: "permgate"}
	var host *hookio.Host
	if c.Call.Named {
		host = c.Call.Host
	}
	o := &allowOptions{scope: rules.Local.String(), writeOptions: writeOptions{yes: true}}
	file, err := e.settingsFile(c.Policy, host, o.scope)
	if err != nil {
		return approver.Saving{Why: err.Error()}
	}
	a := &allowing{env: e, o: o, c: c, v: v, flags: f, file: file, host: host}
	a.into = propose.Into{List: rules.Allow, Scope: rules.Local, Claude: a.claude()}
	proposals, refusal := propose.For(c, v, a.into)
	if refusal != nil {
		return approver.Saving{Why: refusal.Why}
	}
	var s approver.Saving
	for i := range proposals {
		s.Rules = append(s.Rules, proposals[i].Rule)
	}
	s.Save = func() error {
		if why, err := a.holds(s.Rules); err != nil {
			return err
		} else if why != "" {
			return fmt.Errorf("%s would do nothing in %s: %s", strings.Join(s.Rules, ", "), a.path(file), why)
		}
		if done, _ := a.write(&o.writeOptions, func() ([]*change, error) { return a.plan(s.Rules) }); !done || said.Len() > 0 {
			return errors.New(strings.TrimPrefix(strings.TrimSpace(said.String()), "permgate: "))
		}
		return nil
	}
	return s
}
