package bashsafety

import (
	"slices"
	"strings"
)

// gitMore runs for every git command: the directory it works in, and the
// spelling without git's own options.
func gitMore(c *call) {
	if c.signs() {
		c.wrote = true
	}
	kind := GitChange
	if c.d.readOnly && !c.wrote {
		kind = GitRead
	}
	c.touch(kind, c.here(), false)
	at := c.subAt()
	for i := range c.opts {
		u := &c.opts[i]
		if at > 0 && u.at >= at {
			break
		}
		switch u.name {
		case "h", "help":
			if at > 0 { // a manual page, by whatever shows them
				c.disprove("starts a viewer")
			}
		case "c":
			key, _, _ := strings.Cut(u.value.Text, "=")
			c.gitSetting(key, u.value.Text[min(len(key)+1, len(u.value.Text)):], &u.value)
		case "git-dir", "work-tree":
			dir := u.value
			dir.Text = strings.TrimSuffix(strings.TrimRight(dir.Text, "/"), "/.git")
			c.touch(kind, &dir, false)
		}
	}
	if at > 1 {
		c.d.alt = append(c.d.alt, append([]Word{literal("git", &c.argv[0])}, c.argv[at:]...))
	}
	if at > 0 && len(c.subs) == 0 && !c.argv[at].Known {
		c.narrow("the git command is not known")
	}
}

// signs reports whether an output format may ask for signatures, which gpg
// checks and writes its own files for.
func (c *call) signs() bool {
	for i := range c.opts {
		switch u := &c.opts[i]; u.name {
		case "format", "pretty":
			if t := u.value.Text; u.given && !u.value.Known || strings.Contains(t, "%G") || strings.Contains(t, "%(signature") {
				return true
			}
		}
	}
	return false
}

// gitSetting shows the command a setting holds: an alias, or the value of a key
// that names a program.
func (c *call) gitSetting(key, value string, at *Word) {
	key = strings.ToLower(key)
	last := key[strings.LastIndexByte(key, '.')+1:]
	switch text, shell := strings.CutPrefix(value, "!"); {
	case shell:
		c.scan("-c", text, at)
	case strings.HasPrefix(key, "alias."):
		c.scan("-c", "git "+value, at)
	default:
		switch last {
		case "pager", "editor", "sshcommand", "gitproxy", "fsmonitor", "askpass", "cmd", "command", "program", "textconv", "driver", "clean", "smudge", "process", "helper", "external", "uploadpack", "receivepack":
			c.scan("-c", value, at)
		}
	}
}

// subAt is where the first subcommand stands, 0 when there is none.
func (c *call) subAt() int {
	pre := parseArgs(c.argv, 1, c.cmd.Style|StopAtOperand, []*Command{c.cmd})
	if len(pre.operands) == 0 {
		return 0
	}
	return pre.operands[0]
}

// gitPaths reads the paths behind --.
func gitPaths(c *call) {
	for _, i := range c.operands {
		if c.dashdash > 0 && i > c.dashdash && !strings.HasPrefix(c.argv[i].Text, ":") {
			c.read(&c.argv[i])
		}
	}
}

// gitReadsPaths reads the paths among the operands, which the command takes into
// the index or the stash.
func gitReadsPaths(c *call) {
	for _, i := range c.operands {
		if !strings.HasPrefix(c.argv[i].Text, ":") {
			c.read(&c.argv[i])
		}
	}
}

// gitFirstRead reads the first operand.
func gitFirstRead(c *call) {
	if w := c.operand(0); w != nil {
		c.read(w)
	}
}

// gitBlameMore reads the file that is named behind -- or as the last operand.
func gitBlameMore(c *call) {
	if n := len(c.operands); n > 0 && c.operands[n-1] > c.dashdash {
		c.read(&c.argv[c.operands[n-1]])
	}
}

// gitWritesPaths writes the paths of git checkout: those behind --, and what
// can be no branch. Behind the first operand stand paths as well, except where
// a branch is made.
func gitWritesPaths(c *call) {
	makes := c.has("b", "B", "orphan", "t", "track")
	for n, i := range c.operands {
		w := &c.argv[i]
		behind := c.dashdash > 0 && i > c.dashdash || c.dashdash == 0 && n > 0 && !makes
		if (behind || hiddenPart(w.Text)) && !strings.HasPrefix(w.Text, ":") {
			c.write(w)
		}
	}
}

