package bashsafety

// A scriptCall is what the words of a runner's command say of the scripts it
// runs. A Runner of "" means that it runs none.
type scriptCall struct {
	ref  ScriptRef // without Dir and File
	cwd  cwdState
	file *Word
	opts []used // options of the runner behind the word run
	args []Word // what the runner appends to the script
	why  string // why the script cannot be told from the words
	end  int    // where the words of the script start, and options are no longer the runner's
	// besideFile is set when the runner works in the directory of file.
	besideFile bool
}

// A scriptRunner says how a program is told which script of the project to run.
// Its lists are of options, blank-separated, without dashes.
type scriptRunner struct {
	Name   string // as in ScriptRef
	Dir    string // options whose value is the directory it works in
	File   string // options whose value is the file that holds the scripts
	Beside bool   // with such a file it works in the directory of it
	None   string // options with which it runs no script
	Other  string // options that lead to scripts of other packages
	Own    string // commands of its own that hide a script of their name
	// words reads the words that are no options, given by position.
	words func(*call, *scriptCall, []int)
}

// scriptsOf says which scripts a command runs.
func (c *call) scriptsOf() (out scriptCall) {
	r := c.cmd.scripts
	if r == nil || c.cwd == nil {
		return out
	}
	words := c.verbs()
	out.cwd, out.end = *c.cwd, len(c.argv)
	if out.ref.Runner = r.Name; len(words) > 0 && !c.argv[words[0]].Known {
		out.why = "what it runs is not known"
	} else {
		r.words(c, &out, words)
	}
	for _, list := range [...][]used{c.opts, out.opts} {
		for k := range list {
			if list[k].at < out.end {
				r.option(&list[k], &out)
			}
		}
	}
	return out
}

// option takes in what an option of the runner itself says.
func (r *scriptRunner) option(u *used, out *scriptCall) {
	switch {
	case listed(r.None, u.name):
		out.ref.Runner = ""
	case listed(r.Other, u.name):
		out.why = "it runs scripts of other packages"
	case !u.given:
	case listed(r.Dir, u.name) && u.does != WorkDir: // that is taken in already
		out.cwd, out.besideFile = *moved(&out.cwd, &u.value), false
	case listed(r.File, u.name):
		if out.file != nil || !u.value.Known {
			out.why = "the file it reads is not known"
		}
		out.file, out.besideFile = &u.value, r.Beside
	}
}

// verbs are the positions of the words that are no options, the names of
// subcommands included.
func (c *call) verbs() []int {
	var at []int
	i := 1
	for _, name := range c.subs {
		for i < c.from && c.argv[i].Text != name {
			i++
		}
		at = append(at, i)
		i++
	}
	return append(at, c.operands...)
}
