package scale

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestEngines: on the same calls every engine counts what permgate replay counts.
func TestEngines(t *testing.T) {
	e := newEngines(t)
	files := []string{"testdata/calls.jsonl"}
	if recorded := testenv.CorpusPath(t, "corpus/real_calls.jsonl"); recorded != "" {
		files = append(files, recorded)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			own := *e
			own.T = t
			own.settings(file)
			own.policies(file)
		})
	}
	t.Run("log", func(t *testing.T) {
		own := *e
		own.T = t
		dir := "../../policy/sessions/testdata/permgate/"
		files := []string{dir + "log.1.jsonl", dir + "log.jsonl"}
		policy := []string{"--policy", "testdata/now.json", "--against", "testdata/was.json", "--home", t.TempDir()}
		want := own.replay("", append(policy, files...)...)
		same(t, "Beam", own.pipeline(dir+"log*.jsonl", policy...).only(counted[:]...), want.only(counted[:]...))
		own.duckdbLog(dir+"log*.jsonl", files)
	})
}

// counted is what every engine but check counts.
var counted = [...]string{"lines", "read", "duplicates", "unknown", "torn", "newer", "skipped", "decided", "answers", "tools", "rules", "changes"}

// policies compares under two policies.
func (e *engines) policies(file string) {
	args := []string{"--policy", "testdata/now.json", "--against", "testdata/was.json", "--home", e.TempDir()}
	want := e.replay(file, append(args, "--lines")...).only(counted[:]...)
	if len(want.only("changes")) == 0 {
		e.Error("the policies answer alike")
	}
	same(e.T, "Beam", e.pipeline(file, args...), want)
}

// settings compares under the settings of a home directory.
func (e *engines) settings(file string) {
	want := e.replay(file, "--lines", "--home", e.home())
	same(e.T, "Beam", e.pipeline(file, "--home", e.home()), want.only(counted[:]...))
	answers := filepath.Join(e.TempDir(), "answers.jsonl")
	e.write(answers, e.run(file, e.permgate, "check", "--lines", "--home", e.home()))
	same(e.T, "check", e.answered(file, answers), want.only("answers", "tools", "rules"))
	e.duckdb(file, answers, want)
	if _, err := exec.LookPath("parallel"); err != nil {
		e.Logf("without GNU parallel: %v", err)
		return
	}
	e.write(answers, e.run(file, "parallel", "-k", "--pipe", "--block", "64k", "--jobs", "2",
		e.permgate, "check", "--lines", "--jobs", "1", "--home", e.home()))
	same(e.T, "parallel", e.answered(file, answers), want.only("answers", "tools", "rules"))
}

func (e *engines) write(name string, text []byte) {
	if err := os.WriteFile(name, text, 0o600); err != nil {
		e.Fatal(err)
	}
}

func (e *engines) read(name string) []byte {
	e.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		e.Fatal(err)
	}
	return text
}

// answered counts the output of check, which is in the order of its input.
func (e *engines) answered(file, answers string) counts {
	e.Helper()
	var ids []string
	for line := range bytes.Lines(e.read(file)) {
		var call struct {
			ID string `json:"tool_use_id"`
		}
		if len(bytes.TrimSpace(line)) > 0 {
			_ = json.Unmarshal(line, &call) // of a broken line the answer is an error
			ids = append(ids, call.ID)
		}
	}
	type answer struct {
		Answer, Tool, Check string
		Error               *string
		Rule                struct {
			Text, File string
			Line, Col  int
		}
	}
	c, seen := counts{}, map[string]bool{"": false}
	for a := range lines[answer](e, answers) {
		if len(ids) == 0 {
			e.Fatalf("there are more answers than calls in %s", file)
		}
		id := ids[0]
		ids = ids[1:]
		if a.Error != nil || seen[id] {
			continue
		}
		seen[id] = id != ""
		c.add(1, "answers", a.Answer)
		c.add(1, "tools", a.Tool, a.Answer)
		switch r := a.Rule; {
		case r.Text != "":
			c.add(1, "rules", r.Text, r.File+":"+strconv.Itoa(r.Line)+":"+strconv.Itoa(r.Col), a.Answer)
		case a.Check != "":
			c.add(1, "rules", "check "+a.Check, "", a.Answer)
		}
	}
	if len(ids) > 0 {
		e.Errorf("%d calls of %s have no answer", len(ids), file)
	}
	return c
}

// duckdb counts with the queries of the page.
func (e *engines) duckdb(file, answers string, want counts) {
	e.Helper()
	if !e.install() {
		return
	}
	c := counts{}
	for r := range e.query("calls.sql", "calls="+file, "answers="+answers) {
		n, _ := strconv.Atoi(r["calls"])
		switch r["query"] {
		case "totals":
			c.add(n, "answers", r["answer"])
		case "answers by tool":
			c.add(n, "tools", r["tool"], r["answer"])
		case "rules and checks by hits":
			c.add(n, "rules", r["rule"], r["place"], r["answer"])
		case "prompts per session":
			for _, name := range [...]string{"sessions", "prompts", "p50", "p90", "most"} {
				n, _ := strconv.Atoi(r[name])
				c.add(n, name)
			}
		}
	}
	same(e.T, "DuckDB", c, want.only("answers", "tools", "rules", "sessions", "prompts", "p50", "p90", "most"))
}

// duckdbLog counts the decisions of a log with the queries of the page.
func (e *engines) duckdbLog(pattern string, files []string) {
	e.Helper()
	if !e.install() {
		return
	}
	want, prompts := counts{}, 0
	for _, name := range files {
		for line := range bytes.Lines(e.read(name)) {
			r, ok := log.Parse(bytes.TrimSpace(line))
			if !ok || r.Event != log.EventDecision {
				continue
			}
			want.add(1, "tools", r.Tool, r.Answered)
			want.add(1, "OCSF", r.Answered)
			want.add(1, "ECS", ecsType(r.Answered))
			if r.Rule != "" || r.Check != "" {
				want.add(1, "rules", cmp.Or(r.Rule, "check "+r.Check), r.RulePlace, r.Answered)
			}
			if r.Answered == "ask" {
				prompts++
			}
		}
	}
	want.add(prompts, "prompts")
	got := counts{}
	for r := range e.query("log.sql", "log="+pattern) {
		n, _ := strconv.Atoi(r["calls"])
		switch r["query"] {
		case "answers by tool":
			got.add(n, "tools", r["tool"], r["answer"])
		case "rules and checks by hits":
			got.add(n, "rules", r["rule"], r["place"], r["answer"])
		case "prompts per session":
			n, _ := strconv.Atoi(r["prompts"])
			got.add(n, "prompts")
		}
	}
	for r := range e.query("views.sql", "log="+pattern) {
		n, _ := strconv.Atoi(r["calls"])
		switch r["query"] {
		case "decisions by action (OCSF)":
			got.add(n, "OCSF", r["action"])
		case "decisions by category and type (ECS)":
			got.add(n, "ECS", r["type"])
		}
	}
	same(e.T, "DuckDB", got, want)
}

// ecsType is what the Elastic Common Schema calls an answer.
func ecsType(answered string) string {
	switch answered {
	case "allow":
		return "[info allowed]"
	case "deny":
		return "[info denied]"
	}
	return "[info]"
}
