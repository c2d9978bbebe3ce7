package cli

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/schema"
)

func schemaCommand() *Command {
	return &Command{
		Name:  "schema",
		Args:  "[permgate | settings]",
		Short: "print the JSON Schema of permgate.json, or of the rules in settings.json",
		Long: `With it, editors that support JSON Schema complete keys and values, explain keys and
mark misspelt ones. The schema is draft-07 and generated from the tables this binary
reads the files with.

In Visual Studio Code, set the file and its schema under "json.schemas" in the
settings; other editors read "$schema" in permgate.json.`,
		Examples: []Example{
			{"permgate schema > ~/.gen/permgate.schema.json", `then, in ~/.gen/permgate.json: "$schema": "./permgate.schema.json"`},
			{"permgate schema settings", "permissions, autoMode and the switches of settings.json"},
		},
		Operands: "schema -",
		Run: func(e *env, args []string) int {
			switch {
			case len(args) == 0 || len(args) == 1 && args[0] == "permgate":
				e.machine().Write(schema.Gate())
			case len(args) == 1 && args[0] == "settings":
				e.machine().Write(schema.Settings())
			case len(args) > 1:
				return e.fail("one at a time: permgate schema settings", "unexpected operand %q", hookio.Escape(args[1]))
			default:
				return e.fail("permgate schema, or permgate schema settings", "no schema of %q", hookio.Escape(args[0]))
			}
			return exitOK
		},
	}
}
