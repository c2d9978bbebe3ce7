// Package report makes a call fit for a public issue: without secrets and private names, and decided as before, under
// made-up settings on a made-up disk with nothing but what the report shows.
package report

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// Redacted is a secret in a report: a plain word, for redact.Mark would be a shell pattern.
const Redacted = "REDACTED"

// A Place is what is private about where a call was made.
type Place struct {
	Homes, Projects []string // the spellings of each, absolute
	Users, Hosts    []string
	Hide, Keep      []string // names that are to be replaced, or not, in any case
	OS              rules.OS
}

// A Neutral replaces what is private in texts, a name always by the same one. It does not change what it returned.
type Neutral struct {
	Home, Project string // what is written for them

	places  []prefix
	words   []word
	keep    []string
	secrets []string // the values of those that were seen, which may be elsewhere by themselves
	names   map[string]string
	counts  map[string]int
	scp     bool // a user@host is the text's, and no version of a package
}

// A prefix is a folder, and what is written for it.
type prefix struct{ dir, as string }

// A word is a private name wherever it is in a text, in whatever case.
type word struct{ name, as string }

// New returns the Neutral of a place.
func New(p Place) *Neutral {
	n := &Neutral{Home: "/home/user", keep: p.Keep, names: map[string]string{}, counts: map[string]int{}}
	if p.OS == rules.MacOS {
		n.Home = "/Users/user"
	}
	n.Project = "/srv/project"
	p.Homes, p.Projects = p.spelled(p.Homes), p.spelled(p.Projects)
	for _, dir := range p.Projects {
		n.place(dir, "")
		for _, home := range p.Homes {
			rest, below := strings.CutPrefix(dir, strings.TrimRight(home, "/")+"/")
			switch {
			case below && strings.Contains(rest, "/"): // what is above it is not the home
				n.Project = n.Home + "/work/project"
			case below:
				n.Project = n.Home + "/project"
			}
		}
	}
	for i := range n.places {
		n.places[i].as = n.Project
		n.hide(lastOf(n.places[i].dir), "project", false)
	}
	for _, dir := range p.Homes {
		n.place(dir, n.Home)
		n.hide(lastOf(dir), "user", false)
	}
	slices.SortStableFunc(n.places, func(a, b prefix) int { return cmp.Compare(len(b.dir), len(a.dir)) })
	for _, name := range p.Users {
		n.hide(name, "user", false)
	}
	for _, name := range p.Hosts {
		n.hide(name, "host", false)
		short, _, _ := strings.Cut(name, ".")
		n.hide(short, "host", false)
	}
	for _, name := range p.Hide {
		n.hide(name, "", true)
	}
	slices.SortStableFunc(n.words, func(a, b word) int { return cmp.Compare(len(b.name), len(a.name)) })
	return n
}

// spelled are folders in the spellings of the system: on Windows C:\dir, C:/dir and /c/dir.
func (p *Place) spelled(dirs []string) (out []string) {
	for _, dir := range dirs {
		native := p.OS.Native(dir)
		out = append(out, native, p.OS.Slashes(native), p.OS.Canon(dir))
	}
	return out
}

// place adds a folder in the spellings a text may have of it. The root is left out.
func (n *Neutral) place(dir, as string) {
	dir = strings.TrimRight(dir, `/\`)
	if len(dir) < 2 {
		return
	}
	n.places = append(n.places, prefix{dir, as})
	if strings.Contains(dir, " ") { // as words of a shell
		n.places = append(n.places, prefix{strings.ReplaceAll(dir, " ", `\ `), as})
	}
}

func lastOf(dir string) string { return dir[strings.LastIndexAny(dir, `/\`)+1:] }

// hide replaces a name from now on, one known to everyone only if the user says so.
func (n *Neutral) hide(name, as string, always bool) {
	switch {
	case len(name) < 2, !always && known(name), slices.Contains(n.keep, name):
		return
	case as == "":
		as = n.next("private")
	}
	n.words = append(n.words, word{name, as})
}

// next is a name that was not given yet.
func (n *Neutral) next(stem string) string {
	n.counts[stem]++
	return stem + strconv.Itoa(n.counts[stem])
}

// Text returns a text without what is private in it.
func (n *Neutral) Text(s string) string {
	s = n.redacted(strings.ToValidUTF8(s, "\uFFFD"))
	for _, p := range n.places {
		s = replaceDir(s, p.dir, p.as)
	}
	return n.tokens(n.Names(s))
}

// Names replaces only names of users, folders and machines, and those to hide: for names of tools and unquoted texts.
func (n *Neutral) Names(s string) string {
	for _, w := range n.words {
		s = replaceWord(s, w.name, w.as)
	}
	return s
}

func (n *Neutral) texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = n.Text(s)
	}
	return out
}

// redacted takes the secrets out of a text, also those that another one announced.
func (n *Neutral) redacted(s string) string {
	clean, hit := redact.Text(s)
	if hit {
		n.learn(s, clean)
	}
	s = strings.ReplaceAll(clean, redact.Mark, Redacted)
	for _, secret := range n.secrets {
		s = strings.ReplaceAll(s, secret, Redacted)
	}
	return s
}

// learn keeps the values that were replaced in a text.
func (n *Neutral) learn(s, clean string) {
	const least = 4 // a shorter one is in too many words
	parts := strings.Split(clean, redact.Mark)
	s = strings.TrimPrefix(s, parts[0])
	for _, after := range parts[1:] {
		end := strings.Index(s, after)
		if after == "" {
			end = len(s)
		}
		if end < 0 {
			return
		}
		secret := strings.Trim(s[:end], `"'`)
		if len(secret) >= least && !strings.Contains(Redacted, secret) {
			n.secrets = append(n.secrets, secret)
		}
		s = s[end+len(after):]
	}
}

