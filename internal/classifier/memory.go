package classifier

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/gate/state"
)

// A memory is what the classifier said in a session. Its zero value remembers nothing.
type memory struct {
	store            *state.Store // nil where nothing is kept
	kept             state.Verdicts
	session, project string
	key              string // "" where the verdict is not kept
	limit            int    // of denials in a row
}

func (m *memory) find() *state.Said {
	if m.key == "" {
		return nil
	}
	return m.kept.Find(m.key)
}

// note keeps a verdict and counts the denials in a row. That nothing can be written
// takes nothing from the verdict.
func (m *memory) note(j decide.Judgement) decide.Judgement {
	fresh := j.Source == decide.ByOperator && m.key != ""
	change := func(v *state.Verdicts) {
		switch j.Verdict {
		case decide.AutoAllow:
			v.Denials = 0
		case decide.AutoHardDeny:
			j.Tired = v.Denials >= m.limit
			v.Denials++
		}
		if fresh {
			v.Add(state.Said{Key: m.key, Verdict: j.Verdict, Reason: j.Reason, Until: m.store.Now.Add(state.VerdictAge)})
		}
	}
	counts := j.Verdict == decide.AutoHardDeny || j.Verdict == decide.AutoAllow && m.kept.Denials > 0
	if m.store != nil && (fresh || counts) && m.store.Note(m.session, m.project, change) != nil {
		fresh = false
		change(&m.kept)
	}
	return j
}

// maxKey bounds the key of a verdict that is kept, in bytes: those of a session are
// read at every call.
const maxKey = 4 << 10

// key is all that a verdict depends on, written out: a hash would be shorter, and the
// packages of a good one cost every call of the hook at its start. A call that holds a
// secret has none, for the key is written to the disk.
func (k *Classifier) key(c *decide.Case, r *request, p *operator.Program, file string) string {
	if r.cut || len(r.canonical) > maxKey || bytes.Contains(r.input, []byte(redact.Mark)) {
		return ""
	}
	call, pol := c.Call, c.Policy
	parts := []string{
		call.Host.Name, call.Tool, call.RawTool, string(r.canonical), string(r.b[r.analysis:]), call.Dir, call.AgentType, fmt.Sprint(call.Subagent()),
		pol.Cwd.Given, pol.Cwd.Real, pol.Project.Given, pol.Project.Real, pol.Mode.Value, pol.Hash(), fmt.Sprintf("%+v", *k.Flags),
		pol.Posture.Classifier.Value, identity(file),
	}
	for _, arg := range p.Command[1:] {
		if filepath.IsAbs(arg) {
			parts = append(parts, identity(arg))
		}
	}
	key := fmt.Sprintf("%q", parts)
	if _, secret := redact.Text(key); secret || len(key) > maxKey {
		return ""
	}
	return key
}

// identity tells a file from another one in its place.
func identity(name string) string {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return name + " is not there"
	}
	info, err := os.Stat(real)
	if err != nil {
		return name + " is not there"
	}
	return strings.Join([]string{name, real, fmt.Sprint(info.Size()), fmt.Sprint(info.ModTime().UnixNano())}, " ")
}
