package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

const (
	runnerFlags  = "-qvxbiuw watch coverage bail"
	runnerValues = "-tgnjek testNamePattern grep timeout testTimeout project maxWorkers tag example seed"
)

var runnerOpts = []Opt{
	{"-c config", OptArg, LoadsValue}, {"-C config-file rootDir root", HasArg, LoadsValue},
	{"-rRf globalSetup globalTeardown setupFiles setupFilesAfterEnv testEnvironment env environment runner testRunner reporters reporter resolver", HasArg, 0},
	{"testResultsProcessor testSequencer transform filter require format ui file options default-path import", HasArg, 0},
	{"-o out outputFile", HasArg, Writes}, {"coverageDirectory cacheDirectory", HasArg, Writes}, {"node-option", HasArg, 0},
}

// Options of test runners whose value is a module: by its path it is code that is loaded, by its name one that is
// installed.
const (
	testModules = "--globalSetup|--globalTeardown|--setupFiles|--setupFilesAfterEnv|--testEnvironment|--env|--runner|" +
		"--testRunner|--reporters|" +
		"--resolver|--testResultsProcessor|--testSequencer|--transform|--filter"
	testPaths = `=TEXT:.*|/*|~*|*:"*`
)

var runnerForms = []Form{
	{"=vitest|mocha|ava|karma|rspec|cucumber", Binds, ""}, {"=playwright test", Binds, ""}, {"=cypress run", Binds, ""},
	{"-r|-R|-f|--environment|--reporter|--require|--format|--ui|--file|--options|--import|" + testModules + testPaths, Narrows, optionLoadsCode},
	{"-r|--require=TEXT:-*", Narrows, optionLoadsCode}, // or the option takes no value, and the next one names it
	{"-n|--node-option=TEXT:*require*|*import*", Narrows, "an option of node loads code"},
}

