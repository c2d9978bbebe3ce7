package bashsafety

import (
	"slices"
	"strings"
)

// findMore reads a find expression: paths, then tests and actions.
func findMore(c *call) {
	i := 1
	for i < len(c.argv) && findLeading(&c.argv[i]) {
		if c.argv[i].Text == "-D" || c.argv[i].Text == "-f" {
			i++
		}
		i++
	}
	var paths []Word
	for ; i < len(c.argv) && !findExpression(&c.argv[i]); i++ {
		paths = append(paths, c.argv[i])
	}
	f := findCall{c: c, paths: paths}
	for i < len(c.argv) {
		i = f.token(i)
	}
	if len(paths) == 0 {
		paths = []Word{*c.here()}
	}
	for k := range paths {
		if f.deletes {
			c.touch(Delete, &paths[k], true)
			c.wrote = true
			continue
		}
		c.touch(Read, &paths[k], true)
	}
	if f.deletes {
		c.narrow("-delete removes what is found")
	}
	for _, n := range f.names {
		c.looks(n.pattern, true, n.at)
	}
}

type findCall struct {
	c       *call
	paths   []Word
	deletes bool
	names   []findName
	nots    []bool // by level of parentheses: they stand behind a !
	not     bool   // the last word was a !
}

// A findName is a test for names that is not in front of a -prune.
type findName struct {
	pattern string
	at      *Word
}

// name notes what a test looks for, unless it is what find is to leave alone.
func (f *findCall) name(test string, i int) {
	if i+1 >= len(f.c.argv) || !patterned(&f.c.argv[i+1]) || f.not || slices.Contains(f.nots, true) {
		return
	}
	for k := i + 2; k < len(f.c.argv) && f.c.argv[k].Text != "-o" && f.c.argv[k].Text != "-or" && f.c.argv[k].Text != ","; k++ {
		if f.c.argv[k].Text == "-prune" {
			return
		}
	}
	w := &f.c.argv[i+1]
	switch test {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
		f.names = append(f.names, findName{w.Text, w})
	case "-regex", "-iregex":
		f.names = append(f.names, findName{nameOfRegexp(w.Text, true), w})
	}
}

// level follows ! and parentheses.
func (f *findCall) level(t string) {
	switch t {
	case "(":
		f.nots = append(f.nots, f.not)
	case ")":
		f.nots = f.nots[:max(0, len(f.nots)-1)]
	}
	f.not = (t == "!" || t == "-not") && !f.not
}

// findLeading reports the options that stand before the paths.
func findLeading(w *Word) bool {
	t := w.Text
	if !w.Known || len(t) < 2 || t[0] != '-' {
		return false
	}
	switch t {
	case "-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x", "-D", "-f", "--":
		return true
	}
	return strings.HasPrefix(t, "-O") && len(t) == 3 || strings.Trim(t[1:], "HLPEXdsx") == ""
}

// findExpression reports whether a word starts the expression.
func findExpression(w *Word) bool {
	lit := literalPrefix(w)
	return strings.HasPrefix(lit, "-") && lit != "-" || lit == "(" || lit == "!" || lit == ")" || lit == "," ||
		!w.Known && lit == ""
}

// token reads one test or action and returns the position of the next.
func (f *findCall) token(i int) int {
	c, w := f.c, &f.c.argv[i]
	value := func() *Word {
		if i+1 < len(c.argv) {
			c.d.valueAt = append(c.d.valueAt, i+1)
			return &c.argv[i+1]
		}
		return &Word{}
	}
	if !w.Known {
		c.narrow("an unknown word could be an action such as -exec or -delete")
		return i + 1
	}
	f.name(w.Text, i)
	f.level(w.Text)
	switch t := w.Text; t {
	case "-exec", "-execdir", "-ok", "-okdir":
		return f.exec(i)
	case "-delete":
		f.deletes = true
	case "-fprint", "-fprint0", "-fls":
		c.touch(Write, value(), false)
		c.narrow(t + " writes a file")
		return i + 2
	case "-fprintf":
		c.touch(Write, value(), false)
		c.narrow(t + " writes a file")
		return i + 3
	case "-files0-from", "-newer", "-anewer", "-cnewer", "-mnewer", "-samefile", "--files0-from":
		c.touch(Read, value(), false)
		return i + 2
	case "-depth":
		if i+1 < len(c.argv) && c.argv[i+1].Known && strings.Trim(c.argv[i+1].Text, "+-0123456789") == "" {
			return i + 2
		}
	default:
		if findTakesValue(t) {
			value()
			return i + 2
		}
		if len(t) > 1 && t[0] == '-' && !findAlone(t) {
			c.narrow("an action that is not known could run or write something: " + t)
			c.d.readOnly = false
		}
	}
	return i + 1
}

