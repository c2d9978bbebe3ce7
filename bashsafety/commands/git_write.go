package commands

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What git's rarer commands write and run besides what the repository holds.

// written adds writes of names that start with a word.
func (c *Invocation) written(start *shell.Word) {
	c.write(new(shell.NamesStartingWith(start)))
}

// writesNamed writes what starts with a name, in an option's folder or the working directory.
func (c *Invocation) writesNamed(option *Used, name string) {
	dir := c.here()
	if option != nil && option.Given {
		dir = &option.Value
	}
	c.written(new(shell.Within(dir, new(shell.Literal(name, dir)))))
}

// refineGitPack is git pack-objects BASE, which writes files that start with it,
// and git index-pack FILE, which writes others next to it.
func refineGitPack(c *Invocation) {
	for _, i := range c.Operands {
		w := c.Argv[i]
		if c.Subs[0] == "index-pack" {
			if c.Has("stdin") {
				c.write(&w)
			} else {
				c.read(&w)
			}
			if strings.HasSuffix(w.Text, ".pack") && w.Known {
				w.Text = strings.TrimSuffix(w.Text, "pack")
			}
		}
		if c.Subs[0] == "index-pack" || !c.Has("stdout") {
			c.written(&w)
		}
	}
}

// refineGitReport is git bugreport and git diagnose.
func refineGitReport(c *Invocation) {
	if o := c.Option("s", "suffix"); o != nil && strings.Contains(o.Value.Text, "/") || o != nil && !o.Value.Known {
		c.writeUnknown()
	}
	c.writesNamed(c.Option("o", "output-directory"), "git-bugreport-")
	c.writesNamed(c.Option("o", "output-directory"), "git-diagnostics-")
}

// refineGitFormatPatch writes one numbered file for each commit.
func refineGitFormatPatch(c *Invocation) {
	gitPaths(c)
	if c.Has("stdout", "output") {
		return
	}
	if o := c.Option("suffix"); o != nil && (!o.Value.Known || strings.Contains(o.Value.Text, "/")) {
		c.writeUnknown()
	}
	dir := c.here()
	if o := c.Option("o", "output-directory"); o != nil && o.Given {
		dir = &o.Value
	}
	for _, name := range [...]string{"[0-9v]*", "[0-9]"} {
		file := shell.Word{Text: name, Glob: true, Single: true, Span: dir.Span}
		c.write(new(shell.Within(dir, &file)))
	}
}

// writeTree writes a folder with everything below it.
func (c *Invocation) writeTree(w *shell.Word) {
	c.Recursive = true
	c.write(w)
	c.Recursive = false
}

// fromTop says of the effects from an index on that their paths start at the top
// of the work tree, where git goes first.
func (c *Invocation) fromTop(from int) {
	dirs := c.Cwd.Dirs
	for i := range c.Facts.Effects[from:] {
		if len(dirs) > 0 {
			c.Facts.Effects[from+i].Top = dirs[i%len(dirs)]
		}
	}
}

// gitFromTop are the commands that take the names of what they write to start at
// the top of the work tree.
const gitFromTop = "unpack-file fast-export fast-import maintenance pack-objects cherry-pick revert checkout-index " +
	"read-tree multi-pack-index commit-graph repack"

// writesFromTop adds what such a command writes below the top, unless the words
// named it from the root.
func (c *Invocation) writesFromTop() {
	if len(c.Subs) == 0 || !shell.Listed(gitFromTop, c.Subs[0]) {
		return
	}
	for _, e := range c.Facts.Effects[:len(c.Facts.Effects):len(c.Facts.Effects)] {
		for _, dir := range c.Cwd.Dirs {
			if e.Kind == shell.Write && e.Top == "" && strings.HasPrefix(e.Path, dir+"/") {
				e.Top = dir
				c.Facts.Effects = append(c.Facts.Effects, e)
				break
			}
		}
	}
}

// refineGitInit writes what a template brings along.
func refineGitInit(c *Invocation) {
	if o := c.Option("template"); o != nil && o.Given && o.Value.Text != "" {
		dir := cmp.Or(c.Operand(0), c.here())
		c.writeTree(new(shell.Within(dir, new(shell.Literal(".git/hooks", dir)))))
	}
}

// A GitInputKind says what git makes of a line of its standard input.
type GitInputKind uint8

const (
	GitEntries     GitInputKind = iota + 1 // the name of an entry of the index or a tree follows a tab
	GitObjectNames                         // an object it prints
	gitCheckedOut                          // a name alone, below a prefix if there is one
	gitHashed                              // a file it reads
)

