package cli

import (
	"fmt"

	"permgate/hookio"
	"permgate/internal/gate"
	"permgate/internal/lint"
)

func lintCommand() *Command {
	return &Command{
		Name:  "lint",
		Short: "find mistakes in the settings files",
		Long: `Looks at every settings file that is read for this working directory: rules that
cannot match, that are not what they seem, or that let through more than they say.

Exit code 0 when nothing was found, 1 when something was, 3 on errors.`,
		Examples: []Example{{"permgate lint", ""}},
		Run:      func(e *env, args []string) int { return lintFiles(e, args) },
	}
}

func lintFiles(e *env, args []string) int {
	in := lint.New(e.world, gate.Flags{}, hookio.Unread(hookio.Options{}).Host)
	found := lint.Run(in)
	for i := range found {
		f := &found[i]
		fmt.Fprintf(e.out, "%s: %s: %s\n", hookio.Escape(e.path(f.Pos.String())), f.Check.ID, hookio.Escape(f.Text))
	}
	if len(found) > 0 {
		return exitFindings
	}
	return exitOK
}
