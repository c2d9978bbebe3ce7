package conformance

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// operator lets a program answer as the operator's approver or classifier: a word
// and a reason. It is a real one, echo, by its bare name: its path would be none of the setup's system on Windows. The
// value of its key is returned.
func (s *Setup) operator(t *testing.T, key, says string) string {
	t.Helper()
	if _, err := exec.LookPath("echo"); err != nil {
		t.Skip("there is no echo: ", err)
	}
	answer, reason, _ := strings.Cut(says, " ")
	member := map[string]string{"approver": "answer", "classifier": "verdict"}[key]
	line, _ := json.Marshal(map[string]string{member: answer, "reason": reason})
	value, _ := json.Marshal(map[string]any{"command": []string{"echo", string(line)}})
	flags := &gate.Flags{State: t.TempDir()}
	world := func() gate.World { return (&Setup{Cwd: "/work/project", Home: "/home/dev"}).world() } // nothing is saved
	wait := func(time.Duration) func() { return func() {} }
	s.Before = func(c *decide.Case) {
		c.World.Environ = func() []string { return []string{"PATH=" + os.Getenv("PATH")} }
		if key == "classifier" {
			c.Classify = (&operator.Asker{Flags: flags, Afresh: true}).Judge
		} else {
			no := func(*decide.Case, decide.Verdict, *gate.Flags, gate.World) (session, always operator.Saving) {
				return operator.Saving{Why: "not here"}, operator.Saving{Why: "not here"}
			}
			c.Approve = (&operator.Asker{Flags: flags, World: world, Err: io.Discard, Wait: wait, Propose: no}).Approve
		}
	}
	return string(value)
}
