package commands

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// copies is cp, mv, ln and install: the last operand is the destination unless
// an option named it; it may be a directory that receives the base names.
func (c *Invocation) copies(ops []int) {
	dest, single := c.Target, c.Has("T", "no-target-directory")
	if dest == nil && len(ops) > 1 {
		dest = &c.Argv[ops[len(ops)-1]]
		ops = ops[:len(ops)-1]
	}
	if dest == nil && len(ops) == 1 {
		switch {
		case several(&c.Argv[ops[0]]):
			dest = &c.Argv[ops[0]]
		case c.Sub.Operands == Links:
			dest = c.here()
		}
	}
	for _, i := range ops {
		if c.Sub.Operands == Moves {
			c.remove(&c.Argv[i])
		} else {
			c.read(&c.Argv[i])
		}
		if c.HardLinks() { // what is written to the new name is written to the old one
			c.write(&c.Argv[i])
		}
	}
	if dest == nil {
		return
	}
	// what is moved may be a tree, and becomes the destination unless that is a directory
	tree := c.Recursive
	into := c.Target != nil || directory(dest, c.Home)
	c.Recursive = tree || c.Has("parents") || c.Sub.Operands == Moves && !into
	from := len(c.Facts.Effects)
	c.writeFile(dest)
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Replaces = c.Sub.Operands != Copies || tree || c.Has("P", "d", "no-dereference")
	}
	if !into {
		c.backup(dest)
	}
	c.Recursive = tree || c.Sub.Operands == Moves
	for _, i := range ops {
		if !into {
			c.linked(dest, &c.Argv[i])
		}
	}
	if single || dest.Known && shell.NotFile(dest.Text) {
		for _, i := range ops {
			if single && tree && c.Sub.Operands == Copies {
				c.unpacks(dest, c.folder(&c.Argv[i]))
			}
		}
		return
	}
	for _, i := range ops {
		src := &c.Argv[i]
		if !src.Known && !src.Glob && !into {
			continue
		}
		w := shell.Beneath(dest, src)
		from := len(c.Facts.Effects)
		c.write(&w)
		c.copied(from, dest, src)
		c.copiedTree(from, dest, src, tree)
		c.linked(&w, src)
		c.backup(&w)
	}
}

// copiedTree says of the writes from an index on that a tree is copied there. To
// some programs x/ is what is in x.
func (c *Invocation) copiedTree(from int, dest, src *shell.Word, tree bool) {
	in := c.folder(src)
	if c.Sub.Operands == Moves && src.Glob {
		c.holding(from, in)
	}
	if !tree || c.Sub.Operands != Copies {
		return
	}
	c.holding(from, in)
	if meansContents(src) {
		c.unpacks(dest, in)
	}
}

// meansContents reports whether a word may mean what is in a folder: x/, "$x"/., what find names.
func meansContents(src *shell.Word) bool {
	name := src.Text[strings.LastIndexByte(src.Text, '/')+1:]
	if name == "" || src.Known || src.Glob {
		return name == ""
	}
	return name == "." || strings.HasPrefix(name, shell.HoleMark) && !src.Down
}

// copied says of the writes from an index on that they are called like what a
// pattern finds, in a folder that is known.
func (c *Invocation) copied(from int, dest, src *shell.Word) {
	if !dest.Known || !src.Glob {
		return
	}
	into, names := shell.EffectsOf(shell.Write, dest, c.Cwd), shell.EffectsOf(shell.Read, src, c.Cwd)
	if len(into) != 1 || len(names) != 1 || names[0].Expands == nil {
		return
	}
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Expands = &shell.Expansion{Pattern: names[0].Expands.Pattern, Into: into[0].Path}
	}
}

// slashless are the words of a tool of Windows that are no options: /s, in Git Bash //s.
func (c *Invocation) slashless() (words []int) {
	for i := range c.Argv[1:] {
		t := c.Argv[1+i].Text
		if name := strings.TrimLeft(t, "/"); name == t || strings.Contains(name, "/") {
			words = append(words, 1+i)
		}
	}
	return words
}

