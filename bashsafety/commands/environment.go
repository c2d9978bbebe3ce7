package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An Environment is a form of a program that runs a command in an environment it sets up: uv run pytest. Its
// options are those in front of the command; one that is not listed takes away.
type Environment struct {
	Command        // Names are the verbs, with - between words and * for any; none where the program has no verbs
	Skip    int    // operands before the command: direnv exec FOLDER COMMAND
	Version bool   // one more may be the number of a version: nvm exec 22 COMMAND
	Dashes  bool   // the words before -- are not part of it: mise exec node@22 -- node x.js
	Python  bool   // it runs a file of Python, and with -m a module
	Prefix  string // the first word may begin with the name of an environment and this: hatch run test:pytest
	Shell   bool   // a shell reads the words, joined by blanks
	Moves   bool   // it runs in the folder of its project, which may be above
	Package string // the program comes from a package: the options that name one
	// Both is set where a rule on the program is no rule for the command, not even one that names it.
	Both bool
	// Others are options that fetch code or name another project, configuration or file of variables; so does every
	// option that has an Act.
	Others string
}

// environmentCommands are the programs that set variables or tools up, and run a command with them.
// Options as their documentation has them; one that is missing costs a question.
var environmentCommands = []Command{
	{
		Names: "aws-vault", Title: "runs a command with credentials", Style: StopAtOperand, refine: refineEnvironment, Flags: "debug version help", Values: "backend keychain prompt pass-dir pass-cmd pass-prefix file-dir",
		Special: &Special{Credentials: []Credential{{"aws-vault export", onAmazon}}, Environments: []Environment{{Both: true, Skip: 1, Command: Command{Names: "exec", Flags: "-njst no-session json server ecs-server lazy stdout prompt", Values: "-dm duration mfa-token region"}}}},
	},
	{
		Names: "chamber", Title: "runs a command with secrets", Style: StopAtOperand, refine: refineEnvironment, Flags: "-vh verbose help", Values: "-b backend retries min-throttle-delay retry-mode",
		Special: &Special{Credentials: []Credential{{"chamber read|export|env", "*"}}, Environments: []Environment{{Both: true, Dashes: true, Command: Command{Names: "exec", Flags: "pristine strict"}}}},
	},
	{Names: "direnv", Title: "runs a command with the variables of a folder", Style: StopAtOperand, refine: refineEnvironment, Special: &Special{Environments: []Environment{{Skip: 1, Command: Command{Names: "exec"}}}}},
	{
		Names: "doppler", Title: "runs a command with secrets", Style: StopAtOperand, refine: refineEnvironment, Flags: "debug no-check-version no-read-env no-timeout silent help version", Values: "-t token configuration timeout attempts",
		Special: &Special{Credentials: []Credential{{"doppler secrets download|get", "*"}, {"doppler secrets --json|--raw|--plain", "*"}, {"doppler configure get token", ""}}, Environments: []Environment{{Others: "-tpc token project config configuration", Command: Command{Names: "run", Flags: "no-fallback fallback-readonly fallback-only forward-signals no-cache watch", Values: "-pc project config name-transformer mount-format mount-max-reads only-secrets preserve-env", Opts: []Opt{{"command", HasArg, RunsText}, {"mount mount-template fallback", HasArg, Writes}}}}}},
	},
	{
		Names: "dotenvx", Title: "runs a command with the variables of a file", Style: StopAtOperand, refine: refineEnvironment, Flags: "-qv quiet verbose debug help version", Values: "-l log-level",
		Special: &Special{Environments: []Environment{{Command: Command{Names: "run", Flags: "-o overload strict ignore quiet", Values: "-e env env-vault-file convention", Opts: []Opt{{"-f env-file env-keys-file fk", HasArg, Reads}}}}}},
	},
	{
		Names: "infisical", Title: "runs a command with secrets", Style: StopAtOperand, refine: refineEnvironment, Flags: "-h help silent telemetry", Values: "-l log-level domain",
		Special: &Special{Credentials: []Credential{{"infisical secrets|export", "*"}}, Environments: []Environment{{Both: true, Command: Command{Names: "run", Flags: "watch expand include-imports recursive secret-overriding", Values: "-et env token projectId path tags watch-interval project-config-dir", Opts: []Opt{{"-c command", HasArg, RunsText}}}}}},
	},
	{
		Names: "op", Title: "runs a command with secrets", Style: StopAtOperand, refine: refineEnvironment, Flags: "-hv help version cache debug iso-timestamps no-color", Values: "account config encoding format session",
		Special: &Special{Credentials: []Credential{{"op read|inject", "*"}, {"op item|document get", "*"}}, Environments: []Environment{{Both: true, Command: Command{Names: "run", Flags: "no-masking", Values: "environment", Opts: []Opt{{"env-file", HasArg, Reads}}}}}},
	},
	{
		Names: "flox", Title: "runs a command in an environment", Style: StopAtOperand, refine: refineEnvironment, Flags: "-vqhV verbose quiet help version",
		Special: &Special{Environments: []Environment{{Dashes: true, Others: "-dg dir generation", Command: Command{Names: "activate", Flags: "-s start-services print-script", Values: "-dmg dir mode generation", Opts: []Opt{{"-c command", HasArg, RunsText}, {"-r remote", HasArg, Unsafe}, {"-t trust", NoArg, Unsafe}}}}}},
	},
	{
		Names: "devenv", Title: "runs a command in an environment", Style: StopAtOperand, refine: refineEnvironment, Flags: "-vqVicd verbose quiet version impure no-impure offline clean no-eval-cache refresh-eval-cache no-tui", Values: "-ju max-jobs cores system log-format",
		Special: &Special{Environments: []Environment{{Command: Command{Names: "shell"}}}},
	},
	{
		Names: "devbox", Title: "runs a command in an environment", Style: StopAtOperand, refine: refineEnvironment, Flags: "-qh quiet help debug",
		Special: &Special{Environments: []Environment{{Shell: true, Moves: true, Others: "-c config", Command: Command{Names: "run shell", Flags: "-l list pure omit-nix-env recompute all-projects", Values: "-ec env environment config", Opts: []Opt{{"env-file", HasArg, Reads}}}}}},
	},
	{
		Names: "pixi", Title: "runs a command in an environment", Style: StopAtOperand, refine: refineEnvironment, Flags: "-vqhV verbose quiet help version no-progress",
		Values: "color",
		Special: &Special{Environments: []Environment{
			{Moves: true, Command: Command{Names: "run r", Flags: "-nx dry-run frozen locked as-is no-install no-lockfile-update clean-env skip-deps executable templated revalidate force-activate no-completions use-environment-activation-cache",
				Values: "-ew environment workspace concurrent-downloads concurrent-solves pinning-strategy pypi-keyring-provider", Opts: []Opt{{"-m manifest-path", HasArg, Unsafe}, {"auth-file", HasArg, UsesKey}, {"tls-no-verify", NoArg, Unsafe}}}},
			{Others: "-scpw spec channel platform with", Command: Command{Names: "exec x", Flags: "force-reinstall no-modify-ps1 list", Values: "-scpw spec channel platform with"}}}},
	},
	{
		Names: "rvm fnm volta nvm opam berglas lerna nx guix honcho ghcup", Title: "manages versions of tools, and runs commands with them", Style: StopAtOperand, refine: refineEnvironment,
		Flags: "-qvhy quiet verbose help version silent yes", Values: "log-level fnm-dir node-dist-mirror",
		Special: &Special{Scripts: &ScriptRunner{Name: "npm", words: func(c *Invocation, out *ScriptCall, words []int) {
			if out.Ref.Runner = ""; shell.Among("lerna nx rush", ProgramName(c.Argv)) {
				out.Ref.Runner = "npm"
				eachScript(c, out, words)
			}
		}}, Environments: []Environment{
			{Version: true, Command: Command{Names: "exec do *-do *-exec", Flags: "-h install-if-missing use-on-cd silent parallel stream no-bail no-prefix no-sort bundled-npm bundled-yarn set-switch", Values: "using log-level scope ignore since concurrency switch quick"}},
			{Command: Command{Names: "run", Flags: "-qmi bundled-npm no-yarn no-pnpm bundled-yarn quick mingw-path install", Values: "node npm pnpm yarn ghc cabal hls stack bindir"}},
			{Dashes: true, Command: Command{Names: "shell environment time-machine", Flags: "-NCPF network container pure preserve", Values: "-m", Opts: []Opt{{"-fel file expression load-path", HasArg, Unsafe}}}},
		}},
	},
	{
		Names: "bws secretspec varlock phase saml2aws hcp vlt", Title: "runs a command with secrets or tools", Style: StopAtOperand, refine: refineEnvironment, Flags: "-h help version",
		Special: &Special{Environments: []Environment{{Shell: true, Command: Command{Names: "run vault-secrets-run exec",
			Values: "-pPa project-id profile provider app env exec-profile"}}}},
	},
	{
		Names: "watchexec", Parser: ArgFiles, Title: "runs a command when files change", Style: StopAtOperand, refine: refineEnvironment, InfoFlags: "-V --version -h --help",
		Flags:   "-rcpqvnN1 restart clear postpone quiet notify poll no-vcs-ignore no-project-ignore no-global-ignore no-default-ignore no-discover-ignore ignore-nothing no-process-group print-events stdin-quit timings no-meta",
		Values:  "-weifdos watch exts ignore filter delay-run debounce on-busy-update signal stop-signal stop-timeout fs-events color project-origin",
		Opts:    []Opt{{"shell", HasArg, Executes}, {"-EFj env filter-file filter-prog ignore-file argfile", HasArg, Unsafe}, {"workdir", HasArg, WorkDir}, {"log-file", HasArg, WritesValue}},
		Special: &Special{Environments: []Environment{{Shell: true}}},
	},
	{
		Names: "envconsul", Title: "runs a command with secrets", Style: StopAtOperand | SingleDash, refine: refineEnvironment,
		Flags: "once pristine sanitize upcase", Values: "prefix secret log-level consul-addr kill-signal", Opts: []Opt{{"config exec", HasArg, Unsafe}},
		Special: &Special{Environments: []Environment{{}}},
	},
	{
		Names: "reflex", Title: "runs a command when files change", Style: StopAtOperand, refine: refineEnvironment,
		Flags: "-sve start-service verbose all", Values: "-rRgGdt regex inverse-regex glob inverse-glob decoration sequential shutdown-timeout", Opts: []Opt{{"-c config", HasArg, Unsafe}},
		Special: &Special{Environments: []Environment{{}}},
	},
	{
		Names: "pkgx", Title: "runs a program of a package", Style: StopAtOperand, refine: runsPackaged, Flags: "-q quiet", Opts: []Opt{{"-Q", NoArg, 0}},
	},
	{Names: "dnx", Title: "runs a tool of .NET, which it may fetch", Style: StopAtOperand, refine: runsPackaged, Flags: "-y yes prerelease", Values: "version", Opts: []Opt{{"source add-source configfile", HasArg, Unsafe}}},
	{
		Names: "dotnet", Title: "builds .NET, and runs its tools", Style: StopAtOperand, Forms: []Form{{"FILE:*.dll", Executes, ""}}, refine: func(c *Invocation) { c.environment() },
		Special: &Special{Environments: []Environment{{Package: "package", Command: Command{Names: "tool-run tool-exec", Flags: "-y yes prerelease allow-roll-forward"}}}},
	},
	{Names: "rtx vfox proto", Title: "runs a command with tools", Style: StopAtOperand, refine: refineEnvironment, Special: &Special{Environments: []Environment{{Dashes: true, Command: Command{Names: "exec x", Opts: []Opt{{"-c command", HasArg, RunsText}}}}}}},
	{
		Names: "teller", Title: "runs a command with secrets", Style: StopAtOperand, refine: refineEnvironment, Flags: "-hV help version verbose", Values: "-l log", Opts: []Opt{{"-c config", HasArg, Unsafe}},
		Special: &Special{Environments: []Environment{{Shell: true, Command: Command{Names: "run", Flags: "-rs reset shell"}}}},
	},
}

