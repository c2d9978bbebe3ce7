package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// nodeFlags, nodeValues and nodeOpts are shared by the programs that run as node does.
const (
	nodeFlags = "-chivA check interactive version help no-warnings trace-warnings enable-source-maps " +
		"experimental-strip-types inspect inspect-brk test watch allow-all allow-read allow-net allow-write " +
		"allow-env allow-run quiet unstable no-check"
	nodeValues = "input-type conditions title max-old-space-size -C loader experimental-loader config"
)

var nodeOpts = []Opt{{"-ep eval print", HasArg, 0}, {"-r require import", HasArg, 0}, {"env-file", HasArg, ReadsValue}}

// scriptFlags, scriptValues and scriptOpts are shared by the other languages.
const (
	scriptFlags  = "-acfhlnpqsStTuUvwWxX0123456789"
	scriptValues = "-mMCFIzBr"
)

var scriptOpts = []Opt{{"-eE eval", HasArg, 0}}

// viFlags, viValues and viOpts are shared by the names of vi; nanoFlags,
// nanoValues and nanoOpts by smaller editors.
const (
	viFlags    = "-bdDeEfgHILmMnNRrvVxXyYZAh headless clean noplugin not-a-term help version"
	viValues   = "-TtqWUp"
	nanoFlags  = "-bdDEgHiILmMnNRrvVxXyYZAhSw"
	nanoValues = "-TtqU"
)

var (
	viOpts = []Opt{
		{"-cSu cmd startuptime remote-expr remote-send servername listen", HasArg, Unsafe}, {"-w", HasArg, WritesValue},
		{"-il", HasArg, Unsafe}, {"-s", OptArg, 0},
	}
	nanoOpts = []Opt{{"-s", OptArg, 0}, {"-e", HasArg, Unsafe}, {"-c config command eval speller", HasArg, Unsafe}}
)

