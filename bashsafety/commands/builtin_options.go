package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineSetopt doubts the options of zsh that change how later words are read.
func refineSetopt(c *Invocation) {
	for _, w := range c.words() {
		if !w.Known || rereads(w.Text) {
			c.shellOption(w)
		}
	}
}

// refineShopt doubts the options that change how later words are read, or what the
// shell does besides, where they are switched on or off.
func refineShopt(c *Invocation) {
	flags := shoptFlags(c.Argv[1:])
	if !strings.ContainsAny(flags, "su") {
		return
	}
	for _, w := range c.words() {
		quiet := w.Known && quietOption(w.Text, !strings.Contains(flags, "u"))
		if !quiet && !strings.HasPrefix(shell.LiteralPrefix(w), "-") {
			c.shellOption(w)
		}
	}
}

// shoptFlags are the options of shopt, which may follow a name.
func shoptFlags(words []shell.Word) (flags string) {
	for i := range words {
		switch w := &words[i]; {
		case strings.HasPrefix(shell.LiteralPrefix(w), "-"):
			flags += w.Text
		case !w.Known && !w.Single:
			flags += "s"
		}
	}
	return flags
}

// refineSet follows the letters of set, and the names after -o and +o.
func refineSet(c *Invocation) {
	if len(c.Argv) == 1 {
		c.Disprove(printsEnvironment)
	}
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		t := shell.LiteralPrefix(w)
		if t == "" && !w.Known && !w.Single {
			c.shellOption(w)
		}
		if !setsOption(t) {
			return // the rest are positional parameters
		}
		if letters(t, '-', "kHPp") || letters(t, '+', "Bp") {
			c.shellOption(w)
		} else if strings.Contains(t, "o") && i+1 < len(c.Argv) {
			i++
			c.setOption(&c.Argv[i], t[0] == '-')
		}
	}
}

// setsOption reports whether a word of set is a cluster of options, or a sign alone.
func setsOption(word string) bool {
	return word != "-" && word != "--" && shell.StartsWithAny(word, "-", "+")
}

// setOption doubts an option by its name.
func (c *Invocation) setOption(name *shell.Word, on bool) {
	if !name.Known || !quietOption(name.Text, on) {
		c.shellOption(name)
	}
}

// shellOption doubts an option.
func (c *Invocation) shellOption(w *shell.Word) {
	switch {
	case !w.Known:
		c.doubt("shell-option", "an unknown option may change how later words are read; write it out", w)
	case w.Text == "expand_aliases":
		c.doubt("alias", w.Text+" changes how later words are read; leave it as it is", w)
	default:
		const why = " changes how later words are read, or what the shell does besides; leave it as it is"
		c.doubt("shell-option", w.Text+why, w)
	}
}

// quietOption names the options of shopt and set -o that change nothing about
// what is read, run or written, or only what is accounted for elsewhere. All
// others are doubts, those of later versions included.
func quietOption(name string, on bool) bool {
	const always = "allexport emacs errexit errtrace functrace hashall ignoreeof monitor noclobber noexec " +
		"noglob nolog notify nounset onecmd pipefail verbose vi xtrace checkhash checkjobs checkwinsize " +
		"cmdhist complete_fullquote direxpand dirspell dotglob force_fignore globskipdots globstar gnu_errfmt " +
		"histappend histreedit histverify hostcomplete huponexit inherit_errexit lithist localvar_inherit " +
		"localvar_unset mailwarn no_empty_cmd_completion nocasematch nullglob patsub_replacement progcomp " +
		"promptvars shift_verbose sourcepath varredir_close xpg_echo"
	switch {
	case shell.Among(always, name):
		return true
	case shell.Among("braceexpand interactive-comments interactive_comments", name):
		return on
	}
	return !on && shell.Among("history histexpand cdable_vars autocd lastpipe keyword posix expand_aliases", name)
}

// rereads names the options by which zsh reads what follows in another way.
func rereads(option string) bool {
	const options = "expand_aliases extglob globsubst GLOB_SUBST lastpipe keyword histexpand braceexpand " +
		"nocaseglob failglob posix"
	return shell.Among(options, option)
}

