package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// conversions lists the letters of a format's conversions, with * for a width that is an operand.
func conversions(format string) (letters string) {
	for rest, ok := format, true; ; {
		if _, rest, ok = strings.Cut(rest, "%"); !ok {
			return letters
		}
		verb := strings.TrimLeft(rest, "#-+ 0123456789.*'")
		if strings.Contains(rest[:len(rest)-len(verb)], "*") {
			letters += "*"
		}
		letters += verb[:min(1, len(verb))]
		rest = strings.TrimPrefix(verb, "%")
	}
}

// CountsCharacters reports whether a format holds %n, flags and width between.
func CountsCharacters(format string) bool { return strings.Contains(conversions(format), "n") }

// PrintsNumbers reports whether a format has an operand that is a number.
func PrintsNumbers(format string) bool { return strings.Trim(conversions(format), "sbqcQ%") != "" }

const setsOptions = "sets options of the shell"

// Doubts of several builtins.
const (
	changesLater = "shadowed-builtin: this changes what a later word runs; write the command out"
	hiddenEval   = "hidden-eval: the shell evaluates this word a second time; use a plain name"
)

// historyOpts are shared by fc and history.
var historyOpts = []Opt{{"-e", HasArg, Unsafe}, {"-sp", NoArg, Executes}, {"-awcd", NoArg, Unsafe}}

