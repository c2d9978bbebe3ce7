package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineFind reads a find expression: paths, then tests and actions.
func refineFind(c *Invocation) {
	f, i := c.finding()
	paths := f.paths
	for i < len(c.Argv) {
		i = f.token(i)
	}
	if len(paths) == 0 {
		paths = []shell.Word{*c.here()}
	}
	for k := range paths {
		if f.deletes {
			c.touch(shell.Delete, &paths[k], true)
			c.Wrote = true
			continue
		}
		c.touch(shell.Read, &paths[k], true)
	}
	if f.deletes {
		c.Narrow("-delete removes what is found")
	}
	for _, n := range f.names {
		c.looks(n.pattern, true, n.at)
	}
}

// finding reads the paths of find, and returns where its expression begins.
func (c *Invocation) finding() (f findCall, i int) {
	for i = 1; i < len(c.Argv) && findLeading(&c.Argv[i]); i++ {
		f.led = f.led || !shell.Among("-P -O0 -O1 -O2 -O3 --", c.Argv[i].Text)
		if c.Argv[i].Text == "-D" || c.Argv[i].Text == "-f" {
			i++
		}
	}
	for f.c = c; i < len(c.Argv) && !findExpression(&c.Argv[i]); i++ {
		f.paths = append(f.paths, c.Argv[i])
	}
	return f, i
}

type findCall struct {
	c       *Invocation
	paths   []shell.Word
	led     bool // options in front may make it follow symlinks, or look elsewhere
	deletes bool
	names   []findName
	nots    []bool // by level of parentheses: they follow a !
	not     bool   // the last word was a !
}

// A findName is a test for names that is not in front of a -prune.
type findName struct {
	pattern string
	at      *shell.Word
}

// name notes what a test looks for, unless it is what find is to leave alone.
func (f *findCall) name(test string, i int) {
	if i+1 >= len(f.c.Argv) || !patterned(&f.c.Argv[i+1]) || f.negated() || f.prunes(i+2) {
		return
	}
	w := &f.c.Argv[i+1]
	switch test {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
		f.names = append(f.names, findName{w.Text, w})
	case "-regex", "-iregex":
		f.names = append(f.names, findName{nameOfRegexp(w.Text, true), w})
	}
}

// negated reports whether the test follows a !, or in parentheses that do.
func (f *findCall) negated() bool { return f.not || slices.Contains(f.nots, true) }

