package commands

import "github.com/permgate--owner/permgate/bashsafety/shell"

// A ScriptRef names the scripts of a project that a command of a script runner
// asks for: npm run build, make test.
type ScriptRef struct {
	Runner string   // npm, pnpm, yarn, bun, make, just, task, mise
	Dir    string   // where the runner starts to look, absolute
	File   string   // the file an option names, absolute; "" to search for it
	Names  []string // the scripts as typed; none: the runner's default
	Vars   []string // NAME=value words of the command
}

// A ScriptCall is what the words of a runner's command say of the scripts it
// runs. A Runner of "" means that it runs none.
type ScriptCall struct {
	Ref  ScriptRef // without Dir and File
	Cwd  shell.CwdState
	File *shell.Word
	opts []Used       // options of the runner after the word run
	Args []shell.Word // what the runner appends to the script
	Why  string       // why the script cannot be told from the words
	end  int          // where the words of the script start, and options are no longer the runner's
	// BesideFile is set when the runner works in the directory of file.
	BesideFile bool
}

// A ScriptRunner says how a program is told which script of the project to run.
// Its lists are of options, blank-separated, without dashes.
type ScriptRunner struct {
	Name   string // as in ScriptRef
	Dir    string // options whose value is the directory it works in
	File   string // options whose value is the file that holds the scripts
	Beside bool   // with such a file it works in the directory of it
	None   string // options with which it runs no script
	Other  string // options that lead to scripts of other packages
	Own    string // commands of its own that hide a script of their name
	// words reads the words that are no options, given by position.
	words func(*Invocation, *ScriptCall, []int)
}

// ScriptsOf says which scripts a command runs.
func (c *Invocation) ScriptsOf() (out ScriptCall) {
	r := c.Cmd.Rare().Scripts
	if r == nil || c.Cwd == nil {
		return out
	}
	words := c.verbs()
	out.Cwd, out.end = *c.Cwd, len(c.Argv)
	if out.Ref.Runner = r.Name; len(words) > 0 && !c.Argv[words[0]].Known {
		out.Why = "the command it runs is unknown"
	} else {
		r.words(c, &out, words)
	}
	for _, list := range [...][]Used{c.Opts, out.opts} {
		for k := range list {
			if list[k].at < out.end {
				r.option(&list[k], &out)
			}
		}
	}
	return out
}

// option takes in what an option of the runner itself says.
func (r *ScriptRunner) option(u *Used, out *ScriptCall) {
	switch {
	case shell.Listed(r.None, u.Name):
		out.Ref.Runner = ""
	case shell.Listed(r.Other, u.Name):
		out.Why = "it runs scripts of other packages"
	case !u.Given:
	case shell.Listed(r.Dir, u.Name) && u.does != WorkDir: // that is taken in already
		out.Cwd, out.BesideFile = *shell.Moved(&out.Cwd, &u.Value), false
	case shell.Listed(r.File, u.Name):
		if out.File != nil || !u.Value.Known {
			out.Why = "the file it reads is unknown"
		}
		out.File, out.BesideFile = &u.Value, r.Beside
	}
}

// verbs are the positions of the words that are no options, the names of
// subcommands included.
func (c *Invocation) verbs() []int {
	var at []int
	i := 1
	for _, name := range c.Subs {
		for i < c.From && c.Argv[i].Text != name {
			i++
		}
		at = append(at, i)
		i++
	}
	return append(at, c.Operands...)
}
