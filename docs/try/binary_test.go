package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/built"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/internal/try"
)

// A row is a call of a corpus, as the page is asked about it.
type row struct {
	ID string `json:"id"`
	try.Request
}

// installed is what permgate install writes for Claude Code, from the page itself.
func installed(t *testing.T) string {
	t.Helper()
	var about struct {
		Hosts []struct{ Name, Posture string }
	}
	if err := json.Unmarshal(try.Answer([]byte(`{"about": true}`)), &about); err != nil {
		t.Fatal(err)
	}
	for _, h := range about.Hosts {
		if h.Name == "claude" {
			return h.Posture
		}
	}
	t.Fatal("no posture for Claude Code")
	return ""
}

// labelled are rows of a table of judged calls, in a home: every so many of them.
func labelled(t *testing.T, data []byte, home string, every int) (out []row) {
	t.Helper()
	here := strings.NewReplacer("/work/project", home+"/project", "/home/dev", home)
	gate := installed(t)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		if i%every != 0 {
			continue
		}
		settings := `{"permissions": ` + here.Replace(f[4]) + `}`
		payload := fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","permission_mode":"default","cwd":%q,"tool_name":%q,"tool_input":%s}`,
			home+"/project", f[2], here.Replace(f[3]))
		if !json.Valid([]byte(payload)) { // those that are about broken JSON
			continue
		}
		out = append(out, row{f[0], try.Request{Call: json.RawMessage(payload), Host: "claude", Home: home, Policy: try.Policy{Settings: settings, Gate: gate}}},
			row{f[0] + " bare", try.Request{Call: json.RawMessage(payload), Home: home, Policy: try.Policy{Settings: settings}}})
	}
	return out
}

// recorded are recorded calls under the example policy of the page, every so many of them.
func recorded(t *testing.T, data []byte, home string, every int) (out []row) {
	t.Helper()
	here := strings.NewReplacer("/Users/dev", home, "/home/dev", home)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i%every == 0 {
			p := try.Policy{Settings: `{"permissions": {"allow": ["Bash(git:*)", "Bash(npm run test:*)"], "deny": ["Read(.env)"]}}`, Gate: installed(t)}
			out = append(out, row{fmt.Sprint("call ", i+1), try.Request{Call: json.RawMessage(here.Replace(line)), Host: "claude", Home: home, Policy: p}})
		}
	}
	return out
}

// rows are calls of the project's own corpora, and of those that PERMGATE_CORPUS names.
func rows(t *testing.T, home string) (out []row) {
	t.Helper()
	every := testenv.Every(t, 90, 30, 1)
	for _, name := range []string{"attacks.tsv", "benign.tsv"} {
		data, err := os.ReadFile("../../testdata/corpus/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, labelled(t, data, home, every)...)
	}
	if testenv.CorpusPath(t, "corpus/attacks_dev.tsv") == "" {
		return out
	}
	for _, name := range []string{"attacks_dev.tsv", "benign_dev.tsv"} {
		out = append(out, labelled(t, testenv.Corpus(t, "corpus/"+name), home, 1)...)
	}
	return append(out, recorded(t, testenv.Corpus(t, "corpus/real_calls.jsonl"), home, max(1, every/5))...)
}

// An answered call, as far as the page and check --lines are compared.
type answered struct{ Decision, Step, Answer, Error string }

var strictness = map[string]int{"allow": 0, "silence": 1, "ask": 2, "deny": 3}

// TestBinary: the page answers as permgate check does in an empty project. Where it does not, for the program saw that
// something is not there and the page knows of no disk, the page is stricter.
func TestBinary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a page of a browser takes paths for those of a Unix")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, err := built.Release()
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	all := rows(t, home)
	groups := map[try.Policy][]int{}
	for i := range all {
		groups[all[i].Policy] = append(groups[all[i].Policy], i)
	}
	stricter, otherStep := 0, 0
	for policy, list := range groups {
		program := lines(t, bin, home, policy, all, list)
		for k, i := range list {
			request, err := json.Marshal(all[i].Request)
			if err != nil {
				t.Fatal(err)
			}
			var page answered
			if err := json.Unmarshal(try.Answer(request), &page); err != nil {
				t.Fatal(err)
			}
			switch {
			case page == program[k] || page.Error != "" && program[k].Error != "":
			case page.Decision == program[k].Decision && page.Answer == program[k].Answer:
				otherStep++ // what is below /tmp, as the home of this test, may be a temporary file of the user's own
			case strictness[page.Answer] > strictness[program[k].Answer] && page.Error == "":
				stricter++
				t.Logf("%s: the page %v, the program %v: %.300s", all[i].ID, page, program[k], all[i].Call)
			default:
				t.Errorf("%s: the page %v, the program %v: %.300s %.300s", all[i].ID, page, program[k], all[i].Call, policy.Settings)
			}
		}
	}
	t.Logf("%d calls under %d policies; %d where the page is stricter, %d answered alike by another step",
		len(all), len(groups), stricter, otherStep)
	if stricter > max(2, len(all)/100) {
		t.Errorf("the page is stricter on %d of %d calls", stricter, len(all))
	}
}

// lines are the answers of permgate check --lines under a policy.
func lines(t *testing.T, bin, home string, policy try.Policy, all []row, list []int) (out []answered) {
	t.Helper()
	var in bytes.Buffer
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(home, ".claude", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"project", ".claude"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("settings.json", policy.Settings)
	write("permgate.json", cmp.Or(policy.Gate, "{}"))
	host := all[list[0]].Host
	for _, i := range list {
		var call struct{ Cwd string }
		if err := json.Unmarshal(all[i].Call, &call); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(call.Cwd, home+"/") {
			if err := os.MkdirAll(call.Cwd, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		in.Write(all[i].Call)
		in.WriteByte('\n')
	}
	args := []string{"check", "--lines", "--home", home, "--state", filepath.Join(home, ".state")}
	if host != "" {
		args = append(args, "--host", host)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = filepath.Join(home, "project"), []string{"HOME=" + home}, &in, os.Stderr
	text, _ := cmd.Output() // exit code 3 where a line could not be read
	for line := range strings.Lines(string(text)) {
		var a answered
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	if len(out) != len(list) {
		t.Fatalf("%d answers to %d calls", len(out), len(list))
	}
	return out
}