// buildCommands build and test projects. What a build file or a configuration
// of the project names is the project's own code, and a rule that allows the
// program allows that; options that name another build file, a program or code
// elsewhere narrow.
var buildCommands = []Command{
	{
		Names: "cmake", Title: "generates build files", Flags: "-NLH fresh verbose version help trace debug-output log-context clean-first use-stderr install",
		Values: "-GASBUWTtj target config preset parallel component build log-level strip",
		Opts: []Opt{
			{"-PC", HasArg, Unsafe}, {"toolchain debugger-pipe", HasArg, Unsafe}, {"trace-redirect graphviz", HasArg, WritesValue}, {"prefix", HasArg, Writes},
			{"-D", HasArg, 0}, {"-E", NoArg, 0},
		},
		refine: refineCmake,
	},
	{
		Names: "ctest", Forms: []Form{{"-T|-D|-S", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere}}, Title: "runs tests", Flags: "-VNFQ extra-verbose output-on-failure verbose show-only rerun-failed stop-on-failure progress version help",
		Values: "-RELCjIT timeout repeat preset test-dir parallel label-regex",
		Opts:   []Opt{{"-SD script build-and-test", HasArg, Unsafe}, {"test-command", HasArg, Executes}, {"-O output-log output-junit", HasArg, Writes}},
	},
	{
		Names: "ninja samu", Forms: []Form{{"-t", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "builds a project", Flags: "-nv version help quiet verbose", Values: "-jkltdw", Opts: []Opt{{"-f", HasArg, Unsafe}, {"-C", HasArg, WorkDir}},
	},
	{
		Names: "meson", Title: "builds a project", Values: "-CDjt buildtype prefix", Opts: []Opt{{"cross-file native-file", HasArg, Unsafe}, {"wrap wrapper", HasArg, Executes}},
		Style: StopAtOperand, Forms: []Form{{"devenv COMMAND", Runs, ""}}, refine: refineMeson,
	},
	{
		Names: "bazel bazelisk", Title: "builds a project", Flags: "-ks keep_going", Values: "-cj config jobs test_output compilation_mode define test_filter platforms",
		Opts: []Opt{
			{"bazelrc server_javabase host_jvm_args output_base override_repository override_module extra_toolchains remote_executor registry", HasArg, Unsafe},
			{"workspace_status_command run_under", HasArg, Executes},
			{"script_path profile build_event_json_file build_event_text_file build_event_binary_file execution_log_json_file explain symlink_prefix", HasArg, WritesValue},
		},
	},
	{
		Names: "mvn mvnw mvnd", Forms: []Form{{"NAME...:*:*", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "builds a project", Style: SingleDash, Flags: "q o U X e B am amd fae fn ff N C c v V ntp version help", Values: "T pl rf P",
		Opts: []Opt{{"Doutput DoutputFile Doutputfile", HasArg, WritesValue}, {"f file s settings gs global-settings t toolchains b builder", HasArg, Unsafe}, {"l log-file", HasArg, WritesValue}}, refine: refineMvn,
	},
	{
		Names: "gradle gradlew", Forms: []Form{{"--scan", Unbinds, ""}, {"NAME...:wrapper|init", Unbinds, ""}}, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "builds a project", Flags: "-qidswmavhS quiet info debug stacktrace offline no-daemon parallel continue all scan build-cache rerun-tasks stop version warn",
		Values: "-xPDp tests exclude-task console max-workers warning-mode project-dir",
		Opts:   []Opt{{"-IbcgF init-script build-file settings-file gradle-user-home project-cache-dir include-build", HasArg, Unsafe}}, refine: refineMvn,
	},
	{
		Names: "ant", Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "builds a project", Style: SingleDash, Flags: "q v d k e S verbose quiet debug version diagnostics projecthelp p",
		Opts: []Opt{{"f file buildfile lib propertyfile logger listener inputhandler main find s", HasArg, Unsafe}, {"l logfile", HasArg, WritesValue}},
	},
	{
		Names: "sbt", Parser: ArgFiles, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "builds a project", Style: SingleDash, Flags: "batch client no-colors v d version",
		Opts: []Opt{{"sbt-dir sbt-boot sbt-jar java-home addPluginSbtFile ivy", HasArg, Unsafe}}, refine: refineSbt,
	},
	{
		Names: "rake", Special: &Special{Project: &Running{By: RunsHere, Named: true}, Language: rubyText}, Title: "runs tasks of a Rakefile", Flags: "-TDPnqstvVWAjmN tasks verbose quiet trace dry-run version help all",
		Opts: []Opt{{"-frRI rakefile require rakelibdir libdir", HasArg, Unsafe}, {"-epE execute execute-print execute-continue", HasArg, ObeysValue}, {"-gG", NoArg, Unsafe}},
	},
	{
		Names: "mage", Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "runs tasks of a magefile", Flags: "-lvhf", Values: "-t", Opts: []Opt{{"-dw", HasArg, Unsafe}}, Style: SingleDash,
	},
	{
		Names: "jest", Parser: EveryLetter, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "runs tests",
		Flags: "-beifouvh all automock bail cache ci clearMocks colors coverage debug detectLeaks detectOpenHandles errorOnDeprecated expand " +
			"findRelatedTests forceExit help json lastCommit listTests logHeapUsage noStackTrace notify onlyChanged onlyFailures passWithNoTests " +
			"randomize resetMocks resetModules restoreMocks runInBand runTestsByPath showConfig showSeed silent testLocationInResults " +
			"updateSnapshot useStderr verbose version watch watchAll watchman no-cache no-coverage no-watchman",
		Values: "-tw changedSince collectCoverageFrom coverageThreshold ignoreProjects maxConcurrency maxWorkers " +
			"openHandlesTimeout seed selectProjects shard testMatch testNamePattern testPathIgnorePatterns testPathPattern testPathPatterns " +
			"testRegex testTimeout",
		Opts: []Opt{
			{"-c config rootDir", HasArg, LoadsValue}, {"outputFile coverageDirectory cacheDirectory", HasArg, Writes},
			{"globalSetup globalTeardown setupFiles setupFilesAfterEnv testEnvironment env runner testRunner reporters resolver", HasArg, 0},
			{"coverageReporters testResultsProcessor testSequencer transform filter", HasArg, 0},
		},
		Forms: []Form{{"--coverageReporters|" + testModules + testPaths, Narrows, optionLoadsCode}},
	},
	{
		Names: "vitest mocha ava cypress playwright karma", Parser: EveryLetter, Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "runs tests", Flags: runnerFlags,
		Values: runnerValues, Opts: runnerOpts, Forms: runnerForms,
	},
	{
		Names: "rspec cucumber", Special: &Special{Project: &Running{By: RunsHere, Named: true}}, Title: "runs tests",
		Flags: runnerFlags, Values: runnerValues, Opts: runnerOpts, Forms: runnerForms,
	},
	{
		Names: "phpunit pest", Special: &Special{Project: &Running{By: RunsHere}}, Title: "runs tests", Values: "filter group exclude-group testsuite",
		Opts:  []Opt{{"-c configuration bootstrap", HasArg, LoadsValue}, {"-d", HasArg, 0}, {"printer loader include-path", HasArg, Unsafe}, {"log-junit log-teamcity testdox-html testdox-text coverage-html coverage-clover coverage-xml coverage-text", HasArg, Writes}},
		Forms: []Form{{"-d=TEXT:*prepend*|*append*|*extension*", Narrows, "-d loads code"}},
	},
	{
		Names: "protoc", Title: "generates code", Flags: "decode_raw version help", Values: "-I proto_path encode decode", Opts: []Opt{{"plugin", HasArg, Executes}, {"-o descriptor_set_out dependency_out", HasArg, Writes}},
		Forms: []Form{{"--decode_raw", Proves, ""}}, Bare: true, refine: refineProtoc, Parser: ArgFiles,
	},
	{
		Names: "ld ld.lld ld.gold lld mold", Title: "links programs", Style: SingleDash, Values: "L l m e z soname rpath dynamic-linker",
		Opts: []Opt{{"plugin plugin-opt", HasArg, Unsafe}, {"T script", HasArg, Reads}, {"o output Map", HasArg, Writes}}, Operands: Reads, Parser: ArgFiles,
	},
	{
		Names: "windres dlltool", Title: "makes object files for Windows", Opts: []Opt{{"preprocessor as", HasArg, Executes}, {"-S", HasArg, Executes}, {"-o output", HasArg, Writes}},
		Operands: Reads, Parser: ArgFiles,
	},
	{Names: "rustup", Title: "installs Rust", Flags: "-qv verbose quiet", Style: StopAtOperand, ReadsSome: true, refine: refineRustup},
	{
		Names: "rustdoc", Parser: ArgFiles, Title: "builds the documentation of a crate", Values: "-LlC edition crate-name cfg", Opts: []Opt{{"test-runtool test-builder", HasArg, Executes}, {"-o out-dir", HasArg, Writes}},
		Operands: Reads,
	},
	{
		Names: "ccache sccache distcc nyc c8", Title: "runs a command with caching or counting", Style: StopAtOperand, Flags: "-sCzVhkn show-stats version help all check-coverage clean silent",
		Values: "-roxcFM reporter report-dir temp-dir temp-directory include exclude max-size", Opts: []Opt{{"require", HasArg, Unsafe}, {"set-config", HasArg, Unsafe}}, RunsRest: true,
	},
}

// refineCmake: -E is a toolbox, -D may name programs, what follows -- goes to the build program.
func refineCmake(c *Invocation) {
	for u := range c.options() {
		switch u.Name {
		case "D":
			name, value, _ := strings.Cut(u.Value.Text, "=")
			if name, _, _ = strings.Cut(name, ":"); cmakeRuns(name, value) {
				c.Narrow("-D" + name + " names a program or a script that is run")
			}
		case "E":
			c.Unknown = nil
			c.cmakeTool(c.Argv[u.at+1:])
			return
		}
	}
	if c.DashDash > 0 && slices.ContainsFunc(c.Argv[c.DashDash+1:], steersBuild) {
		c.Narrow("what follows -- goes to the build program")
	}
}

// cmakeRuns reports whether a variable names a program or a script.
func cmakeRuns(name, value string) bool {
	runs := name == "CMAKE_MAKE_PROGRAM" || endsWithAny(name, "_LAUNCHER", "_INCLUDE", "_INCLUDE_BEFORE")
	return runs || endsWithAny(name, "_COMPILER", "_LINKER") && strings.Contains(value, "/")
}

// steersBuild reports a word for make or ninja that says more than how many jobs there are.
func steersBuild(w shell.Word) bool {
	switch t := w.Text; t {
	case "-k", "-v", "VERBOSE=1":
		return false
	default:
		return !shell.StartsWithAny(t, "-j", "-l") && !shell.Number(t)
	}
}

// cmakeTool is cmake -E COMMAND.
func (c *Invocation) cmakeTool(argv []shell.Word) {
	if len(argv) == 0 {
		return
	}
	in := Inner{Kind: InnerArgv, Via: "cmake -E"}
	switch argv[0].Text {
	case "env", "time":
		argv = argv[1:]
		for len(argv) > 0 && (strings.Contains(argv[0].Text, "=") || strings.HasPrefix(argv[0].Text, "-")) {
			argv = argv[1:]
		}
		in.Argv = argv
	case "chdir":
		if len(argv) > 2 {
			in.Dir, in.Argv = &argv[1], argv[2:]
		}
	case "rm", "tar":
		in.Argv = argv
	case "copy_directory", "copy_directory_if_different", "copy_directory_if_newer": // what is in them
		in.Argv = []shell.Word{shell.Literal("cp", &argv[0]), shell.Literal("-r", &argv[0])}
		for i, w := range argv[1:] {
			if i+2 < len(argv) {
				w.Text += "/."
			}
			in.Argv = append(in.Argv, w)
		}
	case "copy", "copy_if_different", "rename", "create_symlink", "create_hardlink":
		in.Argv = append([]shell.Word{shell.Literal("cp", &argv[0])}, argv[1:]...)
	case "remove", "remove_directory":
		in.Argv = append([]shell.Word{shell.Literal("rm", &argv[0]), shell.Literal("-r", &argv[0])}, argv[1:]...)
	case "touch", "touch_nocreate", "make_directory":
		in.Argv = append([]shell.Word{shell.Literal("touch", &argv[0])}, argv[1:]...)
	}
	c.runs(in)
}

func refineMeson(c *Invocation) {
	sub := parseArgs(c.Argv, c.From, 0, []*Command{c.Cmd})
	c.laterHoles(c.rest(1))
	for i := range sub.Opts {
		if sub.Opts[i].does != 0 {
			c.Narrow("--" + sub.Opts[i].Name + " names a program, or a file that does")
			break
		}
	}
}

// refineMvn looks for properties and goals that name programs.
func refineMvn(c *Invocation) {
	for i := range c.Argv[1:] {
		t := strings.TrimPrefix(c.Argv[i+1].Text, "-D")
		for _, f := range [...]string{
			"exec.executable", "exec.mainClass", "maven.ext.class.path", "argLine=", "remoteRepositories=", "org.gradle.jvmargs", "org.gradle.java.home", "jvm=/", "jvm=.",
			"exec:exec", "exec:java", "antrun:", "exec-maven-plugin", "groovy-maven-plugin", "gmavenplus",
		} {
			if strings.HasPrefix(t, f) || strings.Contains(t, ":"+f) {
				c.Narrow(f + " names a program or code that is run")
				c.mavenRuns()
				return
			}
		}
	}
}

// mavenRuns shows the command of exec:exec, which two settings hold.
func (c *Invocation) mavenRuns() {
	command, at := [2]string{}, &c.Argv[0]
	for _, w := range c.words() {
		for i, key := range [...]string{"-Dexec.executable=", "-Dexec.args="} {
			if value, ok := strings.CutPrefix(w.Text, key); ok {
				command[i], at = value, w
			}
		}
	}
	c.scan("exec:exec", strings.Join(command[:], " "), at)
}

// refineSbt: operands are commands; some of them run code or programs.
func refineSbt(c *Invocation) {
	for _, i := range c.Operands {
		t := strings.TrimLeft(c.Argv[i].Text, "; ")
		if !c.Argv[i].Known || shell.StartsWithAny(t, "eval", "set ", "!", "<") || strings.Contains(t, "; !") {
			c.Narrow("the command runs code or another program")
			return
		}
	}
	for _, u := range c.Unknown {
		if shell.StartsWithAny(u, "J-javaagent", "J-agent", "Dsbt.") {
			c.Narrow("-" + u + " loads code")
		}
	}
}

// refineProtoc: --x_out=[OPTIONS:]DIRECTORY is where the plugin x writes.
func refineProtoc(c *Invocation) {
	for i := 1; i < len(c.Argv); i++ {
		name, dir, ok := strings.Cut(c.Argv[i].Text, "=")
		switch {
		case ok && shell.StartsWithAny(name, "--") && strings.HasSuffix(name, "_out") && c.Option(name[2:]) == nil:
			dir = dir[strings.LastIndexByte(dir, ':')+1:]
			c.write(new(shell.Suffix(&c.Argv[i], len(c.Argv[i].Text)-len(dir))))
		case strings.HasSuffix(name, ".proto") && !strings.HasPrefix(name, "-"):
			c.read(&c.Argv[i])
		}
	}
	c.disproveIf(len(c.Opts) > 1)
}

func refineRustup(c *Invocation) {
	c.disproveIf(!c.listsToolchains())
	if argv := c.rest(2); c.LiteralOperand(0) == "run" && len(argv) > 0 {
		if argv[0].Text == "--install" {
			argv = argv[1:]
		}
		c.runs(Inner{Kind: InnerArgv, Via: "rustup", Argv: argv})
	}
}

// listsToolchains reports the only list that asks none of the toolchains.
func (c *Invocation) listsToolchains() bool {
	if c.LiteralOperand(0) != "toolchain" || c.LiteralOperand(1) != "list" {
		return false
	}
	switch rest := c.rest(2); len(rest) {
	case 0:
		return true
	case 1:
		return rest[0].Known && (rest[0].Text == "-v" || rest[0].Text == "-q")
	}
	return false
}

// javaCommands compile and run Java.
var javaCommands = []Command{
	{
		Names: "java javaw", InfoFlags: "-version --version -help --help -h", Title: "runs Java", Style: StopAtOperand | SingleDash,
		Flags: "version showversion version help h ? X server client ea esa da enableassertions disableassertions enable-preview " +
			"dry-run list-modules validate-modules show-module-resolution",
		Values: "cp classpath class-path p module-path m module add-modules add-opens add-exports add-reads limit-modules",
		Opts:   []Opt{{"jar", HasArg, Reads}}, refine: refineJava,
		Special: &Special{Losses: []Loss{{Of: OfCodeHost, Names: "java", Values: "-s auth http user", Style: SingleDash, fits: jenkinsDeletes}}},
	},
	{
		Names: "javac javadoc", InfoFlags: "-version --version -help --help", Title: "compiles Java", Style: SingleDash, Parser: ArgFiles,
		Flags: "g nowarn verbose deprecation help help-extra version X parameters Werror Xlint enable-preview private public protected " +
			"package quiet author use splitindex linksource",
		Values: "cp classpath class-path sourcepath source-path source target release encoding bootclasspath extdirs endorseddirs p " +
			"module-path module-source-path m module add-modules add-exports limit-modules system upgrade-module-path Xmaxerrs " +
			"Xmaxwarns windowtitle doctitle header bottom link subpackages exclude tag overview locale",
		Opts: []Opt{
			{"processor processorpath processor-path processor-module-path doclet docletpath taglet tagletpath", HasArg, Unsafe},
			{"d h s", HasArg, Writes},
		},
		Operands: Reads, refine: func(c *Invocation) { c.javaOptions(c.Unknown) },
	},
}

// refineJava: what follows the class or -jar is the program's own.
func refineJava(c *Invocation) {
	end, unknown := len(c.Argv), c.Unknown
	if jar := c.Option("jar"); jar != nil {
		end = jar.at
		c.touch(shell.Execute, &jar.Value, false)
		before := parseArgs(c.Argv[:end], 1, c.Cmd.Style, []*Command{c.Cmd})
		unknown = before.Unknown
	}
	c.javaOptions(unknown)
	if len(c.Operands) > 0 {
		end = min(end, c.Operands[0]+1)
	}
	c.optionFile(end)
}

// optionFile narrows a file of options before a place, see ArgFiles.
func (c *Invocation) optionFile(end int) {
	for i := c.From; i < end; i++ {
		if strings.HasPrefix(c.Argv[i].Text, "@") {
			c.Narrow("a file of options can load code")
			return
		}
	}
}

// javaOptions narrows options whose value hangs on a colon.
func (c *Invocation) javaOptions(unknown []string) {
	for _, u := range unknown {
		u = strings.TrimPrefix(u, "J-") // for the machine below the compiler
		switch {
		case shell.StartsWithAny(u, "XX:On", "XX:Flags", "XX:VMOptionsFile", "XX:CompileCommandFile", "XX:+",
			"XX:LogFile", "XX:HeapDumpPath", "XX:Dump"):
			if !shell.Among("XX:+UseG1GC XX:+UseZGC XX:+UseSerialGC XX:+UseParallelGC", u) {
				c.Narrow("-" + u + " can run a command or write a file")
			}
		case shell.StartsWithAny(u, "Xlint", "Xdoclint", "Xdiags", "g:", "implicit:", "Xm", "Xss", "XX:", "D", "ea:",
			"da:", "Xshare", "verbose:"), shell.Among("proc:none proc:full proc:only Xint Xcomp", u):
		default:
			c.Narrow("-" + u + " can load code or write a file")
		}
	}
}

// jenkinsDeletes: the client of Jenkins is a jar, its command a word after it.
func jenkinsDeletes(r *reading) bool {
	return r.given("-jar=*jenkins-cli*.jar", false) && r.fitsPattern("** "+jenkinsVerbs)
}
