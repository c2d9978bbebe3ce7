// Package prove shows that one policy is nowhere laxer than another, or the shortest
// calls for which it is. What the rules match is taken from package rules and compared
// by automata; each call that is reported was decided by decide.Decide first.
package prove

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// A Report is what a proof came to. Its JSON is what --json prints; keys are not renamed
// once released.
type Report struct {
	Version string  `json:"version"`
	Claim   string  `json:"claim"` // what was to be shown, one of Claims, with its pattern
	Verdict Verdict `json:"verdict"`
	Policy  string  `json:"policy"`            // for people
	Other   string  `json:"against,omitempty"` // for people; "" for --never and --always
	Mode    string  `json:"mode"`              // the permission mode it was shown for

	Tools    []string  `json:"tools"`    // of which calls were looked at
	Findings []Finding `json:"findings"` // calls that refute the claim, for each rule responsible the shortest
	Open     []Open    `json:"open"`     // what keeps it from being a proof
	Assumes  string    `json:"assumes"`  // one line; docs/prove.md explains it
}

// A Verdict is the answer. Its number is the exit code.
type Verdict uint8

// The verdicts.
const (
	Holds   Verdict = iota // shown
	Fails                  // refuted by Findings
	Unknown                // neither, see Open
)

// MarshalText writes the word of --json.
func (v Verdict) MarshalText() ([]byte, error) {
	return []byte([...]string{"holds", "fails", "unknown"}[v]), nil
}

// A Finding is one call that refutes the claim.
type Finding struct {
	Kind  string          `json:"kind"` // one of Kinds
	Was   string          `json:"was"`  // deny, ask, silence, allow
	Is    string          `json:"is"`
	Tool  string          `json:"tool"`
	Text  string          `json:"text"`  // the command, path, URL or name
	Input json.RawMessage `json:"input"` // of the tool, as a hook would be sent it
	Rule  string          `json:"rule"`  // responsible, "Bash(git:*)"; or the key of a setting
	List  string          `json:"list"`  // deny, ask, allow
	Scope string          `json:"scope"`
	Place string          `json:"place"` // file:line:col
	Gone  bool            `json:"gone"`  // it is of the other policy only
	Why   string          `json:"why"`   // the reason of the decision now
}

// An Open is a change of which it is not known whether it refutes the claim.
type Open struct {
	Tool  string `json:"tool"`
	Rule  string `json:"rule"`
	Place string `json:"place"`
	Why   string `json:"why"`
}

// Kinds are the ways in which a call refutes a claim: the first three by being answered
// laxer, the next three stricter (Equivalent), the last two Never and Always.
var Kinds = [...]string{"newly allowed", "newly left to the host", "asked instead of denied",
	"no longer allowed", "no longer left to the host", "denied instead of asked", "allowed", "not allowed"}

// parts are groups of the rules that can match the same texts as one that loosens: those
// of commands by the program, since most rules are about one. A part without a program
// has all rules.
func (g *group) parts() []*group {
	var out []*group
	at := map[string]*group{}
	for i := range g.rules {
		if r := &g.rules[i]; r.loosens() {
			program := ""
			if kindOf(g.tool()) == commands {
				program = r.program()
			}
			if at[program] == nil {
				at[program] = g.part(program)
				out = append(out, at[program])
			}
		}
	}
	if all := at[""]; all != nil {
		return []*group{all} // it has every rule
	}
	return out
}

// part is a group with the rules that may be about a program; all of them for "".
func (g *group) part(program string) *group {
	own := *g
	own.about, own.rules = program, nil
	for i := range g.rules {
		r := g.rules[i]
		if of := r.program(); program == "" || of == "" || of == program {
			own.rules = append(own.rules, r)
		}
	}
	return &own
}

// loosened are the rules of a part that are looked at in it: by their number.
func (g *group) loosened() (out []int) {
	for i := range g.rules {
		if r := &g.rules[i]; r.loosens() && (g.about == "" || r.program() == g.about) {
			out = append(out, i)
		}
	}
	return out
}

func (e *entry) program() string { return Program(e.any()) }

