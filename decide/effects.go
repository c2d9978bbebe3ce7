package decide

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// effectUnits turns an effect into the calls it amounts to: a Read, or an Edit
// and a Write, of its path; a WebFetch of its URL. What a pattern finds on the
// disk are calls of their own.
func (c *reading) effectUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script.Subcommands[at]
	if e.Top != "" {
		e = c.guard.AtTop(e)
	}
	switch e.Kind {
	case bashsafety.Read, bashsafety.Source, bashsafety.Write, bashsafety.Delete:
		switch {
		case e.Patch != nil:
			c.patchUnits(at, e)
		case e.Expands != nil && !(e.Silent && e.Kind == bashsafety.Read):
			c.foundUnits(at, e)
		default:
			c.fileUnits(sub, e, found{})
		}
	case bashsafety.Looks:
		p := c.World.EffectPath(e)
		c.units = append(c.units, unit{
			subject: rules.Subject{Tool: "Read", Path: &p, Glob: e.Path, Dots: e.Dots, Named: true}, text: shown(c.Policy, e), sub: sub, effect: e,
		})
	case bashsafety.Network:
		if u, ok := reached(e); ok {
			u.Open = u.Open || slices.ContainsFunc(sub.Argv, sendsPath)
			c.units = append(c.units, unit{subject: rules.Subject{Tool: "WebFetch", URL: &u}, text: shown(c.Policy, e),
				sub: sub, effect: e})
		}
	}
}

// A found says how a path was found.
type found struct {
	listed  bool          // it is a pattern, and what it finds are units of their own
	nothing bool          // it is a pattern that finds nothing now
	reading rules.Reading // how far rules about reading count
}

// foundUnits are the units of a pattern that the shell expands. What it means
// for stays open where the text itself may change it first.
func (c *reading) foundUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script.Subcommands[at]
	var names, from []string
	how := found{listed: c.Script.Expands(at)}
	if how.listed {
		names, from, how.listed = c.guard.Finds(e.Expands)
		how.nothing = how.listed && len(names) == 0
	}
	if e.Silent {
		if how.reading = rules.NoReads; e.Kind == bashsafety.Delete {
			how.reading = rules.CertainReads
		}
	}
	c.fileUnits(sub, e, how)
	for i, name := range names {
		one := *e
		one.Path, one.Known, one.Glob, one.Expands, one.Raw = path.Clean(name), true, false, nil, ""
		if strings.Contains(name, "/..") {
			one.Raw = name
		}
		if e.Contents != nil && i < len(from) {
			in := *e.Contents
			in.From = path.Clean(from[i])
			one.Contents = &in
		}
		if one.Files && c.World.Directory(name) {
			continue
		}
		c.fileUnits(sub, &one, found{reading: how.reading})
	}
}

// fileUnits are the units of one file, folder or pattern.
func (c *reading) fileUnits(sub *bashsafety.Subcommand, e *bashsafety.Effect, how found) {
	write := e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete
	if !e.Known && !e.Glob { // an operand that cannot be known matches no path rule (decisions 4)
		tool := "Read"
		if write {
			tool = "Edit"
		}
		bare := rules.Subject{Tool: tool, Bare: true}
		c.units = append(c.units, unit{subject: bare, text: shown(c.Policy, e), sub: sub, write: write, effect: e})
		return
	}
	p := c.World.EffectPath(e)
	s := rules.Subject{Path: &p, Listed: how.listed && !how.nothing, Named: how.nothing, Reading: how.reading}
	s.Tree = e.Kind == bashsafety.Delete || write && e.Recursive
	if e.Kind == bashsafety.Write && e.Recursive && (e.Silent || e.InPlace) {
		s.Reading = max(s.Reading, rules.CertainReads)
	}
	if e.Glob {
		if s.Glob = e.Path; c.Policy.OS != rules.Linux {
			s.Glob = p.Given
		}
	}
	add := func(tool string, s rules.Subject) {
		s.Tool = tool
		c.units = append(c.units, unit{subject: s, text: shown(c.Policy, e), sub: sub, write: write, effect: e, hit: p})
	}
	switch {
	case e.Glob && e.Silent && e.Kind != bashsafety.Delete: // the folder the pattern starts in may be named by a rule
		above := unit{subject: rules.Subject{Tool: "Read", Path: c.above(e)}, text: shown(c.Policy, e), sub: sub, effect: e,
			hit: p}
		c.units = append(c.units, above)
	case !write:
		add("Read", s)
	}
	if write {
		add("Edit", s)
		add("Write", s)
	}
}