// builtinCommands are the builtins of the shell, and the small programs that
// neither read nor write files.
var builtinCommands = []Command{
	{Names: ". source", Title: "runs a file in this shell", Style: NoOptions, refine: refineSource},
	{Names: ": false true", Title: "does nothing", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true},
	{Names: "alias", Title: "lists or makes aliases", Flags: "-p", ReadOnly: true, Forms: []Form{{"NAME...:*=*", Doubts, "alias: an alias changes what later words run; write the command out"}}},
	{
		Names: "bg break continue dirs disown exit fg logout return shift suspend times ulimit umask unalias wait",
		Title: "controls the shell", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true,
	},
	{Names: "bind", Title: "binds keys", Flags: "-lpPsSvVX", Values: "-mqru", Opts: []Opt{{"-xf", HasArg, Unsafe}}, Forms: []Form{{"TEXT...", Doubts, hiddenEval}}, refine: refineBind},
	{Names: "builtin", Title: "runs a builtin", Style: StopAtOperand, RunsRest: true},
	{Names: "cd chdir", Title: "changes the directory", Flags: "-LPe@qs", ReadOnly: true, NoRiskyOptions: true, refine: refineCd},
	{
		Names: "command", Title: "runs a program, not a function", Flags: "-p", Opts: []Opt{{"-vV", NoArg, Asks}},
		Style: StopAtOperand, ReadOnly: true, Forms: []Form{{"!-v|-V COMMAND", Runs, ""}},
	},
	{
		Names: "compgen complete compopt", Title: "generates completions", Flags: "-abcdefgjkprsuvDEI", Values: "-oAGXPS",
		Opts: []Opt{{"-C", HasArg, 0}, {"-FW", HasArg, 0}}, refine: refineCallback,
		Forms: []Form{{"-W|-F=TEXT:*$(*|*${*|*`*|*<(*|*>(*|*@P}*|*[*", Doubts, hiddenEval}},
	},
	{Names: "declare export local readonly typeset", Title: "declares variables", Style: NoOptions, ReadOnly: true, refine: refineDeclare},
	{Names: "echo", Title: "prints its operands", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true},
	{
		Names: "enable", Title: "turns builtins on and off", Flags: "-ads", ReadOnly: true,
		Opts: []Opt{{"-f", HasArg, Unsafe}, {"-n", NoArg, Unsafe}}, Forms: []Form{{"-f|-n", Doubts, changesLater}}, refine: refineEnable,
	},
	{Names: "eval", Title: "runs its operands as shell text", Style: NoOptions, Forms: []Form{{"TEXT...", RunsText, ""}}},
	{Names: "exec", Title: "replaces the shell with a program", Flags: "-cl", Values: "-a", Style: StopAtOperand, RunsRest: true},
	{Names: "fc", Title: "lists and repeats history", Flags: "-lnr", Opts: historyOpts, ReadOnly: true, Forms: []Form{{"!-l", Doubts, "unknown-program-text: the program text comes from the history; write the command out"}}},
	{Names: "history", Title: "lists and repeats history", Flags: "-lnr", Opts: historyOpts, ReadOnly: true, Forms: []Form{{"-a|-w PATH", Writes, ""}, {"-a|-w $ >*", Writes, ""}}},
	{Names: "getopts", Title: "parses options", Style: NoOptions, ReadOnly: true},
	{
		Names: "hash", Title: "caches where programs are", Flags: "-rdlt", Opts: []Opt{{"-p", HasArg, Unsafe}}, ReadOnly: true,
		Forms: []Form{{"-p", Doubts, changesLater}, {"NAME...:*=*", Doubts, changesLater}}, // zsh takes NAME=PATH
	},
	{Names: "jobs", Title: "lists jobs", Flags: "-lnprs", Style: StopAtOperand, ReadOnly: true, Opts: []Opt{{"-x", NoArg, 0}}, Forms: []Form{{"-x COMMAND", Runs, ""}}},
	{Names: "let", Title: "calculates", Style: NoOptions, ReadOnly: true},
	{
		Names: "mapfile readarray", Title: "reads lines into an array", Flags: "-t", Values: "-dnOsuc",
		Opts: []Opt{{"-C", HasArg, 0}}, ReadOnly: true, refine: refineCallback,
		// the line that is appended holds a newline, which ends a comment
		Forms: []Form{{"-C=TEXT:*#*|*<<*", Doubts, hiddenEval}},
	},
	{Names: "popd", Title: "changes the directory and remembers it", Flags: "-n", ReadOnly: true, refine: refineCd},
	{Names: "pushd", Title: "changes the directory and remembers it", Flags: "-n", ReadOnly: true, refine: refineCd},
	{
		Names: "printf", Special: &Special{Endless: padsFar}, Title: "prints its operands in a format", Style: StopAtOperand, Opts: []Opt{{"-v", HasArg, 0}},
		ReadOnly: true,
	},
	{Names: "pwd", Title: "prints the directory", Flags: "-LPW", ReadOnly: true, NoRiskyOptions: true},
	{Names: "read unset", Title: "sets or unsets variables", Style: NoOptions, ReadOnly: true},
	{Names: "set", Title: setsOptions, Style: NoOptions, ReadOnly: true, NoRiskyOptions: true, refine: refineSet},
	{Names: "shopt", Title: setsOptions, Style: NoOptions, ReadOnly: true, NoRiskyOptions: true, refine: refineShopt},
	{Names: "setopt unsetopt", Title: setsOptions, Style: NoOptions, ReadOnly: true, NoRiskyOptions: true, refine: refineSetopt},
	{Names: "test [", Title: "tests files and strings", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true},
	{Names: "trap", Title: "runs shell text on a signal", Flags: "-lpP", Style: StopAtOperand, ReadOnly: true, refine: refineTrap},
	{
		Names: "type whence where whereis which", Title: "tells what a name would run",
		Flags:    "-afptPvwsmSMBubl all skip-alias skip-functions read-alias read-functions tty-only show-dot show-tilde help version",
		ReadOnly: true, NoRiskyOptions: true,
	},
}

// refineSource is source FILE [ARG].
func refineSource(c *Invocation) {
	w := c.Operand(0)
	if w != nil && w.Known && w.Text == "--" {
		w = c.Operand(1)
	}
	if w == nil {
		return
	}
	if standardInput(w) {
		c.runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
		return
	}
	if shell.Descriptor(w, c.Cwd) {
		const hidden = "the program comes from a pipe and cannot be checked; save it to a file and read it first"
		c.doubt("piped-program", hidden, w)
	}
	c.touch(shell.Source, w, false)
	c.touch(shell.Read, w, false)
}

// standardInput reports whether a word names the standard input as a file.
func standardInput(w *shell.Word) bool {
	switch w.Text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return w.Known
	}
	return false
}

