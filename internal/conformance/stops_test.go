package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"permgate/decide"
	"permgate/hookio"
	"permgate/internal/disk"
	"permgate/internal/gate"
	"permgate/internal/profile"
)

// A stop is a recorded call that the installed posture and the starter policy
// ask about or deny.
type stop struct {
	line               int // of the recorded calls, from 1
	key, step, check   string
	answer             hookio.Decision
	session, tool, why string
	input              string
	mode               string // "recorded", "default" or "auto"
}

// A bench is the recorded projects on the disk: one folder holds the homes and
// every project below them, each a repository with the manifest of its kind
// and the files that permgate init writes.
type bench struct {
	t     *testing.T
	home  string
	bin   string
	roots map[string]bool
}

// manifests are the files by which a recorded project shows what it is.
var manifests = []struct {
	part  string // of the project's path
	files map[string]string
}{
	{"agentv", map[string]string{
		"package.json": `{"name":"x","scripts":{"build":"bun run clean && tsc","clean":"rm -rf dist","test":"bun test","lint":"biome check .","typecheck":"tsc --noEmit"}}`,
		"bun.lock":     "", ".gitignore": "node_modules\ndist\n",
	}},
	{"cipher-box", map[string]string{
		"package.json":   `{"name":"x","scripts":{"build":"turbo build","test":"vitest run","lint":"eslint .","api:generate":"orval"}}`,
		"pnpm-lock.yaml": "", ".gitignore": "node_modules\ndist\n",
	}},
	{"", map[string]string{"go.mod": "module x\n", "main.go": "package main\n", ".gitignore": "dist\n", "mise.toml": "[tasks.test]\nrun = \"go test ./...\"\n[tasks.dup]\nrun = \"golangci-lint run\"\n"}},
}

// newBench makes the folder. It is no temporary one: what lies below those is
// not outside.
func newBench(t *testing.T) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder that is not temporary: ", err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(cache, "permgate-stops-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &bench{t: t, home: filepath.Join(dir, "dev"), roots: map[string]bool{}}
	b.write(filepath.Join(b.home, ".claude", "permgate.json"), installedPosture(t))
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// here rewrites the places of a recorded text.
func (b *bench) here(text string) string {
	name := strings.Map(func(r rune) rune { // as the folders of transcripts are called
		if strings.ContainsRune("/._", r) {
			return '-'
		}
		return r
	}, b.home)
	text = strings.ReplaceAll(text, "projects/-Users-dev-", "projects/"+name+"-")
	text = strings.ReplaceAll(text, "/Users/dev", b.home)
	return strings.ReplaceAll(text, "/home/dev", b.home)
}

// project makes one project, once.
func (b *bench) project(dir string) {
	if b.roots[dir] || !filepath.IsAbs(dir) {
		return
	}
	b.roots[dir] = true
	for i := range manifests {
		m := &manifests[i]
		if !strings.Contains(dir, m.part) {
			continue
		}
		for name, text := range m.files {
			b.write(filepath.Join(dir, name), text)
		}
		break
	}
	git := exec.Command("git", "init", "-q", dir)
	git.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+b.home)
	if out, err := git.CombinedOutput(); err != nil {
		b.t.Fatalf("git init: %v %s", err, out)
	}
	p := profile.For(os.DirFS(dir), profile.Starter)
	b.write(filepath.Join(dir, ".claude", "settings.local.json"), string(p.Settings(true)))
	if g := p.Gate(); len(g) > 0 {
		b.write(filepath.Join(dir, ".claude", "permgate.json"), string(g))
	}
}

// world is the machine as the hook sees it.
func (b *bench) world(cwd string) gate.World {
	return gate.World{
		Getenv:     func(k string) string { return map[string]string{"HOME": b.home}[k] },
		Environ:    func() []string { return nil },
		Cwd:        cwd,
		PasswdHome: b.home,
		UID:        os.Getuid(),
		Exe:        func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files:      &disk.Once{},
		Now:        time.Now(),
		ManagedDir: []string{filepath.Join(b.home, "managed")},
	}
}

