package differ

import (
	"github.com/permgate--owner/permgate/internal/test/spec"
)

// A host is a program that stands for a kind of hosts, and how it spells a call.
type host struct {
	kind     spec.Host
	name     string // of --host; "" for none
	dialog   bool   // it has an event PermissionRequest
	event    string // key of the name of the event
	pre      string // its name of PreToolUse
	cwd      string // key of the working directory
	tools    map[string]string
	fields   map[string]string
	modes    map[spec.Mode]string // where its name of a mode is not ours; "" for one it cannot send
	claude   bool                 // it sends where transcript and scratch files are
	noSilent bool                 // its hook prints silence for an allow too
}

func hosts() []host {
	std := host{event: "hook_event_name", pre: "PreToolUse", cwd: "cwd", dialog: true}
	named := func(kind spec.Host, name string, change func(*host)) host {
		h := std
		h.kind, h.name = kind, name
		if change != nil {
			change(&h)
		}
		return h
	}
	auto := map[spec.Mode]string{spec.AcceptEdits: "auto", spec.Auto: ""}
	return []host{
		named(spec.Bare, "", nil),
		named(spec.Full, "claude", func(h *host) { h.claude = true }),
		named(spec.Plain, "gen", func(h *host) { h.modes = auto }),
		named(spec.Plain, "san", func(h *host) { h.modes = auto }),
		named(spec.NoPrompt, "droid", func(h *host) {
			h.dialog, h.noSilent = false, true
			h.tools = map[string]string{"Bash": "Execute", "Write": "Create"}
		}),
		named(spec.Unasking, "crush", func(h *host) {
			h.dialog, h.event = false, "event"
			h.tools = map[string]string{"Bash": "bash", "Read": "view", "Write": "write", "Edit": "edit"}
		}),
		named(spec.Runs, "goose", func(h *host) {
			h.dialog, h.event, h.cwd = false, "event", "working_dir"
			h.tools = map[string]string{"Bash": "developer__shell", "Write": "developer__write", "Edit": "developer__edit"}
			h.fields = map[string]string{"developer__write": "path", "developer__edit": "path"}
		}),
	}
}

// hostOf is the host of a case: one of its kind.
func hostOf(d *drawn) host {
	var of []host
	for _, h := range hosts() {
		if h.kind == d.Host {
			of = append(of, h)
		}
	}
	return of[d.Tree%uint64(len(of))]
}

// dialogs reports whether all hosts of a kind ask when their dialog opens, too.
func dialogs(kind spec.Host) bool {
	return kind == spec.Bare || kind == spec.Plain || kind == spec.Full
}

// modeNames are permgate's names of the modes.
var modeNames = map[spec.Mode]string{
	spec.Bypass: "bypassPermissions", spec.Auto: "auto", spec.AcceptEdits: "acceptEdits", spec.Default: "default",
	spec.Plan: "plan", spec.DontAsk: "dontAsk", spec.Explore: "explore",
}

// modeOf is how the host of a case spells a mode; "" where it cannot.
func modeOf(d *drawn, m spec.Mode) string {
	if name, ok := hostOf(d).modes[m]; ok {
		return name
	}
	return modeNames[m]
}

// payload is what the host sends of a case.
func (t *tree) payload(d *drawn, c *call) map[string]any {
	h := hostOf(d)
	event := h.pre
	if d.Event == spec.PermissionRequest {
		event = "PermissionRequest"
	}
	tool, input := c.tool, c.input
	if name := h.tools[tool]; name != "" {
		tool = name
	}
	if key := h.fields[tool]; key != "" {
		input = map[string]any{key: input["file_path"]}
	}
	p := map[string]any{h.event: event, "session_id": c.session, h.cwd: t.project, "tool_name": tool, "tool_input": input}
	if d.Payload != spec.NoMode {
		p["permission_mode"] = modeOf(d, d.Payload)
	}
	if d.Caller != spec.Main {
		p["agent_id"], p["agent_type"] = "a1", c.agent
	}
	if h.claude {
		p["transcript_path"], p["scratchpad_dir"] = t.transcripts+"/s.jsonl", t.scratch
	}
	return p
}
