package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/cli"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A fate says what a feature of another system became.
type fate string

const (
	alike    fate = "same"
	stricter fate = "stricter"
	laxer    fate = "laxer"
	extended fate = "extended"
	notTaken fate = "not taken"
	notYet   fate = "not yet"
)

// A feature is one of another system: how it is said there, what it became, how
// to say it here or why not, and calls with their answers.
type feature struct {
	theirs string
	fate   fate
	here   string
	with   string   // see arrange
	tries  []string // CALL → DECISION, see try
}

// A chapter holds the features of one system that belong together.
type chapter struct {
	title string
	rows  []feature
}

// A system is one of the five.
type system struct {
	name, id, head string // id: as in the rows of conformance
	chapters       []chapter
}

func systems() []system {
	return []system{gen(), exathena(), caliban(), coreAgent(), copilot()}
}

// arrange is the world of an example: parts separated by "; ", each KEY: VALUE.
func arrange(t *testing.T, with string) Setup {
	t.Helper()
	s := Setup{Settings: map[string]string{}, Tmp: true, Symlinks: map[string]string{}}
	permissions, top := map[string][]string{}, map[string]string{}
	home, posture := "/home/dev/.gen/", ""
	grants := map[string]any{"project": "/work/project"}
	for _, part := range strings.Split(with, "; ") {
		key, value, _ := strings.Cut(part, ": ")
		name, text, _ := strings.Cut(value, " = ")
		switch key {
		case "":
		case "allow", "ask", "deny", "additionalDirectories":
			permissions[key] = append(permissions[key], strings.Split(value, ", ")...)
		case "mode":
			s.Mode = value
		case "option":
			s.Args = append(s.Args, strings.Fields(value)...)
		case "permgate.json":
			posture = joined(posture, value)
		case "approver", "classifier":
			posture = joined(posture, quote(key)+": "+s.operator(t, key, value))
		case "settings":
			top[key] = value
		case "permissions":
			top[key] = value
		case "managed":
			s.Settings["/etc/gen/managed-settings.json"] = "{" + value + "}"
		case "project":
			s.Settings["/work/project/.gen/settings.json"] = "{" + value + "}"
		case "local":
			s.Settings["/work/project/.gen/settings.local.json"] = "{" + value + "}"
		case "claude":
			s.Settings["/home/dev/.claude/settings.json"] = "{" + value + "}"
		case "agent":
			s.Agent = map[string]string{"agent_id": "a1", "agent_type": "helper"}
			s.Settings[home+"agents/helper.md"] += value + "\n"
		case "skill":
			s.Args = append(s.Args, "--skill", "deploy")
			s.Settings[home+"skills/deploy/SKILL.md"] += value + "\n"
		case "granted":
			switch value {
			case "edits":
				grants["allowAllEdits"] = true
			case "Bash":
				grants["allowAllBash"] = true
			default:
				grants["allow"] = strings.Split(value, ", ")
			}
			text, _ := json.Marshal(grants)
			s.Session = string(text)
		case "session dir":
			text, _ := json.Marshal(map[string]any{"project": "/work/project", "dirs": []string{value}})
			s.Session = string(text)
		case "file":
			s.Settings[name] = text
		case "link":
			s.Symlinks[name] = text
		case "host":
			s.Host, s.Named = value, true
		case "system":
			s.OS, s.Cwd, s.Home = rules.Windows, `C:\work\project`, `C:\Users\dev`
		case "environment":
			s.KillSwitch = strings.TrimPrefix(value, load.KillSwitch+"=")
		case "event":
			s.Event = value
		default:
			t.Fatalf("%q: no such part", part)
		}
	}
	for _, name := range []string{home + "agents/helper.md", home + "skills/deploy/SKILL.md"} {
		if s.Settings[name] != "" {
			s.Settings[name] = "---\n" + s.Settings[name] + "---\n"
		}
	}
	if posture != "" {
		s.Settings[home+"permgate.json"] = "{" + posture + "\n}"
	}
	lists, _ := json.Marshal(permissions)
	inner := strings.Trim(string(lists), "{}")
	s.Settings[home+"settings.json"] = "{" + joined(`"permissions":{`+joined(inner, top["permissions"])+"}", top["settings"]) + "}"
	return s
}

// joined joins the members of two objects.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "," + b
}

// call puts a call into the setup: "$ COMMAND", or a tool and its primary field
// or its whole input.
func (s *Setup) call(text string) {
	if command, ok := strings.CutPrefix(text, "$ "); ok {
		s.Tool, s.Input = "Bash", json.RawMessage(`{"command":`+quote(command)+`}`)
		return
	}
	tool, arg, _ := strings.Cut(text, " ")
	s.Tool = tool
	switch {
	case arg == "":
		arg = "{}"
	case !strings.HasPrefix(arg, "{"):
		key := map[string]string{
			"Grep": "pattern", "Glob": "pattern", "WebFetch": "url", "WebSearch": "query", "NotebookEdit": "notebook_path",
			"Agent": "subagent_type", "Skill": "skill", "PowerShell": "command",
		}[tool]
		if key == "" {
			key = "file_path"
		}
		arg = `{"` + key + `":` + quote(arg) + "}"
	}
	s.Input = json.RawMessage(arg)
}

