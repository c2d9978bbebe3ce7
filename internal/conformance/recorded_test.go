package conformance

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"permgate/decide"
	"permgate/hookio"
)

// tally counts by key.
type tally map[string]int

// top returns the n most frequent keys, one line each.
func (t tally) top(n int) string {
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return t[keys[i]] > t[keys[j]] || t[keys[i]] == t[keys[j]] && keys[i] < keys[j]
	})
	var b strings.Builder
	for i, k := range keys {
		if i == n {
			break
		}
		fmt.Fprintf(&b, "\n%7d  %s", t[k], k)
	}
	return b.String()
}

func share(n, of int) string {
	return fmt.Sprintf("%d of %d (%.2f %%)", n, of, 100*float64(n)/float64(max(of, 1)))
}

var (
	aPath = regexp.MustCompile(`(^|[ "'])[~./]*/[^ "']*`)
	aName = regexp.MustCompile(`"[^"]*": `)
)

// general takes the names of files and the commands themselves out of a reason.
func general(reason string) string {
	return aPath.ReplaceAllString(aName.ReplaceAllString(reason, ""), "${1}FILE")
}

// TestRecordedReadOnly: of the recorded shell calls at least half are proven to
// only read. It prints what keeps the rest from it.
func TestRecordedReadOnly(t *testing.T) {
	calls, proven := 0, 0
	reasons, unknown := tally{}, tally{}
	for i, r := range recordedCalls(t) {
		if r.Tool != "Bash" {
			continue
		}
		calls++
		c, v, err := Call(Setup{Tool: r.Tool, Input: r.Input, Cwd: r.Cwd, Project: r.Project, Settings: map[string]string{gateFile: readsPass}})
		if err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		for j := range c.Script.Subcommands {
			if program, ok := strings.CutPrefix(c.Script.Subcommands[j].Unproven(), "no table knows "); ok && !strings.Contains(program, " ") {
				unknown[program]++
			}
		}
		if v.Decision == hookio.Allow && v.Step == "7" {
			proven++
			continue
		}
		key := unprovenKey(c, v)
		reasons[key]++
		if os.Getenv("PERMGATE_ROWS") != "" {
			fmt.Printf("%s\t%.400q\n", key, c.Call.Command)
		}
	}
	t.Logf("proven to only read: %s", share(proven, calls))
	t.Logf("why the rest is not, by the first command without a proof:%s", reasons.top(20))
	t.Logf("programs no table knows, by occurrence:%s", unknown.top(40))
	if proven*2 < calls {
		t.Errorf("less than half are proven to only read: %s", share(proven, calls))
	}
}

// unprovenKey is the program, its subcommand and what stands in the way.
func unprovenKey(c *decide.Case, v decide.Verdict) string {
	if v.Step == "2" {
		return "step 2: " + kindOf(c, v)
	}
	for i := range c.Script.Subcommands {
		s := &c.Script.Subcommands[i]
		if why := s.Unproven(); why != "" {
			return s.Program + ": " + general(why)
		}
	}
	return general(c.Unproven())
}

// kindOf names what asked, in words that hold nothing of the call.
func kindOf(c *decide.Case, v decide.Verdict) string {
	if v.Check != nil {
		return "check " + v.Check.ID
	}
	reason := strings.TrimPrefix(v.Reason, "bypass-immune: ")
	if c.Script != nil && len(c.Script.Doubts) > 0 && strings.HasPrefix(reason, c.Script.Doubts[0].Msg) {
		return "doubt " + c.Script.Doubts[0].ID
	}
	for _, k := range [...]string{"malformed tool input", "sensitive path", "invisible character", "reads a process environment", "suspicious command"} {
		if strings.HasPrefix(reason, k) {
			if k == "suspicious command" {
				for _, what := range [...]string{"sources", "changes a git repository in a directory that cannot be known", "changes a git repository outside", "changes another git repository"} {
					if strings.Contains(reason, what) {
						return what
					}
				}
			}
			return k
		}
	}
	word, _, _ := strings.Cut(reason, ":")
	return word
}
