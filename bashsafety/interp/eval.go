package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// program analyses text that a command runs. What is not literal is a Doubt; the rest is walked.
func (w *walker) program(text *shell.Word, span shell.Span, c *ctx, st *words.State) outcome {
	src := text.Text
	if !text.Known {
		if w.onlyNumbers(text) {
			w.numeric = append(w.numeric, span)
		} else {
			w.Doubt(analysis.DoubtProgramText, span, "")
			st.Forget()
		}
		src = strings.ReplaceAll(src, shell.HoleMark, "${_}")
		if strings.Trim(text.Text, shell.HoleMark+" \t\n") == "" {
			return outcome{} // nothing of it is seen
		}
	}
	if shell.Blank(src) {
		return outcome{}
	}
	w.textLeft -= len(src)
	if w.runs >= analysis.MaxRuns || w.textLeft < 0 {
		w.Doubt(analysis.DoubtTooMuch, span, "")
		return outcome{}
	}
	n := c.through("")
	n.fr = &words.Frame{Src: src, Held: true, Holder: text.Span}
	if text.Span == (shell.Span{}) {
		n.fr.Holder = span
	}
	w.runs++
	o := w.text(src, n, st)
	w.runs--
	return o
}

// onlyNumbers reports whether all that is not known of a text that is run are numbers that are words of their own, or
// nothing: trap "kill $!" EXIT.
func (w *walker) onlyNumbers(text *shell.Word) bool {
	if !text.Numeric && !text.Integers || strings.ContainsAny(text.Text, "'\"\\`$(){}[]#=<~*?!^\n") {
		return false
	}
	w.relies = true
	rest := " " + text.Text + " "
	words := strings.Count(rest, " "+shell.HoleMark+" ") + strings.Count(rest, " "+shell.HoleMark+";")
	return words == strings.Count(rest, shell.HoleMark)
}

// doubtNumeric doubts what was run as such a text if one of the numbers may be something else.
func (w *walker) doubtNumeric() {
	for _, span := range w.numeric {
		if w.disproven() {
			w.Doubt(analysis.DoubtProgramText, span, "")
		}
	}
}

// stdinProgram follows a shell that reads its program from standard input.
func (w *walker) stdinProgram(at int, c *ctx, st *words.State) {
	span := w.s.Subcommands[at].Span
	text := c.stdin.text
	switch c.stdin.kind {
	case stdinInherited:
		if st.Fed {
			w.Doubt(analysis.DoubtPipedProgram, span, "")
		}
		return // else nothing in the text feeds it
	case stdinFile:
		file := c.stdin.file
		sub := &w.s.Subcommands[at]
		sub.Effects = append(sub.Effects, shell.EffectsOf(shell.Execute, &file, &st.Cwd)...)
		return
	case stdinPipe:
		var ok bool
		if text, ok = w.LiteralOutput(c.stdin.left, c.fr, c.stdin.state); !ok {
			w.Doubt(analysis.DoubtPipedProgram, span, "")
			w.runsFed(at, c, st)
			return
		}
	case stdinText:
	}
	if sub := &w.s.Subcommands[at]; foreign(sub.Program) {
		sub.Code = true
		found := commands.NewInvocation(sub.Argv, &st.Cwd, w.Home(st))
		found.ProgramText(sub.Program, &text)
		w.applyFacts(sub, &found.Facts)
		own := *c
		own.via = c.via[:max(0, len(c.via)-1)] // without the program, which each names itself
		for i := range found.Facts.Inner {
			w.follow(at, &found.Facts.Inner[i], &own, st)
		}
		return
	}
	switch commands.TableName(w.s.Subcommands[at].Program) {
	case "pwsh", "powershell":
		w.powerShell(&text, span, c, st)
		return
	case "cmd":
		text.Text = "/c" + strings.TrimSpace(text.Text)
		w.follow(at, &commands.Inner{Kind: commands.InnerCmd, Via: "cmd", Argv: []shell.Word{text}}, c, st)
		return
	}
	if text.Known && commands.ForeignShell(w.s.Subcommands[at].Program) {
		if text.Text = commands.Unmarked(text.Text); !commands.AlikeEverywhere(text.Text) {
			w.Doubt(analysis.DoubtProgramText, span, "")
		}
	}
	n := c.through("")
	n.stdin, n.from = input{}, nil
	w.program(&text, span, n, st)
}

