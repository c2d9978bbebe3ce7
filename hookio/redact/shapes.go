package redact

import (
	"strings"
)

// A Shape is one kind of secret. testdata/secrets.tsv has examples, which are its test
// and its fuzz seeds: what is in «» must not survive, the rest must.
type Shape struct {
	Name     string
	Doc      string // what it looks like, and what stays visible
	Prefixes []string
	Min      int // characters after the prefix, at least
	find     func(*scanner, *Shape) (from, to int)
}

// Shapes are tried in order at every word.
var Shapes = [...]Shape{
	{
		Name: "private key", Doc: "PEM and OpenPGP blocks whose label holds PRIVATE KEY; the BEGIN and END lines stay", find: findPEM,
	},
	{
		Name: "AWS access key", Doc: "AKIA and similar prefixes with 16 capitals and digits", find: findPrefix, Min: 16,
		Prefixes: []string{"AKIA", "ASIA", "ABIA", "ACCA"},
	},
	{
		Name: "Slack token", Doc: "xoxb-, xoxp-, xapp- and so on; paths of incoming webhooks, also Discord's and Teams'", find: findPrefix, Min: 10,
		Prefixes: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxc-", "xoxd-", "xapp-", "hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "outlook.office.com/webhook/"},
	},
	{
		Name: "Google key", Doc: "AIza API keys, ya29. access tokens, GOCSPX- client secrets", find: findPrefix, Min: 20,
		Prefixes: []string{"AIza", "ya29.", "GOCSPX-"},
	},
	{
		Name: "other issuers' tokens", Doc: "what the next shape does not see: hexadecimal ones, short ones, marks with a digit or a dot", find: findPrefix, Min: 16,
		Prefixes: []string{"glpat-", "glagent-", "r8_", "dop_v1_", "doo_v1_", "hvs.", "hvb.", "dapi", "SG.", "shpat_", "shpss_", "shpca_", "sq0atp-", "sq0csp-", "dp.pt.", "dp.st.", "pul-", "PMAK-", "glc_",
			"key-", "AGE-SECRET-KEY-", "EAACEdEose0cBA", "rubygems_"},
	},
	{
		Name: "token with a mark", Doc: "letters and _ or -, once or several times, and 20 or more characters that look made by a machine; the mark stays", find: findMarked, Min: 20,
		Prefixes: []string{"_", "-"},
	},
	{
		Name: "JSON web token", Doc: "eyJ..., three parts with dots between them", find: findJWT, Min: 20,
		Prefixes: []string{"eyJ"},
	},
	{
		Name: "password in a URL", Doc: "the text between : and @ before a host, or a long text alone before @; scheme, user and host stay", find: findURL,
	},
	{
		Name: "authorization", Doc: "what follows Bearer, Basic and the like, in a header or alone; the scheme stays", find: findScheme,
	},
	{
		Name: "option of a program", Doc: "passwords in options specific to one program: mysql -p, curl -u, sshpass -p and others; the user stays", find: findProgram,
	},
	{
		Name: "named value", Doc: "the value of a name such as TOKEN, SECRET, PASSWORD or API_KEY, after =, : or as the next word of an option; the name stays, and so do references such as $TOKEN", find: findNamed,
	},
	{
		Name: "value after a secret word", Doc: "a long word of letters and digits that follows token, secret, password or the like in running text", find: findProse,
	},
}

// findPEM finds the body of a private key.
func findPEM(t *scanner, _ *Shape) (from, to int) {
	rest := t.rest()
	if !strings.HasPrefix(rest, "-----BEGIN ") {
		return 0, 0
	}
	label := strings.Index(rest[11:], "-----")
	if label < 0 || label > 64 || !strings.Contains(rest[:11+label], "PRIVATE KEY") {
		return 0, 0
	}
	start := 11 + label + 5
	end := strings.Index(rest[start:], "-----END ")
	if end < 0 {
		return t.at + start, len(t.s)
	}
	return t.at + start, t.at + start + end
}

// findPrefix finds a token whose issuer marks it.
func findPrefix(t *scanner, p *Shape) (from, to int) {
	for _, prefix := range p.Prefixes {
		if prefix[0] != t.s[t.at] || !strings.HasPrefix(t.rest(), prefix) {
			continue
		}
		in := inToken
		switch prefix[len(prefix)-1] {
		case '.':
			in = inJWT
		case '/':
			in = inBase64
		}
		from = t.at + len(prefix)
		if to = t.head(from, in); to-from >= p.Min && random(t.s[from:to]) && (!common(prefix) || dense(t.s[from:to])) {
			return from, t.run(to, in)
		}
	}
	return 0, 0
}

// random reports whether a text looks machine-made: with digits, or capitals and small letters.
func random(s string) bool {
	digits, upper, lower := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case digit(c):
			digits++
		case capital(c):
			upper++
		case letter(c):
			lower++
		}
	}
	mixed := digits > 0 && upper+lower > 0 || upper > 2 && lower > 2
	return mixed || digits > 7 || upper > 15
}

// common reports prefixes that start words, too: key-value-store.
func common(prefix string) bool { return prefix == "key-" || prefix == "pul-" }

