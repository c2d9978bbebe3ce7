package commands

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineGit runs for every git command: the directory it works in, and the
// spelling without git's own options.
func refineGit(c *Invocation) {
	c.Wrote = c.Wrote || c.signs()
	kind := shell.GitChange
	if c.Facts.Proof.Holds() && !c.Wrote {
		kind = shell.GitRead
	}
	c.touch(kind, c.here(), false)
	at := c.subAt()
	for u := range c.options() {
		if at > 0 && u.at >= at {
			break
		}
		switch u.Name {
		case "h", "help":
			if at > 0 { // a manual page, by whatever shows them
				c.Disprove("starts a viewer")
			}
		case "c":
			key, _, _ := strings.Cut(u.Value.Text, "=")
			if strings.ToLower(key) != u.Value.Text && settingOfFile(key) {
				c.readValue(new(shell.Suffix(&u.Value, len(key)+1)))
			}
		case "git-dir", "work-tree":
			dir := u.Value
			dir.Text = strings.TrimSuffix(strings.TrimRight(dir.Text, "/"), "/.git")
			if u.Name == "git-dir" && c.makesRepository() {
				c.writeTree(&u.Value)
			} else if u.Name == "work-tree" && kind == shell.GitChange {
				c.write(&dir)
			}
			c.touch(kind, &dir, false)
		}
	}
	c.writesFromTop()
	if at > 0 {
		c.alsoGit(c.Argv[at:])
	}
	if at > 0 && len(c.Subs) == 0 && !c.Argv[at].Known {
		c.Narrow("the git command is unknown")
	}
}

// alsoGit notes other spellings of the git command whose words these are, which deny rules
// meet as well: what pushes is git push.
func (c *Invocation) alsoGit(words []shell.Word) {
	git := shell.Literal("git", &c.Argv[0])
	if len(words)+1 != len(c.Argv) { // else it is spelled so
		c.Facts.Alt = append(c.Facts.Alt, append([]shell.Word{git}, words...))
	}
	rest := words[1:]
	switch words[0].Text {
	case "send-pack", "http-push":
	case "subtree":
		i := slices.IndexFunc(rest, func(w shell.Word) bool { return w.Text == "push" })
		if i < 0 {
			return
		}
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	default:
		return
	}
	c.Facts.Alt = append(c.Facts.Alt, append([]shell.Word{git, shell.Literal("push", &c.Argv[0])}, rest...))
}

// ofGit runs for a program without a table the git command that it is by its name, as git
// keeps them in a folder of its own.
func (c *Invocation) ofGit() {
	verb, ok := strings.CutPrefix(ProgramName(c.Argv), "git-")
	if git := Find("git"); ok && git.command().sub(verb) != nil {
		words := []shell.Word{shell.Literal("git", &c.Argv[0]), shell.Literal(verb, &c.Argv[0])}
		c.within(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: append(words, c.Argv[1:]...)})
	}
}

// settingOfFile reports whether the value of a setting is a file.
func settingOfFile(key string) bool {
	low := strings.ToLower(key)
	return low == "commit.template" || strings.HasSuffix(low, ".path") || strings.HasSuffix(low, "file")
}

// signs reports whether an output format may ask for signatures, which gpg
// checks and writes its own files for.
func (c *Invocation) signs() bool {
	for u := range c.options() {
		if u.Name != "format" && u.Name != "pretty" {
			continue
		}
		if u.Given && !u.Value.Known || shell.ContainsAny(u.Value.Text, "%G", "%(signature") {
			return true
		}
	}
	return false
}

// subAt is the place of the first subcommand, or 0 if none.
func (c *Invocation) subAt() int {
	pre := parseArgs(c.Argv, 1, c.Cmd.Style|StopAtOperand, []*Command{c.Cmd})
	if len(pre.Operands) == 0 {
		return 0
	}
	return pre.Operands[0]
}

func readsFirst(c *Invocation) {
	if w := c.Operand(0); w != nil {
		c.read(w)
	}
}

// gitWritesPaths writes the paths of git checkout: those after --, after the first operand unless
// a branch is made, and what can be no branch.
func gitWritesPaths(c *Invocation) {
	makes := c.Has("b", "B", "orphan", "t", "track")
	for n, i := range c.Operands {
		w := &c.Argv[i]
		path := n > 0 && !makes
		if c.DashDash > 0 {
			path = i > c.DashDash
		}
		if path || hiddenPart(w.Text) || strings.HasPrefix(w.Text, ":") {
			c.touchSpec(shell.Write, w)
		}
	}
}

