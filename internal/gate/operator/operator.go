// Package operator runs the programs of the operator's: the classifier and the
// approver of a permgate.json. A program reads one line of JSON that tells about a
// call and answers with one; whatever else it does, it is over in time, and what it
// started ends with it.
//
// decide.Decide says when a program is asked, and what its answer makes of the call. A
// fault of any kind is no answer: the call stays what it was.
package operator

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// requestVersion grows when a field of requests changes its meaning; new fields do not count.
const requestVersion = 1

// An Asker asks the programs of the settings during one call of the hook, or by hand.
type Asker struct {
	Flags *gate.Flags
	World func() gate.World // as it is now: another call may have written since
	Err   io.Writer         // for what could not be saved
	// Wait is told before a program is waited for, for how long at most; it returns what ends that.
	Wait func(most time.Duration) (done func())
	// Afresh asks the classifier again and keeps nothing: by hand.
	Afresh bool
	// Propose says which rules grant this call for the session, and what permgate allow writes.
	Propose func(*decide.Input, decide.Verdict, *gate.Flags, gate.World) (session, always Saving)
}

// program is the program of a key, with what a case knows of its surroundings.
func program(c *decide.Input, key *rules.Setting, usual time.Duration) (Program, error) {
	p, err := Of(key, usual, c.Policy)
	if temp := c.World.TempDir(); temp != "" {
		p.Apart = append(p.Apart, temp)
	}
	if c.World.Environ != nil {
		p.Environ = c.World.Environ()
	}
	return p, err
}

// ask runs a program, and says so to who is waiting.
func (a *Asker) ask(p *Program, request []byte) (line []byte, took time.Duration, err error) {
	p.wait = a.Wait
	return p.Ask(request)
}

// How long a program may take where its key does not say.
const (
	ClassifierTimeout = 3 * time.Second
	ApproverTimeout   = 60 * time.Second
)

// Grace is what Ask may take beyond the program's time: to end it and all it started.
const Grace = 500 * time.Millisecond

// Bounds of what a program may say, in bytes.
const (
	maxLine = 64 << 10
	maxSaid = 1 << 10 // on stderr; the rest is lost
)

// A Program is a program of the operator's.
type Program struct {
	Command []string
	Timeout time.Duration
	// Apart are folders that neither the program nor a file named by an argument
	// may be in: the agent writes there. Absolute, as given and resolved.
	Apart []string
	// Temp are folders where the agent writes unasked: the environment may name nothing there.
	Temp []string
	// Environ is the environment, NAME=value; what could be misused (see environ) is not passed on.
	Environ []string

	wait func(most time.Duration) (done func()) // see Asker; nil for no one to tell
	// What was found out so far: an environment names hundreds of files in few folders, and Windows takes its time.
	reached map[string]bool
	stats   map[string]fs.FileInfo // nil for none
}

// Parse reads the value of a key as the loader leaves it. A time that it does not name is 0.
func Parse(value string) (Program, error) {
	v := gjson.Parse(value)
	p := Program{Timeout: time.Duration(v.Get("timeoutMs").Int()) * time.Millisecond}
	for _, word := range v.Get("command").Array() {
		p.Command = append(p.Command, word.Str)
	}
	if !gjson.Valid(value) || len(p.Command) == 0 || p.Command[0] == "" {
		return Program{}, errors.New("no command that can be run")
	}
	if p.Timeout < 0 || p.Timeout > load.MaxOperatorMillis*time.Millisecond {
		return Program{}, errors.New("no time-out that can be used")
	}
	return p, nil
}

// temporary are the folders for temporary files, whatever a project's TMPDIR says.
var temporary = [...]string{"/tmp", "/var/tmp", "/dev/shm", "/var/folders", "/private/tmp", "/private/var/tmp",
	"/private/var/folders"}

// TestOnlyTemp replaces temporary, for tests whose homes lie there. Only a TestMain sets it.
var TestOnlyTemp []string

// Of is the program that a key of a policy names, apart from the agent. usual is its default time.
func Of(key *rules.Setting, usual time.Duration, policy *rules.Policy) (Program, error) {
	p, err := Parse(key.Value)
	p.Timeout = cmp.Or(p.Timeout, usual)
	p.keepApart(policy)
	return p, err
}

