package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// row is one line of conformance/*.jsonl, as far as it is used.
type row struct {
	System   string          `json:"system"`
	ID       string          `json:"id"`
	Tier     string          `json:"tier"`
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Settings json.RawMessage `json:"settings"`
	Native   json.RawMessage `json:"native"`
	Mode     string          `json:"mode"`
	GenMode  string          `json:"gen_mode"`
	Expect   json.RawMessage `json:"expect"`
	Gate     json.RawMessage `json:"permgate.json"`
	Reason   string          `json:"reason"`
	Cwd      string          `json:"cwd"`
	Project  string          `json:"project"`
	Headless bool            `json:"headless"`
	Env      map[string]string
	Symlink  map[string]string
	Agent    *struct {
		Mode  string    `json:"mode"`
		Allow *[]string `json:"allow_tools"`
		Deny  []string  `json:"deny_tools"`
		// as ExAthena has them
		Permissions string
		Tools       []string
	}
	Session *struct {
		AllowAllEdits bool     `json:"allowAllEdits"`
		AllowAllBash  bool     `json:"allowAllBash"`
		AllowedTools  []string `json:"allowedTools"`
		Dirs          []string `json:"workingDirectories"`
		Verbs         []string // core-agent
		Commands      []string // Copilot CLI
	}
}

// shell is the input of Bash.
func shell(command string) json.RawMessage {
	in, _ := json.Marshal(map[string]string{"command": command})
	return in
}

// call is Call for what can be read.
func call(t testing.TB, s Setup) (*decide.Input, decide.Verdict) {
	t.Helper()
	c, v, err := Call(s)
	if err != nil {
		t.Fatalf("%s %s: %v", s.Tool, s.Input, err)
	}
	return c, v
}

func rows(t *testing.T, name string) []row {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/conformance/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s:%d: %v", name, i+1, err)
		}
		out = append(out, r)
	}
	return out
}

// TestConformance answers every row of tier test, doc and hole as expected.
func TestConformance(t *testing.T) {
	for _, name := range []string{"gen", "copilot", "exathena", "caliban", "coreagent"} {
		t.Run(name, func(t *testing.T) {
			ran := 0
			for _, r := range rows(t, name) {
				if strings.HasPrefix(r.Tool, "@") || len(r.Settings) == 0 || r.Tier == "head" {
					continue
				}
				ran++
				got, reason, err := r.run()
				_, isOverruled := ruledBy(r.ID)
				r.judge(t, got, reason, "", err)
				for _, part := range r.reasonParts() {
					if err == nil && !isOverruled && !strings.Contains(reason, part) {
						t.Errorf("%s: the reason %q does not say %q", r.ID, reason, part)
					}
				}
			}
			t.Logf("%s: %d rows", name, ran)
		})
	}
}

// reasonParts are the seed's words a reason must hold. Reasons of other systems
// are their own error codes and are not asked for.
func (r *row) reasonParts() []string {
	if r.System != "gen" || r.Reason == "" {
		return nil
	}
	return strings.Split(r.Reason, ": ")
}

func (r *row) run() (decision, reason string, err error) {
	_, v, err := Call(r.setup())
	return v.Decision().String(), v.Reason(), err
}

// setup is the world a row speaks of.
func (r *row) setup() Setup {
	s := Setup{
		Tool: toolName(r.Tool), Input: r.Input, Mode: r.mode(), Cwd: r.Cwd, Project: r.Project,
		Home: r.Env["HOME"], Headless: r.Headless, Symlinks: r.Symlink, Settings: map[string]string{},
	}
	home := s.Home
	if home == "" {
		home = "/home/dev"
	}
	if len(r.Settings) > 0 && string(r.Settings) != "null" {
		s.Settings[home+"/.gen/settings.json"] = wrap(r.Settings)
	}
	if len(r.Gate) > 0 {
		s.Settings[home+"/.gen/permgate.json"] = string(r.Gate)
	}
	if a := r.Agent; a != nil {
		s.Agent = map[string]string{"agent_id": "a1", "agent_type": "row"}
		def := "---\nname: row\nmode: " + a.Mode + "\n"
		if a.Allow != nil {
			def += list("allow_tools", *a.Allow)
		}
		if a.Deny != nil {
			def += list("deny_tools", a.Deny)
		}
		s.Settings[home+"/.gen/agents/row.md"] = def + "---\nA row.\n"
		s.Mode = "default"
	}
	if g := r.Session; g != nil {
		project := s.Cwd
		if project == "" {
			project = "/work/project"
		}
		state, _ := json.Marshal(map[string]any{
			"project": project, "allowAllEdits": g.AllowAllEdits, "allowAllBash": g.AllowAllBash, "allow": g.AllowedTools, "dirs": g.Dirs,
		})
		s.Session = string(state)
	}
	return s
}

