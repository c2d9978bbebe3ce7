package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// linterFlags, linterValues, linterOpts and linterForms are shared by
// the programs that check and format code.
const (
	linterFlags  = "-qlcd quiet check list-different fix cache color no-color debug"
	linterValues = "-ip ext rule ignore-pattern max-warnings log-level"
)

var linterOpts = []Opt{
	{"-w write", NoArg, WritesInPlace}, {"-o output-file", HasArg, WritesValue},
	{"config config-basedir resolve-plugins-relative-to", HasArg, LoadsValue}, {"plugin plugin-search-dir rulesdir", HasArg, Unsafe},
	{"-f format formatter parser custom-syntax custom-formatter", HasArg, 0},
}

var linterForms = []Form{
	{"-w|--write|--fix|-l|--check|--list-different !-f|--format|--formatter|--custom-formatter|--debug", Hides, ""},
	{"=dprint", Unbinds, ""}, // it installs what it runs
	{"-w|--write|--fix DIR...", Writes, ""},
	{"-f|--format|--formatter|--parser|--custom-syntax|--custom-formatter=TEXT:" + byPath, Narrows, optionLoadsCode},
}

// devCommands build, test and publish.
var devCommands = []Command{
	{
		Names: "cargo", Forms: []Form{{"build|b|check|c|clippy|test|t|run|r|bench|doc|fmt", Binds, ""}}, Special: &Special{Losses: []Loss{
			{Of: OfRegistry, Values: "-p registry index token vers version manifest-path", Verbs: []string{"yank !--undo", "+* yank !--undo", "owner --remove|-r"}},
		}, Project: &Running{By: RunsHere, Named: true, Not: "--open --out-dir --artifact-dir"}}, Title: "builds Rust", Flags: "-qv quiet verbose locked offline frozen list version help",
		Values: "-ZC color explain", Opts: []Opt{{"config", HasArg, SetsKey}}, Style: StopAtOperand, refine: refineCargo,
	},
	{Names: "cc gcc g++ c++ c89 c99 clang clang++", InfoFlags: "--version --help", Title: "compiles C", Style: NoOptions, refine: func(c *Invocation) { c.compiles(true) }},
	{Names: "markdownlint buf", Title: "checks or tests code", Flags: "-qv"},
	{
		Names: "eslint", Parser: EveryLetter, Special: &Special{Project: &Running{By: RunsHere}}, Title: "checks and formats code", InPlace: true,
		Flags: linterFlags, Values: linterValues, Opts: linterOpts, Forms: linterForms, refine: refineEslint,
	},
	{
		Names: "stylelint prettier rustfmt dprint", Parser: EveryLetter, Special: &Special{Project: &Running{By: RunsHere}}, Title: "checks and formats code",
		InPlace: true, Flags: linterFlags, Values: linterValues, Opts: linterOpts, Forms: linterForms,
	},
	{
		Names: "make gmake", AllOptionsListed: true, Title: "builds a project",
		Special: &Special{Project: &Running{By: RunsHere, Named: true}, Language: (*Invocation).makefileText, Files: "-f file makefile", Scripts: &ScriptRunner{Name: "make", File: "f file makefile", None: "n just-print dry-run recon q question t touch h help v version", words: namedScripts}},
		Flags: "-bBdeikLmnpqrRsStvw always-make debug environment-overrides ignore-errors keep-going no-keep-going just-print dry-run " +
			"recon print-data-base question no-builtin-rules no-builtin-variables silent quiet no-silent touch trace version " +
			"print-directory no-print-directory warn-undefined-variables check-symlink-times help stop",
		Values: "-oW old-file assume-old assume-new what-if new-file", OptValues: "-jlO jobs load-average max-load output-sync shuffle",
		Opts: []Opt{
			{"-f file makefile", HasArg, Unsafe}, {"-C directory", HasArg, WorkDir}, {"-E eval", HasArg, ObeysValue}, {"-I include-dir", HasArg, Unsafe},
		},
		Forms: []Form{{"-f|--file|--makefile=FILE", Reads, ""}}, refine: refineMake, InfoFlags: "--version -v --help -h",
	},
	{
		Names: "choco winget",
		Title: "installs packages, and runs commands with them", Style: StopAtOperand, refine: refineVerb, Flags: "-qvyU",
		Opts: []Opt{{"-o option config-file", HasArg, Unsafe}},
	},
	{
		Names: "composer", Title: "installs packages, and runs commands with them", Style: StopAtOperand, refine: refineEnvironment,
		Flags: "-qvnh quiet verbose no-interaction no-plugins no-scripts no-cache ansi no-ansi profile help", Opts: []Opt{{"-d working-dir", HasArg, WorkDir}},
		Special: &Special{Environments: []Environment{{Command: Command{Names: "exec global-exec", Flags: "-l list"}}}},
	},
	{
		Names: "bundle bundler asdf", Title: "installs packages, and runs commands with them", Style: StopAtOperand, refine: refineEnvironment, Flags: "-qvyU",
		Opts:    []Opt{{"-o option config-file", HasArg, Unsafe}},
		Special: &Special{Environments: []Environment{{Command: Command{Names: "exec e", Flags: "keep-file-descriptors no-keep-file-descriptors", Opts: []Opt{{"gemfile", HasArg, Unsafe}}}}, {Skip: 1, Command: Command{Names: "env"}}}},
	},
	{Names: "rustc", Parser: ArgFiles, Title: "compiles Rust", Style: NoOptions, refine: func(c *Invocation) { c.compiles(false) }},
}