// pythonEnvironment is a verb whose options are few.
func pythonEnvironment(names, flags, values string) []Environment {
	return []Environment{{Command: Command{Names: names, Flags: flags, Values: values}}}
}

// uvRun are the options of uv run.
var uvRun = []Environment{{Python: true, Others: "-wPp with with-editable with-requirements project python package index default-index index-url " +
	"extra-index-url find-links script gui-script", Command: Command{
	Names: "run",
	Flags: "-qvnhsU quiet verbose no-cache help script gui-script all-extras all-groups no-dev dev only-dev no-default-groups no-editable exact " +
		"inexact no-env-file isolated active no-active no-sync locked frozen all-packages no-project no-workspace refresh reinstall upgrade " +
		"no-sources no-build-isolation compile-bytecode no-build no-binary no-index offline no-progress no-config native-tls " +
		"managed-python no-managed-python no-python-downloads show-resolution",
	Values: "-pwPif extra no-extra group no-group only-group with with-editable with-requirements package python python-platform index " +
		"default-index index-url extra-index-url find-links upgrade-package reinstall-package refresh-package index-strategy " +
		"keyring-provider resolution prerelease fork-strategy config-setting no-build-isolation-package exclude-newer link-mode " +
		"no-build-package no-binary-package color project max-recursion-depth",
	Opts: []Opt{{"-m module", NoArg, 0}, {"env-file", HasArg, Reads}, {"directory", HasArg, WorkDir}},
}}, {Package: pyPackages, Command: Command{Names: "tool-run", Flags: "-qvnyU quiet verbose no-cache isolated offline", Values: pyRunnerValues + " with-editable with-requirements", Opts: pyIndexes}}}