// foreign reports whether a program that runs its standard input is no shell.
func foreign(program string) bool {
	return shell.Among("python pypy node nodejs deno bun ruby perl php lua Rscript osascript psql sqlite3 mysql",
		commands.TableName(program))
}

// A hazard is what a text would do if the shell evaluated it a second time.
type hazard uint8

const (
	inIndex   hazard = 1 << iota // a[$(cmd)]: as a number or as the name of a variable
	inCommand                    // $(cmd): inside a subscript
	inName                       // PS4: as the name of a variable that is set
)

// evals joins what the shell evaluates a second time with what could get there. A value that is not
// shown counts as harmless unless a literal of the text could be it; a doubt on every ((i < n)) is
// of no use. Loops and functions bring the two together in any order, so they meet at the end.
type evals struct {
	inLiterals hazard        // what the literals of the text would do
	inEvals    hazard        // what the places would do where an unknown value is evaluated
	at         [3]shell.Span // the first place of each kind

	attrs  []string // variables that do not hold what they are given: -i, -l, -u, -A
	fixed  []string // variables that are read-only
	refs   []string // references to others: -n
	opaque bool     // nothing that is set or entered stays for certain: a trap may change it

	inText []string // variables that a literal would assign as a number: x='y=1'; ((x))

	// failed is set when this line may have failed: bash drops the rest of it and goes on with the
	// next.
	failed    bool
	failedAt  *words.Binding // what was bound before
	failedCwd shell.CwdState

	integers
}

// noteLiteral notes what a literal would do.
func (w *walker) noteLiteral(text string) {
	if w.muted > 0 {
		return
	}
	if !mayHoldHazard(text) { // of most words only the name counts
		if commands.RunsCode(text) {
			w.inLiterals |= inName
		}
		return
	}
	w.inLiterals |= hazards(text)
	if len(w.inText) < maxAttrs && (strings.Contains(text, "=") || strings.Contains(text, "++")) {
		if name, _ := nextName(text); name != "" && !slices.Contains(w.inText, name) {
			w.inText = append(w.inText, name)
		}
	}
}

// mayHoldHazard reports characters without which a text runs and assigns nothing.
func mayHoldHazard(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '$', '`', '}', '=', '+':
			return true
		}
	}
	return false
}

func (w *walker) noteLiterals(list []shell.Word) {
	for i := range list {
		w.noteLiteral(list[i].Text)
	}
}

// noteEvaluated notes a place where an unknown value is evaluated.
func (w *walker) noteEvaluated(h hazard, span shell.Span) {
	if w.muted > 0 {
		return
	}
	for i := range w.at {
		if bit := hazard(1) << i; h&bit != 0 && w.inEvals&bit == 0 {
			w.inEvals |= bit
			w.at[i] = span
		}
	}
}

// doubtReachableEvals doubts the places that a literal of the text could reach.
func (w *walker) doubtReachableEvals() {
	for i, why := range [...]string{
		"a value with a subscript that runs a command may be evaluated here",
		"a value that runs a command may be evaluated here",
		"the variable set here may be one that controls the shell",
	} {
		if w.inLiterals&w.inEvals&(1<<i) != 0 {
			w.Doubt(analysis.DoubtHiddenEval, w.at[i], why)
		}
	}
}

// hazards says what evaluating a text would do.
func hazards(text string) (h hazard) {
	if len(text) > 1 && runsText(text) {
		h = inCommand
		if indexRuns(text) {
			h |= inIndex
		}
	} else if text == "$" || strings.Contains(text, "$"+shell.HoleMark) {
		h = inCommand
	}
	name, _, _ := strings.Cut(text, "=")
	if commands.RunsCode(name) {
		h |= inName
	}
	return h
}

// runsText reports whether expanding a text runs a command, or a value as a prompt.
func runsText(text string) bool { return substitutes(text) || strings.Contains(text, "@P}") }

// maxIndexes bounds how many subscripts of one text are looked at.
const maxIndexes = 64

// indexRuns reports whether a subscript in the text holds a substitution.
func indexRuns(text string) bool {
	open := 0
	for i := 1; i < len(text); i++ {
		if text[i] == '[' && (shell.NameByte(text[i-1]) || text[i-1] == shell.HoleMark[0]) {
			if open++; open > maxIndexes {
				return true
			}
			if runsText(subscript(text[i+1:])) {
				return true
			}
		}
	}
	return false
}

