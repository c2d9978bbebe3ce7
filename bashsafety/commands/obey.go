package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
		d.program(ProgramName(c.Argv), language, text)
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
}

var builds = [...]build{
	{"cargo rustc rust-script", "*.rs", code.Rust}, {"go", "*.go", code.Go}, {"cmake ctest", "CMakeLists.txt *.cmake", code.CMake},
	{"pip pytest python tox nox uv poetry pdm hatch coverage", "*.py", code.Python},
	{"npm pnpm yarn bun npx node jest vitest tsx ts-node deno mocha", "*.js *.mjs *.cjs *.ts *.mts", code.JavaScript},
	{"rake bundle rspec rails gem", "*.rb Rakefile Gemfile *.gemspec", code.Ruby}, {"composer phpunit artisan", "*.php", code.PHP},
	{"gcc g++ cc c++ clang clang++ tcc", "*.c *.cc *.cpp", code.C}, {"gradle gradlew", "*.gradle *.kts", code.JVM}, {"mix", "*.ex *.exs", code.Elixir},
	{"prove", "*.pl *.pm *.t", code.Perl},
}

// Builds are the names of files, as patterns, that the program runs of a project without being told; "" for none.
func (c *Invocation) Builds() string {
	if b := c.build(); b != nil {
		return b.names
	}
	return ""
}

func (c *Invocation) build() *build {
	name := c.TableName(ProgramName(c.Argv))
	i := slices.IndexFunc(builds[:], func(b build) bool { return shell.Among(b.programs, name) })
	if i < 0 {
		return nil
	}
	return &builds[i]
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
func rubyText(c *Invocation, text *shell.Word) { c.program(ProgramName(c.Argv), code.Of("ruby"), text) }