// Program is the base name of the program that a pattern of commands names, as deny and
// ask rules compare it; "" where it may match several.
func Program(r *rules.Rule) string {
	word, _, _ := strings.Cut(strings.TrimSpace(r.Pattern), " ")
	word, _, _ = strings.Cut(word, ":")
	if r.Bare || r.Written != "" || word == "" || word == "command" { // command:x is about x
		return ""
	}
	for i := 0; i < len(word); i++ {
		if b := word[i]; b >= 0x80 || !strings.ContainsRune(plainBytes, rune(b)) {
			return ""
		}
	}
	return strings.TrimSuffix(strings.ToLower(path.Base(word)), ".exe")
}

// plainBytes are the characters of names that every reading of a pattern takes for
// themselves.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"

// A trial is one call that may refute the claim.
type trial struct {
	tool, text string
	input      json.RawMessage
	fields     []field // further fields of the input
}

type field struct{ name, value string }

// payload is what a hook would be sent.
func (t *trial) payload() []byte {
	b := hookio.AppendJSON([]byte(`{"hook_event_name":"PreToolUse","tool_name":`), t.tool)
	return append(append(append(b, `,"tool_input":`...), t.input...), '}')
}

// trialOf makes the call of a tool on a text.
func trialOf(tool, text string, fields ...field) *trial {
	t := &trial{tool: tool, text: text, fields: fields}
	var in bytes.Buffer
	in.WriteByte('{')
	switch tool {
	case anyMCP, anyOther:
		t.tool = text
	default:
		fields = withFields(inputOf(tool, text), fields)
	}
	for i, f := range fields {
		if i > 0 {
			in.WriteByte(',')
		}
		in.Write(hookio.AppendJSON(nil, f.name))
		in.WriteByte(':')
		if f.value == "true" || f.value == "false" {
			in.WriteString(f.value)
			continue
		}
		in.Write(hookio.AppendJSON(nil, f.value))
	}
	in.WriteByte('}')
	t.input = in.Bytes()
	return t
}

// withFields is an input with further fields. Those that it has already get the new
// values: a key that is there twice would make it malformed.
func withFields(in, further []field) []field {
	for _, f := range further {
		if at := slices.IndexFunc(in, func(had field) bool { return had.name == f.name }); at >= 0 {
			in[at] = f
		} else {
			in = append(in, f)
		}
	}
	return in
}

// inputOf is the input of a tool that is called on a text.
func inputOf(tool, text string) []field {
	own := field{gate.Primary(tool), text}
	if strings.HasPrefix(tool, "mcp__") {
		own.name = "name"
	}
	switch tool {
	case "Grep", "Glob":
		return []field{{"pattern", "x"}, {"path", text}}
	case "NotebookRead":
		return []field{{"notebook_path", text}}
	case "Edit":
		return []field{own, {"old_string", "x"}, {"new_string", "y"}}
	case "Write":
		return []field{own, {"content", "x"}}
	case "NotebookEdit":
		return []field{own, {"new_source", "x"}}
	case "WebFetch":
		return []field{own, {"prompt", "x"}}
	case "Agent":
		return []field{own, {"description", "x"}, {"prompt", "x"}}
	}
	return []field{own}
}

// call is the call as the hook would see it.
func (t *trial) call(f *gate.Flags, bind func(*hookio.Call)) (*hookio.Call, error) {
	call, err := gate.Canonical(t.payload(), f)
	if err == nil && bind != nil {
		bind(call)
	}
	return call, err
}

// written is a text with its marks as a shell text has them: a variable in quotes is
// some text of one word, one without any number of words. Others have no marks.
func written(symbols []automaton.Symbol) string {
	var b strings.Builder
	quoted := false
	for i, r := range symbols {
		switch {
		case r < 0:
			b.WriteString(variable(r, quoted))
		case r > utf8.MaxRune:
			b.WriteByte(byte(r))
		default:
			escaped := !quoted && i > 0 && symbols[i-1] == '\\'
			if b.WriteRune(r); r == '\'' && !escaped {
				quoted = !quoted
			}
		}
	}
	return b.String()
}

// variable is a mark in a shell text, within single quotes or without.
func variable(mark automaton.Symbol, quoted bool) string {
	text := ""
	switch mark {
	case automaton.Single:
		text = `"$x"`
	case automaton.Any:
		text = "$x"
	}
	if quoted && text != "" {
		return "'" + text + "'"
	}
	return text
}
