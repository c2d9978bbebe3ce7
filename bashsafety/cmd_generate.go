package bashsafety

import "strings"

// generateCommands translate sources into other files, or check them.
var generateCommands = []Command{
	{
		Names: []string{"esbuild", "swc", "babel", "rollup", "webpack", "parcel", "sass", "lessc", "postcss"}, Title: "translates and bundles sources of web pages",
		Flags: "-w watch bundle minify sourcemap serve version help", Values: "-m format platform target loader external mode env",
		Opts: []Opt{
			{"-do outfile outdir out-file out-dir output-path metafile output dir", OptArg, 0}, {"-r require", HasArg, 0},
			{"-p plugin plugins presets configPlugin use", OptArg, 0}, {"-c config config-file", OptArg, LoadsValue},
		},
		more: bundlerMore,
		Examples: []Example{
			{"esbuild a.ts --bundle --outfile=dist/a.js", "write:dist/a.js"}, {"rollup -c", ""}, {"rollup -p ./x a", "narrow"}, {"babel --plugins ./x a", "narrow"},
			{"babel src --out-dir lib", "write:lib"}, {"webpack --mode production", ""},
			{"webpack --config webpack.prod.js", "load:webpack.prod.js"}, {"babel --config-file /tmp/x a", "load:/tmp/x"},
			{"parcel build --config ./x a", "narrow load:x"},
		},
	},
	{
		Names: []string{"vite"}, Title: "bundles sources of web pages", Flags: "-wdh watch debug help version force open strictPort emptyOutDir cors clearScreen", Values: "-mlf mode logLevel filter base port target",
		Opts:     []Opt{{"-c config", HasArg, LoadsValue}, {"outDir", HasArg, OutputsValue}},
		Examples: []Example{{"vite build", ""}, {"vite build --config vite.ci.ts", "load:vite.ci.ts"}, {"vite build -c /tmp/x.ts", "load:/tmp/x.ts"}, {"vite build --outDir .husky", "write:.husky"}},
	},
	{
		Names: []string{"stringer", "swig", "as", "ocamlc", "ocamlopt", "ocamlfind"}, Title: "generates files", Style: SingleDash, Values: "type source package f I",
		Opts:     []Opt{{"output destination o write_package_comment external-runtime oh", HasArg, OutputsValue}, {"exec_only prog_only pp ppx", HasArg, Executes}},
		Examples: []Example{{"stringer -type X", ""}, {"stringer -output .envrc -type X", "write:.envrc"}},
	},
	{
		Names: []string{"ctags", "etags", "gtags", "cscope"}, Title: "makes an index of names", Flags: "-aBexRVbqkdLu recurse append version help",
		Values: "-hIlnN languages exclude extras fields kinds", Opts: []Opt{{"-fo", HasArg, OutputsValue}, {"options", HasArg, ReadsValue}},
		Operands: Reads, Examples: []Example{{"ctags -R src", "read:src"}, {"ctags -f .bashrc a", "write:.bashrc read:a"}},
	},
	{
		Names: []string{"ghc", "ghci", "runghc", "stack", "cabal"}, Title: "compiles and runs Haskell", Style: SingleDash | StopAtOperand,
		Flags: "version help O O2 Wall threaded", Values: "i package o",
		Opts: []Opt{{"e", HasArg, Executes}, {"F pgmF pgmL pgmP pgmc pgml pgma fplugin package-db", OptArg, Unsafe}, {"stack-yaml config-file with-compiler", HasArg, Unsafe}}, more: haskellMore,
		Stdin:    &StdinProgram{Only: "ghci", Unless: "version help", Operands: NoLimit, Narrows: []string{"ghci <<< ':!id'", "ghci a.hs < x"}, Passes: []string{"ghci a.hs", "ghc a.hs < x"}},
		Examples: []Example{{"ghc --version", ""}, {"ghc -pgmF ./x a.hs", "narrow"}, {"stack exec rm x", "stack>>rm x"}, {"cabal build", ""}},
	},
	{
		Names: []string{"gnuplot", "octave", "matlab", "maxima", "R", "swipl", "scala", "kotlin", "jshell", "jrunscript", "clojure", "bb", "racket", "sbcl", "erl", "escript", "iex", "ocaml", "crystal"},
		Title: "runs a script of its own language", Flags: "-hqs version help slave vanilla", Opts: []Opt{{"-ecgrfI eval execute load script require", HasArg, Unsafe}}, Style: StopAtOperand, Operands: Scripts,
		Stdin: &StdinProgram{
			Unless:  "version help",
			Narrows: []string{"R --no-save <<< 'system(1)'", "R --vanilla < x.R", "octave <<< 'system(1)'", "gnuplot <<'E'\nsystem 'id'\nE", "echo 'plot x' | gnuplot", "erl <<< 'os:cmd(\"id\").'", "jshell - <<< x"},
			Passes:  []string{"octave x.m < a", "R --version < a", "gnuplot x.gp", "R"},
		},
		Examples: []Example{{"gnuplot -e 'system(\"id\")'", "narrow"}, {"octave x.m", "exec:x.m read:x.m"}, {"octave --version", ""}},
	},
	{
		Names: []string{"rubocop", "psalm", "phpstan", "phpcs", "phpcbf", "php-cs-fixer", "semgrep", "brakeman", "tslint"}, InPlace: true, Title: "checks code",
		Flags: "-lvqx version help quiet no-progress parallel debug verbose", Values: "format only except level severity standard extensions memory-limit min-severity",
		Opts: []Opt{
			{"-aA autocorrect autocorrect-all auto-correct auto-correct-all autofix fix", NoArg, WritesInPlace},
			{"-r require plugin bootstrap autoload-file", HasArg, 0}, {"-c config configuration", HasArg, LoadsValue}, {"-o out output report-file report json-output", HasArg, OutputsValue},
		},
		Operands: Reads, more: checkerMore,
		Examples: []Example{{"rubocop app", "read:app"}, {"rubocop -A app", "write:app"}, {"rubocop -r ./x a", "narrow read:a"}, {"rubocop -c /tmp/x.yml a", "load:/tmp/x.yml read:a"}, {"semgrep -o .envrc --severity ERROR src", "write:.envrc read:src"}},
	},
	{
		Names: []string{"scons", "gulp", "grunt", "invoke", "inv", "fab", "doit"}, Title: "runs tasks of a build file", Flags: "-lqkcnhv list version help silent verbose",
		Values: "-jtes session tasks", Opts: []Opt{{"-fr file gulpfile gruntfile noxfile require site-dir collection search-root sconstruct makefile", HasArg, Unsafe}},
		Examples: []Example{{"scons -j4", ""}, {"scons -f x", "narrow"}, {"gulp --gulpfile x a", "narrow"}},
	},
	{
		Names: []string{"swiftc", "nvcc", "kotlinc", "scalac", "gnatmake", "fpc", "groovyc"}, Title: "compiles", Style: NoOptions, more: otherCompilerMore,
		Examples: []Example{{"kotlinc a.kt -d a.jar", "read:a.kt read:a.jar"}, {"nvcc -ccbin ./x a.cu", "narrow read:x read:a.cu"}, {"scalac -Xplugin:x a.scala", "narrow read:a.scala"}},
	},
	{
		Names: []string{"jar"}, Title: "packs and unpacks Java archives", Style: NoOptions, more: jarMore,
		Examples: []Example{{"jar tf a.jar", "read:a.jar"}, {"jar xf a.jar", "read:a.jar write:./**"}, {"jar cf out.jar a", "write:out.jar"}},
	},
	{
		Names: []string{"rails"}, Title: "runs tasks of a Rails project", Flags: "-ehv version help skip-bundle", Opts: []Opt{{"-m template", HasArg, Unsafe}, {"-r ruby", HasArg, Unsafe}},
		Examples: []Example{{"rails test", ""}, {"rails new -m https://x.example/t y", "narrow"}},
	},
}

