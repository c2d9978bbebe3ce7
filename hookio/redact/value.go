package redact

import "strings"

// findNamed finds what is assigned to a secret name.
func findNamed(t *scanner, _ *Shape) (from, to int) {
	end := t.at
	for end < len(t.s) && nameChar(t.s[end]) {
		end++
	}
	if !t.announces(end) {
		return 0, 0
	}
	name := t.s[t.at:end]
	inQuery := t.at > 0 && (t.s[t.at-1] == '?' || t.s[t.at-1] == '&') && strings.HasPrefix(t.s[end:], "=")
	if !Name(name) && !(inQuery && queryName(name)) {
		return 0, 0
	}
	v := value{scanner: t, name: name, nameEnd: end, query: inQuery}
	if !v.assigned() {
		return 0, 0
	}
	return v.extent()
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
	i := v.nameEnd
	i = v.quotes(i)
	quotedKey := i > v.nameEnd
	if quotedKey && v.byte(i) == ']' {
		i++
	}
	gap := v.blanks(i)
	switch c := v.byte(gap); {
	case c == '=' && v.byte(gap+1) != '=' && v.byte(gap+1) != '~':
		if i = gap + 1; v.byte(i) == '>' {
			i++
		}
		if gap > v.nameEnd { // x = y is no assignment of a shell, where a blank ends it
			i = v.blanks(i)
		}
	case c == ':' && v.byte(gap+1) != ':' && !strings.HasPrefix(v.s[gap:], "://"):
		v.colon = true
		if i = gap + 1; v.byte(i) == '=' {
			i, v.colon = i+1, false
		}
		i = v.blanks(i)
	case (c == '+' || c == '?') && v.byte(gap+1) == '=':
		i = v.blanks(gap + 2)
	case c == ',' && quotedKey && v.at > 1 && v.before('('):
		i = v.blanks(gap + 1)
		if q := v.byte(i); q != '"' && q != '\'' {
			return false
		}
	case gap > i && (v.name[0] == '-' || v.configures()):
		if i = gap; v.byte(i) == '-' {
			return false
		}
	default:
		return false
	}
	v.start = i
	if i >= len(v.s) || blank(v.s[i]) || v.name == "pass" && (i > v.nameEnd+1) { // a word of its own, too: ('pass', 'fail'), PASS: ok
		return false
	}
	for _, open := range [...]string{"$(", "`", "<(", "{{", "${{"} { // what makes the value, not the value
		if strings.HasPrefix(v.s[i:], open) {
			return false
		}
	}
	return true
}

// configures reports whether the word before the value is a key that a command
// is told to set: git config user.token X, aws configure set aws_secret_access_key X.
func (v *value) configures() bool {
	return compound(v.name) && (v.has("config") || v.has("configure") || v.has("set") || v.has("setx"))
}