// findMarked finds a token of any issuer: a mark of letters, and characters that no person chose.
func findMarked(t *scanner, p *Shape) (from, to int) {
	from = t.at + mark(t.rest())
	to = t.head(from, inToken)
	if from == t.at || to-from < p.Min || isID(t.s[t.at:from]) || !made(t.s[from:to]) {
		return 0, 0
	}
	if end := strings.IndexByte(t.s[from:to], '\\'); end >= 0 && t.onDrive() { // it separates, and joins nothing
		if to = from + end; end < p.Min || !made(t.s[from:to]) {
			return 0, 0
		}
		return from, to
	}
	return from, t.run(to, inToken)
}

// onDrive reports whether the word so far is a path on a drive of Windows.
func (t *scanner) onDrive() bool {
	const most = 260
	before := t.s[max(0, t.at-most):t.at]
	w := before[strings.LastIndexAny(before, " \t\n\"'`(=")+1:]
	return len(w) > 2 && letter(w[0]) && w[1] == ':' && w[2] == '\\'
}

// mark is the length of the mark that a text begins with: up to 16 letters and _ or -, once or more.
func mark(s string) (n int) {
	for i := 0; i < len(s) && i-n <= 16; i++ {
		if separates := s[i] == '_' || s[i] == '-'; separates && i > 0 {
			n = i + 1
		} else if !letter(s[i]) {
			break
		}
	}
	return n
}

// made reports whether 12 letters and digits in a row look machine-made, and not like a hash.
func made(s string) bool {
	between := func(r rune) bool { return r == '-' || r == '_' }
	for part := range strings.FieldsFuncSeq(strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(s), between) {
		hex := strings.Trim(part, "0123456789abcdef") == "" || strings.Trim(part, "0123456789ABCDEF") == ""
		if len(part) >= 12 && !hex && mixed(part) {
			return true
		}
	}
	return false
}

// mixed reports whether digits, capitals and small letters alternate more than in names and dates.
func mixed(s string) bool {
	of, changes := [3]int{}, 0
	for i := range len(s) {
		of[kind(s[i])]++
		if i > 0 && kind(s[i]) != kind(s[i-1]) {
			changes++
		}
	}
	digits, capitals := of[0], of[1]
	if digits < 2 {
		return capitals >= 5 && changes*5 >= len(s)*2
	}
	long := len(s) >= 20 && digits >= 4
	return len(s)-digits >= 4 && (long || changes >= 3)
}

func kind(c byte) int {
	switch {
	case digit(c):
		return 0
	case capital(c):
		return 1
	}
	return 2
}

// isID reports whether a mark is one of the ids that agent programs give to calls and messages.
func isID(mark string) bool {
	const ids = " toolu srvtoolu msg call req chatcmpl resp thread run agent session task "
	return strings.Contains(ids, " "+strings.TrimRight(mark, "_-")+" ")
}

// dense reports whether 12 letters and digits in a row look made by a machine.
func dense(s string) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (letter(s[i]) || digit(s[i])) {
			continue
		}
		if i-start >= 12 && random(s[start:i]) {
			return true
		}
		start = i + 1
	}
	return false
}

func findJWT(t *scanner, p *Shape) (from, to int) {
	if !strings.HasPrefix(t.rest(), p.Prefixes[0]) {
		return 0, 0
	}
	to = t.head(t.at, inJWT)
	if token := t.s[t.at:to]; len(token) < p.Min || strings.Count(token, ".") < 2 && to-t.at < maxToken-1 {
		return 0, 0
	}
	return t.at, t.run(to, inJWT)
}

// schemes are the first words of an Authorization header.
var schemes = [...]string{"bearer", "basic", "token", "digest", "negotiate", "apikey", "aws4-hmac-sha256", "ntlm",
	"hawk", "bot"}

// scheme returns the length of an authorization scheme and the blanks after it, 0 if s starts with none.
func scheme(s string) int {
	for _, name := range schemes {
		if len(s) > len(name) && s[len(name)] == ' ' && strings.EqualFold(s[:len(name)], name) {
			n := len(name)
			for n < len(s) && s[n] == ' ' {
				n++
			}
			return n
		}
	}
	return 0
}

// findScheme finds credentials after Bearer without a header name; findNamed does those with one.
func findScheme(t *scanner, _ *Shape) (from, to int) {
	rest := t.rest()
	if rest[0]|0x20 != 'b' {
		return 0, 0
	}
	if n := scheme(rest); n > 0 {
		from = t.at + n
		to = t.head(from, inBase64)
		if to-from >= 8 && random(t.s[from:to]) {
			return t.keepReference(from, t.run(to, inBase64))
		}
	}
	return 0, 0
}

// findProse finds a long value after a secret word in running text.
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
	for i < len(t.s) && !blank(t.s[i]) && !quotationMark(t.s[i]) {
		i++
	}
	if s := t.s[from:i]; i-from >= 16 && random(s) && strings.IndexByte("/~.$-", s[0]) < 0 &&
		!strings.Contains(s, "://") {
		return from, i
	}
	return 0, 0
}
