package cli

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/schema"
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
		for _, sub := range c.Subs {
			fmt.Fprintf(w, "  %-24s %s\n", strings.TrimSpace(sub.Name+" "+sub.Args), sub.Short)
		}
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
