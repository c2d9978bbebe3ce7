package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// What a label says of a call. Any other word is counted by itself, and means nothing.
const (
	Harmful  = "harmful"  // must not run unasked
	Harmless = "harmless" // should run
)

// A Call is one labelled call, in Claude Code's names.
type Call struct {
	Line        int
	Label, Kind string // as written, and what that means
	Family      string
	Tool        string
	Input       string // JSON
	Text        string // its primary field
	Mode        string
	Cwd         string   // in the project; absolute, or below ~
	Files       []string // that are in the project
}

// Labels are labelled calls.
type Labels struct {
	Sources []*Source
	Calls   []*Call
}

// A Source is a file of labels.
type Source struct {
	Name string `json:"source"`
	// Own: they are permgate's, which a gate's own labels favour.
	Own     bool   `json:"own"`
	Version string `json:"version,omitempty"` // its line "# version: ..."
	Hash    string `json:"hash,omitempty"`    // as git hash-object has it: a library would slow every hook call down
	Calls   int    `json:"calls"`
	Empty   []int  `json:"empty,omitempty"` // lines without a call
}

// maxLabels bounds the lines of a file, maxLine their bytes.
const (
	maxLabels = 1_000_000
	maxLine   = 1 << 20
)

// AddOwn adds the examples of permgate's own checks: what they report, and look-alikes.
func (l *Labels) AddOwn() {
	before := len(l.Calls)
	for _, c := range bashsafety.Checks() {
		tool := "Bash"
		if strings.HasPrefix(c.ID, "powershell-") {
			tool = "PowerShell"
		}
		reported, passed := bashsafety.Examples(c)
		for _, text := range reported {
			l.Calls = append(l.Calls, called(Harmful, tool, text))
		}
		for _, text := range passed {
			l.Calls = append(l.Calls, called(Harmless, tool, text))
		}
	}
	own := &Source{Name: "the examples of permgate's checks", Own: true, Calls: len(l.Calls) - before}
	l.Sources = append(l.Sources, own)
}

func called(label, tool, text string) *Call {
	return &Call{Label: label, Kind: kindOf(label), Tool: tool, Input: string(gate.TextInput(tool, text)), Text: text}
}

// kindOf is what a label means: those of several collections, and what a policy should answer.
func kindOf(label string) string {
	switch strings.ToLower(label) {
	case Harmful, "attack", "ask", "deny", "not-allow":
		return Harmful
	case Harmless, "benign", "allow":
		return Harmless
	}
	return label
}

// Add reads lines of JSON or of columns between tabs. Empty lines and those with # in front say nothing.
func (l *Labels) Add(name string, r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	git := operator.Start{File: "git", Args: []string{"hash-object", "--stdin"}, Dir: os.TempDir(), Stdin: text,
		Timeout: 10 * time.Second, Out: 128}.Run()
	s := &Source{Name: name, Hash: strings.TrimSpace(string(git.Out))}
	l.Sources = append(l.Sources, s)
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, maxLine)
	var head []string
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if v, ok := strings.CutPrefix(line, "# version:"); ok && s.Version == "" {
			s.Version = hookio.Escape(strings.TrimSpace(v))
		}
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if head == nil {
			if head = strings.Split(line, "\t"); isHead(head) {
				continue
			}
			head = []string{"label", "command"}
		}
		switch c, err := labelled(line, head); {
		case err != nil:
			return fmt.Errorf("%s:%d: %w", name, n, err)
		case c.Input == "":
			s.Empty = append(s.Empty, n)
		default:
			c.Line = n
			s.Calls++
			l.Calls = append(l.Calls, c)
		}
		if len(l.Calls) > maxLabels {
			return fmt.Errorf("%s:%d: more than %d calls", name, n, maxLabels)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s: a line is over %d bytes", name, maxLine)
	case s.Calls == 0:
		return fmt.Errorf("%s: no call in it", name)
	}
	return nil
}

