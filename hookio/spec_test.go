package hookio

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/tidwall/gjson"
)

// A block is one JSON example of the protocols' description, with its section.
type block struct {
	section string
	json    string
}

// specBlocks returns the fenced JSON examples of hosts.md; the test is skipped
// where it is not there.
func specBlocks(t *testing.T) []block {
	var out []block
	section, fenced := "", false
	for _, line := range strings.Split(string(testenv.Corpus(t, "spec/hosts.md")), "\n") {
		switch {
		case strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "):
			section, _, _ = strings.Cut(strings.TrimLeft(line, "# "), " ")
		case line == "```json":
			fenced = true
			out = append(out, block{section: section})
		case line == "```":
			fenced = false
		case fenced:
			out[len(out)-1].json += line + "\n"
		}
	}
	return out
}

// specHost names the host a section is about; a title in capitals is a program
// without adapter.
func specHost(section string) string {
	for _, s := range [...]Pair{
		{"1.", "claude"}, {"2.", "san"}, {"3.8", "vscode"}, {"3.", "copilot"}, {"4.", "codex"}, {"5.1", "gemini"}, {"5.2", "qwen"}, {"6.", "cursor"},
		{"7.10", "antigravity"}, {"7.11", "grok"}, {"7.1", "droid"}, {"7.2", "Cline"}, {"7.3", "Windsurf"}, {"7.7", "crush"}, {"7.9", "goose"},
	} {
		if strings.HasPrefix(section, s.From) || section+"." == s.From {
			return s.To
		}
	}
	return ""
}

// TestSpecExamples takes every example of hosts.md: a payload is recognised as
// its section's host, or refused where there is no adapter, and the answers have
// the keys the section shows.
func TestSpecExamples(t *testing.T) {
	blocks := specBlocks(t)
	payloads, answers := 0, 0
	for _, b := range blocks {
		if !json.Valid([]byte(b.json)) {
			t.Fatalf("section %s: no JSON: %s", b.section, b.json)
		}
		p := gjson.Parse(b.json)
		if !isPayload(p) {
			continue
		}
		payloads++
		name := specHost(b.section)
		h := Lookup(name)
		sniffed, err := Read(strings.NewReader(b.json), Options{})
		if h == nil {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("section %s: %q is no host, the payload is read as one of %v (%v)", b.section, name, sniffed, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("section %s: %v: %s", b.section, err, b.json)
			continue
		}
		c := read(t, b.json, Options{Host: name})
		if c.Host != h || sniffed.Host != h && (c.Event.Decides() || sniffed.Host != &generic) {
			t.Errorf("section %s: hosts %s and %s: %s", b.section, c.Host.Name, sniffed.Host.Name, b.json)
		}
		if c.Event.Decides() {
			if c.Malformed != "" {
				t.Errorf("section %s: malformed: %s", b.section, c.Malformed)
			}
			answers += compareAnswers(t, blocks, b.section, c)
		}
	}
	t.Log(payloads, "payloads,", answers, "answers compared")
	if payloads < 20 || answers < 12 {
		t.Errorf("%d payloads, %d answers: the examples are not found", payloads, answers)
	}
}

func isPayload(payload gjson.Result) bool {
	p := topOf(payload.Raw)
	return p.Has("hook_event_name") || p.Has("hookEventName") || p.Has("toolName") || p.Has("event") || p.Has("toolCall") ||
		p.Has("agent_action_name") || p.Has("hookName")
}

// compareAnswers compares our lines for a call with the answers its section
// shows: every key of one must be in ours with the same word for the decision.
func compareAnswers(t *testing.T, blocks []block, section string, c *Call) (n int) {
	for _, b := range blocks {
		p := gjson.Parse(b.json)
		if specHost(b.section) != specHost(section) || isPayload(p) || p.Get("hooks").Exists() {
			continue
		}
		want := leaves("", p, nil)
		d := Pass
		for _, leaf := range want {
			for e := Allow; e <= Deny; e++ {
				if strings.HasSuffix(leaf, "="+e.String()) {
					d = e
				}
			}
			if strings.HasSuffix(leaf, "=block") {
				d = Deny
			}
		}
		request := p.Get("behavior").Exists() || p.Get("hookSpecificOutput.hookEventName").String() == "PermissionRequest"
		line := string(Write(nil, c, Answer{Decision: d, Reason: "why"}))
		if d == Pass || request != (c.Event == PermissionRequest) || line == "" || d == Ask && c.Host.askIs(c) != AskPrompts {
			continue
		}
		got := leaves("", gjson.Parse(line), nil)
		for _, leaf := range want {
			if i := sort.SearchStrings(got, leaf); i >= len(got) || got[i] != leaf {
				t.Errorf("section %s, %s %s: %s has not %s, which stands in %s", section, c.Host.Name, c.RawEvent, line, leaf, b.json)
			}
		}
		n++
	}
	return n
}

// leaves lists the keys of an answer as paths; those of the decision with its
// value. What an answer may have besides is left out.
func leaves(path string, v gjson.Result, out []string) []string {
	v.ForEach(func(k, v gjson.Result) bool {
		at := path + "." + k.Str
		switch k.Str {
		case "updatedInput", "updatedPermissions", "interrupt", "continue":
		case "permissionDecision", "behavior", "decision", "permission", "hookEventName":
			if !v.IsObject() {
				out = append(out, at+"="+v.Str)
				break
			}
			out = leaves(at, v, out)
		default:
			if v.IsObject() {
				out = leaves(at, v, out)
			} else {
				out = append(out, at)
			}
		}
		return true
	})
	sort.Strings(out)
	return out
}
