package try

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// ask is a request as the page makes it.
func ask(t *testing.T, r Request) map[string]any {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(Answer(text), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func ofClaude() Policy { return Policy{Gate: posture(hookio.Lookup("claude"))} }

// TestExamples: every example is answered as it says.
func TestExamples(t *testing.T) {
	if len(examples) != 30 {
		t.Errorf("there are %d examples", len(examples))
	}
	for i := range examples {
		x := &examples[i]
		p := ofClaude()
		p.Settings = x.settings()
		got := ask(t, Request{Tool: x.tool, Text: x.text, Mode: x.mode, Host: "claude", Policy: p})
		if got["answer"] != x.answer || got["error"] != nil {
			t.Errorf("%s: %s %s is answered %v, step %v: %v %v", x.title, x.tool, x.text, got["answer"], got["step"], got["reason"], got["error"])
		}
	}
}

// TestTables: every example is in one of the tables that the tests judge.
func TestTables(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"testdata/corpus/attacks.tsv", "testdata/corpus/benign.tsv", "testdata/corpus/powershell.tsv", "bashsafety/checks/examples.tsv"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			for cell := range strings.SplitSeq(line, "\t") {
				var in map[string]any
				if json.Unmarshal([]byte(cell), &in) == nil {
					for _, text := range in {
						all.WriteString(fmt.Sprint(text, "\n"))
					}
				}
				all.WriteString(cell + "\n")
			}
		}
	}
	for i := range examples {
		if !strings.Contains("\n"+all.String(), "\n"+examples[i].text+"\n") {
			t.Errorf("%s is in no table: %s", examples[i].title, examples[i].text)
		}
	}
}

// TestPosture: the permgate.json of the page is what install writes: it is read without a fault.
func TestPosture(t *testing.T) {
	for _, h := range hookio.Hosts() {
		got := ask(t, Request{Text: "ls", Host: h.Name, Policy: Policy{Gate: posture(h)}})
		if faults, _ := got["faults"].([]any); got["error"] != nil || len(faults) > 0 {
			t.Errorf("%s: %v %v", h.Name, got["error"], faults)
		}
	}
}

// TestParts: effects and launched commands say what they belong to.
func TestParts(t *testing.T) {
	got := ask(t, Request{Text: `cd src && sudo rm -rf build; bash -c "curl x | sh" > out.txt`, Policy: ofClaude(), Host: "claude"})
	var tree []string
	for _, p := range got["parts"].([]any) {
		m := p.(map[string]any)
		of := -1
		if n, ok := m["of"].(float64); ok {
			of = int(n)
		}
		tree = append(tree, fmt.Sprint(of, " ", m["part"]))
	}
	want := []string{"-1 cd src", "-1 sudo rm -rf build", "1 rm -rf build", "2 write /home/you/project/src/build", "-1 bash -c 'curl x | sh'",
		"4 write /home/you/project/src/out.txt", "4 write /home/you/project/out.txt", "4 curl x", "7 fetch x", "4 sh"}
	if !slices.Equal(tree, want) {
		t.Errorf("the parts are\n%s\nwant\n%s", strings.Join(tree, "\n"), strings.Join(want, "\n"))
	}
	steps, rest, host := got["steps"].([]any), got["not_reached"].([]any), got["host_step"].(map[string]any)
	if len(steps)+len(rest) != 8 || host["step"] != "9" || host["answer"] != got["answer"] {
		t.Errorf("%d steps, %d not reached, and %v", len(steps), len(rest), host)
	}
}

// TestWrong: what cannot be decided says why.
func TestWrong(t *testing.T) {
	for want, r := range map[string]Request{
		"no command given":                       {},
		"the input begins like JSON and is none": {Tool: "Read", Text: "{x"},
		"unknown host x":                         {Text: "ls", Host: "x"},
		"the payload is not a JSON object":       {Call: json.RawMessage("[]")},
		"nothing to decide on event SessionEnd":  {Call: json.RawMessage(`{"hook_event_name":"SessionEnd","session_id":"x"}`)},
	} {
		if got := ask(t, r); !strings.Contains(fmt.Sprint(got["error"]), want) {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if got := string(Answer([]byte("{"))); !strings.Contains(got, `"error"`) {
		t.Error(got)
	}
	fault := ask(t, Request{Text: "ls", Policy: Policy{Settings: `{"permissions": {"deny": 1}}`}})
	if faults := fault["faults"].([]any); len(faults) != 1 || fault["answer"] != "ask" {
		t.Errorf("a settings file with a mistake: %v %v", fault["answer"], faults)
	}
}

// TestCompare: the shortest call that two policies answer differently is found.
func TestCompare(t *testing.T) {
	p := func(allow string) Policy { return Policy{Settings: `{"permissions": {"allow": [` + allow + `]}}`} }
	other := p(`"Bash(git:*)"`)
	got := ask(t, Request{Policy: p(`"Bash(git:*)", "Bash(npm run:*)"`), Against: &other})
	found, _ := got["findings"].([]any)
	if got["verdict"] != "fails" || len(found) != 1 || found[0].(map[string]any)["text"] != "npm run" {
		t.Errorf("%v", got)
	}
	if got := ask(t, Request{Policy: other, Against: &other}); got["verdict"] != "holds" {
		t.Errorf("%v", got)
	}
}

// TestAbout: the page is told what it offers.
func TestAbout(t *testing.T) {
	got := ask(t, Request{About: true})
	for name, want := range map[string]int{"hosts": len(hookio.Hosts()), "modes": len(rules.Modes), "tools": len(tools), "examples": len(examples)} {
		if list, _ := got[name].([]any); len(list) != want {
			t.Errorf("%d %s, want %d", len(list), name, want)
		}
	}
}

// TestUnknownDisk: nothing is said of files that were not looked at.
func TestUnknownDisk(t *testing.T) {
	got := ask(t, Request{Text: "rm -rf build", Host: "claude", Policy: ofClaude()})
	if reason := fmt.Sprint(got["reason"]); got["answer"] != "ask" || strings.Contains(reason, "exist") || got["loss"] != nil {
		t.Errorf("%v: %s", got["answer"], reason)
	}
}
