package bashsafety

import "strings"

// devCommands build, test and publish.
var devCommands = []Command{
	{
		Names:    []string{"bun"},
		Title:    "runs and installs JavaScript",
		Values:   "cwd config",
		Opts:     []Opt{{"-r preload require import", HasArg, Unsafe}, {"-ep eval print", HasArg, 0}, {"env-file", HasArg, ReadsValue}},
		Style:    StopAtOperand,
		more:     codeMore,
		Examples: []Example{{"bun test", ""}, {"bun run build", ""}},
	},
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
		Names: []string{
			"cmake", "ctest", "meson", "ninja", "bazel", "gradle", "gradlew", "mvn", "mvnw", "ant", "sbt", "rake", "mage", "tox", "nox",
			"pre-commit",
		},
		Title:    "builds a project",
		Style:    SingleDash,
		Flags:    "j v q",
		Examples: []Example{{"mvn -q test", ""}},
	},
	{
		Names: []string{"go"}, Title: "builds Go", Style: SingleDash, Values: "C", Subs: goSubs, Examples: []Example{{"go frob", ""}},
	},
	{
		Names:    []string{"gofmt", "goimports", "gofumpt"},
		Title:    "formats Go",
		Style:    SingleDash,
		Flags:    "d e l s extra format-only v srcdir",
		Values:   "r local lang modpath",
		Opts:     []Opt{{"w", NoArg, WritesInPlace}, {"cpuprofile memprofile trace", HasArg, WritesValue}},
		Operands: Reads,
		ReadOnly: true,
		Examples: []Example{{"gofmt -l .", "ro read:."}, {"gofmt -w a.go", "write:a.go"}, {"gofmt -r 'a -> b' x.go", "ro read:x.go"}},
	},
	{
		Names: []string{"black", "isort", "autopep8", "yapf"}, Title: "formats Python", Flags: "-qvSCr check diff quiet verbose version help fast safe", Values: "-ltp line-length target-version profile exclude include config extend-exclude",
		Opts: []Opt{{"-i in-place", NoArg, 0}}, more: formatterMore,
		Examples: []Example{{"black src", "write:src/**"}, {"black --check src", "read:src/**"}},
	},
	{
		Names: []string{"golangci-lint", "staticcheck", "mypy", "tsc", "shellcheck", "flake8", "pylint", "hadolint", "yamllint", "markdownlint", "vitest", "jest", "pytest", "mocha", "rspec", "phpunit", "ctags", "protoc", "buf"},
		Title: "checks or tests code", Flags: "-qv", Examples: []Example{{"pytest -x", ""}, {"tsc --noEmit", ""}},
	},
	{
		Names: []string{"eslint", "stylelint", "biome", "ruff", "prettier", "shfmt", "rustfmt", "dprint"}, Title: "checks and formats code",
		Flags: "-qlcd quiet check list-different fix cache color no-color debug", Values: "-ip ext config parser rule format ignore-pattern max-warnings resolve-plugins-relative-to log-level",
		Opts: []Opt{{"-w write", NoArg, WritesInPlace}, {"-o output-file", HasArg, WritesValue}, {"plugin plugin-search-dir rulesdir", HasArg, Unsafe}}, Operands: Words, more: linterMore,
		Examples: []Example{{"eslint --fix src", "write:src/**"}, {"prettier --write a.ts ~/.bashrc", "write:a.ts/** write:/home/u/.bashrc/**"}, {"prettier --check .", ""}, {"shfmt -w x.sh", "write:x.sh/**"}, {"ruff check src", ""}, {"eslint -o .envrc src", "write:.envrc narrow"}},
	},
	{
		Names: []string{"make", "gmake"}, Full: true, Title: "builds a project",
		Flags: "-bBdeikLmnpqrRsStvw always-make debug environment-overrides ignore-errors keep-going no-keep-going just-print dry-run recon " +
			"print-data-base question no-builtin-rules no-builtin-variables silent quiet no-silent touch trace version print-directory " +
			"no-print-directory warn-undefined-variables check-symlink-times help stop",
		Values:    "-oW old-file assume-old assume-new what-if new-file",
		OptValues: "-jlO jobs load-average max-load output-sync shuffle",
		Opts: []Opt{
			{"-f file makefile", HasArg, Unsafe}, {"-C directory", HasArg, WorkDir}, {"eval", HasArg, Executes}, {"-IE include-dir", HasArg, Unsafe},
		},
		more: makeMore,
		Examples: []Example{
			{"make -j4 build", ""},
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
		Names: []string{"npm", "pnpm", "yarn", "npx", "pnpx", "bunx", "corepack"}, Title: "runs and installs JavaScript packages",
		Flags: "-DEgOPSqsdwyBFr save-dev save-exact global silent quiet json long parseable production ignore-scripts legacy-peer-deps no-audit " +
			"no-fund force workspaces if-present yes no-save frozen-lockfile immutable offline prefer-offline recursive parallel stream help " +
			"version audit fund verbose all dry-run package-lock-only no-progress",
		Values: "-CWL cache loglevel depth omit include tag otp scope workspace filter reporter cwd access location fetch-timeout before",
		Opts: []Opt{
			{"script-shell shell", HasArg, Executes},
			{
				"node-options userconfig globalconfig git editor viewer browser registry init-module node-gyp scripts-prepend-node-path onload-script require",
				HasArg, Unsafe,
			},
			{"prefix", HasArg, 0}, {"-c call", HasArg, 0}, {"-p package", HasArg, 0},
		},
		more: npmMore,
		Examples: []Example{
			{"npm test", ""},
			{"npm run test --script-shell=/tmp/e", "narrow npm --script-shell>>'/tmp/e'"},
			{"npm run test -- --script-shell x", ""},
			{"npm ls --depth 0", "ro"},
			{"npx -c 'rm x'", "npx -c>'rm x'"},
			{"pnpm config set script-shell x", "narrow"},
			{"yarn exec rm x", "yarn>>rm x"},
			{"npm --scri /tmp/e run x", "narrow npm --script-shell>>'/tmp/e'"},
		},
	},
	{
		Names: []string{
			"pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "conda", "mamba", "gem", "bundle", "bundler", "composer", "apt", "apt-get", "dnf", "yum",
			"apk", "pacman", "snap", "choco", "winget", "asdf", "rustup", "nvm",
		},
		Title:    "installs packages, and runs commands with them",
		Style:    StopAtOperand,
		more:     verbMore,
		Flags:    "-qvyU",
		Opts:     []Opt{{"-o option config-file", HasArg, Unsafe}},
		Examples: []Example{{"pip install x", ""}, {"uv run rm x", "uv>>rm x"}, {"bundle exec --x rm y", "bundle>>--x rm y bundle>>rm y"}, {"apt-get -o APT::Update::Pre-Invoke::=id update", "narrow"}},
	},
	{
		Names:    []string{"rustc"},
		Title:    "compiles Rust",
		Style:    NoOptions,
		more:     compilerMore,
		Examples: []Example{{"rustc -C linker=./x a.rs", "narrow read:a.rs"}},
	},
}

