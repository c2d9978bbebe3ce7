package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// notInFiles are the rows whose policy is in no file that an import reads, by id, with the reason.
var notInFiles = map[string]string{
	"caliban-009":   "a rule of the session",
	"caliban-010":   "rules of the session",
	"copilot-048":   "content exclusion is set on the web",
	"copilot-057":   "another hook's answer",
	"coreagent-072": "the import refuses it: that a plan was recorded is the program's to know",
	"coreagent-073": "the import refuses it: that a plan was recorded is the program's to know",
	"coreagent-074": "the import refuses it: that a plan was recorded is the program's to know",
	"exathena-070":  "another hook's crash, which the host sees",
	"exathena-069":  "another hook's answer",
	"exathena-076":  "another hook's answer",
}

// exPlan is why the shell is denied in a plan.
const exPlan = "the guide denies the shell in a plan; later versions run commands of a list of theirs"

// stricterRows are the rows that are answered in a stricter way after an import than the row expects, with the reason.
var stricterRows = map[string]string{
	"exathena-016":  exPlan,
	"exathena-017":  exPlan,
	"exathena-018":  exPlan,
	"exathena-020":  exPlan,
	"exathena-021":  exPlan,
	"exathena-022":  exPlan,
	"exathena-024":  exPlan,
	"exathena-025":  exPlan,
	"exathena-026":  exPlan,
	"exathena-028":  exPlan,
	"exathena-029":  exPlan,
	"exathena-030":  exPlan,
	"exathena-068":  "a callback is a function: the import names it, and what it answers is not known",
	"caliban-028":   "an allow rule names no field of the input",
	"caliban-033":   "WebFetch asks there, and a rule for it binds addresses in commands here",
	"coreagent-012": "its own refusals deny in every mode; the row is about permgate without them",
	"coreagent-025": "a command that reads outside the project asks, as its file tools do there",
	"coreagent-036": "its own refusals deny; the row is about the list of harmless commands alone",
	"coreagent-037": "its own refusals deny; the row is about the list of harmless commands alone",
	"coreagent-090": "a path of an MCP call outside the project asks, as its file tools do there",
}

// source is the policy of a row in a file of its system, and what more there is to say of the call.
func (r *row) source(t *testing.T, n *policy) (s *importer.System, files []importer.File, scope rules.Scope) {
	t.Helper()
	scope = rules.User
	put := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, importer.File{Name: name, Text: text})
	}
	name := map[string]string{"exathena": "ex_athena", "coreagent": "core-agent"}[r.System]
	for _, s = range importer.Systems() {
		if s.Name == name || s.Name == r.System {
			break
		}
	}
	var native map[string]json.RawMessage
	json.Unmarshal(r.Native, &native)
	switch r.System {
	case "coreagent":
		put(".agents/config.json", map[string]any{"permissions": native, "path_scope": native["path_scope"]})
	case "exathena":
		if n.Parent != nil {
			n = n.Parent
		}
		files = append(files, importer.File{Name: "run.exs", Text: []byte(n.elixir())})
	case "caliban":
		files = append(files, importer.File{Name: "permissions.toml", Text: []byte(n.toml(r))})
		if n.Auto != nil {
			var b strings.Builder
			for key, list := range map[string][]string{"hard_deny": n.Auto.HardDeny, "soft_deny": n.Auto.SoftDeny} {
				fmt.Fprintf(&b, "%s = [", key)
				for _, p := range list {
					fmt.Fprintf(&b, "%q, ", p)
				}
				b.WriteString("]\n")
			}
			files = append(files, importer.File{Name: "auto-mode.toml", Text: []byte(b.String())})
		}
	case "copilot":
		if native["permissions-config.json"] != nil {
			files, scope = append(files, importer.File{Name: "permissions-config.json", Text: native["permissions-config.json"]}), rules.Local
		}
		if native["flags"] != nil {
			line := "copilot"
			for _, flag := range n.Flags {
				line += " '" + flag + "'"
			}
			files = append(files, importer.File{Name: "run.sh", Text: []byte(line + "\n")})
		}
		if len(n.Managed) > 0 {
			files, scope = append(files, importer.File{Name: "managed-settings.json", Text: n.Managed}), rules.Managed
		}
	}
	return s, files, scope
}

// elixir are the options of a row as a program gives them.
func (n *policy) elixir() string {
	opts := []string{"phase: :" + strings.ReplaceAll(n.Phase, "bypassPermissions", "bypass_permissions")}
	if n.Phase == "" {
		opts[0] = "phase: :default"
	}
	lists := map[string][]string{"allowed_tools": n.Tools, "disallowed_tools": n.Denied, "readonly_tools": n.ReadOnly}
	for key, list := range lists {
		if list != nil {
			text, _ := json.Marshal(list)
			opts = append(opts, key+": "+string(text))
		}
	}
	if n.Respect != nil {
		opts = append(opts, fmt.Sprintf("respect_denylist: %v", *n.Respect))
	}
	if n.Callback != "" {
		opts = append(opts, "can_use_tool: &ask/3")
	}
	return "[" + strings.Join(opts, ", ") + "]\n"
}