// refineEnvironment runs a command in the environment of a form, and of any other verb what it seems to run.
func refineEnvironment(c *Invocation) {
	if !c.environment() {
		refineVerb(c)
	}
}

// environment runs a command in the environment of a form; it reports whether there is one. An option in front that is
// not known may take the word that seems to be the verb.
func (c *Invocation) environment() bool {
	forms := c.Cmd.Rare().Environments
	for n := range c.Operands[:min(len(c.Operands), 1+len(c.Unknown))] {
		for i := range forms {
			if at := c.verbOf(&forms[i], c.Operands[n]); at > 0 {
				c.runsIn(&forms[i], at)
				return true
			}
		}
	}
	return false
}

// verbOf is where the words of a form start whose verb is at a place, or 0 if no verb is there. No verb is longer than
// three words.
func (c *Invocation) verbOf(e *Environment, at int) int {
	if e.Names == "" {
		return c.From
	}
	said := ""
	for range 3 {
		if said += strings.ReplaceAll(c.Argv[at].Text, "/", "_"); e.Named(said) || e.like(said) {
			return at + 1
		}
		next := parseArgs(c.Argv, at+1, StopAtOperand, []*Command{c.Cmd}).Operands
		if len(next) == 0 {
			return 0
		}
		said, at = said+"-", next[0]
	}
	return 0
}