// hiddenPart reports whether a component starts with a dot, as none of a branch does.
func hiddenPart(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

func refineGitDiff(c *Invocation) {
	if c.Has("no-index") {
		c.readOperands(c.Operands)
		return
	}
	gitPaths(c)
}

func refineGitGrep(c *Invocation) {
	first := 1
	if c.NoPattern || len(c.Operands) > 0 && c.DashDash > 0 && c.Operands[0] > c.DashDash {
		first = 0
	}
	if !c.Has("no-index") {
		gitPathsFrom(c, first)
		return
	}
	for _, i := range c.Operands[min(first, len(c.Operands)):] {
		c.touchSpec(shell.Read, &c.Argv[i])
	}
}

// gitUnsafe is why no patterned rule covers a verb.
const gitUnsafe = "it runs programs, or changes what later git commands run"

// asWords shows several words that are run as a shell text as a command, too: some launchers quote them before.
func (c *Invocation) asWords(via string, argv []shell.Word) {
	if len(argv) > 1 {
		c.within(Inner{Kind: InnerArgv, Via: via, Argv: argv})
	}
}

// refineGitStrategy: an option of a strategy moves what comes in below a folder.
func refineGitStrategy(c *Invocation) {
	for u := range c.options() {
		if u.Name == "X" || u.Name == "strategy-option" {
			if dir, ok := strings.CutPrefix(u.Value.Text, "subtree="); ok && dir != "" {
				to, from := shell.Suffix(&u.Value, len(u.Value.Text)-len(dir)), len(c.Facts.Effects)
				c.writeTree(&to)
				c.fromTop(from)
			}
		}
	}
}

// refineGitLsRemote asks the other side and changes nothing here; an unknown
// repository may be a transport that runs a program.
func refineGitLsRemote(c *Invocation) {
	w := c.Operand(0)
	if w == nil {
		return
	}
	c.disproveIf(!w.Known)
	known := slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool { return e.Kind == shell.Network })
	if elsewhere(w) && !known && !strings.Contains(w.Text, "::") { // host:path
		c.network(w)
	}
}

// refineGitApply: the options that print or check leave the files alone unless
// another one applies the patch all the same.
func refineGitApply(c *Invocation) {
	if !c.Facts.Proof.Holds() {
		gitPatches(c)
	}
}

// refineGitClone writes the new directory where only the other side names it.
func refineGitClone(c *Invocation) {
	for u := range c.options() { // which the new repository keeps
		key, value, _ := strings.Cut(u.Value.Text, "=")
		if kept := u.Name == "c" || u.Name == "config"; kept && (!u.Value.Known || !gitKeyInert(key, value)) {
			c.write(new(shell.Literal(".git/config", &c.Argv[0])))
		}
	}
	if w := c.Operand(0); w != nil && w.Known && len(c.Operands) == 1 {
		name := repositoryName(strings.TrimSuffix(w.Text, ".bundle"))
		if c.Has("bare", "naked", "mirror") && name != "" {
			name += ".git"
		}
		if name != "" {
			c.writeTree(new(shell.Literal(name, w)))
		}
	}
}

// gitURL looks at a word that may be a repository.
func (c *Invocation) gitURL(w *shell.Word) {
	if strings.HasPrefix(w.Text, "-") { // git pull hands it to git fetch without --
		c.Narrow(optionsAfterDashes)
	}
	host, _, scp := strings.Cut(w.Text, ":")
	switch {
	case strings.Contains(w.Text, "::"):
		c.transport(w)
	case strings.Contains(w.Text, "://-"):
		c.Narrow("the host is read as an ssh option")
	case strings.Contains(w.Text, "://"), scp && strings.Contains(host, "@") && !strings.Contains(host, "/"):
		c.network(w)
	}
}

// transport is a repository reached through a helper transport; ext:: is followed by a command.
func (c *Invocation) transport(w *shell.Word) {
	c.Narrow("the :: transport runs a program")
	if text, ok := strings.CutPrefix(w.Text, "ext::"); ok {
		c.scan("ext::", text, w)
	}
}

// Options of git config that ask for a value, and those that change one.
const (
	gitConfigAsks    = "-l list get get-all get-regexp get-urlmatch get-color get-colorbool"
	gitConfigChanges = "-e edit add unset unset-all replace-all rename-section remove-section"
)

func (c *Invocation) gitConfigReads() bool {
	if c.given(gitConfigAsks) {
		return true
	}
	switch c.LiteralOperand(0) {
	case "get", "list":
		return true
	case "set", "unset", "edit", "rename-section", "remove-section":
		return false
	}
	return len(c.Operands) < 2 && !c.given(gitConfigChanges)
}

// refineGitConfig tells reading from writing.
func refineGitConfig(c *Invocation) {
	reads := c.gitConfigReads()
	if o := c.Option("blob"); o != nil {
		c.gitReadsObject(&o.Value)
	}
	if o := c.Option("f", "file"); o != nil {
		if reads {
			c.read(&o.Value)
		} else {
			c.write(&o.Value)
		}
	}
	if reads {
		return
	}
	c.Wrote = true
	c.Narrow("git config changes what later git commands run")
	if n := len(c.Operands); n > 1 {
		c.set("config", c.Argv[c.Operands[n-2]].Text, c.Argv[c.Operands[n-1]].Text, &c.Argv[c.Operands[n-1]])
	}
	behind := func(option string) bool { // the verb, where git reads options as well
		return c.Has(option) || slices.ContainsFunc(c.rest(0), func(w shell.Word) bool { return w.Text == "--"+option })
	}
	switch {
	case c.Has("f", "file", "blob"):
	case behind("global"):
		c.configures(".gitconfig", c.setsInert())
	case behind("system"):
		c.write(new(shell.Literal("/etc/gitconfig", &c.Argv[0])))
	case !c.setsInert():
		c.write(new(shell.Literal(".git/config", &c.Argv[0])))
	}
}

// configures writes a file of settings in the home; inert says that nothing runs by what is set.
func (c *Invocation) configures(name string, inert bool) {
	from := len(c.Facts.Effects)
	c.write(new(shell.Literal(cmp.Or(c.Home, "~")+"/"+name, &c.Argv[0])))
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Inert = inert
	}
}