// findAlone reports the tests, actions and options without a value that write nothing.
func findAlone(t string) bool {
	switch t {
	case "-print", "-print0", "-printx", "-ls", "-prune", "-quit", "-true", "-false", "-empty", "-readable", "-writable", "-executable",
		"-daystart", "-follow", "-mount", "-xdev", "-x", "-noleaf", "-warn", "-nowarn", "-ignore_readdir_race", "-noignore_readdir_race",
		"-nouser", "-nogroup", "-not", "-a", "-and", "-o", "-or", "-s", "-d", "-H", "-L", "-P", "-E", "-X", "-f", "-help", "--help",
		"-version", "--version", "-acl", "-xattr", "-sparse", "-depth", "--":
		return true
	}
	return strings.HasPrefix(t, "-O") || strings.Trim(t[1:], "HLPEXdsx") == ""
}

func findTakesValue(t string) bool {
	switch t {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-lname", "-ilname", "-regex", "-iregex", "-regextype",
		"-type", "-xtype", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-Bmin", "-Btime", "-maxdepth", "-mindepth",
		"-perm", "-user", "-group", "-uid", "-gid", "-fstype", "-links", "-inum", "-printf", "-used", "-context", "-flags", "-xattrname":
		return true
	}
	return strings.HasPrefix(t, "-newer") && len(t) == len("-newerXY")
}

// exec reads the command of -exec up to ; or +. What is found lies below the
// path the search started from, so that it can be an option only when that can.
func (f *findCall) exec(i int) int {
	c, start := f.c, ""
	switch dir := strings.HasSuffix(c.argv[i].Text, "dir"); {
	case dir:
		start = "./"
	case len(f.paths) == 0:
		start = "./"
	case len(f.paths) == 1 && f.paths[0].Known:
		if start = f.paths[0].Text; start == "." || start == ".." || strings.HasSuffix(start, "/.") || strings.HasSuffix(start, "/..") {
			start += "/" // a folder: nothing found is called .x
		}
	}
	in := inner{kind: innerArgv, via: "find"}
	if strings.HasSuffix(c.argv[i].Text, "dir") {
		w := hole("", &c.argv[i])
		in.dir = &w
	}
	k := i + 1
	for ; k < len(c.argv); k++ {
		w := c.argv[k]
		if w.Known && w.Text == "+" && k > i+1 && c.argv[k-1].Text == "{}" { // as many as there are
			in.argv = append(in.argv, in.argv[len(in.argv)-1])
			break
		}
		if w.Known && w.Text == ";" {
			break
		}
		if strings.Contains(w.Text, "{}") && w.Known {
			if w.Text == "{}" {
				w = hole(start, &w)
			} else {
				w = Word{Text: strings.ReplaceAll(w.Text, "{}", start+HoleMark), Single: true, Quoted: true, Span: w.Span}
			}
		}
		in.argv = append(in.argv, w)
	}
	if len(in.argv) > 0 {
		c.runs(in)
	}
	return k + 1
}

// fdMore reads fd's pattern and paths, and the command of -x and -X: the rest
// up to ;.
func fdMore(c *call) {
	end := len(c.argv)
	for i := range c.opts {
		switch c.opts[i].name {
		case "x", "X", "exec", "exec-batch":
			end = min(end, c.opts[i].at)
		}
	}
	c.recursive = true
	var paths []int
	for n, i := range c.operands {
		if n > 0 && i < end {
			paths = append(paths, i)
		}
	}
	if !c.has("search-path") {
		c.readOperands(paths)
	}
	c.fdLooks(end)
	if end == len(c.argv) {
		return
	}
	first := c.argv[end].Text
	if !strings.HasSuffix(first, "x") && !strings.HasSuffix(first, "X") && first != "--exec" && first != "--exec-batch" {
		c.narrow("the rest of the word is a command or the start of one")
	}
	in, placed := inner{kind: innerArgv, via: "fd"}, false
	for k := end + 1; k < len(c.argv) && c.argv[k].Text != ";"; k++ {
		arg := c.argv[k]
		if arg.Known && strings.HasPrefix(arg.Text, "{") && strings.HasSuffix(arg.Text, "}") {
			if arg, placed = hole("", &arg), true; !strings.HasSuffix(first, "x") && first != "--exec" {
				in.argv = append(in.argv, arg) // of a batch as many as there are
			}
		}
		in.argv = append(in.argv, arg)
	}
	if in.more = !placed; len(in.argv) > 0 {
		c.runs(in)
	}
}

// fdLooks says which names fd is told to look for. Without -H it finds none that
// starts with a dot.
func (c *call) fdLooks(end int) {
	hidden := c.has("H", "hidden", "u", "unrestricted")
	if w := c.operand(0); w != nil && w.Known && c.operands[0] < end {
		pattern := w.Text
		switch {
		case c.has("g", "glob"):
		case c.has("F", "fixed-strings"):
			pattern = "*" + escapeGlob(pattern) + "*"
		default:
			pattern = nameOfRegexp(pattern, false)
		}
		if hidden || !strings.HasPrefix(pattern, ".") {
			c.looks(pattern, hidden, w)
		}
	}
	for i := range c.opts {
		if u := &c.opts[i]; (u.name == "e" || u.name == "extension") && u.value.Known {
			c.looks("*."+escapeGlob(u.value.Text), hidden, &u.value)
		}
	}
}
