package report

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// A Setting is a value of a settings file, by the name of its key.
type Setting struct {
	Name string
	rules.Setting
}

// A Scene is the call, decided under the rules and settings that the report shows, on an otherwise empty disk.
type Scene struct {
	Record  log.Record // the call, made neutral
	Files   []File     // the settings that took part
	Same    bool       // it is decided as the original was
	Case    *decide.Input
	Verdict decide.Verdict
	World   gate.World
}

// A Stage is what scenes are made of.
type Stage struct {
	*Neutral
	World gate.World
	Case  *decide.Input // the original, under the user's settings
	Flags *gate.Flags
	// Settings are the values that may have to be shown, too: words and numbers, never texts.
	Settings []Setting
	Record   log.Record // what was decided
}

const userID = 1000

// Scene decides the call again, with no more settings than that needs.
func (s *Stage) Scene() *Scene {
	rec := s.record()
	kept := s.rules(true)
	scene := s.try(rec, kept)
	if scene.Same {
		return scene
	}
	all := append(append(slices.Clone(kept), s.rules(false)...), s.values()...)
	if whole := s.try(rec, all); !whole.Same {
		return scene
	}
	for i := len(all) - 1; i >= len(kept); i-- {
		fewer := slices.Delete(slices.Clone(all), i, i+1)
		if s.try(rec, fewer).Same {
			all = fewer
		}
	}
	return s.try(rec, all)
}

func (s *Stage) record() log.Record {
	r := s.Record
	call := s.Case.Call
	s.redacted(call.Command + "\n" + call.URL) // what is secret in it may be by itself elsewhere
	input, _ := log.Deciding(call)
	r.Input = string(JSON(gjson.ParseBytes(input), s.Text))
	r.Cwd, r.Dir, r.Project = s.Text(s.Case.Policy.Cwd.Given), s.Text(call.Dir), s.Text(s.Case.Policy.Project.Given)
	r.AgentType, r.Command, r.Session, r.AgentID, r.CallID = s.Text(call.AgentType), "", "", "", ""
	if call.AgentID != "" {
		r.AgentID = "agent1"
	}
	r.Tool, r.RawTool, r.RawMode, r.Host = call.OwnTool(), call.RawTool, call.RawMode, call.Host.Name
	if call.OfServer() {
		r.Tool, r.RawTool = s.Names(r.Tool), s.Names(call.RawTool)
	}
	r.Redacted, r.Malformed, r.Fault = false, "", ""
	return r
}

// JSON writes a value with its texts changed.
func JSON(v gjson.Result, change func(string) string) []byte {
	brackets := "[]"
	switch {
	case v.Type == gjson.String:
		return hookio.AppendJSON(nil, change(v.Str))
	case v.IsObject():
		brackets = "{}"
	case !v.IsArray():
		return []byte(v.Raw)
	}
	b := []byte{brackets[0]}
	v.ForEach(func(k, e gjson.Result) bool {
		if len(b) > 1 {
			b = append(b, ',')
		}
		if v.IsObject() {
			b = append(append(b, k.Raw...), ':')
		}
		b = append(b, JSON(e, change)...)
		return true
	})
	return append(b, brackets[1])
}

func (s *Stage) flags() *gate.Flags {
	f := *s.Flags
	f.Cwd, f.Home, f.State = "", "", ""
	f.Agent, f.Skill = s.Text(f.Agent), s.Text(f.Skill)
	f.Settings, f.AddDirs, f.Tools = s.texts(f.Settings), s.texts(f.AddDirs), s.texts(f.Tools)
	f.Allowed, f.Denied = s.texts(f.Allowed), s.texts(f.Denied)
	return &f
}

func (s *Stage) try(rec log.Record, settings []entry) *Scene {
	scene := &Scene{Record: rec, Files: files(settings)}
	f := s.flags()
	scene.World = s.world(rec.Cwd, rec.Project, scene.Files, f)
	call, _, why := gate.Again(&rec)
	if why != "" {
		return scene
	}
	call.Named = s.Case.Call.Named
	scene.Verdict = decide.Decide(gate.Case(call, f, scene.World))
	scene.Case = scene.Verdict.Input()
	scene.Same = s.same(scene)
	return scene
}

func (s *Stage) same(scene *Scene) bool {
	now := log.Decided(scene.Case, scene.Verdict, scene.Verdict.Answer())
	was := &s.Record
	type outcome struct{ decision, answered, step, origin, code, check, rule string }
	return outcome{now.Decision, now.Answered, now.Step, now.Origin, now.Code, now.Check, now.Rule} ==
		outcome{was.Decision, was.Answered, was.Step, was.Origin, was.Code, was.Check, s.Text(was.Rule)}
}

// world is a machine with a home, a project and settings, and nothing else.
func (s *Stage) world(cwd, project string, settings []File, f *gate.Flags) gate.World {
	disk := fakefs.New(nil)
	for _, dir := range append([]string{s.Home, project, cwd}, f.AddDirs...) {
		if path.IsAbs(dir) {
			disk.Mkdir(dir)
		}
	}
	disk.Mkdir("/tmp").Mode = fs.ModeDir | fs.ModeSticky | 0o777
	git := path.Join(s.Case.Policy.Project.Given, ".git")
	_, err := s.World.Files.Lstat(git)
	if disk.NoIndex = err != nil; err == nil {
		disk.Write(path.Join(project, ".git/HEAD"), "ref: refs/heads/main\n")
	}
	for _, name := range f.Settings {
		if path.IsAbs(name) {
			disk.Write(name, "{}")
		}
	}
	for _, file := range settings {
		disk.Write(file.Name, file.Text)
	}
	disk.Own(s.Home, userID)
	disk.Own(project, userID)
	w := gate.World{
		Getenv: func(string) string { return "" }, Environ: func() []string { return nil },
		Cwd: cwd, PasswdHome: s.Home, UID: userID, Files: disk, Now: s.World.Now, OS: s.World.OS,
		Exe: func() (string, error) {
			exe, err := s.World.Exe()
			return s.Text(exe), err
		},
	}
	if w.OS == rules.Windows {
		w.OS = rules.Linux
	}
	if s.World.ManagedDir != nil {
		w.ManagedDir = s.texts(s.World.ManagedDir)
	}
	return w
}

// isSettings reports whether rules and values are read from a file of this name.
func isSettings(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".json") && path.IsAbs(name)
}
