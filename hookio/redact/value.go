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

// afterOperator returns where the value starts, after what assigns it to the
// name; 0 if nothing does. It sets v.colon.
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

// takesNextWord reports whether the word after the name is its value, as it is
// of an option, and of a key that a command sets.
func (v *value) takesNextWord(i int) bool {
	return v.byte(i) != '-' && (v.name[0] == '-' || v.configures())
}

// configures reports whether the word before the value is a key that a command
// is told to set: git config user.token X, aws configure set aws_secret_access_key X.
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
