package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// bundles and the rest are shared by the programs that bundle web pages.
const (
	bundles       = "translates and bundles sources of web pages"
	bundlerFlags  = "-wm merge watch bundle minify sourcemap serve version help"
	bundlerValues = "format platform target loader external mode env"
)

var bundlerOpts = []Opt{
	{"-do outfile outdir out-file out-dir output-path metafile output dir", OptArg, 0}, {"-r require", HasArg, 0},
	{"-p plugin plugins presets configPlugin use", OptArg, 0}, {"-c config config-file", OptArg, LoadsValue},
}

const languageFlags = "-hqs version help slave vanilla"

var languageOpts = []Opt{{"-ecgrfI eval execute load script require", HasArg, Unsafe}}

// generateCommands translate sources into other files, or check them.
var generateCommands = []Command{
	{
		Names: "swc babel rollup webpack sass lessc postcss", Parser: EveryLetter, Title: bundles,
		Flags: bundlerFlags, Values: bundlerValues, Opts: bundlerOpts, refine: refineBundler,
	},
	{
		Names: "esbuild parcel", Title: bundles,
		Flags: bundlerFlags, Values: bundlerValues, Opts: bundlerOpts, Forms: []Form{{"--config", Narrows, "--config loads code"}}, refine: refineBundler,
	},
	{
		Names: "vite", Parser: EveryLetter, Title: "bundles sources of web pages", Flags: "-wdh watch debug help version force open strictPort emptyOutDir cors clearScreen", Values: "-mlf mode logLevel filter base port target",
		Opts: []Opt{{"-c config", HasArg, LoadsValue}, {"outDir", HasArg, Writes}},
	},
	{
		Names: "stringer swig as ocamlc ocamlopt ocamlfind", Parser: ArgFiles, Title: "generates files", Style: SingleDash, Values: "type source package f I",
		Opts: []Opt{{"output destination o write_package_comment external-runtime oh", HasArg, Writes}, {"exec_only prog_only pp ppx", HasArg, Executes}},
	},
	{
		Names: "ctags etags gtags cscope", Title: "generates an index of names", Flags: "-aBexRVbqkdLu recurse append version help",
		Values: "-hIlnN languages exclude extras fields kinds", Opts: []Opt{{"-fo", HasArg, Writes}, {"options", HasArg, Reads}},
		Operands: Reads,
	},
	{
		Names: "ghc ghci runghc stack cabal", Parser: ArgFiles | Permutes, Title: "compiles and runs Haskell", Style: SingleDash | StopAtOperand,
		Flags: "version help O O2 Wall threaded", Values: "i package",
		Opts: []Opt{{"o", HasArg, Writes}, {"e", HasArg, ObeysValue}, {"F pgmF pgmL pgmP pgmc pgml pgma", OptArg, RunsName}, {"fplugin package-db", OptArg, Unsafe}, {"stack-yaml config-file with-compiler", HasArg, Unsafe}}, refine: func(c *Invocation) { refineCodeOptions(c); c.environment() },
		Special: &Special{Environments: []Environment{{Command: Command{Names: "exec run", Flags: "no-ghc-package-path no-stack-exe cwd"}}},
			Stdin: &StdinProgram{Only: "ghci", Unless: "version help", Operands: NoLimit}},
	},
	{
		Names: "gnuplot R maxima erl", // their scripts get no options
		Title: "runs a script of its own language", Flags: languageFlags, Opts: languageOpts, Style: StopAtOperand, Parser: Permutes, Operands: Scripts, refine: refineCodeOptions,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help"}},
	},
	{
		Names: "octave matlab swipl scala kotlin jshell jrunscript clojure bb racket sbcl escript iex ocaml crystal",
		Title: "runs a script of its own language", Flags: languageFlags, Opts: languageOpts, Style: StopAtOperand, Operands: Scripts, refine: refineCodeOptions,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help"}},
	},
	{
		Names: "rubocop psalm phpstan phpcs phpcbf php-cs-fixer semgrep brakeman tslint", InPlace: true, Title: "checks code",
		Flags: "-lvqx version help quiet no-progress parallel debug verbose", Values: "format only except level severity standard extensions memory-limit min-severity",
		Opts: []Opt{
			{"-aA autocorrect autocorrect-all auto-correct auto-correct-all autofix fix", NoArg, WritesInPlace},
			{"-r require plugin bootstrap autoload-file", HasArg, 0}, {"-c config configuration", HasArg, LoadsValue}, {"-o out output report-file report json-output", HasArg, Writes},
		},
		Operands: Reads, Forms: []Form{{"-r|--require|--plugin|--bootstrap|--autoload-file=TEXT:" + byPath, Narrows, optionLoadsCode}},
	},
	{
		Names: "scons gulp grunt invoke inv fab doit", Title: "runs tasks of a build file", Flags: "-lqkcnhv list version help silent verbose",
		Values: "-jtes session tasks", Opts: []Opt{{"-fr file gulpfile gruntfile noxfile require site-dir collection search-root sconstruct makefile", HasArg, Unsafe}},
	},
	{Names: "swiftc nvcc kotlinc scalac gnatmake fpc groovyc", Parser: ArgFiles, Title: "compiles", Style: NoOptions, refine: refineOtherCompiler},
	{Names: "jar", Parser: ArgFiles, Title: "packs and unpacks Java archives", Style: NoOptions, refine: refineJar},
	{Names: "rails", Special: &Special{Credentials: []Credential{{"rails credentials:show|secrets:show", "*"}}}, Title: "runs tasks of a Rails project", Flags: "-ehv version help skip-bundle", Opts: []Opt{{"-m template", HasArg, Unsafe}, {"-r ruby", HasArg, Unsafe}}, refine: func(c *Invocation) { c.givenCode(0) }},
}

