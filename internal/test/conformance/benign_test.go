package conformance

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules/grammar"
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

// noLists are settings that switch the built-in lists of mode auto off: what is
// asked here is what the analysis proves by itself.
func noLists() map[string]string {
	return map[string]string{"/home/dev/.gen/settings.json": `{"autoMode": {"hard_deny": [], "soft_deny": [], "allow": []}}`}
}

// inAuto decides a shell text in mode auto.
func inAuto(t *testing.T, command, gate string, arrange func(*fakefs.FS)) decide.Verdict {
	t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	s := Setup{Tool: "Bash", Input: input, Mode: "auto", Tmp: true, Settings: noLists(), Arrange: arrange, Environ: []string{}}
	if gate != "" {
		s.Settings["/home/dev/.gen/permgate.json"] = gate
	}
	_, v := call(t, s)
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
			if got := v.Decision() == hookio.Allow; got != want {
				t.Errorf("allowed is %v, want %v, under %q: %s\n\t%s", got, want, gate, l.text, v.Reason())
			} else if got && (v.Why().Judged == nil || v.Why().Judged.Source != say.ByAnalysis || v.Why().Judged.Verdict != say.AutoAllow) {
				t.Errorf("the verdict does not say who judged: %s", l.text)
			}
		}
	}
	if n["+"] < 60 || n["p"] < 30 || n["-"] < 60 {
		t.Errorf("too few examples: %v", n)
	}
}

// TestAutoNotBenignInside: more around a text, or next to it, never makes it benign.
func TestAutoNotBenignInside(t *testing.T) {
	beside := []string{"%; ls", "ls && %", "touch a.txt; %", "ls | %", "(%)", "{ %; }", "if ls; then %; fi", "! { %; }", "%; git status"}
	around := []string{"sh -c §", "bash -c §", "sudo sh -c §", "env sh -c §", "nohup sh -c §", "timeout 5 bash -c §",
		"echo README.md | xargs sh -c §", "echo \"$(bash -c §)\"", "find . -name x -exec sh -c § {} +", "xargs -I{} bash -c §"}
	every, n := testenv.Every(t, 5, 1, 1), 0
	for _, l := range benignLines(t) {
		texts := []string{}
		for _, form := range beside {
			if !strings.Contains(l.text, "\n") {
				texts = append(texts, strings.Replace(form, "%", l.text, 1))
			}
		}
		for _, form := range around {
			texts = append(texts, strings.Replace(form, "§", grammar.Quote(l.text), 1))
		}
		for _, text := range texts {
			if n++; n%every > 0 {
				continue
			}
			if l.when != "+" && inAuto(t, text, "", plainProject).Decision() == hookio.Allow {
				t.Errorf("benign with more around it: %s", text)
			}
			if l.when == "-" && inAuto(t, text, projectCode, plainProject).Decision() == hookio.Allow {
				t.Errorf("benign as code of the project with more around it: %s", text)
			}
		}
	}
}

// TestAutoOptions: what the tables say an option runs, loads or writes elsewhere is
// never benign, whatever the literal of the program grants.
func TestAutoOptions(t *testing.T) {
	tried := 0
	for _, row := range bashsafety.Commands() {
		eachRow(row, row.Name(), func(form string, m *bashsafety.Command) {
			if !m.Local && m.Rare().Project == nil {
				return
			}
			opts := m.Opts
			if m != row && row.Style&commands.ProgramOptionsFirst == 0 {
				opts = slices.Concat(row.Opts, m.Opts)
			}
			for _, o := range opts {
				value, risky := "/elsewhere/x", true
				switch o.Does {
				case commands.Executes, commands.RunsName, commands.ObeysValue, commands.SetsKey, commands.Unsafe, commands.Sends, commands.WritesValue, commands.Writes, commands.WorkDir:
				default:
					risky = false
				}
				for name := range optionNames(o.Names, row.Style&commands.SingleDash != 0) {
					if !risky {
						continue
					}
					text := form + " " + name
					if o.Arg != commands.NoArg {
						text += "=" + value
						if len(name) == 2 {
							text = form + " " + name + value
						}
					}
					for _, operands := range []string{"", " README.md", " README.md out.md"} {
						tried++
						if inAuto(t, text+operands, projectCode, plainProject).Decision() == hookio.Allow {
							t.Errorf("benign: %s", text+operands)
						}
					}
				}
			}
		})
	}
	if tried < 300 {
		t.Errorf("%d commands tried are too few", tried)
	}
}

// eachRow visits a program and its subcommands.
func eachRow(m *bashsafety.Command, form string, visit func(string, *bashsafety.Command)) {
	visit(form, m)
	for _, list := range [...][]bashsafety.Command{m.Subs, m.Also} {
		for i := range list {
			if !strings.Contains(list[i].Name(), "*") {
				eachRow(&list[i], form+" "+list[i].Name(), visit)
			}
		}
	}
}

// optionNames spells the options of a list.
func optionNames(list string, single bool) map[string]bool {
	names := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		switch letters, short := strings.CutPrefix(word, "-"); {
		case short:
			for _, r := range letters {
				names["-"+string(r)] = true
			}
		case single:
			names["-"+word] = true
		default:
			names["--"+word] = true
		}
	}
	return names
}

