package facts

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// A Mention is a path that a shell text spells out somewhere: in a word, a
// value, program text. What is read or written and not known may be that.
type Mention struct {
	Text string     // as spelled
	Path rules.Path // where it leads from the folders the text runs in
	Glob string     // set for a pattern that the disk does not settle
	look bool       // the pattern is what a program looks for below a folder
}

// MeetsMention returns the first opening through which a rule may be about a
// mention, nil for none.
func (c *matcher) MeetsMention(rule []rules.Rule, m *Mention, open []Opening) *Opening {
	if m.Path.Real == "" {
		m.Path = c.World().Path(m.Path.Given)
	}
	speaks := func(tool string) bool {
		s := rules.Subject{Tool: tool, Path: &m.Path, Glob: m.Glob, Dots: m.look, Named: m.look}
		return len(c.matchRules(rule, &s)) > 0
	}
	ofReads, ofWrites := speaks("Read"), speaks("Edit")
	for i := range open {
		if o := &open[i]; o.concerned(ofReads, ofWrites) && c.MayBe(o, m) {
			return o
		}
	}
	return nil
}

// Mentions are the paths that the text spells out.
func (c *reading) Mentions() iter.Seq[*Mention] {
	all := c.allMentions()
	return func(yield func(*Mention) bool) {
		for i := range all {
			if !yield(&all[i]) {
				return
			}
		}
	}
}

// allMentions is what Mentions lists, made once: what the text spells, and what its openings make of a word.
func (c *reading) allMentions() []Mention {
	if c.mentioned != nil {
		return c.mentioned
	}
	c.mentioned = make([]Mention, 0, 32)
	dirs := []string{c.World().Dir}
	for i := range c.Script().Subcommands {
		for _, dir := range c.Script().Subcommands[i].Dirs {
			if len(dirs) < 4 && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	home := c.Policy().Home.Given
	seen := map[string]bool{}
	add := func(word string) {
		if word = strings.TrimRight(word, "."); strings.Trim(word, "./-") == "" || seen[word] {
			return
		}
		seen[word] = true
		word = strings.TrimPrefix(word, "/cwd/") // of a process: /proc/$$/cwd/FILE
		for _, dir := range dirs {
			if c.mention(word, dir); word[0] == '/' || word[0] == '~' {
				break
			}
		}
		begins := word[0] == '/' || word[0] == '.' && word[1] != '.'
		if home != "" && begins && !strings.ContainsAny(word, "*?[") {
			c.mention(home+"/"+word, home) // the text may put the home folder before it
		}
	}
	text, pwd := c.Script().Text, dirs[0]
	if strings.Contains(text, "$") {
		text = strings.NewReplacer("$OLDPWD", pwd, "${OLDPWD}", pwd, "${PWD##*/}", path.Base(pwd),
			"${HOME}", home, "$HOME", home, "${PWD}", pwd, "$PWD", pwd).Replace(text)
	}
	Spellings(text, add)
	for i := range c.Script().Subcommands {
		for _, w := range c.Script().Subcommands[i].Argv {
			if w.Known && w.Quoted {
				Spellings(w.Text, add)
				Spellings(joined(w.Text), add)
				Spellings(w.Text, func(word string) { c.mentionBelow(word, dirs) })
			}
		}
	}
	c.mentionGlued(c.Openings(), seen)
	return c.mentioned
}

// mention adds a word as a path in dir: a pattern as what it finds there.
func (c *reading) mention(word, dir string) {
	clean, _ := c.Policy().OS.Clean(word, dir, c.Policy().Home.Given)
	if !strings.ContainsAny(word, "*?[") {
		c.mentioned = append(c.mentioned, Mention{Text: word, Path: rules.Path{Given: clean}})
		return
	}
	names, settled := c.World().Expand(clean)
	if !settled {
		c.mentioned = append(c.mentioned, Mention{Text: word, Path: rules.Path{Given: clean, Real: clean}, Glob: clean})
	}
	for _, name := range names {
		c.mentioned = append(c.mentioned, Mention{Text: word, Path: rules.Path{Given: path.Clean(name)}})
	}
}

// Spellings calls add with every run of characters that can be a path, and with
// what follows the marks in it.
func Spellings(text string, add func(string)) {
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !betweenPaths(text[i]) {
			continue
		}
		if word := text[start:i]; word != "" {
			add(word)
			afterMarks(word, add)
		}
		if start = i + 1; start < len(text) && text[i] == '\\' && strings.IndexByte("nrt0", text[start]) >= 0 {
			start, i = i+2, i+1 // a newline, spelled
		}
	}
}

// betweenPaths reports characters that end a path in a text.
func betweenPaths(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ';', '|', '&', '<', '>', '(', ')', '{', '}', '"', '\'', '`', '$', '\\', '!', '#', '^', '=', ',', ':', '@':
		return true
	}
	return false
}

