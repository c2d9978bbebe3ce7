package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// zshBuiltin doubts the commands that are builtins of zsh alone and run the rest
// of the line, set variables, or change how zsh reads what follows. To bash they
// are programs that do not exist.
func (w *walker) zshBuiltin(sub *analysis.Subcommand) {
	what := ""
	switch name := sub.Argv[0].Text; name {
	case "noglob", "nocorrect", "repeat", "foreach", "-":
		what = name + " runs the rest of the line in zsh"
	case "setopt", "unsetopt", "emulate", "disable", "unhash", "unfunction", "functions", "autoload", "zmodload":
		what = name + " changes how zsh reads what follows"
	case "integer", "float", "private", "vared", "getln", "zparseopts", "zformat", "zstyle", "zregexparse":
		what = name + " sets variables in zsh"
	case "zcompile":
		what = name + " writes files in zsh"
	case "pushln", "sched", "zle", "bindkey", "compctl":
		what = name + " makes zsh run its operands later"
	case "print":
		if hasLetter(sub.Argv[1:], "vzsS") {
			what = "print sets a variable or the history in zsh"
		}
	case "command", "exec", "builtin":
		if strangeOption(name, sub.Argv[1:]) {
			what = name + " runs a word that starts with - in zsh"
		}
	case "trap":
		if len(sub.Argv) > 2 && trapText(sub.Argv[1].Text) {
			what = "in zsh, trap runs this as code"
		}
	case "set":
		if zshOption(sub.Argv[1:]) {
			what = "in zsh, set reads this as an option"
		}
	case "declare", "typeset", "local", "export", "readonly":
		if len(sub.Argv) == 2 && sub.Argv[1].Text == "-F" {
			break // lists functions, or floats
		}
		if d := newDeclaration(sub.Argv); strings.Trim(d.letters+d.off, "aAcfgiIlnprtux") != "" {
			what = name + " reads this as an option in zsh"
		}
	}
	if what != "" {
		w.doubt(analysis.DoubtZsh, sub.Span, what)
	}
}

// strangeOption reports whether the first word after command, exec or builtin
// is an option that zsh does not have.
func strangeOption(name string, args []shell.Word) bool {
	letters := ""
	switch name {
	case "command":
		letters = "pvV"
	case "exec":
		letters = "cla"
	}
	if len(args) == 0 || !args[0].Known || args[0].Text == "--" {
		return false
	}
	option, ok := strings.CutPrefix(args[0].Text, "-")
	if name == "exec" && strings.HasPrefix(option, "a") {
		return false // the rest is the name the program gets
	}
	return ok && (option == "" || strings.Trim(option, letters) != "")
}

// trapText reports whether a word after trap is an option to bash, or none that
// exists, and text to zsh.
func trapText(word string) bool {
	return len(word) > 1 && word[0] == '-' && word != "--" && strings.Trim(word[1:], "lp") != ""
}

// hasLetter reports whether one of the options in front holds one of the
// letters, or may.
func hasLetter(args []shell.Word, any string) bool {
	for i := range args {
		t := args[i].Text
		if t == "-" || t == "--" || args[i].Known && !strings.HasPrefix(t, "-") {
			return false
		}
		if strings.ContainsAny(t, any) || !args[i].Known && shell.LiteralPrefix(&args[i]) == "" {
			return true
		}
	}
	return false
}

// zshOption reports whether an option of set is none to bash, or another one.
func zshOption(args []shell.Word) bool {
	for i := range args {
		a := &args[i]
		switch {
		case i > 0 && args[i-1].Known && strings.HasSuffix(args[i-1].Text, "o"):
			if a.Known && !bashOption(a.Text) {
				return true
			}
		case !setsByLetter(a):
			return false
		case a.Known && otherSetLetters(a.Text):
			return true
		}
	}
	return false
}

// setsByLetter reports whether a word of set is letters after - or +.
func setsByLetter(a *shell.Word) bool { return len(a.Text) > 1 && a.Text != "--" && isOption(a) }

// otherSetLetters reports whether a letter in a word like -eu means to zsh what it
// does not mean to bash.
func otherSetLetters(option string) bool {
	return !setLetters(option) || strings.ContainsAny(option, "PT")
}