// codeCommands are the interpreters of other languages, and editors. To
// allow one is to allow any program; what is looked for is shell text inside.
var codeCommands = []Command{
	{
		Names: "node nodejs", Special: &Special{Project: &Running{By: RunsFile, Not: "e eval p print i interactive inspect inspect-brk inspect-wait inspect-port"}}, Title: "runs JavaScript", Style: StopAtOperand, Flags: nodeFlags, Values: nodeValues,
		Opts: nodeOpts, Reading: &Reading{If: "check c"}, refine: refineNode, InfoFlags: "-v --version -h --help",
	},
	{
		Names: "tsx ts-node", Title: "runs JavaScript", Style: StopAtOperand, Flags: nodeFlags, Values: nodeValues,
		Opts: nodeOpts, refine: refineCode, InfoFlags: "-v --version -h --help",
	},
	{
		Names: "perl ruby", InfoFlags: "-v --version -h --help", Title: "runs a script", Style: StopAtOperand,
		Flags: scriptFlags, Values: scriptValues, OptValues: "-iDd", Opts: scriptOpts, refine: refinePerl,
	},
	{
		Names: "php", InfoFlags: "-v --version -h --help", Title: "runs a script", Style: StopAtOperand, Flags: scriptFlags,
		Values: scriptValues + "d", OptValues: "-iD", Opts: scriptOpts, refine: refinePhp,
	},
	{
		Names: "lua osascript Rscript tclsh guile julia swift groovy elixir", InfoFlags: "-v --version -h --help", Title: "runs a script", Style: StopAtOperand,
		Flags: scriptFlags, Values: scriptValues + "d", OptValues: "-iD", Opts: scriptOpts, refine: refineCode,
	},
	{
		Names: "python pypy", Special: &Special{Project: &Running{By: RunsFile | RunsInner, Not: "c"}}, Title: "runs Python", Style: StopAtOperand, Flags: "-bBdEhiIOPqRsSuvVx",
		Values: "-WX check-hash-based-pycs", Opts: []Opt{{"-c", HasArg, 0}, {"-m", HasArg, 0}}, Reading: &Reading{If: "m", Unless: "c"},
		refine: refinePython, InfoFlags: "--version -V -VV -h --help --help-all --help-env --help-xoptions",
	},
	{
		Names: "ex", InfoFlags: "--version --help -h", Title: "edits files", Flags: viFlags, Values: viValues, Opts: viOpts,
		refine:  refineEx,
		Special: &Special{Stdin: &StdinProgram{Unless: "-h version help", DashIsData: true, Operands: NoLimit}},
	},
	{
		Names: "nvim rview vi view vim vimdiff", InfoFlags: "--version --help -h", Title: "edits files",
		Flags: viFlags, Values: viValues, Opts: viOpts, refine: refineVi,
		Special: &Special{Stdin: &StdinProgram{
			// not from a terminal it is read like keys typed
			Unless: "-h version help", DashIsData: true, Operands: NoLimit,
		}},
	},
	{
		Names: "emacs emacsclient mg jed", Title: "edits files", Style: SingleDash,
		Flags: "nw no-window-system Q quick q no-init-file nl daemon fg-daemon version help n no-wait c create-frame r batch",
		Opts: []Opt{
			{"l load eval e execute f funcall script x u user L directory insert", HasArg, Unsafe},
			{"a alternate-editor", HasArg, Executes},
		},
		refine: refineEditor,
	},
	{
		Names: "ed", InfoFlags: "--version -v --help -h", Title: "edits files", Flags: nanoFlags, Values: nanoValues,
		Opts: nanoOpts, refine: refineEx,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help", Operands: NoLimit}},
	},
	{
		Names: "nano pico micro hx code subl joe kak ne", InfoFlags: "--version -v --help -h", Title: "edits files",
		Flags: nanoFlags, Values: nanoValues, Opts: nanoOpts, refine: refineEditor,
	},
	{
		Names: "man", AllOptionsListed: true, Title: "shows manual pages",
		Flags: "-aDdfhiIkKtVwWZ7c all apropos whatis where where-cat path location debug default regex wildcard names-only no-subpages " +
			"no-hyphenation no-justification global-apropos ignore-case match-case help version usage ascii catman",
		Values:    "-eELMmpRSsPx manpath locale sections extension systems preprocessor encoding recode",
		OptValues: "-TX troff-device warnings",
		Opts: []Opt{
			{"pager", HasArg, Executes}, {"-r prompt", HasArg, Unsafe}, {"-H html gxditview", OptArg, Executes}, {"-BC config-file", HasArg, Unsafe}, {"-l local-file", NoArg, 0}, {"-u update", NoArg, Changes},
		},
		ReadOnly: true, refine: refineMan,
	},
}

// refineCode finds inline code, a script, or a program on standard input.
func refineCode(c *Invocation) {
	if !c.inlineOptions("c e E p eval print") {
		c.runsScript()
	}
}

// refineNode: --check alone looks at nothing but the syntax.
func refineNode(c *Invocation) {
	if c.inlineOptions("c e E p eval print") {
		c.Disprove("")
		return
	}
	if w := c.Operand(0); w != nil && c.Has("check", "c") && w.Text != "-" && !standardInput(w) {
		if c.read(w); len(c.Opts) > 1 {
			c.Disprove("")
		}
		return
	}
	c.Disprove("")
	c.runsScript()
}

// refinePhp: -r is code.
func refinePhp(c *Invocation) {
	if !c.inlineOptions("c e E p r eval print") {
		c.runsScript()
	}
}

// refinePerl is perl and ruby: with -n and -p they read files, with -i they write them.
func refinePerl(c *Invocation) {
	switch {
	case !c.inlineOptions("c e E p eval print"):
		c.runsScript()
	case c.Has("n", "p", "i"):
		c.inPlace = c.Has("i")
		c.readOperands(c.Operands)
	}
}

// refinePython: what follows -m belongs to the module it names.
func refinePython(c *Invocation) {
	for u := range c.options() {
		switch {
		case !u.Given:
		case u.Name == "m":
			pythonModule(c, u)
			return
		case u.Name == "c":
			refineCode(c)
			return
		}
	}
	c.Disprove("") // -m without a module
	refineCode(c)
}

