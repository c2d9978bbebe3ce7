package redact

import (
	"slices"
	"strings"
)

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

// Name reports whether what is assigned to a name is likely to be secret:
// GITHUB_TOKEN, --api-key, clientSecret, PGPASSWORD.
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
	for _, q := range query {
		if strings.EqualFold(name, q) {
			return true
		}
	}
	return false
}

// header reports names of headers whose value goes on to the end of the line;
// -H may precede one without a blank.
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
