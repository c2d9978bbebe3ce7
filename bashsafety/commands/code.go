package commands

import (
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

var nodeOpts = []Opt{{"-ep eval print", HasArg, 0}, {"-r require import", HasArg, 0}, {"run", HasArg, 0}, {"env-file", HasArg, Reads}}

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
		{"-c cmd remote-expr remote-send", HasArg, ObeysValue}, {"-Su startuptime servername listen", HasArg, Unsafe}, {"-w", HasArg, WritesValue},
		{"-il", HasArg, Unsafe}, {"-s", OptArg, 0},
	}
	nanoOpts = []Opt{{"-s", OptArg, 0}, {"-e", HasArg, Unsafe}, {"speller", HasArg, Executes}, {"-c config command eval", HasArg, ObeysValue}}
)

const readsCommands = "it reads commands that can run others"

var editorScript = Form{"-s", Narrows, "-s names a script, or a program"}

// codeCommands are the interpreters of other languages, and editors. To
// allow one is to allow any program; what is looked for is shell text inside.
var codeCommands = []Command{
	{
		Names: "node nodejs", Special: &Special{Scripts: &ScriptRunner{Name: "npm", words: nodeScripts}, Project: &Running{By: RunsFile}}, Title: "runs JavaScript", Style: StopAtOperand, Flags: nodeFlags, Values: nodeValues,
		Opts: nodeOpts, Forms: []Form{{"-e|--eval|-p|--print|-i|--interactive|--inspect|--inspect-brk", Unbinds, ""}, {"--check|-c", Proves, ""}}, refine: refineNode, InfoFlags: "-v --version -h --help",
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
		Values: scriptValues + "dR", OptValues: "-iD", Opts: scriptOpts, refine: refinePhp,
	},
	{
		Names: "lua osascript Rscript tclsh guile julia swift groovy elixir", InfoFlags: "-v --version -h --help", Title: "runs a script", Style: StopAtOperand,
		Flags: "-afhlnpqsStTuUvwWxX0123456789", Values: scriptValues + "d", OptValues: "-iD", Opts: []Opt{{"-ceE eval", HasArg, 0}}, refine: refineCode,
	},
	{
		Names: "python pypy", Special: &Special{Project: &Running{By: RunsFile | RunsInner}}, Title: "runs Python", Style: StopAtOperand, Flags: "-bBdEhiIOPqRsSuvVx",
		Values: "-WX check-hash-based-pycs", Opts: []Opt{{"-c", HasArg, 0}, {"-m", HasArg, 0}}, Forms: []Form{{"-c", Unbinds, ""}, {"-m !-c", Proves, ""}},
		refine: refinePython, InfoFlags: "--version -V -VV -h --help --help-all --help-env --help-xoptions",
	},
	{
		Names: "ex", InfoFlags: "--version --help -h", Title: "edits files", Flags: viFlags, Values: viValues, Opts: viOpts,
		Forms: []Form{{"", Narrows, readsCommands}, editorScript}, refine: refineEditor,
		Special: &Special{Language: editorText, Stdin: &StdinProgram{Unless: "-h version help", DashIsData: true, Operands: NoLimit}},
	},
	{
		Names: "nvim rview vi view vim vimdiff", InfoFlags: "--version --help -h", Title: "edits files",
		Flags: viFlags, Values: viValues, Opts: viOpts, Forms: []Form{editorScript, {"-e", Narrows, readsCommands}}, refine: refineEditor,
		Special: &Special{Language: editorText, Stdin: &StdinProgram{
			// not from a terminal it is read like keys typed
			Unless: "-h version help", DashIsData: true, Operands: NoLimit,
		}},
	},
	{
		Names: "emacs emacsclient mg jed", Title: "edits files", Style: SingleDash,
		Flags: "nw no-window-system Q quick q no-init-file nl daemon fg-daemon version help n no-wait c create-frame r batch",
		Opts: []Opt{
			{"eval e execute f funcall", HasArg, ObeysValue}, {"l load script x u user L directory insert", HasArg, Unsafe},
			{"a alternate-editor", HasArg, Executes},
		},
		refine: refineEditor,
	},
	{
		Names: "ed", InfoFlags: "--version -v --help -h", Title: "edits files", Flags: nanoFlags, Values: nanoValues,
		Opts: nanoOpts, Forms: []Form{{"", Narrows, readsCommands}, editorScript}, refine: refineEditor,
		Special: &Special{Language: editorText, Stdin: &StdinProgram{Unless: "version help", Operands: NoLimit}},
	},
	{
		Names: "nano pico micro hx code subl joe kak ne", InfoFlags: "--version -v --help -h", Title: "edits files",
		Flags: nanoFlags, Values: nanoValues, Opts: nanoOpts, Forms: []Form{editorScript}, refine: refineEditor, Special: &Special{Language: editorText},
	},
	{
		Names: "man", AllOptionsListed: true, Title: "shows manual pages",
		Flags: "-aDdfhiIkKtVwWZ7c all apropos whatis where where-cat path location debug default regex wildcard names-only no-subpages " +
			"no-hyphenation no-justification global-apropos ignore-case match-case help version usage ascii catman",
		Values:    "-eELMmpRSsx manpath locale sections extension systems preprocessor encoding recode",
		OptValues: "-TX troff-device warnings",
		Opts: []Opt{
			{"-P pager", HasArg, Executes}, {"-r prompt", HasArg, Unsafe}, {"-H html gxditview", OptArg, Executes}, {"-BC config-file", HasArg, Unsafe}, {"-l local-file", NoArg, 0}, {"-u update", NoArg, Changes},
		},
		ReadOnly: true, Forms: []Form{{"-l|--local-file FILE...", Reads, ""}, {"FILE...:*/*", Reads, ""}},
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
	if c.inlineOptions("c e E p eval print") || c.Has("run") {
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
	if !c.inlineOptions("c e E p r R B eval print") {
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
			c.ProgramText(name+" -pe", w)
		} else {
			c.ProgramText(name+" -"+u.Name, &u.Value)
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
		c.givenCode(c.Operands[0])
	}
}

// refineEditor looks at the commands in options and operands, +TEXT, and writes the other operands.
func refineEditor(c *Invocation) {
	for u := range c.options() {
		c.Facts.Code = c.Facts.Code || u.Given
		if w := c.Operand(0); w != nil && u.Name == "s" && u.Given && u.Value.Text == "c" { // ex -sc TEXT
			c.ProgramText(ProgramName(c.Argv)+" -c", w)
		}
	}
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

// editorText shows what a command of an editor runs: behind ! wherever that is, and in functions.
func editorText(c *Invocation, text *shell.Word) {
	known := len(c.Facts.Inner)
	c.ProgramText(ProgramName(c.Argv), text)
	if _, command, ok := strings.Cut(text.Text, "!"); ok && len(c.Facts.Inner) == known {
		c.scan("!", command, text)
	}
}