// TestAutoruns: each row of the table is asked about, by every tool that writes;
// plain sources are not.
func TestAutoruns(t *testing.T) {
	edit := func(name string) decide.Verdict {
		input, _ := json.Marshal(map[string]string{"file_path": "/work/project/" + name, "content": "x"})
		_, v := call(t, Setup{Tool: "Write", Input: input, Mode: "auto"})
		return v
	}
	asked := func(name, by string) {
		for _, at := range []string{name, "sub/" + name, strings.ToUpper(name)} {
			v := edit(at)
			if v.Decision() != hookio.Ask || v.Step() != "7" || !strings.Contains(v.Reason(), "runs without asking") {
				t.Errorf("%s (%s): %v, %s", at, by, v.Decision(), v.Reason())
			}
		}
		if v := inAuto(t, "echo x >> "+name, projectCode, plainProject); v.Decision() == hookio.Allow {
			t.Errorf("a redirect to %s is benign", name)
		}
	}
	sample := strings.NewReplacer("y*ml", "yml", "*", "x", "?", "x")
	for i := range guard.Autoruns {
		a := &guard.Autoruns[i]
		for pattern := range strings.FieldsSeq(a.Files) {
			asked(sample.Replace(pattern), a.By)
		}
		for dir := range strings.FieldsSeq(a.Dirs) {
			asked(path.Join(dir, "sub/x.txt"), a.By)
		}
	}
	for _, name := range []string{"src/a.go", "src/a_test.go", "README.md", "lib/util.py", "test_a.py", "src/index.ts", "src/index.test.ts",
		"main.rs", "src/main/A.java", "docs/build.md", "a.json", "data/x.yaml", "templates/x.html", "styles.css", "package.go", "make.go",
		"src/config.ts", "hooks/use-thing.ts", "tsconfig.json", "LICENSE", ".gitignore", "CHANGELOG.md", "workflows/x.go"} {
		if v := edit(name); v.Decision() != hookio.Allow || v.Why().Judged == nil {
			t.Errorf("%s: %v, %s", name, v.Decision(), v.Reason())
		}
	}
}

// TestAutoGit: a repository that may run something makes its local commands code
// of the project.
func TestAutoGit(t *testing.T) {
	texts := []string{"git add -A", "git commit -m x", "git checkout -b y", "git stash", "git tag v1"}
	active := map[string]func(*fakefs.FS){
		"hook":          func(f *fakefs.FS) { f.Write("/work/project/.git/hooks/pre-commit", "x") },
		"checkout hook": func(f *fakefs.FS) { f.Write("/work/project/.git/hooks/post-checkout", "x") },
		"hooksPath": func(f *fakefs.FS) {
			f.Write("/work/project/.git/config", "[core]\n\thooksPath = hooks\n")
			f.Write("/work/project/hooks/pre-commit", "x")
		},
		"filter":    func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[filter \"x\"]\n\tclean = ./x\n") },
		"fsmonitor": func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[core]\n\tfsmonitor = ./x\n") },
		"include":   func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[include]\n\tpath = ../x\n") },
		"gpg":       func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[gpg]\n\tprogram = ./x\n") },
		"signs":     func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[commit]\n\tgpgsign = true\n") },
		"editor":    func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[core]\n\teditor = ./x\n") },
		"broken":    func(f *fakefs.FS) { f.Write("/work/project/.git/config", "[core\n") },
	}
	for _, name := range slices.Sorted(maps.Keys(active)) {
		arrange := func(f *fakefs.FS) {
			plainProject(f)
			active[name](f)
			f.Own("/work/project", 1000)
		}
		for _, text := range texts {
			if v := inAuto(t, text, "", arrange); v.Decision() != hookio.Ask || !strings.Contains(v.Reason(), "the repository can run programs") {
				t.Errorf("%s: %s: %v, %s", name, text, v.Decision(), v.Reason())
			}
			if v := inAuto(t, text, projectCode, arrange); v.Decision() != hookio.Allow {
				t.Errorf("%s: %s as code of the project: %s", name, text, v.Reason())
			}
			if v := inAuto(t, "echo x > hooks/x; "+text, projectCode, arrange); v.Decision() == hookio.Allow {
				t.Errorf("%s: %s after a write is benign", name, text)
			}
		}
	}
}

// TestAutoOthers: the local proof is about shell texts and edits alone.
func TestAutoOthers(t *testing.T) {
	for tool, input := range map[string]string{
		"PowerShell": `{"command":"Get-ChildItem"}`, "mcp__s__t": `{"a":1}`, "Agent": `{"prompt":"x","subagent_type":"y"}`,
		"Skill": `{"command":"x"}`, "Monitor": `{"command":"ls"}`, "Unknown": `{}`,
	} {
		_, v := call(t, Setup{Tool: tool, Input: json.RawMessage(input), Mode: "auto",
			Settings: map[string]string{"/home/dev/.gen/permgate.json": projectCode}})
		if v.Decision() != hookio.Ask || v.Why().Judged != nil {
			t.Errorf("%s: %v, %s", tool, v.Decision(), v.Reason())
		}
	}
}

// TestAutoOnly: without mode auto the proof grants nothing, and a project's own
// files do not make its code benign.
func TestAutoOnly(t *testing.T) {
	input := json.RawMessage(`{"command":"touch a.txt"}`)
	for _, mode := range []string{"default", "acceptEdits", "dontAsk", "plan", "explore"} {
		_, v, err := Call(Setup{Tool: "Bash", Input: input, Mode: mode, Settings: map[string]string{"/home/dev/.gen/permgate.json": projectCode}})
		if err != nil || v.Decision() == hookio.Allow || v.Why().Judged != nil {
			t.Errorf("mode %s: %v, %s, %v", mode, v.Decision(), v.Reason(), err)
		}
	}
	for _, file := range []string{"/work/project/.gen/permgate.json", "/work/project/.claude/permgate.json"} {
		_, v, err := Call(Setup{Tool: "Bash", Input: json.RawMessage(`{"command":"make"}`), Mode: "auto", Settings: map[string]string{file: projectCode}})
		if err != nil || v.Decision() == hookio.Allow {
			t.Errorf("%s: %v, %v", file, v.Decision(), err)
		}
	}
}
