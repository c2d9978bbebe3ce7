package commands

// taskCommands run the named scripts of a file of the project. What they run is
// known only where Env.Script reads that file (script_runners.go).
var taskCommands = []Command{
	{
		Names: "just", Title: "runs recipes of a justfile",
		Special: &Special{Project: &Running{By: RunsHere, Named: true, Not: "command c edit e init fmt choose"}, Scripts: &ScriptRunner{
			Name: "just", Dir: "d working-directory", File: "f justfile", Beside: true, words: namedScripts,
			None: "n dry-run l list s show summary dump evaluate choose g global-justfile c command e edit init fmt V version h help completions man variables groups usage",
		}},
		Flags: "-lnquvhV allow-missing changelog check choose clear-shell-args dry-run dump evaluate explain fmt groups help highlight " +
			"init json list-submodules man no-aliases no-deps no-dotenv no-highlight one quiet shell-command summary time timestamp " +
			"unsorted unstable variables verbose version yes",
		Values:    "-ds alias-style ceiling color command-color completions cygpath dump-format dotenv-filename list-heading list-prefix set show tempdir timestamp-format usage working-directory",
		OptValues: "list",
		Opts: []Opt{
			{"-f justfile", HasArg, Unsafe}, {"-g global-justfile", NoArg, Unsafe}, {"-E dotenv-path", HasArg, Unsafe},
			{"shell chooser", HasArg, Executes}, {"shell-arg", HasArg, Unsafe}, {"-c command", NoArg, Executes}, {"-e edit", NoArg, Unsafe},
		},
		refine: refineJust,
	},
	{
		Names: "mise", Title: "installs tools, and runs tasks and commands with them", Style: StopAtOperand, refine: refineVerb,
		Special: &Special{Project: &Running{By: RunsTask, Verbs: "run r", Named: true, Not: "E env t tool n"}, Scripts: &ScriptRunner{
			Name: "mise", Dir: "C cd", None: "n dry-run h help V version", words: wordScripts,
			Own: "activate alias backends bin-paths b cache completion config cfg current deactivate doctor dr en env e exec x fmt " +
				"generate gen g implode install i install-into latest link ln lock ls list ls-remote outdated plugins p prepare prune " +
				"registry reshim search self-update set settings shell sh shell-alias sync tasks t test-tool tool tool-alias tool-stub " +
				"trust uninstall unset untrust unuse rm remove upgrade up use u version v watch w where which help",
		}},
		Flags: "-qvyhV quiet verbose yes help version raw silent no-config locked", Values: "-EjPst env jobs profile shell tool log-level output",
		Opts: []Opt{{"-C cd", HasArg, WorkDir}},
	},
	{
		Names: "task go-task", Title: "runs tasks of a Taskfile",
		Special: &Special{Project: &Running{By: RunsHere, Named: true, Not: "init"}, Scripts: &ScriptRunner{
			Name: "task", Dir: "d dir", File: "t taskfile", Beside: true, words: namedScripts,
			None: "n dry l list a list-all summary status i init g global h help version completion experiments",
		}},
		Flags: "-acfhilnpsvwxyFj color disable-fuzzy dry exit-code experiments failfast force force-all help init insecure json list " +
			"list-all nested no-status output-group-error-only parallel silent status summary verbose version watch yes offline " +
			"download clear-cache",
		Values: "-dCIo dir concurrency interval output output-group-begin output-group-end sort timeout expiry completion remote-cache-dir trusted-hosts cacert cert cert-key",
		Opts:   []Opt{{"-t taskfile", HasArg, Unsafe}, {"-g global", NoArg, Unsafe}},
	},
}

// refineJust: --command runs the operands.
func refineJust(c *Invocation) {
	if argv := c.rest(0); len(argv) > 0 && c.Has("c", "command") {
		c.runs(Inner{Kind: InnerArgv, Via: "just --command", Argv: argv})
	}
}