// replaceDir replaces a folder where its name ends.
func replaceDir(s, dir, as string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, dir)
		if i < 0 {
			return b.String() + s
		}
		end := i + len(dir)
		b.WriteString(s[:i])
		if r, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && inName(r) {
			b.WriteString(dir)
		} else {
			b.WriteString(as)
		}
		s = s[end:]
	}
}

// wholeWord is the length from which on a name is replaced within longer words, too.
const wholeWord = 4

// replaceWord replaces a name in any case; a short one only as a word of its own.
func replaceWord(s, name, as string) string {
	lower, low := lowerASCII(s), lowerASCII(name)
	var b strings.Builder
	last := 0
	for i := 0; i+len(low) <= len(s); {
		end := i + len(low)
		alone := !letterAt(s, i-1) && !letterAt(s, end)
		if lower[i:end] != low || !alone && len(low) < wholeWord {
			i++
			continue
		}
		b.WriteString(s[last:i] + as)
		last, i = end, end
	}
	return b.String() + s[last:]
}

// lowerASCII keeps the length of a text, which strings.ToLower does not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// letterAt reports whether a letter or a digit is at a position, which may not exist.
func letterAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	return s[i] >= utf8.RuneSelf || alphanumeric(s[i])
}

func alphanumeric(c byte) bool {
	if c >= '0' && c <= '9' {
		return true
	}
	return c|0x20 >= 'a' && c|0x20 <= 'z'
}

// A File is a settings file of a scene.
type File struct{ Name, Text string }

// An entry is one line of a settings file: an element of a list, or the value of a key.
type entry struct {
	file, key, value string // the value as JSON
	list             bool
}

// rules are the rules that match the call for certain, or that may match it, made neutral.
func (s *Stage) rules(sure bool) []entry {
	var out []entry
	for _, h := range s.Case.Facts().Hits() {
		e := s.entryOf(h.Rule)
		if h.Sure == sure && isSettings(e.file) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// entryOf is a rule as its file has it.
func (s *Stage) entryOf(r *rules.Rule) entry {
	list, text := r.List.String(), s.Text(r.Text)
	p := &s.Case.Policy.Posture
	e := entry{file: s.Text(r.Pos.File), key: list, value: quoted(text), list: true}
	switch {
	case oneOf(p.ContentExclusion, r):
		e.key, e.value = "contentExclusion", quoted(strings.TrimSuffix(strings.TrimPrefix(text, "Read("), ")"))
	case oneOf(p.URLs, r):
		e.key = "urls"
	case path.Base(r.Pos.File) == posture:
		e.key, e.value = "rules", "{"+quoted(list)+": "+quoted(text)+"}"
	}
	return e
}

func oneOf(list []rules.Rule, r *rules.Rule) bool {
	for i := range list {
		if &list[i] == r {
			return true
		}
	}
	return false
}

const posture = "permgate.json"

func (s *Stage) values() []entry {
	var out []entry
	add := func(pos rules.Pos, e entry) {
		if e.file = s.Text(pos.File); isSettings(e.file) {
			out = append(out, e)
		}
	}
	for i := range s.Settings {
		if v := &s.Settings[i]; v.Value != "" && plainValue(v.Value) {
			add(v.Pos, entry{key: v.Name, value: literal(v.Value)})
		}
	}
	for _, d := range s.Case.Policy.Dirs {
		add(d.Pos, entry{key: "additionalDirectories", list: true, value: quoted(s.Text(d.Path.Given))})
	}
	return out
}

// plainValue accepts words and numbers: what has other characters is a text.
func plainValue(value string) bool {
	return strings.Trim(lowerASCII(value), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func literal(value string) string {
	if _, err := strconv.Atoi(value); err == nil || value == "true" || value == "false" {
		return value
	}
	return quoted(value)
}

func quoted(text string) string { return string(hookio.AppendJSON(nil, text)) }

func files(settings []entry) []File {
	var names []string
	for _, e := range settings {
		if !slices.Contains(names, e.file) {
			names = append(names, e.file)
		}
	}
	slices.Sort(names)
	var out []File
	for _, name := range names {
		members := membersOf(settings, name)
		text := "{" + strings.Join(members, ", ") + "}"
		if path.Base(name) != posture {
			text = `{"permissions": ` + text + "}"
		}
		out = append(out, File{name, text + "\n"})
	}
	return out
}

func membersOf(settings []entry, file string) []string {
	var keys, out []string
	for _, e := range settings {
		if e.file == file && !slices.Contains(keys, e.key) {
			keys = append(keys, e.key)
		}
	}
	for _, key := range keys {
		var values []string
		list := false
		for _, e := range settings {
			if e.file == file && e.key == key {
				values, list = append(values, e.value), e.list
			}
		}
		value := strings.Join(values, ", ")
		if list {
			value = "[" + value + "]"
		}
		out = append(out, quoted(key)+": "+value)
	}
	return out
}