// toml are the rules of a row.
func (n *policy) toml(r *row) string {
	var b strings.Builder
	add := func(tool, action string) { fmt.Fprintf(&b, "[[rule]]\ntool = %q\naction = %q\n", tool, action) }
	for _, rule := range n.Rules {
		add(rule.Tool, rule.Action)
	}
	if n.Pattern != "" {
		action := "allow"
		if strings.Contains(n.Pattern, ":~") || n.Pattern == "*" {
			action = "deny"
		}
		add(n.Pattern, action)
	}
	return b.String() + "[permissions]\n" + `default_mode = "` + r.Mode + "\"\n"
}

// asImported is the setup of a row after its policy was imported.
func (r *row) asImported(t *testing.T) Setup {
	t.Helper()
	var n policy
	if err := json.Unmarshal(r.Native, &n); err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	other := *r
	other.Settings, other.Gate = nil, nil
	s, _ := other.native(t) // the call and the world; its policy goes
	if s.Settings == nil {  // a row that has no call under permgate's words
		other.Session, other.Agent = nil, nil
		s = other.setup()
		s.Tool = r.Tool
	}
	for name := range s.Settings {
		if !strings.Contains(name, "/agents/") && !strings.Contains(name, "/skills/") {
			delete(s.Settings, name)
		}
	}
	s.Args = slices.DeleteFunc(s.Args, func(arg string) bool { return strings.HasPrefix(arg, "--tools") })
	if i := slices.IndexFunc(s.Args, func(arg string) bool { return arg == "Read" || strings.HasPrefix(arg, "Read,") }); i >= 0 {
		s.Args = slices.Delete(s.Args, i, i+1)
	}
	system, files, scope := r.source(t, &n)
	items, err := system.Import(files, importer.Options{Scope: scope, Project: s.Cwd, Claude: r.System == "coreagent"})
	if err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	settings, _ := edit.Parse("settings.json", nil)
	gate, _ := edit.Parse("permgate.json", nil)
	if _, err := importer.Apply(items, settings, gate, func(importer.Entry) string { return "" }); err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	folder, name := "/home/dev/.gen/", "settings.json"
	if r.System == "coreagent" {
		folder = "/home/dev/.claude/"
	}
	switch scope {
	case rules.Local:
		folder, name = s.Cwd+"/.gen/", "settings.local.json"
	case rules.Managed:
		folder, name = "/etc/gen/", "managed-settings.json"
	}
	s.Settings[folder+name], s.Settings[folder+"permgate.json"] = string(settings.Bytes()), string(gate.Bytes())
	if mode := edit.Member(edit.Member(&settings.Root, "permissions"), "defaultMode"); mode != nil || r.System != "caliban" {
		s.Mode = edit.Text(mode) // the program that calls has permgate's mode
	}
	return s
}

// strength orders decisions.
func strength(decision string) int {
	return slices.Index([]string{hookio.Allow.String(), hookio.Ask.String(), hookio.Deny.String()}, decision)
}

// TestImportedRows imports the policy of every row that has one and decides its call: never laxer than the row expects,
// and no stricter without a reason.
func TestImportedRows(t *testing.T) {
	used := map[string]bool{}
	for _, name := range []string{"exathena", "caliban", "coreagent", "copilot"} {
		for _, r := range rows(t, name) {
			if len(r.Native) == 0 || r.Tier == "head" || strings.HasPrefix(r.Tool, "@") {
				continue
			}
			if notInFiles[r.ID] != "" {
				used[r.ID] = true
				continue
			}
			s := r.asImported(t)
			_, v, err := Call(s)
			var want string
			json.Unmarshal(r.Expect, &want)
			switch want {
			case "match":
				want = "allow"
				if strings.Contains(string(r.Native), ":~") || strings.Contains(string(r.Native), `"*"`) {
					want = "deny"
				}
			case "nomatch":
				want = "ask"
			}
			got := v.Decision().String()
			why, known := stricterRows[r.ID]
			used[r.ID] = used[r.ID] || known
			_, over := ruledBy(r.ID)
			switch {
			case err != nil:
				t.Errorf("%s: %v", r.ID, err)
			case over:
			case strength(got) < strength(want):
				t.Errorf("%s: %s after the import, and laxer than %s: %s %s: %s\n%v", r.ID, got, want, r.Tool, r.Native, v.Reason(), s.Settings)
			case got != want && !known:
				t.Errorf("%s: %s after the import, not %s: %s %s %s: %s\n%v", r.ID, got, want, r.Tool, r.Input, r.Native, v.Reason(), s.Settings)
			case got == want && known:
				t.Errorf("%s: %s as the row expects, so it is not stricter (%s)", r.ID, got, why)
			}
		}
	}
	for _, list := range []map[string]string{notInFiles, stricterRows} {
		for id := range list {
			if !used[id] {
				t.Errorf("%s: no such row", id)
			}
		}
	}
}
