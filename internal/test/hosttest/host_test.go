package hosttest

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/agents"
)

// A Host is one agent program that can be driven: where it is from, how it is started without a person,
// and how its hooks are written. Adding a host is one literal in a file of its own.
type Host struct {
	Name    string // permgate's name of it (--host)
	Title   string
	Package string // on npm
	Folder  string // name below the cache directory, without the version
	Version string // the release that is driven; Install sets it
	Node    string // release of Node.js it needs, "" if it is a program of its own or any will do

	Program func(dir string) []string // the files that start it, below the npm folder dir
	API     Protocol
	Shell   func(command string) ToolCall // its own shell tool
	// Launch writes the configuration of s and returns arguments and environment on top of the common ones.
	Launch func(t testing.TB, s *Session) (args, env []string)

	ExecForm bool   // an entry can name a program and its arguments, without a shell
	Gates    []Gate // the first is that of every tool call

	// Scene returns calls of many kinds, for the payloads they lead to; nil if none. They are made
	// in ScenePosture, or the last of the first gate, with hooks on Events.
	Scene        func(t testing.TB, s *Session) []Conversation
	ScenePosture Posture
	Events       []string
	Sent         []Sent // one row for each of Events
	SentEnv      string // names of the variables it adds to the hook's environment
}

// Sent is what a host sends for one event: names of the payload's members, in order. A name that ends
// in ? is not in every payload; no names: the event did not come.
type Sent struct{ Event, Keys string }

// A Gate is one event whose answer decides.
type Gate struct {
	Event    string // as the host spells it
	Postures []Posture
	Answer   func(decision string) string // JSON of an answer with the reason "probe"

	// Switch is what install adds so that a failing hook blocks: a key of the
	// entry, or blocking; "" for nothing.
	Switch string

	Other string // a deny in the form of other hosts (flat instead of nested, or the other way round)
	Wrong string // a deny with the name of another event, "" where the answer names none
	Seen  []Seen // observed on every release up to that of hookio's Driven
}

// A Posture is what the host would do with a call if no hook had an opinion.
type Posture struct {
	// Name is "prompt" where it would ask a person, and no one is there, "rule"
	// where a rule of its own allows, and "bypass" where it asks no one.
	Name string
	Args []string
	Call map[string]any // further fields of the tool call
	// Approves: whom the host asks is there and says yes; in the other postures no one is.
	Approves bool
	// Errand is the call that starts a subagent in the background with the task errandPrompt; the calls of
	// the posture are then its calls. nil: they are those of the main session.
	Errand *ToolCall
	// Skills: the calls are of skills of the project, whose texts hold the commands.
	Skills bool
}

// errandPrompt is the task of a posture's subagent.
const errandPrompt = "run the errand"

// Seen is one row of a host's table: a behaviour of Behaviours and whether the tool ran, one letter per
// posture in their order: y it ran, n it was refused and the model told, e the session ended without the
// call, h it waited for a person for ever.
// With and without the fail-closed switch; Closed is "" where the host has none.
type Seen struct{ Behaviour, Open, Closed string }

// seen reads rows by what the behaviours led to: "nyy nnn: exit1 killed" are two, open nyy and closed nnn.
func seen(lines ...string) (rows []Seen) {
	for _, line := range lines {
		letters, names, _ := strings.Cut(line, ":")
		open, closed, _ := strings.Cut(letters, " ")
		for _, name := range strings.Fields(names) {
			rows = append(rows, Seen{name, open, closed})
		}
	}
	return rows
}

// A Hook is one command hook as a test wants it; the host writes it in its own form.
type Hook struct {
	Event      string
	Command    string   // a shell text, or a program when Args is not nil
	Args       []string // not nil: started without a shell where the host can
	Timeout    int      // seconds
	FailClosed bool     // add the gate's Switch
	Async      bool
}

// probeTimeout is the time limit of a probe's hook, in seconds.
const probeTimeout = 2

// idleLimit is how long a host may do nothing between two requests to its model: longer than a start
// and a hook's time limit, on a machine that has other work too.
const idleLimit = time.Minute

// Hosts lists the hosts of this package.
var Hosts = []*Host{&Claude, &Codex, &GeminiCLI, &Qwen, &Copilot, &Droid, &Opencode, &Kilo}

// blocking is the Switch of hosts where only exit code 2 blocks: it comes before the command.
const blocking = agents.Blocking

// nestedHooks renders the hooks object of Claude Code's settings, which several hosts share. unit is
// how many of the host's time units make a second.
func nestedHooks(hooks []Hook, unit int, failClosed string) map[string]any {
	out := map[string]any{}
	for _, h := range hooks {
		entry := map[string]any{"type": "command", "command": h.Command}
		if h.Args != nil {
			entry["args"] = h.Args
		}
		if h.Timeout > 0 {
			entry["timeout"] = h.Timeout * unit
		}
		switch {
		case !h.FailClosed:
		case failClosed == blocking:
			entry["command"] = blocking + h.Command
		case failClosed != "":
			entry[failClosed] = "block"
		}
		if h.Async {
			entry["async"] = true
		}
		group := map[string]any{"matcher": "*", "hooks": []any{entry}}
		list, _ := out[h.Event].([]any)
		out[h.Event] = append(list, group)
	}
	return out
}

// nestedAnswer is a PreToolUse answer in Claude Code's form.
func nestedAnswer(decision string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"` + decision + `","permissionDecisionReason":"probe"}}`
}

// nestedWrong is a deny that names another event.
const nestedWrong = `{"hookSpecificOutput":{"hookEventName":"PostToolUse",` +
	`"permissionDecision":"deny","permissionDecisionReason":"probe"}}`

// dialogAnswer is a PermissionRequest answer in Claude Code's form.
func dialogAnswer(behavior string) string {
	message := `,"message":"probe"`
	if behavior == "allow" {
		message = ""
	}
	return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest",` +
		`"decision":{"behavior":"` + behavior + `"` + message + `}}}`
}

// dialogFlat and dialogWrong are denials without the wrapper, and with the name of another event.
const (
	dialogFlat  = `{"behavior":"deny","message":"probe"}`
	dialogWrong = `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"decision":{"behavior":"deny","message":"probe"}}}`
)

// flatDeny is a deny in the form of hosts that do not nest, in all spellings known.
const flatDeny = `{"permissionDecision":"deny","permissionDecisionReason":"probe"}`

// jsonText renders v; it is for values that always marshal.
func jsonText(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// nodePackage is the npm package that holds nothing but the Node.js program for this platform.
func nodePackage() string {
	system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
	return "node-" + system + "-" + arch
}

func nodeBinary(dir string) string {
	name := "node"
	if runtime.GOOS == "windows" {
		name = "node.exe"
	}
	return filepath.Join(dir, "node_modules", nodePackage(), "bin", name)
}
