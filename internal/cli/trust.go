package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"permgate/hookio"
	"permgate/rules"
)

// trustOptions are the options of permgate trust.
type trustOptions struct {
	writeOptions
	list, diff, revoke, json bool
}

func trustCommand() *Command {
	var o trustOptions
	return &Command{
		Name:     "trust",
		Args:     "[DIR]",
		Operands: dirOperands,
		Short:    "trust what this project's files grant",
		Long: `Under projectTrust "require", which install sets, what came with a repository
grants nothing until you trust it: allow rules, additional directories and a
defaultMode of the project's settings.json, of a settings.local.json that git
tracks, of permgate.json, and the allow_tools and mode of its agent definitions.
Restrictions always hold.

Shows every such grant with its place, asks, and records each of them. After a
change only new grants are withheld; what was trusted stays trusted, in every work
tree of the same git repository. The records lie in the state folder, by the path
of the repository, or outside git by the real paths of project and file: a project
that was moved has to be trusted again. What you tell permgate to write into a
file is recorded too, and so is what you tell it to take out.

DIR is the project, where that is not what is found from here: a program started
in a folder of a repository takes that folder for its project.

It changes what will be asked, so it needs a terminal to ask on, or --yes.

Exit code of --diff: 0 when no grant is new, 1 when one is or a trusted file is
gone, 3 when that cannot be known.`,
		Examples: []Example{
			{"permgate trust", "show what the project grants, and trust it"},
			{"permgate trust --diff", "what changed since, and which grants are new"},
			{"permgate trust --list", "which files are trusted"},
			{"permgate trust --revoke", "trust nothing of this project any more"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.list, "list", false, "list the files and whether they are trusted")
			fs.BoolVar(&o.diff, "diff", false, "print what changed in files with new grants since they were trusted")
			fs.BoolVar(&o.revoke, "revoke", false, "forget what was trusted of this project, in all its work trees")
			fs.BoolVar(&o.json, "json", false, "list the files and their grants as JSON")
			fs.BoolVar(&o.dryRun, "dry-run", false, "print what would be trusted and record nothing")
			fs.BoolVar(&o.yes, "yes", false, "do not ask on the terminal")
		},
		Run: func(e *env, args []string) int { return trustRun(e, &o, args) },
	}
}

func trustRun(e *env, o *trustOptions, args []string) int {
	modes := 0
	for _, on := range [...]bool{o.list || o.json, o.diff, o.revoke} {
		if on {
			modes++
		}
	}
	switch {
	case len(args) > 1:
		return e.fail("permgate help trust", "one operand at most, the project's folder; not %d", len(args))
	case modes > 1:
		return e.fail("permgate help trust", "--list (or --json), --diff and --revoke exclude each other")
	}
	dir := ""
	if len(args) == 1 {
		if dir = e.abs(args[0]); !exists(dir) {
			return e.fail("permgate trust DIR takes the folder of the project", "%s does not exist", hookio.Escape(args[0]))
		}
	}
	k := e.ledger(dir)
	switch {
	case o.list || o.json:
		k.print(e, o.json)
	case o.dryRun && !o.diff && !o.revoke:
		return k.trust(e, o, dir)
	}
	switch {
	case k.err != nil:
		return e.fail("nothing in the store counts as it is: put it right, or move it away, and trust again", "%v", k.err)
	case o.list || o.json:
		return exitOK
	case o.diff:
		return k.diff(e)
	case o.revoke:
		return k.revoke(e, o)
	}
	return k.trust(e, o, dir)
}

// required names the agent programs whose posture demands trust, and says of
// each where it is demanded.
func (e *env) required() (hosts []string, from []rules.Pos) {
	for _, h := range hookio.Hosts() {
		if s := e.policy(h).Gate.ProjectTrust; s.Value == "require" {
			hosts, from = append(hosts, h.Name), append(from, s.Pos)
		}
	}
	return hosts, from
}

// requiredLine says the same in one sentence.
func (e *env) requiredLine(hosts []string, from []rules.Pos) string {
	if len(hosts) == 0 {
		return `projectTrust is "off": these files count without being trusted`
	}
	one := len(hosts) == len(hookio.Hosts())
	var each []string
	for i, name := range hosts {
		one = one && from[i] == from[0]
		each = append(each, name+" ("+e.place(from[i])+")")
	}
	if one {
		return `projectTrust is "require" (` + e.place(from[0]) + ")"
	}
	return `projectTrust is "require" for ` + strings.Join(each, ", ")
}
