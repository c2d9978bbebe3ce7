package bashsafety

import "strings"

// devCommands build, test and publish.
var devCommands = []Command{
	{
		Names:  []string{"cargo"},
		Title:  "builds Rust",
		Flags:  "-qv quiet verbose locked offline frozen list version help",
		Values: "-ZC color explain",
		Opts:   []Opt{{"config", HasArg, Unsafe}},
		Style:  StopAtOperand,
		more:   cargoMore,
		Examples: []Example{
			{"cargo clippy --all-targets -- -D warnings", ""},
			{"cargo --config build.rustc-wrapper=x build", "narrow"},
			{"cargo build --config=x", "narrow"},
			{"cargo +nightly test", ""},
			{"cargo watch -x test -s 'rm x'", "cargo watch>'rm x'"},
		},
	},
	{
		Names: []string{"cc", "gcc", "g++", "c++", "clang", "clang++"}, Title: "compiles C", Style: NoOptions, more: compilerMore,
		Examples: []Example{
			{"gcc -O2 -o out a.c", "write:out read:a.c"},
			{"gcc -fplugin=./x.so a.c", "narrow read:a.c"},
			{"gcc -wrapper x a.c", "narrow read:x read:a.c"},
		},
	},
	{
		Names: []string{"markdownlint", "buf"},
		Title: "checks or tests code", Flags: "-qv", Examples: []Example{{"buf lint", ""}},
	},
	{
		Names: []string{"eslint", "stylelint", "prettier", "rustfmt", "dprint"}, Silent: "w write fix l check list-different", Loud: "f format formatter custom-formatter debug", InPlace: true, Title: "checks and formats code",
		Flags: "-qlcd quiet check list-different fix cache color no-color debug", Values: "-ip ext rule ignore-pattern max-warnings log-level",
		Opts: []Opt{{"-w write", NoArg, WritesInPlace}, {"-o output-file", HasArg, WritesValue}, {"config config-basedir resolve-plugins-relative-to", HasArg, LoadsValue}, {"plugin plugin-search-dir rulesdir", HasArg, Unsafe},
			{"-f format formatter parser custom-syntax custom-formatter", HasArg, 0}}, Operands: Words, more: linterMore,
		Examples: []Example{{"eslint --fix src", "write:src/**"}, {"prettier --write a.ts ~/.bashrc", "write:a.ts/** write:/home/u/.bashrc/**"}, {"prettier --check .", ""}, {"eslint -o .envrc src", "write:.envrc narrow"},
			{"eslint -c eslint.ci.js src", "load:eslint.ci.js"}, {"eslint --config=/tmp/x.js src", "load:/tmp/x.js"}, {"eslint --rulesdir r src", "narrow"}, {"prettier --plugin prettier-plugin-x .", "narrow"},
			{"prettier -c a", ""}, {"prettier --plugin ./x .", "narrow"}, {"eslint --config \"$x\" a", "load:?"},
		},
	},
	{
		Names: []string{"make", "gmake"}, Full: true, Title: "builds a project",
		scripts: &scriptRunner{Name: "make", File: "f file makefile", None: "n just-print dry-run recon q question t touch h help v version", words: namedScripts},
		Flags: "-bBdeikLmnpqrRsStvw always-make debug environment-overrides ignore-errors keep-going no-keep-going just-print dry-run recon " +
			"print-data-base question no-builtin-rules no-builtin-variables silent quiet no-silent touch trace version print-directory " +
			"no-print-directory warn-undefined-variables check-symlink-times help stop",
		Values:    "-oW old-file assume-old assume-new what-if new-file",
		OptValues: "-jlO jobs load-average max-load output-sync shuffle",
		Opts: []Opt{
			{"-f file makefile", HasArg, Unsafe}, {"-C directory", HasArg, WorkDir}, {"eval", HasArg, Executes}, {"-IE include-dir", HasArg, Unsafe},
		},
		more: makeMore, Tells: "--version -v --help -h",
		Examples: []Example{
			{"make -j4 build", ""}, {"make --version", "ro"}, {"make -v x", ""},
			{"make -C src all", ""},
			{"make --eval='x:;id' x", "narrow make --eval>>'x:;id'"},
			{"make --ev='x:;id' x", "narrow make --eval>>'x:;id'"},
			{"make -f x.mk", "narrow read:x.mk"},
			{"make SHELL=/tmp/x a", "narrow"},
			{"make V=1 a", ""},
			{"make 'A=$(shell id)'", "narrow"},
			{"make .SHELLFLAGS=x", "narrow"},
		},
	},
	{
		Names: []string{
			"bundle", "bundler", "composer",
			"choco", "winget", "asdf", "nvm",
		},
		Title:    "installs packages, and runs commands with them",
		Style:    StopAtOperand,
		more:     verbMore,
		Flags:    "-qvyU",
		Opts:     []Opt{{"-o option config-file", HasArg, Unsafe}},
		Examples: []Example{{"bundle exec --x rm y", "bundle>>--x rm y bundle>>rm y"}},
	},
	{
		Names:    []string{"rustc"},
		Title:    "compiles Rust",
		Style:    NoOptions,
		more:     compilerMore,
		Examples: []Example{{"rustc -C linker=./x a.rs", "narrow read:a.rs"}},
	},
}

