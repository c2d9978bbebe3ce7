package importer

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestAttacks imports the policies of testdata/attacks, which try to become laxer: SCOPE/NAME/FILE in SYSTEM.txtar. The last
// file is what each of them becomes.
func TestAttacks(t *testing.T) {
	for _, s := range Systems() {
		t.Run(s.Name, func(t *testing.T) {
			name := "testdata/attacks/" + strings.ReplaceAll(s.Name, "-", "") + ".txtar"
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			reports := attacks(t, s, a)
			var got strings.Builder
			for _, r := range reports {
				got.WriteString("== " + r.policy + "\n" + r.text)
			}
			want := txtar.File{Name: "want", Data: []byte(got.String())}
			if last := len(a.Files) - 1; a.Files[last].Name == "want" {
				if string(a.Files[last].Data) != got.String() && !*update {
					t.Errorf("got\n%s", got.String())
				}
				a.Files = a.Files[:last]
			}
			if *update {
				a.Files = append(a.Files, want)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(reports) < 15 {
				t.Errorf("%d policies", len(reports))
			}
		})
	}
}

type attack struct{ policy, text string }

// attacks are the reports of an archive. A file of one line that starts with @quoted is a JSON string.
func attacks(t *testing.T, s *System, a *txtar.Archive) (out []attack) {
	for i := 0; i < len(a.Files) && a.Files[i].Name != "want"; {
		policy := path.Dir(a.Files[i].Name)
		var files []File
		for ; i < len(a.Files) && path.Dir(a.Files[i].Name) == policy; i++ {
			text := a.Files[i].Data
			if quoted, ok := strings.CutPrefix(string(text), "@quoted "); ok {
				var plain string
				if err := json.Unmarshal([]byte(quoted), &plain); err != nil {
					t.Fatal(err)
				}
				text = []byte(plain)
			}
			files = append(files, File{path.Base(a.Files[i].Name), text})
		}
		o := scopeOf("scope " + path.Dir(policy))
		o.Claude = s.Name == "core-agent"
		items, err := s.Import(files, o)
		r := attack{policy: policy}
		if err != nil {
			r.text = "error     " + err.Error() + "\n"
		}
		for _, item := range items {
			if !strings.HasPrefix(item.Said, "by default: ") {
				r.text += item.String() + "\n"
			}
		}
		out = append(out, r)
	}
	return out
}

// TestStrict checks what policies of testdata/attacks have to become.
func TestStrict(t *testing.T) {
	for _, tt := range []struct{ policy, want string }{
		{"user/23", "-> deny Bash(curl:*)"}, {"user/23", "-> urls.deny b.example"}, // more than one word is denied
		{"user/24", "-> deny Edit"},
		{"user/4", "-> deny Bash"},
		{"user/25", "mcp__srv__*"},
	} {
		a, err := txtar.ParseFile("testdata/attacks/copilot.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range attacks(t, &copilot, a) {
			if r.policy == tt.policy && !strings.Contains(r.text, tt.want) {
				t.Errorf("%s is not %q:\n%s", tt.policy, tt.want, r.text)
			}
		}
	}
}

// TestNotLaxer checks what policies of testdata/attacks may not become.
func TestNotLaxer(t *testing.T) {
	for _, tt := range []struct{ system, policy, never string }{
		{"codex", "local/prof2", `-> defaultMode "bypassPermissions"`}, // a project's profile does not count there
		{"codex", "user/dotted", "-> deny mcp__d__y z"},                // no rule: it binds nothing
		{"codex", "user/approve", "-> allow mcp__b__*"},                // one tool, called *
		{"codex", "user/tools", "unknown   web_search"},
		{"codex", "user/tools", "unknown   apps"},
		{"codex", "user/roots", "-> additionalDirectories ../.."}, // from the folder of the file there
		{"caliban", "user/mcp", "-> deny mcp__a__[xy]"},
		{"caliban", "user/mcp", "-> deny mcp__a__{x,y}"},
		{"caliban", "user/file", "-> allow Write(~/x)"}, // matches nothing there
		{"caliban", "user/file", "-> allow Read(/**/src/)"},
		{"caliban", "user/file", "-> allow Read(/**/src//x)"},
		{"caliban", "user/file", "-> allow Edit(/**/a/./b)"},
		{"caliban", "user/filedeny", "-> deny Read(/**/secret)"}, // also outside the project
		{"caliban", "user/mcpperm", "unknown   mcp_servers"},
		{"caliban", "user/mode3", "unknown   permissions.disableAutoMode"},
		{"core-agent", "local/file", "-> allow Write(/a/)"},
		{"core-agent", "local/long", "mode yolo"}, // two keys that fold to one
		{"core-agent", "local/scope", "/srv/app/..."},
		{"core-agent", "local/scope", "unknown   url_scope"},
		{"ex_athena", "user/7", "allow x*"}, // names, no patterns
		{"ex_athena", "user/8", `-> defaultMode "bypassPermissions"`},
		{"ex_athena", "user/13", "-> allow mcp__a__*"},
		{"ex_athena", "user/20", "-> deny Bash"}, // a list of characters
		{"gen", "user/4", `-> defaultMode "bypassPermissions"`},
		{"gen", "user/18", `-> defaultMode "acceptEdits"`},
		{"copilot", "user/2", "-> deny mcp__My MCP__x"},
		{"copilot", "user/2", "-> deny Edit(**/src/*)"}, // its star may go on past slashes
		{"copilot", "user/4", "-> deny bash, "},
		{"copilot", "user/13", `-> defaultMode "bypassPermissions"`}, // after --
		{"copilot", "user/18", "-> allow Edit(**/a//b)"},
		{"copilot", "user/30", "-> allow Bash"}, // not an administrator's file
		{"copilot", "local/31", "-> allow mcp__s__x*"},
		{"copilot", "local/31", "-> allow Bash\n"}, // tools of its own with names of ours
		{"copilot", "local/31", "-> allow Edit"},
		{"copilot", "local/31", "-> allow Agent"},
		{"copilot", "user/32", "-> allow Bash"},
		{"copilot", "user/32", "-> allow Agent"},
		{"copilot", "user/32", "-> allow Write"},
		{"copilot", "user/32", "-> allow MCP,"},
		{"ex_athena", "user/7", "allow Bash"},
		{"ex_athena", "user/30", "-> allow Write"},
		{"ex_athena", "user/30", "-> allow Agent"},
		{"copilot", "managed/1", "-> allow Bash(git:*)"},
		{"copilot", "managed/2", "-> deny mcp__Task__x"},
		{"copilot", "managed/7", "-> urls.allow https://b.example"}, // two closed lists
		{"copilot", "managed/8", "urls.allow https://*"},
		{"copilot", "managed/9", "-> urls.allow"},
		{"copilot", "managed/13", "-> allow WebFetch(domain:a.example)"}, // limitTo is final
	} {
		for _, s := range Systems() {
			if s.Name != tt.system {
				continue
			}
			a, err := txtar.ParseFile(filepath.Join("testdata/attacks", strings.ReplaceAll(s.Name, "-", "")+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, r := range attacks(t, s, a) {
				if found = found || r.policy == tt.policy; r.policy == tt.policy && strings.Contains(r.text, tt.never) {
					t.Errorf("%s %s became %q:\n%s", tt.system, tt.policy, tt.never, r.text)
				}
			}
			if !found {
				t.Errorf("%s has no policy %s", tt.system, tt.policy)
			}
		}
	}
}
