package commands

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What runs project code is never proven to read: scripts, plugins, loaders,
// configuration that is a program, and the package manager of the version a
// project names (pnpm, yarn). npm itself runs nothing when it only looks.

const npmFlags = "-aBDdEfghlnOPpqsSy save-dev save-exact save-optional save-prod save-bundle no-save save global " +
	"silent quiet verbose json long parseable production ignore-scripts legacy-peer-deps strict-peer-deps " +
	"no-audit audit no-fund fund force workspaces include-workspace-root if-present foreground-scripts yes " +
	"offline prefer-offline prefer-online help usage version all dry-run package-lock-only no-package-lock " +
	"no-progress progress link unicode no-unicode color no-color"

// pnpmRuns are the verbs of pnpm and yarn that run a script of the project or a tool
// that is installed for it, and install none; pnpm takes the names of both.
const pnpmRuns = "run|run-script|test|t|start|exec|build|check|dev|fmt|format|lint|lint:fix|format:check|" +
	"tsc|type-check|typecheck|" +
	"test:unit|test:e2e|test:integration|vitest|jest|eslint|prettier|vite"

// pnpmVerbs are further verbs of pnpm that programs are called, too.
const pnpmVerbs = "add audit bin build cache cat-file cat-index config create deploy dlx doctor env exec help init install link list ls node " +
	"pack patch prune rebuild remove restart rm root server setup start stop store unlink up update version view why"

// refineRimraf deletes its operands with all below; it is rm -rf where they are elsewhere.
func refineRimraf(c *Invocation) {
	near := func(e shell.Effect) bool { return len(c.Cwd.Dirs) == 1 && strings.HasPrefix(e.Path, c.Cwd.Dirs[0]+"/") }
	for _, w := range c.operands() {
		if c.Cwd != nil && slices.ContainsFunc(shell.EffectsOf(shell.Delete, w, c.Cwd), near) {
			c.Recursive = true
			c.remove(w)
		} else {
			c.codeRemoves(w, w.Known)
		}
	}
}