// inlineOptions reads the code that options hold; it reports whether they name
// what is run, so that no operand does.
func (c *Invocation) inlineOptions(options string) (inline bool) {
	name := ProgramName(c.Argv)
	for u := range c.options() {
		if u.Name == "m" {
			inline = true
		}
		if !u.Given || !shell.Listed(options, u.Name) {
			continue
		}
		inline = true
		if w := c.Operand(0); w != nil && u.Name == "p" && u.Value.Text == "e" { // node -pe CODE
			c.inlineCode(name+" -pe", w)
		} else {
			c.inlineCode(name+" -"+u.Name, &u.Value)
		}
	}
	return inline
}

// runsScript runs the first operand, or standard input.
func (c *Invocation) runsScript() {
	w := c.Operand(0)
	switch {
	case w == nil && (c.Has("v", "V", "version", "h", "help") || len(c.Unknown) > 0):
	case w == nil || w.Known && w.Text == "-" || standardInput(w):
		c.runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
	default:
		c.execute(w)
	}
}

// ForeignCode finds the same in a program on standard input.
func ForeignCode(argv []shell.Word, text *shell.Word, cwd *shell.CwdState, home string) Facts {
	c := Invocation{Argv: argv, Cwd: cwd, Home: home}
	if text.Known {
		c.inlineCode(ProgramName(argv), text)
	}
	return c.Facts
}

// inlineCode finds the strings that code hands to a shell or runs as a program.
func (c *Invocation) inlineCode(via string, code *shell.Word) {
	s := code.Text
	c.Facts.Code, c.code = true, s
	backticks := shell.StartsWithAny(via, "ruby", "perl", "php")
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '`' && backticks:
			if end := strings.IndexByte(s[i+1:], '`'); end >= 0 {
				c.codeText(via, s[i+1:i+1+end], code)
				i += end + 1
			}
		case i > 0 && shell.NameByte(s[i-1]):
		case strings.HasPrefix(s[i:], "shell script ") && strings.HasPrefix(via, "osascript"):
			c.codeCall(via, s[i+len("shell script "):], code)
		default:
			i += max(0, c.codeName(via, s, i, code)-1)
		}
	}
}

// codeName reads the call, if there is one, of the name that starts at an index of
// the code; it returns the length of the name, 0 for any other.
func (c *Invocation) codeName(via, s string, i int, code *shell.Word) int {
	if text, rest, ok := CodeString(s[i:]); ok && shell.StartsWithAny(rest, ".execute", ".!", " !") && s[i] != '`' {
		c.codeText(via, text, code) // Groovy's "rm x".execute(), Scala's "rm x".!
	} else if ok && strings.HasPrefix(rest, ").deleteDir") {
		c.codeRemoves(via, s[i:], code)
	}
	if n := runnerName(s[i:]); n > 0 {
		if !strings.HasPrefix(via, "python") || !handsStatement(s[i:]) {
			c.codeCall(via, s[i+n:], code)
		}
		return n
	}
	n := removerName(s[i:], i > 0 && s[i-1] == '.')
	if n > 0 {
		c.codeRemoves(via, s[i+n:], code)
		return n
	}
	c.codeWrites(s[:i], s[i:], code)
	return 0
}

// handsStatement reports whether a call of Python hands a database a statement (PEP 249): nothing of that name in its
// library starts a program.
func handsStatement(s string) bool {
	arguments, ok := strings.CutPrefix(s, "execute(")
	text, _, quoted := CodeString(strings.TrimLeft(arguments, " \t\n"))
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(text, " \t\n")), " ")
	return ok && quoted && shell.Listed("select insert update delete create alter drop with pragma replace explain", verb)
}