// above is the folder a pattern starts in: all that rules about reading are
// compared with where nothing of the files is shown.
func (c *reading) above(e *bashsafety.Effect) *rules.Path {
	dir := *e
	dir.Path, dir.Raw, dir.Glob = world.StaticDir(e.Path), "", false
	if dir.Path = path.Clean(dir.Path); dir.Path == "." {
		dir.Path = "/"
	}
	p := c.World.EffectPath(&dir)
	return &p
}

// reached is the address of a network effect. A word with an unknown end is one
// as well when its host is known.
func reached(e *bashsafety.Effect) (rules.URL, bool) {
	if e.Known {
		u, ok := rules.ParseRemote(e.Path)
		path, _, _ := strings.Cut(e.Path, "?")
		u.Open = strings.ContainsAny(path, "{[") // which curl may take for several
		return u, ok
	}
	head, _, _ := strings.Cut(e.Path, bashsafety.HoleMark)
	if _, after, ok := strings.Cut(head, "://"); ok && strings.ContainsAny(after, "/?#") {
		u, ok := rules.ParseRemote(head)
		u.Open = !strings.ContainsAny(after, "?#")
		return u, ok
	}
	return rules.URL{}, false
}

// sendsPath reports whether a word is curl's option to send another path than the
// address has.
func sendsPath(w bashsafety.Word) bool { return strings.HasPrefix(w.Text, "--request-t") }

