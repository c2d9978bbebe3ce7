// Package agents knows where each agent program keeps its hooks, what the entry
// to add looks like, and how to tell that it is there.
package agents

import (
	"path"
	"runtime"
	"strings"

	"permgate/internal/edit"
)

// An Agent is one program permgate can register itself with.
type Agent struct {
	Name      string // as --host takes it
	Title     string
	Folder    string    // settings folder in the home directory and in a project
	ConfigVar string    // environment variable that moves the user's folder; "" for none
	managed   [3]string // managed folder on Linux, macOS, Windows

	// ExecForm: handlers take "args", so that no shell reads the path.
	ExecForm bool
	// OnFailure: handlers take "onFailure": "block".
	OnFailure bool
	// Inherits: the program also runs the hooks of .claude files, until its own
	// files hold an entry for the same event.
	Inherits bool

	Events  []string // events to register, in this order
	Posture []Key    // recommended keys of permgate.json, in this order
	Notes   []string // what a user of some version has to know
	Source  string   // where the facts are from
}

// A Key is one setting with its value as JSON.
type Key struct{ Name, JSON string }

// List holds every agent in the order help prints them.
var List = [...]Agent{
	{
		Name: "claude", Title: "Claude Code", Folder: ".claude", ConfigVar: "CLAUDE_CONFIG_DIR",
		managed:  [3]string{"/etc/claude-code", "/Library/Application Support/ClaudeCode", `C:\Program Files\ClaudeCode`},
		ExecForm: true, OnFailure: true,
		Events: []string{"PreToolUse", "PermissionRequest"},
		Posture: []Key{
			{"catastrophic", `"deny"`}, {"onUnmatched", `"defer"`}, {"subagents", `"host"`}, {"projectTrust", `"require"`},
			{"expandScripts", "true"},
		},
		Notes: []string{
			"before Claude Code 2.1.295 onFailure is ignored: a hook that crashes or times out there lets the call go on to Claude's own rules",
		},
		Source: "code.claude.com/docs hooks (2026-08), onFailure from 2.1.295 (2026-10)",
	},
	{
		Name: "gen", Title: "Gen", Folder: ".gen", Inherits: true,
		managed: [3]string{"/etc/gen", "/Library/Application Support/Gen", `C:\Program Files\Gen`},
		Events:  []string{"PreToolUse", "PermissionRequest"},
		Posture: []Key{{"catastrophic", `"deny"`}, {"onUnmatched", `"defer"`}, {"projectTrust", `"require"`}, {"expandScripts", "true"}},
		Notes: []string{
			"gencode 1.14.0 to 1.15.7 read this entry but never call the hook; use 1.13.0, or its successor San from 1.20.2 on",
			"a hook that times out lets the call go on to Gen's own gate",
		},
		Source: "yanmxa/gencode internal/hook at v1.15.7 (2026-04-30)",
	},
	{
		Name: "san", Title: "San", Folder: ".san", Inherits: true,
		managed: [3]string{"/etc/san", "/Library/Application Support/San", `C:\Program Files\San`},
		Events:  []string{"PreToolUse", "PermissionRequest"},
		Posture: []Key{{"catastrophic", `"deny"`}, {"onUnmatched", `"defer"`}, {"projectTrust", `"require"`}, {"expandScripts", "true"}},
		Notes: []string{
			"San up to 1.22.4 calls PreToolUse for the main agent only, and PermissionRequest not at all: calls of its subagents are not seen here",
			"a hook that times out lets the call go on to San's own gate",
		},
		Source: "genai-io/san internal/hook, internal/setting at v1.22.4 (2026-08-22)",
	},
}

// Lookup returns the agent called name, nil if permgate cannot register itself there.
func Lookup(name string) *Agent {
	for i := range List {
		if List[i].Name == name {
			return &List[i]
		}
	}
	return nil
}

// ManagedDir is the folder an administrator's settings are in.
func (a *Agent) ManagedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return a.managed[1]
	case "windows":
		return a.managed[2]
	}
	return a.managed[0]
}

// Entry is the element to add to hooks.EVENT, as compact JSON.
func (a *Agent) Entry(exe, event string) string {
	return `{"matcher":"*","hooks":[` + a.handler(exe, event) + `]}`
}

func (a *Agent) handler(exe, event string) string {
	var b strings.Builder
	b.WriteString(`{"type":"command"`)
	for _, k := range a.keys(exe, event) {
		b.WriteString(`,"` + k.Name + `":` + k.JSON)
	}
	b.WriteString("}")
	return b.String()
}

// keys are the members of a handler that make it ours. timeout is a default: a
// user's own number is left alone.
func (a *Agent) keys(exe, event string) []Key {
	timeout := Key{"timeout", "10"} // seconds; the gate answers in milliseconds
	if !a.ExecForm {
		command := ShellQuote(exe) + " hook --host " + a.Name + " --event " + event
		if event == "PreToolUse" {
			// exit 2 is the only code that blocks here: without it a missing
			// binary (127) would let every call through
			command += " || exit 2"
		}
		return []Key{{"command", edit.Quote(command)}, timeout}
	}
	keys := []Key{
		{"command", edit.Quote(exe)},
		{"args", `["hook","--host","` + a.Name + `","--event","` + event + `"]`},
		timeout,
	}
	// at PermissionRequest a failure leaves the dialog standing, which is an ask
	if a.OnFailure && event == "PreToolUse" {
		keys = append(keys, Key{"onFailure", `"block"`})
	}
	return keys
}

// ShellQuote returns word so that a POSIX shell reads it as one word.
func ShellQuote(word string) string {
	plain := word != ""
	for _, r := range word {
		if !strings.ContainsRune("/._-+@%:,=", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			plain = false
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isGate reports whether a program is permgate, by its name.
func isGate(program string) bool {
	base := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return base == "permgate" || base == "permgate.exe"
}

// firstWords returns the first two words of a shell command.
func firstWords(command string) (first, second string) {
	words := make([]string, 0, 2)
	var b strings.Builder
	quote, inWord := byte(0), false
	for i := 0; i < len(command) && len(words) < 2; i++ {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'' || quote == '"' && c != '\\':
			b.WriteByte(c)
		case c == '\\' && i+1 < len(command):
			i++
			b.WriteByte(command[i])
			inWord = true
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, b.String())
				b.Reset()
				inWord = false
			}
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	words = append(words, "", "")
	return words[0], words[1]
}