// runnerName returns the length of the name at the start of s when it is one of
// the functions that start programs.
func runnerName(s string) int {
	for _, f := range [...]string{"shell-command-to-string", "async-shell-command", "shell-command", "call-process-shell-command", "call-process", "start-process", "run-shell-command", "run-program", "process-lines"} {
		if strings.HasPrefix(s, f) { // names of Lisp hold dashes
			return len(f)
		}
	}
	n := shell.WordLength(s, shell.NameByte)
	switch s[:n] {
	case "system", "popen", "Popen", "run", "call", "check_call", "check_output", "getoutput",
		"getstatusoutput", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "shell_exec",
		"passthru", "proc_open", "execl", "execlp", "execv", "execvp", "qx", "Command", "sh", "doShellScript",
		"execute", "shell", "cmd", "callCommand", "runCommand", "readProcess", "system2", "unix", "dos",
		"subprocess", "Process":
		return n
	}
	return 0
}

// codeCall reads the literal arguments after a function name: a string is shell
// text, strings in a row or in brackets are an argv.
func (c *Invocation) codeCall(via, s string, at *shell.Word) {
	s = strings.TrimLeft(s, " \t\n(")
	list := strings.HasPrefix(s, "[")
	s = strings.TrimLeft(s, "[ \t\n")
	var words []shell.Word
	if q, ok := strings.CutPrefix(s, "qw"); ok && len(q) > 1 { // perl's list of words
		text, _, _ := strings.Cut(q[1:], shell.Closing(q[:1]))
		for f := range strings.FieldsSeq(text) {
			words = append(words, shell.Literal(f, at))
		}
		list = true
	}
	for {
		text, rest, ok := CodeString(s)
		if !ok {
			break
		}
		words = append(words, shell.Literal(text, at))
		s = strings.TrimLeft(rest, " \t\n")
		if !strings.HasPrefix(s, ",") {
			break
		}
		s = strings.TrimLeft(s[1:], " \t\n")
		if t, ok := strings.CutPrefix(strings.TrimLeft(s, "{ \t\n"), "args:"); ok { // Deno.Command("x", {args: [...]})
			s = strings.TrimLeft(t, " \t\n")
		}
		if strings.HasPrefix(s, "[") {
			list = true
			s = strings.TrimLeft(s, "[ \t\n")
		}
	}
	switch {
	case len(words) == 0:
	case len(words) == 1 && !list:
		c.codeText(via, words[0].Text, at)
	default:
		c.within(Inner{Kind: InnerArgv, Via: via, Argv: words})
	}
}

func (c *Invocation) codeText(via, text string, at *shell.Word) {
	if strings.TrimSpace(text) != "" {
		c.within(Inner{Kind: InnerText, Via: via, Text: shell.Literal(text, at)})
	}
}

