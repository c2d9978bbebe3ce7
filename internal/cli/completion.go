package cli

import (
	_ "embed"

	"github.com/permgate--owner/permgate/hookio"
)

// The completion scripts: go generate ./... writes them from the literals of the subcommands.
var (
	//go:embed completions/permgate.bash
	bashCompletion string
	//go:embed completions/_permgate
	zshCompletion string
	//go:embed completions/permgate.fish
	fishCompletion string
)

func completionCommand() *Command {
	return &Command{
		Name:  "completion",
		Args:  "bash | zsh | fish",
		Short: "print the completion script of a shell",
		Long: `The script completes subcommands, verbs, options and their values, and operands.
It contains everything it offers and starts no program; print it again after an
update. permgate does not edit your shell's startup files: add the line yourself.`,
		Examples: []Example{
			{"source <(permgate completion bash)", "in ~/.bashrc"},
			{"source <(permgate completion zsh)", "in ~/.zshrc, after compinit"},
			{"permgate completion fish | source", "in ~/.config/fish/config.fish"},
			{"permgate completion zsh > ~/.zfunc/_permgate", "or once, into a directory in fpath"},
		},
		Operands: "shell -",
		Run: func(e *env, args []string) int {
			const hint = "permgate completion bash|zsh|fish"
			switch {
			case len(args) == 0:
				return e.fail(hint, "which shell?")
			case len(args) > 1:
				return e.fail(hint, "unexpected operand %q", hookio.Escape(args[1]))
			}
			script := ""
			switch args[0] {
			case "bash":
				script = bashCompletion
			case "zsh":
				script = zshCompletion
			case "fish":
				script = fishCompletion
			default:
				return e.fail(hint, "no script for %q", hookio.Escape(args[0]))
			}
			e.machine().Write([]byte(script))
			return exitOK
		},
	}
}
