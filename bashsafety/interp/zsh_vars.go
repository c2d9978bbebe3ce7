package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// tied reports whether zsh finds programs, functions, modules, directories or
// mail by a variable that is any other to bash: path is PATH there. Such a name
// is everyday text (for path in a.go b.go), so it is no doubt: it narrows what
// follows, as PATH does.
func tied(name string) bool {
	switch name {
	case "path", "fpath", "cdpath", "module_path", "MODULE_PATH", "manpath", "mailpath":
		return true
	}
	return false
}

// nullCommand reports whether zsh takes the value of a variable for a program
// (for a redirect without a command), for the operands of one it runs in front
// of every other, for where its own parts are, or for the character that begins
// a comment.
func nullCommand(name string) bool {
	switch name {
	case "NULLCMD", "READNULLCMD", "PROMPT4", "STTY", "MODULE_PATH", "HISTCHARS", "histchars":
		return true
	}
	return false
}

// madeInteger notes that arithmetic gives a variable its value: zsh makes it an
// integer unless it was there before, and evaluates what it is given later.
func (w *walker) madeInteger(name string, st *state) {
	if v, ok := st.lookup(name); !ok || v == shell.HoleMark {
		w.addAttr(&w.attrs, name)
		w.addAttr(&w.typed, name)
	}
}

// hookFunction reports whether zsh runs a function of that name by itself.
func hookFunction(name string) bool {
	switch name {
	case "preexec", "precmd", "chpwd", "periodic", "zshaddhistory", "zshexit", "zsh_directory_name",
		"command_not_found_handler", "TRAPZERR", "TRAPERR", "TRAPDEBUG", "TRAPEXIT":
		return true
	}
	return len(name) > 4 && name[:4] == "TRAP" && trapSignal(name[4:])
}

// trapSignal reports whether a name is all capitals and digits, as those of
// signals are.
func trapSignal(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
