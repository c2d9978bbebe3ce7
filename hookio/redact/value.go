package redact

import (
	"slices"
	"strings"
)

// findNamed finds what is assigned to a secret name.
func findNamed(t *scanner, _ *Shape) (from, to int) {
	for t.name = max(t.name, t.at); t.name < len(t.s) && nameChar(t.s[t.name]); {
		t.name++
	}
	end := t.name
	if !t.announces(end) {
		return 0, 0
	}
	name := t.s[t.at:end]
	inQuery := t.afterQueryMark() && t.byte(end) == '='
	if !Name(name) && !(inQuery && queryName(name)) {
		return 0, 0
	}
	v := value{scanner: t, name: name, nameEnd: end, query: inQuery}
	if !v.assigned() {
		return 0, 0
	}
	return v.extent()
}

// afterQueryMark reports whether the position starts a parameter of a URL.
func (t *scanner) afterQueryMark() bool {
	return t.at > 0 && (t.s[t.at-1] == '?' || t.s[t.at-1] == '&')
}

// announces reports whether what follows a word may make it the name of something.
func (t *scanner) announces(end int) bool {
	switch t.byte(end) {
	case '=', ':', '"', '\'', '\\', '+', '?':
		return true
	case ' ', '\t':
		if c := t.byte(t.blanks(end)); c == '=' || c == ':' || t.s[t.at] == '-' {
			return true
		}
		return compound(t.s[t.at:end])
	}
	return false
}

// A value is what a name announces.
type value struct {
	*scanner
	name    string
	nameEnd int
	start   int
	colon   bool // assigned by a colon
	query   bool // a parameter of a URL
}

// assigned finds where the value starts, and reports whether there is one.
func (v *value) assigned() bool {
	i := v.afterOperator()
	if i == 0 || i >= len(v.s) || blank(v.s[i]) {
		return false
	}
	if v.name == "pass" && i > v.nameEnd+1 { // a word of its own, too: ('pass', 'fail'), PASS: ok
		return false
	}
	v.start = i
	for _, open := range [...]string{"$(", "`", "<(", "{{", "${{"} { // what makes the value, not the value
		if strings.HasPrefix(v.s[i:], open) {
			return false
		}
	}
	return true
}

// afterOperator returns where the value starts after an operator, or 0. It sets v.colon.
func (v *value) afterOperator() int {
	i := v.quotes(v.nameEnd)
	quotedKey := i > v.nameEnd
	if quotedKey && v.byte(i) == ']' {
		i++
	}
	gap := v.blanks(i)
	switch {
	case v.equalsAt(gap):
		return v.afterEquals(gap)
	case v.colonAt(gap):
		return v.afterColon(gap)
	case v.extendsAt(gap):
		return v.blanks(gap + 2)
	case quotedKey && v.isFirstArgument(gap):
		return v.secondArgument(gap)
	case gap > i && v.takesNextWord(gap):
		return gap
	}
	return 0
}

// equalsAt reports an assignment by =, which a comparison is not.
func (v *value) equalsAt(i int) bool {
	return v.byte(i) == '=' && v.byte(i+1) != '=' && v.byte(i+1) != '~'
}

// extendsAt reports an assignment by += or ?=.
func (v *value) extendsAt(i int) bool {
	return v.byte(i+1) == '=' && (v.byte(i) == '+' || v.byte(i) == '?')
}

func (v *value) afterEquals(i int) int {
	start := i + 1
	if v.byte(start) == '>' {
		start++
	}
	if i > v.nameEnd { // x = y is no assignment of a shell, where a blank ends it
		start = v.blanks(start)
	}
	return start
}

// colonAt reports an assignment by : or :=, which :: and :// are not.
func (v *value) colonAt(i int) bool {
	return v.byte(i) == ':' && v.byte(i+1) != ':' && !strings.HasPrefix(v.s[i:], "://")
}

func (v *value) afterColon(i int) int {
	if v.byte(i+1) == '=' {
		return v.blanks(i + 2)
	}
	v.colon = true
	return v.blanks(i + 1)
}

// isFirstArgument reports whether the quoted name is the first argument of a
// call: setenv("TOKEN", "x").
func (v *value) isFirstArgument(comma int) bool { return v.byte(comma) == ',' && v.before('(') }

func (v *value) secondArgument(comma int) int {
	if i := v.blanks(comma + 1); quotationMark(v.byte(i)) {
		return i
	}
	return 0
}

// takesNextWord reports whether the next word is the value, as for options and keys a command sets.
func (v *value) takesNextWord(i int) bool {
	return v.byte(i) != '-' && (v.name[0] == '-' || v.configures())
}

// configures reports a key that a command sets: git config user.token X, aws configure set KEY X.
func (v *value) configures() bool {
	return compound(v.name) && slices.ContainsFunc([]string{"config", "configure", "set", "setx"}, v.has)
}