// subscript returns the text before the closing bracket, the last one if there are quotes.
func subscript(s string) string {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '\\':
			if end := strings.LastIndexByte(s, ']'); end > i {
				return s[:end]
			}
			return s
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// runsInSubscript reports a text whose subscript runs a command; it errs on the side of yes.
func runsInSubscript(text string) bool {
	_, sub, ok := strings.Cut(text, "[")
	return ok && (substitutes(sub) || strings.Contains(sub, "${"))
}

// subscripts doubts builtins that evaluate a quoted subscript: test -v 'a[$(cmd)]'.
func (w *walker) subscripts(sub *analysis.Subcommand, st *words.State) {
	args := sub.Argv[1:]
	switch sub.Program {
	case "test", "[":
		w.testedNames(args, sub.Span, st)
	case "printf":
		for _, name := range commands.PrintfNames(args) {
			w.evaluatesName(name, st)
			w.name(name, sub.Span, st)
		}
		w.printedNumbers(args, st)
		for i := range args { // %d takes an expression in zsh and ksh
			if a := &args[i]; i > 0 && arithmeticLike(a.Text) && runsInSubscript(a.Text) {
				w.name(a, sub.Span, st)
			}
		}
	case "print": // zsh: with -f it is printf
		format := slices.IndexFunc(args, mayBeFormat)
		for i := max(format, 0); format >= 0 && i < len(args); i++ {
			if a := &args[i]; i > format || !a.Known && !a.Single {
				w.evaluates(a, st)
			}
		}
	case "let":
		for i := range args {
			w.evaluates(&args[i], st)
			if runsInSubscript(args[i].Text) {
				w.name(&args[i], sub.Span, st)
			}
		}
	case "shift", "return", "exit", "break", "continue", "logout": // an expression in zsh
		for i := range args {
			w.evaluates(&args[i], st)
		}
	case "unset", "declare", "typeset", "local", "readonly", "export":
		for i := range args {
			w.evaluatesName(&args[i], st)
			w.name(&args[i], sub.Span, st)
		}
	case "read", "mapfile", "readarray", "wait", "getopts":
		for _, name := range commands.SetNames(sub.Program, args) {
			w.evaluatesName(name, st)
		}
		for i := range args {
			if t := args[i].Text; strings.HasPrefix(t, "-") && strings.Contains(t, shell.HoleMark) {
				w.evaluates(&args[i], st) // -t$x: an expression in zsh
			} else if i > 0 && shell.Among("-t -n -rt -rn", args[i-1].Text) {
				w.evaluates(&args[i], st)
			}
			w.name(&args[i], sub.Span, st)
		}
	}
}

func mayBeFormat(a shell.Word) bool {
	return !a.Known || strings.HasPrefix(a.Text, "-") && strings.Contains(a.Text, "f")
}

// printedNumbers follows the numbers of printf: expressions to zsh.
func (w *walker) printedNumbers(args []shell.Word, st *words.State) {
	format, operands := formatted(args)
	if format == nil || format.Known && !commands.PrintsNumbers(format.Text) {
		return
	}
	for i := range operands {
		if a := &operands[i]; !a.Known || st.Bound(a.Text) != nil {
			w.evaluates(a, st)
		}
	}
}

// testedNames follows the names after the -v and -R of a test.
func (w *walker) testedNames(args []shell.Word, span shell.Span, st *words.State) {
	for i := range args {
		a := &args[i]
		if a.Text == "-t" && i+1 < len(args) && !args[i+1].Known {
			w.evaluates(&args[i+1], st)
		}
		if a.Text != "-v" && a.Text != "-R" && (a.Known || !mayTestName(args, i)) {
			continue
		}
		w.evaluatesName(a, st)
		w.name(a, span, st)
		if i+1 < len(args) {
			w.evaluatesName(&args[i+1], st)
			w.name(&args[i+1], span, st)
		}
	}
}

// mayTestName reports whether an unknown word may be -v or -R: unquoted, or an operator's place.
func mayTestName(args []shell.Word, i int) bool {
	if !args[i].Single {
		return true
	}
	if shell.LiteralPrefix(&args[i]) != "" || i+1 >= len(args) {
		return false
	}
	if shell.Among("= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o ] )", args[i+1].Text) {
		return false
	}
	return i == 0 || shell.Among("! ( -a -o", args[i-1].Text)
}
