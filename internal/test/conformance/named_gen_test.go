package conformance

import (
	"encoding/json"
	"math/rand"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// A policyKey is what the policy of a variant depends on.
type policyKey struct {
	variant           int
	host, mode, agent string
}

// A namer makes cases, and keeps what many of them share.
type namer struct {
	r        *rand.Rand
	variants []*variant
	policies map[policyKey]*rules.Policy
	calls    map[string]*hookio.Call
}

// next draws a case; it returns the variant too, and how to make the case again under another policy.
func (n *namer) next(t testing.TB) (*variant, *rules.Policy, func(*rules.Policy) *decide.Case) {
	t.Helper()
	hosts, r := hookio.Hosts(), n.r
	tool := namedTools[r.Intn(len(namedTools))]
	if r.Intn(2) == 0 { // those that reach something, half of the time
		tool = namedReaching[r.Intn(len(namedReaching))]
	}
	in, _ := json.Marshal(namedInput(r, tool))
	event := []string{"PreToolUse", "PreToolUse", "PermissionRequest"}[r.Intn(3)]
	key := policyKey{variant: r.Intn(len(n.variants)), host: hosts[r.Intn(len(hosts))].Name}
	if r.Intn(3) == 0 {
		key.host = "claude"
	}
	key.mode = append([]string{"", "manual", "explore"}, poolModes...)[r.Intn(len(poolModes)+3)]
	if r.Intn(5) == 0 {
		key.agent = []string{"rev", "nobody"}[r.Intn(2)]
	}
	v := n.variants[key.variant]
	flags := v.flags
	flags.Host = key.host
	made := event + tool + string(in)
	first := n.calls[made]
	if first == nil {
		call, err := hookio.Read(strings.NewReader(`{"hook_event_name":"`+event+
			`","cwd":"/work/project","session_id":"s1","tool_name":`+quote(tool)+
			`,"tool_input":`+string(in)+`}`), hookio.Options{})
		if err != nil {
			t.Fatalf("%s %s: %v", tool, in, err)
		}
		n.calls[made], first = call, call
	}
	call := *first
	call.Host, call.Named, call.Mode, call.RawMode = hookio.Lookup(key.host), true, key.mode, key.mode
	call.Transcript, call.Scratch = "/home/dev/.claude/projects/-work-project/s.jsonl", "/tmp/claude-1000/s/scratchpad"
	if key.agent != "" {
		call.AgentID, call.AgentType = "a1", key.agent
	}
	if n.policies[key] == nil {
		n.policies[key] = gate.Policy(&call, &flags, v.world)
	}
	return v, n.policies[key], func(p *rules.Policy) *decide.Case {
		own, c := *p, call // a case may add the directories of its session
		return gate.CaseUnder(&own, &c, &flags, v.world)
	}
}