// nodeCommands are the package managers and runners of JavaScript.
var nodeCommands = []Command{
	{
		Names: "rimraf del-cli", Title: "deletes trees", Flags: "-fgviG force glob no-glob verbose interactive preserve-root no-preserve-root dot dry-run",
		Values: "impl tmp max-retries retry-delay backoff", refine: refineRimraf, InfoFlags: "-h --help --version",
	},
	{
		Names: "npm", Title: "runs and installs JavaScript packages", Net: AsksServices,
		Special: &Special{Credentials: []Credential{{"npm config|c get *_*|*auth*|*/*", onNpm}, {"npm get *_*|*auth*|*/*", onNpm}}, Scripts: &ScriptRunner{
			Name: "npm", Dir: "prefix C", None: "dry-run h help v version usage", Other: "w workspace workspaces ws g global", words: npmScripts,
		}},
		Flags:  npmFlags,
		Values: "-wL loglevel depth omit include only tag otp scope workspace access location fetch-timeout before searchlimit sbom-format",
		Opts: []Opt{
			{"script-shell shell", HasArg, Executes},
			{"editor viewer browser", HasArg, Executes}, {"git", HasArg, RunsName}, {"node-options userconfig globalconfig registry init-module node-gyp scripts-prepend-node-path onload-script require", HasArg, Unsafe},
			{"-C prefix", HasArg, 0}, {"-c call", HasArg, 0}, {"package", HasArg, 0}, {"cache logs-dir", HasArg, Writes},
		},
		Subs: npmSubs, refine: refineNpm, InfoFlags: "-v --version version -h --help",
	},
	{
		Names: "pnpm", Forms: []Form{{pnpmRuns, Binds, ""}, {"-g|--global|-c|--shell-mode", Unbinds, ""}}, Title: "runs and installs JavaScript packages",
		Special: &Special{Project: &Running{By: RunsHere | RunsTool, Named: true}, Scripts: &ScriptRunner{
			Name: "pnpm", Dir: "prefix C dir", None: "h help v version", Other: "F filter r recursive w workspace-root g global", words: wordScripts,
			Own: "exec dlx node x create init config why list ls outdated audit link unlink cache info help",
		}, Environments: jsEnvironments},
		Flags: npmFlags + " -rWw recursive parallel stream workspace-root ignore-workspace-root-check frozen-lockfile no-frozen-lockfile shamefully-hoist " +
			"ignore-workspace aggregate-output shell-emulator lockfile-only prod dev no-optional no-bail bail sort no-sort use-stderr latest interactive",
		Values: "-F filter filter-prod test-pattern changed-files-ignore-pattern loglevel depth reporter store-dir virtual-store-dir " +
			"modules-dir lockfile-dir workspace-concurrency resume-from omit include tag otp scope cache-dir state-dir",
		Opts: []Opt{
			{"script-shell shell", HasArg, Executes},
			{"node-options userconfig globalconfig registry pnpmfile global-pnpmfile config-dir npm-path use-node-version node-linker", HasArg, Unsafe},
			{"-C dir prefix", HasArg, 0}, {"-c shell-mode", NoArg, 0}, {"package", HasArg, 0},
		},
		refine: refinePnpm, // no InfoFlags: even then it becomes the release that package.json names
	},
	{
		Names: "yarn yarnpkg", Forms: []Form{{pnpmRuns, Binds, ""}, {"-g|--global", Unbinds, ""}}, Title: "runs and installs JavaScript packages",
		Special: &Special{Losses: []Loss{
			{Of: OfRegistry, Verbs: []string{"unpublish", "owner|tag remove|rm", "npm tag remove", "npm unpublish", "team destroy"}},
		}, Project: &Running{By: RunsHere | RunsTool, Named: true}, Scripts: &ScriptRunner{
			Name: "yarn", Dir: "cwd", None: "h help v version", words: wordScripts,
			Own: "exec dlx node create init workspace workspaces config why list outdated audit link unlink cache info npm set plugin help",
		}, Environments: jsEnvironments},
		Flags: npmFlags + " -AvWiRjtT frozen-lockfile immutable immutable-cache check-files check-cache inline-builds parallel interlaced non-interactive no-lockfile " +
			"pure-lockfile flat har mode recursive topological verbose",
		Values: "cwd cache-folder modules-folder network-timeout network-concurrency mutex preferred-cache-folder link-folder " +
			"global-folder pattern depth include exclude jobs",
		Opts:   []Opt{{"script-shell shell", HasArg, Executes}, {"use-yarnrc registry node-options proxy https-proxy", HasArg, Unsafe}},
		refine: refinePnpm,
	},
	{
		Names: "npx pnpx bunx", Forms: []Form{{"--package|-p|--call|-c", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsTool}}, Title: "runs a program of a JavaScript package, which it may install first",
		Flags: "-yqshvn yes no no-install quiet silent verbose ignore-existing always-spawn include-workspace-root workspaces ws " +
			"prefer-offline offline legacy-peer-deps bun version help",
		Values: "-pw package workspace cache loglevel reporter allow-build",
		Opts: []Opt{
			{"script-shell shell", HasArg, Executes}, {"node-options userconfig globalconfig registry npm node-arg", HasArg, Unsafe}, {"-c call", HasArg, 0},
			{"shell-mode", NoArg, 0}, {"-C prefix", HasArg, 0},
		},
		Style: StopAtOperand, refine: refineNpx,
	},
	{
		Names: "bun", Forms: []Form{{"test|run|x", Binds, ""}, {"-e|--eval|-p|--print|--install|-i|--coverage-dir", Unbinds, ""}},
		Special: &Special{Project: &Running{By: RunsHere | RunsFile | RunsTool, Named: true, Not: "--eval --print --install --coverage-dir --reporter-outfile --outfile --outdir"}, Scripts: &ScriptRunner{
			Name: "bun", Dir: "cwd", None: "h help v version revision", Other: "F filter workspaces", words: wordScripts,
			Own: "test x exec repl create init build pm upgrade link unlink outdated why audit info help",
		}, Environments: []Environment{{Package: "-p package", Command: Command{Names: "x create c", Flags: "bun no-install verbose silent", Values: "-p package"}}}},
		Title: "runs and installs JavaScript",
		Flags: "-hivbg bun watch hot smol silent no-install prefer-offline prefer-latest if-present version revision help no-clear-screen inspect all",
		Values: "-ldF cwd config filter install port conditions main-fields extension-order tsconfig-override define loader shell " +
			"elide-lines title coverage-dir test-name-pattern timeout env",
		OptValues: "-c",
		Opts: []Opt{
			{"-r preload require import", HasArg, Unsafe}, {"-ep eval print", HasArg, 0}, {"env-file", HasArg, Reads}, {"registry", HasArg, Unsafe},
		},
		Style: StopAtOperand, ReadsSome: true, refine: refineBunAll, InfoFlags: "-v --version --revision -h --help",
	},
	{
		Names: "deno", Title: "runs JavaScript",
		Flags:  "-Aqhr allow-all quiet unstable no-check no-remote no-npm no-lock cached-only help version json",
		Values: "-cLPp config import-map log-level cert location seed ext",
		OptValues: "-RWNESI allow-read allow-write allow-net allow-env allow-run allow-ffi allow-sys allow-import deny-read deny-write " +
			"deny-net deny-env deny-run inspect inspect-brk reload check lock watch node-modules-dir vendor v8-flags " +
			"unsafely-ignore-certificate-errors",
		Opts: []Opt{{"env-file", OptArg, Reads}, {"preload import require", HasArg, Unsafe}, {"-o output", HasArg, Writes}},
		Subs: denoSubs, InfoFlags: "-V --version -h --help",
	},
	{
		Names: "npm-run-all run-s run-p turbo", Title: "runs scripts of package.json", Flags: "-splnc sequential serial parallel race continue-on-error print-label print-name silent aggregate-output",
		Values: "max-parallel npm-path filter", Special: &Special{Scripts: &ScriptRunner{Name: "npm", words: eachScript}},
	},
	{
		Names: "tsc", Parser: ArgFiles | AnyCase, Special: &Special{Project: &Running{By: RunsHere}}, Title: "checks and compiles TypeScript", InfoFlags: "-v --version -h --help --all --showConfig --listFilesOnly",
		Flags: "-wb noEmit watch build strict pretty skipLibCheck incremental declaration emitDeclarationOnly listFiles", Values: "-pt project target module lib jsx",
		Opts:  []Opt{{"outDir outFile declarationDir tsBuildInfoFile generateTrace generateCpuProfile", HasArg, Writes}},
		Style: SingleDash,
	},
	{
		Names: "biome", Title: "checks and formats code", InfoFlags: "--version -V --help -h version",
		Flags:  "verbose json colors skip-errors no-errors-on-unmatched error-on-warnings changed staged linter-enabled formatter-enabled",
		Values: "config-path max-diagnostics diagnostic-level log-level log-kind since stdin-file-path reporter only skip files-max-size", Opts: []Opt{{"log-file", HasArg, WritesValue}},
		Subs: []Command{
			{
				Names: "check lint format ci", InPlace: true, ReadOnly: true, Opts: []Opt{{"write fix apply apply-unsafe unsafe suppress", NoArg, WritesInPlace}},
				Values: "colors vcs-enabled indent-style indent-width line-width", Operands: ReadsTree,
				Forms: []Form{{"--write|--fix|--apply|--apply-unsafe|--unsafe|--suppress $", Rewrites, ""}, {"--log-file|--since", Disproves, ""}},
			},
			{Names: "migrate init start stop lsp-proxy search rage explain clean"},
		},
	},
}