// hiddenPart reports whether a component starts with a dot, as none of a branch does.
func hiddenPart(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

func gitRestoreMore(c *call) {
	if c.has("S", "staged") && !c.has("W", "worktree") {
		return
	}
	for _, i := range c.operands {
		if !strings.HasPrefix(c.argv[i].Text, ":") {
			c.write(&c.argv[i])
		}
	}
}

func gitRmMore(c *call) {
	c.recursive = c.has("r")
	for _, i := range c.operands {
		if !c.has("cached") && !strings.HasPrefix(c.argv[i].Text, ":") {
			c.remove(&c.argv[i])
		}
	}
}

func gitDiffMore(c *call) {
	if c.has("no-index") {
		c.readOperands(c.operands)
		return
	}
	gitPaths(c)
	for _, i := range c.operands { // two files outside the repository are compared without --no-index
		if t := c.argv[i].Text; i > c.dashdash && c.dashdash > 0 {
			break
		} else if strings.HasPrefix(t, "/") || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "../") {
			c.read(&c.argv[i])
		}
	}
}

func gitGrepMore(c *call) {
	if !c.has("no-index") {
		gitPaths(c)
		return
	}
	if ops := c.operands; !c.noPattern && len(ops) > 0 {
		c.readOperands(ops[1:])
	} else {
		c.readOperands(ops)
	}
}

func gitUnsafeMore(c *call) {
	c.narrow("git " + strings.Join(c.subs, " ") + " runs programs, or changes what later git commands run")
}

// gitRunMore is git bisect run and git submodule foreach: shell text.
func gitRunMore(c *call) {
	via := "git " + strings.Join(c.subs, " ")
	c.narrow(via + " runs a command")
	argv := c.rest(0)
	if len(argv) == 0 {
		return
	}
	c.runs(inner{kind: innerText, via: via, text: joined(argv)})
}

func gitRebaseMore(c *call) {
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "x" || u.name == "exec" {
			c.narrow("-x runs a command")
			c.runs(inner{kind: innerText, via: "git rebase -x", text: u.value})
		}
	}
	gitStrategyMore(c)
}

// gitStrategyMore: a merge strategy git does not know is the program
// git-merge-NAME.
func gitStrategyMore(c *call) {
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "s" || u.name == "strategy" {
			switch u.value.Text {
			case "ort", "recursive", "resolve", "octopus", "ours", "subtree":
				continue
			}
			if u.does == 0 && u.given {
				c.narrow("the strategy is a program of that name")
			}
		}
	}
}

func gitPullMore(c *call) {
	gitRemoteMore(c)
	gitStrategyMore(c)
}

// gitLsRemoteMore asks the other side and changes nothing here; an unknown
// repository may be a transport that runs a program.
func gitLsRemoteMore(c *call) {
	gitRemoteMore(c)
	w := c.operand(0)
	if w == nil {
		return
	}
	if !w.Known {
		c.d.readOnly = false
	}
	known := slices.ContainsFunc(c.d.effects, func(e Effect) bool { return e.Kind == Network })
	if elsewhere(w) && !known && !strings.Contains(w.Text, "::") { // host:path
		c.network(w)
	}
}

// gitMergeIndexMore is git merge-index [-o] [-q] PROGRAM FILE.
func gitMergeIndexMore(c *call) {
	c.narrow("git merge-index runs a program")
	for _, i := range c.operands {
		if !strings.HasPrefix(c.argv[i].Text, "-") {
			c.remote(inner{kind: innerArgv, via: "git merge-index", argv: c.argv[i : i+1]})
			return
		}
	}
}

// gitMergeFileMore writes the first of three files, with -p none.
func gitMergeFileMore(c *call) {
	for n, i := range c.operands {
		if n == 0 && !c.has("p", "stdout") {
			c.write(&c.argv[i])
		} else {
			c.read(&c.argv[i])
		}
	}
	c.d.readOnly = c.has("p", "stdout") && !c.has("object-id") && c.proven()
}

// gitTrailersMore: without trailers of its own, and no command from the
// settings to make one, it prints what messages hold.
func gitTrailersMore(c *call) {
	c.inPlace = c.has("in-place")
	c.readOperands(c.operands)
	c.d.readOnly = c.has("parse", "only-input") && !c.has("in-place", "trailer") && c.proven()
}

// gitApplyMore: the options that print or check leave the files alone unless
// another one applies the patch all the same.
func gitApplyMore(c *call) {
	c.d.readOnly = c.has("stat", "numstat", "summary", "check") && c.proven() &&
		!c.has("apply", "3", "3way", "reject", "index", "cached", "N", "intent-to-add", "build-fake-ancestor", "directory")
}

func gitArchiveMore(c *call) {
	if o := c.option("remote"); o != nil {
		c.gitURL(&o.value)
	}
	c.d.readOnly = c.asks && !c.has("remote") && c.proven()
}

// gitCleanMore: with -n it only says what it would delete.
func gitCleanMore(c *call) {
	c.d.readOnly = c.has("n", "dry-run") && !c.has("i", "interactive") && c.proven()
}