// CodeString reads one quoted string.
func CodeString(s string) (text, rest string, ok bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "r"), "f")
	if s == "" || strings.IndexByte("'\"`", s[0]) < 0 {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == s[0]:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// refineEditor: +commands run at start.
func refineEditor(c *Invocation) {
	c.editorOptions()
	if c.Has("s") {
		c.Narrow("-s names a script, or a program")
	}
	c.edits()
}

// refineEx: ed, and ex under every name, read commands.
func refineEx(c *Invocation) {
	c.editorOptions()
	c.Narrow("it reads commands that can run others")
	c.edits()
}

// refineVi: with -e it is ex.
func refineVi(c *Invocation) {
	if c.Has("e") {
		refineEx(c)
	} else {
		refineEditor(c)
	}
}

// editorOptions looks at the commands that options hold.
func (c *Invocation) editorOptions() {
	for u := range c.options() {
		c.Facts.Code = c.Facts.Code || u.Given
		if _, text, ok := strings.Cut(u.Value.Text, "!"); ok {
			c.scan("!", text, &u.Value)
		}
		if u.Given && u.Value.Known {
			c.inlineCode(ProgramName(c.Argv)+" "+c.spell(u), &u.Value)
		}
		if w := c.Operand(0); w != nil && u.Name == "s" && u.Given && u.Value.Text == "c" { // ex -sc TEXT
			c.ProgramText(ProgramName(c.Argv)+" -c", w)
		}
	}
}

// edits writes the operands that are no commands.
func (c *Invocation) edits() {
	for _, w := range c.operands() {
		if strings.HasPrefix(w.Text, "+") {
			c.Narrow("+ runs a command of the editor")
			c.Facts.Code = true
			c.ProgramText(ProgramName(c.Argv)+" +", new(shell.Suffix(w, 1)))
			continue
		}
		c.write(w)
	}
}

func refineMan(c *Invocation) {
	if o := c.Option("P"); o != nil {
		c.Narrow("-P runs a command")
		c.scan("-P", o.Value.Text, &o.Value)
	}
	for _, i := range c.Operands {
		if c.Has("l", "local-file") || strings.Contains(c.Argv[i].Text, "/") {
			c.readOperands([]int{i})
		}
	}
}

// codeRemoves finds a function that deletes the root, a system directory or a home, or what is
// neither below the working directory nor temporary; s follows its name. The checks see it as rm
// of that path; other paths are left alone.
func (c *Invocation) codeRemoves(via, s string, at *shell.Word) {
	path, rest, ok := c.codePath(strings.TrimPrefix(strings.TrimLeft(s, " \t\n(!"), "atPath: "))
	if ok && (argumentEnds(rest) || strings.HasPrefix(via, "emacs")) {
		c.removes(via, path, at)
	}
}

// removes shows the removal of a tree as rm of it, where the tree is not below the working directory.
func (c *Invocation) removes(via, path string, at *shell.Word) {
	for _, e := range shell.EffectsOf(shell.Delete, new(shell.Literal(path, at)), c.Cwd) {
		outside := !shell.StartsWithAny(e.Path, "/tmp/", "/var/tmp/", "/private/tmp/") && !c.belowHere(e.Path)
		if strings.HasPrefix(e.Path, "/") && (outside || shell.Ruinous(&e, c.Home)) {
			c.within(Inner{Kind: InnerArgv, Via: via, Argv: []shell.Word{shell.Literal("rm", at), shell.Literal("-rf", at), shell.Literal(path, at)}})
			return
		}
	}
}

// belowHere reports whether a path is in a folder where the command may run.
func (c *Invocation) belowHere(path string) bool {
	return c.Cwd != nil && slices.ContainsFunc(c.Cwd.Dirs, func(dir string) bool {
		return strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	})
}

// codeWriters are the functions that codeWrites looks at.
const codeWriters = "open fopen openSync write binwrite Path copy copy2 copyfile move copyFile copyFileSync cpSync " +
	"rename renameSync replace writeFile writeFileSync appendFile appendFileSync outputFile outputFileSync " +
	"createWriteStream writeTextFile writeTextFileSync file_put_contents"

// codeWrites finds a function that writes the file its first argument names, or a method of a
// path that does; s begins with its name, which before leads to.
func (c *Invocation) codeWrites(before, s string, at *shell.Word) {
	n := shell.WordLength(s, shell.NameByte)
	if n+1 >= len(s) || s[n] != '(' && s[:n] != "Path" || !shell.Among(codeWriters, s[:n]) {
		return
	}
	path, rest, ok := c.codePath(strings.TrimLeft(s[n+1:], " \t\n"))
	writes := false
	switch s[:n] {
	case "open", "fopen", "openSync":
		if mode, more := strings.CutPrefix(rest, ","); more {
			text, _, _ := CodeString(strings.TrimPrefix(strings.TrimLeft(mode, " \t\n"), "mode="))
			writes = strings.ContainsAny(text, "wax+") && len(text) < 5
		}
	case "write", "binwrite":
		writes = strings.HasSuffix(before, "File.") || strings.HasSuffix(before, "IO.")
	case "Path":
		path, rest, ok = c.codePath(s)
		writes = shell.StartsWithAny(strings.TrimLeft(rest, " )"), ".write_", ".open('w", `.open("w`, ".open('a", `.open("a`)
	case "copy", "copy2", "copyfile", "move", "copyFile", "copyFileSync", "cpSync", "rename", "renameSync", "replace": // over another
		next, more := strings.CutPrefix(rest, ",")
		path, rest, ok = c.codePath(strings.TrimLeft(next, " \t\n"))
		of := before[strings.LastIndexAny(strings.TrimSuffix(before, "."), " \t\n;(.")+1:]
		writes = more && argumentEnds(rest) && shell.Among("os. shutil. fs. promises. Deno. FileUtils. File.", of)
	default:
		writes = argumentEnds(rest)
	}
	if ok && writes {
		c.touch(shell.Write, new(shell.Literal(path, at)), false)
	}
}

// codePath reads the path at the start of s, with the home where it is expanded; ok is false for a pattern or template.
func (c *Invocation) codePath(s string) (path, rest string, ok bool) {
	wraps, joins, expand := 0, "+/", false
	for _, wrap := range [...]string{
		"os.path.join(", "path.join(", "File.join(", "os.path.expanduser(", "File.expand_path(", "pathlib.Path(", "Path(", "str(",
	} {
		if inside, ok := strings.CutPrefix(s, wrap); ok {
			s, expand = strings.TrimLeft(inside, " \t\n"), expand || strings.Contains(wrap, "expand")
			if wraps++; strings.Contains(wrap, "join") {
				joins = ",+/"
			}
		}
	}
	if home := shell.HomeExpression(s); home > 0 {
		path, rest, expand, ok = "~", s[home:], true, true
	} else if path, rest, ok = CodeString(s); !ok {
		n := shell.WordLength(s, shell.NameByte)
		path, ok = c.codeVariable(s[:n])
		rest = s[n:]
	}
	for ok {
		for ; wraps > 0 && strings.HasPrefix(rest, ")"); wraps-- {
			rest = rest[1:]
		}
		if wraps == 0 {
			joins = "+/"
		}
		more := strings.TrimLeft(rest, " ")
		if more == "" || !strings.Contains(joins, more[:1]) {
			break
		}
		name, after, joined := CodeString(strings.TrimLeft(more[1:], " ")) // os.homedir() + '/.bashrc'
		if !joined {
			break
		}
		if more[0] != '+' {
			name = "/" + name
		}
		path, rest = path+name, after
	}
	ok = ok && !strings.ContainsAny(path, "{}$#*?\\")
	if expand && (path == "~" || strings.HasPrefix(path, "~/")) {
		path = c.Home + path[1:]
	}
	return path, rest, ok
}

// maxLookups bounds how many variables of a program text are looked up.
const maxLookups = 64

// codeVariable is the path that a variable of a program text holds, as far as it is spelled where it is set last.
func (c *Invocation) codeVariable(name string) (path string, ok bool) {
	code := c.code
	if c.lookups++; name == "" || code == "" || c.lookups > maxLookups {
		return "", false
	}
	c.code = "" // one variable of another is not followed
	for at, found := 0, 0; found >= 0; at += found + len(name) {
		if found = strings.Index(code[at:], name); found < 0 {
			break
		}
		value := strings.TrimLeft(code[at+found+len(name):], " ")
		inside := at+found > 0 && shell.NameByte(code[at+found-1])
		if set, is := strings.CutPrefix(value, "="); is && !inside && !strings.HasPrefix(set, "=") {
			path, _, ok = c.codePath(strings.TrimLeft(set, " "))
		}
	}
	c.code = code
	return path, ok
}

// argumentEnds reports whether an argument of a function ends where the rest begins.
func argumentEnds(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte("),;]\n", rest[0]) >= 0
}

// removerName returns the length of the name at the start of s when it is one of
// the functions that delete a tree. Some need to be told to: recursive.
func removerName(s string, method bool) int {
	if strings.HasPrefix(s, "delete-directory") { // names of Lisp hold dashes
		return len("delete-directory")
	}
	n := shell.WordLength(s, shell.NameByte)
	named := shell.Among("rm unlink", s[:n]) || method && shell.Among("rmSync rmdirSync remove", s[:n])
	told := named && strings.Contains(s, "recursive")
	if told || shell.Among("rmtree remove_tree rm_rf rm_r rimraf rimrafSync removeSync removeItem", s[:n]) {
		return n
	}
	return 0
}
