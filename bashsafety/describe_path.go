package bashsafety

import (
	"path"
	"strings"
)

// effectsOf turns a word that names a file into effects, one for each directory
// the command may run in. What is no file (the null device, standard streams)
// has none.
func effectsOf(kind EffectKind, w *Word, cwd *cwdState) []Effect {
	if w.Known && (w.Text == "" || notFile(w.Text)) || w.Pipe && (kind == Write || kind == Delete) {
		return nil // what is written to >(cmd) is cmd's input
	}
	e := Effect{Kind: kind, Span: w.Span}
	holes := strings.Contains(w.Text, HoleMark)
	expands := w.Glob && !holes && int(w.globLen) == len(w.Text)
	if w.Glob && holes { // no pattern to compare with, so only what is literal in it counts
		open := *w
		open.Text, open.Glob = withoutPattern(w.Text), false
		w = &open
	}
	certain := w.Known || w.Glob && !holes
	switch {
	case strings.HasPrefix(w.Text, "/"), strings.HasPrefix(w.Text, HoleMark) && !(w.Down && cwd != nil && len(cwd.dirs) > 0):
		e.Temp = w.Temp
		if w.Down && w.Text[0] == '/' {
			e.Below = folderOf(w.Text)
		}
		e.Path, e.Known, e.Glob = cleanPath(w.Text), certain, w.Glob && !holes
		if e.Raw = raw(w.Text, e.Known); e.Known && strings.HasPrefix(w.Text, "//") {
			e.Raw = w.Text
		}
		if expands {
			e.Expands = &Expansion{Pattern: w.Text}
		}
		if e.Glob || !notFile(e.Path) {
			return []Effect{e}
		}
		return nil
	case w.Text == "":
		return []Effect{e}
	case cwd == nil || len(cwd.dirs) == 0:
		if e.Path = HoleMark; !w.Glob {
			e.Path += "/" + w.Text
		}
		if cwd == nil || !cwd.temp || !w.Known || upward(w.Text) {
			return []Effect{e}
		}
		e.Temp = true
		if len(cwd.also) == 0 {
			return []Effect{e}
		}
		return append([]Effect{e}, effectsOf(kind, w, &cwdState{dirs: cwd.also})...)
	}
	var all []Effect
	for _, dir := range cwd.dirs {
		if w.Glob {
			dir = escapeGlob(dir)
		}
		e.Path, e.Known, e.Glob = cleanPath(dir+"/"+w.Text), certain, w.Glob && !holes
		e.Raw = raw(dir+"/"+w.Text, e.Known)
		if w.Down {
			e.Below = folderOf(dir + "/" + w.Text)
		}
		if expands {
			e.Expands = &Expansion{Pattern: dir + "/" + w.Text}
		}
		all = append(all, e)
	}
	return all
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

// cleanPath is path.Clean up to the first unknown part: what follows a hole may
// hold slashes, so that .. behind it says nothing.
func cleanPath(p string) string {
	i := strings.Index(p, HoleMark)
	if i < 0 {
		return path.Clean(p)
	}
	p = strings.TrimRight(p, "/")
	head := p[:i]
	j := strings.LastIndexByte(head, '/')
	if j < 0 {
		return p
	}
	dir := path.Clean(head[:j+1])
	if dir == "/" {
		dir = ""
	}
	return dir + "/" + p[j+1:]
}

// notFile reports whether a path is the null device or one of the process's own
// streams.
func notFile(p string) bool {
	switch p {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	n, ok := strings.CutPrefix(p, "/dev/fd/")
	return ok && number(n)
}

func escapeGlob(s string) string {
	if !strings.ContainsAny(s, `*?[\`) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`*?[\`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// moved is the directory state after a change into the directory w.
func moved(cwd *cwdState, w *Word) *cwdState {
	if w.Temp {
		return &cwdState{moved: true, temp: true}
	}
	next := &cwdState{moved: true}
	for _, e := range effectsOf(Read, w, cwd) {
		if e.Temp && !e.Glob {
			return &cwdState{moved: true, temp: true}
		}
		if !e.Known || e.Glob || len(e.Path) > maxPath {
			return &cwdState{moved: true}
		}
		next.dirs = append(next.dirs, e.Path)
	}
	return next
}

// literal is a known word made by the tables, at the place of another.
func literal(text string, at *Word) Word {
	return Word{Text: text, Known: true, Single: true, Quoted: true, Span: at.Span}
}

// hole is an unknown argument that starts with prefix, at the place of another.
func hole(prefix string, at *Word) Word {
	return Word{Text: prefix + HoleMark, Single: true, Quoted: true, Span: at.Span}
}

// behind is the pattern for names that start with a word.
func behind(w *Word) Word {
	old := *w
	if old.Text = strings.TrimRight(w.Text, "/"); !w.Known && !w.Glob {
		old.Text += HoleMark
		return old
	}
	if w.Known {
		old.Text = escapeGlob(old.Text)
	}
	old.Text += "*"
	old.Known, old.Glob = false, true
	return old
}

// beneath is the word for a file called like the last component of name in the
// directory dir.
func beneath(dir, name *Word) Word {
	base := strings.TrimRight(name.Text, "/")
	base = base[strings.LastIndexByte(base, '/')+1:]
	return join(dir, name, base)
}

// within is the word for the path name below the directory dir.
func within(dir, name *Word) Word { return join(dir, name, name.Text) }

func join(dir, name *Word, base string) Word {
	w := *dir
	w.Known, w.Glob = dir.Known && name.Known, dir.Glob || name.Glob
	d := strings.TrimRight(dir.Text, "/")
	if len(d) > maxPath {
		w.Text, w.Known = d[:maxPath]+HoleMark, false
		return w
	}
	switch {
	case name.Glob && !dir.Glob:
		d = escapeGlob(d)
	case dir.Glob && !name.Glob:
		base = escapeGlob(base)
	}
	w.Text = d + "/" + base
	if dir.Text == "" {
		w.Text = base
	}
	return w
}
