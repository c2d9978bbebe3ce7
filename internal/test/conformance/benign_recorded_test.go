package conformance

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// harmlessAttacks are the rows of the labelled attacks whose text does no harm by
// itself: they are about what a rule covers. Mode auto allows no other.
var harmlessAttacks = map[string]string{
	"AD-003": "creates an empty file in the project",
	"AD-015": "only reads",
	"AD-027": "only reads",
	"AD-028": "only reads",
	"AD-066": "creates an empty file in the project",
	"AD-068": "adds to the index of a repository that is not there; the row's own deny rule denies it",
	"AD-071": "only reads",
	"AD-072": "deletes a file of the project; the row's own deny rule denies it",
	"AD-073": "deletes a file of the project; the row's own deny rule denies it",
	"AD-074": "deletes a file of the project",
	"AD-083": "deletes a file of the project; the row's own deny rule denies it",
	"AD-286": "only reads",
	"AD-287": "lists scripts, under autoProjectCode",
}

// TestAutoAttacks: the local proof allows no labelled attack, with the row's rules
// and without them, except those whose text is harmless.
func TestAutoAttacks(t *testing.T) {
	data := testenv.Corpus(t, "corpus/attacks_dev.tsv")
	rows := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	met := map[string]bool{}
	for _, row := range rows {
		f := strings.Split(row, "\t")
		for _, gate := range []string{`{}`, projectCode, `{"autoProjectCode": true, "destructive": "practical"}`} {
			for _, settings := range []string{attackDenies(t, ""), attackDenies(t, f[4])} {
				_, v, err := Call(Setup{Tool: f[2], Input: json.RawMessage(f[3]), Mode: "auto", Tmp: true, Arrange: plainProject, Environ: []string{},
					Settings: map[string]string{"/home/dev/.gen/permgate.json": gate, "/home/dev/.gen/settings.json": settings}})
				if err != nil || v.Why().Judged == nil || v.Why().Judged.Source != say.ByAnalysis || v.Why().Judged.Verdict != say.AutoAllow {
					continue
				}
				if met[f[0]] = true; harmlessAttacks[f[0]] == "" {
					t.Errorf("%s is allowed under %s: %.200s\n\t%s", f[0], gate, f[3], v.Reason())
				}
			}
		}
	}
	for id, why := range harmlessAttacks {
		if !met[id] {
			t.Errorf("%s is not allowed any more: %s", id, why)
		}
	}
	t.Logf("%d rows, %d of them harmless and allowed", len(rows), len(met))
}

// attackDenies are the rules of a row that deny and ask: those that allow would
// answer before the mode does.
func attackDenies(t *testing.T, column string) string {
	var lists map[string]json.RawMessage
	if json.Unmarshal([]byte(column), &lists) != nil {
		lists = map[string]json.RawMessage{}
	}
	delete(lists, "allow")
	out, err := json.Marshal(map[string]any{"permissions": lists, "autoMode": map[string][]string{"hard_deny": {}, "soft_deny": {}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestAutoShares prints how many recorded shell texts mode auto allows, and the
// commonest reasons for the rest. What a text asks another machine for is in none.
func TestAutoShares(t *testing.T) {
	calls := recordedCalls(t)
	for _, posture := range []struct {
		gate  string
		floor int // in a hundred
	}{
		{`{}`, 51}, {projectCode, 65}, {`{"readOnlyCommands": "allow"}`, 59}, {`{"readOnlyCommands": "allow", "autoProjectCode": true}`, 73},
	} {
		total, allowed, reasons := 0, 0, map[string]int{}
		for i := range calls {
			if calls[i].Tool != "Bash" {
				continue
			}
			s := calls[i].setup("auto", posture.gate, "")
			s.Environ, s.Arrange, s.Tmp = []string{}, plainRepository(s.Project), true
			_, v := call(t, s)
			if total++; v.Decision() == hookio.Allow {
				allowed++
			} else {
				reasons[autoReason(v.Reason(), v.Step())]++
			}
		}
		t.Logf("%s: %d of %d (%.1f %%)", posture.gate, allowed, total, 100*float64(allowed)/float64(total))
		keys := make([]string, 0, len(reasons))
		for k := range reasons {
			keys = append(keys, k)
		}
		sort.Slice(keys, func(i, j int) bool {
			return reasons[keys[i]] > reasons[keys[j]] || reasons[keys[i]] == reasons[keys[j]] && keys[i] < keys[j]
		})
		for _, k := range keys[:min(20, len(keys))] {
			t.Logf("%6d  %s", reasons[k], k)
		}
		if allowed*100 < total*posture.floor {
			t.Errorf("%s: %d of %d are too few", posture.gate, allowed, total)
		}
	}
}

// plainRepository makes a folder a repository that runs nothing.
func plainRepository(dir string) func(*fakefs.FS) {
	return func(f *fakefs.FS) {
		for _, name := range []string{"objects/x", "refs/x", "hooks/pre-commit.sample"} {
			f.Write(dir+"/.git/"+name, "x")
		}
		f.Write(dir+"/.git/HEAD", "ref: refs/heads/main\n")
		f.Write(dir+"/.git/config", "[core]\n\tbare = false\n")
		f.Own(dir, 1000)
	}
}

// autoReason cuts a reason down to what it is about, to count by.
func autoReason(reason, step string) string {
	_, why, ok := strings.Cut(reason, "not proven benign: ")
	if !ok {
		return "step " + step + ": " + kind(reason)
	}
	if text, rest, quoted := strings.Cut(strings.TrimPrefix(why, "`"), "`"); quoted && why[0] == '`' {
		why = strings.TrimPrefix(rest, ": ")
		if strings.HasPrefix(rest, " ") {
			why = strings.Fields(text)[0] + rest
		}
	}
	why, _, _ = strings.Cut(why, " (mode")
	for i, word := range strings.Fields(why) {
		if strings.HasPrefix(word, "/") || strings.Contains(word, "`") {
			return strings.Join(strings.Fields(why)[:i], " ") + " ..."
		}
	}
	return why
}