// jsEnvironments are the verbs of pnpm and yarn that run what is installed, and what is fetched.
var jsEnvironments = []Environment{
	{Command: Command{Names: "exec", Flags: "-r recursive parallel no-reporter-hide-prefix report-summary", Values: "resume-from", Opts: []Opt{{"-c shell-mode", NoArg, 0}}}},
	{Package: "-p package", Command: Command{Names: "dlx create", Flags: "-q quiet silent", Values: "-p package allow-build", Opts: []Opt{{"-c shell-mode", NoArg, 0}}}},
}

var npmSubs = []Command{
	{
		Names:    "ls list la ll root prefix bin explain why query view info show v search s se find ping whoami sbom",
		ReadOnly: true, refine: refineNpmAsks,
	},
	// asks about git dependencies, too, with the git that the project's .npmrc may name
	{Names: "outdated"},
	{Names: "audit", Values: "audit-level", Forms: []Form{{"$", Proves, ""}, {"signatures $", Proves, ""}}},
	{Names: "fund", ReadOnly: true, Bare: true},
	{
		Names: "config c",
		Subs: []Command{
			{Names: "get list ls", ReadOnly: true, KnownWords: true},
			{Names: "set delete rm edit fix", Forms: []Form{{"", Narrows, setsUpLater}, {"", Configures, ".npmrc"}}},
		},
	},
	{Names: "get", ReadOnly: true, KnownWords: true},
	{Names: "set", Forms: []Form{{"", Narrows, setsUpLater}, {"", Configures, ".npmrc"}}},
	{
		Names: "pkg",
		Subs: []Command{
			{Names: "get", ReadOnly: true},
			{Names: "set delete fix", refine: refineNpmPkg},
		},
	},
	{
		Names: "owner author dist-tag dist-tags access team org",
		Subs: []Command{
			{Names: "ls list", ReadOnly: true},
			{Names: "add rm set grant revoke create destroy get"},
		},
	},
	{Names: "exec x", Forms: []Form{{"--package|-p|--call|-c", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsTool}}, Values: "-p", Style: StopAtOperand, refine: refineNpx},
	{Names: "init create innit", Style: StopAtOperand, refine: func(c *Invocation) { c.packaged(&c.Args, 0, "") }},
	{Names: "explore", Style: StopAtOperand, Forms: []Form{{"* COMMAND", Runs, ""}}},
	{Names: "run run-script rum urn", Special: &Special{Project: &Running{By: RunsHere, Named: true}}, ReadsSome: true, Bare: true, refine: func(c *Invocation) { c.disproveIf(len(c.Opts) > 0) }},
	{
		Special: &Special{Project: &Running{By: RunsHere}}, Forms: []Form{{"=test|t|tst|start|stop|restart", Binds, ""}},
		Names: "test t tst start stop restart install i add in isntall ci clean-install install-test it " +
			"install-ci-test cit uninstall remove rm r un unlink update up upgrade link ln rebuild rb prune dedupe " +
			"ddp find-dupes publish pack unpublish deprecate login adduser logout token profile " +
			"version cache shrinkwrap diff docs home repo bugs issues edit help hlep help-search star " +
			"unstar stars doctor completion hook trust undeprecate set-script",
		Values: "install-strategy pack-destination preid message",
	},
}