// GitInputOf is what git is told on standard input, 0 for nothing that matters.
func GitInputOf(found *Invocation) GitInputKind {
	if !found.IsGit() {
		return 0
	}
	switch found.Subs[0] {
	case "mktree":
		return GitEntries
	case "update-index":
		if found.Has("index-info") {
			return GitEntries
		}
	case "cat-file":
		if found.Has("batch", "batch-command") {
			return GitObjectNames
		}
	case "checkout-index":
		if found.Has("stdin") {
			return gitCheckedOut
		}
	case "hash-object":
		if found.Has("stdin-paths") {
			return gitHashed
		}
	}
	return 0
}

// refineGitIndex is git update-index: the entries it makes are checked out later.
func refineGitIndex(c *Invocation) {
	if c.Has("index-info") {
		c.writeUnknown() // package interp reads its input
	}
	for u := range c.options() {
		if u.Name != "cacheinfo" {
			continue
		}
		if parts := strings.SplitN(u.Value.Text, ",", 3); len(parts) == 3 {
			name := u.Value
			name.Text = parts[2]
			c.write(&name)
		} else if u.at+3 < len(c.Argv) {
			c.write(&c.Argv[u.at+3])
		} else {
			c.writeUnknown()
		}
	}
}

// refineGitCheckoutIndex writes the files of the index, below a prefix if there is
// one: a text in front of their names.
func refineGitCheckoutIndex(c *Invocation) {
	if c.Has("temp") {
		c.writesNamed(nil, ".merge_file_")
	}
	o := c.Option("prefix")
	if o == nil {
		c.writesOperands()
		return
	}
	for _, i := range c.Operands {
		w := o.Value
		w.Text, w.Known = o.Value.Text+c.Argv[i].Text, o.Value.Known && c.Argv[i].Known
		c.write(&w)
	}
	if len(c.Operands) > 0 && !c.Has("a", "all", "stdin") {
		return
	}
	if c.Recursive = true; strings.HasSuffix(o.Value.Text, "/") {
		c.write(&o.Value)
	} else {
		c.written(&o.Value)
	}
	c.Recursive = false
}

// refineGitSubmoduleAdd writes the folder of the new repository, and where it came from.
func refineGitSubmoduleAdd(c *Invocation) {
	if c.Subs[1] != "add" {
		return
	}
	w := c.Operand(1)
	if url := c.Operand(0); w == nil && url != nil && url.Known {
		w = new(shell.Literal(repositoryName(url.Text), url))
	}
	if w == nil {
		return
	}
	c.writeTree(w)
	modules := shell.Literal(".gitmodules", w)
	from := len(c.Facts.Effects)
	c.write(&modules)
	c.fromTop(from)
}

// repositoryName is how git calls the folder of a repository it clones.
func repositoryName(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(url, "/"), "/.git"), ".git")
	return url[strings.LastIndexAny(url, "/:")+1:]
}

// refineGitPick: cherry-pick and revert read options after -- as well.
func refineGitPick(c *Invocation) {
	refineGitStrategy(c)
	for _, i := range c.Operands {
		if strings.HasPrefix(c.Argv[i].Text, "-") && len(c.Argv[i].Text) > 1 {
			c.Narrow(optionsAfterDashes)
			if at := strings.IndexByte(c.Argv[i].Text, '='); strings.HasPrefix(c.Argv[i].Text, "--o") && at > 0 {
				c.write(new(shell.Suffix(&c.Argv[i], at+1)))
			}
		}
	}
}

// GitLine says what one line of standard input makes git read or write.
func (c *Invocation) GitLine(kind GitInputKind, line string, at *shell.Word) {
	switch kind {
	case gitCheckedOut:
		prefix := ""
		if o := c.Option("prefix"); o != nil && o.Value.Known {
			prefix = o.Value.Text
		}
		c.write(new(shell.Literal(prefix+unquoted(line), at)))
	case gitHashed:
		c.read(new(shell.Literal(unquoted(line), at)))
	case GitObjectNames:
		if _, name, ok := strings.Cut(line, " "); ok && c.Has("batch-command") {
			line = name
		}
		c.gitReadsObject(new(shell.Literal(line, at)))
	case GitEntries:
		if _, name, ok := strings.Cut(line, "\t"); ok {
			c.write(new(shell.Literal(unquoted(name), at)))
		}
	}
}

// refineGitRequest is git request-pull, which hands its operands to git ls-remote
// as they are: one after -- is an option there.
func refineGitRequest(c *Invocation) {
	for _, i := range c.Operands {
		if mayBeOption(&c.Argv[i]) {
			c.Narrow("a word only known at run time could be an option of git ls-remote")
		}
		if name, _, ok := strings.Cut(c.Argv[i].Text, "="); ok && shell.StartsWithAny(name, "--u", "--e") {
			program := shell.Suffix(&c.Argv[i], len(name)+1)
			c.scan(name, program.Text, &c.Argv[i])
		}
	}
}