// compound reports whether a name is made of parts, so that it is no word of a sentence.
func compound(name string) bool {
	for i := range len(name) {
		if c := name[i]; capital(c) || strings.IndexByte("._-", c) >= 0 {
			return true
		}
	}
	return false
}

// before reports whether the quotation mark of the name follows c.
func (v *value) before(c byte) bool { return v.at > 1 && v.s[v.at-2] == c }

func (t *scanner) byte(i int) byte {
	if i < len(t.s) {
		return t.s[i]
	}
	return 0
}

// quotes skips a quotation mark, escaped or not, or written as within single
// quotes of a shell.
func (t *scanner) quotes(i int) int {
	if i < len(t.s) && strings.HasPrefix(t.s[i:], `'\''`) {
		return i + 4
	}
	j := i
	for t.byte(j) == '\\' {
		j++
	}
	if quotationMark(t.byte(j)) {
		return j + 1
	}
	return i
}

func (t *scanner) blanks(i int) int {
	for t.byte(i) == ' ' || t.byte(i) == '\t' {
		i++
	}
	return i
}

// keepReference leaves what only says where a secret is ($X, ${X}, $(...), %X%) or is no value.
func (t *scanner) keepReference(from, to int) (int, int) {
	if from >= to {
		return 0, 0
	}
	s := t.s[from:to]
	switch s {
	case "true", "false", "null", "nil", "none", "None", "undefined", "string", "***", "...":
		return 0, 0
	}
	if strings.Contains(s, Mark) {
		return 0, 0 // done before
	}
	if isBatchVariable(s) {
		return 0, 0
	}
	for _, open := range [...]string{"$(", "`", "{{", "${{"} {
		if strings.HasPrefix(s, open) {
			return 0, 0
		}
	}
	if s[0] == '$' && len(s) > 1 {
		if s[1] == '{' && s[len(s)-1] == '}' {
			s = s[1 : len(s)-1]
		}
		if names(strings.TrimPrefix(s[1:], "env:")) {
			return 0, 0
		}
	}
	return from, to
}

// isBatchVariable reports whether s is %NAME%.
func isBatchVariable(s string) bool {
	return len(s) > 2 && s[0] == '%' && s[len(s)-1] == '%' && names(s[1:len(s)-1])
}

// names reports whether s is a name and nothing else.
func names(s string) bool {
	for i := range len(s) {
		if !word(s[i]) {
			return false
		}
	}
	return s != "" && !digit(s[0])
}

// findURL finds a password before the host of a URL. The position is that of
// its scheme.
func findURL(t *scanner, _ *Shape) (from, to int) {
	if !t.url || !letter(t.s[t.at]) {
		return 0, 0
	}
	from = t.afterScheme()
	if from == 0 {
		return 0, 0
	}
	end := from
	for end < min(len(t.s), from+2*maxToken) && inURL(t.s[end]) {
		end++
	}
	user := userInfo(t.s[from:end])
	if colon := strings.IndexByte(user, ':'); colon >= 0 {
		return t.keepReference(from+colon+1, from+len(user))
	}
	if len(user) >= 16 && random(user) {
		return t.keepReference(from, from+len(user))
	}
	return 0, 0
}

// maxScheme bounds the scheme of a URL, in bytes.
const maxScheme = 32

// afterScheme returns where the host starts of the URL whose scheme is at the position, or 0.
func (t *scanner) afterScheme() int {
	i := t.at
	for i < min(len(t.s), t.at+maxScheme) && inScheme(t.s[i]) {
		i++
	}
	if i == t.at || !strings.HasPrefix(t.s[i:], "://") {
		return 0
	}
	return i + len("://")
}

func inScheme(c byte) bool { return word(c) || c == '+' || c == '-' || c == '.' }

func inURL(c byte) bool { return !blank(c) && strings.IndexByte("\"'`<>|;\\", c) < 0 }

// userInfo returns what is before the @ of a URL without its scheme, "" without one.
func userInfo(url string) string {
	at := strings.LastIndexByte(url, '@')
	slash := strings.IndexAny(url, "/?#")
	if slash >= 0 && at > slash {
		// a password with a slash in it, or an @ in the path after a host and port
		if first := strings.LastIndexByte(url[:slash], '@'); first >= 0 {
			at = first
		} else if hostPort(url[:slash]) {
			return ""
		}
	}
	return url[:max(at, 0)]
}

// hostPort reports whether a text is a host and maybe a port, not a user and part of a password.
func hostPort(s string) bool {
	name, port, colon := strings.Cut(s, ":")
	return !colon || strings.Trim(port, "0123456789") == "" || strings.Contains(name, "[")
}
