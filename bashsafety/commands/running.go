package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What a program runs besides its operands is told by a text: the value of an option, a variable, a setting, a file in
// the program's own language. All of them are read here, however the text is given.

// runsValue shows what an option runs, by its act.
func (c *Invocation) runsValue(u *Used) {
	switch via := c.spell(u); u.does {
	case Executes:
		c.Narrow(via + " runs a command")
		c.scan(via, u.Value.Text, &u.Value)
		c.codeIn(via, &u.Value)
	case RunsName:
		c.Narrow(via + " names a program that is run")
		if u.Value.Known && u.Value.Text != "" {
			c.within(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv) + " " + via, Argv: []shell.Word{u.Value}})
		}
	case RunsText:
		if u.Given {
			c.runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv) + " " + via, Text: u.Value})
		}
	case ObeysValue:
		c.Narrow(via + " runs text in a language of the program's own")
		c.Speaks(via, &u.Value)
	case SetsKey: // shown when the other words have told which form it is
		c.Narrow(via + loadsCode)
	}
}

// settings shows what the settings run that options make.
func (c *Invocation) settings() {
	for u := range c.options() {
		if u.does == SetsKey {
			c.setting(c.spell(u), &u.Value)
		}
	}
}

// anyText shows what a word runs of which it is not known how it is read: as shell text, and as code.
func (c *Invocation) anyText(via string, w *shell.Word) {
	if strings.ContainsAny(w.Text, " \t\n") {
		if _, rest, ok := strings.Cut(w.Text, ":"); ok { // exec:TEXT
			c.scan(via, rest, w)
		} else if !strings.ContainsAny(w.Text, "(!") {
			c.scan(via, w.Text, w)
		}
		c.ProgramText(ProgramName(c.Argv)+" "+via, w)
	} else {
		c.codeIn(via, w)
	}
}

// codeIn shows what a word runs that looks like code in another language.
func (c *Invocation) codeIn(via string, w *shell.Word) {
	if strings.ContainsAny(w.Text, "(!`") {
		c.ProgramText(ProgramName(c.Argv)+" "+via, w)
	}
}

// Speaks shows what a text in the program's own language runs.
func (c *Invocation) Speaks(via string, text *shell.Word) {
	if !text.Known || c.Cmd == nil {
		return
	}
	if speak := c.Sub.Rare().Language; speak != nil {
		speak(c, text)
	} else if speak = c.Cmd.Rare().Language; speak != nil {
		speak(c, text)
	} else {
		c.ProgramText(ProgramName(c.Argv)+" "+via, text)
	}
}

// OwnFiles are the words that name files in the program's own language.
func (c *Invocation) OwnFiles() (files []*shell.Word) {
	if c.Cmd == nil || c.Cmd.Rare().Files == "" {
		return nil
	}
	for u := range c.options() {
		key, _, _ := strings.Cut(u.Value.Text, "=")
		switch {
		case u.Given && shell.Listed(c.Cmd.Special.Files, u.Name):
			files = append(files, &u.Value)
		case u.does == SetsKey && shell.StartsWithAny(strings.ToLower(key), "include.path", "includeif."):
			files = append(files, new(shell.Suffix(&u.Value, len(key)+1)))
		}
	}
	return files
}

// FromInput reports whether a word names the standard input as a file.
func FromInput(w *shell.Word) bool { return w.Known && w.Text == "-" || standardInput(w) }

// ObeysInput reports whether the standard input of a call is a program for it.
func (c *Invocation) ObeysInput() bool {
	return c.Obeys() || slices.ContainsFunc(c.OwnFiles(), FromInput)
}

// setting reads KEY=VALUE or KEY VALUE of a configuration: some keys say by their name that the value is run.
func (c *Invocation) setting(via string, w *shell.Word) {
	if at := strings.IndexAny(w.Text, "= \t"); at >= 0 {
		c.set(via, w.Text[:at], strings.Trim(w.Text[at+1:], " \t="), w)
	}
}

// set shows what a setting runs.
func (c *Invocation) set(via, key, value string, at *shell.Word) {
	value = strings.TrimSpace(value)
	text, marked := strings.CutPrefix(value, "!")
	switch how := keyRuns(key); {
	case marked:
		c.scan(via, text, at)
	case strings.HasPrefix(strings.ToLower(key), "alias."):
		c.scan(via, ProgramName(c.Argv)+" "+value, at)
	case how == keyOfList && strings.HasPrefix(value, "["):
		if at.Known {
			c.program(via, code.Python, new(shell.Literal("subprocess.run("+value+")", at)))
		}
	case how == keyOfArguments:
		c.scan(via, "sh "+value, at)
	case how != 0:
		c.scan(via, outsideQuotes(value), at)
	}
}