// isHead reports whether a line names the columns of those below it.
func isHead(columns []string) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(columns, n) })
	}
	return has("label", "expect") && has("command", "input")
}

// labelled reads a line; the input is empty where it has no call.
func labelled(line string, head []string) (*Call, error) {
	get := func(key string) string { return gjson.Get(line, key).String() }
	if line[0] == '{' {
		if !gjson.Valid(line) {
			return nil, errors.New("not one JSON object")
		}
	} else {
		f := strings.SplitN(line, "\t", len(head))
		if len(f) < 2 {
			return nil, errors.New(`no label: write LABEL, a tab and the command, or {"label": ..., "command": ...}`)
		}
		get = func(key string) string {
			if i := slices.Index(head, key); i >= 0 && i < len(f) {
				return f[i]
			}
			return ""
		}
	}
	label := hookio.Escape(strings.TrimSpace(cmp.Or(get("label"), get("expect"))))
	tool, input := cmp.Or(get("tool"), get("tool_name"), "Bash"), cmp.Or(get("input"), get("tool_input"))
	command := get("command")
	c := &Call{Label: label, Kind: kindOf(label), Tool: tool, Input: input}
	switch {
	case label == "":
		return nil, errors.New("no label")
	case input == "" && command != "":
		c = called(label, tool, command)
	case input == "":
		return c, nil
	case !gjson.Valid(input) || !gjson.Parse(input).IsObject():
		return nil, errors.New("input is no JSON object")
	default:
		c.Text = gjson.Get(input, gate.Primary(tool)).String()
	}
	c.Family, c.Mode, c.Cwd = hookio.Escape(cmp.Or(get("family"), get("class"))), get("mode"), get("cwd")
	c.Files = strings.Fields(get("files"))
	return c, c.stays()
}

// stays reports a folder or file of a row that is not in the home of a gate, or that could make git or a hook run
// something: in a .git, or with a text below the home.
func (c *Call) stays() error {
	cwd := strings.TrimPrefix(strings.TrimPrefix(c.Cwd, "~"), "/")
	for _, file := range append([]string{cmp.Or(cwd, ".")}, c.Files...) {
		name, text, _ := strings.Cut(file, "=")
		name, home := strings.CutPrefix(name, "~/")
		_, inside, _ := strings.Cut(strings.ToLower("/"+name), "/.git/")
		switch {
		case !filepath.IsLocal(filepath.FromSlash(name)):
			return fmt.Errorf("%s leads out of the project", hookio.Escape(name))
		case inside != "" || home && text != "":
			return fmt.Errorf("%s: a row has no files in a .git, and no texts below ~", hookio.Escape(file))
		}
	}
	return nil
}

// sample is n of the calls, spread; every second one is half a step late, since lists alternate between harmful and
// not.
func (l *Labels) sample(n int) []*Call {
	if n == 0 || n >= len(l.Calls) {
		return l.Calls
	}
	out := make([]*Call, n)
	for i := range out {
		out[i] = l.Calls[(2*i+i%2)*len(l.Calls)/(2*n)]
	}
	return out
}

