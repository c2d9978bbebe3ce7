package cli

import (
	_ "embed" // of pages of help
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/schema"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

func helpCommand() *subcmd.Command {
	return &subcmd.Command{
		Name:     "help",
		Args:     "[SUBCOMMAND | TOPIC]",
		Operands: "topic -",
		Short:    "explain a subcommand or a topic",
		Run: func(e *subcmd.Env, args []string) int {
			if len(args) == 0 {
				printOverview(e)
				return subcmd.ExitOK
			}
			if c := find(list(), args[0]); c != nil {
				name := "permgate " + c.Name
				for _, arg := range args[1:] {
					sub := find(c.Subs, arg)
					if sub == nil {
						return e.Fail("permgate help "+args[0], "%s has no verb %q", name, hookio.Escape(arg))
					}
					c, name = sub, name+" "+sub.Name
				}
				printCommand(e, name, c)
				return subcmd.ExitOK
			}
			for _, t := range topics() {
				if t.name == args[0] {
					t.print(e)
					return subcmd.ExitOK
				}
			}
			return e.Fail("permgate help lists subcommands and topics", "no help on %q", hookio.Escape(args[0]))
		},
	}
}

// hookCommand is documentation: main runs the hook itself, without this package.
func hookCommand() *subcmd.Command {
	return &subcmd.Command{
		Name:  "hook",
		Args:  "[--host NAME] [--event EVENT]",
		Short: "answer one hook call on standard input (run by agent programs)",
		Long: `Reads one JSON payload from standard input and prints the decision as one line of
JSON in the caller's format, or nothing if silence is the answer. Without arguments,
and if standard input is not a terminal, permgate does the same.

Exit code: 0 if the line carries the decision; 2, with the reason on standard error,
if there was no tool call to read.`,
		Examples: []subcmd.Example{{"permgate hook --host claude --event PreToolUse < payload.json", ""}},
		Flags:    (&subcmd.CallOptions{}).Flags.Register,
		Run: func(e *subcmd.Env, _ []string) int {
			return e.Fail("permgate help hook", "the hook reads the call from standard input")
		},
	}
}

// purposes are the subcommands by what they are for.
func purposes() [][2]string {
	return [][2]string{
		{"set up", "install doctor init export import upgrade uninstall completion"},
		{"ask about a call", "check explain report"},
		{"decide what is allowed", "allow rules session trust auto recommend"},
		{"try a policy before it counts", "lint test prove policy replay bench"},
		{"see what happened", "log state"},
		{"the rest", "schema help version hook"},
	}
}

func printOverview(e *subcmd.Env) {
	w := e.Out
	fmt.Fprint(w, "permgate decides what a coding agent may do: allow, ask or deny, with a reason.\n\n")
	all := list()
	for i, g := range purposes() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, g[0])
		for name := range strings.FieldsSeq(g[1]) {
			fmt.Fprintf(w, "  %-11s%s\n", name, find(all, name).Short)
		}
	}
	fmt.Fprint(w, "\npermgate help SUBCOMMAND   options and examples\npermgate help TOPIC        "+topicNames()+"\n")
}

func printCommand(e *subcmd.Env, name string, c *subcmd.Command) {
	w := e.Out
	fmt.Fprintf(w, "%s: %s\n\n", name, c.Short)
	fs := flagSet(c)
	usage := name
	if fs.HasFlags() {
		usage += " [OPTION...]"
	}
	if c.Args != "" {
		usage += " " + c.Args
	}
	e.Wrapped("usage: ", usage)
	if c.Long != "" {
		e.Prose("\n" + c.Long + "\n")
	}
	if len(c.Subs) > 0 {
		fmt.Fprint(w, "\nverbs\n")
		var rows [][]string
		for _, sub := range c.Subs {
			rows = append(rows, []string{strings.TrimSpace(sub.Name + " " + sub.Args), sub.Short})
		}
		e.Table("  ", rows)
	}
	if len(c.Examples) > 0 {
		fmt.Fprint(w, "\nexamples\n")
		wide := 48
		for _, x := range c.Examples {
			if x.Note() != "" {
				wide = max(wide, len(x.Line())+1)
			}
		}
		for _, x := range c.Examples {
			fmt.Fprintf(w, "  %s\n", strings.TrimRight(fmt.Sprintf("%-*s %s", wide, x.Line(), x.Note()), " "))
		}
	}
	if fs.HasFlags() {
		fmt.Fprintf(w, "\noptions\n%s", fs.FlagUsagesWrapped(e.Width()))
	}
}

func topicNames() string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}

