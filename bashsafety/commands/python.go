package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What loads plugins or configuration of the project that is a program, and
// what asks the interpreter a project brings along, is not proven to read:
// mypy, pylint, pytest, poetry, uv pip.

// pyIndexes say where packages come from.
var pyIndexes = []Opt{{"-if index-url index default-index extra-index-url find-links", HasArg, Unsafe}}

// pyPackages are the options that name a package.
const pyPackages = "from with with-editable with-requirements spec"

const pyRunnerValues = "-p python from with project directory"

// pythonCommands are Python's package managers, checkers and formatters.
var pythonCommands = []Command{
	{
		Names: "pip pip3", Title: "installs Python packages", Net: AsksServices,
		Flags:  "-vqh verbose quiet isolated require-virtualenv no-input no-cache-dir disable-pip-version-check no-color no-python-version-warning debug",
		Values: "retries timeout exists-action trusted-host use-feature use-deprecated keyring-provider resume-retries",
		Opts: []Opt{
			{"proxy", HasArg, Sends}, {"cert", HasArg, Reads}, {"client-cert", HasArg, UsesKey}, {"python", HasArg, Executes},
			{"log log-file local-log", HasArg, WritesValue}, {"cache-dir", HasArg, Writes},
		},
		Subs: pipSubs, InfoFlags: "--version -V --help -h help",
	},
	{
		Names: "pipx", Title: "installs Python packages, and runs commands with them",
		Style: StopAtOperand, Flags: "-qvy", Values: pyRunnerValues, refine: refineEnvironment, InfoFlags: "--version -V --help -h",
		Special: &Special{Environments: []Environment{{Package: pyPackages, Command: Command{Names: "run", Flags: "no-cache pypackages verbose quiet",
			Values: "spec with", Opts: []Opt{{"-i index-url pip-args", HasArg, Unsafe}}}}}},
	},
	{
		Names: "pipenv", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand, Flags: "-qvy", Values: pyRunnerValues,
		refine: refineEnvironment, InfoFlags: "--version -V --help -h",
		Special: &Special{Environments: pythonEnvironment("run", "-qvy quiet verbose clear system", "-p python pypi-mirror categories")},
	},
	{
		Names: "rye", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand, Flags: "-qvy", Values: pyRunnerValues,
		refine: refineEnvironment, InfoFlags: "--version -V --help -h",
		Opts:    []Opt{{"pyproject", HasArg, Unsafe}},
		Special: &Special{Environments: pythonEnvironment("run r", "-lqv list quiet verbose", "")},
	},
	{
		Names: "hatch", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand, refine: refineEnvironment,
		Flags: "-vqh verbose quiet color no-color interactive no-interactive help version", Values: "-ep env project data-dir cache-dir", Opts: []Opt{{"config", HasArg, Unsafe}},
		InfoFlags: "--version -V --help -h", Special: &Special{Environments: []Environment{{Prefix: ":", Moves: true, Command: Command{Names: "run"}}, {Moves: true, Command: Command{Names: "env-run", Values: "-eif env include filter"}}}},
	},
	{
		Names: "uvx", Title: "runs a program of a Python package", Style: StopAtOperand, Flags: "-qvy", Values: pyRunnerValues + " with-editable with-requirements", Opts: pyIndexes,
		refine: runsPackaged, InfoFlags: "--version -V --help -h",
	},
	{
		// No InfoFlags: it loads the plugins of the project whatever it is asked.
		Names: "pdm", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand, Flags: "-qvy",
		refine: refineEnvironment, Opts: []Opt{{"-p project", HasArg, Unsafe}},
		Special: &Special{Environments: pythonEnvironment("run", "-qvgslj quiet verbose global site-packages list json recreate", "venv")},
	},
	{
		Names: "uv", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand, Parser: Permutes,
		Flags: "-qvnh quiet verbose no-cache offline native-tls no-progress no-config", Values: "color project",
		Opts: []Opt{{"proxy", HasArg, Sends}, {"cert", HasArg, Reads}, {"client-cert", HasArg, UsesKey}, {"config-file", HasArg, Unsafe}, {"cache-dir", HasArg, Writes}, {"directory", HasArg, WorkDir}}, Forms: []Form{{"cache dir $", Proves, ""}, {"tool list|dir $", Proves, ""}, {"python dir $", Proves, ""}}, refine: refineEnvironment,
		Special: &Special{Environments: uvRun}, InfoFlags: "--version -V --help -h help version",
	},
	{
		Names: "poetry", Title: "installs Python packages, and runs commands with them", Style: StopAtOperand,
		Flags: "-nqvV no-interaction quiet verbose ansi no-ansi no-plugins no-cache", Values: "-P project", refine: refineEnvironment,
		Opts: []Opt{{"-C directory", HasArg, WorkDir}}, Special: &Special{Environments: pythonEnvironment("run", "", "")},
	},
	{
		Names: "conda mamba micromamba", Title: "installs packages, and runs commands with them", Net: AsksServices,
		Flags: "-hqvy json all offline envs no-pip explicit export full-name info system base verbose quiet yes", Values: "-npc name prefix channel subdir platform",
		Opts: []Opt{{"debug-wrapper-scripts", NoArg, 0}, {"rc-file", HasArg, Unsafe}}, Subs: condaSubs,
		InfoFlags: "--version -V --help -h info",
	},
	{
		Names: "pyenv rbenv nodenv goenv jenv", Title: "chooses the version of a language", Style: StopAtOperand,
		Special: &Special{Environments: []Environment{{Command: Command{Names: "exec"}}}}, KnownWords: true, Forms: []Form{{"versions|which|whence|prefix|version|root|shims", Proves, ""}}, refine: refineEnvironment, InfoFlags: "--version -v --help -h versions version root shims help commands version-name version-origin version-file local global",
	},
	{
		Names: "ruff", Parser: ArgFiles, Title: "checks and formats Python", InfoFlags: "--version -V version --help -h help linter",
		Flags: "-vqsne verbose quiet silent isolated no-cache exit-zero exit-non-zero-on-fix preview no-preview no-fix diff show-fixes " +
			"no-show-fixes statistics force-exclude no-force-exclude respect-gitignore no-respect-gitignore ignore-noqa show-files " +
			"show-settings check unsafe-fixes no-unsafe-fixes",
		Values: "select ignore extend-select extend-ignore per-file-ignores extend-per-file-ignores fixable unfixable exclude " +
			"extend-exclude target-version line-length output-format stdin-filename range extension color dummy-variable-rgx config",
		Opts: []Opt{{"fix fix-only add-noqa -w watch", NoArg, Changes}, {"-o output-file", HasArg, WritesValue}, {"cache-dir", HasArg, Writes}},
		Subs: []Command{
			{Names: "check", Special: &Special{Project: &Running{By: RunsHere}}, InPlace: true, Operands: ReadsTree, Forms: []Form{{"--diff|--isolated !--config", Proves, ""}, ruffFixes}},
			{
				Names: "format", Special: &Special{Project: &Running{By: RunsHere}}, InPlace: true, Operands: ReadsTree, Forms: []Form{{"!--diff", Hides, ""}, {"--diff|--check !--config", Proves, ""}, ruffFixes, {"!--diff|--check", Rewrites, ""}},
			},
			{Names: "rule linter config version", ReadOnly: true, Flags: "all"},
			{Names: "server clean analyze generate-shell-completion"},
		},
	},
	{
		Names: "black", Special: &Special{Project: &Running{By: RunsHere}}, InPlace: true, Title: "formats Python", InfoFlags: "--version --help -h",
		Flags: "-qvSCxh check diff quiet verbose fast safe skip-string-normalization skip-magic-trailing-comma preview unstable pyi " +
			"ipynb color no-color no-cache enable-unstable-feature",
		Values:   "-ltWc line-length target-version exclude include extend-exclude force-exclude stdin-filename workers config required-version code line-ranges",
		Operands: ReadsTree, Forms: []Form{{"!--diff|-c|--code", Hides, ""}, {"--check|--diff", Proves, ""}, {"!--check|--diff *", Rewrites, ""}},
	},
	{
		Names: "isort autopep8 yapf", Special: &Special{Project: &Running{By: RunsHere}}, Forms: []Form{{"-i|--in-place !-d|--diff", Hides, ""}, {"!-c|--check|--check-only|-d|--diff *", Rewrites, ""}}, InPlace: true, Title: "formats Python", InfoFlags: "--version -V --help -h",
		Flags: "-qvcdar check check-only diff quiet verbose recursive aggressive atomic", Values: "-lpesj line-length profile settings-path sp style exclude",
		Opts: []Opt{{"-i in-place", NoArg, 0}}, Operands: ReadsTree,
	},
	{
		Names: "mypy pyright bandit vulture coverage pre-commit", Forms: []Form{{"=mypy|pyright|bandit|vulture", Binds, ""}, {"=coverage report|html|xml|json|lcov|combine|erase|annotate", Binds, ""}}, refine: refineCoverage, Parser: ArgFiles, Special: &Special{Project: &Running{By: RunsHere}}, Title: "checks Python", Flags: "-qvxsl",
		Values: "-kmnp", InfoFlags: "--version -V --help -h",
		Opts: []Opt{
			{"python-executable pythonpath", HasArg, Executes}, {"config-file rcfile", HasArg, LoadsValue}, {"-o output", HasArg, Writes},
			{"junit-xml html-report xml-report txt-report linecount-report linecoverage-report any-exprs-report cobertura-xml-report lineprecision-report", HasArg, Writes},
		},
	},
	{
		Names: "kernprof scalene viztracer memray pyinstrument debugpy torchrun accelerate deepspeed", Title: "runs Python under a profiler or debugger", Style: StopAtOperand,
		refine: func(c *Invocation) { c.moduleIn(c.Argv[1:]) },
	},
	{
		// even to print a version they load plugins the project names
		Names: "flake8 pylint pytest mkdocs sphinx-build", Forms: []Form{{"=flake8|pylint|pytest|sphinx-build", Binds, ""}, {"=mkdocs build", Binds, ""}, {"=pytest --basetemp", Unbinds, ""}, {"=pytest NAME...:@*", Unbinds, ""}}, Parser: ArgFiles, Special: &Special{Project: &Running{By: RunsHere}},
		Title: "checks or tests Python with the project's own plugins", Flags: "-qvxsl", Values: "-kmnpf",
		Opts: []Opt{
			{"init-hook", HasArg, Executes}, {"junitxml junit-xml result-log log-file output output-file basetemp", HasArg, Writes},
			{"noxfile", HasArg, Unsafe}, {"-c config config-file rcfile rootdir confcutdir", HasArg, LoadsValue},
		},
	},
	{
		Names: "nox tox", Forms: []Form{{"", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere}, Environments: []Environment{{Dashes: true, Command: Command{Names: "exec e", Values: "-e"}}}},
		Style: StopAtOperand, Parser: Permutes, refine: func(c *Invocation) { c.environment() }, Title: "tests Python by a file of the project", Flags: "-qvxsl", Values: "-kmnp",
		Opts: []Opt{
			{"init-hook", HasArg, Executes}, {"junitxml junit-xml result-log log-file output output-file basetemp", HasArg, Writes},
			{"-f noxfile", HasArg, Unsafe}, {"-c config config-file rcfile rootdir confcutdir", HasArg, LoadsValue},
		},
	},
}

