package bench

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// The labels that are known. Any other word is counted, and means nothing.
const (
	Attack = "attack" // must not run unasked
	Ask    = "ask"    // nor this, though a person may allow it
	Benign = "benign" // should run
)

// A Call is one labelled call, in Claude Code's names.
type Call struct {
	Label, Tool string
	Input       string // JSON
	Text        string // its primary field
}

func (c *Call) harmful() bool { return c.Label == Attack || c.Label == Ask }

// Labels are labelled calls.
type Labels struct {
	Source string
	Own    bool // permgate's own
	Calls  []*Call
}

// maxLabels bounds the lines of a file, maxLine their bytes.
const (
	maxLabels = 1_000_000
	maxLine   = 1 << 20
)

// OwnLabels are the examples of permgate's own checks: what they report, and look-alikes.
func OwnLabels() *Labels {
	l := &Labels{Source: "the examples of permgate's checks", Own: true}
	for _, c := range bashsafety.Checks() {
		tool := "Bash"
		if strings.HasPrefix(c.ID, "powershell-") {
			tool = "PowerShell"
		}
		reported, passed := bashsafety.Examples(c)
		for _, text := range reported {
			l.Calls = append(l.Calls, called(Attack, tool, text))
		}
		for _, text := range passed {
			l.Calls = append(l.Calls, called(Benign, tool, text))
		}
	}
	return l
}

func called(label, tool, text string) *Call {
	return &Call{Label: label, Tool: tool, Input: string(gate.TextInput(tool, text)), Text: text}
}

// ReadLabels reads lines of JSON or of columns between tabs. Empty lines and those with # in front say nothing.
func ReadLabels(name string, r io.Reader) (*Labels, error) {
	l := &Labels{Source: name}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	head := []string{"label", "command"}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if n == 1 {
			line = strings.TrimPrefix(line, "\xef\xbb\xbf")
			if h := strings.Split(line, "\t"); isHead(h) {
				head = h
				continue
			}
		}
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		c, err := labelled(line, head)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if l.Calls = append(l.Calls, c); len(l.Calls) > maxLabels {
			return nil, fmt.Errorf("%s:%d: more than %d calls", name, n, maxLabels)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: a line is over %d bytes", name, maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(l.Calls) == 0 {
		return nil, fmt.Errorf("%s: no call in it", name)
	}
	return l, nil
}

// isHead reports whether a line names the columns of those below it.
func isHead(columns []string) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(columns, n) })
	}
	return has("label", "expect") && has("command", "input")
}

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
	label := labelOf(get("label"), get("expect"))
	tool, input := cmp.Or(get("tool"), get("tool_name"), "Bash"), cmp.Or(get("input"), get("tool_input"))
	switch command := get("command"); {
	case label == "":
		return nil, errors.New("no label")
	case input == "" && command == "":
		return nil, errors.New("no command and no input")
	case input == "":
		return called(label, tool, command), nil
	case !gjson.Valid(input) || !gjson.Parse(input).IsObject():
		return nil, errors.New("input is no JSON object")
	}
	return &Call{Label: label, Tool: tool, Input: input, Text: gjson.Get(input, gate.Primary(tool)).String()}, nil
}

// labelOf is the label, or what an expected answer makes of it.
func labelOf(label, expect string) string {
	if label = strings.TrimSpace(label); label != "" {
		if known := strings.ToLower(label); order(known) < order("") {
			label = known
		}
		return hookio.Escape(label)
	}
	switch expect = strings.ToLower(strings.TrimSpace(expect)); expect {
	case "not-allow", "deny":
		return Attack
	case "allow":
		return Benign
	}
	return hookio.Escape(expect)
}

// sample is n of the calls, evenly spread.
func (l *Labels) sample(n int) []*Call {
	if n == 0 || n >= len(l.Calls) {
		return l.Calls
	}
	out := make([]*Call, n)
	for i := range out {
		out[i] = l.Calls[i*len(l.Calls)/n]
	}
	return out
}