// wrap puts bare permission keys under "permissions", as a settings file has them.
func wrap(settings json.RawMessage) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(settings, &m) == nil {
		if _, ok := m["permissions"]; ok {
			return string(settings)
		}
	}
	return `{"permissions":` + string(settings) + `}`
}

func list(key string, items []string) string {
	if len(items) == 0 {
		return key + ": []\n"
	}
	out := key + ":\n"
	for _, i := range items {
		out += "  - " + i + "\n"
	}
	return out
}

func (r *row) mode() string {
	m := r.Mode
	if r.GenMode != "" {
		m = r.GenMode
	}
	switch m {
	case "yolo", "trusted":
		return "bypassPermissions"
	case "allow":
		return "dontAsk"
	case "ask", "interactive":
		return "default"
	}
	return m
}

// toolName maps the tool names of the other systems.
func toolName(name string) string {
	switch name {
	case "bash":
		return "Bash"
	case "edit":
		return "Edit"
	case "view", "read", "read_file":
		return "Read"
	case "create", "write", "write_file":
		return "Write"
	case "web_fetch":
		return "WebFetch"
	case "glob":
		return "Glob"
	case "grep":
		return "Grep"
	}
	if server, tool, ok := strings.Cut(strings.TrimPrefix(name, "mcp:"), "/"); ok && strings.HasPrefix(name, "mcp:") {
		return "mcp__" + server + "__" + tool
	}
	return name
}

// corpusRow is one line of a labelled corpus.
type corpusRow struct{ id, class, tool, input, settings, expect, why string }

