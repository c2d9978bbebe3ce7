package redact

import (
	"slices"
	"strings"
)

// A programOption is an option that carries a password, and means something else to other programs.
type programOption struct {
	programs []string
	with     string // a further word the command must hold: docker -p is a port, but not after login
	option   string // "-p"; "" is the operand after the word with
	attached bool   // the value follows without a blank
	apart    bool   // the value is the next word
	after    string // only what follows one of these characters is secret: user:password
}

var programOptions = [...]programOption{
	{programs: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mariadb", "mariadb-dump", "mycli"}, option: "-p", attached: true},
	{programs: []string{"7z", "7za", "7zr", "rar", "unrar"}, option: "-p", attached: true},
	{programs: []string{"sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "rdesktop"}, option: "-p", attached: true, apart: true},
	{programs: []string{"docker", "podman", "buildah", "skopeo", "nerdctl", "helm", "az", "oc", "cf", "crane", "oras"}, with: "login", option: "-p", attached: true, apart: true},
	{programs: []string{"twine"}, with: "upload", option: "-p", apart: true},
	{programs: []string{"poetry"}, with: "publish", option: "-p", apart: true},
	{programs: []string{"cqlsh", "snowsql"}, option: "-p", apart: true},
	{programs: []string{"useradd", "usermod"}, option: "-p", apart: true},
	{programs: []string{"ssh-keygen"}, option: "-N", attached: true, apart: true},
	{programs: []string{"dotnet"}, with: "push", option: "-k", apart: true},
	{programs: []string{"netlify"}, option: "--auth", attached: true, apart: true},
	{programs: []string{"curl"}, option: "-u", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "-U", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "--user", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "--proxy-user", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "-E", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "--cert", attached: true, apart: true, after: ":"},
	{programs: []string{"curl"}, option: "-b", attached: true, apart: true},
	{programs: []string{"http", "https", "xh", "xhs"}, option: "-a", attached: true, apart: true, after: ":"},
	{programs: []string{"http", "https", "xh", "xhs"}, option: "--auth", attached: true, apart: true, after: ":"},
	{programs: []string{"redis-cli", "valkey-cli", "keydb-cli"}, option: "-a", apart: true},
	{programs: []string{"sqlcmd", "bcp", "zip", "unzip", "mosquitto_pub", "mosquitto_sub"}, option: "-P", attached: true, apart: true},
	{programs: []string{"ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami"}, option: "-w", attached: true, apart: true},
	{programs: []string{"smbclient", "rpcclient"}, option: "-U", attached: true, apart: true, after: "%"},
	{programs: []string{"lftp"}, option: "-u", apart: true, after: ","},
	{programs: []string{"openssl"}, option: "-k", apart: true},
	{programs: []string{"gh"}, with: "secret", option: "-b", apart: true},
	{programs: []string{"gh"}, with: "secret", option: "--body", attached: true, apart: true},
	{programs: []string{"doctl", "flyctl", "fly"}, option: "-t", apart: true},
}

// programOperands are passwords that are no option's.
var programOperands = [...]programOption{
	{programs: []string{"cargo"}, with: "login", apart: true},
	{programs: []string{"ngrok"}, with: "add-authtoken", apart: true},
	{programs: []string{"ngrok"}, with: "authtoken", apart: true},
	{programs: []string{"vault"}, with: "login", apart: true},
}

// findProgram finds a password in an option of a known program.
func findProgram(t *scanner, _ *Shape) (from, to int) {
	switch {
	case !t.startsWord():
		return 0, 0
	case t.s[t.at] != '-':
		return t.operand()
	}
	letters := t.at + 1
	for letters < len(t.s) && letter(t.s[letters]) {
		letters++
	}
	cluster := letters-t.at > 2
	for i := range programOptions {
		o := &programOptions[i]
		if !cluster && o.option[1] != t.byte(t.at+1) {
			continue // most are about another letter
		}
		if start := o.value(t, t.s[t.at:letters]); start > 0 && o.given(t) {
			return o.extent(t, start)
		}
	}
	return 0, 0
}

// operand finds a password that is the word at the position.
func (t *scanner) operand() (from, to int) {
	before := strings.TrimRight(t.s[t.command:t.at], " ")
	for i := range programOperands {
		o := &programOperands[i]
		blank := len(before) - len(o.with) - 1
		if blank >= 0 && before[blank] == ' ' && before[blank+1:] == o.with && o.given(t) {
			return o.extent(t, t.at)
		}
	}
	return 0, 0
}

// extent returns how far the password reaches in the value at start.
func (o *programOption) extent(t *scanner, start int) (from, to int) {
	v := value{scanner: t, name: "-", start: start}
	from, to = v.extent()
	if o.after == "" {
		return from, to
	}
	sep := strings.IndexAny(t.s[from:to], o.after)
	if sep < 0 {
		return 0, 0
	}
	return t.keepReference(from+sep+1, to)
}

// startsWord reports whether an option, or an operand after a blank, may start at the position.
func (t *scanner) startsWord() bool {
	if t.at == 0 {
		return false
	}
	before := t.s[t.at-1]
	if t.s[t.at] != '-' {
		return before == ' '
	}
	return blank(before) || quotationMark(before)
}

// given reports whether the command before the position is one whose option this is.
func (o *programOption) given(t *scanner) bool {
	return slices.ContainsFunc(o.programs, t.has) && (o.with == "" || t.has(o.with))
}

// value returns where the value of the option at the position starts, or 0. cluster is its letters.
func (o *programOption) value(t *scanner, cluster string) int {
	switch {
	case strings.HasPrefix(t.rest(), o.option):
		return o.valueAfter(t, t.at+len(o.option))
	case len(o.option) == 2 && len(cluster) > 2:
		return o.valueInCluster(t, cluster)
	}
	return 0
}

// valueAfter returns where the value of an option starts whose name ends at end.
func (o *programOption) valueAfter(t *scanner, end int) int {
	short := len(o.option) == 2
	switch next := t.byte(end); {
	case next == ' ' || next == '\t':
		return t.apart(o, end)
	case next == '=' && !short:
		return end + 1
	case next != 0 && short && o.attached:
		return end
	}
	return 0
}

// maxCluster is the longest run of one-letter options that is taken for one, dash included.
const maxCluster = 6

// valueInCluster is value for an option of several letters: -sSu user:password, -sualice:password.
func (o *programOption) valueInCluster(t *scanner, cluster string) int {
	end := t.at + len(cluster)
	if t.byte(end) == ' ' && endsCluster(cluster, o.option[1]) {
		return t.apart(o, end)
	}
	if o.after == "" || !o.attached {
		return 0
	}
	if i := strings.IndexByte(cluster, o.option[1]); i > 1 && strings.Trim(cluster[1:i], "sSkLivfgN") == "" {
		return t.at + i + 1
	}
	return 0
}

// endsCluster reports whether a letter is the last of several options.
func endsCluster(cluster string, option byte) bool {
	return len(cluster) <= maxCluster && cluster[len(cluster)-1] == option
}

func (t *scanner) apart(o *programOption, i int) int {
	if i = t.blanks(i); !o.apart || i >= len(t.s) || t.s[i] == '-' {
		return 0
	}
	return i
}

// maxCommand bounds how far back the program of an option is looked for, in bytes.
const maxCommand = 1 << 10

// has reports whether the simple command so far has a word, whole or as the last part of a path.
func (t *scanner) has(name string) bool {
	before := t.s[max(min(t.command, t.at), t.at-maxCommand):t.at]
	for {
		i := strings.Index(before, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || strings.IndexByte(" \t\"'/=", before[i-1]) >= 0) &&
			(end == len(before) || strings.IndexByte(" \t\"'", before[end]) >= 0) {
			return true
		}
		before = before[i+1:]
	}
}

// Parts of names, written in small letters without - _ and dots.
var (
	// secretParts make a name secret wherever they occur in it.
	secretParts = [...]string{"password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey", "credential",
		"authorization", "connectionstring", "authtoken", "accesstoken", "sessiontoken"}
	// secretEnds make it secret at its end.
	secretEnds = [...]string{"token", "pwd", "pass", "cookie", "bearer", "accountkey", "sharedkey", "encryptionkey", "signingkey", "masterkey",
		"deploykey", "authkey", "subscriptionkey", "sshkey", "servicekey", "licensekey", "xamzsignature", "pat", "auth"}
	// plainEnds take that back: a name that ends so tells where or how, not what.
	plainEnds = [...]string{"name", "names", "file", "files", "path", "paths", "dir", "ref", "arn", "type", "version", "url", "uri", "endpoint",
		"length", "len", "count", "limit", "policy", "manager", "helper", "stdin", "fd", "jar", "env", "expiry", "ttl", "enabled", "required",
		"scanning", "provider", "store", "field", "prompt", "rotation", "size", "max", "min", "budget", "usage"}
)

// Name reports whether what a name holds is likely secret: GITHUB_TOKEN, --api-key, clientSecret.
func Name(name string) bool {
	var room [64]byte
	norm, last := normalize(room[:0], name)
	if len(norm) > 128 {
		return false
	}
	n := string(norm)
	end := strings.TrimRight(n[last:], "0123456789")
	if end == "" { // a name that ends with a separator or with digits of its own
		n = strings.TrimRight(n, "0123456789")
		end = n
	}
	if end != n && slices.Contains(plainEnds[:], end) {
		return false
	}
	for _, p := range secretParts {
		if strings.Contains(n, p) {
			return true
		}
	}
	n = strings.TrimRight(n, "0123456789")
	for _, p := range secretEnds {
		if strings.HasSuffix(n, p) {
			return endCounts(name, n, end, p)
		}
	}
	return false
}

// normalize appends a name in small letters without separators to norm, and
// returns where its last word starts there. It stops after 128 bytes.
func normalize(norm []byte, name string) (_ []byte, last int) {
	for i := range len(name) {
		c := name[i]
		if !letter(c) && !digit(c) {
			last = len(norm)
			continue
		}
		if i > 0 && capital(c) && letter(name[i-1]) && !capital(name[i-1]) {
			last = len(norm)
		}
		if norm = append(norm, lower(c)); len(norm) > 128 {
			break
		}
	}
	return norm, last
}

// passWords are words that end in pass and are no password.
var passWords = [...]string{"bypass", "compass", "encompass", "surpass", "trespass", "overpass"}

// endCounts sorts out words that happen to end like a secret one.
func endCounts(name, norm, end, p string) bool {
	switch p {
	case "pwd":
		return norm != "pwd" && norm != "oldpwd"
	case "pass":
		return !slices.Contains(passWords[:], end)
	case "pat":
		return end == "pat" && norm != "pat"
	case "auth":
		return end == "auth" && norm != "auth" || name == "_auth"
	case "cookie":
		return end == "cookie"
	}
	return true
}

func capital(c byte) bool { return c >= 'A' && c <= 'Z' }

func lower(c byte) byte {
	if capital(c) {
		return c | 0x20
	}
	return c
}

// query are parameters of a URL that carry a secret under a name that elsewhere means nothing.
var query = [...]string{"sig", "signature", "key", "code", "auth", "pw", "pwd", "pass", "hash"}

func queryName(name string) bool {
	return slices.ContainsFunc(query[:], func(q string) bool { return strings.EqualFold(name, q) })
}

// header reports headers whose value is the rest of the line; -H may precede one without a blank.
func header(name string) bool {
	for _, h := range [...]string{"authorization", "cookie"} {
		if n := len(name) - len(h); n >= 0 && strings.EqualFold(name[n:], h) {
			return true
		}
	}
	return false
}

func nameChar(c byte) bool { return word(c) || c == '-' || c == '.' }

// Value reports whether the value of a name is to be hidden: the name is
// secret, and the value more than a word for nothing or a reference ($TOKEN).
func Value(name, value string) bool {
	if name == "" || value == "" || value == Mark || !Name(name) {
		return false
	}
	t := scanner{s: value}
	from, to := t.keepReference(0, len(value))
	return from < to
}
