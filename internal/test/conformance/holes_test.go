package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A hole is a word that is not known: how it is written, whether the shell may make
// several words of it, and what it certainly starts with.
type hole struct {
	text   string
	splits bool
	prefix string
}

var someHoles = []hole{
	{`$(cat f)`, true, ""}, {`a$(cat f)`, true, "a"}, {`./$(cat f)`, true, "./"}, {`$(cat f)..HEAD`, true, ""},
	{`${x}`, true, ""}, {`a$1`, true, "a"}, {`a"b$y"$(cat f)`, true, "ab"},
	{`"$(cat f)"`, false, ""}, {`"./$x"`, false, "./"}, {`"$1"..HEAD`, false, ""},
}

// A holeForm is a program with a subcommand, if any, as the tables have them.
type holeForm struct {
	text string
	row  *commands.Command // the program
	m    *commands.Command // the subcommand, else the program
}

// has reports whether one of the commands has an option that does one of some things.
func has(m *commands.Command, acts ...commands.Act) bool {
	return slices.ContainsFunc(m.Opts, func(o commands.Opt) bool { return slices.Contains(acts, o.Does) }) ||
		slices.ContainsFunc(slices.Concat(m.Subs, m.Also), func(s commands.Command) bool { return has(&s, acts...) })
}

// actsByOption reports whether the tables list an option that executes or writes.
func (f *holeForm) actsByOption() bool {
	acts := []commands.Act{commands.Executes, commands.WritesValue, commands.Writes, commands.WritesInPlace, commands.Changes,
		commands.Unsafe, commands.LoadsValue, commands.RunsName, commands.ObeysValue, commands.SetsKey}
	return !f.m.NoRiskyOptions && (has(f.m, acts...) || has(f.row, acts...))
}

// writesOperands reports whether an operand more is a file that is written.
func (f *holeForm) writesOperands() bool {
	switch f.m.Operands {
	case commands.Writes, commands.Deletes, commands.Copies, commands.Moves, commands.Links, commands.ModeWrites, commands.ReadThenWrite:
		return true
	}
	return false
}

// mayCover says why the hole may be covered in a place, as the tables say; "" when
// they say nothing of the kind.
func (f *holeForm) mayCover(h hole, place string) string {
	operand := place == "first" || place == "second" || place == "behind --"
	literal := h.prefix != "" && h.prefix[0] != '-'
	stops := f.m.Style&commands.StopAtOperand != 0 && !f.m.HasSubs()
	switch {
	case operand && f.writesOperands() && (h.splits || place == "second"):
		return ""
	case f.m.NoRiskyOptions:
		return "no option executes or writes"
	case place == "behind --" && f.m.Style&commands.NoOptions == 0 && !f.m.HasSubs():
		return "options have ended"
	case stops && (place == "second" || place == "first" && literal):
		return "options end at an operand"
	case h.splits:
		return ""
	case literal:
		return "one argument that is no option"
	case place == "value" || place == "attached":
		return "the value of an option"
	case !f.actsByOption():
		return "no option is known to execute or write"
	}
	return ""
}

// places are the texts of a form with a hole in each place.
func (f *holeForm) places(h hole) map[string]string {
	all := map[string]string{
		"first": f.text + " " + h.text, "second": f.text + " zz " + h.text, "behind --": f.text + " -- " + h.text,
	}
	for _, m := range []*commands.Command{f.m, f.row} {
		for _, name := range slices.Sorted(maps.Keys(optionNames(m.Values, f.row.Style&commands.SingleDash != 0))) {
			if len(name) > 2 && all["value"] == "" {
				all["value"], all["attached"] = f.text+" "+name+" "+h.text, f.text+" "+name+"="+h.text
			}
		}
	}
	return all
}

// holeForms are the programs of the tables with their subcommands, and one that they do not know.
func holeForms() (all []holeForm) {
	for _, row := range bashsafety.Commands() {
		eachRow(row, row.Name(), func(text string, m *bashsafety.Command) { all = append(all, holeForm{text, row, m}) })
	}
	stranger := &commands.Command{Names: "frobnicate"}
	return append(all, holeForm{"frobnicate", stranger, stranger})
}

// TestHoles: a word that is not known is covered by a rule, by readOnlyCommands and
// in mode auto only where the literal of the program says why.
func TestHoles(t *testing.T) {
	step, tried, covered, wrong := testenv.Every(t, 40, 10, 1), 0, map[string]int{}, map[string]int{}
	all := holeForms()
	for i := 0; i < len(all); i += step {
		f := &all[i]
		if f.text == "let" {
			continue // what it calculates is looked at where arithmetic is, as in $(( ))
		}
		for _, h := range someHoles {
			for place, text := range f.places(h) {
				why := f.mayCover(h, place)
				for _, mode := range []string{"default", "auto"} {
					tried++
					if !allowsHole(t, f, text, mode) {
						continue
					}
					key := fmt.Sprintf("%s %s %s: %s", mode, place, h.text, cmp.Or(why, "WRONG"))
					if covered[key]++; why == "" {
						wrong[f.text]++
						t.Errorf("%s: covered, and nothing says why: %s", mode, text)
					}
				}
			}
		}
	}
	n := 0
	for _, key := range slices.Sorted(maps.Keys(covered)) {
		n += covered[key]
		t.Logf("%6d %s", covered[key], key)
	}
	t.Logf("%d of %d forms with a hole are covered; of %d programs and subcommands without a reason", n, tried, len(wrong))
}

