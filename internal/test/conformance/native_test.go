package conformance

import (
	"encoding/json"
	"strings"
	"testing"
)

// A policy is what a row's "native" holds: the policy of that system in its own
// words. The import of each system, one file each, says it in permgate's.
type policy struct {
	// ExAthena
	Phase     string   `json:"phase"`
	HostPhase string   `json:"host_phase"`
	Tools     []string `json:"allowed_tools"`
	Denied    []string `json:"disallowed_tools"`
	Respect   *bool    `json:"respect_denylist"`
	Callback  string   `json:"can_use_tool"`
	ReadOnly  []string `json:"readonly_tools"`
	Skill     *skill   `json:"active_skill"`
	Hooks     any      `json:"hooks"`
	Parent    *policy  `json:"parent"`
	// caliban
	Rules      []struct{ Tool, Action string }
	Runtime    [][2]string
	AutoAllow  bool   `json:"auto_allow"`
	Latch      bool   `json:"bypass_latch"`
	Classifier string `json:"classifier"`
	Pattern    string
	Workspace  string
	Auto       *struct {
		Disabled    bool
		HardDeny    []string `json:"hard_deny"`
		SoftDeny    []string `json:"soft_deny"`
		Environment []string
	}
	// core-agent
	Allow       []string
	Deny        []string
	Builtin     bool   `json:"use_builtin_allow"`
	ProjectRoot string `json:"project_root"`
	PlanFirst   bool   `json:"require_plan_artifact"`
	Scope       struct {
		Allow []string
		Paths []struct{ Path, Access string } `json:"allow_paths"`
	} `json:"path_scope"`
	// Copilot CLI
	Flags     []string
	Cwd       string
	Locations struct {
		Locations map[string]struct {
			Approvals []approval `json:"tool_approvals"`
		}
	} `json:"permissions-config.json"`
	Managed   json.RawMessage
	Exclusion []string `json:"content_exclusion"`
}

type skill struct {
	Tools []string `json:"allowed-tools"`
}

type approval struct {
	Kind       string
	Commands   []string `json:"commandIdentifiers"`
	ServerName string
	ToolName   string
}

// An imported policy is a policy in permgate's words: lists and keys as its files
// hold them, and the world of the call.
type imported struct {
	Setup
	allow, ask, deny []string
	local            []string            // allow rules the project's local file holds
	dirs             []string            // additionalDirectories
	auto             map[string][]string // lists of autoMode
	locks            map[string]any      // further keys of permissions
	gate             map[string]any      // keys of permgate.json
	grants           []string            // session grants
	managed          map[string][]string
	key, program     string // approver or classifier
}

func (p *imported) operator(t *testing.T, key, says string) {
	p.key, p.program = key, p.Setup.operator(t, key, says)
}

// files writes the policy where permgate reads it.
func (p *imported) files() Setup {
	s := p.Setup
	if s.Cwd == "" {
		s.Cwd = "/work/project"
	}
	permissions := p.locks
	for key, list := range map[string][]string{"allow": p.allow, "ask": p.ask, "deny": p.deny, "additionalDirectories": p.dirs} {
		if len(list) > 0 {
			permissions[key] = list
		}
	}
	if p.program != "" {
		p.gate[p.key] = json.RawMessage(p.program)
	}
	put := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		if _, ok := s.Settings[name]; !ok { // what the row says in permgate's words stays
			s.Settings[name] = string(text)
		}
	}
	put("/home/dev/.gen/settings.json", map[string]any{"permissions": permissions, "autoMode": p.auto})
	put("/home/dev/.gen/permgate.json", p.gate)
	if len(p.local) > 0 {
		put(s.Cwd+"/.gen/settings.local.json", map[string]any{"permissions": map[string]any{"allow": p.local}})
	}
	if len(p.managed) > 0 {
		put("/etc/gen/managed-settings.json", map[string]any{"permissions": p.managed})
	}
	if len(p.grants) > 0 {
		text, _ := json.Marshal(map[string]any{"project": s.Cwd, "allow": p.grants})
		s.Session = string(text)
	}
	return s
}

// native is the setup of a row by its system's own policy, or the reason why that
// is not a call with a policy.
func (r *row) native(t *testing.T) (s Setup, why string) {
	t.Helper()
	for name, why := range inexpressible {
		if name == r.ID || name == r.Tool {
			return s, why
		}
	}
	var n policy
	if err := json.Unmarshal(r.Native, &n); err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	bare := *r
	bare.Settings, bare.Session, bare.Agent, bare.Gate = nil, nil, nil, nil
	p := imported{Setup: bare.setup(), auto: map[string][]string{}, locks: map[string]any{}, gate: map[string]any{}, managed: map[string][]string{}}
	p.Tmp = true
	switch r.System {
	case "exathena":
		p.exathena(t, r, &n)
	case "caliban":
		p.caliban(t, r, &n)
	case "coreagent":
		p.coreAgent(r, &n)
	case "copilot":
		p.copilot(r, &n)
	}
	return p.files(), ""
}

// TestNative answers the rows that hold their own system's policy.
func TestNative(t *testing.T) {
	used, skipped := map[string]bool{}, false
	for _, name := range []string{"exathena", "caliban", "coreagent", "copilot"} {
		t.Run(name, func(t *testing.T) {
			defer func() { skipped = skipped || t.Skipped() }()
			ran, over, not := 0, 0, 0
			for _, r := range rows(t, name) {
				if len(r.Native) == 0 || r.Tier == "head" {
					continue
				}
				s, why := r.native(t)
				if why != "" {
					used[r.ID], used[r.Tool] = true, true
					not++
					continue
				}
				ran++
				if _, ok := ruledBy(r.ID); ok {
					over++
				}
				_, v, err := Call(s)
				r.judge(t, v.Decision().String(), v.Reason(), waiting[r.ID], err)
			}
			t.Logf("%d rows, %d of them overruled; %d are no calls", ran, over, not)
		})
	}
	for id := range inexpressible {
		if !used[id] && !skipped {
			t.Errorf("%s: no such row, and a reason why it is no call", id)
		}
	}
}

// judge compares an answer with the row's. Missing is what the row waits for, "" for nothing.
func (r *row) judge(t *testing.T, got, reason, missing string, err error) {
	t.Helper()
	var want string
	json.Unmarshal(r.Expect, &want)
	right := got == want
	switch want { // rows of one rule, or of a scope
	case "match", "in":
		right = got != "ask" && (got == "deny") == strings.Contains(reason, "deny rule")
	case "nomatch", "out", "suppressed":
		right = got == "ask"
	}
	right = right && err == nil
	by, isOverruled := ruledBy(r.ID)
	switch {
	case missing != "" && right:
		t.Errorf("%s: answers %s as the row expects, so it waits for nothing (%s)", r.ID, got, missing)
	case missing != "":
		t.Logf("%s waits for %s: got %s, want %s: %v", r.ID, missing, got, want, err)
	case err != nil:
		t.Errorf("%s: %v", r.ID, err)
	case isOverruled && right:
		t.Errorf("%s: answers %s as the row expects, so it is not overruled (%s)", r.ID, got, by)
	case !isOverruled && !right:
		t.Errorf("%s: got %s, want %s: %s %s (mode %s, settings %s, native %s): %s", r.ID, got, want, r.Tool, r.Input, r.Mode, r.Settings, r.Native, reason)
	}
}

// each maps the strings of a list and leaves out those that become empty.
func each(list []string, f func(string) string) (out []string) {
	for _, s := range list {
		if s = f(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