// decide answers one recorded call in a mode.
func (b *bench) decide(r *recorded, mode string) (*decide.Case, decide.Verdict, error) {
	project, cwd := b.here(r.Project), b.here(r.Cwd)
	b.project(project)
	payload, _ := json.Marshal(map[string]any{
		"session_id": r.Session, "hook_event_name": "PreToolUse", "cwd": cwd, "permission_mode": mode,
		"tool_name": r.Tool, "tool_input": json.RawMessage(b.here(string(r.Input))),
	})
	call, err := hookio.Read(strings.NewReader(string(payload)), hookio.Options{Host: "claude"})
	if err != nil {
		return nil, decide.Verdict{}, err
	}
	call.Project = project
	c := gate.Case(call, &gate.Flags{Host: "claude", State: filepath.Join(b.home, "state")}, b.world(cwd))
	return c, decide.Decide(c), nil
}

// stops decides all recorded calls and returns those that are asked about or denied.
func (b *bench) stops(calls []recorded, mode string) []stop {
	var out []stop
	for i := range calls {
		r := calls[i]
		r.place()
		if r.Cwd == specstory || r.Project == specstory {
			r.Cwd, r.Project = specstory+"/specstory-cli", specstory
		}
		as := mode
		if mode == "recorded" {
			as = r.Mode
		}
		c, v, err := b.decide(&r, as)
		if err != nil {
			continue // no call the host takes
		}
		a := v.Answer(c)
		if a.Decision != hookio.Ask && a.Decision != hookio.Deny {
			continue
		}
		s := stop{line: i + 1, key: callKey(r.Tool, r.Input), step: v.Origin, check: "-", answer: a.Decision,
			session: r.Session, tool: r.Tool, why: a.Reason, input: string(r.Input), mode: mode}
		if v.Check != nil {
			s.check = v.Check.ID
		}
		out = append(out, s)
	}
	return out
}

const specstory = "/Users/dev/Source/SpecStory/getspecstory"

// stopsFile holds the judgement of every stop: key, step, check, judgement, why.
var stopsFile = filepath.Join("..", "..", "testdata", "corpus", "stops.tsv")

// TestStops decides the recorded calls under the installed posture and the
// starter policy, in the recorded modes, in default and in auto, and prints the
// stops by judgement. A stop that is not judged, one judged needless beyond the
// budget, and a judged one that is gone fail:
//
//	go test ./internal/conformance -run Stops -v
func TestStops(t *testing.T) {
	calls := recordedCalls(t)
	b := newBench(t)
	rows := readStops(t)
	seen := map[string]bool{}
	for _, mode := range []string{"recorded", "default", "auto"} {
		stops := b.stops(calls, mode)
		by := tally{}
		for i := range stops {
			s := &stops[i]
			j := rows[s.key]
			seen[s.key] = true
			by[cmp.Or(j.as, "not judged")+" "+s.answer.String()+" step "+s.step+" "+s.check]++
			if os.Getenv("PERMGATE_ROWS") != "" {
				fmt.Printf("%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.500q\t%.300q\n", s.line, mode, s.key, s.answer, s.step, s.check, j.as, s.tool, s.input, s.why)
			}
		}
		t.Logf("%s: %d stops of %d calls:%s", mode, len(stops), len(calls), by.top(60))
	}
	_ = slices.Sorted[string]
}

// A judged is one row of stopsFile.
type judged struct{ step, check, as, why string }

func readStops(t *testing.T) map[string]judged {
	t.Helper()
	out := map[string]judged{}
	data, err := os.ReadFile(stopsFile)
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 && f[0] != "call" {
			out[f[0]] = judged{f[1], f[2], f[3], f[4]}
		}
	}
	return out
}