// compound reports whether a name is made of parts, so that it is no word of a sentence.
func compound(name string) bool {
	for i := range len(name) {
		if c := name[i]; c == '.' || c == '_' || c == '-' || c >= 'A' && c <= 'Z' {
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
	if c := t.byte(j); c == '"' || c == '\'' {
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

// extent returns how far the value reaches.
func (v *value) extent() (from, to int) {
	i := v.start
	if v.byte(i) == '$' && (v.byte(i+1) == '\'' || v.byte(i+1) == '"') {
		i++
	}
	open := i
	if i = v.quotes(i); i > open {
		to = v.closing(i, v.s[open:i])
		if from = i; header(v.name) {
			from += scheme(v.s[i:to])
		}
		if rest := to + i - open; !v.colon && v.quote == 0 && rest < len(v.s) && !v.ends(v.s[rest], 0) && v.s[rest] != ',' {
			to = v.unquoted(rest)
			from = open
		}
		return v.keepReference(from, to)
	}
	switch {
	case v.colon && (header(v.name) || v.lineStart()):
		from = i + scheme(v.s[i:])
		to = v.lineEnd(from)
	case v.quote != 0 && v.opened == v.at && !v.isScript() && !v.query && strings.IndexByte(v.name, '-') != 0:
		from, to = i, v.closing(i, v.s[v.at-1:v.at])
		if semi := strings.IndexByte(v.s[from:to], ';'); semi >= 0 && strings.Contains(v.s[from+semi:to], "=") {
			to = from + semi // one part of a connection string
		}
	default:
		from = i + scheme(v.s[i:])
		to = v.unquoted(from)
	}
	if v.colon {
		for to > from && strings.IndexByte(",})]", v.s[to-1]) >= 0 && !strings.ContainsAny(v.s[from:to], "{([") {
			to--
		}
	}
	return v.keepReference(from, to)
}

// closing returns where the text that a quotation mark opened ends: at the same
// mark with the same backslashes, or at the end.
func (t *scanner) closing(i int, mark string) int {
	for ; i < len(t.s); i++ {
		if strings.HasPrefix(t.s[i:], mark) && (i == 0 || t.s[i-1] != '\\') {
			return i
		}
		if len(mark) == 1 && t.s[i] == '\\' {
			i++
		}
	}
	return len(t.s)
}

// lineEnd is where a line ends, or the quoted text it stands in.
func (t *scanner) lineEnd(i int) int {
	for ; i < len(t.s) && t.s[i] != '\n'; i++ {
		if t.s[i] == t.quote && t.quote != 0 {
			return i
		}
		if t.quote == 0 && (t.s[i] == '"' || t.s[i] == '\'') {
			return i
		}
	}
	return i
}

// lineStart reports whether the name is the first word of its line.
func (v *value) lineStart() bool {
	i := v.at
	for i > 0 && strings.IndexByte(" \t-", v.s[i-1]) >= 0 {
		i--
	}
	return (i == 0 || v.s[i-1] == '\n' || v.quote != 0 && i == v.opened) && blank(v.s[v.start-1])
}

// isScript reports whether the quoted text around the position is given to a shell.
func (t *scanner) isScript() bool {
	before := strings.TrimRight(t.s[:max(t.opened-1, 0)], " ")
	last := before[strings.LastIndexByte(before, ' ')+1:]
	return len(last) > 1 && last[0] == '-' && last[1] != '-' && last[len(last)-1] == 'c' || last == "eval"
}

// unquoted returns the end of a shell word from i on.
func (v *value) unquoted(i int) int {
	outer, quote := v.quote, v.quote
	for ; i < len(v.s); i++ {
		c := v.s[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0 && quote == c:
			quote, outer = 0, 0
		case quote == 0 && (c == '"' || c == '\'') && !v.colon:
			quote = c
		case outer != 0 && c == '`' || quote == 0 && (c == '"' || c == '\''):
			return i
		case v.query && (c == '&' || c == '#'):
			return i
		case (quote == 0 || quote == outer) && v.ends(c, outer):
			return i
		}
	}
	return min(i, len(v.s))
}

// ends reports characters that end a word, in the quote outer.
func (v *value) ends(c, outer byte) bool {
	return blank(c) || c == ';' || outer == 0 && strings.IndexByte("&|<>()`", c) >= 0
}

// keepReference leaves a value alone that only says where the secret is: $X,
// ${X}, $(...), %X%, and words that are no values.
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
	if s[0] == '%' && len(s) > 2 && s[len(s)-1] == '%' && names(s[1:len(s)-1]) {
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

// names reports whether s is a name and nothing else.
func names(s string) bool {
	for i := range len(s) {
		if !word(s[i]) {
			return false
		}
	}
	return s != "" && !digit(s[0])
}

// findProse finds a long value behind a secret word in running text.
func findProse(t *scanner, _ *Shape) (from, to int) {
	switch t.s[t.at] | 0x20 {
	case 't', 's', 'p', 'a', 'c':
	default:
		return 0, 0
	}
	end := t.at
	for end < len(t.s) && letter(t.s[end]) && end-t.at <= len("credentials") {
		end++
	}
	switch strings.ToLower(t.s[t.at:end]) {
	case "token", "secret", "password", "passphrase", "apikey", "credential", "credentials", "passwd":
	default:
		return 0, 0
	}
	i := end
	for range 2 {
		i = t.blanks(i)
		switch rest := t.s[i:]; {
		case strings.HasPrefix(rest, "is "), strings.HasPrefix(rest, "as "):
			i += 3
		case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
			i++
		}
	}
	if i = t.quotes(t.blanks(i)); i == end {
		return 0, 0
	}
	from = i
	for i < len(t.s) && !blank(t.s[i]) && t.s[i] != '"' && t.s[i] != '\'' {
		i++
	}
	if s := t.s[from:i]; i-from >= 16 && random(s) && strings.IndexByte("/~.$-", s[0]) < 0 && !strings.Contains(s, "://") {
		return from, i
	}
	return 0, 0
}