// ruffFixes: settings may turn fixing on, so only what the options forbid is proven.
var ruffFixes = Form{"--fix|--fix-only|--add-noqa !--diff", Rewrites, ""}

// pipConfig is the file in the home that pip config writes by one of pipSets.
const pipConfig, pipSets = ".config/pip/pip.conf", "set unset edit"

var pipSubs = []Command{
	{Names: "show", ReadOnly: true, Flags: "-f files"},
	{
		Names: "list freeze check inspect search", ReadOnly: true,
		Flags:  "-loue outdated uptodate editable local user not-required exclude-editable include-editable pre files all pip no-index",
		Values: "format exclude path not-required-by", Opts: []Opt{{"-r requirement", HasArg, Reads}, {"-if index-url extra-index-url find-links", HasArg, Sends}},
	},
	{
		Names: "index", Subs: []Command{{Names: "versions", ReadOnly: true, Flags: "pre json ignore-requires-python", Values: "platform python-version", Opts: []Opt{{"-i index-url extra-index-url", HasArg, Sends}}}},
	},
	{
		Names: "config", Flags: "user global site",
		Subs: []Command{
			{Names: "list get debug", ReadOnly: true},
			{Names: pipSets, Opts: []Opt{{"editor", HasArg, Executes}}, Forms: []Form{{"", Narrows, setsUpLater}, {"", Configures, pipConfig}}},
		},
	},
	{
		Names: "cache",
		Subs: []Command{
			{Names: "dir info list", ReadOnly: true, Values: "format"},
			{Names: "remove purge"},
		},
	},
	{Names: "hash", ReadOnly: true, Values: "-a algorithm", Operands: Reads},
	{
		Names: "install uninstall download wheel lock debug completion",
		Flags: "-UIy upgrade force-reinstall no-deps user pre dry-run ignore-installed no-build-isolation break-system-packages yes", Values: "-c constraint platform python-version abi prefix root src upgrade-strategy no-binary only-binary config-settings global-option editable -e",
		Opts: []Opt{{"-r requirement", HasArg, Reads}, {"-if index-url extra-index-url find-links", HasArg, Sends}, {"-tdw target dest wheel-dir report -o output", HasArg, Writes}},
	},
}

