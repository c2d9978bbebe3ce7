package commands

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// touch adds the effects of one word; it reports whether there were any.
func (c *Invocation) touch(kind shell.EffectKind, w *shell.Word, tree bool) bool {
	es := shell.EffectsOf(kind, w, c.Cwd)
	for i := range es {
		es[i].Recursive = tree
	}
	c.Facts.Effects = shell.Extend(c.Facts.Effects, es)
	return len(es) > 0
}

func (c *Invocation) effect(e shell.Effect) { c.Facts.Effects = append(c.Facts.Effects, e) }

func (c *Invocation) read(w *shell.Word) {
	if !w.Known || w.Text != "-" {
		c.touch(shell.Read, w, c.Recursive)
	}
}

// readValue reads the file an option names.
func (c *Invocation) readValue(w *shell.Word) {
	if !w.Known || w.Text != "-" {
		c.touch(shell.Read, w, false)
	}
}

// loadValue reads what an option names as configuration that can hold code. The
// value may be the next word where it is optional.
func (c *Invocation) loadValue(u *Used) {
	w := &u.Value
	if !u.Given {
		if u.at+1 >= len(c.Argv) || strings.HasPrefix(c.Argv[u.at+1].Text, "-") {
			return
		}
		w = &c.Argv[u.at+1]
	}
	if w.Known && holdsConfig(strings.TrimSpace(w.Text)) {
		c.Narrow(c.spell(u) + " holds configuration that can load code")
		return
	}
	from := len(c.Facts.Effects)
	c.readValue(w)
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Loads = true
	}
}

// holdsConfig reports whether a value is configuration, or its address, and no file.
func holdsConfig(text string) bool {
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "data:") || strings.Contains(text, "://")
}

// write adds a write; "-" is standard output for programs that take a file there.
func (c *Invocation) write(w *shell.Word) bool {
	if w.Known && w.Text == "-" || !c.touch(shell.Write, w, c.Recursive) {
		return false
	}
	c.Wrote = true
	return true
}

// writeFile is write where - is a file like any other.
func (c *Invocation) writeFile(w *shell.Word) { c.write(named(w)) }

// writeExtra writes a file besides what the program is for: a rule on the program does not cover that.
func (c *Invocation) writeExtra(w *shell.Word) {
	from := len(c.Facts.Effects)
	c.write(w)
	c.extra(from)
}

// extra marks the effects from one on as such writes.
func (c *Invocation) extra(from int) {
	for i := from; i < len(c.Facts.Effects); i++ {
		c.Facts.Effects[i].Extra = true
	}
}

// named is a word where - is a file like any other.
func named(w *shell.Word) *shell.Word {
	if w.Known && w.Text == "-" {
		return new(shell.Literal("./-", w))
	}
	return w
}

// writesHome writes a file in the home, where that is known.
func (c *Invocation) writesHome(name string) {
	if c.Home != "" {
		c.write(new(shell.Literal(c.Home+"/"+name, &c.Argv[0])))
	}
}

// writeUnknown says that files are written whose names the words do not tell.
func (c *Invocation) writeUnknown() {
	c.touch(shell.Write, new(shell.Hole("", &c.Argv[0])), false)
	c.Wrote = true
}

// mayDoAnything says that a text the program is given is not understood.
func (c *Invocation) mayDoAnything(at *shell.Word) {
	c.effect(shell.Effect{Kind: shell.Unknown, Span: at.Span})
	c.Facts.Code = true
	c.Disprove("")
}

func (c *Invocation) remove(w *shell.Word) {
	c.Wrote = c.touch(shell.Delete, w, c.Recursive) || c.Wrote
}

func (c *Invocation) execute(w *shell.Word) {
	c.touch(shell.Execute, w, false)
	c.touch(shell.Read, w, false)
	c.Disprove("")
}

func (c *Invocation) network(w *shell.Word) {
	c.effect(shell.Effect{Kind: shell.Network, Path: w.Text, Known: w.Known, Span: w.Span})
}

func (c *Invocation) privilege(user string) {
	c.effect(shell.Effect{Kind: shell.Privilege, Path: user, Known: user != "", Span: c.Argv[0].Span})
	c.Disprove("")
}

// here is the working directory as a word.
func (c *Invocation) here() *shell.Word {
	return new(shell.Literal(".", &c.Argv[0]))
}

// runs adds a command that is run, if any words are left.
func (c *Invocation) runs(in Inner) {
	if in.Kind != InnerArgv || len(in.Argv) > 0 {
		c.Facts.Inner = append(c.Facts.Inner, in)
		c.Disprove("")
	}
}

// runsFrom runs the words from the i-th operand on.
func (c *Invocation) runsFrom(i int) {
	c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv), Argv: c.rest(i)})
}

