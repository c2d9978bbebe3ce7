package guard

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestPrecious: what is said of a file by its folder and its name is what its whole path says.
func TestPrecious(t *testing.T) {
	const home, project = "/home/u", "/home/u/app"
	p := &rules.Policy{Cwd: rules.Path{Given: project, Real: project}, Home: rules.Path{Given: home, Real: home}}
	p.Project = p.Cwd
	env := []string{"PATH=/usr/bin:/home/u/app/tools:/opt/b", "XDG_CONFIG_HOME=/home/u/conf", "CARGO_HOME=/home/u/app/cargo"}
	w := world.New(world.Facts{FS: fakefs.New(nil), Environ: func() []string { return env }, User: world.User{ID: 1000, Home: home}}, p, "")
	parts := strings.Fields("a src W.x home u app tools cargo conf usr bin etc private x*y ?env [.]env .env~1 A.ENV .Git\u200c a:b x. ~ \\x ..x \xff")
	for i := range Secrets {
		for _, s := range Secrets[i].Paths {
			parts = append(parts, strings.Split(strings.ReplaceAll(s, "*", "q"), "/")...)
		}
	}
	for i := range Sensitives {
		for _, s := range Sensitives[i].Paths {
			parts = append(parts, strings.Split(strings.ReplaceAll(strings.TrimSuffix(s, "/"), "*", "q"), "/")...)
		}
	}
	random, fast, yes := rand.New(rand.NewPCG(5, 5)), 0, 0
	g := New(w, repo.New(w))
	for range testenv.Count(t, 20_000, 300_000, 1_000_000) {
		dir := [...]string{"/", home, project, "/usr", "/home"}[random.IntN(5)]
		for range random.IntN(4) {
			from := parts
			if random.IntN(3) > 0 {
				from = parts[:4]
			}
			dir = path.Join(dir, from[random.IntN(len(from))])
		}
		for range 3 {
			name := strings.TrimSuffix(dir, "/") + "/" + parts[random.IntN(len(parts))]
			want := New(w, g.Repos).byWholePath(name)
			if got := g.Precious(name); got != want {
				t.Fatalf("%q: %v, want %v", name, got, want)
			}
			if yes += btoi(want); g.plainDir {
				fast++
			}
		}
	}
	t.Log(fast, yes)
	if fast < 1000 || yes < 1000 {
		t.Errorf("%d by folder and name, %d precious", fast, yes)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
