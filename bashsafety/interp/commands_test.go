package interp_test

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// allCommands returns every command of the tables and every subcommand.
func allCommands() []*commands.Command {
	var all []*commands.Command
	var add func(*commands.Command)
	add = func(c *commands.Command) {
		all = append(all, c)
		for _, list := range [...][]commands.Command{c.Subs, c.Also} {
			for i := range list {
				if !slices.Contains(all, &list[i]) {
					add(&list[i])
				}
			}
		}
	}
	for _, c := range commands.All() {
		add(c)
	}
	return all
}
