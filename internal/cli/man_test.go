package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

//go:generate go test . -run ^TestManPages$ -update

// pages are the manual pages, by file name.
var pages = []struct {
	name  string
	write func(*testing.T, *roff)
}{{"permgate.1", manCommands}, {"permgate-rules.5", manRules}, {"permgate.json.5", manPosture}}

// TestManPages writes docs/man from the tables that help reads, and has what reads manual
// pages say what is wrong with them.
func TestManPages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the manual pages show what is typed on Unix")
	}
	for _, p := range pages {
		var r roff
		p.write(t, &r)
		name := filepath.Join("..", "..", "docs", "man", p.name)
		if golden.Update() {
			os.MkdirAll(filepath.Dir(name), 0o755)
		}
		golden.File(t, name, r.b.String())
		lintPage(t, name)
	}
}

// lintPage has the readers of manual pages that are installed look at one.
func lintPage(t *testing.T, name string) {
	for _, tool := range [][]string{
		{"groff", "-man", "-Tutf8", "-ww", "-rLL=80n", name}, {"mandoc", "-Tlint", "-W", "style", name},
	} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Logf("%s is not installed, so it did not check %s", tool[0], name)
			continue
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		var said strings.Builder
		cmd.Stderr = &said
		out, _ := cmd.Output()
		if tool[0] == "mandoc" {
			said.Write(out)
		}
		for line := range strings.Lines(said.String()) {
			if !strings.Contains(line, "missing date") && !strings.Contains(line, "lower case character in document title") {
				t.Errorf("%s: %s", tool[0], line)
			}
		}
		for line := range strings.Lines(ansi.ReplaceAllString(string(out), "")) {
			if tool[0] == "groff" && len([]rune(line)) > 81 {
				t.Errorf("%s is %d columns wide: %s", name, len([]rune(line))-1, line)
			}
		}
	}
}

// ansi is how bold and italic are shown.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m|.\x08")

// manCommands is the page of the program.
func manCommands(t *testing.T, r *roff) {
	r.title("permgate", "1", "User Commands")
	r.section("name")
	r.line(`permgate \- decide what a coding agent may do: allow, ask or deny`)
	r.section("synopsis")
	r.line(".nf")
	r.line(bold("permgate") + ` \fISUBCOMMAND\fR [\fIOPTION\fR...\&] [\fIOPERAND\fR...\&]`)
	r.line(bold("permgate hook") + ` [\fIOPTION\fR...\&] < \fIPAYLOAD\fR`)
	r.line(bold("permgate help") + ` [\fISUBCOMMAND\fR | \fITOPIC\fR]`)
	r.line(".fi")
	r.section("description")
	r.prose(`Agent programs run "permgate hook" before each tool call. It reads the call as JSON on
standard input, decides it by the rules of the settings files, by what the shell text would do and by
the mode, and answers allow, ask or deny with a reason, or stays silent and leaves the call to the
program. The other subcommands register the hook, show why a call was decided as it was, and change
and test the rules. None of them executes the command it is asked about.

permgate-rules(5) says how rules are written, permgate.json(5) what happens to the calls that no rule
matches.`)
	r.section("subcommands")
	r.line(".PD 0")
	for _, c := range list() {
		r.item(bold(c.Name), escapes.Replace(c.Short))
	}
	r.line(".PD")
	for _, c := range list() {
		manCommand(r, "permgate "+c.Name, c)
	}
	r.section("call options")
	r.para("What subcommands that decide calls have in common:")
	flagSet(hookCommand()).VisitAll(func(f *pflag.Flag) { r.flag(f) })
	r.section("steps")
	for _, part := range stepParts() {
		r.para(part.head)
		for _, s := range part.steps {
			r.item(bold(s.Num+" "+s.Name), escapes.Replace(s.Doc))
		}
	}
	r.para("`permgate help checks` lists what step 2 looks for in shell texts; `permgate explain ID` shows the reason of a check, " +
		"what to do instead, and examples.")
	r.section("modes")
	r.para("The mode decides if no rule matched (step 7).")
	for _, m := range rules.Modes {
		r.item(bold(m.Name), escapes.Replace(m.Doc))
	}
	r.prose(modesText)
	r.section("agent programs")
	r.para("The names for `--host`, and where `permgate install` registers the hook; `permgate help hosts` has notes on each:")
	for _, h := range agents.Hosts() {
		r.item(bold(h.Name), escapes.Replace(h.Title+", "+agents.Usual(h, "linux")))
	}
	r.section("observing first")
	r.prose(observeText)
	r.section("exit status")
	exits(r)
	r.section("environment")
	for _, v := range environment {
		r.item(bold(v[0]), escapes.Replace(v[1]))
	}
	r.item(bold(strings.Join(projectVars(), ", ")), escapes.Replace("the project of the call, as the agent program sets it; instead of the outermost folder with .git"))
	r.section("files")
	for _, f := range settingsFiles {
		r.item(bold(f[0]), escapes.Replace(f[1]))
	}
	r.item(bold("~/.local/state/permgate"), escapes.Replace("the state folder, or permgate in $XDG_STATE_HOME. permgate state shows what is in it, and removes it with --clean:"))
	r.line(".RS")
	for _, k := range stateKinds() {
		r.item(bold(strings.Join(k.names, " ")), escapes.Replace(k.what))
	}
	r.line(".RE")
	r.section("examples")
	for _, x := range firstSteps {
		r.item(bold(x.Line()), escapes.Replace(x.Note()))
	}
	seeAlso(r, "permgate-rules(5)", "permgate.json(5)")
}

