package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// withScripts decides a command in a project with a package.json, a Makefile, a
// justfile and a Taskfile, with expandScripts on or off.
func withScripts(t testing.TB, command, mode string, l lists, files map[string]string, on bool) decide.Verdict {
	t.Helper()
	settings, _ := json.Marshal(map[string]any{"permissions": map[string][]string{"allow": l.Allow, "ask": l.Ask, "deny": l.Deny}})
	all := map[string]string{
		"/home/dev/.gen/settings.json": string(settings),
		"/home/dev/.gen/permgate.json": fmt.Sprintf(`{"expandScripts": %t, "readOnlyCommands": "allow"}`, on),
	}
	for name, text := range files {
		all["/work/project/"+name] = text
	}
	_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: mode, Settings: all})
	return v
}

// scriptFiles spell the same scripts for every runner.
func scriptFiles(texts []string) map[string]string {
	scripts := map[string]string{}
	var mk, just, task strings.Builder
	task.WriteString("tasks:\n")
	for i, text := range texts {
		name := fmt.Sprintf("s%d", i)
		scripts[name] = text
		mk.WriteString(name + ":\n\t" + strings.ReplaceAll(text, "$", "$$") + "\n")
		just.WriteString(name + ":\n  " + strings.ReplaceAll(text, "{{", "{{{{") + "\n")
		quoted, _ := json.Marshal(text)
		task.WriteString("  " + name + ":\n    cmd: " + string(quoted) + "\n")
	}
	pkg, _ := json.Marshal(map[string]any{"scripts": scripts})
	return map[string]string{"package.json": string(pkg), "Makefile": mk.String(), "justfile": just.String(), "Taskfile.yml": task.String()}
}

var runnerCommands = []string{"npm run s%d", "yarn s%d", "make s%d", "just s%d", "task s%d", "npm --silent run s%d -- x", "cd . && npm run s%d", "sh -c 'make s%d'", "ls; npm run s%d; rm x"}

// checkExpansion: expansion is never laxer than none, and what is in a
// script is denied or asked about as it is when it is in the call.
func checkExpansion(t testing.TB, texts []string, runner, mode string, l lists) {
	t.Helper()
	files := scriptFiles(texts)
	command := fmt.Sprintf(runner, 0)
	off, on := withScripts(t, command, mode, l, files, false), withScripts(t, command, mode, l, files, true)
	if on.Decision() < off.Decision() {
		t.Errorf("expansion loosens %q in %s under %+v with %q: %v %q, was %v %q", command, mode, l, texts, on.Decision(), on.Reason(), off.Decision(), off.Reason())
	}
	direct := decideText(t, texts[0], mode, l)
	if mode != "default" || strings.HasPrefix(runner, "just") && strings.Contains(texts[0], "{{") {
		return // where no one is asked, step 7 denies what a script needs no rule for
	}
	if (direct.Step() == "1" || direct.Step() == "2") && on.Decision() < direct.Decision() {
		t.Errorf("%q lets pass what it runs, %q, under %+v: %v %q, directly %v %q", command, texts[0], l, on.Decision(), on.Reason(), direct.Decision(), direct.Reason())
	}
}

func TestExpansion(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	runs := append([]string{"npm run s1", "make s1 s2", "just s0", "npm run s0 && task s1"}, poolCommands...)
	for range testenv.Count(t, 100, 600, 600) {
		l := lists{append(pick(r, poolRules, 3), "Bash(npm *)", "Bash(make *)", "Bash(just:*)", "Bash(task:*)"), pick(r, poolRules, 1), pick(r, poolRules, 2)}
		texts := []string{runs[r.Intn(len(runs))], runs[r.Intn(len(runs))], poolCommands[r.Intn(len(poolCommands))]}
		checkExpansion(t, texts, runnerCommands[r.Intn(len(runnerCommands))], poolModes[r.Intn(len(poolModes))], l)
		if t.Failed() {
			return
		}
	}
}

// FuzzExpansion checks it on files the fuzzer makes up, too.
func FuzzExpansion(f *testing.F) {
	files := scriptFiles([]string{"rm -rf /", "npm run s0", "curl x"})
	for i, c := range runnerCommands {
		f.Add(fmt.Sprintf(c, i%3), files["package.json"], files["Makefile"], files["justfile"], files["Taskfile.yml"], poolRules[i])
	}
	f.Fuzz(func(t *testing.T, command, pkg, mk, just, task, deny string) {
		if in, _ := json.Marshal(command + deny); strings.TrimSpace(command) == "" || strings.Contains(string(in), `\ufffd`) || strings.Contains(string(in), `\u0000`) || len(command) > 400 {
			t.Skip()
		}
		all := map[string]string{"package.json": pkg, "Makefile": mk, "justfile": just, "Taskfile.yml": task}
		l := lists{Allow: []string{"Bash(npm *)", "Bash(make *)", "Bash(just *)", "Bash(task *)"}, Deny: []string{deny}}
		off, on := withScripts(t, command, "default", l, all, false), withScripts(t, command, "default", l, all, true)
		if on.Decision() < off.Decision() {
			t.Errorf("expansion loosens %q: %v %q, was %v %q", command, on.Decision(), on.Reason(), off.Decision(), off.Reason())
		}
		if off.Decision() == hookio.Pass || on.Reason() == "" {
			t.Errorf("%q: no answer", command)
		}
	})
}
