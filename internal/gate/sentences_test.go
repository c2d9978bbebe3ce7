package gate_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// A sentence is one thing the specification says, tried on one call.
type sentence struct {
	name    string
	payload string            // the fields of the payload but cwd
	cwd     string            // default /work/project
	files   map[string]string // path -> content; a content of "-> x" is a symlink to x, "dir" a folder
	env     map[string]string // besides HOME
	flags   gate.Flags
	want    hookio.Decision // of the answer the host sees: Pass is silence
	reason  string          // part of the reason
	arrange func(*fakefs.FS)
	environ []string // the whole environment, where it is known
}

func bash(command string) string {
	return `"tool_name":"Bash","tool_input":{"command":` + strconv.Quote(command) + `}`
}

func tool(name, input string) string {
	return `"tool_name":` + strconv.Quote(name) + `,"tool_input":` + input
}

// as adds further fields to a payload.
func as(payload string, fields ...string) string {
	return payload + "," + strings.Join(fields, ",")
}

const (
	user    = "/home/dev/.gen/settings.json"
	shared  = "/work/project/.gen/settings.json"
	local   = "/work/project/.gen/settings.local.json"
	managed = "/etc/gen/managed-settings.json"
)

func (s *sentence) answer(t *testing.T) (*decide.Input, decide.Verdict, hookio.Answer) {
	t.Helper()
	cwd := s.cwd
	if cwd == "" {
		cwd = "/work/project"
	}
	files := fakefs.New(nil)
	files.Mkdir(cwd)
	files.Mkdir("/home/dev")
	files.Mkdir("/work/project/.git")
	for name, content := range s.files {
		if target, ok := strings.CutPrefix(content, "-> "); ok {
			files.Link(name, target)
		} else if content == "dir" {
			files.Mkdir(name)
		} else {
			files.Write(name, content)
		}
	}
	for _, dir := range []string{"/home/dev", "/work"} {
		files.Own(dir, 1000)
	}
	if s.arrange != nil {
		s.arrange(files)
	}
	w := s.world(cwd, files)
	text := `{"cwd":` + strconv.Quote(cwd) + `,"session_id":"s1",` + s.payload + `}`
	call := s.read(t, text)
	c := gate.Case(call, &s.flags, w)
	v := decide.Decide(c)
	s.inBatch(t, text, w, v, v.Answer())
	return c, v, v.Answer()
}

func (s *sentence) read(t *testing.T, text string) *hookio.Call {
	t.Helper()
	call, err := hookio.Read(strings.NewReader(text), hookio.Options{Host: s.flags.Host, Event: s.flags.Event})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return call
}

func (s *sentence) world(cwd string, files *fakefs.FS) gate.World {
	return gate.World{
		Getenv: func(k string) string {
			if v, ok := s.env[k]; ok || k != "HOME" {
				return v
			}
			return "/home/dev"
		},
		Cwd: cwd, PasswdHome: "/home/dev", UID: 1000, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Environ: s.known(), Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen", "/etc/san", "/etc/claude-code"},
	}
}

// known is the environment, nil where it is not known.
func (s *sentence) known() func() []string {
	if s.environ == nil {
		return nil
	}
	return func() []string { return s.environ }
}

func runSentences(t *testing.T, table []sentence) {
	t.Helper()
	for _, s := range table {
		_, v, a := s.answer(t)
		if a.Decision != s.want || !strings.Contains(a.Reason, s.reason) {
			t.Errorf("%s: got %v at step %s (verdict %v): %q, want %v %q", s.name, a.Decision, v.Step(), v.Decision(), a.Reason, s.want, s.reason)
		}
	}
}

const (
	allow = hookio.Allow
	ask   = hookio.Ask
	deny  = hookio.Deny
	pass  = hookio.Pass
)

func m(kv ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i]] = kv[i+1]
	}
	return out
}

// TestHits: Hits lists every matching rule, the strictest list first.
func TestHits(t *testing.T) {
	s := sentence{
		payload: as(bash("make x"), `"agent_id":"a1","agent_type":"rev"`),
		flags:   gate.Flags{State: "/state"},
		files: m("/state/session-s1.json", `{"project":"/work/project","allow":["Bash(make:*)"]}`,
			user, `{"permissions":{"allow":["Bash(make x)"],"ask":["Bash(make *)"],"deny":["Bash(m*)"]}}`,
			"/work/project/.gen/agents/rev.md", "---\nname: rev\nallow_tools: [Bash]\ndeny_tools: [Bash(*x)]\n---\n"),
	}
	c, _, _ := s.answer(t)
	var got []string
	for _, h := range c.Facts().Hits() {
		got = append(got, h.Rule.List.String()+" "+h.Rule.Text)
	}
	want := "deny Bash(m*), deny Bash(*x), ask Bash(make *), allow Bash(make:*), allow Bash(make x), allow Bash"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// TestNamesThePart checks that a question quotes the part of the call that it is about, as the call has it.
func TestNamesThePart(t *testing.T) {
	for command, want := range map[string]string{
		`rm -rf "$dir"`:                     "`rm -rf \"$dir\"` deletes `$dir` with everything in it; the folder is not known in advance. Write the path out [",
		`find . -name x -exec rm -rf {} +`:  "`find . -name x -exec rm -rf {} +` deletes ",
		`trap 'rm -rf "$dir"' EXIT`:         "`rm -rf \"$dir\"` deletes ",
		`ls; eval "$(x)"`:                   "`eval \"$(x)\"` runs text that is not known in advance. Write it out [",
		`ls; "$1" a`:                        "`\"$1\" a` runs a program whose name is not known in advance, so your rules cannot be checked. Write the name out [",
		`read() { ls; }; read x`:            "`read` is a function or an alias here, and what it runs is not certain. Write that out [",
		`. ~/x.sh`:                          "`. ~/x.sh` runs `/home/dev/x.sh` in this shell, a file outside the project [",
		`rm -rf **/__pycache__ .mypy_cache`: "`rm -rf **/__pycache__ .mypy_cache` deletes `**/__pycache__` and `.mypy_cache` with everything in it; files outside git cannot be recovered [",
		`$x sk-ant-api03-` + longWord(80):   "`$x sk-ant-[redacted]` runs a program",
		"ls; eval \"$(x)\n\"":               "the command runs text that is not known in advance",
		`(./s & P=$!; trap "kill $x" EXIT)`: "`trap \"kill $x\" EXIT` runs text",
	} {
		s := sentence{payload: bash(command)}
		if _, v, _ := s.answer(t); !strings.HasPrefix(v.Reason(), want) {
			t.Errorf("%s\n got %s\nwant %s", command, v.Reason(), want)
		}
	}
	deny := sentence{payload: bash("cp -r /tmp/a ."), files: map[string]string{user: `{"permissions": {"deny": ["Read(/**/.env)"]}}`}}
	_, v, _ := deny.answer(t)
	if want := "may write files in `/work/project` that your rule Read(/**/.env) denies; their names are not known before it runs"; !strings.Contains(v.Reason(), want) {
		t.Errorf("%s\nwant %s", v.Reason(), want)
	}
}

func longWord(n int) string { return strings.Repeat("a1B2", n/4) }