// try decides a call of an example.
func (f *feature) try(t *testing.T, try string) (got, want, reason string) {
	t.Helper()
	call, want, ok := strings.Cut(try, " → ")
	if !ok {
		t.Fatalf("%q has no arrow", try)
	}
	s := arrange(t, f.with)
	s.call(call)
	_, v, err := Call(s)
	switch {
	case err != nil:
		return "error", want, err.Error()
	case v.Silence() != "":
		return "silence", want, v.Reason()
	}
	return v.Decision().String(), want, v.Reason()
}

// command is a command of permgate that a cell names.
var command = regexp.MustCompile("`permgate ([a-z]+)([^`]*)`")

// unknown is what a feature says of permgate's own commands that their help does not know.
func (f *feature) unknown() (out string) {
	for _, m := range command.FindAllStringSubmatch(f.here, -1) {
		var help strings.Builder
		if cli.Main([]string{"help", m[1]}, nil, &help, io.Discard, gate.World{}) != 0 {
			return "\n\tno command " + m[1]
		}
		for _, word := range strings.Fields(m[2]) {
			isVerb := strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
			if isVerb && !regexp.MustCompile("(^|[^a-z-])"+word+"($|[^a-z-])").MatchString(help.String()) {
				out += "\n\tpermgate " + m[1] + " knows no " + word
			}
		}
	}
	return out
}

// TestSeeds decides the example of every feature.
func TestSeeds(t *testing.T) {
	seen := map[string]fate{}
	count := map[fate]int{}
	for _, s := range systems() {
		for _, ch := range s.chapters {
			for i := range ch.rows {
				f := &ch.rows[i]
				key := s.name + ": " + f.theirs
				if seen[key] != "" {
					t.Errorf("%s is there twice", key)
				}
				seen[key] = f.fate
				count[f.fate]++
				if len(f.tries) == 0 && (f.fate == alike || f.fate == stricter || f.fate == laxer) {
					t.Errorf("%s has no example", key)
				}
				missing, isWaiting := waitingFeatures[key]
				wrong := f.unknown()
				for _, try := range f.tries {
					if got, want, reason := f.try(t, try); got != want {
						wrong += fmt.Sprintf("\n\t%s: %s, want %s: %s", try, got, want, reason)
					}
				}
				switch {
				case isWaiting && wrong == "":
					t.Errorf("%s waits for nothing (%s)", key, missing)
				case !isWaiting && wrong != "":
					t.Errorf("%s with %q:%s", key, f.with, wrong)
				}
			}
		}
	}
	for key := range waitingFeatures {
		if seen[key] == "" {
			t.Errorf("no feature %q", key)
		}
	}
	for i := range overruled {
		if o := &overruled[i]; !slices.Contains([]fate{stricter, laxer, extended, notTaken}, seen[o.feature]) {
			t.Errorf("rows %s: feature %q is %q, and does not say why they answer otherwise", o.rows, o.feature, seen[o.feature])
		}
	}
	t.Logf("%d features: %v", len(seen), count)
}

const seedsStart, seedsEnd = "<!-- features: written by go generate -->", "<!-- end of features -->"

//go:generate go test . -run ^TestSeedsPage$ -update

// TestSeedsPage writes the tables of docs/seeds.md.
func TestSeedsPage(t *testing.T) {
	var b strings.Builder
	for _, s := range systems() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.name, s.head)
		for _, ch := range s.chapters {
			fmt.Fprintf(&b, "\n### %s: %s\n\n| in %s | | here | for example |\n|---|---|---|---|\n", s.name, ch.title, s.name)
			for i := range ch.rows {
				f := &ch.rows[i]
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(f.theirs), f.fateOf(s.name), cell(f.here), f.example())
			}
		}
	}
	b.WriteString("\n")
	golden.Part(t, "../../../docs/seeds.md", seedsStart, seedsEnd, strings.TrimPrefix(b.String(), "\n"))
}

// fateOf is how a feature ended, which is not there while it waits.
func (f *feature) fateOf(system string) fate {
	if _, ok := waitingFeatures[system+": "+f.theirs]; ok {
		return notYet
	}
	return f.fate
}

// example shows setup and calls in one cell of a table.
func (f *feature) example() string {
	var parts []string
	if f.with != "" {
		parts = append(parts, code(f.with))
	}
	for _, try := range f.tries {
		call, want, _ := strings.Cut(try, " → ")
		parts = append(parts, code(call)+" → "+want)
	}
	return strings.Join(parts, "<br>")
}

func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\u200b", `\u200b`).Replace(text)
}

func code(text string) string {
	text = cell(text)
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