// AnyNameSet is the reason why later commands are not covered once an unknown
// name was assigned.
const AnyNameSet = "a variable whose name is only known at run time was set and may change what later commands do"

// CouldSteer reports whether a name with holes may be that of a variable that
// steers programs or the shell.
func CouldSteer(name string) bool {
	open := strings.Index(name, shell.HoleMark)
	if open < 0 {
		return Steers(name)
	}
	first, last := name[:open], name[strings.LastIndex(name, shell.HoleMark)+1:]
	switch {
	case first == "" && last == "", Steers(first), Steers(last):
		return true
	}
	around := func(v string) bool {
		return len(first)+len(last) <= len(v) && strings.HasPrefix(v, first) && strings.HasSuffix(v, last)
	}
	lower := strings.ToUpper(first+last) != first+last
	begins := func(p string) bool {
		return lower == (strings.ToUpper(p) != p) && (strings.HasPrefix(p, first) || strings.HasPrefix(first, p))
	}
	return slices.ContainsFunc(strings.Fields(steering), around) || slices.ContainsFunc(strings.Fields(steeringPrefixes), begins)
}

// SetNames returns the words that name the variables a builtin sets, and what
// could be one. Without one the builtin has a variable of its own.
func SetNames(program string, args []shell.Word) (names []*shell.Word) {
	values, named := "", ""
	switch program {
	case "read":
		values, named = "adinNptu", "a"
	case "mapfile", "readarray":
		values = "dnOsuCc"
	case "wait":
		values, named = "p", "p"
	}
	operands, ended, sure := 0, false, true
	for i := 0; i < len(args); i++ {
		a := &args[i]
		lit := shell.LiteralPrefix(a)
		switch {
		case ended || operands > 0 || len(lit) < 2 || lit[0] != '-':
			if operands++; setsOperand(program, operands, a, sure) {
				names = append(names, a)
			}
			sure = sure && (operands > 2 || a.Single)
		case lit == "--":
			ended = true
		default:
			name, option, last := optionValue(args, i, values)
			if name != nil && strings.IndexByte(named, option) >= 0 {
				names = append(names, name)
			}
			i = last
		}
	}
	return names
}

// setsOperand reports whether a builtin sets the variable its nth operand names, of getopts the
// second; sure says that those in front are one word each.
func setsOperand(program string, n int, a *shell.Word, sure bool) bool {
	switch {
	case program != "getopts":
		return program != "wait"
	case n < 2:
		return !a.Single
	}
	return n == 2 || !sure
}

// optionValue returns the value of the first option in the word at i that takes
// one, nil when none does, and the position of the last word that was read.
func optionValue(args []shell.Word, i int, options string) (value *shell.Word, option byte, last int) {
	a := &args[i]
	lit := shell.LiteralPrefix(a)
	at := strings.IndexAny(lit, options)
	switch {
	case at < 0:
		return nil, 0, i
	case at+1 < len(a.Text):
		return new(shell.Suffix(a, at+1)), lit[at], i
	case i+1 < len(args):
		return &args[i+1], lit[at], i + 1
	}
	return nil, 0, i
}

// PrintfNames are the words that name the variable printf -v sets: the last one
// counts.
func PrintfNames(args []shell.Word) (names []*shell.Word) {
	for i := 0; i < len(args); i++ {
		switch t := args[i].Text; {
		case t == "-v" && i+1 < len(args):
			i++
			names = append(names, &args[i])
		case strings.HasPrefix(t, "-v"):
			names = append(names, new(shell.Suffix(&args[i], len("-v"))))
		case !args[i].Known && shell.LiteralPrefix(&args[i]) == "" && len(args) > i+2:
			return append(names, &args[i+1]) // it may be -v
		default:
			return names
		}
	}
	return names
}

// ShellSets names the variables that the shell sets by itself to what a text or
// its input say: with an attribute it evaluates that.
func ShellSets(name string) bool {
	const set = "_ REPLY MAPFILE COPROC OPTARG PWD OLDPWD DIRSTACK FUNCNAME PIPESTATUS READLINE_LINE"
	return shell.Among(set, name) || strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}