func schemaCommand() *subcmd.Command {
	return &subcmd.Command{
		Name:  "schema",
		Args:  "[permgate | settings]",
		Short: "print the JSON Schema of permgate.json, or of the rules in settings.json",
		Long: `With it, editors that support JSON Schema complete keys and values, explain keys and
mark misspelt ones. The schema is draft-07 and generated from the tables this binary
reads the files with.

In Visual Studio Code, set the file and its schema under "json.schemas" in the
settings; other editors read "$schema" in permgate.json.`,
		Examples: []subcmd.Example{
			{"permgate schema > ~/.gen/permgate.schema.json", `then, in ~/.gen/permgate.json: "$schema": "./permgate.schema.json"`},
			{"permgate schema settings", "permissions, autoMode and the switches of settings.json"},
		},
		Operands: "schema -",
		Run: func(e *subcmd.Env, args []string) int {
			switch {
			case len(args) > 1:
				return e.Fail("one at a time: permgate schema settings", "unexpected operand %q", hookio.Escape(args[1]))
			case len(args) == 0 || args[0] == "permgate":
				e.Machine().Write(schema.Gate())
			case args[0] == "settings":
				e.Machine().Write(schema.Settings())
			default:
				return e.Fail("permgate schema, or permgate schema settings", "no schema of %q", hookio.Escape(args[0]))
			}
			return subcmd.ExitOK
		},
	}
}

// The completion scripts: go generate ./... writes them from the literals of the subcommands.
var (
	//go:embed completions/permgate.bash
	bashCompletion string
	//go:embed completions/_permgate
	zshCompletion string
	//go:embed completions/permgate.fish
	fishCompletion string
)

func completionCommand() *subcmd.Command {
	return &subcmd.Command{
		Name:  "completion",
		Args:  "bash | zsh | fish",
		Short: "print the completion script of a shell",
		Long: `The script completes subcommands, verbs, options and their values, and operands.
It contains everything it offers and starts no program; print it again after an
update. permgate does not edit your shell's startup files: add the line yourself.`,
		Examples: []subcmd.Example{
			{"source <(permgate completion bash)", "in ~/.bashrc"},
			{"source <(permgate completion zsh)", "in ~/.zshrc, after compinit"},
			{"permgate completion fish | source", "in ~/.config/fish/config.fish"},
			{"permgate completion zsh > ~/.zfunc/_permgate", "or once, into a directory in fpath"},
		},
		Operands: "shell -",
		Run: func(e *subcmd.Env, args []string) int {
			const hint = "permgate completion bash|zsh|fish"
			switch {
			case len(args) == 0:
				return e.Fail(hint, "which shell?")
			case len(args) > 1:
				return e.Fail(hint, "unexpected operand %q", hookio.Escape(args[1]))
			}
			scripts := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
			script, ok := scripts[args[0]]
			if !ok {
				return e.Fail(hint, "no script for %q", hookio.Escape(args[0]))
			}
			e.Machine().Write([]byte(script))
			return subcmd.ExitOK
		},
	}
}

// A topic is a page of help about no subcommand, printed from the literal where there is one.
type topic struct {
	name  string
	print func(*subcmd.Env)
}

func topics() []topic {
	return []topic{
		{"patterns", text(rulesText)}, {"modes", printModes}, {"steps", printSteps}, {"checks", printChecks}, {"places", printPlaces}, {"lint-checks", printLintChecks},
		{"hosts", printHosts}, {"posture", printPosture}, {"observe", text(observeText)}, {"exit-codes", text(exitText)},
	}
}

func text(s string) func(*subcmd.Env) { return func(e *subcmd.Env) { e.Prose(s) } }

func printSteps(e *subcmd.Env) {
	for i, part := range stepParts() {
		fmt.Fprintf(e.Out, "%s%s\n\n", strings.Repeat("\n", min(i, 1)), part.head)
		stepTable(e, part.steps)
	}
	fmt.Fprint(e.Out, "\nThe program (\"it\") is told nothing for one of these reasons:\n\n")
	for _, why := range decide.Deferrals() {
		fmt.Fprintf(e.Out, "     %s\n", why)
	}
}

type stepPart struct {
	head  string
	steps []decide.Step
}

func stepParts() []stepPart {
	return []stepPart{
		{"Every call goes through these steps; the first one with an opinion decides.", decide.Steps[:]},
		{"Two more only make a decision stricter:", decide.LaterSteps[:2]},
		{"Where an approver is set, it may lift an ask that no one would see:", decide.LaterSteps[2:]},
		{"The last one turns the decision into what the program is told:", decide.HostSteps[:]},
	}
}

func stepTable(e *subcmd.Env, steps []decide.Step) {
	for i := range steps {
		s := &steps[i]
		fmt.Fprintf(e.Out, "  %-3s%-11s%s\n", s.Num, s.Name, s.Doc)
	}
}

func printChecks(e *subcmd.Env) {
	fmt.Fprint(e.Out, "What step 2 always asks about in shell texts:\n\n")
	for _, c := range bashsafety.Checks() {
		fmt.Fprintf(e.Out, "  %-28s %-13s %s\n", c.ID, c.Severity, c.Title)
	}
	fmt.Fprint(e.Out, "\npermgate explain ID prints the reason, what to do instead, and examples.\n")
}