func corpus(t *testing.T, name string) []corpusRow {
	t.Helper()
	data := testenv.Corpus(t, "corpus/"+name)
	var out []corpusRow
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		out = append(out, corpusRow{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
	}
	return out
}

func holds(got, expect string) bool {
	switch expect {
	case "not-allow":
		return got != "allow"
	case "not-deny":
		return got != "deny"
	}
	return got == expect
}

// runCorpus answers every row and returns how many were answered as expected.
func runCorpus(t *testing.T, name string) (right, total int, allowed map[string]int) {
	allowed = map[string]int{}
	for _, r := range corpus(t, name) {
		total++
		s := Setup{Tool: r.tool, Input: json.RawMessage(r.input), Settings: map[string]string{
			"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`,
		}}
		_, v, err := Call(s)
		got := v.Decision().String()
		if err != nil {
			got = "deny" // exit 2 blocks
		}
		if holds(got, r.expect) {
			right++
			continue
		}
		if got == "allow" {
			allowed[r.class]++
		}
		in := r.input
		if len(in) > 300 {
			in = in[:300] + "…"
		}
		if os.Getenv("PERMGATE_ROWS") != "" {
			fmt.Printf("%s %s: got %s, want %s: %s %s\n\tsettings %s\n\twhy %s\n\tgate %s %v\n", r.id, r.class, got, r.expect, r.tool, in, r.settings, r.why, v.Reason(), err)
		}
	}
	return right, total, allowed
}

// TestAttacks answers at least 92 % of the labelled attacks as expected, and
// none of the classes that need no table with allow.
func TestAttacks(t *testing.T) {
	right, total, allowed := runCorpus(t, "attacks_dev.tsv")
	t.Logf("attacks: %d of %d as expected (%.1f %%); allowed: %v", right, total, 100*float64(right)/float64(total), allowed)
	if right*100 < total*92 {
		t.Errorf("%d of %d as expected", right, total)
	}
	for _, class := range []string{"compound", "destructive", "sensitive_path", "json", "mode", "rule_glob"} {
		if allowed[class] > 0 {
			t.Errorf("class %s: %d allowed", class, allowed[class])
		}
	}
}

// TestBenign answers at least 97 % of the labelled harmless calls as expected.
func TestBenign(t *testing.T) {
	right, total, _ := runCorpus(t, "benign_dev.tsv")
	t.Logf("benign: %d of %d as expected (%.1f %%)", right, total, 100*float64(right)/float64(total))
	if right*100 < total*97 {
		t.Errorf("%d of %d as expected", right, total)
	}
}

// An overruling says which rows of the other systems are answered otherwise, by
// which section of the binding decisions, and which feature of docs/seeds.md says why.
type overruling struct{ rows, section, feature string }

// overruled are the rows that answer otherwise. One that answers as its row
// expects fails the test.
var overruled = [...]overruling{
	{"gen-065", "5", "Gen: nested command substitution"},
	{"gen-216", "8", "Gen: `auto`: an alias of `acceptEdits` until there is a classifier"},
	{"exathena-008 caliban-001", "9", "ExAthena: a call without its main argument"},
	{"exathena-010", "2", "ExAthena: `:plan` denies `todo_write`, later versions allow it"},
	{"exathena-053", "2", "ExAthena: `:default` without a callback allows everything"},
	{"exathena-054 exathena-056 exathena-057", "9", "ExAthena: leaving `:plan` needs the callback's yes"},
	{"exathena-064", "2", "ExAthena: `respect_denylist: false`"},
	{"caliban-016", "2", "caliban: `--auto-allow`: headless, ask becomes allow"},
	{"caliban-032", "4", "caliban: `Bash(echo (hi))`: a text that is no shell command"},
	{"caliban-037", "4", "caliban: `Bash:git *` also allows what follows it"},
	{"caliban-045", "3", "caliban: `dontAsk`: ask becomes allow"},
	{"caliban-048", "2", "caliban: `bypassPermissions` over a static deny"},
	{"caliban-056", "8", "caliban: it says `hard_deny`, of any call: a deny with its reason"},
	{"copilot-058", "2", "Copilot CLI: permissionRequest: a hook's allow beats a deny rule"},
	{"copilot-069", "6", "Copilot CLI: `limitTo`: no other domain, whatever the mode"},
}

// waiting are the rows that need what is not built yet, each with what that is.
var waiting = map[string]string{}

// waitingFeatures are the features of docs/seeds.md that do, SYSTEM: FEATURE.
var waitingFeatures = map[string]string{}

// ruledBy says which section of the decisions overrules a row.
func ruledBy(id string) (section string, ok bool) {
	for i := range overruled {
		for _, row := range strings.Fields(overruled[i].rows) {
			if row == id {
				return overruled[i].section + ": " + overruled[i].feature, true
			}
		}
	}
	return "", false
}

// ownCorpus reads one of the project's own corpora: tab-separated lines of id,
// class, tool, input JSON, settings JSON (the "permissions" object of the
// user's settings), expected answer and reason, below one header line.
// Expected is allow, ask, deny, not-allow or not-deny.
func ownCorpus(t *testing.T, name string) []corpusRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	rows := make([]corpusRow, 0, len(lines))
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("%s:%d: %d fields, want 7", name, i+2, len(f))
		}
		rows = append(rows, corpusRow{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
	}
	return rows
}

// answer decides one row; a payload that cannot be read blocks.
func (r *corpusRow) answer() (decision, reason string) {
	_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input), Settings: map[string]string{
		"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`,
	}})
	if err != nil {
		return "deny", err.Error()
	}
	return v.Decision().String(), v.Reason()
}

// TestOwnCorpora answers every row of the own corpora as expected.
func TestOwnCorpora(t *testing.T) {
	for _, name := range []string{"attacks.tsv", "benign.tsv"} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, r := range ownCorpus(t, name) {
				if seen[r.id] {
					t.Errorf("%s: the id stands twice", r.id)
				}
				seen[r.id] = true
				if got, reason := r.answer(); !holds(got, r.expect) {
					t.Errorf("%s: got %s, want %s: %s %.300s\n\tsettings %s\n\twhy      %s\n\treason   %s", r.id, got, r.expect, r.tool, r.input, r.settings, r.why, reason)
				}
			}
		})
	}
}

// TestGaps fails when a known gap closes: its row then belongs into the corpus.
func TestGaps(t *testing.T) {
	for _, r := range ownCorpus(t, "gaps.tsv") {
		if got, _ := r.answer(); holds(got, r.expect) {
			t.Errorf("%s: answers %s as wanted; move the row to its corpus", r.id, got)
		}
	}
}