// refineRobocopy is robocopy FOLDER TO [NAME]..., and xcopy FROM [TO], which may copy a file.
func refineRobocopy(c *Invocation) {
	words, to := c.slashless(), c.here()
	if len(words) == 0 {
		return
	}
	from := &c.Argv[words[0]]
	if len(words) > 1 {
		to = &c.Argv[words[1]]
	}
	c.touch(shell.Read, from, true)
	c.unpacks(to, c.folder(from))
	c.arrives(to, from, c.folder(from), false)
}

// refineAttrib is attrib [+X|-X]... [FILE]: without a change it only shows them.
func refineAttrib(c *Invocation) {
	words := c.slashless()
	changes := func(i int) bool { return strings.IndexByte("+-", (c.Argv[i].Text + " ")[0]) >= 0 }
	if slices.ContainsFunc(words, changes) {
		c.changesAttributes(slices.DeleteFunc(words, changes))
	}
}

// backup writes what -b keeps of a replaced file: its name with something added.
func (c *Invocation) backup(w *shell.Word) {
	if !c.Has("b", "backup", "S", "suffix") {
		return
	}
	c.written(w)
}

// directory reports whether a word certainly names a directory.
func directory(w *shell.Word, home string) bool {
	t := w.Text
	switch t[strings.LastIndexByte(t, '/')+1:] {
	case ".", "..":
		return true
	case "":
		return t != ""
	}
	return home != "" && t == home
}

// OnDisk is the one path a word names, "" where there is no telling.
func (c *Invocation) OnDisk(w *shell.Word, cwd *shell.CwdState) string {
	if w == nil {
		return ""
	}
	es := shell.EffectsOf(shell.Read, w, cwd)
	if len(es) != 1 || !es[0].Known {
		return ""
	}
	return es[0].Path
}

// unpacks writes a folder, and says what ends up in it.
func (c *Invocation) unpacks(dir *shell.Word, in shell.Contents) {
	from := len(c.Facts.Effects)
	c.touch(shell.Write, dir, true)
	c.Wrote = true
	c.holding(from, in)
	for i := range c.Facts.Effects[:from] { // the same write, of which nothing was said yet
		had := &c.Facts.Effects[i]
		if len(c.Facts.Effects) == from+1 && had.Contents == nil {
			one := &c.Facts.Effects[from]
			if one.Path == had.Path && one.Kind == had.Kind && one.Recursive == had.Recursive {
				had.Contents, c.Facts.Effects = one.Contents, c.Facts.Effects[:from]
				return
			}
		}
	}
}

// holding says of the writes from an index on what ends up below them.
func (c *Invocation) holding(from int, in shell.Contents) {
	for i := range c.Facts.Effects[from:] {
		if e := &c.Facts.Effects[from+i]; e.Kind == shell.Write {
			e.Contents = &in
		}
	}
}

// archive is what an archive holds that a word names; nil and - are standard input.
func (c *Invocation) archive(w *shell.Word, cwd *shell.CwdState) shell.Contents {
	if w == nil || w.Known && (w.Text == "-" || w.Text == "/dev/stdin") {
		return shell.Contents{Kind: shell.FromArchive, Stdin: true}
	}
	return shell.Contents{Kind: shell.FromArchive, From: c.OnDisk(w, cwd)}
}

// stripped reads the number of components that names lose.
func stripped(c *shell.Contents, u *Used) {
	n, err := strconv.Atoi(u.Value.Text)
	c.Strip = n
	c.Changed = c.Changed || !u.Value.Known || err != nil || n < 0
}

// folder is what is in a folder that is copied.
func (c *Invocation) folder(src *shell.Word) shell.Contents {
	return shell.Contents{Kind: shell.FromFolder, From: c.OnDisk(src, c.Cwd)}
}

