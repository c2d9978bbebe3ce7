package report

import (
	_ "embed" // of the names
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/decide/guard"
)

// nameLists has words in lists, each line with the name of its list and a tab before them.
//
//go:embed names.txt
var nameLists string

// listed reports whether a list of names.txt has a word.
func listed(list, word string) bool {
	for line := range strings.Lines(nameLists) {
		words, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), list+"\t")
		if ok && shell.Among(words, word) {
			return true
		}
	}
	return false
}

// placeholders are what is written for private names.
const placeholders = "home user project host private site.example.com dir file redacted value srv users"

// known reports whether a name of a file or folder says nothing about whose it is.
func known(name string) bool {
	low := lowerASCII(name)
	program := commands.Find(low)
	if program.Known() || inTables(low) || listed("names", low) {
		return true
	}
	return numbered(low) || listed("extensions", low) || shell.Among(placeholders, low)
}

// numbered reports whether a name was written here.
func numbered(name string) bool {
	stem := strings.TrimRight(name, "0123456789")
	return len(stem) < len(name) && shell.Among("dir file host site private", stem)
}

// inTables reports whether a name is a component of what holds secrets or runs later.
func inTables(name string) bool {
	has := func(p string) bool { return component(p, name) }
	for i := range guard.Sensitives {
		if slices.ContainsFunc(guard.Sensitives[i].Paths, has) {
			return true
		}
	}
	for i := range guard.Secrets {
		if slices.ContainsFunc(guard.Secrets[i].Paths, has) {
			return true
		}
	}
	return false
}

// component reports whether a path without patterns has a component.
func component(pattern, name string) bool {
	return !strings.ContainsAny(name, "*?") && slices.Contains(strings.Split(pattern, "/"), name)
}

// name returns what is written for a name that is no host; in a path it may be any file's.
func (n *Neutral) name(name string, inPath bool) string {
	if long, ok := n.number(name); ok {
		return long
	}
	trimmed := strings.TrimRight(name, ".")
	end := name[len(trimmed):] // of a sentence
	ext := fileExtension(trimmed)
	before := ""
	for _, special := range [...]string{".env.", "id_", "."} { // what tables of secrets go by
		if strings.HasPrefix(trimmed, special) {
			before = special
			break
		}
	}
	inPath = inPath || len(before) > 1
	stem := "file"
	if ext == "" {
		stem = "dir"
	}
	switch plain := strings.Trim(trimmed, "._-+%"); {
	case !inPath && (ext == "" || strings.HasPrefix(trimmed, "-")):
		return name // a word, or an option
	case len(plain)-len(ext) <= 2, known(trimmed), n.keeps(trimmed), strings.Trim(plain, "0123456789.") == "":
		return name
	case numbered(strings.TrimSuffix(trimmed[len(before):], ext)):
		return name
	}
	return before + n.as(trimmed, stem) + ext + end
}

func (n *Neutral) keeps(name string) bool { return slices.Contains(n.keep, name) }

// fileExtension is the end of a name that says what kind of file it is, "" for none.
func fileExtension(name string) string {
	ext := path.Ext(name)
	if len(ext) < 2 || len(ext) == len(name) || !listed("extensions", lowerASCII(ext[1:])) {
		return ""
	}
	switch more := path.Ext(name[:len(name)-len(ext)]); more {
	case ".tar", ".test", ".spec", ".d", ".config":
		return more + ext
	}
	return ext
}

// number replaces the digits of what may be an account, a telephone or a commit.
func (n *Neutral) number(name string) (text string, ok bool) {
	digits, hex := 0, 0
	for i := range len(name) {
		switch c := name[i]; {
		case c >= '0' && c <= '9':
			digits++
			hex++
		case c|0x20 >= 'a' && c|0x20 <= 'f', c == '-':
			hex++
		}
	}
	account := digits == len(name) && digits >= 9
	id := hex == len(name) && hex >= 16 && digits >= 4
	if !account && !id {
		return "", false
	}
	b := []byte(name)
	for i, c := range b {
		if c != '-' {
			b[i] = '0'
		}
	}
	return string(b), true
}

// hostName returns what is written for a name with dots that is one of a host.
func (n *Neutral) hostName(name string) (host string, ok bool) {
	low := lowerASCII(strings.TrimRight(name, "."))
	dot := strings.LastIndexByte(low, '.')
	if dot < 1 || low[0] == '.' || low[0] == '-' || strings.ContainsAny(low, "_+% ") {
		return "", false
	}
	if !listed("top-levels", low[dot+1:]) || listed("extensions", low[dot+1:]) || n.keeps(name) {
		return "", false
	}
	return n.host(low) + name[len(low):], true
}

// host replaces the name of a host, with the structure that rules look at.
func (n *Neutral) host(name string) string {
	low := lowerASCII(name)
	if low == "" || strings.ContainsAny(low, "$*") && !strings.Contains(low, ".") || n.keeps(name) {
		return name
	}
	if _, text := (&scan{Neutral: n, s: low}).address(0); text != "" {
		return text
	}
	labels := strings.Split(low, ".")
	if len(labels) == 1 {
		return n.label(low)
	}
	own := max(len(labels)-2, 0)
	if len(labels) > 2 && len(labels[len(labels)-1]) == 2 && shell.Among("co com ac gov org net", labels[len(labels)-2]) {
		own--
	}
	domain := strings.Join(labels[own:], ".")
	if !listed("hosts", domain) {
		tail := ".example.com"
		if last := labels[len(labels)-1]; shell.Among("internal local lan corp home test", last) {
			tail = "." + last
		}
		if !strings.HasPrefix(domain, "site") || !numbered(strings.TrimSuffix(domain, tail)) {
			domain = n.as(domain, "site") + tail
		}
	}
	for i := own - 1; i >= 0; i-- {
		domain = n.label(labels[i]) + "." + domain
	}
	return domain
}

// label is what is written for a part of the name of a host.
func (n *Neutral) label(name string) string {
	switch {
	case len(name) <= 2, listed("labels", name), numbered(name), strings.ContainsAny(name, "*$"), n.keeps(name):
		return name
	}
	return n.as(name, "host")
}