// firstSteps are what a new user types.
var firstSteps = []subcmd.Example{
	{"permgate install --host claude", "register the hook with Claude Code, and write the recommended posture"},
	{"permgate doctor", "see that it works"},
	{"permgate log -f", "watch what is decided"},
	{"permgate explain --last", "why the last call was asked about or denied"},
	{"permgate allow --last", "not be asked about it again"},
	{"permgate check 'git status && rm -rf src'", "what would be decided; nothing is executed"},
}

// exits are the exit codes: for each kind of subcommand a list.
func exits(r *roff) {
	for _, part := range strings.Split(strings.TrimSpace(exitText), "\n\n") {
		if head, rest, ok := strings.Cut(part, "\n"); ok {
			r.subsection(head)
			part = rest
		}
		r.prose(part) // the last is a sentence
	}
}

func italic(s string) string {
	if s == "" {
		return ""
	}
	return operandWord.ReplaceAllString(esc(s), `\fI$0\fR`)
}

// operandWord is a word that stands for another in a usage line.
var operandWord = regexp.MustCompile(`\b[A-Z]{2,}\b`)

func manCommand(r *roff, name string, c *subcmd.Command) {
	r.subsection(name)
	fs := flagSet(c)
	usage := bold(name)
	if fs.HasFlags() {
		usage += ` [\fIOPTION\fR...]`
	}
	r.paragraph()
	r.fill(strings.TrimSpace(usage + " " + italic(c.Args)))
	r.para(strings.ToUpper(c.Short[:1]) + c.Short[1:] + ".")
	r.prose(c.Long)
	manFlags(r, fs)
	if len(c.Examples) > 0 {
		r.para("Examples:")
		for _, x := range c.Examples {
			r.code([]string{x.Line()})
			if x.Note() != "" {
				r.line(".RS 8")
				r.fill(escapes.Replace(x.Note()))
				r.line(".RE")
			}
		}
	}
	for _, sub := range c.Subs {
		manCommand(r, name+" "+sub.Name, sub)
	}
}