// cargoMore: cargo takes --config anywhere, and -- ends its options.
func cargoMore(c *call) {
	if c.literalOperand(0) == "watch" { // cargo watch -s TEXT
		for n, rest := 0, c.rest(1); n+1 < len(rest); n++ {
			if t := rest[n].Text; rest[n].Known && (t == "-s" || t == "--shell") {
				c.runs(inner{kind: innerText, via: "cargo watch", text: rest[n+1]})
			}
		}
	}
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if w.Known && w.Text == "--" {
			for k := range c.argv[i+2:] {
				if c.literalOperand(0) == "rustc" && strings.Contains(c.argv[i+2+k].Text, "linker") {
					c.narrow("-C linker= names a program")
				}
			}
			return
		}
		if t := literalPrefix(w); t == "--config" || strings.HasPrefix(t, "--config=") {
			if len(c.d.narrow) == 0 {
				c.narrow("--config can name programs cargo runs")
			}
		}
	}
	if name := c.literalOperand(0); name == "run" || name == "install" {
		c.d.readOnly = false
	}
}

// compilerMore reads -o and the options that load code or name programs.
func compilerMore(c *call) {
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		switch t := literalPrefix(w); {
		case t == "-o" && i+1 < len(c.argv):
			i++
			c.write(&c.argv[i])
		case strings.HasPrefix(t, "-o") && len(t) > 2 && c.cmd.Names[0] != "rustc":
			v := suffix(w, 2)
			c.write(&v)
		case strings.HasPrefix(t, "-fplugin"), strings.HasPrefix(t, "-fpass-plugin"), t == "-load", strings.HasPrefix(t, "-B"), t == "-wrapper", t == "-specs", strings.HasPrefix(t, "-specs="), strings.HasPrefix(t, "--specs"), strings.HasPrefix(t, "-Wl,") && strings.Contains(t, "plugin"), strings.HasPrefix(t, "-iplugindir"),
			strings.HasPrefix(t, "--ld-path"), strings.HasPrefix(t, "--gcc-toolchain"), strings.HasPrefix(t, "-Clinker"), strings.HasPrefix(t, "--codegen"), strings.HasPrefix(t, "-fuse-ld"), strings.HasPrefix(t, "@"), t == "-Xclang", strings.HasPrefix(t, "--config"):
			c.narrow(t + " can run another program")
		case (t == "-MF" || t == "-dumpdir" || t == "--out-dir") && i+1 < len(c.argv):
			i++
			c.write(&c.argv[i])
		case t == "-C" && i+1 < len(c.argv):
			i++
			if strings.Contains(c.argv[i].Text, "linker") || !c.argv[i].Known {
				c.narrow("-C can run another program")
			}
		case !strings.HasPrefix(t, "-") && !(t == "" && !w.Known):
			c.read(w)
		}
	}
}

// makeMore looks at variables set on the command line.
func makeMore(c *call) {
	if o := c.option("f", "file", "makefile"); o != nil {
		c.readValue(&o.value)
	}
	for _, i := range c.operands {
		w := &c.argv[i]
		name, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		switch name = strings.TrimRight(name, ":?+! "); name {
		case "SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKEFILES", "MAKE", "GNUMAKEFLAGS":
			c.narrow(name + "= changes what runs the recipes")
		default:
			if strings.Contains(value, "$(") || strings.Contains(value, "`") || strings.Contains(value, "${") || strings.HasSuffix(w.Text[:len(w.Text)-len(value)-1], "!") {
				c.narrow("the value of " + name + " is evaluated by make")
			}
		}
	}
}

// formatterMore rewrites its operands unless it only checks.
func formatterMore(c *call) {
	c.recursive = true
	c.inPlace = !c.has("check", "check-only", "c", "diff", "d", "version", "help")
	c.readOperands(c.operands)
}

// linterMore rewrites its operands when told to fix or write.
func linterMore(c *call) {
	c.modules("f", "format", "formatter", "parser", "custom-syntax", "custom-formatter")
	if o := c.option("c"); o != nil && programName(c.argv) == "eslint" { // of the others it is --check
		c.loadValue(o)
	}
	if !c.inPlace && !c.has("fix") {
		return
	}
	c.recursive = true
	ops := c.operands
	switch c.literalOperand(0) {
	case "check", "format", "lint", "ci":
		ops = ops[1:]
	}
	for _, i := range ops {
		c.write(&c.argv[i])
	}
}
