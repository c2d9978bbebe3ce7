package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// A mention is a path that a shell text spells out somewhere: in a word, a
// value, program text. What is read or written and not known may be that.
type mention struct {
	text string     // as spelled
	path rules.Path // where it leads from the folders the text runs in
	glob string     // set for a pattern that the disk does not settle
	look bool       // the pattern is what a program looks for below a folder
}

// maxMentioned bounds how often a rule is compared with a mention.
const maxMentioned = 1 << 21

// immuneMentions asks where a part touches a file that is only known when it
// runs, and the text spells out one that a rule denies or asks about.
func immuneMentions(c *Case) Verdict {
	open := c.openings()
	if len(open) == 0 {
		return Verdict{}
	}
	left := maxMentioned
	c.mentionsFor(open)
	for _, list := range c.strictLists() {
		for i := range list.rules {
			r := &list.rules[i]
			if r.Bare || r.Tool != "Read" && r.Tool != "Edit" && r.Tool != "Write" {
				continue
			}
			needle := world.FoldPath(longestLiteral(r.Pattern))
			for j := range c.mentions() {
				if left--; left < 0 {
					return immune("too-much", "",
						"the command names too many files to compare with the rules. Try a shorter command")
				}
				m := &c.mentioned[j]
				if m.glob == "" && !strings.Contains(world.FoldPath(m.path.Given), needle) {
					continue
				}
				if o := c.meetsMention(list.rules[i:i+1], m, open); o != nil {
					return o.mayTouch(c, list.word, r, m)
				}
			}
		}
	}
	return Verdict{}
}

// meetsMention returns the first opening through which a rule may be about a
// mention, nil for none.
func (c *matcher) meetsMention(rule []rules.Rule, m *mention, open []opening) *opening {
	if m.path.Real == "" {
		m.path = c.World.Path(m.path.Given)
	}
	speaks := func(tool string) bool {
		s := rules.Subject{Tool: tool, Path: &m.path, Glob: m.glob, Dots: m.look, Named: m.look}
		return len(c.matchRules(rule, &s)) > 0
	}
	ofReads, ofWrites := speaks("Read"), speaks("Edit")
	for i := range open {
		if o := &open[i]; o.concerned(ofReads, ofWrites) && c.mayBe(o, m) {
			return o
		}
	}
	return nil
}

// mentions lists the paths that the text spells out, once.
func (c *reading) mentions() []mention { return c.mentionsFor(nil) }

// mentionsFor is mentions, with what the openings make of a word.
func (c *reading) mentionsFor(open []opening) []mention {
	if c.mentioned != nil {
		return c.mentioned
	}
	c.mentioned = make([]mention, 0, 32)
	dirs := []string{c.World.Dir}
	for i := range c.Script.Subcommands {
		for _, dir := range c.Script.Subcommands[i].Dirs {
			if len(dirs) < 4 && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	home := c.Policy.Home.Given
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
	text, pwd := c.Script.Text, dirs[0]
	if strings.Contains(text, "$") {
		text = strings.NewReplacer("$OLDPWD", pwd, "${OLDPWD}", pwd, "${PWD##*/}", path.Base(pwd),
			"${HOME}", home, "$HOME", home, "${PWD}", pwd, "$PWD", pwd).Replace(text)
	}
	spellings(text, add)
	for i := range c.Script.Subcommands {
		for _, w := range c.Script.Subcommands[i].Argv {
			if w.Known && w.Quoted {
				spellings(w.Text, add)
				spellings(joined(w.Text), add)
				spellings(w.Text, func(word string) { c.mentionBelow(word, dirs) })
			}
		}
	}
	c.mentionGlued(open, seen)
	return c.mentioned
}

// mention adds a word as a path in dir: a pattern as what it finds there.
func (c *reading) mention(word, dir string) {
	clean, _ := c.Policy.OS.Clean(word, dir, c.Policy.Home.Given)
	if !strings.ContainsAny(word, "*?[") {
		c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: clean}})
		return
	}
	names, settled := c.World.Expand(clean)
	if !settled {
		c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: clean, Real: clean}, glob: clean})
	}
	for _, name := range names {
		c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: path.Clean(name)}})
	}
}

// spellings calls add with every run of characters that can be a path, and with
// what follows the marks in it.
func spellings(text string, add func(string)) {
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && strings.IndexByte(" \t\r\n;|&<>(){}\"'`$\\!#^=,:@", text[i]) < 0 {
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

// afterMarks calls add with what follows the mark of an option or an expansion.
func afterMarks(word string, add func(string)) {
	for j := 0; j < len(word) && j < maxMarks; j++ {
		if k := strings.IndexAny(word[j:], "-+?%"); k >= 0 && j+k+1 < len(word) {
			j += k
			add(word[j+1:])
		}
	}
	if len(word) > 2 && word[0] == '-' {
		add(word[2:]) // -fFILE
	}
}

// maxMarks is how far into a word marks are looked for.
const maxMarks = 8

// longestLiteral is the longest part of a pattern that any path it matches holds.
func longestLiteral(pattern string) string {
	longest := ""
	between := func(r rune) bool { return strings.ContainsRune(`*?[]{}\/~`, r) }
	for part := range strings.FieldsFuncSeq(pattern, between) {
		if strings.Trim(part, ".") != "" && len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}