// keepApart names the folders where the agent works.
func (p *Program) keepApart(policy *rules.Policy) {
	if p.Temp = temporary[:]; TestOnlyTemp != nil {
		p.Temp = TestOnlyTemp
	}
	for _, place := range append(policy.Places[:len(policy.Places):len(policy.Places)], policy.Cwd) {
		p.Apart = append(p.Apart, policy.OS.Native(place.Given), policy.OS.Native(place.Real))
	}
}

// versionTimeout is long enough for a program that Node.js starts.
const versionTimeout = 5 * time.Second

// Version is the version that a program on PATH tells with --version, run as a policy's would be.
func Version(name string, policy *rules.Policy, environ []string) (string, error) {
	p := Program{Command: []string{name, "--version"}, Timeout: versionTimeout, Environ: environ}
	p.keepApart(policy)
	text, _, err := p.output(nil)
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", name, err)
	}
	for _, word := range strings.Fields(string(text)) {
		if word = strings.TrimRight(strings.TrimLeft(word, "v("), ".,;)"); isVersion(word) {
			return word, nil
		}
	}
	return "", fmt.Errorf("%s --version names no version", name)
}

// isVersion reports whether a word is numbers with dots between them; more may follow, as in 1.0.0-rc.1.
func isVersion(word string) bool {
	major, rest, _ := strings.Cut(word, ".")
	if _, err := strconv.ParseUint(major, 10, 32); err != nil || rest == "" || len(word) > 40 {
		return false
	}
	const plain = ".-+0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return rest[0] >= '0' && rest[0] <= '9' && strings.Trim(word, plain) == ""
}

// Ask runs the program with a text on stdin and returns the one line it says,
// without its end. It may read as little of stdin as it likes. Whatever is not one
// line and exit code 0 in time is an error, which holds no secret and no newline.
func (p *Program) Ask(stdin []byte) (line []byte, took time.Duration, err error) {
	text, took, err := p.output(stdin)
	if err == nil {
		line, err = oneLine(text)
	}
	return line, took, err
}

// output runs the program and returns all it says.
func (p *Program) output(stdin []byte) (text []byte, took time.Duration, err error) {
	file, err := p.Find()
	if err != nil {
		return nil, 0, err
	}
	start := Start{File: file, Args: p.Command[1:], Env: p.environ(), Dir: string(filepath.Separator), Stdin: stdin,
		Timeout: p.Timeout, Out: maxLine, Said: maxSaid}
	if p.wait != nil { // from here on: what came before is work
		defer p.wait(p.Timeout + Grace)()
	}
	end := start.Run()
	switch err := end.Err; {
	case end.Over:
		return end.Out, end.Took, fmt.Errorf("said more than %d bytes", maxLine)
	case end.Late:
		return end.Out, end.Took, fmt.Errorf("did not answer within %v", p.Timeout)
	case errors.Is(err, exec.ErrWaitDelay):
		return end.Out, end.Took, errors.New("ended, but a process it started still holds its output open")
	case err != nil:
		return end.Out, end.Took, failed(err, end.Said)
	}
	return end.Out, end.Took, nil
}

// failed says how a program ended, with the first thing it said of it.
func failed(err error, said []byte) error {
	first, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	if first, _ = redact.Text(first); first != "" {
		first = ": " + hookio.Escape(first[:min(len(first), 200)])
	}
	return errors.New("failed: " + hookio.Escape(err.Error()) + first)
}

