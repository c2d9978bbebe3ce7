package differ

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"

	"github.com/permgate--owner/permgate/internal/test/spec"
)

// An answer is what the program says of a case.
type answer struct {
	Told   string `json:"answer"`
	Step   string `json:"step"`
	Origin string `json:"origin"`
	Reason string `json:"reason"`
	Error  string `json:"error"`
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func (t *tree) run(args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = t.project, t.env
	return cmd
}

// check asks permgate check --lines about all calls.
func (t *tree) check(cases []drawn) ([]answer, error) {
	cmd := t.run(append([]string{"check", "--lines", "--jobs", "1"}, t.args...)...)
	var in, out, errs bytes.Buffer
	enc := json.NewEncoder(&in)
	for i := range cases {
		if err := enc.Encode(t.payload(&cases[i], t.calls[i])); err != nil {
			return nil, err
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	err := cmd.Run()
	answers := make([]answer, 0, len(cases))
	for dec := json.NewDecoder(&out); dec.More(); {
		var a answer
		if err := dec.Decode(&a); err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if len(answers) != len(cases) {
		return nil, fmt.Errorf("%d answers to %d calls: %v: %s", len(answers), len(cases), err, errs.String())
	}
	return answers, nil
}

// hook asks permgate hook about one call.
func (t *tree) hook(d *drawn, n int) (answer, error) {
	cmd := t.run(append([]string{"hook"}, t.args...)...)
	in, err := json.Marshal(t.payload(d, t.calls[n]))
	if err != nil {
		return answer{}, err
	}
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		return answer{}, fmt.Errorf("permgate hook: %v: %s", err, errs.String())
	}
	told, err := toldBy(out)
	if told == "silence" && hostOf(d).noSilent {
		told = "" // an allow is silence too
	}
	return answer{Told: told}, err
}

// toldBy reads an answer in the form of any host.
func toldBy(out []byte) (string, error) {
	if len(out) == 0 {
		return "silence", nil
	}
	var a struct {
		Decision string
		Specific struct {
			Permission string `json:"permissionDecision"`
			Decision   struct{ Behavior string }
		} `json:"hookSpecificOutput"`
	}
	err := json.Unmarshal(out, &a)
	for _, word := range []string{a.Decision, a.Specific.Permission, a.Specific.Decision.Behavior} {
		switch word {
		case "allow", "ask", "deny":
			return word, err
		case "block":
			return "deny", err
		case "approve":
			return "allow", err
		}
	}
	return "", fmt.Errorf("an answer in no known form: %s", out)
}

// told is a word of the specification as the program writes it.
func toldWord(t spec.Told) string { return [...]string{"allow", "silence", "ask", "deny"}[t] }
