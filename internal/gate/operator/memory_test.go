//go:build unix

package operator

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/rules"
)

func keyOf(t *testing.T, k *Asker, c *decide.Input) string {
	t.Helper()
	p, err := Of(&c.Policy.Posture.Classifier, time.Second, c.Policy)
	if err != nil {
		t.Fatal(err)
	}
	return k.key(c, newQuestion(c, decide.Verdict{}), &p, p.Command[0])
}

// TestKey: a verdict is found again for the same call alone. Whatever it depends on
// changes its key.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	program, helper := dir+"/program", dir+"/helper"
	executable.Write(t, program, "a")
	executable.Write(t, helper, "b")
	fresh := func() *decide.Input { return asked(t, "deploy now", program, helper) }
	k := &Asker{Flags: &gate.Flags{}}
	want := keyOf(t, k, fresh())
	if want == "" || want != keyOf(t, k, fresh()) {
		t.Fatalf("%q and %q", want, keyOf(t, k, fresh()))
	}
	for name, change := range map[string]func(c *decide.Input, k *Asker){
		"tool":          func(c *decide.Input, _ *Asker) { c.Call.Tool = "Monitor" },
		"its raw name":  func(c *decide.Input, _ *Asker) { c.Call.RawTool = "bash" },
		"host":          func(c *decide.Input, _ *Asker) { c.Call.Host = hookio.Lookup("codex") },
		"folder":        func(c *decide.Input, _ *Asker) { c.Call.Dir = "/w/sub" },
		"agent":         func(c *decide.Input, _ *Asker) { c.Call.AgentType = "reviewer" },
		"cwd":           func(c *decide.Input, _ *Asker) { c.Policy.Cwd.Given = "/w/sub" },
		"where that is": func(c *decide.Input, _ *Asker) { c.Policy.Cwd.Real = "/elsewhere" },
		"project":       func(c *decide.Input, _ *Asker) { c.Policy.Project.Given = "/w2" },
		"mode":          func(c *decide.Input, _ *Asker) { c.Policy.Mode.Value = "default" },
		"settings": func(c *decide.Input, _ *Asker) {
			c.Policy.Sources = []rules.Source{{Path: "/w/.gen/settings.json"}}
		},
		"flags": func(_ *decide.Input, k *Asker) { k.Flags = &gate.Flags{Denied: []string{"Read"}} },
		"a script it runs": func(c *decide.Input, _ *Asker) {
			c.Script = bashsafety.Analyze("deploy now; other", bashsafety.Env{})
		},
		"time-out": func(c *decide.Input, _ *Asker) {
			v := &c.Policy.Posture.Classifier.Value
			*v = strings.Replace(*v, "20000", "20001", 1)
		},
	} {
		c, k := fresh(), &Asker{Flags: &gate.Flags{}}
		change(c, k)
		if keyOf(t, k, c) == want {
			t.Errorf("%s changes nothing", name)
		}
	}
	for _, command := range []string{"deploy  now", "deploy now ", "Deploy now"} {
		if keyOf(t, k, asked(t, command, program, helper)) == want {
			t.Errorf("%q has the key of another call", command)
		}
	}
	for _, command := range []string{"deploy --password hunter2hunter2", "curl -H 'Authorization: Bearer abcdefghijklmnop' x", "deploy " + strings.Repeat("x", maxKey), "deploy " + strings.Repeat("x", 2*maxInput)} {
		if key := keyOf(t, k, asked(t, command, program, helper)); key != "" {
			t.Errorf("%.40s: it is kept: %.200s", command, key)
		}
	}
	for _, file := range []string{program, helper} {
		before := keyOf(t, k, fresh())
		executable.Write(t, file, "another")
		if keyOf(t, k, fresh()) == before {
			t.Errorf("%s may change", file)
		}
		past := time.Now().Add(-time.Hour)
		before = keyOf(t, k, fresh())
		os.Chtimes(file, past, past)
		if keyOf(t, k, fresh()) == before {
			t.Errorf("the time of %s may change", file)
		}
	}
}

// TestOff: nothing is allocated for a classifier where none is set, or in another mode.
func TestOff(t *testing.T) {
	c := asked(t, "deploy now", "/nowhere")
	c.Classify = func(*decide.Input, decide.Verdict) say.Judgement {
		t.Error("it was asked")
		return say.Judgement{}
	}
	c.Policy.Mode.Value = "default"
	with := testing.AllocsPerRun(50, func() { decide.Decide(c) })
	c.Policy.Posture.Classifier, c.Classify = rules.Setting{}, nil
	if without := testing.AllocsPerRun(50, func() { decide.Decide(c) }); with != without {
		t.Errorf("%v allocations with a classifier, %v without", with, without)
	}
}
