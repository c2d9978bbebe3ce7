package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// setOptions follows the options of set that matter here: -e and -a.
func (w *walker) setOptions(args []shell.Word, st *state) {
	before := ""
	for i := range args {
		a := &args[i]
		if a.Text == "--" || !isOption(a) && !strings.HasSuffix(before, "o") {
			return // the rest are positional parameters
		}
		if strings.Contains(a.Text, "e") {
			w.errexits++
		}
		if strings.HasPrefix(a.Text, "-") && !setLetters(a.Text) {
			return // an option that is none: nothing is set
		}
		st.setOption(a.Text, before)
		before = a.Text
	}
}

// setOption follows one word of set; before is the one in front of it.
func (s *state) setOption(word, before string) {
	switch {
	case strings.HasPrefix(word, "-"):
		s.errexit = s.errexit || strings.Contains(word, "e")
		s.allexport = s.allexport || strings.Contains(word, "a")
	case strings.HasPrefix(word, "+"):
		s.errexit = s.errexit && !strings.Contains(word, "e")
	case word == "errexit":
		s.errexit = strings.HasPrefix(before, "-")
	case word == "allexport":
		s.allexport = true
	}
}

// setLetters reports whether a word like -eu holds only options that set of bash
// knows.
func setLetters(option string) bool {
	return strings.Trim(option[1:], "abefhkmnptuvxBCEHPTo") == ""
}

// bashOption reports whether set -o of bash knows the option. Source: bash 5.2,
// "set -o".
func bashOption(name string) bool {
	switch name {
	case "allexport", "braceexpand", "emacs", "errexit", "errtrace", "functrace", "hashall", "histexpand",
		"history", "ignoreeof", "interactive-comments", "keyword", "monitor", "noclobber", "noexec", "noglob",
		"nolog", "notify", "nounset", "onecmd", "physical", "pipefail", "posix", "privileged", "verbose", "vi",
		"xtrace":
		return true
	}
	return false
}