// arrives says that what src names ends up in dest: by its own name where
// dest is a folder. Where src means what is in it (x/., and for some programs
// x/), that is right there.
func (c *Invocation) arrives(dest, src *shell.Word, in shell.Contents, slash bool) {
	name := strings.TrimRight(src.Text, "/")
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch remote := elsewhere(src); {
	case remote && strings.HasSuffix(name, ":"):
		base = ""
	case remote:
		base = base[strings.LastIndexByte(base, ':')+1:]
	}
	switch {
	case dest.Known && shell.NotFile(dest.Text):
		return
	case shell.OpensFolder(base), slash && name != src.Text:
		c.unpacks(dest, in)
		return
	case strings.ContainsAny(base, "*?["+shell.HoleMark):
		return
	}
	one := *src
	one.Text = base
	w := shell.Beneath(dest, &one)
	from := len(c.Facts.Effects)
	c.write(&w)
	c.holding(from, in)
}

// A Symlink is a symlink that a command makes: the names it may get, and what it
// leads to, as written.
type Symlink struct {
	Names  []shell.Effect
	Target *shell.Word
}

// Symlinks reports whether a command that copies or links makes symlinks.
func (c *Invocation) Symlinks() bool {
	return c.Sub.Operands == Links && c.Has("s", "symbolic") || c.Sub.Operands == Copies && c.Has("s", "symbolic-link")
}

// HardLinks reports whether a command that copies or links makes second names of
// the same files.
func (c *Invocation) HardLinks() bool {
	return c.Sub.Operands == Links && !c.Symlinks() || c.Sub.Operands == Copies && c.Has("l", "link")
}

// linked notes that one of names becomes a symlink to target.
func (c *Invocation) linked(name, target *shell.Word) {
	if c.Symlinks() {
		c.Links = append(c.Links, Symlink{shell.EffectsOf(shell.Write, name, c.Cwd), target})
	}
}

// BelowTemp reports whether what follows the output of mktemp in a word stays
// in the folder mktemp made it in.
func BelowTemp(text string) bool {
	rest, ok := strings.CutPrefix(text, shell.HoleMark)
	return ok && !strings.Contains(rest, "..")
}

// StaysDown reports whether a word leads nowhere else if its unknown parts are
// names without "..", or empty.
func StaysDown(text string) bool {
	i := strings.Index(text, shell.HoleMark)
	if i < 0 || strings.Contains(text[i:], "..") {
		return false
	}
	at := strings.LastIndexByte(text[:i], '/') + 1
	return !shell.Upward(strings.ReplaceAll(text[at:], shell.HoleMark, ""))
}

// FindsBelow reports whether every file a pattern finds lies below the folder
// that its literal beginning names: .* may find "..".
func FindsBelow(pattern string) bool {
	if shell.Upward(pattern) || strings.ContainsAny(pattern, "("+shell.HoleMark) {
		return false
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return false
		}
	}
	return true
}

// deepMark is an unknown part that may span components; every other one of
// a Word.Down is within one.
const deepMark = shell.HoleMark + shell.HoleMark

// FindsNames is what every file a pattern finds looks like: an unknown part in the
// place of each wildcard.
func FindsNames(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch p := pattern[i]; p {
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '*', '?':
			if deep := strings.HasPrefix(pattern[i:], "**"); deep || !strings.HasSuffix(b.String(), shell.HoleMark) {
				b.WriteString(shell.HoleMark)
			}
		case '[':
			b.WriteString(shell.HoleMark)
			for i+1 < len(pattern) && pattern[i+1] != '/' {
				i++
			}
		default:
			b.WriteByte(p)
		}
	}
	return b.String()
}

// Alike is what all items look like, component by component: where they are not
// equally deep the unknown part after prefix spans some.
func Alike(items []shell.Word, prefix string) string {
	parts := strings.Split(items[0].Text, "/")
	for i := range items[1:] {
		other := strings.Split(items[i+1].Text, "/")
		if len(other) != len(parts) {
			return prefix + deepMark
		}
		for j := range parts {
			if head, _, open := strings.Cut(parts[j], shell.HoleMark); open || parts[j] != other[j] {
				for !strings.HasPrefix(other[j], head) {
					head = head[:len(head)-1]
				}
				parts[j] = head + shell.HoleMark
			}
		}
	}
	return strings.Join(parts, "/")
}

// AnyAbsolute reports whether one of the words starts with a slash.
func AnyAbsolute(items []shell.Word) bool {
	return slices.ContainsFunc(items, func(w shell.Word) bool { return strings.HasPrefix(w.Text, "/") })
}
