package decide

import (
	"os"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// TestBareRepository is about a repository without .git among the files of the
// project: whatever its config says runs, so it is another one, wherever the
// session is by now.
func TestBareRepository(t *testing.T) {
	p := newGitPlace(t)
	p.git("ws", "init", "-q", "--bare", "src/e")
	p.write("ws/src/plain/HEAD", "a file of that name\n")
	p.git("ws", "init", "-q", "vendor/x")
	if err := os.MkdirAll(p.at("ws/src/e/deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cwd, command string
		asks         bool
	}{
		{"ws", "git -C src/e status", true}, {"ws", "git -C src/e commit -m x", true}, {"ws", "cd src/e && git log", true}, {"ws", "git -C src/e/refs log", true},
		{"ws/src/e", "git status", true}, {"ws/src/e", "git commit -m x", true}, {"ws/src/e", "git log -1", true}, {"ws/src/e", "git fetch", true},
		{"ws/src/e/deep", "git status", true}, {"ws/src/e/deep", "git stash", true}, {"ws/src/e/objects", "git gc", true}, {"ws/src/e", "git -C . status", true},
		{"ws", "cd src/e && cd ../.. && git status", false}, {"ws/src", "git -C e status", true}, {"ws", "(cd src/e; git fsck)", true},
		{"ws", "git status", false}, {"ws/src", "git status", false}, {"ws/src", "git commit -m x", false}, {"ws/src/plain", "git commit -m x", false},
		{"ws/src/plain", "git log", false}, {"ws/vendor/x", "git commit -m x", false}, {"ws", "git -C src log", false}, {"ws/src/e", "git -C ../.. status", false},
		{"ws/src/e", "git -C ../.. commit -m x", false}, {"ws/src/e", "cat HEAD", false},
	} {
		cwd := rules.Path{Given: p.at(test.cwd), Real: p.at(test.cwd)}
		c := p.ask(test.command)
		c.Policy.Cwd, c.Script = cwd, bashsafety.Analyze(test.command, bashsafety.Env{Cwd: cwd.Given, Home: p.dir})
		c.World = world.New(c.World.Facts, c.Policy, "")
		if v := Decide(c); (v.Step() == "2") != test.asks {
			t.Errorf("in %s: %s: step %s, asks is to be %v: %s", test.cwd, test.command, v.Step(), test.asks, v.Reason())
		}
	}
}