var condaSubs = []Command{
	{
		Names: "list", ReadOnly: true,
		Flags: "-cefrl canonical export full-name revisions reverse show-channel-urls explicit md5 sha256 no-pip",
		Opts:  []Opt{{"auth", NoArg, Changes}}, // prints the credentials in the addresses of channels
	},
	{
		Names: "info search env config", ReadOnly: true, Flags: "-les show show-sources revisions canonical md5", Values: "get describe repodata-fn",
		Opts: []Opt{{"-aCi use-index-cache override-channels", NoArg, 0}, {"-f file", HasArg, 0}}, Forms: []Form{{"export -f|--file=FILE", Writes, ""}, {"create|update -f|--file=FILE", Reads, ""}},
		refine: refineConda,
	},
	{
		Names: "run", Style: StopAtOperand, Flags: "-dv dev no-capture-output live-stream clean-env detach", Values: "-rae root-prefix attach env label",
		Opts: []Opt{{"cwd", HasArg, WorkDir}}, refine: func(c *Invocation) {
			if len(c.Operands) > 0 {
				c.inEnvironment(&Environment{Others: "-pr prefix root-prefix"}, c.Operands[0], c.Opts)
			}
		},
	},
	{
		Names: "install create remove uninstall update upgrade clean activate deactivate init build shell package " +
			"rename export",
		Opts: []Opt{{"-f file", HasArg, Reads}},
	},
}

