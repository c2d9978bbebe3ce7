package oracle

import (
	"regexp"
	"strings"
)

// A bashism finds what bash has and dash reads in another way. Everything is analysed as bash, so a text with
// such a thing says nothing about dash.
type bashism struct{ re *regexp.Regexp }

func newBashism() bashism {
	return bashism{regexp.MustCompile(`(?s)[0-9]{2}[<>]|(^|[^$])\{.*(,|\.\.).*\}|=[^ ]*~|\$\{!|\$\{[#!]?[A-Za-z0-9_@*#?!$-]+[]/^,@:[]+([^-+?=]|$)|>&\s*[^0-9\s-]|>&\s*[0-9-]+[^\s0-9;)&|]|\$\{[@*][#%:]|[a-zA-Z0-9_]\[|(^|[\s;&|(])-?[a-z]*-[^\s]*\(\)`)}
}

func (b bashism) posixOnly(text string) bool {
	for _, s := range [...]string{
		"~+", "~-", "[[", "((", "$'", "$\"", "$[", "<(", ">(", "&>", "<<<", "|&", ";&", ";;&", "function", "select", "time", "coproc", "exec -", "eval -", "+=", "=(", "printf -v", "declare", "typeset", "let ",
		"mapfile", "readarray", "source", "shopt", "builtin", "pushd", "popd", "compgen", "complete", "enable", "history", "disown", "suspend", "caller", "bind", "logout", "dirs", "help", "trap -",
	} {
		if strings.Contains(text, s) {
			return false
		}
	}
	return !b.re.MatchString(text)
}