// prunes reports a -prune from an index on to the end of the alternative.
func (f *findCall) prunes(from int) bool {
	for i := from; i < len(f.c.Argv); i++ {
		switch f.c.Argv[i].Text {
		case "-o", "-or", ",":
			return false
		case "-prune":
			return true
		}
	}
	return false
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

// findLeading reports the options that come before the paths.
func findLeading(w *shell.Word) bool {
	t := w.Text
	if !w.Known || len(t) < 2 || t[0] != '-' {
		return false
	}
	return shell.Among("-D -f --", t) || strings.HasPrefix(t, "-O") && len(t) == 3 || strings.Trim(t[1:], "HLPEXdsx") == ""
}

func findExpression(w *shell.Word) bool {
	switch lit := shell.LiteralPrefix(w); lit {
	case "-":
		return false
	case "(", "!", ")", ",":
		return true
	case "":
		return !w.Known
	default:
		return strings.HasPrefix(lit, "-")
	}
}

// token reads one test or action and returns the position of the next.
func (f *findCall) token(i int) int {
	c, w := f.c, &f.c.Argv[i]
	value := func() *shell.Word {
		if i+1 < len(c.Argv) {
			c.Facts.valueAt = append(c.Facts.valueAt, i+1)
			return &c.Argv[i+1]
		}
		return &shell.Word{}
	}
	if !w.Known {
		c.Narrow("a word only known at run time could be an action such as -exec or -delete")
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
		c.writeExtra(named(value()))
		c.Narrow(t + " writes a file")
		return i + 2
	case "-fprintf":
		c.writeExtra(named(value()))
		c.Narrow(t + " writes a file")
		return i + 3
	case "-files0-from", "--files0-from":
		c.touch(shell.Read, value(), false)
		c.Facts.Code = true
		return i + 2
	case "-newer", "-anewer", "-cnewer", "-mnewer", "-samefile":
		c.touch(shell.Read, value(), false)
		return i + 2
	case "-depth":
		if i+1 < len(c.Argv) && c.Argv[i+1].Known && strings.Trim(c.Argv[i+1].Text, "+-0123456789") == "" {
			return i + 2
		}
	default:
		if FindTakesValue(t) {
			value()
			return i + 2
		}
		if len(t) > 1 && t[0] == '-' && !findAlone(t) {
			c.Narrow("an unknown action could run or write something: " + t)
			c.Disprove("")
		}
	}
	return i + 1
}

// findAlone reports the tests, actions and options without a value that write nothing.
func findAlone(t string) bool {
	const alone = "-print -print0 -printx -ls -prune -quit -true -false -empty -readable -writable -executable " +
		"-daystart -follow -mount -xdev -x -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race " +
		"-nouser -nogroup -not -a -and -o -or -s -d -H -L -P -E -X -f -help --help -version --version -acl " +
		"-xattr -sparse -depth --"
	return shell.Among(alone, t) || strings.HasPrefix(t, "-O") || strings.Trim(t[1:], "HLPEXdsx") == ""
}

// FindTakesValue reports whether a test or option of find takes the next word.
func FindTakesValue(t string) bool {
	const valued = "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype " +
		"-type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -Bmin -Btime -maxdepth -mindepth -perm " +
		"-user -group -uid -gid -fstype -links -inum -printf -used -context -flags -xattrname"
	return shell.Among(valued, t) || strings.HasPrefix(t, "-newer") && len(t) == len("-newerXY")
}

// endsInDots reports whether a path ends in . or .., so that it is a folder.
func endsInDots(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	return last == "." || last == ".."
}

// exec reads the command of -exec up to ; or +. What is found lies below the
// path the search started from, so that it can be an option only when that can.
func (f *findCall) exec(i int) int {
	c, start := f.c, ""
	switch dir := strings.HasSuffix(c.Argv[i].Text, "dir"); {
	case dir, len(f.paths) == 0:
		start = "./"
	case len(f.paths) == 1 && f.paths[0].Known:
		if start = f.paths[0].Text; endsInDots(start) {
			start += "/" // a folder: nothing found is called .x
		}
	}
	in, list := Inner{Kind: InnerArgv, Via: "find"}, f.listing()
	if strings.HasSuffix(c.Argv[i].Text, "dir") {
		in.Dir = new(shell.Hole("", &c.Argv[i]))
	}
	k := i + 1
	for ; k < len(c.Argv); k++ {
		w := c.Argv[k]
		if w.Known && w.Text == "+" && k > i+1 && c.Argv[k-1].Text == "{}" { // as many as there are
			in.Argv = append(in.Argv, in.Argv[len(in.Argv)-1])
			break
		}
		if w.Known && w.Text == ";" {
			break
		}
		if strings.Contains(w.Text, "{}") && w.Known {
			if w.Text == "{}" {
				if w = shell.Hole(start, &w); !strings.HasSuffix(c.Argv[i].Text, "dir") {
					w.List = list
				}
			} else {
				w = shell.Word{Text: strings.ReplaceAll(w.Text, "{}", start+shell.HoleMark), Single: true, Quoted: true, Span: w.Span}
			}
		}
		in.Argv = append(in.Argv, w)
	}
	c.runs(in)
	return k + 1
}

// refineFd reads fd's pattern and paths, and the command of -x and -X, up to ;.
func refineFd(c *Invocation) {
	end := len(c.Argv)
	for i := range c.Opts {
		switch c.Opts[i].Name {
		case "x", "X", "exec", "exec-batch":
			end = min(end, c.Opts[i].at)
		}
	}
	c.Recursive = true
	var paths []int
	for n, i := range c.Operands {
		if n > 0 && i < end {
			paths = append(paths, i)
		}
	}
	if !c.Has("search-path") {
		c.readOperands(paths)
	}
	c.fdLooks(end)
	if end == len(c.Argv) {
		return
	}
	first := c.Argv[end].Text
	if !strings.HasSuffix(strings.ToLower(first), "x") && !shell.Among("--exec --exec-batch", first) {
		c.Narrow("the rest of the word is a command or the start of one")
	}
	in, placed := Inner{Kind: InnerArgv, Via: "fd"}, false
	for k := end + 1; k < len(c.Argv) && c.Argv[k].Text != ";"; k++ {
		arg := c.Argv[k]
		if arg.Known && strings.HasPrefix(arg.Text, "{") && strings.HasSuffix(arg.Text, "}") {
			if arg, placed = shell.Hole("", &arg), true; !strings.HasSuffix(first, "x") && first != "--exec" {
				in.Argv = append(in.Argv, arg) // of a batch as many as there are
			}
		}
		in.Argv = append(in.Argv, arg)
	}
	in.More = !placed
	c.runs(in)
}

// fdLooks says which names fd looks for; without -H none that starts with a dot.
func (c *Invocation) fdLooks(end int) {
	hidden := c.Has("H", "hidden", "u", "unrestricted")
	if w := c.Operand(0); w != nil && w.Known && c.Operands[0] < end {
		if pattern := c.fdPattern(w.Text); hidden || !strings.HasPrefix(pattern, ".") {
			c.looks(pattern, hidden, w)
		}
	}
	for u := range c.options() {
		if (u.Name == "e" || u.Name == "extension") && u.Value.Known {
			c.looks("*."+shell.EscapeGlob(u.Value.Text), hidden, &u.Value)
		}
	}
}

// fdPattern is the pattern for names that fd's first operand means.
func (c *Invocation) fdPattern(text string) string {
	switch {
	case c.Has("g", "glob"):
		return text
	case c.Has("F", "fixed-strings"):
		return "*" + shell.EscapeGlob(text) + "*"
	}
	return nameOfRegexp(text, false)
}

// A lister is a program that prints the names of files it finds, a line each. Options that are not in its literal may
// print something else, or follow symlinks.
type lister struct {
	names   string // "git ls-files" with its subcommand
	needs   string // one of these has to be there, "" for none
	null    string // with one of these a NUL ends a name
	options string
	pattern bool // the first operand is what it looks for, but with spares
	spares  string
	list    shell.Listing
}

// listers are those but find, which has an expression.
var listers = [...]lister{
	{
		names: "rg", needs: "l files-with-matches files files-without-match", null: "0 null", pattern: true, spares: "e regexp files",
		options: "i w F v S n s smart-case ignore-case fixed-strings word-regexp . hidden no-ignore u g glob t type e regexp",
		list:    shell.Listing{Files: true},
	},
	{
		names: "grep", needs: "l L files-with-matches files-without-match", null: "Z null", pattern: true, spares: "e regexp",
		options: "r recursive E F P G i w n s I v x extended-regexp fixed-strings ignore-case word-regexp e regexp " +
			"include exclude exclude-dir",
		list: shell.Listing{Files: true},
	},
	{
		names: "fd", null: "0 print0", pattern: true,
		options: "I u H hidden no-ignore g glob i s F fixed-strings e extension t type E exclude d max-depth",
	},
	{names: "git ls-files", null: "z", options: "c cached m modified exclude-standard", list: shell.Listing{Tracked: true}},
	{names: "git diff", needs: "name-only", null: "z", options: "diff-filter", list: shell.Listing{Tracked: true, Top: true}},
	{names: "ls", options: "1 A r t S U", list: shell.Listing{Flat: true}},
}

// findActions are the actions of find: what follows the first one leaves nothing of that out.
const findActions = "-print -print0 -delete -exec -execdir -ok -okdir -ls -printf -fprint -fprint0 -fprintf -fls"

// findFiles are tests that compare with a file.
const findFiles = "-anewer -cnewer -mnewer -samefile"

// findActs reports whether find has another action than some.
func (c *Invocation) findActs(but string) bool {
	other := func(w shell.Word) bool { return shell.Among(findActions, w.Text) && !shell.Among(but, w.Text) }
	return slices.ContainsFunc(c.Argv, other)
}

// Lists is what a call prints that names nothing but files it finds; nil for any other.
func (c *Invocation) Lists() *shell.Listing {
	if c.Cmd == nil || c.Cwd == nil || len(c.Cwd.Dirs) != 1 || c.Folded {
		return nil
	}
	name := strings.Join(append([]string{TableName(ProgramName(c.Argv))}, c.Subs...), " ")
	if null := !c.findActs("-print0") && c.findActs(""); name == "find" && (null || !c.findActs("-print")) {
		f, _ := c.finding()
		l := f.listing()
		if l != nil {
			l.Null = null
		}
		return l
	}
	for i := range listers {
		if l := &listers[i]; l.names == name {
			return l.of(c)
		}
	}
	return nil
}

// Deletes is what find deletes by itself, where it does nothing else; nil for any other call.
func (c *Invocation) Deletes() *shell.Listing {
	if c == nil || c.Cmd == nil || c.Cmd.Name() != "find" || c.Folded {
		return nil
	}
	if c.findActs("-delete") || !c.findActs("") {
		return nil
	}
	f, _ := c.finding()
	return f.listing()
}

// of is what a call of a lister finds, nil where that is not known.
func (l *lister) of(c *Invocation) *shell.Listing {
	has := func(options string) bool { return options != "" && c.Has(strings.Fields(options)...) }
	known := l.options + " " + l.needs + " " + l.null
	odd := func(u Used) bool { return !shell.Among(known, u.Name) || u.Given && !u.Value.Known }
	if !c.Understood() || c.DashDash > 0 || l.needs != "" && !has(l.needs) {
		return nil
	}
	list, starts := l.list, c.Operands
	list.Dir, list.Null = c.Cwd.Dirs[0], has(l.null)
	if o := c.Option("include"); o != nil && !strings.Contains(o.Value.Text, "/") { // it alone says which names
		other := func(u Used) bool { return u.Name == "exclude" || u.Name == o.Name && u.Value.Text != o.Value.Text }
		if !slices.ContainsFunc(c.Opts, other) {
			list.Name = o.Value.Text
		}
	}
	if l.pattern && len(starts) > 0 && !has(l.spares) {
		starts = starts[1:]
	}
	alone := list.Flat || list.Top
	elsewhere := alone && len(starts) > 0 || list.Tracked && c.subAt() != 1
	if elsewhere || slices.ContainsFunc(c.Opts, odd) {
		return nil
	}
	for _, i := range starts {
		start := c.Argv[i].Text
		switch {
		case !list.Tracked:
			list.Starts = append(list.Starts, start)
		case strings.Contains(start, "..") || start == "" || start[0] == ':' || start[0] == '/': // else it is less
			return nil
		}
	}
	return &list
}

// listing is what find finds, or more than that; nil where it may follow symlinks, or is not understood.
func (f *findCall) listing() *shell.Listing {
	c, plain := f.c, true // each test has to hold
	if f.led || c.Cwd == nil || len(c.Cwd.Dirs) != 1 {
		return nil
	}
	l := &shell.Listing{Dir: c.Cwd.Dirs[0]}
	for i := range f.paths {
		l.Starts = append(l.Starts, f.paths[i].Text)
	}
	acted := false // what follows may be words of what it runs
	for i := range c.Argv {
		w := &c.Argv[i]
		acted = acted || shell.Among(findActions, w.Text)
		switch {
		case !w.Known, shell.Among("-follow -files0-from", w.Text), i > 0 && !acted && !findWord(w.Text):
			return nil
		case shell.Among("-o -or , ! -not ( )", w.Text):
			plain = false
		}
	}
	for i := 1; plain && i+1 < len(c.Argv) && !shell.Among(findActions, c.Argv[i].Text); i++ {
		test, value := c.Argv[i].Text, c.Argv[i+1].Text
		switch test {
		case "-name":
			l.Name = value
		case "-type":
			l.Files, l.Folders = value == "f", value == "d"
		}
		if FindTakesValue(test) || shell.Among(findFiles, test) {
			i++
		}
	}
	return l
}

// findWord reports whether a word is no test or action of find, or one that is known.
func findWord(t string) bool {
	known := FindTakesValue(t) || shell.Among(findActions+" "+findFiles, t)
	return len(t) < 2 || t[0] != '-' || known || findAlone(t)
}

// lineFilters are the programs that print some of the lines they read, each as it is, with the options of that.
var lineFilters = [...]struct {
	names, options string
	operands       int
}{
	{"sort", "u r n f V unique reverse numeric-sort", 0}, {"uniq", "", 0}, {"head", "n lines 1 2 3 4 5 6 7 8 9 0", 0}, {"tail", "n lines", 0},
	{"grep", "v E F i w x P invert-match extended-regexp fixed-strings ignore-case", 1},
}

// FiltersLines reports whether a call is one of lineFilters, of its standard input.
func FiltersLines(c *Invocation) bool {
	for _, f := range lineFilters {
		if c.Cmd != nil && f.names == TableName(ProgramName(c.Argv)) {
			odd := func(u Used) bool { return !shell.Among(f.options, u.Name) }
			return c.Understood() && len(c.Operands) == f.operands && !slices.ContainsFunc(c.Opts, odd)
		}
	}
	return false
}
