package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// trustOptions are the options of permgate trust.
type trustOptions struct {
	writeOptions
	list, diff, revoke, json bool
	folder                   string
}

func trustCommand() *Command {
	var o trustOptions
	return &Command{
		Name:     "trust",
		Args:     "[DIR]",
		Operands: "dir -",
		Short:    "trust what this project's files grant",
		Long: `With projectTrust "require", which install sets, files that came with a repository
grant nothing until you trust them: allow rules, additional directories and a
defaultMode in the project's settings.json, in a settings.local.json that git
tracks, in permgate.json, and allow_tools and mode in its agent definitions.
Restrictions always apply.

Shows every such grant with its place, asks, and records each of them. After a
change only new grants are withheld; trusted grants stay trusted, in every work tree
of the same git repository. The records are in the state folder, by the path of the
repository, or outside git by the real paths of project and file: a project that was
moved has to be trusted again. Changes you make through permgate are recorded too.

A settings.local.json also needs a record if no git index shows that it is not part
of the repository: in a project without git, or if the index is missing.

--folder DIR records a folder of yours that HOME, XDG_STATE_HOME or
CLAUDE_CONFIG_DIR names and that is not in its usual place in the home directory of
your passwd entry: a project can set these variables for a hook, so such a folder can
only restrict until you say it is yours.

DIR is the project, if it is not the one found from here: a program started in a
subfolder of a repository uses that folder as its project.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.

Exit code of --diff: 0 if no grant is new, 1 if one is or a trusted file is missing,
3 if that is unknown.`,
		Examples: []Example{
			{"permgate trust", "show the project's grants and trust them"},
			{"permgate trust --diff", "what changed since, and new grants"},
			{"permgate trust --list", "the trusted files"},
			{"permgate trust --revoke", "stop trusting this project"},
			{"permgate trust --folder ~/.claude-work", "record your own CLAUDE_CONFIG_DIR"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.list, "list", false, "list files and whether they are trusted")
			fs.BoolVar(&o.diff, "diff", false, "show what changed since files with new grants were trusted")
			fs.BoolVar(&o.revoke, "revoke", false, "stop trusting this project, in all its work trees")
			fs.StringVar(&o.folder, "folder", "",
				"record a folder named by HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR; with --revoke: forget it")
			fs.BoolVar(&o.json, "json", false, "list the files and their grants as JSON")
			fs.BoolVar(&o.dryRun, "dry-run", false, "show what would be trusted and record nothing")
			fs.BoolVar(&o.yes, "yes", false, "do not ask on the terminal")
		},
		Run: func(e *env, args []string) int { return trustRun(e, &o, args) },
	}
}

func trustRun(e *env, o *trustOptions, args []string) int {
	if why := o.refused(args); why != "" {
		return e.fail("permgate help trust", "%s", why)
	}
	if o.folder != "" {
		return trustFolder(e, o)
	}
	dir := ""
	if len(args) == 1 {
		if dir = e.abs(args[0]); !exists(dir) {
			return e.fail("permgate trust DIR takes the folder of the project", "%s does not exist", hookio.Escape(args[0]))
		}
	}
	return e.grantDiff(dir).run(e, o, dir)
}

// refused says which options exclude each other, "" when they fit.
func (o *trustOptions) refused(args []string) string {
	modes := 0
	for _, on := range [...]bool{o.listing(), o.diff, o.revoke} {
		if on {
			modes++
		}
	}
	switch {
	case len(args) > 1:
		return fmt.Sprintf("expected at most one operand, the project's folder; got %d", len(args))
	case o.folder != "" && (len(args) > 0 || o.listing() || o.diff):
		return "--folder goes with --revoke, --dry-run and --yes only"
	case o.folder == "" && modes > 1:
		return "--list (or --json), --diff and --revoke exclude each other"
	}
	return ""
}

func (o *trustOptions) listing() bool { return o.list || o.json }

// run does what the options say. A list and a dry run of trusting need no record.
func (k *grantDiff) run(e *env, o *trustOptions, dir string) int {
	if o.listing() {
		k.print(e, o.json)
	} else if o.dryRun && !o.diff && !o.revoke {
		return k.trust(e, o, dir)
	}
	switch {
	case k.err != nil:
		return e.fail("the trust records do not count: fix the folder or move it away, then trust again", "%v", k.err)
	case o.listing():
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
		if s := e.policy(h).Posture.ProjectTrust; s.Value == "require" {
			hosts, from = append(hosts, h.Name), append(from, s.Pos)
		}
	}
	return hosts, from
}

// requiredLine says the same in one sentence.
func (e *env) requiredLine(hosts []string, from []rules.Pos) string {
	if len(hosts) == 0 {
		return `projectTrust is "off": these files count without trust`
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
