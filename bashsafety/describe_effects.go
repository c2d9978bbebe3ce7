package bashsafety

import "strings"

// touch adds the effects of one word; it reports whether there were any.
func (c *call) touch(kind EffectKind, w *Word, tree bool) bool {
	es := effectsOf(kind, w, c.cwd)
	for i := range es {
		es[i].Recursive = tree
	}
	c.d.effects = extend(c.d.effects, es)
	return len(es) > 0
}

func (c *call) read(w *Word) {
	if !w.Known || w.Text != "-" {
		c.touch(Read, w, c.recursive)
	}
}

// readValue reads the file an option names.
func (c *call) readValue(w *Word) {
	if !w.Known || w.Text != "-" {
		c.touch(Read, w, false)
	}
}

// loadValue reads what an option names as configuration that can hold code. The
// value may stand apart where it need not be there.
func (c *call) loadValue(u *used) {
	w := &u.value
	if !u.given {
		if u.at+1 >= len(c.argv) || strings.HasPrefix(c.argv[u.at+1].Text, "-") {
			return
		}
		w = &c.argv[u.at+1]
	}
	if t := strings.TrimSpace(w.Text); w.Known && (strings.HasPrefix(t, "{") || strings.HasPrefix(t, "data:") || strings.Contains(t, "://")) {
		c.narrow(c.spell(u) + " holds configuration that can load code")
		return
	}
	from := len(c.d.effects)
	c.readValue(w)
	for i := range c.d.effects[from:] {
		c.d.effects[from+i].Loads = true
	}
}

// write adds a write; "-" is standard output for whoever takes a file there.
func (c *call) write(w *Word) bool {
	if w.Known && w.Text == "-" || !c.touch(Write, w, c.recursive) {
		return false
	}
	c.wrote = true
	return true
}

// writeFile is write where - is a file like any other.
func (c *call) writeFile(w *Word) {
	if w.Known && w.Text == "-" {
		dash := literal("./-", w)
		w = &dash
	}
	c.write(w)
}

// writeUnknown says that files are written whose names the words do not tell.
func (c *call) writeUnknown() {
	w := hole("", &c.argv[0])
	c.touch(Write, &w, false)
	c.wrote = true
}

// mayDoAnything says that a text the program is given is not understood.
func (c *call) mayDoAnything(at *Word) {
	c.d.effects = append(c.d.effects, Effect{Kind: Unknown, Span: at.Span})
	c.d.readOnly = false
}

func (c *call) remove(w *Word) {
	if c.touch(Delete, w, c.recursive) {
		c.wrote = true
	}
}

func (c *call) execute(w *Word) {
	c.touch(Execute, w, false)
	c.touch(Read, w, false)
	c.d.readOnly = false
}

func (c *call) network(w *Word) {
	c.d.effects = append(c.d.effects, Effect{Kind: Network, Path: w.Text, Known: w.Known, Span: w.Span})
}

func (c *call) privilege(user string) {
	c.d.effects = append(c.d.effects, Effect{Kind: Privilege, Path: user, Known: user != "", Span: c.argv[0].Span})
	c.d.readOnly = false
}

// here is the working directory as a word.
func (c *call) here() *Word {
	w := literal(".", &c.argv[0])
	return &w
}

// runs adds a command that is run.
func (c *call) runs(in inner) {
	c.d.inner = append(c.d.inner, in)
	c.d.readOnly = false
}

// scan shows deny rules and checks a literal shell text that an option or a
// script holds. It needs no allow rule: what holds it is never covered by one
// that does not name it.
func (c *call) scan(via, text string, at *Word) {
	if at.Known && strings.TrimSpace(text) != "" {
		c.remote(inner{kind: innerText, via: programName(c.argv) + " " + via, text: literal(text, at)})
	}
}

// remote adds a command that runs elsewhere.
func (c *call) remote(in inner) {
	in.remote = true
	c.d.inner = append(c.d.inner, in)
	c.d.readOnly = false
}

