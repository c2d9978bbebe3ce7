package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
	for _, v := range steering {
		if len(first)+len(last) <= len(v) && strings.HasPrefix(v, first) && strings.HasSuffix(v, last) {
			return true
		}
	}
	lower := strings.ToUpper(first+last) != first+last
	for _, p := range steeringPrefixes {
		if lower == (strings.ToUpper(p) != p) && (strings.HasPrefix(p, first) || strings.HasPrefix(first, p)) {
			return true
		}
	}
	return false
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

// setsOperand reports whether a builtin sets the variable its nth operand names.
// For getopts that is the second one; sure says that those in front are one word
// each.
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
		v := shell.Suffix(a, at+1)
		return &v, lit[at], i
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
			name := shell.Suffix(&args[i], len("-v"))
			names = append(names, &name)
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
	switch name {
	case "_", "REPLY", "MAPFILE", "COPROC", "OPTARG", "PWD", "OLDPWD", "DIRSTACK", "FUNCNAME", "PIPESTATUS",
		"READLINE_LINE":
		return true
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}