// refineConda: of env only list reads, of config what shows or gets.
func refineConda(c *Invocation) {
	reads := true
	switch c.Subs[0] {
	case "env":
		reads = c.LiteralOperand(0) == "list" && len(c.Operands) == 1
	case "config":
		if reads = c.Has("show", "show-sources", "get", "describe"); !reads && len(c.Argv) > 2 {
			c.configures(".condarc", false)
		}
	}
	c.disproveIf(!reads)
}

// runsPackaged runs its operands as a program that comes from a package.
func runsPackaged(c *Invocation) {
	c.runsTexts(&c.Args)
	c.packaged(&c.Args, 0, pyPackages)
}

// refineCoverage: of these, coverage runs modules.
func refineCoverage(c *Invocation) {
	if c.LiteralOperand(0) == "run" && ProgramName(c.Argv) == "coverage" {
		c.moduleIn(c.Argv[1:])
	}
}

// pythonModule is python -m MODULE ARGUMENTS.
func pythonModule(c *Invocation, u *Used) {
	at := u.at + 1
	if slices.Contains(c.Values, at) {
		at++
	}
	args := c.Argv[min(at, len(c.Argv)):]
	if u.Value.Known && u.Value.Text == "json.tool" {
		c.jsonTool(u, args)
		return
	}
	c.Disprove("")
	c.runsModule(&u.Value, args, at-1)
}

