package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// effectUnits turns an effect into the calls it amounts to: a Read, or an Edit
// and a Write, of its path; a WebFetch of its URL. What a pattern finds on the
// disk are calls of their own.
func (c *reading) effectUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script().Subcommands[at]
	if e.Top != "" {
		e = c.Guard().AtTop(e)
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
		p := c.World().EffectPath(e)
		c.units = append(c.units, Unit{
			subject: rules.Subject{Tool: "Read", Path: &p, Glob: e.Path, Dots: e.Dots, Named: true},
			text:    Shown(c.Policy(), e), sub: sub, effect: e,
		})
	case bashsafety.GitChange:
		if root := c.treeWritten(sub, e); root != "" {
			c.fileUnits(sub, &bashsafety.Effect{Kind: bashsafety.Write, Path: root, Known: true, Span: e.Span}, found{})
		}
	case bashsafety.Network:
		if u, ok := Reached(e); ok {
			u.Open = u.Open || slices.ContainsFunc(sub.Argv, sendsPath)
			c.units = append(c.units, Unit{subject: rules.Subject{Tool: "WebFetch", URL: &u}, text: Shown(c.Policy(), e),
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
	sub := &c.Script().Subcommands[at]
	var names, from []string
	how := found{listed: c.Script().Expands(at)}
	if how.listed {
		names, from, how.listed = c.Guard().Finds(e.Expands)
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
		if one.Files && c.World().Directory(name) {
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
		u := Unit{subject: rules.Subject{Tool: tool, Bare: true}, text: Shown(c.Policy(), e), sub: sub, write: write, effect: e}
		u.needsAllow = write && c.BelowInside(e) && c.needsGrant(&u)
		c.units = append(c.units, u)
		return
	}
	p := c.World().EffectPath(e)
	s := rules.Subject{Path: &p, Listed: how.listed && !how.nothing, Named: how.nothing, Reading: how.reading}
	s.Tree = e.Kind == bashsafety.Delete || write && e.Recursive
	if e.Kind == bashsafety.Write && e.Recursive && (e.Silent || e.InPlace) {
		s.Reading = max(s.Reading, rules.CertainReads)
	}
	if e.Glob {
		if s.Glob = e.Path; c.Policy().OS != rules.Linux {
			s.Glob = p.Given
		}
	}
	add := func(tool string, s rules.Subject) {
		s.Tool = tool
		u := Unit{subject: s, text: Shown(c.Policy(), e), sub: sub, write: write, effect: e, hit: p}
		u.needsAllow = tool == "Edit" && c.World().Inside(p) && c.needsGrant(&u)
		c.units = append(c.units, u)
	}
	switch {
	case e.Glob && e.Silent && e.Kind != bashsafety.Delete: // the folder the pattern starts in may be named by a rule
		above := Unit{subject: rules.Subject{Tool: "Read", Path: c.above(e)}, text: Shown(c.Policy(), e), sub: sub, effect: e,
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
	p := c.World().EffectPath(&dir)
	return &p
}

// Reached is the address of a network effect. A word with an unknown end is one
// as well when its host is known.
func Reached(e *bashsafety.Effect) (rules.URL, bool) {
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
	at := SubIndex(c.Script(), sub)
	if at < 0 || len(sub.Dirs) != 1 || strings.ContainsAny(sub.Dirs[0], `*?[\`) || !c.Script().Expands(at) {
		return false
	}
	dir := sub.Dirs[0] + "/"
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if !w.Glob || strings.HasPrefix(w.Text, "/") {
			continue
		}
		names, ok := c.World().Expand(dir + w.Text)
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
	sub := &c.Script().Subcommands[at]
	names, ok := c.Guard().PatchPaths(at, e.Patch)
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

// nameUnits are the files that words of a command name of which no literal says what they are: a secret counts as
// read, what decides what runs later as written where the word names output, and rules about reading that name one
// bind.
func (c *matcher) nameUnits(sub *bashsafety.Subcommand) {
	for n := range sub.Names(c.Policy().Home.Given) {
		e := n.Effect
		plain := !strings.ContainsAny(n.Spelled, "./_~") && !strings.Contains(n.Dir, "/.")
		if plain && !c.restrictsReads() { // the tables have no such name
			continue
		}
		if !e.Glob {
			c.nameUnit(sub, &e, &n)
			continue
		}
		if strings.Contains(e.Path, "/.") || c.restrictsReads() { // nothing else in the tables is met by a pattern
			names, _ := c.World().Expand(e.Path)
			for _, name := range names {
				one := e
				one.Path, one.Glob, n.Spelled = path.Clean(name), false, path.Clean(name)
				c.nameUnit(sub, &one, &n)
			}
		}
	}
}

// nameUnit is nameUnits for one file.
func (c *matcher) nameUnit(sub *bashsafety.Subcommand, e *bashsafety.Effect, n *bashsafety.Name) {
	control := e.Kind == bashsafety.Write && guard.ControlPath(e.Path)
	secret := e.Kind == bashsafety.Read && guard.IsSecretPlace(e.Path)
	if !control && !secret && !c.restrictsReads() {
		return
	}
	p := c.World().EffectPath(e)
	if c.Policy().OS == rules.Windows {
		p = c.World().PathIn(n.Spelled, n.Dir)
	}
	s := rules.Subject{Tool: "Read", Path: &p}
	u := Unit{subject: s, text: Shown(c.Policy(), e), sub: sub, effect: e, word: true}
	switch {
	case control:
		u.subject.Tool, u.write, u.hit = "Edit", true, p
	case secret:
		u.hit, e.Recursive = p, true
	default:
		e.Kind = bashsafety.Looks // rules about the very file bind
	}
	c.units = append(c.units, u)
}

// restrictsReads reports whether a rule denies or asks about reading some files.
func (c *matcher) restrictsReads() bool {
	if c.reads == nil {
		speaks := func(r rules.Rule) bool { return !r.Bare && r.Tool == "Read" }
		some := false
		for list := range c.StrictLists() {
			some = some || slices.ContainsFunc(list.Rules, speaks)
		}
		c.reads = &some
	}
	return *c.reads
}

// namesTree reports whether a rule is about all below a folder and a word is the plain
// name of that: build of deny Read(./build/**) is more likely a task.
func namesTree(r *rules.Rule, u *Unit) bool {
	dir, tree := strings.CutSuffix(r.Pattern, "/**")
	return tree && !strings.Contains(u.text, "/") && (dir == u.text || strings.HasSuffix(dir, "/"+u.text))
}

// FileRead is what a part would be that reads a file.
func (c *scene) FileRead(name string) *Unit {
	p := c.World().Path(name)
	return &Unit{subject: rules.Subject{Tool: "Read", Path: &p}, number: -1}
}

// FolderRead is what a part would be that reads a folder.
func (c *scene) FolderRead(sub *bashsafety.Subcommand, dir *bashsafety.Effect) *Unit {
	u := &Unit{subject: rules.Subject{Tool: "Read"}, text: Shown(c.Policy(), dir), sub: sub, effect: dir, number: -1}
	if dir.Known && dir.Path != "" {
		u.hit = c.World().EffectPath(dir)
		u.subject.Path = &u.hit
	}
	return u
}