func oneLine(text []byte) ([]byte, error) {
	line, ended := bytes.CutSuffix(text, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	switch {
	case len(text) == 0:
		return nil, errors.New("said nothing")
	case !ended:
		return nil, errors.New("said something that is no whole line: a newline must end it")
	case bytes.ContainsAny(line, "\n\r"):
		return nil, errors.New("said more than one line")
	case len(bytes.TrimSpace(line)) == 0:
		return nil, errors.New("said an empty line")
	}
	return line, nil
}

// A Key is a key of a policy that names a program.
type Key struct {
	Name string
	rules.Setting
	Program Program
	Err     error // why the value names none
}

// Keys are those that a policy sets. environ is where bare names are looked up.
func Keys(p *rules.Policy, environ func() []string) (list []Key) {
	for _, k := range [...]Key{{Name: "classifier", Setting: p.Posture.Classifier}, {Name: "approver", Setting: p.Posture.Approver}} {
		if k.Value == "" {
			continue
		}
		if k.Program, k.Err = Of(&k.Setting, 0, p); environ != nil {
			k.Program.Environ = environ()
		}
		list = append(list, k)
	}
	return list
}

// Find returns the file that would be run, or why none would.
func (k *Key) Find() (string, error) {
	if k.Err != nil {
		return "", k.Err
	}
	return k.Program.Find()
}

// members are those written of a JSON object: redacted, with what a reader would not see escaped.
type members struct{ b []byte }

func (m *members) key(name string) {
	if len(m.b) > 0 {
		m.b = append(m.b, ',')
	}
	m.b = append(hookio.AppendJSON(m.b, name), ':')
}

// text writes a text that is not empty.
func (m *members) text(name, value string) {
	if value != "" {
		value, _ = redact.Text(value)
		m.raw(name, log.Visible(value))
	}
}

func (m *members) raw(name string, value []byte) {
	m.key(name)
	m.b = append(m.b, value...)
}

func (m *members) texts(name string, values []string) {
	m.key(name)
	m.b = append(m.b, '[')
	for i, value := range values {
		m.b = append(comma(m.b, i), log.Visible(value)...)
	}
	m.b = append(m.b, ']')
}

// comma goes in front of element i of a list.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// Bounds of an answer, in bytes.
const (
	maxAnswer = 8 << 10
	maxReason = 1 << 10
)

// Members reads a line that is one JSON object of texts with these keys, and returns
// their values in this order, or "". It has to mean exactly one thing.
func Members(line []byte, keys ...string) ([]string, error) {
	switch {
	case len(line) > maxAnswer:
		return nil, fmt.Errorf("its answer is over %d bytes", maxAnswer)
	case !utf8.Valid(line) || !gjson.ValidBytes(line) || !gjson.ParseBytes(line).IsObject():
		return nil, errors.New("its answer is no JSON object")
	}
	out, seen := make([]string, len(keys)), make([]bool, len(keys))
	for key, value := range hookio.Members(gjson.ParseBytes(line).Raw) {
		i, v := slices.Index(keys, key), gjson.Parse(value)
		switch {
		case i < 0:
			return nil, fmt.Errorf("its answer has the key %q, and only %s are known", Plain(key), strings.Join(keys, ", "))
		case seen[i]:
			return nil, fmt.Errorf("its answer says %s twice", key)
		case v.Type != gjson.String:
			return nil, fmt.Errorf("%s of its answer is no string", key)
		}
		out[i], seen[i] = v.Str, true
	}
	return out, nil
}

// Reason is a program's reason for others to read: one line, no secrets. A long one is an error.
func Reason(text string) (string, error) {
	if len(text) > maxReason {
		return "", fmt.Errorf("its reason is over %d bytes", maxReason)
	}
	return Plain(text), nil
}

// Plain is a text on one line, short and without secrets.
func Plain(s string) string {
	s, _ = redact.Text(strings.ToValidUTF8(s[:min(len(s), 2*maxReason)], ""))
	s = strings.TrimSpace(hookio.Escape(strings.TrimSpace(s)))
	if len(s) > maxReason {
		s = strings.ToValidUTF8(s[:maxReason], "") + " ..."
	}
	return s
}

// Kind says what a call is about, in one word.
func Kind(call *hookio.Call) string {
	writes := func(a hookio.Arg) bool { return a.Access == hookio.AccessWrite }
	switch {
	case call.OfServer():
		return "mcp"
	case call.Command != "":
		return "shell"
	case call.URL != "":
		return "url"
	case rules.EditTool(call.Tool), slices.ContainsFunc(call.Args, writes):
		return "write"
	case rules.SafeTool(call.Tool) && len(call.Args) > 0:
		return "read"
	case len(call.Args) > 0:
		return "path"
	}
	return "other"
}
