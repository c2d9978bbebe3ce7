package bashsafety

import (
	"path"
	"strings"
)

// An inner is a command that a command runs.
type inner struct {
	kind innerKind
	via  string // "sudo", "xargs", "sh -c"
	argv []Word // innerArgv: the command
	text Word   // innerText: shell text; a hole when it is not literal
	// strip marks the wrappers that are taken off for every list (timeout time nice nohup stdbuf).
	strip bool
	// remote marks text or argv that runs on another machine or in a container,
	// or a string inside the program of another language: seen by deny rules and
	// checks only, without effects, and a text that does not parse is no doubt.
	remote bool
	// narrows marks a remote argv of a program from a package: it runs here, and
	// what it loads is not covered by a rule on the launcher.
	narrows bool
	// assigns are the variables the launcher sets (env A=1 cmd, sudo A=1 cmd).
	assigns []Assign
	// dir is the directory the command runs in when it is not the launcher's
	// (env -C, sudo -D, find -execdir); a hole when it is not known.
	dir *Word
	// more marks an argv that gets further, unknown words appended (xargs, find -exec {}).
	more bool
}

type innerKind uint8

const (
	innerArgv  innerKind = iota + 1 // argv is run as it stands
	innerText                       // text is shell source, analysed anew
	innerStdin                      // a shell or interpreter that reads its program from standard input
)

// A description is what the tables say of one argv. The zero value says: an
// unknown program, nothing proven.
type description struct {
	effects  []Effect
	inner    []inner
	narrow   []string
	doubts   []Doubt
	alt      [][]Word
	readOnly bool
	// relays is set when all the program does itself is to read and to run inner
	// commands, each a subcommand of its own that has to be proven by itself.
	relays bool
	// unproven says why a form of a program that else reads is not proven to,
	// where no other field shows it.
	unproven string
	// known is set when the program has a table entry.
	known bool
	// closed is set when no option in any release of the program executes or
	// writes, so that an unknown unquoted word can do no harm as an option.
	closed bool
	// valueAt lists the positions in argv that are values of options. narrow
	// already speaks of every hole that could be an option.
	valueAt []int
	// chdir is the new directory of cd and pushd; nil for everything else.
	chdir *Word
}

// A cwdState is what is known of the working directory at a point of a text.
type cwdState struct {
	// dirs are the directories the command may run in, absolute and clean; more
	// than one after a cd that may have failed. Empty means unknown.
	dirs []string
	// moved is set once any cd was seen.
	moved bool
	// temp is set where the directory is one that mktemp made, or lies below it,
	// unless it is one of also; dirs is empty then.
	temp bool
	also []string
}

// describe looks argv up in the command tables. argv[0] is a known command
// word; cwd resolves paths. It is the only door from the walker to the tables.
// The cmd of the answer is nil when they do not know the program.
func describe(argv []Word, cwd *cwdState, home string) *call {
	c := newCall(argv, cwd, home)
	if c.cmd == nil {
		c.d = strangerNarrow(argv)
		c.d.effects = strangerReads(argv, cwd)
		return c
	}
	c.apply()
	if !systemProgram(argv[0].Text) || c.folded {
		// the name is known, the program is not
		c.d.readOnly, c.d.relays, c.d.closed = false, false, false
		c.keepOn()
		if len(c.d.narrow) == 0 {
			c.d.narrow = strangerNarrow(argv).narrow
		}
	}
	return c
}

// systemProgram reports whether a command word finds the program the tables
// speak of: by its name alone, or in a directory of the system.
func systemProgram(word string) bool {
	dir, _ := path.Split(word)
	switch dir {
	case "", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/":
		return true
	}
	return false
}

// strangerNarrow is all that is said of a program without a table: an unquoted
// unknown word may bring along any option.
func strangerNarrow(argv []Word) (d description) {
	ended := false
	for i := range argv[1:] {
		w := &argv[i+1]
		ended = ended || w.Known && w.Text == "--"
		if !ended && !w.Known && !w.Single && !w.NoDash && literalPrefix(w) == "" {
			d.narrow = append(d.narrow, "an unquoted unknown word could be an option")
			return d
		}
	}
	return d
}

// strangerReads takes the words of a program without a table that look like a
// path, and the values of its options that do, for files it reads.
func strangerReads(argv []Word, cwd *cwdState) []Effect {
	var all []Effect
	for i := range argv[1:] {
		w := argv[i+1]
		if opt := strings.HasPrefix(w.Text, "-"); opt {
			_, value, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			w = suffix(&w, len(w.Text)-len(value))
		}
		if w.Known && strings.ContainsAny(w.Text, "./") && !strings.ContainsAny(w.Text, " \t\n:") {
			all = append(all, effectsOf(Read, &w, cwd)...)
		}
	}
	return all
}

// programName is the base name tables and checks know a command word by, ""
// when it is not known.
func programName(argv []Word) string {
	if len(argv) == 0 || !argv[0].Known {
		return ""
	}
	return path.Base(argv[0].Text)
}

// tableName is the name by which the tables know a program; see find.
func tableName(name string) string { return find(name).as }

// variantName strips what versions and variants add: python3.12, mkfs.ext4.
func variantName(name string) string {
	if strings.HasPrefix(name, "mkfs.") {
		return "mkfs"
	}
	if strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") || strings.HasPrefix(name, "ld.so") {
		return "ld.so"
	}
	name = strings.TrimSuffix(name, ".exe")
	if base := strings.TrimRight(name, "0123456789.-"); base != name {
		switch base {
		case "python", "pip", "ruby", "perl", "php", "lua", "node", "gcc", "g++", "clang", "clang++", "pypy":
			return base
		}
	}
	return name
}