// applyOperands says what the operands mean.
func (c *call) applyOperands() {
	ops := c.operands
	if c.sub.Operands == ReadsTree || c.sub.Operands == PatternTree {
		c.recursive = true
	}
	switch c.sub.Operands {
	case PatternReads, PatternTree, ModeWrites:
		if !c.noPattern && len(ops) > 0 {
			ops = ops[1:]
		}
	}
	switch c.sub.Operands {
	case Reads, PatternReads, ReadsTree, PatternTree:
		c.readOperands(ops)
	case Writes, ModeWrites:
		for _, i := range ops {
			c.writeFile(&c.argv[i])
		}
	case Deletes:
		for _, i := range ops {
			c.remove(&c.argv[i])
		}
	case Copies, Moves, Links:
		c.copies(ops)
	case ReadThenWrite:
		if len(ops) > 0 {
			c.read(&c.argv[ops[0]])
		}
		if len(ops) > 1 {
			if c.write(&c.argv[ops[1]]) {
				c.narrow("the second operand is a file that is written")
			}
		}
	case Scripts:
		if len(ops) > 0 {
			c.execute(&c.argv[ops[0]])
		}
	case URLs:
		for _, i := range ops {
			c.network(&c.argv[i])
		}
	}
}

func (c *call) readOperands(ops []int) {
	for _, i := range ops {
		if c.inPlace {
			c.write(&c.argv[i])
		} else {
			c.read(&c.argv[i])
		}
	}
	if len(ops) == 0 && c.recursive {
		c.touch(Read, c.here(), true)
	}
}

// copies is cp, mv, ln and install: the last operand is the destination unless
// an option named it; it may be a directory that receives the base names.
func (c *call) copies(ops []int) {
	dest, single := c.target, c.has("T", "no-target-directory")
	if dest == nil && len(ops) > 1 {
		dest = &c.argv[ops[len(ops)-1]]
		ops = ops[:len(ops)-1]
	}
	if dest == nil && c.sub.Operands == Links && len(ops) == 1 {
		dest = c.here()
	}
	for _, i := range ops {
		if c.sub.Operands == Moves {
			c.remove(&c.argv[i])
		} else {
			c.read(&c.argv[i])
		}
		if c.hardLinks() { // what is written to the new name is written to the old one
			c.write(&c.argv[i])
		}
	}
	if dest == nil {
		return
	}
	// what is moved may be a tree, and becomes the destination unless that is a directory
	tree := c.recursive
	into := c.target != nil || directory(dest, c.home)
	c.recursive = tree || c.has("parents") || c.sub.Operands == Moves && !into
	if c.writeFile(dest); !into {
		c.backup(dest)
	}
	c.recursive = tree || c.sub.Operands == Moves
	for _, i := range ops {
		if !into {
			c.linked(dest, &c.argv[i])
		}
	}
	if single || dest.Known && notFile(dest.Text) {
		return
	}
	for _, i := range ops {
		src := &c.argv[i]
		if !src.Known && !src.Glob && !into {
			continue
		}
		w := beneath(dest, src)
		from := len(c.d.effects)
		c.write(&w)
		c.copied(from, dest, src)
		c.linked(&w, src)
		c.backup(&w)
	}
}

// copied says of the writes from an index on that they are called like what a
// pattern finds, in a folder that is known.
func (c *call) copied(from int, dest, src *Word) {
	if !dest.Known || !src.Glob {
		return
	}
	into, names := effectsOf(Write, dest, c.cwd), effectsOf(Read, src, c.cwd)
	if len(into) != 1 || len(names) != 1 || names[0].Expands == nil {
		return
	}
	for i := range c.d.effects[from:] {
		c.d.effects[from+i].Expands = &Expansion{names[0].Expands.Pattern, into[0].Path}
	}
}

// backup writes what -b and its like keep of a file that is replaced: its name
// with something behind it.
func (c *call) backup(w *Word) {
	if !c.has("b", "backup", "S", "suffix") {
		return
	}
	old := behind(w)
	c.write(&old)
}

// directory reports whether a word certainly names a directory.
func directory(w *Word, home string) bool {
	t := w.Text
	return strings.HasSuffix(t, "/") || t == "." || t == ".." || strings.HasSuffix(t, "/.") || strings.HasSuffix(t, "/..") ||
		home != "" && t == home
}