// manFlags lists the options of a subcommand; many that it has in common with the hook are
// only named.
func manFlags(r *roff, fs *pflag.FlagSet) {
	common, all := flagSet(hookCommand()), 0
	common.VisitAll(func(*pflag.Flag) { all++ })
	var own []*pflag.Flag
	var names []string
	fs.VisitAll(func(f *pflag.Flag) {
		if c := common.Lookup(f.Name); c != nil && c.Usage == f.Usage {
			names = append(names, bold("--"+f.Name))
		} else {
			own = append(own, f)
		}
	})
	if len(names) < 4 {
		own, names = nil, nil
		fs.VisitAll(func(f *pflag.Flag) { own = append(own, f) })
	}
	if len(own) > 0 {
		r.para("Options:")
		r.line(".RS 4")
		for _, f := range own {
			r.flag(f)
		}
		r.line(".RE")
	}
	switch {
	case len(names) == all:
		r.para("And those under CALL OPTIONS.")
	case len(names) > 0:
		r.line(".PP")
		r.fill("And of those under CALL OPTIONS: " + strings.Join(names, ", ") + ".")
	}
}

// flag is one option.
func (r *roff) flag(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	tag := bold("--" + f.Name)
	if f.Shorthand != "" {
		tag = bold("-"+f.Shorthand) + ", " + tag
	}
	switch value {
	case "":
	case "int":
		tag += ` \fIN\fR`
	case "string", "stringArray":
		tag += ` \fIVALUE\fR`
	default:
		tag += ` \fI` + esc(strings.ToUpper(value)) + `\fR`
	}
	r.item(tag, escapes.Replace(usage))
}

// environment are the variables that are read.
var environment = [][2]string{
	{"HOME", "the home directory, if it is the one of your passwd entry or was recorded by permgate trust --folder; in any other, settings can only restrict"},
	{"XDG_STATE_HOME", "the parent of the state folder, under the same condition; instead of ~/.local/state"},
	{"CLAUDE_CONFIG_DIR", "where Claude Code keeps its settings, under the same condition; instead of ~/.claude"},
	{"PERMGATE_DISABLE_AUTO_MODE", "1 turns mode auto into default; its hard_deny and soft_deny still apply"},
	{"PERMGATE_ASK_NOBODY", "1 runs neither classifier nor approver; permgate doctor sets it for its sample calls"},
	{"PATH", "where a classifier or an approver without a path is looked for"},
	{"TMPDIR", "the folder for temporary files, where it is below one of the system's"},
	{"COLUMNS", "how wide the output is; else as wide as the terminal"},
	{"USER, LOGNAME, USERNAME, SHELL", "report: the names of a user, which it replaces, and the shell, which it names"},
	{"NO_COLOR, FORCE_COLOR", "colours are off, or on where the output is no terminal"},
}