// allowsHole reports whether a text is allowed: in mode default by a rule for the
// program or because it is proven to read.
func allowsHole(t *testing.T, f *holeForm, text, mode string) bool {
	t.Helper()
	s := Setup{Tool: "Bash", Input: shell(text), Mode: mode, Settings: noLists(), Environ: []string{}, Arrange: plainProject}
	if mode == "default" {
		program, _, _ := strings.Cut(f.text, " ")
		s.Settings = map[string]string{
			"/home/dev/.gen/settings.json": fmt.Sprintf(`{"permissions":{"allow":["Bash(%s:*)","Bash(cat f)"]}}`, program),
			"/home/dev/.gen/permgate.json": `{"readOnlyCommands":"allow"}`,
		}
	}
	_, v := call(t, s)
	return v.Decision() == hookio.Allow
}

// TestPlaces: a path that an allow rule begins and a wildcard ends is a boundary.
func TestPlaces(t *testing.T) {
	for _, row := range []struct {
		rule, text string
		want       bool
	}{
		{"python3 scripts/*", "python3 scripts/a.py --x", true},
		{"python3 scripts/*", "python3 scripts/sub/a.py ../in.csv", true},
		{"python3 scripts/*", "python3 scripts/new.py \"$x\"", true},
		{"python3 scripts/*", "python3 scripts/link-in.py", true},
		{"wc -l src/*", "for f in a b c d e f g h i j; do wc -l src/$f.go; done", true},
		{"python3 scripts/*", "python3 scripts/../../x.py", false},
		{"python3 scripts/*", "python3 scripts/sub/../a.py", false},
		{"python3 scripts/*", "python3 scripts/..", false},
		{"python3 scripts/*", "python3 scripts/\"$x\"", false},
		{"python3 scripts/*", "python3 scripts/$(cat f)", false},
		{"python3 scripts/*", "python3 scripts/\"$(cat f)\".py", false},
		{"python3 scripts/*", "python3 scripts/link-out.py", false},
		{"python3 scripts/*", "python3 scripts/out/a.py", false},
		{"python3 scripts/*", "cd $x && python3 scripts/a.py", false},
		{"python3 scripts/*", "ln -s /tmp/x scripts/n && python3 scripts/n/a.py", false},
		{"python3 scripts/a*", "python3 scripts/a/../../x.py", false},
		{"python3 scripts/a?.py", "python3 scripts/ab.py", true},
		{"python3 ./*", "python3 ./../x.py", false},
		{"python3 ./*.py", "python3 ./a.py", true},
		{"python3 'scripts/'*", "python3 scripts/../x.py", false},
		{"python3 *", "python3 scripts/../x.py", true}, // no path in the rule
		{"./scripts/*", "./scripts/run.sh -v", true},
		{"./scripts/*", "./scripts/../x.sh", false},
		{"frobnicate --out=dist/*", "frobnicate --out=dist/x", true},
		{"frobnicate --out=dist/*", "frobnicate --out=dist/../../x", false},
		{"frobnicate --out=scripts/*", "frobnicate --out=scripts/link-out.py", false},
		{"cat /var/log/*", "cat /var/log/syslog", true},
		{"cat /var/log/*", "cat /var/log/../../etc/x", false},
		{"cat /var/log/*", "cat /var/log/link", false},
		{"wc -l scripts/*", "wc -l scripts/a*.py", true},
		{"wc -l scripts/*", "wc -l scripts/*.py", false}, // link-out.py is one
		{"node_modules/.bin/*", "node_modules/.bin/tsc -p .", true},
		{"node_modules/.bin/*", "node_modules/.bin/../../x", false},
		{".venv/bin/*", ".venv/bin/python -V", true},
		{"curl https://h.example/api/*", "curl https://h.example/api/v1", true},
		{"curl https://h.example/api/*", "curl https://h.example/api/../admin", false},
		{"curl https://h.example/api/*", "curl https://h.example/api/%2e%2E/admin", false},
		{"git log origin/*", "git log origin/main..HEAD", true},
	} {
		settings, _ := json.Marshal(map[string]any{"permissions": map[string][]string{"allow": {"Bash(" + row.rule + ")", "Bash(cat f)",
			"Bash(cd:*)", "Bash(ln:*)"}}})
		s := Setup{Tool: "Bash", Input: shell(row.text), Settings: map[string]string{"/home/dev/.gen/settings.json": string(settings)}, Tmp: true,
			Symlinks: map[string]string{
				"/work/project/scripts/link-out.py": "/elsewhere/x.py", "/work/project/scripts/out": "/elsewhere", "/var/log/link": "/etc/x",
				"/work/project/scripts/link-in.py": "../src/a.py", "/work/project/node_modules/.bin/tsc": "/store/typescript/bin/tsc",
				"/work/project/.venv/bin/python": "/usr/bin/python3",
			},
			Arrange: func(f *fakefs.FS) {
				plainProject(f)
				f.Write("/elsewhere/x.py", "x")
				f.Write("/work/project/scripts/a.py", "x")
				f.Write("/var/log/syslog", "x")
			}}
		if _, v, err := Call(s); err != nil || (v.Decision() == hookio.Allow) != row.want {
			t.Errorf("Bash(%s), %s: %v, %s %v", row.rule, row.text, v.Decision(), v.Reason(), err)
		}
	}
}