func printPlaces(e *subcmd.Env) {
	fmt.Fprint(e.Out, "What step 2 asks about where it is written:\n\n")
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		e.Wrapped("  ", s.Class.String()+": "+strings.Join(s.Paths, ", ")+"; "+s.Why)
	}
}

func printModes(e *subcmd.Env) {
	fmt.Fprint(e.Out, "The mode decides if no rule matched (step 7).\n\n")
	for _, m := range rules.Modes {
		fmt.Fprintf(e.Out, "  %-19s%s\n", m.Name, m.Doc)
	}
	e.Prose(modesText)
}

// decidesCalls reports whether a key is part of a decision: it has a default or is a list.
func decidesCalls(k *load.PostureKey) bool {
	switch k.Kind {
	case load.PosturePatterns, load.PostureURLs, load.PostureNames, load.PostureRules, load.PostureTools:
		return true
	}
	return k.Default != ""
}

func printPosture(e *subcmd.Env) {
	e.Prose(postureText)
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		if !decidesCalls(k) {
			continue
		}
		values := strings.Join(k.Values, " | ")
		if values == "" {
			values = k.Example
		}
		fmt.Fprintf(e.Out, "  %s: %s", k.Name, values)
		if k.Default != "" {
			fmt.Fprintf(e.Out, "   (without: %s)", k.Default)
		}
		fmt.Fprintf(e.Out, "\n%s", subcmd.Wrap("      ", k.Doc, 88))
	}
	e.Prose(postureHostsText)
	var rows [][]string
	for _, h := range agents.Hosts() {
		var keys []string
		for _, k := range h.Register.Posture {
			keys = append(keys, k.Name+": "+string(k.JSON))
		}
		rows = append(rows, []string{h.Name, strings.Join(keys, ", ")})
	}
	e.Table("  ", rows)
}

// Pages of help that are texts, or end in one.
var (
	//go:embed topics/patterns.txt
	rulesText string
	//go:embed topics/exit-codes.txt
	exitText string
	//go:embed topics/modes.txt
	modesText string
	//go:embed topics/observe.txt
	observeText string
)

const postureText = `Without permgate.json the rules of the settings files apply and every unmatched call
is asked about. permgate.json (JSON with comments) goes next to settings.json.
A file of any scope may tighten; only yours and the administrator's may loosen.

`

const postureHostsText = `
Keys under "hosts": {"NAME": {...}} apply only to calls from hooks registered with
--host NAME. permgate install writes these keys there if they are missing:

`

// printHosts prints every host by name: how it takes an ask, where install registers, and notes.
func printHosts(e *subcmd.Env) {
	hosts := hookio.Hosts()
	slices.SortFunc(hosts, func(a, b *hookio.Host) int { return strings.Compare(a.Name, b.Name) })
	e.Prose(hostsHead)
	var rows [][]string
	for _, h := range hosts {
		file := "by hand"
		if h.Register != nil {
			file = agents.Usual(h, runtime.GOOS)
		}
		if h.Driven.Version == "" && len(h.Reader) > 0 {
			file += ", experimental"
		}
		rows = append(rows, []string{h.Name, h.Title, askWords(h), file})
	}
	e.Table("  ", rows)
	e.Prose(hostsNotes)
	for _, h := range agents.Hosts() {
		for i, n := range h.Register.Notes {
			name := ""
			if i == 0 {
				name = h.Name
			}
			fmt.Fprint(e.Out, subcmd.Wrap(fmt.Sprintf("  %-11s  - ", name), n, 88))
		}
	}
	fmt.Fprint(e.Out, "\nBy hand, in the list of each event; here the first event of two programs:\n")
	for _, name := range [...]string{"claude", "gen"} {
		h := agents.Lookup(name)
		ev := &h.Register.Events[0]
		fmt.Fprintf(e.Out, "\n  %s, hooks.%s:\n  %s\n", h.Title, ev.Name, agents.Entry(h, "/usr/local/bin/permgate", ev))
	}
	fmt.Fprint(e.Out, "\npermgate install --host NAME --dry-run prints all of it; docs/hosts.md has it for every program.\n")
}

func askWords(h *hookio.Host) string {
	switch h.AskIs(&hookio.Call{Host: h, Event: hookio.PreToolUse, RawEvent: firstEvent(h), Tool: "Bash"}) {
	case hookio.AskPrompts:
		return "a prompt"
	case hookio.AskSilent:
		return "its own prompt"
	}
	return "a deny"
}

// firstEvent is the event a shell command comes with where install registers the hook.
func firstEvent(h *hookio.Host) string {
	if h.Register == nil {
		return ""
	}
	return h.Register.Events[0].Name
}

const hostsHead = `Supported programs, how an ask about a shell command appears there, and where install
registers the hook:

`

const hostsNotes = `
a prompt        the program asks, showing permgate's reason
its own prompt  permgate is silent, and the program asks by its own rules
a deny          the program cannot ask for a hook; the reason says so
experimental    permgate was never run with it: install wants --experimental

Notes on each program and its versions:

`
