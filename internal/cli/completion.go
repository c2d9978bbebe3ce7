package cli

import (
	_ "embed"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
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
			script, ok := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[args[0]]
			if !ok {
				return e.Fail(hint, "no script for %q", hookio.Escape(args[0]))
			}
			e.Machine().Write([]byte(script))
			return subcmd.ExitOK
		},
	}
}