// afterMarks calls add with what follows the mark of an option or an expansion.
func afterMarks(word string, add func(string)) {
	for j := 0; j < maxMarks; j++ {
		k := strings.IndexAny(word[j:], "-+?%")
		if k < 0 || j+k+1 >= len(word) {
			break
		}
		j += k
		add(word[j+1:])
	}
	if len(word) > 2 && word[0] == '-' {
		add(word[2:]) // -fFILE
	}
}

// maxMarks is how far into a word marks are looked for.
const maxMarks = 8

// LongestLiteral is the longest part of a pattern that any path it matches holds.
func LongestLiteral(pattern string) string {
	longest := ""
	between := func(r rune) bool { return strings.ContainsRune(`*?[]{}\/~`, r) }
	for part := range strings.FieldsFuncSeq(pattern, between) {
		if strings.Trim(part, ".") != "" && len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// maxGlued bounds the words that are put together with the text around them.
const maxGlued = 256

// mentionGlued adds the paths that an opening makes of a word of the text with what
// it has before and after it: .$x of env.
func (c *reading) mentionGlued(open []Opening, words map[string]bool) {
	if len(words) > maxGlued {
		return
	}
	glued := map[string]bool{}
	for i := range open {
		u := open[i].U
		if u == nil || len(glued) == 4 || glued[u.effect.Path] {
			continue
		}
		head, tail, ok := cutName(u.effect.Path)
		if !ok {
			continue
		}
		glued[u.effect.Path] = true
		for _, word := range slices.Sorted(maps.Keys(words)) {
			if word[0] != '/' && word[0] != '~' {
				name := path.Clean(head + word + tail)
				c.mentioned = append(c.mentioned, Mention{Text: word, Path: rules.Path{Given: name}})
			}
		}
	}
}

// cutName returns the text around the one unknown part of an absolute path, unless
// that part is a whole name, which is a word as it is.
func cutName(name string) (head, tail string, ok bool) {
	head, tail, ok = strings.Cut(name, bashsafety.HoleMark)
	if !ok || !strings.HasPrefix(head, "/") || strings.Contains(tail, bashsafety.HoleMark) {
		return "", "", false
	}
	whole := head == path.Dir(head+"x")+"/" && (tail == "" || tail[0] == '/')
	return head, tail, !whole
}

// mentionBelow adds an ending that a program may look for in all folders: *.pem.
func (c *reading) mentionBelow(word string, dirs []string) {
	if !strings.HasPrefix(word, "*.") || strings.Contains(word, "/") || len(word) < 4 {
		return
	}
	for _, dir := range dirs {
		glob := dir + "/**/" + word
		c.mentioned = append(c.mentioned, Mention{Text: word, Path: rules.Path{Given: glob, Real: glob}, Glob: glob,
			look: true})
	}
}

// joined is program text without what puts two strings together: "." + "env".
func joined(text string) string {
	out := strings.Builder{}
	for i := 0; i < len(text); i++ {
		if q := text[i]; q == '"' || q == '\'' {
			rest := strings.TrimLeft(text[i+1:], " +")
			if next := len(text) - len(rest); rest != "" && (rest[0] == '"' || rest[0] == '\'') && next > i+1 {
				i = next
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
