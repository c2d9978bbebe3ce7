// Package imported holds tests only: policies of other permission systems, drawn by chance and imported, may be laxer
// nowhere. Each system has a small evaluator, written from its documentation, in a file of its name.
package imported

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

const (
	project = "/work/project"
	home    = "/home/dev"
)

// A model is a system: policies drawn by chance, and what it answers by them.
type model struct {
	system string // of importer.Systems
	host   string // of hookio, whose payloads are sent
	draw   func(r *rand.Rand) policy
}

// A policy is what a person of the system has written.
type policy struct {
	files  []importer.File
	scope  rules.Scope
	claude bool // it is imported into .claude
	// call draws a payload as the system's program sends it, in a mode that it can send, and what the system answers.
	call func(r *rand.Rand) (payload string, want hookio.Decision)
}

var models = [...]model{calibanModel, genModel, sanModel, coreAgent, exAthena, copilotModel, codexModel, opencode}

// world is a disk on which an imported policy is all there is.
func world(settings, gateFile string, p *policy) gate.World {
	files := fakefs.New(nil)
	files.Mkdir(project)
	files.Mkdir(home)
	folder, name := home, "settings.json"
	switch p.scope {
	case rules.Local:
		folder, name = project, "settings.local.json"
	case rules.Shared:
		folder = project
	}
	root := "/.gen/"
	if p.claude {
		root = "/.claude/"
	}
	if folder += root; p.scope == rules.Managed {
		folder, name = "/etc/gen/", "managed-settings.json"
	}
	files.Write(folder+name, settings)
	files.Write(folder+"permgate.json", gateFile)
	files.Mkdir("/tmp").Mode = fs.ModeDir | fs.ModeSticky | 0o777
	files.Own(home, 1000)
	files.Own(project, 1000)
	return gate.World{
		Getenv:     func(k string) string { return map[string]string{"HOME": home}[k] },
		Environ:    func() []string { return nil },
		Cwd:        project,
		PasswdHome: home,
		UID:        1000,
		Exe:        func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files:      files,
		Now:        time.Time{}.Add(time.Hour),
		ManagedDir: []string{"/etc/gen"},
		AnyDisk:    true,
	}
}

// decided is what the hook answers a payload.
func decided(t testing.TB, host, payload string, w gate.World) decide.Verdict {
	t.Helper()
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{Host: host})
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return decide.Decide(gate.Case(call, &gate.Flags{Host: host, State: "/state"}, w))
}

// written are the two files that an import writes, and its report.
func written(t testing.TB, s *importer.System, p *policy) (settings, gateFile, report string) {
	t.Helper()
	items, err := s.Import(p.files, importer.Options{Scope: p.scope, Claude: p.claude, Project: project})
	if err != nil {
		t.Fatalf("%s: %v", show(p), err)
	}
	a, _ := edit.Parse("settings.json", nil)
	b, _ := edit.Parse("permgate.json", nil)
	if _, err := importer.Apply(items, a, b, func(importer.Entry) string { return "" }); err != nil {
		t.Fatal(err)
	}
	for i := range items {
		report += items[i].String() + "\n"
	}
	return string(a.Bytes()), string(b.Bytes()), report
}

func show(p *policy) (out string) {
	for _, f := range p.files {
		out += "-- " + f.Name + "\n" + string(f.Text) + "\n"
	}
	return out
}

// strict orders decisions.
func strict(d hookio.Decision) int {
	return slices.Index([]hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny}, d)
}

var every = flag.Bool("every", false, "go on after a laxer answer, and print one of each policy")

// seed is another one each night.
func seed() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("PERMGATE_ORACLE_SEED"), 10, 64)
	return n
}

// TestNeverLaxer imports policies drawn by chance, and sends 50 payloads of the system to each: permgate is never laxer
// than the system.
func TestNeverLaxer(t *testing.T) {
	const calls = 50
	policies := testenv.Count(t, 40, 400, 2000)
	for _, m := range models {
		t.Run(m.system, func(t *testing.T) {
			at := slices.IndexFunc(importer.Systems(), func(s *importer.System) bool { return s.Name == m.system })
			equal, laxer := 0, 0
			for n := range policies {
				r := rand.New(rand.NewPCG(seed(), uint64(n)))
				p := m.draw(r)
				settings, gateFile, report := written(t, importer.Systems()[at], &p)
				w := world(settings, gateFile, &p)
				for range calls {
					payload, want := p.call(r)
					v := decided(t, m.host, payload, w)
					got := v.Decision()
					if got == want {
						equal++
					}
					if strict(got) >= strict(want) {
						continue
					}
					laxer++
					t.Errorf("seed %d policy %d: %s is %s, and %s there: %s\n%s%s\n%s%s", seed(), n, payload, got, want, v.Reason(), show(&p), report, settings, gateFile)
					if !*every {
						t.FailNow()
					}
					break
				}
			}
			t.Logf("%d calls, %d answered alike, %d policies laxer", policies*calls, equal, laxer)
		})
	}
}

// some are up to most of some texts.
func some(r *rand.Rand, most int, of ...string) (out []string) {
	for range r.IntN(most + 1) {
		out = append(out, of[r.IntN(len(of))])
	}
	return out
}

// one of some texts.
func one(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// compact is a value as JSON.
func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprint(v, err))
	}
	return string(text)
}