// scan shows deny rules and checks a literal shell text in an option or a script. It needs no
// allow rule: none covers what holds it without naming it.
func (c *Invocation) scan(via, text string, at *shell.Word) {
	if at.Known && strings.TrimSpace(text) != "" {
		c.within(Inner{Kind: InnerText, Via: ProgramName(c.Argv) + " " + via, Text: shell.Literal(text, at)})
	}
}

// remote adds a command that runs elsewhere, except what shares the home or the project with this machine.
func (c *Invocation) remote(in Inner) {
	if in.Standing = Stand(Elsewhere); shell.Among(c.Cmd.Rare().SharesHome, c.TableName(ProgramName(c.Argv))) {
		in.Standing = Guessed()
	}
	c.runs(in)
}

// within adds a command that is seen in what this one is, or is given.
func (c *Invocation) within(in Inner) {
	in.Standing = Guessed()
	c.runs(in)
}

// applyOperands says what the operands mean.
func (c *Invocation) applyOperands() {
	ops := c.Operands
	if c.Sub.Operands == ReadsTree || c.Sub.Operands == PatternTree {
		c.Recursive = true
	}
	switch c.Sub.Operands {
	case PatternReads, PatternTree, ModeWrites:
		if !c.NoPattern && len(ops) > 0 && !several(&c.Argv[ops[0]]) {
			ops = ops[1:]
		}
	}
	switch c.Sub.Operands {
	case Reads, PatternReads, ReadsTree, PatternTree:
		c.readOperands(ops)
	case Writes, ModeWrites:
		from := len(c.Facts.Effects)
		for _, i := range ops {
			c.writeFile(&c.Argv[i])
		}
		if c.Sub.Operands == ModeWrites && !c.keepsOwner() {
			c.itself(from)
		}
	case Deletes:
		for _, i := range ops {
			c.remove(&c.Argv[i])
		}
	case Copies, Moves, Links:
		c.copies(ops)
	case ReadThenWrite:
		c.readThenWrite(ops)
	case Scripts:
		if len(ops) > 0 {
			c.execute(&c.Argv[ops[0]])
		}
	case Sends:
		for _, i := range ops {
			c.network(&c.Argv[i])
		}
	case RunsText:
		for _, i := range ops {
			c.runs(Inner{Kind: InnerText, Via: c.Form(), Text: c.Argv[i]})
		}
	}
}

// readThenWrite reads the first operand and writes the second.
func (c *Invocation) readThenWrite(ops []int) {
	if len(ops) == 0 {
		return
	}
	c.read(&c.Argv[ops[0]])
	if len(ops) > 1 || several(&c.Argv[ops[0]]) {
		c.writeExtra(&c.Argv[ops[min(1, len(ops)-1)]])
	}
}

// several reports whether an operand may be more than one.
func several(w *shell.Word) bool { return !w.Known && !w.Single }

func (c *Invocation) readOperands(ops []int) {
	for _, i := range ops {
		if c.inPlace {
			c.write(&c.Argv[i])
		} else {
			c.read(&c.Argv[i])
		}
	}
	if len(ops) == 0 && c.Recursive {
		c.touch(shell.Read, c.here(), true)
	}
}

// itself says of the writes from an index on that they change how a folder can be used.
func (c *Invocation) itself(from int) {
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Itself = true
	}
}

// keepsOwner reports whether a mode certainly leaves the owner everything they can
// do with a folder: chmod +x, go-w, 755.
func (c *Invocation) keepsOwner() bool {
	mode := ""
	switch ProgramName(c.Argv) {
	case "chmod":
		if c.NoPattern { // -x, --reference
			return false
		}
		mode = c.LiteralOperand(0)
	case "install":
		o := c.Option("m", "mode")
		if o == nil || c.Has("o", "owner", "g", "group") || !o.Value.Known {
			return false
		}
		mode = o.Value.Text
	}
	if octal := strings.TrimLeft(mode, "0"); octal != "" && strings.Trim(octal, "01234567") == "" {
		return len(octal) >= 3 && octal[len(octal)-3] == '7'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		if !clauseKeepsOwner(clause) {
			return false
		}
	}
	return true
}

// clauseKeepsOwner does so for one clause of a symbolic mode.
func clauseKeepsOwner(clause string) bool {
	at := strings.IndexAny(clause, "+-=")
	if at < 0 || strings.ContainsAny(clause[at+1:], "+-=") {
		return false
	}
	if clause[at] == '+' || clause == "u=rwx" || clause == "u=rwX" {
		return true
	}
	who := clause[:at]
	return who != "" && !strings.ContainsAny(who, "ua")
}

// isOf says what a form says.
func (c *Invocation) isOf(f *Form, r *reading) {
	switch f.Does {
	case Disproves:
		c.Disprove(f.Why)
	case Unbinds:
		c.unbind(f.Why)
	case Configures:
		c.configures(f.Why, false)
	case Doubts:
		id, msg, _ := strings.Cut(f.Why, ": ")
		for _, w := range c.about(r) {
			c.doubt(id, msg, w)
		}
	default:
		if c.does(f, r); f.Why != "" {
			c.Narrow(f.Why)
		}
	}
}

