package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/hookio"
)

// inTongue says how a command is spelled in a program's own language, and inKey which key of its configuration runs one.
// An option that obeys text, or sets inKey, of a program that is in neither fails the test.
var (
	inTongue = map[string]string{
		"emacs": `(shell-command "H")`, "ghc": `System.Process.system "H"`, "rake": `system("H")`, "make": "x:;H", "rpm": "%(H)", "rpmspec": "%(H)",
		"pdflatex": `system("H")`, "sshuttle": "start:execute(H)", "parallel": `system("H")`, "gdb": "!H", "ex": "!H", "nvim": "!H", "ed": "!H", "nano": "!H",
		"vim": ":!H", "perl": `system("H")`,
	}
	inKey = map[string]string{
		"git": "core.pager=H", "apt": "Dpkg::Pre-Invoke::=H", "apt-cache": "APT::Update::Post-Invoke::=H", "cargo": `target.x.runner="H"`, "sshuttle": "alias.x=!H",
		"wget": "use_askpass=H",
	}
)

// A rowText is a command line that the tables say runs the harm H in it.
type rowText struct {
	text  string
	first bool // of its row: all harms are put there, in the others one
}

// TestRowsThatRun: every option and every variable that the tables mark as running has the answer of what it runs,
// in whatever way it is given.
func TestRowsThatRun(t *testing.T) {
	var texts []rowText
	for _, row := range commands.All() {
		texts = append(texts, rowTexts(t, row)...)
	}
	for i := range commands.Variables {
		texts = append(texts, variableTexts(t, &commands.Variables[i])...)
	}
	t.Logf("%d command lines", len(texts))
	if len(texts) < 500 {
		t.Errorf("only %d command lines", len(texts))
	}
	bare := map[string]hookio.Decision{}
	for _, harm := range harms {
		bare[harm], _ = harmAnswer(t, harm)
	}
	for i, r := range texts {
		for k, harm := range harms {
			if !r.first && k != i%len(harms) {
				continue
			}
			text := placed(r.text, harm)
			if got, why := harmAnswer(t, text); got != bare[harm] && got != hookio.Deny {
				t.Errorf("%s: %s, want %s: %s", text, got, bare[harm], why)
			}
		}
	}
}

// rowTexts spells every running option of a program, its subcommands and its environments.
func rowTexts(t *testing.T, row *commands.Command) (texts []rowText) {
	single := row.Style&commands.SingleDash != 0
	spell := func(form string, m *commands.Command) {
		for i := range m.Opts {
			o := &m.Opts[i]
			value := "'" + runningValue(t, row, o) + "'"
			if value == "''" {
				continue
			}
			first := true
			for _, name := range slices.Sorted(maps.Keys(optionNames(o.Names, single || m.Style&commands.SingleDash != 0))) {
				for _, option := range optionForms(row, name, o.Arg, value) {
					texts = append(texts, rowText{form + " " + option, first})
					first = false
				}
			}
		}
	}
	eachRow(row, row.Name(), spell)
	for i := range row.Rare().Environments {
		e := &row.Special.Environments[i]
		verb := strings.ReplaceAll(strings.ReplaceAll(e.Name(), "-", " "), "*", "x")
		spell(row.Name()+" "+verb, &e.Command)
	}
	return texts
}

// runningValue is a value by which an option runs the harm H, "" where it runs none.
func runningValue(t *testing.T, row *commands.Command, o *commands.Opt) string {
	t.Helper()
	table := map[string]string(nil)
	switch {
	case o.Arg == commands.NoArg:
		return ""
	case o.Does == commands.Executes, o.Does == commands.RunsText:
		return "H"
	case o.Does == commands.ObeysValue:
		table = inTongue
	case o.Does == commands.SetsKey:
		table = inKey
	default:
		return ""
	}
	if table[row.Name()] == "" {
		t.Errorf("%s %s: say how a command is spelled there", row.Name(), o.Names)
	}
	return table[row.Name()]
}

// optionForms gives an option a value in every way there is.
func optionForms(row *commands.Command, name string, arg commands.Arg, value string) (forms []string) {
	letter := len(name) == 2
	if arg == commands.HasArg {
		forms = append(forms, name+" "+value)
	}
	switch {
	case !letter:
		forms = append(forms, name+"="+value)
	case row.Style&commands.SingleDash == 0:
		forms = append(forms, name+value)
	}
	if row.Shortens && !letter && len(name) > 6 {
		forms = append(forms, name[:len(name)-1]+"="+value)
	}
	return forms
}

// variableTexts sets every variable of a row in every way.
func variableTexts(t *testing.T, v *commands.Variable) (texts []rowText) {
	first := true
	add := func(set, call string) {
		name, _, _ := strings.Cut(set, "=")
		for _, text := range []string{set + " " + call, "env " + set + " " + call, "export " + set + "; " + call, "export " + name + "; " + set + "; " + call} {
			texts = append(texts, rowText{text, first})
			first = false
		}
	}
	for name := range strings.FieldsSeq(v.Names) {
		if strings.Count(name, "*") > 0 && v.Of != "npm --*" {
			name = strings.NewReplacer("*_", "MY_", "_*_", "_X_", "_*", "_0").Replace(name)
		}
		name = strings.ReplaceAll(name, "*", "X")
		switch {
		case v.Does == commands.Executes:
			add(name+"='H'", "make")
		case v.Does == commands.ObeysValue:
			add(name+"='"+inTongue[v.Of]+"'", v.Of+" a.txt")
		case v.Does == commands.LoadsValue:
			text := "=<(echo 'x:;H') make x"
			if v.Of == "git" {
				text = "=<(echo '[core] pager = H') git log"
			}
			texts = append(texts, rowText{name + text, true})
		case v.Does == commands.SetsKey:
			texts = append(texts, rowText{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager " + name + "='H' git log", true})
		case v.Does == 0 && v.Of == "git -c":
			add(name+"=\"'core.pager'='H'\"", "git log")
		case v.Does == 0 && v.Of == "npm --*":
			add(strings.TrimSuffix(name, "X")+"script_shell='H'", "npm test")
		case v.Does == 0:
			program, _, _ := strings.Cut(v.Of, " ")
			if option := runningOption(program); option != "" {
				add(name+"=\""+option+"\"", program+" a.txt")
			}
		}
	}
	return texts
}

// runningOption is an option of a program that runs the harm H, "" where it has none that takes a text.
func runningOption(program string) string {
	for _, row := range commands.All() {
		if !row.Named(program) {
			continue
		}
		for i := range row.Opts {
			o := &row.Opts[i]
			for name := range optionNames(o.Names, row.Style&commands.SingleDash != 0) {
				if long := len(name) > 2 && o.Arg != commands.NoArg; long && (o.Does == commands.Executes || o.Does == commands.RunsText) {
					return name + "='H'"
				}
			}
		}
	}
	return ""
}
