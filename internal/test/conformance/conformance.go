// Package conformance runs recorded and labelled tool calls through the whole
// flow of the hook: payload bytes, settings files, analysis, decision. It holds
// tests only; this file is the harness they share.
package conformance

import (
	"encoding/json"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Setup is one call and the world around it.
type Setup struct {
	Tool     string
	Input    json.RawMessage // exact bytes
	Mode     string          // permission_mode of the payload, "" for none
	Cwd      string          // default /work/project
	Project  string
	Home     string
	Settings map[string]string // path -> content
	Symlinks map[string]string // path -> target
	Junction map[string]string // path -> target, as Windows has them
	Agent    map[string]string // payload fields of a subagent
	Session  string            // content of the state file
	Headless bool
	Tmp      bool             // there is a /tmp, as systems have it
	TmpDir   string           // $TMPDIR
	Arrange  func(*fakefs.FS) // changes the file system before the call
	Payload  string           // further members of the payload: ,"key":"value"
	// Transcript is transcript_path, "" for none.
	Transcript string
	Host       string
	OS         rules.OS // how paths are read; Settings and Symlinks have permgate's own form
	Event      string
	Named      bool
	Environ    []string // of the hook
	KillSwitch string   // value of the variable that switches mode auto off
	Args       []string // further options of the hook
	AsIs       bool     // what is not there is taken to be missing
	// Before changes the case before it is decided.
	Before func(*decide.Input)
}

// Call runs a setup and returns the case and the verdict.
func Call(s Setup) (*decide.Input, decide.Verdict, error) {
	if s.Cwd == "" {
		s.Cwd = "/work/project"
	}
	if s.Home == "" {
		s.Home = "/home/dev"
	}
	var payload strings.Builder
	payload.WriteString(`{"session_id":"s1","transcript_path":` + quote(s.Transcript) + `,"cwd":` + quote(s.Cwd))
	if s.Mode != "" {
		payload.WriteString(`,"permission_mode":` + quote(s.Mode))
	}
	for k, v := range s.Agent {
		payload.WriteString("," + quote(k) + ":" + quote(v))
	}
	event := s.Event
	if event == "" {
		event = "PreToolUse"
	}
	payload.WriteString(`,"hook_event_name":` + quote(event) + `,"tool_name":` + quote(s.Tool))
	payload.WriteString(`,"tool_input":` + string(s.Input) + s.Payload + `}`)
	flags := &gate.Flags{}
	if len(s.Args) > 0 {
		options := pflag.NewFlagSet("hook", pflag.ContinueOnError)
		flags.Register(options)
		if err := options.Parse(s.Args); err != nil {
			return nil, decide.Verdict{}, err
		}
	}
	flags.Headless, flags.State = flags.Headless || s.Headless, "/state"
	if s.Named {
		flags.Host = s.Host
	}
	call, err := hookio.Read(strings.NewReader(payload.String()), hookio.Options{Host: flags.Host})
	if err != nil {
		return nil, decide.Verdict{}, err
	}
	call.Project = s.Project
	c := gate.Case(call, flags, s.world())
	if s.Before != nil {
		s.Before(c)
	}
	v := decide.Decide(c)
	return v.Input(), v, nil
}

// world builds the file system of a setup.
func (s *Setup) world() gate.World {
	files := fakefs.New(nil)
	cwd, home := s.OS.Canon(s.Cwd), s.OS.Canon(s.Home)
	files.Mkdir(cwd)
	files.Mkdir(home)
	for name, content := range s.Settings {
		files.Write(name, content)
	}
	for name, target := range s.Symlinks {
		files.Link(name, target)
	}
	for name, target := range s.Junction {
		files.Junction(name, target)
	}
	if s.Session != "" {
		files.Write("/state/session-s1.json", s.Session)
	}
	if s.Tmp {
		files.Mkdir("/tmp").Mode = fs.ModeDir | fs.ModeSticky | 0o777
	}
	files.Own(home, 1000)
	files.Own(cwd, 1000)
	if s.Arrange != nil {
		s.Arrange(files)
	}
	return gate.World{
		Getenv: func(k string) string {
			return map[string]string{"HOME": s.Home, "TMPDIR": s.TmpDir, load.KillSwitch: s.KillSwitch}[k]
		},
		Environ:    func() []string { return s.Environ },
		Cwd:        s.Cwd,
		PasswdHome: s.Home,
		UID:        1000,
		OS:         s.OS,
		Exe:        func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files:      files,
		Now:        time.Time{}.Add(time.Hour),
		ManagedDir: []string{"/etc/gen"},
		AnyDisk:    !s.AsIs, // the calls of a corpus name what was there
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