// runsModule runs a module of Python as the program it is.
func (c *Invocation) runsModule(module *shell.Word, args []shell.Word, at int) {
	if !module.Known {
		return
	}
	in := Inner{Kind: InnerArgv, Via: ProgramName(c.Argv) + " -m", Argv: append([]shell.Word{*module}, args...), At: at}
	files, name := moduleFiles(args), moduleProgram(module.Text)
	if name != module.Text { // rules may name the one or the other
		c.within(in)
		in.Argv = append([]shell.Word{shell.Literal(name, module)}, args...)
	}
	if in.Itself = !shell.Among("venv zipfile tarfile", name); !shell.Among("http aws", name) {
		in.Standing = Guessed() // but http and aws send what they are fed
	}
	c.runs(in)
	switch name {
	case "venv":
		if c.Recursive = true; len(files) > 0 {
			c.write(files[len(files)-1])
		}
	case "zipfile", "tarfile":
		if len(files) > 0 {
			c.pythonArchive(args[0].Text, files)
		}
	case "http.server":
		c.serves(args)
	case "timeit":
		for i := range args {
			c.ProgramText(in.Via, &args[i])
		}
	case "coverage", "cProfile", "profile", "trace", "pdb", "runpy", "pyinstrument", "scalene", "viztracer", "memray",
		"kernprof", "memory-profiler", "line-profiler", "debugpy", "IPython", "ipython", "torch.distributed.run",
		"torch.distributed.launch":
		c.moduleIn(args)
	}
}

// serves reads all of the folder that python -m http.server shows to the network.
func (c *Invocation) serves(args []shell.Word) {
	dir := c.here()
	for i := range args {
		if value, ok := strings.CutPrefix(args[i].Text, "--directory="); ok {
			dir = new(shell.Suffix(&args[i], len(args[i].Text)-len(value)))
		} else if i > 0 && shell.Among("-d --directory", args[i-1].Text) {
			dir = &args[i]
		}
	}
	c.Recursive = true
	c.read(dir)
}

// moduleIn runs the module that the words of a profiler, a debugger or the like name after -m; options of their own may
// come between.
func (c *Invocation) moduleIn(args []shell.Word) {
	after := false
	for i := range args {
		t := args[i].Text
		letters, short := strings.CutPrefix(t, "-")
		cluster := short && len(letters) < 4 && strings.HasSuffix(letters, "m") && letters[0] != '-' // kernprof -lm
		switch {
		case t == "--module" || cluster:
			after = true
		case after && !strings.HasPrefix(t, "-"):
			c.runsModule(&args[i], args[i+1:], 0)
			return
		}
	}
}

// moduleProgram is the program that a module of Python is.
func moduleProgram(module string) string {
	module, _, _ = strings.Cut(module, "._") // pip.__main__, pip._internal
	switch module {
	case "httpie":
		return "http"
	case "awscli":
		return "aws"
	case "django":
		return "django-admin"
	case "sphinx":
		return "sphinx-build"
	}
	return strings.ReplaceAll(module, "_", "-")
}

// moduleFiles are the words of a module that are no options.
func moduleFiles(args []shell.Word) []*shell.Word {
	var files []*shell.Word
	for i := range args {
		if w := &args[i]; w.Known && (w.Text == "-" || !strings.HasPrefix(w.Text, "-")) {
			files = append(files, w)
		}
	}
	return files
}

// jsonTool is python -m json.tool [INPUT [OUTPUT]]. Without -I or -P a json
// directory in the working directory is what runs.
func (c *Invocation) jsonTool(u *Used, args []shell.Word) {
	files, isolated := moduleFiles(args), false
	if len(files) > 0 {
		c.read(files[0])
	}
	if len(files) > 1 {
		c.write(files[len(files)-1])
		c.Disprove("")
	}
	for o := range c.options() {
		if o.at <= u.at {
			isolated = isolated || o.Name == "I" || o.Name == "P"
			c.disproveIf(!strings.Contains("mIPEsSBbqu", o.Name))
		}
	}
	c.disproveIf(!isolated || slices.ContainsFunc(args, jsonToolUnknown))
}

// jsonToolUnknown reports whether a word is no file, and no option of json.tool
// that only says how its output looks.
func jsonToolUnknown(w shell.Word) bool {
	if t := shell.LiteralPrefix(&w); w.Known && (t == "-" || !strings.HasPrefix(t, "-")) {
		return false
	}
	return !shell.Among("--sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact", w.Text)
}

// pythonArchive is python -m zipfile and tarfile, -e ARCHIVE [FOLDER] or -c ARCHIVE FILE...
func (c *Invocation) pythonArchive(verb string, files []*shell.Word) {
	switch verb {
	case "-e", "--extract":
		dir := c.here()
		if len(files) > 1 {
			dir = files[len(files)-1]
		}
		c.read(files[0])
		c.unpacks(dir, c.archive(files[0], c.Cwd))
	case "-c", "--create":
		c.write(files[0])
	}
}