// refineCargo: cargo takes --config anywhere, and -- ends its options.
func refineCargo(c *Invocation) {
	at := 0
	if strings.HasPrefix(c.LiteralOperand(0), "+") { // the toolchain
		at = 1
	}
	verb := c.LiteralOperand(at)
	c.laterHoles(c.rest(1))
	switch verb {
	case "watch":
		i := slices.IndexFunc(watchCommands, func(m Command) bool { return m.Is("cargo-watch") })
		c.cargoWatch(new(parseArgs(c.Argv, c.Operands[at]+1, StopAtOperand, []*Command{&watchCommands[i]})))
	}
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		if w.Known && w.Text == "--" {
			if verb == "rustc" {
				c.namesLinker(c.Argv[i+2:])
			}
			return
		}
		t := shell.LiteralPrefix(w)
		if len(c.Facts.Narrow) == 0 && (t == "--config" || strings.HasPrefix(t, "--config=")) {
			c.Narrow("--config can name programs cargo runs")
		}
	}
}

func (c *Invocation) namesLinker(words []shell.Word) {
	for i := range words {
		if strings.Contains(words[i].Text, "linker") {
			c.Narrow("-C linker= names a program")
		}
	}
}

// refineEslint: -c is a configuration.
func refineEslint(c *Invocation) {
	if o := c.Option("c"); o != nil {
		c.loadValue(o)
	}
}

// compiles reads the words of a compiler: outputs, and options that load code or name programs. With attached -oFILE is
// one of them, which is no output to rustc.
func (c *Invocation) compiles(attached bool) {
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		t := shell.LiteralPrefix(w)
		switch {
		case shell.Among("-o --output -MF -dumpdir --out-dir -C", t):
			i++
			c.compilerValue(t, i)
		case attached && strings.HasPrefix(t, "-o"):
			c.write(new(shell.Suffix(w, len("-o"))))
		case compilerRuns(t):
			c.Narrow(t + " can run another program")
		case !strings.HasPrefix(t, "-") && (t != "" || w.Known):
			c.read(w)
		}
	}
}

// compilerValue reads the word after such an option: code generator settings, else an output.
func (c *Invocation) compilerValue(option string, i int) {
	if i == len(c.Argv) {
		return
	}
	if w := &c.Argv[i]; option != "-C" {
		c.write(w)
	} else if !w.Known || strings.Contains(w.Text, "linker") {
		c.Narrow("-C can run another program")
	}
}

// compilerRuns reports an option of a compiler that names a program or loads code.
func compilerRuns(t string) bool {
	switch t {
	case "-load", "-wrapper", "-specs", "-Xclang":
		return true
	}
	if strings.HasPrefix(t, "-Wl,") && strings.Contains(t, "plugin") {
		return true
	}
	return shell.StartsWithAny(t, "-fplugin", "-fpass-plugin", "-B", "-specs=", "--specs", "-iplugindir", "--ld-path",
		"--gcc-toolchain", "-Clinker", "--codegen", "-fuse-ld", "@", "--config")
}

// refineMake looks at variables set on the command line.
func refineMake(c *Invocation) {
	for _, w := range c.operands() {
		set, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		name := strings.TrimRight(set, ":?+! ")
		if v, _ := variableOf(name); v != nil && (v.Does == Executes || v.Does == RunsName) {
			c.scan(name, value, w)
		}
		switch name {
		case "SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKEFILES", "MAKE", "GNUMAKEFLAGS":
			c.Narrow(name + "= changes what runs the recipes")
		default:
			if shell.ContainsAny(value, "$(", "`", "${") || strings.HasSuffix(set, "!") {
				c.Narrow("the value of " + name + " is evaluated by make")
				c.makefileText(w)
			}
		}
	}
}
