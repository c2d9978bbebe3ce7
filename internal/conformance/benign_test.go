package conformance

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"permgate/decide"
	"permgate/hookio"
	"permgate/internal/fakefs"
)

// projectCode is the posture under which code of the project is benign.
const projectCode = `{"autoProjectCode": true}`

// plainProject is a work tree whose repository runs nothing, with some files.
func plainProject(f *fakefs.FS) {
	files := map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tbare = false\n[user]\n\tname = x\n",
		".git/hooks/pre-commit.sample": "x", ".git/objects/x": "", ".git/refs/x": "",
		"README.md": "x", "Makefile": "x", "package.json": "{}", "script.sh": "x", "src/a.go": "x", "src/b.go": "x",
		"docs/x.md": "x", "ci/Makefile": "x", "node_modules/.bin/tsc": "x", "node_modules/.bin/eslint": "x",
	}
	for name, text := range files {
		f.Write("/work/project/"+name, text)
	}
	f.Own("/work/project", 1000)
	f.Write("/home/dev/.aws/credentials", "x")
}

// inAuto decides a shell text in mode auto.
func inAuto(t *testing.T, command, gate string, arrange func(*fakefs.FS)) decide.Verdict {
	t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	s := Setup{Tool: "Bash", Input: input, Mode: "auto", Tmp: true, Settings: map[string]string{}, Arrange: arrange, Environ: []string{}}
	if gate != "" {
		s.Settings["/home/dev/.gen/permgate.json"] = gate
	}
	_, v, err := Call(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A benignLine is a shell text and from which posture on it is benign: +, p or -.
type benignLine struct{ when, text string }

func benignLines(t *testing.T) (all []benignLine) {
	t.Helper()
	data, err := os.ReadFile("testdata/benign.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if when, text, ok := strings.Cut(line, "\t"); ok {
			all = append(all, benignLine{when, strings.ReplaceAll(text, "⏎", "\n")})
		}
	}
	return all
}

// TestAutoBenign holds mode auto against our own table.
func TestAutoBenign(t *testing.T) {
	n := map[string]int{}
	for _, l := range benignLines(t) {
		n[l.when]++
		for gate, want := range map[string]bool{"": l.when == "+", projectCode: l.when != "-"} {
			v := inAuto(t, l.text, gate, plainProject)
			if got := v.Decision == hookio.Allow; got != want {
				t.Errorf("allowed is %v, want %v, under %q: %s\n\t%s", got, want, gate, l.text, v.Reason)
			} else if got && (v.Judged == nil || v.Judged.Source != decide.ByAnalysis || v.Judged.Verdict != decide.AutoAllow) {
				t.Errorf("the verdict does not say who judged: %s", l.text)
			}
		}
	}
	if n["+"] < 60 || n["p"] < 30 || n["-"] < 60 {
		t.Errorf("too few examples: %v", n)
	}
}
