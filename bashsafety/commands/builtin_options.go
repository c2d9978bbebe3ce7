package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineSetopt doubts the options of zsh that change how later words are read.
func refineSetopt(c *Invocation) {
	for i := range c.Argv[1:] {
		if w := &c.Argv[i+1]; !w.Known || rereads(w.Text) {
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
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		quiet := w.Known && quietOption(w.Text, !strings.Contains(flags, "u"))
		if !quiet && !strings.HasPrefix(shell.LiteralPrefix(w), "-") {
			c.shellOption(w)
		}
	}
}

// shoptFlags are the options of shopt, which may stand behind a name.
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

// refineSet follows the letters of set, and the names behind -o and +o.
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
	switch name {
	case "allexport", "emacs", "errexit", "errtrace", "functrace", "hashall", "ignoreeof", "monitor",
		"noclobber", "noexec", "noglob", "nolog", "notify", "nounset", "onecmd", "pipefail", "verbose", "vi",
		"xtrace":
		return true
	case "checkhash", "checkjobs", "checkwinsize", "cmdhist", "complete_fullquote", "direxpand", "dirspell",
		"dotglob", "force_fignore", "globskipdots", "globstar", "gnu_errfmt", "histappend", "histreedit",
		"histverify", "hostcomplete", "huponexit", "inherit_errexit", "lithist", "localvar_inherit",
		"localvar_unset", "mailwarn", "no_empty_cmd_completion", "nocasematch", "nullglob",
		"patsub_replacement", "progcomp", "promptvars", "shift_verbose", "sourcepath", "varredir_close",
		"xpg_echo":
		return true
	case "braceexpand", "interactive-comments", "interactive_comments":
		return on
	case "history", "histexpand", "cdable_vars", "autocd", "lastpipe", "keyword", "posix", "expand_aliases":
		return !on
	}
	return false
}

// rereads names the options under which zsh reads the text that follows in
// another way.
func rereads(option string) bool {
	switch option {
	case "expand_aliases", "extglob", "globsubst", "GLOB_SUBST", "lastpipe", "keyword", "histexpand",
		"braceexpand", "nocaseglob", "failglob", "posix":
		return true
	}
	return false
}
