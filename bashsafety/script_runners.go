package bashsafety

import (
	"slices"
)

// A scriptCall is what the words of a runner's command say of the scripts it
// runs. A Runner of "" means that it runs none.
type scriptCall struct {
	ref  ScriptRef // without Dir and File
	cwd  cwdState
	file *Word
	args []Word // what the runner appends to the script
	why  string // why the script cannot be told from the words
	end  int    // where the words of the script start, and options are no longer the runner's
	// besideFile is set when the runner works in the directory of file.
	besideFile bool
}

// A scriptRunner says how a program of the tables is told which script to run.
// Its lists are of options, blank-separated, without dashes.
type scriptRunner struct {
	program string
	runner  string // as ScriptRef names it
	dir     string // the value is the directory it works in
	file    string // the value is the file that holds the scripts
	none    string // it runs no script
	other   string // it runs scripts of other packages
	read    func(*call, *scriptCall, []int)
}

// scriptRunners are the programs expandScripts looks behind. Sources: the
// manuals of npm-run-script, pnpm-run, yarn run (classic), bun run, GNU make,
// just, go-task and mise run.
var scriptRunners = [...]scriptRunner{
	{"npm", "npm", "prefix C", "", "dry-run h help v version usage", "w workspace workspaces ws global g", npmScripts},
	{"pnpm", "pnpm", "prefix C dir", "", "h help v version", "F filter r recursive w workspace-root global g", wordScripts},
	{"yarn", "yarn", "cwd", "", "h help v version", "", wordScripts},
	{"yarnpkg", "yarn", "cwd", "", "h help v version", "", wordScripts},
	{"bun", "bun", "cwd", "", "h help v version revision", "F filter workspaces", wordScripts},
	{"make", "make", "", "f file makefile", makeNone, "", namedScripts},
	{"gmake", "make", "", "f file makefile", makeNone, "", namedScripts},
	{"just", "just", "d working-directory", "f justfile",
		"n dry-run l list s show summary dump evaluate choose g global-justfile c command e edit init fmt V version h help completions man variables groups usage", "", namedScripts},
	{"task", "task", "d dir", "t taskfile", taskNone, "", namedScripts},
	{"go-task", "task", "d dir", "t taskfile", taskNone, "", namedScripts},
	{"mise", "mise", "C cd", "", "n dry-run h help V version", "", wordScripts},
}

const (
	makeNone = "n just-print dry-run recon q question t touch h help v version"
	taskNone = "n dry l list a list-all summary status i init g global h help version completion experiments"
)

// scripts says which scripts a command runs.
func (c *call) scripts() (out scriptCall) {
	name := programName(c.argv)
	i := slices.IndexFunc(scriptRunners[:], func(r scriptRunner) bool { return r.program == name })
	words := c.verbs()
	if i < 0 || c.cwd == nil {
		return out
	}
	r := &scriptRunners[i]
	out.cwd, out.end = *c.cwd, len(c.argv)
	if out.ref.Runner = r.runner; len(words) > 0 && !c.argv[words[0]].Known {
		out.why = "what it runs is not known"
	} else {
		r.read(c, &out, words)
	}
	for k := range c.opts {
		if u := &c.opts[k]; u.at < out.end {
			r.option(u, &out)
		}
	}
	return out
}

// option takes in what an option of the runner itself says.
func (r *scriptRunner) option(u *used, out *scriptCall) {
	switch {
	case listed(r.none, u.name):
		out.ref.Runner = ""
	case listed(r.other, u.name):
		out.why = "it runs scripts of other packages"
	case !u.given:
	case listed(r.dir, u.name) && u.does != WorkDir: // that is taken in already
		out.cwd, out.besideFile = *moved(&out.cwd, &u.value), false
	case listed(r.file, u.name):
		if out.file != nil || !u.value.Known {
			out.why = "the file it reads is not known"
		}
		out.file, out.besideFile = &u.value, r.runner != "make"
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