// about are the words that a form is about, without a place the folder one is in.
func (c *Invocation) about(r *reading) []*shell.Word {
	var words []*shell.Word
	for n := r.from; n < r.to; n++ {
		if w := c.Operand(n); mayFit(r.place.fits, w) {
			words = append(words, w)
		}
	}
	for _, u := range r.values {
		words = append(words, &u.Value)
	}
	switch {
	case r.place.name != "":
		return words
	case r.file == "*":
		return append(words, new(shell.Hole("", &c.Argv[0])))
	}
	w := shell.Literal(cmp.Or(r.file, "."), &c.Argv[0])
	w.Glob = strings.Contains(w.Text, "*")
	w.Known = !w.Glob
	return append(words, &w)
}

// does does what a form says.
func (c *Invocation) does(f *Form, r *reading) {
	via := c.Form()
	switch f.Does {
	case Narrows:
	case ObeysWords:
		for _, w := range c.words() {
			c.anyText("", w)
		}
	case Changes:
		c.Wrote = true
	case Rewrites:
		c.rewrites()
	case RunsInput, MayRunFed, InputThere:
		c.launcher(f.Does)(Inner{Kind: InnerStdin, Via: via})
	case Runs, MayRun, RunsThere, Wraps:
		in := Inner{Kind: InnerArgv, Via: via, Argv: c.behindDashes(r.from), Strip: f.Does == Wraps}
		if r.place.name == "LINE" {
			in = line(via, in.Argv)
		}
		c.launcher(f.Does)(in)
	case RunsText, MayRunText, TextThere:
		c.formText(f.Does, r, via)
	default:
		for _, w := range c.about(r) {
			c.touches(f.Does, w, r)
		}
	}
}

// line is a command, or shell text where it is one word with blanks.
func line(via string, argv []shell.Word) Inner {
	if len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n;&|") {
		return Inner{Kind: InnerText, Via: via, Text: argv[0]}
	}
	return Inner{Kind: InnerArgv, Via: via, Argv: argv}
}

// launcher is how a command counts that a form runs.
func (c *Invocation) launcher(act Act) func(Inner) {
	switch act {
	case MayRun, MayRunText, MayRunFed:
		return c.within
	case RunsThere, TextThere, InputThere:
		return c.remote
	}
	return c.runs
}

// behindDashes are the words from an operand on, but a -- that is the first.
func (c *Invocation) behindDashes(n int) []shell.Word {
	rest := c.rest(n)
	if rest[0].Known && rest[0].Text == "--" {
		rest = rest[1:]
	}
	return rest
}

// formText runs the words in the place of a form as shell text.
func (c *Invocation) formText(act Act, r *reading, via string) {
	run := c.launcher(act)
	for _, u := range r.values {
		run(Inner{Kind: InnerText, Via: via + " " + c.spell(u), Text: u.Value})
	}
	if r.from == r.to {
		return
	}
	if !r.place.several {
		run(Inner{Kind: InnerText, Via: via, Text: *c.Operand(r.from)})
	} else if words := c.behindDashes(r.from); len(words) > 0 {
		run(Inner{Kind: InnerText, Via: via, Text: joined(words)})
	}
}

// touches says what is done with one word that a form is about.
func (c *Invocation) touches(act Act, w *shell.Word, r *reading) {
	defer func(was bool) { c.Recursive = was }(c.Recursive)
	here := r.place.name == "" && r.file == ""
	c.Recursive = c.Recursive || here || r.place.name == "DIR" || strings.HasSuffix(r.file, "/")
	switch r.place.name {
	case "PATH", "DIR":
		if w.Known && w.Text == "-" {
			w = new(shell.Literal("./-", w))
		}
	case "STEM":
		w = new(shell.StartingWith(w))
	case "SPEC":
		c.touchSpec(effectOf(act), w)
		return
	case "OBJECT":
		c.gitReadsObject(w)
		return
	case "REPO":
		c.gitURL(w)
		return
	}
	switch act {
	case Reads:
		c.read(w)
	case Writes:
		c.write(w)
	case WritesValue:
		c.writeExtra(w)
	case Deletes:
		c.remove(w)
	case Unpacks:
		c.unpacks(w, shell.Contents{})
	case Sends:
		c.network(w)
	case Executes:
		c.touch(shell.Execute, w, false)
		c.Disprove("")
	case ObeysValue:
		c.ProgramText(c.Form(), w)
	}
}

// effectOf is the effect of an act on files.
func effectOf(act Act) shell.EffectKind {
	switch act {
	case Writes, WritesValue:
		return shell.Write
	case Deletes:
		return shell.Delete
	}
	return shell.Read
}