// refineCd sets the new directory, of cd without an operand the home. Where popd goes is not known, and
// with -n only the stack of directories changes.
func refineCd(c *Invocation) {
	c.Facts.Chdir = new(shell.Hole("", &c.Argv[0]))
	switch op := c.Operand(0); {
	case c.Cmd.Is("popd"), c.Has("n"):
	case op == nil && c.Cmd.Is("cd") && c.Home != "":
		c.Facts.Chdir = new(shell.Literal(c.Home, &c.Argv[0]))
	case op == nil, c.Operand(1) != nil: // zsh replaces the first by the second in the name of the directory
	case op.Known && (op.Text == "-" || strings.HasPrefix(op.Text, "+")):
	case op.Text == shell.HoleMark && !op.Known && !op.Glob && !op.Single: // cd $x: may be empty
	default:
		c.Facts.Chdir = new(*op)
	}
}

// refineCallback runs -C's text, which the shell appends unknown, quoted words to.
func refineCallback(c *Invocation) {
	words := 3
	if c.Cmd.Is("mapfile") {
		words = 2
	}
	for u := range c.options() {
		if text := u.Value; u.Name == "C" {
			text.Text += strings.Repeat(` "${_}"`, words)
			c.runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv) + " -C", Text: text})
		}
	}
}

// refineBind: -x runs what follows the keys.
func refineBind(c *Invocation) {
	for u := range c.options() {
		if u.Name == "x" {
			text := u.Value
			if _, behind, ok := strings.Cut(text.Text, ":"); ok {
				text.Text = behind
			}
			c.runs(Inner{Kind: InnerText, Via: "bind -x", Text: text})
		}
	}
}

// refineEnable: what is loaded, or named and no builtin of bash, is code.
func refineEnable(c *Invocation) {
	for _, w := range c.operands() {
		if len(c.Facts.Doubts) == 0 && (!w.Known || !shellBuiltin(w.Text)) {
			c.doubt("shadowed-builtin", "bash loads code of that name; leave it out", w)
		}
	}
}

// shellBuiltin names the builtins of bash 5.2.
func shellBuiltin(name string) bool {
	const builtins = ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue " +
		"declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill " +
		"let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source " +
		"suspend test times trap true type typeset ulimit umask unalias unset wait"
	return shell.Among(builtins, name)
}

// refineDeclare: without a name the variables are listed with their values.
func refineDeclare(c *Invocation) {
	for i := range c.Argv[1:] {
		if t := shell.LiteralPrefix(&c.Argv[i+1]); !shell.StartsWithAny(t, "-", "+") || strings.ContainsAny(t, "fF") {
			return
		}
	}
	c.Disprove(printsEnvironment)
}

// joined is words joined by blanks into one text, a hole when one is not known.
func joined(words []shell.Word) shell.Word {
	w := shell.Word{Text: shell.JoinText(words), Known: true, Single: true, Quoted: true, Span: words[0].Span}
	for i := range words {
		w.Known = w.Known && words[i].Known
		w.Span.End = max(w.Span.End, words[i].Span.End)
	}
	if !w.Known && !strings.Contains(w.Text, shell.HoleMark) {
		w.Text += shell.HoleMark
	}
	return w
}

// letters reports whether a cluster of options after the sign holds one of them.
func letters(cluster string, sign byte, any string) bool {
	return len(cluster) > 1 && cluster[0] == sign && cluster[1] != sign && strings.ContainsAny(cluster, any)
}

// refineTrap runs the first of at least two operands; - and "" reset.
func refineTrap(c *Invocation) {
	if len(c.Operands) < 2 {
		return
	}
	if w := c.Operand(0); !w.Known || w.Text != "-" && w.Text != "" {
		c.runs(Inner{Kind: InnerText, Via: "trap", Text: *w})
	}
}

// Expands reports whether a text runs something when the shell expands it.
func Expands(text string) bool {
	return shell.ContainsAny(text, "$(", "`", "<(", ">(", "@P}", "$[", "${")
}
