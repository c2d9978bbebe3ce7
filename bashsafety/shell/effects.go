package shell

import "strings"

// EffectsOf turns a word that names a file into effects, one for each directory the command may run
// in; the null device and the standard streams have none.
func EffectsOf(kind EffectKind, w *Word, cwd *CwdState) []Effect {
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