// projectVars are the variables in which programs name the project.
func projectVars() (vars []string) {
	for _, h := range hookio.Hosts() {
		if h.ProjectVar != "" {
			vars = append(vars, h.ProjectVar)
		}
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// TestEnvironment: the page names every variable that the program reads.
func TestEnvironment(t *testing.T) {
	var named []string
	for _, v := range environment {
		named = append(named, strings.Split(v[0], ", ")...)
	}
	read := regexp.MustCompile(`(?i)getenv\("([A-Z_]+)"\)|"(PERMGATE_[A-Z_]+)"`)
	err := filepath.WalkDir(filepath.Join("..", ".."), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name == filepath.Join("..", "..", "internal", "test")):
			return fs.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		for _, m := range read.FindAllStringSubmatch(string(text), -1) {
			if v := m[1] + m[2]; !slices.Contains(named, v) && !slices.Contains(terminalVariables, v) {
				t.Errorf("%s reads %s, which permgate(1) does not name", name, v)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// terminalVariables are left out of the page.
var terminalVariables = []string{"TERM"}

// settingsFiles are what is read, see rules.md.
var settingsFiles = [][2]string{
	{"~/.gen/settings.json, settings.local.json", "your rules; .san and .claude are read like .gen, here and below"},
	{".gen/settings.json", "rules of the project, for everybody who works on it"},
	{".gen/settings.local.json", "your own rules in this project"},
	{"/etc/gen/managed-settings.json, managed-settings.d/*.json", "the administrator's rules; /etc/san and /etc/claude-code likewise. On macOS and Windows " +
		"/Library/Application Support/{Gen,San,ClaudeCode} and C:\\Program Files\\{Gen,San,ClaudeCode}"},
	{"permgate.json", "next to any of them: what happens to the calls that no rule matches, see permgate.json(5)"},
	{".gen/agents/NAME.md", "what a subagent may do"},
	{".gen/permissions.test, permissions.local.test", "the tests of a policy, which permgate test runs"},
}

func seeAlso(r *roff, pages ...string) {
	r.section("see also")
	for i, p := range pages {
		name, section, _ := strings.Cut(p, "(")
		end := ","
		if i == len(pages)-1 {
			end = ""
		}
		r.line(".BR " + esc(name) + " (" + section + end)
	}
	r.para("The documentation of the project: https://github.com/permgate--owner/permgate")
}

// manRules is the page of the rules: the text of permgate help patterns, and docs/rules.md.
func manRules(t *testing.T, r *roff) {
	r.title("permgate-rules", "5", "File Formats")
	r.section("name")
	r.line(`permgate\-rules \- rules for what a coding agent may do`)
	r.section("description")
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n\n")
	intro, _, ok := strings.Cut(rest, "At a glance:\n")
	first, sections, ok2 := strings.Cut(rest, "\n## ")
	_, first, ok3 := strings.Cut(first, "\n\nEvery example")
	tried, _, ok4 := strings.Cut(first, "\n\n")
	_, glance, ok5 := strings.Cut(rulesText, "\n\n")
	if !ok || !ok2 || !ok3 || !ok4 || !ok5 {
		t.Fatal("docs/rules.md or its help does not begin as it did")
	}
	r.page(intro)
	r.prose(glance)
	r.page("Every example" + tried + "\n\n## " + sections)
	r.section("keys of settings.json")
	r.para("What permgate reads of a settings.json; all other keys belong to the agent program. Under `permissions`:")
	for _, k := range load.PermissionKeys {
		r.item(bold(k.Name), escapes.Replace(k.Doc))
		example(r, k.Name, k.Example)
	}
	for _, s := range load.Switches {
		value := "true or false"
		if s.Lock {
			value = `true or "disable"`
		}
		r.item(bold(s.Name)+": "+escapes.Replace(value), escapes.Replace(s.Doc))
	}
	r.para("Under `autoMode`, in your own files and the administrator's:")
	for _, k := range rules.AutoKeys {
		r.item(bold(k.Name), escapes.Replace(k.Doc))
		example(r, k.Name, k.Example)
	}
	seeAlso(r, "permgate(1)", "permgate.json(5)")
}

// example shows a key with a value, below what is said of it.
func example(r *roff, key, value string) {
	if value == "" {
		return
	}
	r.line(".IP")
	r.fill("Example: " + bold(fmt.Sprintf("%q: %s", key, value)))
}

// manPosture is the page of permgate.json.
func manPosture(t *testing.T, r *roff) {
	r.title("permgate.json", "5", "File Formats")
	r.section("name")
	r.line(`permgate.json \- what happens to the calls that no rule matches`)
	r.section("synopsis")
	r.line(".nf")
	for _, place := range []string{"~/.gen/permgate.json", ".gen/permgate.json", "/etc/gen/permgate.json"} {
		r.line(esc(place))
	}
	r.line(".fi")
	r.section("description")
	r.prose(postureText)
	r.para("The folders `.san` and `.claude` hold the same files. Where several files set a key, the tightest value counts. " +
		"A key or a value that permgate does not know is an error: until it is fixed, every allow becomes ask.")
	r.para("`permgate install` writes the recommended keys, `permgate doctor` shows what is wrong with a file, and `permgate schema` " +
		"prints a JSON Schema for editors.")
	r.section("keys")
	for i := range load.PostureKeys {
		manKey(r, &load.PostureKeys[i])
	}
	r.item(bold("hosts")+": object", escapes.Replace("one object for each agent program with the same keys, which apply only to calls of a hook registered with that --host, "+
		"and override the keys next to it"))
	example(r, "hosts", `{"claude": {"onUnmatched": "defer"}}`)
	r.item(bold("$schema")+", "+bold("//..."), "left to editors and to you")
	r.section("addresses")
	r.para("An entry of `urls` is one of these:")
	for _, f := range rules.URLForms {
		r.item(bold(f.Entry), escapes.Replace(f.Doc))
	}
	r.section("recommended keys")
	r.para("`permgate install --host NAME` writes these keys under `hosts`, where they are missing:")
	for hosts := slices.Clone(agents.Hosts()); len(hosts) > 0; {
		keys, names := hosts[0].Register.Posture, []string(nil)
		hosts = slices.DeleteFunc(hosts, func(h *hookio.Host) bool {
			same := slices.Equal(h.Register.Posture, keys)
			if same {
				names = append(names, h.Name)
			}
			return same
		})
		r.line(".TP")
		r.line(bold(strings.Join(names, ", ")))
		for i, k := range keys {
			if i > 0 {
				r.line(".br")
			}
			r.line(escapes.Replace(fmt.Sprintf("%q: %s", k.Name, k.JSON)))
		}
	}
	r.section("example")
	r.code(strings.Split(postureExample, "\n"))
	seeAlso(r, "permgate(1)", "permgate-rules(5)")
}

const postureExample = `{
  // what destroys a system is never run
  "catastrophic": "deny",
  "secrets": "ask",
  "contentExclusion": ["**/*.pem"],
  "hosts": {
    "claude": {"onUnmatched": "defer", "projectTrust": "require"},
  },
}`

// manKey is one key: its values, what it does, what holds without it, and who may loosen it.
func manKey(r *roff, k *load.PostureKey) {
	r.item(bold(k.Name)+": "+escapes.Replace(manValues(k)), inline(k.Doc)+".")
	said := "Without it: " + k.Default + "."
	switch {
	case k.Default == "":
		said = "Without it: nothing."
	case k.Kind == load.PostureWord || k.Kind == load.PostureAudit:
		said = fmt.Sprintf("Without it: %q.", k.Default)
	}
	switch lists := k.Values == nil && k.Default == ""; {
	case k.Loosen == nil:
		said += " Every file counts."
	case lists || k.Kind == load.PostureNumber || k.Kind == load.PostureSwitch:
		said += " Only your own file and the administrator's may set it."
	default:
		said += " A file of a project can only tighten it."
	}
	r.line(".IP")
	r.fill(escapes.Replace(said))
	example(r, k.Name, k.Example)
}

// manValues says what a value looks like.
func manValues(k *load.PostureKey) string {
	switch k.Kind {
	case load.PostureWord, load.PostureAudit:
		words := `"` + strings.Join(k.Values, `" | "`) + `"`
		if k.Kind == load.PostureAudit {
			words += " | object"
		}
		return words
	case load.PostureBool, load.PostureSwitch:
		return "true | false"
	case load.PosturePatterns:
		return "list of path patterns, as in Read rules"
	case load.PostureURLs:
		return `list of addresses | {"allow": list, "deny": list}`
	case load.PostureOperator:
		return `{"command": list of words, "timeoutMs": number}`
	case load.PostureNames:
		return "list of folder names"
	case load.PostureTools:
		return "list of tools, or rules"
	case load.PostureRules:
		return "list of objects"
	case load.PostureNumber:
		return fmt.Sprintf("number from 1 to %d", load.MaxPostureNumber)
	}
	panic("a kind of value without words: " + k.Name)
}