// outsideQuotes is a value without the double quotes around all of it.
func outsideQuotes(value string) string {
	if inside, ok := strings.CutPrefix(value, `"`); ok && strings.IndexByte(inside, '"') == len(inside)-1 {
		return inside[:max(0, len(inside)-1)]
	}
	return value
}

// What the name of a key says that its value is.
const (
	keyOfText = iota + 1
	keyOfList
	keyOfArguments
)

// keyRuns tells what is run of the value of a key: core.pager, Dpkg::Pre-Invoke::, ProxyCommand, target.x.runner.
func keyRuns(key string) int {
	const runs = "pager editor sshcommand gitproxy fsmonitor askpass textconv driver clean smudge process helper " +
		"external uploadpack receivepack diff-filter invoke pre-invoke post-invoke pre-install-pkgs runner linker " +
		"wrapper rsh ssh browser"
	for part := range strings.FieldsFuncSeq(key, func(r rune) bool { return strings.ContainsRune(".: \t", r) }) {
		name := kebab(part)
		switch lower := strings.ToLower(part); {
		case lower == "remotecommand":
			return 0 // on the other machine
		case endsWithAny(lower, "path", "dir", "file", "name", "files"):
			return 0
		case lower == "args":
			return keyOfArguments
		case shell.Among(runs, name), shell.Among(runs, lower), actOfName(name) == Executes,
			endsWithAny(lower, "cmd", "command", "program", "hook", "filter"):
			return keyOfList
		}
	}
	return 0
}

// Obey returns what a text makes the program do that reads it as its program, script or configuration, as far as the
// text is spelled; nil where the program reads none.
func (c *Invocation) Obey(text *shell.Word) *Facts {
	if c.Cmd == nil {
		return nil
	}
	d := NewInvocation(c.Argv, c.Began, c.Home)
	name := c.TableName(ProgramName(c.Argv))
	switch rare := c.Cmd.Rare(); {
	case rare.Language != nil:
		d.Speaks("", text)
	case rare.Stdin != nil && rare.Stdin.Like != "" && text.Known:
		option := shell.Literal(c.Dashed(rare.Stdin.Like), &c.Argv[0])
		return &Describe([]shell.Word{c.Argv[0], option, *text}, c.Began, c.Home).Facts
	case rare.Stdin != nil:
		d.ProgramText(ProgramName(c.Argv), text)
	case IsShell(name), shell.Among(". source at batch", name):
		d.within(Inner{Kind: InnerText, Via: ProgramName(c.Argv), Text: *text})
	default:
		language := code.Of(name)
		if b := c.build(); b != nil {
			language = b.Lang
		}
		if d.program(ProgramName(c.Argv), language, text); language == code.Go && len(c.Argv) > 1 && c.Argv[1].Text == "generate" {
			for line := range strings.SplitSeq(text.Text, "\n") {
				if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
					d.scan("go:generate", command, text)
				}
			}
		}
	}
	return &d.Facts
}

// Scripted are the words of a call that name a file which the program reads as a script, where its row says that it
// reads scripts: values of options, operands, and files that a command in a word loads (.read FILE).
func (c *Invocation) Scripted() (files []shell.Word) {
	rare, name := c.Cmd.Rare(), c.TableName(ProgramName(c.Argv))
	if rare.Language == nil && rare.Stdin == nil && !IsShell(name) && name != "at" {
		return nil
	}
	for _, w := range c.OwnFiles() {
		files = append(files, *w)
	}
	switch {
	case rare.Files != "":
		return files
	case IsShell(name):
		return startFiles(c.Argv)
	}
	for u := range c.options() {
		if u.Given {
			files = append(files, loaded(u.Value))
		}
	}
	for _, w := range c.operands() {
		files = append(files, loaded(*w))
	}
	return files
}

// startFiles are those that options of a shell name to be read first: its grammar lists no options.
func startFiles(argv []shell.Word) (files []shell.Word) {
	for i := 1; i < len(argv); i++ {
		option, value, given := strings.Cut(argv[i].Text, "=")
		switch {
		case !shell.Among("--rcfile --init-file", option):
		case given:
			files = append(files, shell.Suffix(&argv[i], len(argv[i].Text)-len(value)))
		case i+1 < len(argv):
			files = append(files, argv[i+1])
		}
	}
	return files
}