// apply fills the description.
func (c *call) apply() {
	c.d.known = true
	if c.tells() {
		c.d.readOnly = true
		return
	}
	c.d.closed = c.sub.Closed
	c.d.valueAt = c.values
	c.d.readOnly = c.sub.ReadOnly && (!c.sub.hasSubs() || len(c.operands) == 0)
	for i := range c.opts {
		c.applyOpt(&c.opts[i])
	}
	if len(c.unknown) > 0 && !c.sub.Closed {
		if c.cmd.Full {
			c.narrow("an option that is not known could run or write something: " + c.unknown[0])
		}
		c.d.readOnly = false
	}
	c.applyHoles()
	c.applyOperands()
	if c.sub.more != nil {
		c.sub.more(c)
	}
	if c.sub != c.cmd && c.cmd.more != nil {
		c.cmd.more(c)
	}
	c.silence()
	c.misread()
	if len(c.unknown) > 0 && !c.sub.Closed { // whatever a more function found
		c.d.readOnly = false
	}
	if c.splits && !c.sub.Closed && (c.d.readOnly || len(c.d.inner) > 0) {
		c.disprove("gets an unquoted unknown word, which could bring an option along")
	}
	if c.wrote || len(c.d.narrow) > 0 || len(c.d.doubts) > 0 {
		c.d.readOnly = false
	}
	c.d.relays = c.relays()
}

// relays reports whether a launcher does nothing but read beside what it runs.
func (c *call) relays() bool {
	if !c.sub.ReadOnly || c.d.unproven != "" || c.wrote || len(c.d.inner) == 0 || len(c.d.narrow) > 0 || len(c.d.doubts) > 0 || !c.proven() {
		return false
	}
	for i := range c.d.inner {
		if in := &c.d.inner[i]; in.remote || in.kind == innerStdin {
			return false
		}
	}
	for i := range c.d.effects {
		if k := c.d.effects[i].Kind; k != Read && k != Looks {
			return false
		}
	}
	return true
}

// tells reports whether the program is only asked about itself.
func (c *call) tells() bool {
	if len(c.argv) != 2 || !c.argv[1].Known || c.cmd.Tells == "" {
		return false
	}
	for f := range strings.FieldsSeq(c.cmd.Tells) {
		if f == c.argv[1].Text {
			return true
		}
	}
	return false
}

// misread narrows a launcher with options the table does not know: one of them
// may take the word that was read as the command. Deny rules and checks see the
// command both ways.
func (c *call) misread() {
	if len(c.unknown) == 0 || c.sub.Closed || len(c.d.inner) > 1 {
		return
	}
	for i := range c.d.inner {
		in := &c.d.inner[i]
		if in.remote {
			continue
		}
		c.narrow("an unknown option precedes the command it runs: " + c.unknown[0])
		c.keepOn()
		if in.kind == innerArgv && len(in.argv) > 1 {
			c.remote(inner{kind: innerArgv, via: in.via, argv: in.argv[1:]})
		}
		return
	}
}

// keepOn makes a wrapper that would be taken off a launcher like any other.
func (c *call) keepOn() {
	for i := range c.d.inner {
		c.d.inner[i].strip = false
	}
}

// applyOpt says what one option means.
func (c *call) applyOpt(u *used) {
	switch u.does {
	case Executes:
		c.narrow(c.spell(u) + " runs a command")
		c.scan(c.spell(u), u.value.Text, &u.value)
	case Unsafe:
		c.narrow(c.spell(u) + " loads configuration or code, or lifts a guard")
	case WritesValue:
		if c.write(&u.value) {
			c.narrow(c.spell(u) + " writes a file")
		}
	case OutputsValue:
		c.write(&u.value)
	case ReadsValue:
		c.readValue(&u.value)
	case UsesKey:
		before := len(c.d.effects)
		c.readValue(&u.value)
		for i := before; i < len(c.d.effects); i++ {
			c.d.effects[i].Key = true
		}
	case LoadsValue:
		c.loadValue(u)
	case ReadsPattern:
		c.readValue(&u.value)
		c.noPattern = true
	case GivesPattern:
		c.noPattern = true
	case WritesInPlace:
		c.inPlace = true
	case Changes:
		c.wrote = true
	case Recurses:
		c.recursive = true
	case TargetDir:
		c.target = &u.value
	case WorkDir:
		c.cwd = moved(c.cwd, &u.value)
	case Prints:
		c.prints = true
	case Asks:
		c.asks = true
	case Sends:
		c.network(&u.value)
	}
}

// MayFindOption is why a pattern narrows: who looks at the disk knows better.
const MayFindOption = "the pattern could find a file whose name is an option"

// applyHoles narrows when an unknown word could be an option that matters.
func (c *call) applyHoles() {
	for _, h := range c.holes {
		if c.sub.Closed {
			return
		}
		switch w := &c.argv[h]; {
		case w.Glob && !strings.Contains(w.Text, HoleMark):
			c.narrow(MayFindOption)
			continue
		case !w.Single:
			c.narrow("an unquoted unknown word could be an option")
			return
		}
		if c.sub.risky() || c.cmd.risky() {
			c.narrow("an unknown word could be an option that runs or writes something; put -- before it")
			return
		}
		c.d.readOnly = false
	}
}
