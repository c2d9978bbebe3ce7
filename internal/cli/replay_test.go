package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A replayRun is a project, in which permgate is run on calls.
type replayRun struct {
	t   *testing.T
	dir string // the project
}

func newReplayRun(t *testing.T) *replayRun {
	t.Helper()
	r := &replayRun{t: t, dir: filepath.Join(t.TempDir(), "app")}
	r.write(".git/HEAD", "")
	return r
}

func (r *replayRun) write(name, text string) {
	r.t.Helper()
	writeFile(r.t, filepath.Join(r.dir, name), text)
}

// run runs permgate in the project, with in as its standard input.
func (r *replayRun) run(in string, args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	w := worldOf(filepath.Join(filepath.Dir(r.dir), "home"), r.dir)
	w.Now = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	code = Main(args, strings.NewReader(in), &out, &err, w)
	return out.String(), err.String(), code
}

// replay returns the report on calls.
func (r *replayRun) replay(in string, args ...string) (rep replay.Report, code int) {
	r.t.Helper()
	out, stderr, code := r.run(in, append([]string{"replay", "--lines", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &rep); err != nil || stderr != "" {
		r.t.Fatalf("replay %s: exit %d, %v, %s", args, code, err, stderr)
	}
	return rep, code
}

// check returns what permgate check answers each line.
func (r *replayRun) check(in string) (answers []string) {
	r.t.Helper()
	out, _, _ := r.run(in, "check", "--lines", "--jobs", "1")
	for line := range strings.Lines(out) {
		answers = append(answers, gjson.Get(line, "answer").Str)
	}
	return answers
}

// calls returns payloads of calls in the project, each with its number as its session:
// commands of testdata/corpus, and some of the recorded calls where those are.
func (r *replayRun) calls() (lines []string) {
	r.t.Helper()
	every := testenv.Every(r.t, 14, 7, 7)
	seen := map[string]bool{}
	add := func(tool, input, mode string) {
		if key := tool + input; !seen[key] && len(input) < 300 && gjson.Valid(input) {
			seen[key] = true
			lines = append(lines, fmt.Sprintf(`{"session_id":"%d","cwd":%q,"permission_mode":%q,"tool_name":%q,"tool_input":%s}`+"\n",
				len(lines), r.dir, mode, tool, input))
		}
	}
	for _, name := range [...]string{"benign.tsv", "attacks.tsv"} {
		text, err := os.ReadFile(filepath.Join("../../testdata/corpus", name))
		if err != nil {
			r.t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if f := strings.Split(line, "\t"); i%every == 1 && len(f) > 3 && strings.HasPrefix(f[3], "{") {
				add(f[2], f[3], "default")
			}
		}
	}
	path := testenv.CorpusPath(r.t, "corpus/real_calls.jsonl")
	if path == "" {
		return lines
	}
	f, err := os.Open(path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for n := 0; s.Scan(); n++ {
		if v := gjson.ParseBytes(s.Bytes()); n%every == 0 {
			add(v.Get("tool_name").Str, v.Get("tool_input").Raw, v.Get("permission_mode").Str)
		}
	}
	return lines
}

// policyText is a settings file.
func policyText(allow, ask, deny []string) string {
	lists := map[string][]string{"allow": allow, "ask": ask, "deny": deny}
	maps.DeleteFunc(lists, func(_ string, rules []string) bool { return rules == nil })
	text, _ := json.Marshal(map[string]any{"permissions": lists})
	return string(text)
}

// TestReplayAgainst: what is answered otherwise is exactly what check answers
// otherwise, and counts reconcile.
func TestReplayAgainst(t *testing.T) {
	r := newReplayRun(t)
	lines := r.calls()
	in := strings.Join(lines, "")
	base := policyText([]string{"Bash(git:*)", "Bash(ls:*)", "Read"}, []string{"Bash(curl:*)"}, []string{"Bash(git push:*)"})
	for name, policy := range map[string]string{
		"added":   policyText([]string{"Bash(git:*)", "Bash(ls:*)", "Read", "Bash(grep:*)"}, []string{"Bash(curl:*)"}, []string{"Bash(git push:*)"}),
		"removed": policyText([]string{"Bash(git:*)", "Bash(ls:*)", "Read"}, []string{"Bash(curl:*)"}, nil),
		"moved":   policyText([]string{"Bash(git:*)", "Read"}, []string{"Bash(curl:*)", "Bash(ls:*)"}, []string{"Bash(git push:*)"}),
		"same":    base,
	} {
		r.write(".claude/settings.json", base)
		was := r.check(in)
		r.write(".claude/settings.json", policy)
		now := r.check(in)
		want := map[string]string{}
		for i := range lines {
			if was[i] != now[i] {
				want[fmt.Sprint(i)] = was[i] + " " + now[i]
			}
		}
		r.write("old/settings.json", base)
		rep, code := r.replay(in, "--against", "shared=old/settings.json", "--jobs", "2")
		rows := 0
		for _, row := range rep.Rows {
			if rows += row.Calls; want[row.Session] != row.Was+" "+row.Now {
				t.Errorf("%s: %s %q is %s, now %s; by check %q", name, row.Tool, row.Text, row.Was, row.Now, want[row.Session])
			}
		}
		if rows != len(want) || (len(want) == 0) != (name == "same") {
			t.Errorf("%s: replay finds %d differences, check %d", name, rows, len(want))
		}
		if wantCode := min(len(want), 1); code != wantCode {
			t.Errorf("%s: exit %d, want %d", name, code, wantCode)
		}
		changed := 0
		for _, c := range rep.Changes {
			changed += c.Calls
			if c.By == replay.Others || c.Calls < len(c.Examples) || len(c.Examples) == 0 {
				t.Errorf("%s: %+v", name, c)
			}
		}
		reconcile(t, &rep)
		if rep.Decided != len(lines) || rep.Same+changed != rep.Decided || changed != len(want) {
			t.Errorf("%s: of %d calls %d decided, %d alike, %d not", name, len(lines), rep.Decided, rep.Same, changed)
		}
		r.responsible(name, &rep)
	}
}

// responsible checks who the differences are laid to: the one rule that was changed.
func (r *replayRun) responsible(name string, rep *replay.Report) {
	r.t.Helper()
	want := map[string]string{"added": "Bash(grep:*)", "removed": "Bash(git push:*) (removed)", "moved": "Bash(ls:*)"}[name]
	for _, c := range rep.Changes {
		if !strings.HasPrefix(c.By, want) {
			r.t.Errorf("%s: %d calls are laid to %s, want %s: %q", name, c.Calls, c.By, want, c.Examples)
		}
	}
}

// reconcile checks that the numbers of a report add up.
func reconcile(t *testing.T, r *replay.Report) {
	t.Helper()
	skipped, tools := 0, 0
	for _, s := range r.Skipped {
		skipped += s.Calls
	}
	for _, n := range r.Tools {
		tools += n.Calls()
	}
	l := &r.Lines
	if r.Read != r.Decided+skipped || l.Read != r.Read+l.Unknown+l.Torn+l.Newer+l.Duplicates {
		t.Errorf("%d lines, %d calls, %d decided, %d skipped: %+v", l.Read, r.Read, r.Decided, skipped, *l)
	}
	if tools != r.Decided || r.All.Calls() != r.Decided {
		t.Errorf("%d decided, but %d answers and %d by tool", r.Decided, r.All.Calls(), tools)
	}
	if r.Sessions.Prompts != r.All.Ask {
		t.Errorf("%d prompts, but %d asks", r.Sessions.Prompts, r.All.Ask)
	}
}

// TestReplayCounts: the recorded calls are all decided, as check --lines decides them,
// and the report is the same whatever the number of jobs is.
func TestReplayCounts(t *testing.T) {
	text := testenv.Corpus(t, "corpus/real_calls.jsonl")
	lines := slices.Collect(bytes.Lines(text))
	if len(lines) != 13_099 {
		t.Errorf("%d recorded calls", len(lines))
	}
	lines = lines[:min(testenv.Count(t, 1000, len(lines), len(lines)), len(lines))]
	text = bytes.Join(lines, nil)
	r := newReplayRun(t)
	r.write(".claude/settings.json", policyText([]string{"Bash(git:*)"}, nil, nil))
	r.write("old/settings.json", policyText([]string{"Bash(git:*)", "Bash(ls:*)"}, nil, nil))
	var want replay.Tally
	for _, answer := range r.check(string(text)) {
		switch answer {
		case "allow":
			want.Allow++
		case "ask":
			want.Ask++
		case "deny":
			want.Deny++
		case "silence":
			want.Silence++
		}
	}
	one, _ := r.replay(string(text), "--jobs", "1", "--against", "old/settings.json")
	reconcile(t, &one)
	if one.All != want || one.Read != len(lines) || one.Decided != one.Read {
		t.Errorf("%d read, %d decided, %+v; check: %+v", one.Read, one.Decided, one.All, want)
	}
	if one.Same == one.Decided {
		t.Error("no difference: the comparison of jobs shows little")
	}
	three, _ := r.replay(string(text), "--jobs", "3", "--against", "old/settings.json")
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(three)
	if !bytes.Equal(a, b) {
		t.Errorf("--jobs 1 and --jobs 3 differ:\n%s\n%s", a, b)
	}
}