// loaded is the file that a word names, or that a command in it loads.
func loaded(w shell.Word) shell.Word {
	for _, prefix := range [...]string{".read ", `\i `, "source ", `\. `, "so "} {
		if strings.HasPrefix(w.Text, prefix) {
			return shell.Suffix(&w, len(prefix))
		}
	}
	return w
}

// A build is what programs run of a project's files that no word of theirs names.
type build struct {
	programs, names string
	code.Lang
	verbs string // the first operand of calls that run any of it; "" for any
	not   string // words of calls that run none of it
}

var builds = [...]build{
	{"cargo", "*.rs", code.Rust, "run r test t bench build b install", ""}, {"rust-script", "*.rs", code.Rust, "", ""},
	{"go", "*.go", code.Go, "run test generate", "-c"}, {"cmake ctest", "CMakeLists.txt *.cmake", code.CMake, "", "-E -N"},
	{"pip", "*.py", code.Python, "install wheel", ""}, {"uv poetry pdm hatch coverage", "*.py", code.Python, "run build test", ""},
	{"python", "*.py", code.Python, "", "py_compile compileall json.tool venv pip http.server timeit"}, {"pytest tox nox", "*.py", code.Python, "", "--collect-only"},
	{"npm pnpm yarn bun", scriptNames, code.JavaScript, "test t tst run run-script start exec x", ""}, {"node", scriptNames, code.JavaScript, "", "--check -c"},
	{"jest vitest tsx ts-node deno mocha", scriptNames, code.JavaScript, "", "check fmt lint --listTests"},
	{"bundle", rubyNames, code.Ruby, "exec", ""}, {"gem", rubyNames, code.Ruby, "install build", ""}, {"rake rspec rails", rubyNames, code.Ruby, "", "-T --tasks -n"},
	{"composer", "*.php", code.PHP, "run run-script exec test", ""}, {"phpunit artisan", "*.php", code.PHP, "", ""},
	{"gcc g++ cc c++ clang clang++ tcc", "*.c *.cc *.cpp", code.C, "", "-c -S -E -fsyntax-only"}, {"gradle gradlew", "*.gradle *.kts", code.JVM, "", "tasks dependencies"},
	{"mix", "*.ex *.exs", code.Elixir, "test run compile", ""}, {"prove", "*.pl *.pm *.t", code.Perl, "", ""},
}

const scriptNames, rubyNames = "*.js *.mjs *.cjs *.ts *.mts", "*.rb Rakefile Gemfile *.gemspec"

// Builds are the names of files, as patterns, that a call runs of a project without being told; "" for none.
func (c *Invocation) Builds() string {
	b := c.build()
	if b == nil {
		return ""
	}
	verbs := c.verbs()
	looks := func(w shell.Word) bool { return shell.Among("--version -V --help -h version help "+b.not, w.Text) }
	runs := b.verbs == "" || len(verbs) > 0 && shell.Among(b.verbs, c.Argv[verbs[0]].Text)
	if !runs || slices.ContainsFunc(c.Argv[1:], looks) {
		return ""
	}
	return b.names
}

func (c *Invocation) build() *build {
	name := c.TableName(ProgramName(c.Argv))
	i := slices.IndexFunc(builds[:], func(b build) bool { return shell.Among(b.programs, name) })
	if i < 0 {
		return nil
	}
	return &builds[i]
}

// gitConfig is a configuration of git: [section "name"], and keys with values, one on each line (git-config(1)).
func gitConfig(c *Invocation, text *shell.Word) {
	section := ""
	for line := range strings.SplitSeq(text.Text, "\n") {
		line = strings.TrimSpace(line)
		if head, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(head, "[") {
			name, sub, _ := strings.Cut(head[1:], " ")
			section, line = strings.Join(strings.Fields(name+" "+strings.Trim(sub, ` "`)), "."), strings.TrimSpace(rest)
		}
		if key, value, ok := strings.Cut(line, "="); ok && section != "" {
			c.set("", section+"."+strings.TrimSpace(key), outsideQuotes(strings.TrimSpace(value)), text)
		}
	}
}

// crontabText is a table of cron: five fields, or one that starts with @, and a command (crontab(5)).
func crontabText(c *Invocation, text *shell.Word) {
	for line := range strings.SplitSeq(text.Text, "\n") {
		fields := 5
		if strings.HasPrefix(line, "@") {
			fields = 1
		}
		rest := strings.TrimSpace(line)
		for range fields {
			_, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " ")
		}
		c.scan("", rest, text)
	}
}

// rubyText is a program of Ruby.
func rubyText(c *Invocation, text *shell.Word) { c.program(ProgramName(c.Argv), code.Ruby, text) }