var denoSubs = []Command{
	{Names: "eval", Style: StopAtOperand, Forms: []Form{{"TEXT", ObeysValue, ""}}},
	{Names: "run serve", Style: StopAtOperand, Operands: Scripts, refine: refineDenoRun},
	{Names: "x", Style: StopAtOperand, Flags: "-y yes", Values: "-p package", refine: refineNpx},
	{
		Names: "fmt", InPlace: true, Flags: "check use-tabs no-semicolons single-quote", Values: "line-width indent-width prose-wrap ignore", Operands: ReadsTree, Forms: []Form{{"--check", Proves, ""}, {"!--check", Rewrites, ""}},
	},
	{Names: "info types", ReadOnly: true, Bare: true},
	{
		Names: "task test bench compile install i add remove cache check lint doc repl jupyter upgrade publish " +
			"coverage outdated update uninstall init create clean bundle approve-scripts audit why deploy " +
			"completions help",
	},
}

// refineNpmAsks: a repository is fetched with the git that the project's .npmrc may name.
func refineNpmAsks(c *Invocation) {
	for n := range c.Operands {
		spec := c.LiteralOperand(n)
		name := strings.TrimPrefix(spec, "@")
		if _, rest, scoped := strings.Cut(name, "/"); scoped && name != spec {
			name = rest
		}
		c.disproveIf(strings.ContainsAny(name, ":/#"))
	}
}