// runsIn runs the command that follows the verb and its options.
func (c *Invocation) runsIn(e *Environment, verb int) {
	a := c.Args
	if e.Names != "" {
		a = c.optionsOf(e, verb)
	}
	switch {
	case c.runsTexts(&a):
		return
	case e.Package != "":
		c.packaged(&a, e.Skip, e.Package)
		return
	}
	at := len(c.Argv)
	if e.Skip < len(a.Operands) {
		at = a.Operands[e.Skip]
	}
	if e.Version && at+1 < len(c.Argv) && c.Argv[at].Known && strings.Trim(c.Argv[at].Text, "v.0123456789") == "" {
		at++
	}
	dash := verb + slices.IndexFunc(c.Argv[verb:], func(w shell.Word) bool { return w.Known && w.Text == "--" })
	switch {
	case dash >= verb && (e.Dashes || dash <= at):
		at = dash + 1
	case e.Dashes:
		c.Narrow("the command does not follow --")
		for _, in := range c.candidates(1) {
			c.within(in)
		}
		return
	}
	if len(a.Holes) > 0 && a.Holes[0] < at {
		c.Narrow("an unquoted expansion precedes the command it runs")
	}
	if c.unknownBefore(at) == "" { // what follows are the command's
		c.Unknown = nil
	}
	c.inEnvironment(e, at, a.Opts)
}