// pathLike reports whether a value names code by its path, not an installed package.
func pathLike(t string) bool {
	return strings.HasPrefix(t, ".") || strings.HasPrefix(t, "/") || strings.HasPrefix(t, "~") || strings.Contains(t, "://")
}

// modules narrows the options of the names given whose value is a path.
func (c *call) modules(names ...string) {
	for _, n := range names {
		o := c.option(n)
		if o == nil {
			continue
		}
		w := &o.value
		if !o.given && o.at+1 < len(c.argv) {
			w = &c.argv[o.at+1]
		}
		if pathLike(w.Text) || !w.Known && (o.given || o.at+1 < len(c.argv)) {
			c.narrow(c.spell(o) + " loads code")
		}
	}
}

// bundlerMore: the values of these options may stand apart as well.
func bundlerMore(c *call) {
	c.modules("r", "require", "p", "plugin", "plugins", "presets", "configPlugin", "use")
	switch name := programName(c.argv); name {
	case "parcel", "esbuild": // no file of the project's: parcel takes a package, esbuild has no such option
		if o := c.option("config"); o != nil {
			c.narrow(c.spell(o) + " of " + name + " loads code")
		}
	}
	for i := range c.opts {
		switch u := &c.opts[i]; {
		case !strings.HasPrefix(u.name, "o") && u.name != "d" && u.name != "metafile" && u.name != "dir":
		case u.given:
			c.write(&u.value)
		case u.at+1 < len(c.argv) && !strings.HasPrefix(c.argv[u.at+1].Text, "-"):
			c.write(&c.argv[u.at+1])
		}
	}
}

func checkerMore(c *call) { c.modules("r", "require", "plugin", "bootstrap", "autoload-file") }

func haskellMore(c *call) {
	if argv := c.rest(1); len(argv) > 0 && (c.literalOperand(0) == "exec" || c.literalOperand(0) == "run") {
		c.remote(inner{kind: innerArgv, via: programName(c.argv), argv: argv})
	}
}

// otherCompilerMore reads sources, and narrows what loads a plugin or another program.
func otherCompilerMore(c *call) {
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		switch t := literalPrefix(w); {
		case t == "-o" && i+1 < len(c.argv):
			i++
			c.write(&c.argv[i])
		case strings.Contains(t, "plugin"), strings.HasPrefix(t, "-ccbin"), strings.HasPrefix(t, "--compiler-bindir"), strings.HasPrefix(t, "-optf"), t == "-script",
			strings.HasPrefix(t, "--GCC="), strings.HasPrefix(t, "--configscript"), strings.HasPrefix(t, "-FD"), strings.HasPrefix(t, "@"):
			c.narrow(t + " can run another program or load code")
		case !strings.HasPrefix(t, "-") && strings.ContainsAny(t, "./"):
			c.read(w)
		}
	}
}

// jarMore is jar OPERATION ARCHIVE FILE...
func jarMore(c *call) {
	op, archive := strings.TrimPrefix(c.literalOperand(0), "-"), c.operand(1)
	if archive == nil {
		return
	}
	switch {
	case strings.HasPrefix(op, "x"):
		c.read(archive)
		c.touch(Write, c.here(), true)
	case strings.HasPrefix(op, "c"), strings.HasPrefix(op, "u"):
		c.write(archive)
	default:
		c.read(archive)
	}
}
