package oracle

import (
	"regexp"
	"strings"
)

// bashisms returns what finds things bash has and dash reads in another way. Everything is analysed as bash, so a
// text with such a thing says nothing about dash: exec {fd}>f runs a program called {fd} there, which is never there.
func bashisms() func(text string) bool {
	re := regexp.MustCompile(`(?s)[0-9]{2}[<>]|\{[a-zA-Z0-9_]+\}[<>]|(^|[^$])\{.*(,|\.\.).*\}|=[^ ]*~|\$\{!|\$\{[#!]?[A-Za-z0-9_@*#?!$-]+[]/^,@:[]+([^-+?=]|$)|>&\s*[^0-9\s-]|>&\s*[0-9-]+[^\s0-9;)&|]|\$\{[@*][#%:]|[a-zA-Z0-9_]\[|(^|[\s;&|(])-?[a-z]*-[^\s]*\(\)`)
	return func(text string) bool { return bashism(text) || re.MatchString(text) }
}

// bashism finds those that need no regular expression.
func bashism(text string) bool {
	for _, s := range [...]string{
		"~+", "~-", "[[", "((", "$'", "$\"", "$[", "<(", ">(", "&>", "<<<", "|&", ";&", ";;&", "function", "select", "time", "coproc", "exec -", "eval -", "+=", "=(", "printf -v", "declare", "typeset", "let ",
		"mapfile", "readarray", "source", "shopt", "builtin", "pushd", "popd", "compgen", "complete", "enable", "history", "disown", "suspend", "caller", "bind", "logout", "dirs", "help", "trap -",
	} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