// optionsOf reads the options of a verb; what precedes it counts for both.
func (c *Invocation) optionsOf(e *Environment, verb int) Args {
	a := parseArgs(c.Argv, verb, StopAtOperand|(c.Cmd.Style|e.Style)&(SingleDash|ShortEquals), []*Command{c.Cmd, &e.Command})
	for i := range a.Opts {
		c.applyOpt(&a.Opts[i])
	}
	c.Unknown = append(c.Unknown, a.Unknown...)
	if name := c.unknownBefore(verb); name != "" {
		a.Unknown = append(a.Unknown, name)
	}
	before := slices.IndexFunc(c.Opts, func(u Used) bool { return u.at >= verb }) // what follows are the command's
	if before < 0 {
		before = len(c.Opts)
	}
	a.Opts = append(slices.Clip(c.Opts[:before]), a.Opts...)
	return a
}

// runsTexts reports whether an option holds the shell text that is run.
func (c *Invocation) runsTexts(a *Args) (found bool) {
	for u := range a.options() {
		found = found || u.Given && u.does == RunsText
		if u.Name == "python" && strings.ContainsAny(u.Value.Text, "/"+shell.HoleMark) {
			c.Narrow(c.spell(u) + " names a program")
		}
	}
	return found
}

// inEnvironment runs the words from a place on, under the options in front of them.
func (c *Invocation) inEnvironment(e *Environment, at int, opts []Used) {
	if at >= len(c.Argv) {
		return
	}
	in, text := Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.Argv[at:], At: at}, e.Shell
	for i := range opts {
		switch u := &opts[i]; {
		case !u.Given && shell.Among("c shell-mode", u.Name):
			text = true
		case u.Given && shell.Among("e env", u.Name):
			as, _ := leadingAssigns([]shell.Word{u.Value})
			in.Assigns = append(in.Assigns, as...)
		case u.does == WorkDir:
			in.Dir = &u.Value
		case e.Python && (u.Name == "m" || u.Name == "module"):
			in.Argv = append([]shell.Word{shell.Literal("python", &in.Argv[0]), shell.Literal("-m", &in.Argv[0])}, in.Argv...)
		}
	}
	first := in.Argv[0].Text
	reads := func(w shell.Word) bool { return w.Known && strings.ContainsAny(w.Text, " \t\n;&|<>$`(){}*?'\"\\") }
	switch _, rest, named := strings.Cut(first, e.Prefix); {
	case text && slices.ContainsFunc(in.Argv, reads), strings.ContainsAny(first, " \t\n;&|") && in.Argv[0].Known:
		in.Kind, in.Text, in.At = InnerText, joined(in.Argv), 0
		c.asWords(in.Via, in.Argv)
	case e.Python && strings.HasSuffix(first, ".py"):
		in.Argv = append([]shell.Word{shell.Literal("python", &in.Argv[0])}, in.Argv...)
	case e.Prefix != "" && named && in.Argv[0].Known:
		in.Argv = append([]shell.Word{shell.Suffix(&in.Argv[0], len(first)-len(rest))}, in.Argv[1:]...)
	}
	if in.Alike = c.ofProject(e, at, opts); e.Both {
		in.At = 0
	}
	if e.Moves {
		in.Dir = new(shell.Hole("", &c.Argv[0]))
	}
	if e.Prefix != "" && strings.HasPrefix(first, "+") { // hatch run +py=3.13 test
		c.Narrow("it selects environments in front of the command")
		c.within(Inner{Kind: InnerArgv, Via: in.Via, Argv: in.Argv[1:]})
	}
	c.runs(in)
}

// ofProject reports whether the command runs in the environment of the project one is in: nothing in front of it
// fetches code or names another project, configuration or file of variables.
func (c *Invocation) ofProject(e *Environment, at int, opts []Used) bool {
	other := func(u Used) bool { return u.does != 0 || shell.Listed(e.Others, u.Name) }
	if c.unknownBefore(at) != "" || slices.ContainsFunc(opts, other) {
		return false
	}
	for i := at - e.Skip; i < at; i++ {
		if c.Argv[i].Text != "." { // the folder one is in
			return false
		}
	}
	dashed := at - 1
	for e.Dashes && dashed > 0 && c.Argv[dashed].Text != "--" {
		dashed--
	}
	word := func(w shell.Word) bool { return !strings.HasPrefix(w.Text, "-") }
	return !e.Dashes || dashed > 0 && !slices.ContainsFunc(c.Argv[c.From+1:dashed], word)
}
