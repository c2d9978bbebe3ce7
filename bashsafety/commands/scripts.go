package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// npmScripts reads npm run X and the commands that run scripts of their own name.
func npmScripts(c *Invocation, out *ScriptCall, words []int) {
	verb := ""
	if len(words) > 0 {
		verb = c.Argv[words[0]].Text
	}
	rest := words[min(1, len(words)):]
	if len(verb) > 1 && strings.HasPrefix("run-script", verb) { // npm takes the start of a name
		verb = "run"
	}
	switch verb {
	case "run", "rum", "urn":
		if len(rest) == 0 { // lists them
			out.Ref.Runner = ""
			return
		}
		out.name(&c.Argv[rest[0]])
		if rest = rest[1:]; len(rest) > 0 && len(c.Unknown) > 0 { // npm run --option value X
			out.name(&c.Argv[rest[0]])
		}
	case "test", "t", "tst":
		out.Ref.Names = []string{"test"}
	case "start", "stop", "version":
		out.Ref.Names = []string{verb}
	case "restart":
		out.Ref.Names = []string{"restart", "stop", "start"}
	case "publish", "pack":
		out.Ref.Names, rest = []string{verb, "prepublishOnly", "pack", "prepare"}, nil
	case "install", "i", "ci", "clean-install", "install-test", "it", "cit", "install-ci-test":
		c.installs(out, rest)
		if rest = nil; strings.HasSuffix(verb, "t") && out.Ref.Runner != "" {
			out.Ref.Names = append(out.Ref.Names, "test")
		}
	default:
		out.Ref.Runner = ""
	}
	for _, i := range rest {
		out.Args = append(out.Args, c.Argv[i])
	}
}

// installs are the scripts of the project that run when all it needs is
// installed; where packages are named, only theirs do.
func (c *Invocation) installs(out *ScriptCall, packages []int) {
	out.Ref.Names = []string{"install", "prepublish", "prepare"}
	if len(packages) > 0 || c.Has("ignore-scripts") {
		out.Ref.Runner = ""
	}
}

// wordScripts reads a runner that takes everything after the name of the
// script for the script's. It runs a script when no command of its own has that
// name; those of its own that run scripts run the ones of their name.
func wordScripts(c *Invocation, out *ScriptCall, words []int) {
	if len(words) == 0 {
		if out.Ref.Runner == "yarn" { // alone it installs
			c.installs(out, nil)
		} else {
			out.Ref.Runner = ""
		}
		return
	}
	if words = c.inWorkspace(out, words); len(words) == 0 {
		return
	}
	at := words[0]
	if name := c.unknownBefore(at); name != "" {
		out.Why = "unknown option " + name // it may take the next word
		return
	}
	switch verb := c.Argv[at].Text; {
	case verb == "run", verb == "run-script", verb == "r" && out.Ref.Runner == "mise":
		p := parseArgs(c.Argv, at+1, StopAtOperand, []*Command{&runOptions})
		if c.Cmd.Style&StopAtOperand != 0 { // else they are among c.opts
			out.opts = p.Opts
		}
		switch {
		case len(p.Unknown) > 0:
			out.Why = "unknown option " + p.Unknown[0]
			return
		case len(p.Operands) == 0:
			out.Ref.Runner = ""
			return
		}
		at = p.Operands[0]
	case shell.Listed(c.Cmd.Special.Scripts.Own, verb), out.Ref.Runner == "bun" && strings.ContainsAny(verb, "./"):
		out.Ref.Runner = ""
		return
	}
	out.name(&c.Argv[at])
	switch {
	case out.Ref.Runner == "mise":
	case len(out.Ref.Names) == 0:
	case at != words[0]: // run NAME
	case out.Ref.Names[0] == "t", out.Ref.Names[0] == "tst":
		out.Ref.Names[0] = "test"
	case out.Ref.Names[0] == "add" && out.Ref.Runner == "yarn":
		c.installs(out, nil)
	case out.Ref.Names[0] == "i", out.Ref.Names[0] == "install", out.Ref.Names[0] == "ci":
		c.installs(out, words[1:])
	case out.Ref.Names[0] == "publish", out.Ref.Names[0] == "pack":
		out.Ref.Names = []string{out.Ref.Names[0], "prepublishOnly", "pack", "prepare"}
	}
	for i := at + 1; out.Ref.Runner == "mise" && i+1 < len(c.Argv); i++ {
		if c.Argv[i].Text == ":::" { // another task
			out.name(&c.Argv[i+1])
		}
	}
	out.end = at + 1
	if out.Args = c.Argv[at+1:]; len(out.Args) > 0 && out.Args[0].Text == "--" {
		out.Args = out.Args[1:]
	}
}