// refineNpmPkg changes package.json, which may say what npm run will run.
func refineNpmPkg(c *Invocation) {
	c.write(new(shell.Literal("package.json", &c.Argv[0])))
	scripts := map[string]string{}
	for _, w := range c.operands() {
		if key, text, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(key, "scripts.") {
			c.scan(key, text, w)
			scripts[strings.TrimPrefix(key, "scripts.")] = text
		}
	}
	spelled, _ := json.Marshal(map[string]any{"scripts": scripts})
	c.Facts.Spells = string(spelled)
}

// setsUpLater is why no pattern covers what sets up later commands.
const setsUpLater = "it changes what later commands run"

// refineNpm: a setting may be spelled --//host/:key; what npm does not know has no value.
func refineNpm(c *Invocation) {
	for _, u := range c.Unknown {
		if strings.HasPrefix(u, "/") {
			c.Narrow("it sets how registries are accessed")
		}
	}
}

// refineNpx runs the text of -c, or the words that follow as a program that comes
// from a package: deny rules and checks see them.
func refineNpx(c *Invocation) {
	name := ProgramName(c.Argv)
	if o := c.Option("c", "call"); o != nil && o.Given {
		c.runs(Inner{Kind: InnerText, Via: name + " -c", Text: o.Value})
		return
	}
	c.packaged(&c.Args, 0, "-p package")
}

// packaged runs the program of a package, which starts at an operand. A rule on the runner is one for it, unless an
// option names a package, which may bring another program of that name: then it needs one of its own. With an unknown
// option in front the next word may start it as well. What narrows a rule on the program narrows one on both.
func (c *Invocation) packaged(a *Args, i int, packages string) {
	standing, via := Guessed(), ProgramName(c.Argv)
	for u := range a.options() {
		if u.Given && shell.Listed(packages, u.Name) {
			standing = Standing{}
			at := u.at
			if u.Value.Span != c.Argv[at].Span {
				at++
			}
			c.within(Inner{Kind: InnerArgv, Via: via, Argv: []shell.Word{u.Value}, At: at, Narrows: true})
		}
	}
	for n := i; n <= i+min(len(a.Unknown), 1) && n < len(a.Operands); n++ {
		at := a.Operands[n]
		for at+1 < len(c.Argv) && c.Argv[at].Known && c.Argv[at].Text == "--" {
			at++
		}
		c.runs(Inner{Kind: InnerArgv, Via: via, Argv: c.Argv[at:], At: at, Standing: standing, Narrows: standing.Guess})
	}
}

