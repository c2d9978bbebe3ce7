package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Options of the go command that load or build packages.
const (
	goBuildFlags  = "a n x v race msan asan cover work linkshared buildvcs modcacherw trimpath json i"
	goBuildValues = "p mod tags covermode coverpkg asmflags buildmode compiler gccgoflags gcflags installsuffix " +
		"ldflags pkgdir pgo"
)

// goBuildOpts are those of them that run another program, take another file for
// the project's, or write one.
var goBuildOpts = []Opt{
	{"exec toolexec vettool", HasArg, Executes}, {"overlay modfile", HasArg, Unsafe}, {"C", HasArg, WorkDir},
	{"o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir test.gocoverdir test.coverprofile test.cpuprofile test.memprofile test.blockprofile test.mutexprofile test.trace test.outputdir test.testlogfile test.fuzzcachedir", HasArg, Writes},
}

// gofmtFlags and gofmtOpts are shared by the programs that format Go.
const gofmtFlags = "d e l s extra format-only v srcdir version"

var gofmtOpts = []Opt{{"w", NoArg, WritesInPlace}, {"cpuprofile memprofile memrate trace", HasArg, WritesValue}}

// goCommands are go and what formats and checks Go.
var goCommands = []Command{
	{
		Names: "go", Title: "builds Go", Style: SingleDash, Opts: []Opt{{"C", HasArg, WorkDir}}, Subs: goSubs,
		InfoFlags: "version help -h --help -help env",
	},
	{
		Names: "gofmt", Local: true, Title: "formats Go", Forms: []Form{{"-w|-l !-d", Hides, ""}}, InPlace: true, Style: SingleDash,
		Flags: gofmtFlags, Values: "r local lang modpath", Opts: gofmtOpts, Operands: Reads, ReadOnly: true,
	},
	{
		// they run go, in the folder they work in
		Names: "goimports gofumpt", Special: &Special{Project: &Running{By: RunsHere}}, Title: "formats Go", Forms: []Form{{"-w|-l !-d", Hides, ""}},
		InPlace: true, Style: SingleDash, Flags: gofmtFlags, Values: "r local lang modpath", Opts: gofmtOpts, Operands: Reads, ReadOnly: true,
	},
	{
		// they have verbs and options of their own
		Names: "gci golines", Title: "formats Go", Forms: []Form{{"-w|-l !-d", Hides, ""}}, InPlace: true, Style: SingleDash,
		Flags: gofmtFlags, Values: "r local lang modpath", Opts: gofmtOpts, Operands: Reads,
	},
	{
		Names: "golangci-lint", Title: "checks Go", InfoFlags: "version --version help -h --help",
		Flags: "-vhn verbose fix new fast no-config issues-exit-code tests whole-files fast-only allow-parallel-runners allow-serial-runners short debug json color",
		Values: "-cEDpj config enable disable presets timeout concurrency build-tags modules-download-mode out-format exclude skip-dirs " +
			"skip-files new-from-rev new-from-patch max-issues-per-linter max-same-issues enable-only go path-prefix path-mode default " +
			"new-from-merge-base test",
		Opts: []Opt{{"cpu-profile-path mem-profile-path trace-path output.json.path output.text.path output.html.path output.sarif.path", HasArg, WritesValue}},
		Subs: []Command{
			{Names: "version", ReadOnly: true, Net: StaysHere},
			{
				Names: "cache",
				Subs: []Command{
					{Names: "status", ReadOnly: true},
					{Names: "clean"},
				},
			},
			{
				Names: "run fmt linters formatters help config custom migrate completion", Forms: []Form{{"=run|fmt|linters|formatters|help", Binds, ""}}, InPlace: true,
				Special: &Special{Project: &Running{By: RunsHere}}, refine: refineGolangci,
			},
		},
	},
	{
		Names: "staticcheck govulncheck gosec revive errcheck deadcode gopls dlv gotestsum ginkgo mockgen wire air " +
			"sqlc",
		Title: "checks, tests or generates Go", Style: SingleDash, Flags: "v q", InfoFlags: "-version --version version -h --help -list-checks",
	},
}