// byPath is a pattern of values that name code by its path, not an installed package.
const byPath = ".*|/*|~*|*://*"

// refineBundler: the values of these options may be separate words as well.
func refineBundler(c *Invocation) {
	for u := range c.options() {
		w := &u.Value
		if next := u.at + 1; !u.Given && next < len(c.Argv) {
			w = &c.Argv[next]
		} else if !u.Given {
			continue
		}
		switch {
		case shell.Listed("r require p plugin plugins presets configPlugin use", u.Name):
			if mayFit(byPath, w) {
				c.Narrow(c.spell(u) + " loads code")
			}
		case !strings.HasPrefix(u.Name, "o") && !shell.Listed("d metafile dir", u.Name):
		case u.Given || !strings.HasPrefix(w.Text, "-"):
			c.write(w)
		}
	}
}

// refineOtherCompiler reads sources, and narrows what loads a plugin or another program.
func refineOtherCompiler(c *Invocation) {
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		switch t := shell.LiteralPrefix(w); {
		case t == "-o" && i+1 < len(c.Argv):
			i++
			c.write(&c.Argv[i])
		case t == "-script", strings.Contains(t, "plugin"),
			shell.StartsWithAny(t, "-ccbin", "--compiler-bindir", "-optf", "--GCC=", "--configscript", "-FD"):
			c.Narrow(t + " can run another program or load code")
		case !strings.HasPrefix(t, "-") && strings.ContainsAny(t, "./"):
			c.read(w)
		}
	}
}

// refineJar is jar OPERATION ARCHIVE FILE...
func refineJar(c *Invocation) {
	op, archive := strings.TrimLeft(c.LiteralOperand(0), "-"), c.Operand(1)
	if strings.HasPrefix(op, "extract") || strings.HasPrefix(op, "x") {
		c.jarExtracts(op)
		return
	}
	if archive == nil {
		return
	}
	switch {
	case strings.HasPrefix(op, "c"), strings.HasPrefix(op, "u"):
		c.write(archive)
	default:
		c.read(archive)
	}
}