var goSubs = []Command{
	{Names: []string{"build", "install", "run", "test", "vet", "list", "generate", "get", "fix", "bench"},
		Flags: "a n x v race msan asan cover short json failfast benchmem i trimpath modcacherw e m deps compiled export find test u t d s w work " +
			"linkshared buildvcs c cgo fullpath artifacts retracted versions reuse",
		Values: "p mod tags run skip bench benchtime count cpu list parallel timeout covermode coverpkg shuffle fuzz fuzztime fuzzminimizetime " +
			"asmflags buildmode compiler gccgoflags gcflags installsuffix ldflags pkgdir pgo vet f blockprofilerate memprofilerate " +
			"mutexprofilefraction",
		Opts: []Opt{{"exec toolexec vettool", HasArg, Executes}, {"overlay modfile", HasArg, Unsafe}, {"C", HasArg, WorkDir},
			{"o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir", HasArg, OutputsValue}},
		more: goMore,
		Examples: []Example{
			{"go test ./...", ""},
			{"go test -exec 'bash -c id' ./...", "narrow go -exec>>'bash -c id'"},
			{"go build -toolexec=x .", "narrow go -toolexec>>'x'"},
			{"go vet --vettool x", "narrow go -vettool>>'x'"},
			{"go build -o bin/x .", "write:bin/x"},
			{"go test -run TestX -coverprofile c.out", "write:c.out"},
			{"go -C d test", ""}, {"go build -ldflags '-X a=b' .", ""}, {"go build -ldflags=-extld=./x .", "narrow"}, {`go test "$x"`, "narrow"},
		}},
	{
		Names:    []string{"version", "doc", "help"},
		ReadOnly: true,
		Flags:    "all c cmd short src u m v json http",
		Examples: []Example{{"go version", "ro"}, {"go doc fmt.Print", "ro"}},
	},
	{
		Names:    []string{"env"},
		ReadOnly: true,
		Flags:    "json changed",
		Opts:     []Opt{{"w u", NoArg, Unsafe}},
		Examples: []Example{{"go env GOPATH", "ro"}, {"go env -w GOFLAGS=x", "narrow"}},
	},
	{Names: []string{"fmt", "clean", "mod", "work", "tool", "bug", "telemetry"}, Flags: "n x v", Examples: []Example{{"go mod tidy", ""}}},
}

// goMore: linker and compiler flags that name another program.
func goMore(c *call) {
	for _, name := range [...]string{"ldflags", "gcflags", "asmflags", "gccgoflags"} {
		if o := c.option(name); o != nil {
			for _, bad := range [...]string{"extld", "toolexec", "-o", "plugin", "fuse-ld", "extldflags"} {
				if strings.Contains(o.value.Text, bad) {
					c.narrow("-" + name + " can run another program")
				}
			}
		}
	}
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
		case strings.HasPrefix(t, "-fplugin"), strings.HasPrefix(t, "-fpass-plugin"), t == "-load", strings.HasPrefix(t, "-B"), t == "-wrapper", t == "-specs", strings.HasPrefix(t, "-specs="), strings.HasPrefix(t, "-fuse-ld"), strings.HasPrefix(t, "@"), t == "-Xclang", strings.HasPrefix(t, "--config"):
			c.narrow(t + " can run another program")
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

// npmMore: what only reads, what installs configuration, and the text of -c.
func npmMore(c *call) {
	name := programName(c.argv)
	if o := c.option("c", "call"); o != nil && (name == "npx" || c.literalOperand(0) == "exec") {
		c.runs(inner{kind: innerText, via: name + " -c", text: o.value})
	}
	switch c.literalOperand(0) {
	case "ls", "list", "root", "prefix", "bin", "why", "explain":
		// yarn runs the program its project names, whatever it is asked
		c.d.readOnly = name == "npm" && len(c.unknown) == 0 && len(c.holes) == 0
	case "exec", "x", "dlx":
		for _, in := range c.candidates(1) {
			c.remote(in)
		}
	case "config", "set", "c":
		if v := c.literalOperand(1); v != "get" && v != "list" && v != "ls" {
			c.narrow("it changes what later commands run")
		}
	}
}

// formatterMore rewrites its operands unless it only checks.
func formatterMore(c *call) {
	c.recursive = true
	c.inPlace = !c.has("check", "diff", "version", "help")
	c.readOperands(c.operands)
}

// linterMore rewrites its operands when told to fix or write.
func linterMore(c *call) {
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