// findsNoOption reports whether no pattern among the words of a subcommand finds
// a name that starts with a dash, and the text changes nothing of that first.
func (c *reading) findsNoOption(sub *bashsafety.Subcommand) bool {
	at := subIndex(c.Script, sub)
	if at < 0 || len(sub.Dirs) != 1 || strings.ContainsAny(sub.Dirs[0], `*?[\`) || !c.Script.Expands(at) {
		return false
	}
	dir := sub.Dirs[0] + "/"
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if !w.Glob || strings.HasPrefix(w.Text, "/") {
			continue
		}
		names, ok := c.World.Expand(dir + w.Text)
		option := func(name string) bool { return strings.HasPrefix(name, dir+"-") }
		if !ok || slices.ContainsFunc(names, option) {
			return false
		}
	}
	return true
}

// patchUnits are the files that a patch writes. Where the patch cannot be read
// they are one file that is not known.
func (c *reading) patchUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script.Subcommands[at]
	names, ok := c.guard.PatchPaths(at, e.Patch)
	if !ok {
		c.fileUnits(sub, e, found{})
		return
	}
	for _, name := range names {
		one := bashsafety.Effect{Kind: bashsafety.Write, Path: path.Clean(name), Known: true, Span: e.Span}
		if strings.Contains(name, "/..") {
			one.Raw = name
		}
		c.fileUnits(sub, &one, found{})
	}
}

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
func immuneMentions(c *Case) (all []verdict.Question) {
	open := c.openings()
	if len(open) == 0 {
		return nil
	}
	left := maxMentioned
	c.mentionsFor(open)
	for list := range c.strictLists() {
		for i := range list.rules {
			r := &list.rules[i]
			if r.Bare || r.Tool != "Read" && r.Tool != "Edit" && r.Tool != "Write" {
				continue
			}
			needle := world.FoldPath(longestLiteral(r.Pattern))
			for m := range c.mentions() {
				if left--; left < 0 {
					return append(all, must(verdict.Doubtful, "too-much", "",
						"the command names too many files to compare with the rules", "Try a shorter command"))
				}
				if m.glob == "" && !strings.Contains(world.FoldPath(m.path.Given), needle) {
					continue
				}
				if o := c.meetsMention(list.rules[i:i+1], m, open); o != nil {
					all = append(all, verdict.Must(verdict.Doubtful, o.mayTouch(c, list.word, r, m)))
					break
				}
			}
		}
	}
	return all
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

// mentions are the paths that the text spells out.
func (c *reading) mentions() iter.Seq[*mention] {
	all := c.mentionsFor(nil)
	return func(yield func(*mention) bool) {
		for i := range all {
			if !yield(&all[i]) {
				return
			}
		}
	}
}

// mentionsFor is what mentions lists, made once, with what the openings make of a word.
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

// maxGlued bounds the words that are put together with the text around them.
const maxGlued = 256

// mentionGlued adds the paths that an opening makes of a word of the text with what
// it has before and after it: .$x of env.
func (c *reading) mentionGlued(open []opening, words map[string]bool) {
	if len(words) > maxGlued {
		return
	}
	glued := map[string]bool{}
	for i := range open {
		u := open[i].u
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
				c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: name}})
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
		c.mentioned = append(c.mentioned, mention{text: word, path: rules.Path{Given: glob, Real: glob}, glob: glob,
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

// wordUnits are the files that the words of a command may name of which no literal says
// what they are: rules about reading that name one bind.
func (c *matcher) wordUnits(sub *bashsafety.Subcommand) {
	cmdlet := sub.ReadOnly && sub.Call == nil // its table knows which words are files
	if skipped := sub.Structural || !sub.Here() || cmdlet; skipped || len(sub.Argv) < 2 || !c.restrictsReads() {
		return
	}
	for i := 1; i < len(sub.Argv); i++ {
		w := &sub.Argv[i]
		if named := w.Known && len(w.Text) <= maxPath && !strings.ContainsAny(w.Text, "\n\x00"); !named || !sub.Call.Unsaid(i) {
			continue
		}
		for part := range parts(w.Text) {
			for _, dir := range sub.Dirs {
				p := c.World.PathIn(part, dir)
				e := &bashsafety.Effect{Kind: bashsafety.Looks, Path: p.Given, Known: true, Span: w.Span}
				s := rules.Subject{Tool: "Read", Path: &p}
				c.units = append(c.units, unit{subject: s, text: part, sub: sub, effect: e, word: true})
			}
		}
	}
}

// restrictsReads reports whether a rule denies or asks about reading some files.
func (c *matcher) restrictsReads() bool {
	if c.reads == nil {
		speaks := func(r rules.Rule) bool { return !r.Bare && r.Tool == "Read" }
		some := false
		for list := range c.strictLists() {
			some = some || slices.ContainsFunc(list.rules, speaks)
		}
		c.reads = &some
	}
	return *c.reads
}

// parts are a word and what programs take for files in it: the value of an option, and what
// follows @, : or =, with and without what follows a comma.
func parts(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		glued := 0
		if len(word) > 2 && word[0] == '-' && word[1] != '-' {
			glued = 2
		}
		for i, seen := 0, 0; i < len(word) && seen < maxMarks; i++ {
			if i > 0 && i != glued && strings.IndexByte("=@:", word[i-1]) < 0 {
				continue
			}
			seen++
			if whole, _, more := strings.Cut(word[i:], ","); !yield(word[i:]) || more && !yield(whole) {
				return
			}
		}
	}
}

// namesTree reports whether a rule is about all below a folder and a word is the plain
// name of that: build of deny Read(./build/**) is more likely a task.
func namesTree(r *rules.Rule, u *unit) bool {
	dir, tree := strings.CutSuffix(r.Pattern, "/**")
	return tree && !strings.Contains(u.text, "/") && (dir == u.text || strings.HasSuffix(dir, "/"+u.text))
}