// inWorkspace takes off what names other packages: yarn workspace NAME, yarn workspaces foreach.
func (c *Invocation) inWorkspace(out *ScriptCall, words []int) []int {
	switch verb := c.Argv[words[0]].Text; {
	case verb != "workspace" && verb != "workspaces":
		return words
	case len(words) < 3:
		out.Ref.Runner = ""
		return nil
	}
	out.Ref.Others = true
	if words = words[2:]; shell.Among("exec dlx node", c.Argv[words[0]].Text) {
		out.Ref.Runner = ""
	}
	return words
}

// eachScript reads npm-run-all and its kin, whose operands are scripts; those of many packages have verbs in front.
func eachScript(c *Invocation, out *ScriptCall, words []int) {
	for _, i := range words {
		w := c.Argv[i]
		switch name := strings.Fields(w.Text); {
		case !w.Known || len(name) == 0 || shell.Among("run run-many affected", w.Text):
		case !shell.Among("npm-run-all run-s run-p", ProgramName(c.Argv)):
			out.Ref.Others = true
			at := strings.Index(name[0], ":") // nx run PACKAGE:SCRIPT
			out.Ref.Names = append(out.Ref.Names, name[0], name[0][at+1:])
		default:
			out.Ref.Names = append(out.Ref.Names, name[0])
		}
	}
	if len(out.Ref.Names) == 0 {
		out.Ref.Runner = ""
	}
}

// nodeScripts reads node --run NAME.
func nodeScripts(c *Invocation, out *ScriptCall, _ []int) {
	if o := c.Option("run"); o != nil && o.Given {
		out.name(&o.Value)
	} else {
		out.Ref.Runner = ""
	}
}

// unknownBefore returns an option in front of the word at that the grammar does
// not list and that has no value attached.
func (c *Invocation) unknownBefore(at int) string {
	for i := 1; i < at; i++ {
		word := c.Argv[i].Text
		if !strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		for _, name := range c.Unknown {
			inCluster := !strings.HasPrefix(word, "--") && strings.HasSuffix(word, name)
			if word == "--"+name || word == "-"+name || inCluster {
				return name
			}
		}
	}
	return ""
}

// runOptions are the options after run of pnpm, yarn, bun and mise.
var runOptions = Command{
	Flags: "-bfqrsvFy silent if-present bun smol hot watch no-clear-screen parallel stream aggregate-output " +
		"sequential no-bail recursive quiet raw force yes verbose report-summary reverse top-level binaries-only " +
		"inspect inspect-brk interactive timings skip-deps",
	Values: "-Cjt cwd dir prefix cd filter resume-from reporter-hide-prefix jobs output tool shell " +
		"workspace-concurrency reporter loglevel",
}

// namedScripts reads make, just and task: every word is a target or a setting.
func namedScripts(c *Invocation, out *ScriptCall, words []int) {
	for _, i := range words {
		w := &c.Argv[i]
		switch {
		case c.DashDash > 0 && i > c.DashDash && out.Ref.Runner == "task": // for the script, as CLI_ARGS
		case w.Known && strings.Contains(w.Text, "="):
			out.Ref.Vars = append(out.Ref.Vars, w.Text)
		default:
			out.name(w)
		}
	}
}

func (s *ScriptCall) name(w *shell.Word) {
	if !w.Known {
		s.Why = "the script name is unknown"
		return
	}
	s.Ref.Names = append(s.Ref.Names, w.Text)
}

// A ScriptRef names the scripts of a project that a command of a script runner
// asks for: npm run build, make test.
type ScriptRef struct {
	Runner string   // npm, pnpm, yarn, bun, make, just, task, mise
	Dir    string   // where the runner starts to look, absolute
	File   string   // the file an option names, absolute; "" to search for it
	Names  []string // the scripts as typed; none: the runner's default
	Vars   []string // NAME=value words of the command
	Others bool     // those of other packages of the same project are meant, or may be
	// Written are the texts that the text itself wrote into a file before; nil where it wrote none.
	Written func(name string) []shell.Written
}

// A ScriptCall is what the words of a runner's command say of the scripts it
// runs.
type ScriptCall struct {
	Ref  ScriptRef // without Dir and File
	Cwd  shell.CwdState
	File *shell.Word
	opts []Used       // options of the runner after the word run
	Args []shell.Word // what the runner appends to the script
	Why  string       // why the script cannot be told from the words
	end  int          // where the words of the script start, and options are no longer the runner's
	// BesideFile is set when the runner works in the directory of file.
	BesideFile bool
}

