// Package shell holds the values that all parts of the analysis share.
package shell

import (
	"path"
	"strings"
)

// EffectsOf turns a word that names a file into effects, one for each directory the command may run
// in; the null device and the standard streams have none.
func EffectsOf(kind EffectKind, w *Word, cwd *CwdState) []Effect {
	all := effectsOf(kind, w, cwd)
	if w.List == nil || w.List.Fed || cwd == nil || len(cwd.also) > 0 {
		return all
	}
	for i := range all {
		if len(cwd.Dirs) == 1 && cwd.Dirs[0] == w.List.Dir {
			all[i].List = w.List
		}
	}
	return all
}

func effectsOf(kind EffectKind, w *Word, cwd *CwdState) []Effect {
	if !namesFile(kind, w) {
		return nil
	}
	if w.Glob && strings.Contains(w.Text, HoleMark) { // no pattern to compare with: only what is literal in it counts
		open := *w
		open.Text, open.Glob = withoutPattern(w.Text), false
		w = &open
	}
	located := cwd != nil && len(cwd.Dirs) > 0
	switch {
	case strings.HasPrefix(w.Text, "/"), strings.HasPrefix(w.Text, HoleMark) && !(w.Down && located):
		return absoluteEffect(kind, w)
	case w.Text == "":
		return []Effect{{Kind: kind, Span: w.Span}}
	case !located:
		return effectsAnywhere(kind, w, cwd)
	}
	all := make([]Effect, 0, len(cwd.Dirs))
	for _, dir := range cwd.Dirs {
		if w.Glob {
			dir = EscapeGlob(dir)
		}
		all = append(all, effectAt(kind, w, dir+"/"+w.Text))
	}
	return all
}

// namesFile reports whether a word means a file: >(cmd) is the input of cmd.
func namesFile(kind EffectKind, w *Word) bool {
	if w.Pipe && (kind == Write || kind == Delete) {
		return false
	}
	return !w.Known || w.Text != "" && !NotFile(w.Text)
}

// effectAt is the effect on a path that a word names.
func effectAt(kind EffectKind, w *Word, p string) Effect {
	e := Effect{Kind: kind, Span: w.Span, Path: CleanPath(p), Known: w.Known || w.Glob, Glob: w.Glob}
	e.Raw = raw(p, e.Known)
	if w.Down && p[0] == '/' {
		e.Below = folderOf(p)
	}
	if w.Glob && int(w.GlobLen) == len(w.Text) {
		e.Expands = &Expansion{Pattern: p}
	}
	return e
}

// absoluteEffect is for a word that means the same path in every directory, or may.
func absoluteEffect(kind EffectKind, w *Word) []Effect {
	e := effectAt(kind, w, w.Text)
	e.Temp = w.Temp
	if e.Known && strings.HasPrefix(w.Text, "//") {
		e.Raw = w.Text
	}
	if !e.Glob && NotFile(e.Path) {
		return nil
	}
	return []Effect{e}
}

// effectsAnywhere is for a relative path in a directory that is unknown or mktemp's.
func effectsAnywhere(kind EffectKind, w *Word, cwd *CwdState) []Effect {
	e := Effect{Kind: kind, Span: w.Span, Path: HoleMark}
	if !w.Glob {
		e.Path += "/" + w.Text
	}
	e.Temp = cwd != nil && cwd.temp && w.Known && !Upward(w.Text)
	if cwd == nil || len(cwd.also) == 0 {
		return []Effect{e}
	}
	return append([]Effect{e}, EffectsOf(kind, w, &CwdState{Dirs: cwd.also})...)
}

// withoutPattern returns a pattern with holes for what it leaves open.
func withoutPattern(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '*', '?':
			b.WriteString(HoleMark)
		case '[':
			return b.String() + HoleMark
		case '\\':
			if i+1 < len(p) {
				i++
			}
			b.WriteByte(p[i])
		default:
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

// raw returns a known path that goes up through a name, "" for every other.
func raw(p string, known bool) string {
	if known && strings.Contains(p, "/..") {
		return p
	}
	return ""
}

// A Contents says what a write puts below its Path where no words name it: an archive, a patch, a
// folder that is copied, another machine. Who knows a disk reads it there.
type Contents struct {
	Kind ContentsKind
	// From is the archive, patch or folder that holds the names, absolute and clean, "" for none.
	From string
	// Stdin is set when it comes in on standard input: Text where that is known, else From, else
	// the commands of Subcommand.From.
	Stdin bool
	Text  string
	// Strip is how many leading components every name loses.
	Strip int
	// Only are the names, as written, that alone are taken, with what is below them; nil is all.
	Only []string
	// Skip are patterns of names that are left out.
	Skip []string
	// Flat is set when names lose all folders; Free when / and .. lead out; Changed when names are
	// rewritten.
	Flat, Free, Changed bool
}

// A ContentsKind says where names come from. Zero: nothing can be looked at.
type ContentsKind uint8

const (
	FromElsewhere ContentsKind = iota // another machine, or a format that is not read
	FromArchive
	FromFolder
	FromPatch
)

// Members limits what is taken to the words that name it. An unknown word may be anything.
func (c *Contents) Members(words []*Word) {
	for _, w := range words {
		if !w.Known {
			c.Only = nil
			return
		}
		c.Only = append(c.Only, w.Text)
	}
}

// OpensFolder reports whether the last part of a path means, or may find, what is in a folder.
func OpensFolder(base string) bool {
	if base == "" || base == "." || base == ".." {
		return true
	}
	return base[0] == '.' && strings.ContainsAny(base, "*?[")
}

// ArchiveStem is the name of an archive without what archives are called.
func ArchiveStem(name string) string {
	name = path.Base(name)
	for _, end := range [...]string{".gz", ".bz2", ".xz", ".zst", ".lz", ".lzma", ".Z"} {
		name = strings.TrimSuffix(name, end)
	}
	for _, end := range [...]string{".tar", ".tgz", ".tbz2", ".tbz", ".txz", ".tzst", ".taz", ".tlz"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// A Patching is a patch that a command applies. It says which files are written; the Path of its
// Write is not known.
type Patching struct {
	// File is the Read of the patch, nil where the text itself holds it or prints it.
	File *Effect
	// Text is the patch where Known is set and there is no File.
	Text  string
	Known bool
	// From lists the subcommands, by index, whose output the patch is.
	From  []int
	Dir   string // where the command works, absolute; "" when not known
	Under string // folder the names are put below
	// Strip is how many leading components names lose, -1 for all but the last. Unless Given, the
	// program guesses for a patch without git's headers.
	Strip int
	Given bool

	Input bool // the patch comes in on standard input
}

// A Proof says whether a command is proven to only read; zero is no proof. The literal of a program
// grants it, once; all code after that can only take it away.
type Proof struct {
	holds bool
	why   string
}

// Proven is a proof. A test makes sure that only the engine asks for one.
func Proven() Proof { return Proof{holds: true} }

// Holds reports whether the command is proven to only read.
func (p *Proof) Holds() bool { return p.holds }

// Why is the last reason the proof was taken away for, a clause about the program; "" for none that
// is not shown elsewhere.
func (p *Proof) Why() string { return p.why }

// Disprove takes the proof away for good. A reason, when it is given, replaces
// the one before it.
func (p *Proof) Disprove(why string) {
	if p.holds = false; why != "" {
		p.why = why
	}
}