func gitWorktreeRemoveMore(c *call) {
	c.recursive = true
	for _, i := range c.operands {
		c.remove(&c.argv[i])
	}
}

// gitBranchMore: an operand makes a branch unless an option asks for a list.
func gitBranchMore(c *call) {
	if c.has("d", "D", "delete", "m", "M", "move", "c", "C", "copy", "edit-description", "u", "set-upstream-to", "unset-upstream", "f", "force") {
		c.wrote = true
	}
	if len(c.operands) > 0 && !c.has("list", "contains", "no-contains", "merged", "no-merged", "points-at", "with", "without") {
		c.wrote = true // with -l, too: before 2.20 it was --create-reflog
	}
}

// gitTagMore: an operand makes a tag unless an option asks for a list; gpg is
// run to verify one.
func gitTagMore(c *call) {
	if c.has("d", "delete", "f", "force", "a", "annotate", "s", "sign", "m", "message", "u", "local-user", "F", "file", "e", "edit", "v", "verify") {
		c.wrote = true
	}
	if len(c.operands) > 0 && !c.has("l", "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at", "with", "without") {
		c.wrote = true
	}
}

// gitReflogMore: without a verb of its own, git reflog shows the reference named.
func gitReflogMore(c *call) {
	if w := c.operand(0); w != nil && w.Known && len(c.unknown) == 0 {
		c.d.readOnly = true
	}
}

func gitSymbolicMore(c *call) { c.wrote = c.wrote || len(c.operands) > 1 }

func gitBundleMore(c *call) {
	if w := c.operand(0); w != nil {
		c.write(w)
	}
}

func gitWorktreeMore(c *call) {
	if w := c.operand(0); w != nil {
		c.recursive = true
		c.write(w)
	}
}

// gitCloneMore writes the new directory and talks to the other side.
func gitCloneMore(c *call) {
	gitRemoteMore(c)
	c.recursive = true
	if w := c.operand(1); w != nil {
		c.write(w)
		return
	}
	if w := c.operand(0); w != nil && w.Known {
		name := strings.TrimSuffix(strings.TrimRight(w.Text, "/"), ".git")
		name = name[strings.LastIndexAny(name, "/:")+1:]
		dir := literal(name, w)
		if name != "" {
			c.write(&dir)
		}
	}
}

// gitRemoteMore looks at operands that are repositories: URLs are talked to,
// helper transports run a program.
func gitRemoteMore(c *call) {
	if o := c.option("repo", "remote"); o != nil && strings.Contains(o.value.Text, "::") {
		c.transport(&o.value)
	}
	for _, i := range c.operands {
		c.gitURL(&c.argv[i])
	}
}

// gitURL looks at a word that may be a repository.
func (c *call) gitURL(w *Word) {
	host, _, scp := strings.Cut(w.Text, ":")
	switch {
	case strings.Contains(w.Text, "::"):
		c.transport(w)
	case strings.Contains(w.Text, "://-"):
		c.narrow("what should be a host is an option of ssh")
	case strings.Contains(w.Text, "://"), scp && strings.Contains(host, "@") && !strings.Contains(host, "/"):
		c.network(w)
	}
}

// transport is a repository behind a helper transport; ext:: is followed by a command.
func (c *call) transport(w *Word) {
	c.narrow("the :: transport runs a program")
	if text, ok := strings.CutPrefix(w.Text, "ext::"); ok {
		c.scan("ext::", text, w)
	}
}

// gitConfigMore tells reading from writing.
func gitConfigMore(c *call) {
	verb, reads := c.literalOperand(0), false
	switch {
	case c.has("l", "list", "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool"):
		reads = true
	case verb == "get" || verb == "list":
		reads = true
	case verb == "set" || verb == "unset" || verb == "edit" || verb == "rename-section" || verb == "remove-section":
	default:
		reads = len(c.operands) < 2 && !c.has("e", "edit", "add", "unset", "unset-all", "replace-all", "rename-section", "remove-section")
	}
	if o := c.option("f", "file"); o != nil {
		if reads {
			c.read(&o.value)
		} else {
			c.write(&o.value)
		}
	}
	if reads {
		return
	}
	c.wrote = true
	c.narrow("git config changes what later git commands run")
	if n := len(c.operands); n > 1 {
		c.gitSetting(c.argv[c.operands[n-2]].Text, c.argv[c.operands[n-1]].Text, &c.argv[c.operands[n-1]])
	}
	switch {
	case c.has("global") && c.home != "":
		w := literal(c.home+"/.gitconfig", &c.argv[0])
		c.write(&w)
	case c.has("system"):
		w := literal("/etc/gitconfig", &c.argv[0])
		c.write(&w)
	}
}