// A ScriptRunner says how a program is told which script of the project to run.
// Its lists are of options, blank-separated, without dashes.
type ScriptRunner struct {
	Name   string // as in ScriptRef
	Dir    string // options whose value is the directory it works in
	File   string // options whose value is the file that holds the scripts
	Beside bool   // with such a file it works in the directory of it
	None   string // options with which it runs no script
	Other  string // options that lead to scripts of other packages
	Own    string // commands of its own that hide a script of their name
	// words reads the words that are no options, given by position.
	words func(*Invocation, *ScriptCall, []int)
}

// ScriptsOf says which scripts a command runs, nil for none.
func (c *Invocation) ScriptsOf() *ScriptCall {
	r := c.Cmd.Rare().Scripts
	if r == nil || c.Cwd == nil {
		return nil
	}
	words := c.verbs()
	out := &ScriptCall{Ref: ScriptRef{Runner: r.Name}, Cwd: *c.Cwd, end: len(c.Argv)}
	if len(words) > 0 && !c.Argv[words[0]].Known {
		out.Why = "the command it runs is unknown"
	} else {
		r.words(c, out, words)
	}
	for _, list := range [...][]Used{c.Opts, out.opts} {
		for k := range list {
			if list[k].at < out.end {
				r.option(&list[k], out)
			}
		}
	}
	if out.Ref.Runner == "" {
		return nil
	}
	return out
}

// option takes in what an option of the runner itself says.
func (r *ScriptRunner) option(u *Used, out *ScriptCall) {
	switch {
	case shell.Listed(r.None, u.Name):
		out.Ref.Runner = ""
	case shell.Listed("g global", u.Name) && shell.Listed(r.Other, u.Name):
		out.Why = "it runs scripts of other packages"
	case shell.Listed(r.Other, u.Name):
		out.Ref.Others = true
	case !u.Given:
	case shell.Listed(r.Dir, u.Name) && u.does != WorkDir: // that is taken in already
		out.Cwd, out.BesideFile = *shell.Moved(&out.Cwd, &u.Value), false
	case shell.Listed(r.File, u.Name):
		if out.File != nil || !u.Value.Known {
			out.Why = "the file it reads is unknown"
		}
		out.File, out.BesideFile = &u.Value, r.Beside
	}
}

// verbs are the positions of the subcommands and operands.
func (c *Invocation) verbs() []int {
	var at []int
	i := 1
	for _, name := range c.Subs {
		for i < c.From && c.Argv[i].Text != name {
			i++
		}
		at = append(at, i)
		i++
	}
	return append(at, c.Operands...)
}

// taskCommands run the named scripts of a file of the project. What they run is
// known only where Env.Script reads that file.
var taskCommands = []Command{
	{
		Names: "just", Forms: []Form{{"--command|-c|--edit|-e|--init|--fmt|--choose", Unbinds, ""}, {"-c|--command COMMAND", Runs, ""}}, Title: "runs recipes of a justfile",
		Special: &Special{Language: (*Invocation).makefileText, Files: "-f justfile", Project: &Running{By: RunsHere, Named: true}, Scripts: &ScriptRunner{
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
			{"chooser", HasArg, Executes}, {"shell", HasArg, RunsName}, {"shell-arg", HasArg, Unsafe}, {"-c command", NoArg, Executes}, {"-e edit", NoArg, Unsafe},
		},
	},
	{
		Names: "mise", Forms: []Form{{"run|r", Binds, ""}, {"-E|--env|-t|--tool", Unbinds, ""}}, Title: "installs tools, and runs tasks and commands with them", Style: StopAtOperand, refine: refineEnvironment,
		Special: &Special{Environments: []Environment{{Dashes: true, Command: Command{
			Names: "exec x", Flags: "raw no-deps fresh-env no-prepare", Values: "-j jobs", Opts: []Opt{{"-c command", HasArg, RunsText}},
		}}}, Project: &Running{By: RunsTask, Named: true, Not: "--env --tool"}, Scripts: &ScriptRunner{
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
		Names: "task go-task", Forms: []Form{{"--init", Unbinds, ""}}, Title: "runs tasks of a Taskfile",
		Special: &Special{Project: &Running{By: RunsHere, Named: true}, Scripts: &ScriptRunner{
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