// refinePnpm is pnpm and yarn: what they run, and what changes later commands.
func refinePnpm(c *Invocation) {
	for _, u := range c.Unknown {
		if strings.HasPrefix(u, "config.") {
			c.Narrow("--" + u + " changes what runs the scripts")
		}
	}
	switch verb := c.LiteralOperand(0); {
	case c.environment():
	case verb == "node":
		c.within(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.rest(0)})
	case verb == "" || ProgramName(c.Argv) != "pnpm":
	case tabled(verb) && !shell.Among(strings.ReplaceAll(pnpmRuns, "|", " ")+" "+pnpmVerbs, verb): // it runs what is no script
		c.inEnvironment(&Environment{}, c.Operands[0], nil)
	}
	switch c.LiteralOperand(0) {
	case "workspace", "workspaces": // workspace NAME exec COMMAND, workspaces foreach exec COMMAND
		for n := range min(len(c.Operands), 4) {
			if argv := c.rest(n); n > 1 && shell.Among("exec dlx", c.LiteralOperand(n)) {
				c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: append([]shell.Word{c.Argv[0]}, argv...)})
			}
		}
	case "config", "set", "c", "plugin", "policies":
		if !shell.Among("get list ls runtime", c.LiteralOperand(1)) {
			c.Narrow(setsUpLater)
			rc := ".npmrc"
			if strings.HasPrefix(ProgramName(c.Argv), "yarn") {
				rc = ".yarnrc.yml"
			}
			c.configures(rc, false)
		}
	}
}

// refineBun tells what only looks from what runs code.
func refineBun(c *Invocation) {
	c.disproveIf(!c.bunLooks())
	if c.Has("e", "eval", "p", "print") {
		c.inlineOptions("c e E p eval print")
		return
	}
	switch verb := c.LiteralOperand(0); verb {
	case "exec":
		if argv := c.rest(1); len(argv) > 0 {
			c.runs(Inner{Kind: InnerText, Via: "bun", Text: joined(argv)})
		}
	case "x", "create", "c":
		c.environment()
	default:
		if shell.Among(".ts .tsx .js .jsx .mjs .cjs .mts .cts", path.Ext(verb)) {
			c.execute(c.Operand(0))
		}
	}
}

// bunLooks reports whether bun only asks about packages.
func (c *Invocation) bunLooks() bool {
	if c.Has("e", "eval", "p", "print", "config", "c") {
		return false
	}
	words := c.rest(1)
	switch c.LiteralOperand(0) {
	case "outdated", "why", "info":
	case "pm":
		if !shell.Listed("ls list bin hash hash-string hash-print view whoami", c.LiteralOperand(1)) {
			return false
		}
		words = c.rest(2)
	default:
		return false
	}
	return !slices.ContainsFunc(words, func(w shell.Word) bool {
		return !w.Known || strings.HasPrefix(w.Text, "-") && !shell.Among("--all -a -g --json", w.Text)
	})
}

// refineDenoRun: what deno fetches counts as a package.
func refineDenoRun(c *Invocation) {
	if name, _, fetched := strings.Cut(c.LiteralOperand(0), ":"); fetched && shell.Among("npm jsr http https data", strings.ToLower(name)) {
		c.packaged(&c.Args, 0, "")
	}
}

// rewrites turns the trees that were read into trees that are written.
func (c *Invocation) rewrites() {
	for i := range c.Facts.Effects {
		if e := &c.Facts.Effects[i]; e.Kind == shell.Read {
			e.Kind = shell.Write
		}
	}
	c.Wrote = true
}

// refineBunAll also reads the options after the subcommand that load code or
// write, up to the script of run, whose own the rest are.
func refineBunAll(c *Invocation) {
	refineBun(c)
	verb := c.LiteralOperand(0)
	if !shell.Among("run build test", verb) {
		return
	}
	rest := c.rest(1)
	for i, w := range rest {
		name, value, ok := strings.Cut(w.Text, "=")
		c.laterHoles(rest[i : i+1])
		switch {
		case verb == "run" && !strings.HasPrefix(name, "-"):
			return
		case shell.Among("--preload --require --import -r", name):
			c.Narrow(name + " loads code")
		case ok && verb == "build" && shell.Among("--outfile --outdir", name):
			c.write(new(shell.Suffix(&w, len(w.Text)-len(value))))
		}
	}
}
