package cli

import (
	"fmt"
	"path/filepath"

	"permgate/internal/agents"
)

func uninstallCommand() *Command {
	var o installOptions
	return &Command{
		Name:  "uninstall",
		Args:  "--host claude|gen|san",
		Short: "take the hook out again",
		Long: `Removes the entries that run permgate's hook from the settings of the agent
program, and nothing else: every other byte of the file stays. permgate.json,
backups and session state are left where they are.

It changes what will be asked, so it needs a terminal to ask on, or --yes.`,
		Examples: []Example{{"permgate uninstall --host claude --dry-run", "the change as a diff"}},
		Flags:    o.register,
		Run:      func(e *env, args []string) int { return uninstall(e, &o, args) },
	}
}

func uninstall(e *env, o *installOptions, args []string) int {
	a, code := o.agent(e, args)
	if a == nil {
		return code
	}
	folder, err := o.folder(e, a)
	if err != nil {
		return e.failFile(err)
	}
	file := "settings.json"
	if o.scope == "managed" {
		file = "managed-settings.json"
	}
	ch, doc, err := load(e, filepath.Join(folder, file))
	if err != nil {
		return e.failFile(err)
	}
	n, err := agents.Unregister(doc)
	if err != nil {
		return e.failFile(err)
	}
	if n == 0 {
		fmt.Fprintf(e.out, "not registered in %s; nothing to do\n", e.path(ch.name))
		return exitOK
	}
	ch.text = doc.Bytes()
	if done, code := e.apply(o, ch); !done {
		return code
	}
	fmt.Fprintf(e.out, "removed %d entries from %s%s\n", n, e.path(ch.name), ch.kept(e))
	if posture := filepath.Join(folder, "permgate.json"); o.scope != "project" {
		fmt.Fprintf(e.out, "%s stays; delete it if you no longer want it\n", e.path(posture))
	}
	return exitOK
}