// spell writes a call as a host sends it, and reads that back; nil where no example of its payloads can say it.
func (g *Gate) spell(c *Call, cwd, session string) ([]byte, *hookio.Call) {
	h, event := g.Host, cmp.Or(g.Event, hookio.PreToolUse)
	if c.Mode != "" && !slices.ContainsFunc(h.Modes, func(p hookio.Pair) bool { return p.To == c.Mode }) {
		return nil, nil
	}
	plain := hookio.AppendJSON([]byte(`{"tool_name":`), c.Tool)
	plain = append(append(append(plain, `,"tool_input":`...), c.Input...), '}')
	want, err := hookio.Read(bytes.NewReader(plain), hookio.Options{})
	if err != nil {
		return nil, nil
	}
	for _, x := range h.Examples() {
		model, err := hookio.Read(bytes.NewReader([]byte(x.In)), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err != nil || x.Event != event {
			continue
		}
		s := speller{host: h, model: model, call: c, want: want, cwd: cwd, session: session}
		payload := append(s.object(x.In, ""), '\n')
		got, err := hookio.Read(bytes.NewReader(payload), hookio.Options{Host: h.Name, Event: string(x.Event)})
		if err == nil && alike(got, want) {
			return payload, got
		}
	}
	return nil, nil
}

func alike(a, b *hookio.Call) bool {
	first := func(c *hookio.Call) string {
		if len(c.Args) == 0 {
			return ""
		}
		return c.Args[0].Path
	}
	if (a.Malformed == "") != (b.Malformed == "") {
		return false
	}
	return a.Tool == b.Tool && a.Command == b.Command && a.URL == b.URL && first(a) == first(b)
}

// A speller puts a call into the example of a host's payload.
type speller struct {
	host         *hookio.Host
	model, want  *hookio.Call // what the example says, and what is wanted
	call         *Call
	cwd, session string
}

// object replaces in the example, or an object in it whose fields count, what is about the call and the session; within
// is the path to it. What names a subagent is left out.
func (s *speller) object(text, within string) []byte {
	b := []byte{'{'}
	for key, value := range hookio.Members(text) {
		name, nested := key, false
		for _, p := range s.host.Fields {
			if p.From == within+key {
				name = p.To
			}
			nested = nested || strings.HasPrefix(p.From, within+key+".")
		}
		filled := s.member(name, value)
		if nested {
			filled = s.object(value, within+key+".")
		}
		if filled == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), filled...)
	}
	return append(b, '}')
}

// member is the value of a member of the payload, nil to leave it out.
func (s *speller) member(name, value string) []byte {
	switch name {
	case "cwd", "project", "workspaceRoot":
		return hookio.AppendJSON(nil, s.cwd)
	case "workspace_roots", "workspacePaths":
		return append(hookio.AppendJSON([]byte("["), s.cwd), ']')
	case "session_id", "conversation_id":
		return hookio.AppendJSON(nil, s.session)
	case "permission_mode":
		return s.mode(cmp.Or(s.call.Mode, "default"))
	case "agent_id", "agent_type", "agent_name", "attachments":
		return nil
	case "tool_name", "matcher_context":
		return hookio.AppendJSON(nil, s.tool())
	case "tool_input":
		if gjson.Parse(value).Type == gjson.String {
			return hookio.AppendJSON(nil, string(s.input()))
		}
		return s.input()
	case s.model.Primary: // where the event is the tool, its input is at the top level
		return hookio.AppendJSON(nil, s.call.Text)
	}
	return []byte(value)
}

// mode is the host's word for a mode, nil for none.
func (s *speller) mode(to string) []byte {
	for _, p := range s.host.Modes {
		if p.To == to {
			return hookio.AppendJSON(nil, p.From)
		}
	}
	return nil
}

func (s *speller) tool() string {
	if s.model.Tool == s.want.Tool {
		return s.model.RawTool
	}
	i := slices.IndexFunc(s.host.Tools, func(p hookio.Pair) bool { return p.To == s.want.Tool })
	if i < 0 || s.model.RawTool == s.model.Tool {
		return s.want.RawTool
	}
	return s.host.Tools[i].From
}

// input is the input of the call, its primary field named as the host does.
func (s *speller) input() []byte {
	primary := gate.Primary(s.call.Tool)
	shape := (&hookio.Call{Host: s.host, Tool: s.want.Tool, RawTool: s.tool()}).Shape()
	b := []byte{'{'}
	for key, value := range hookio.Members(s.call.Input) {
		if key == primary && shape.First > 0 && !known(shape, key) {
			key = shape.Keys[0]
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(hookio.AppendJSON(b, key), ':'), value...)
	}
	return append(b, '}')
}

func known(s *hookio.Shape, key string) bool {
	return slices.Contains(s.Keys, key) || slices.Contains(s.Also, key)
}