var goSubs = []Command{
	{
		Names: "build install run test vet generate get fix bench", Forms: []Form{{"=build|run|test|vet", Binds, ""}, {"-mod|-fuzz", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere}},
		Flags:  goBuildFlags + " c short failfast benchmem fullpath artifacts t u d diff",
		Values: goBuildValues + " run skip bench benchtime count cpu list parallel timeout shuffle fuzz fuzztime fuzzminimizetime vet blockprofilerate memprofilerate mutexprofilefraction",
		Opts:   goBuildOpts, refine: refineGo,
	},
	{
		Names: "list", Forms: []Form{{"-u|-versions|-retracted|-mod", Unbinds, ""}, {"-ldflags|-gcflags|-asmflags|-gccgoflags|-pgo|-pkgdir|-compiler|-reuse", Changes, ""}}, ReadOnly: true, Special: &Special{Tokens: importPaths, Project: &Running{By: RunsHere}},
		Flags:  "a n x v race msan asan cover work linkshared modcacherw trimpath json m e deps find test u versions retracted",
		Values: goBuildValues + " f reuse",
		Opts:   []Opt{{"toolexec", HasArg, Executes}, {"overlay modfile", HasArg, Unsafe}, {"C", HasArg, WorkDir}, {"export compiled", NoArg, Changes}},

		refine: refineGoList,
	},
	{Names: "version", ReadOnly: true, Net: StaysHere, Flags: "m v json", Operands: Reads},
	{
		Names: "doc help", ReadOnly: true, Special: &Special{Project: &Running{By: RunsHere}}, Flags: "all c cmd short src u ex",
		Opts: []Opt{{"http", NoArg, Unsafe}, {"C", HasArg, WorkDir}}, refine: goModules,
	},
	{Names: "env", ReadOnly: true, Net: StaysHere, Flags: "json changed", Opts: []Opt{{"w u", NoArg, Unsafe}}, Forms: []Form{{"-w|-u", Configures, ".config/go/env"}}},
	{
		Names: "mod",
		Subs: []Command{
			{Names: "graph why verify", ReadOnly: true, Flags: "m vendor x", Values: "go", Opts: []Opt{{"modfile overlay", HasArg, Unsafe}}},
			{
				Names: "edit", Flags: "fmt", Values: "module go toolchain require droprequire replace dropreplace exclude dropexclude retract dropretract godebug dropgodebug tool droptool ignore dropignore",
				Opts: []Opt{{"json print", NoArg, Asks}}, ReadsIfAsked: true, Forms: []Form{{"!-json|-print FILE", Writes, ""}, {"!-json|-print $ >go.mod", Writes, ""}},
			},
			{Names: "tidy download init vendor", Flags: "v x e json diff reuse", Values: "go compat", Opts: []Opt{{"o", HasArg, Writes}}},
		},
	},
	{Names: "tool", Flags: "n modfile", ReadsSome: true, refine: refineGoTool, Style: StopAtOperand},
	{Names: "fmt clean work bug telemetry", Flags: "n x v i r cache testcache modcache fuzzcache", Values: "mod"},
}

// refineGo: linker and compiler flags that name another program.
func refineGo(c *Invocation) {
	for _, i := range c.Operands {
		if strings.Contains(c.Argv[i].Text, "@") {
			c.unbind("fetches a module")
		}
	}
	if verb := c.Subs[len(c.Subs)-1]; (verb == "run" || verb == "test") && namesModule(c.LiteralOperand(0)) {
		c.Facts.ProjectProof.Disprove("may run code of another module")
	}
	for u := range c.options() {
		switch u.Name {
		case "ldflags", "gcflags", "asmflags", "gccgoflags":
			for _, bad := range [...]string{"extld", "toolexec", "-o", "plugin", "fuse-ld", "extldflags"} {
				if strings.Contains(u.Value.Text, bad) {
					c.Narrow("-" + u.Name + " can run another program")
				}
			}
		}
	}
}

// namesModule reports whether an operand of go is a package by its import path.
func namesModule(pkg string) bool {
	return strings.Trim(pkg, "./-") != "" && !shell.StartsWithAny(pkg, ".", "/", "-") && !strings.HasSuffix(pkg, ".go")
}

// refineGoList: -mod=mod updates the module file, and compiler flags may name programs.
func refineGoList(c *Invocation) {
	refineGo(c)
	for u := range c.options() {
		c.Wrote = c.Wrote || u.Name == "mod" && !shell.Among("readonly vendor", u.Value.Text)
	}
	goModules(c)
}

// goModules: a module at a version, or asked for its versions, is fetched by its path.
func goModules(c *Invocation) {
	asks := c.Has("versions", "u", "retracted")
	for _, w := range c.operands() {
		switch host, _, _ := strings.Cut(w.Text, "/"); {
		case !strings.Contains(w.Text, "@") && !(asks && strings.Contains(host, ".") && !strings.HasPrefix(host, ".")):
			if !w.Known && !w.Down && !w.Glob {
				c.Disprove("may look up a module: its argument is unknown")
			}
		default:
			c.network(w)
			c.Disprove("looks up a module on the network")
		}
	}
}

// refineGoTool: go tool runs a program of the distribution or of the module; of
// the former two are known to print only.
func refineGoTool(c *Invocation) {
	argv := c.rest(1)
	c.namedOptions(argv, 0, "-")
	switch c.LiteralOperand(0) {
	case "cover":
		if file := coverFile(argv); file != nil {
			if c.read(file); len(c.Opts) == 0 {
				return
			}
		}
	case "dist":
		if len(argv) == 1 && argv[0].Known && argv[0].Text == "list" && len(c.Opts) == 0 {
			return
		}
	}
	c.Disprove("")
}

// coverFile is the profile of go tool cover -func=FILE or -func FILE, nil for every other form.
func coverFile(argv []shell.Word) *shell.Word {
	if len(argv) == 0 {
		return nil
	}
	option := strings.TrimPrefix(strings.TrimPrefix(shell.LiteralPrefix(&argv[0]), "-"), "-")
	name, value, attached := strings.Cut(option, "=")
	switch {
	case name != "func":
		return nil
	case attached && len(argv) == 1:
		return new(shell.Suffix(&argv[0], len(argv[0].Text)-len(value)))
	case !attached && len(argv) == 2:
		return &argv[1]
	}
	return nil
}

// refineGolangci writes what it is told to fix.
func refineGolangci(c *Invocation) {
	if c.Subs[0] == "fmt" && !c.Has("d", "diff") || c.on("fix") {
		w := c.here()
		c.Recursive = true
		c.write(w)
	}
}
