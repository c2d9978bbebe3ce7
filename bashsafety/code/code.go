// Package code reads program texts of other languages: what their string literals hold, and what the calls of a
// program do with these. It knows quoting, joins of literals, imports and one table of calls; it runs nothing and
// knows no types. What is built at run time stays a hole.
package code

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Verb says what a call of a program does.
type Verb uint8

const (
	RunsArgv     Verb = iota + 1 // runs Words as a command
	RunsShell                    // hands Words[0] to a shell; what is not known of it is a variable in it: ${x}
	Removes                      // removes each of Words: a file, a link or an empty folder
	RemovesTree                  // removes each of Words with all that is below
	Moves                        // takes each of Words away, to another place
	Writes                       // writes, truncates or makes each of Words, or changes its mode, owner or times
	Reads                        // reads each of Words
	Queries                      // hands a database the statement in Words[0]
	RunsDownload                 // runs, as code or by a shell, what a server answered
	Evaluates                    // runs a text that is not spelled
	Tells                        // makes something of all variables of the environment
)

// An Act is what one call does. A word that is not known whole has shell.HoleMark in place of what is not known of
// it. A leading ~ is the home.
type Act struct {
	Verb  Verb
	Words []Word
	Dir   Word // where it may be done, too, relative to where the program starts
}

// A Word is a path, an argument or a text.
type Word struct {
	Text string
	Glob bool // a pattern, as the shell has it; of what is removed also one of many names that are not known
}

// Known reports whether nothing of a word is left open.
func (w *Word) Known() bool { return !strings.Contains(w.Text, shell.HoleMark) }

// A Text is a program text that was read.
type Text struct {
	Lang    Lang
	Source  string
	Acts    []Act
	Strings []string // the literals, and what is joined of them; see Act for what is not known
	Names   []string // the names that are called or spoken of, imports resolved: subprocess.run, .unlink of a value
	Changes bool     // it seems to change files, be they known or not
	Cut     bool     // it was not read to its end: it is too long, nests too deep or makes too much

	built int     // bytes that were put together for values and acts
	args  []value // what the program is given
	dirs  []value // where it may be by now
}

// maxText bounds how much of a text is read, maxActs what is found in it, maxValue a text that is put together, and
// maxBuilt all of these: a value that is doubled 40 times is not made.
const (
	maxText  = 1 << 18
	maxActs  = 2048
	maxValue = 1 << 13
	maxBuilt = 1 << 20
)

// itemSize is what an item of a list counts as.
const itemSize = 64

// spend takes bytes of what may be built; it reports whether there are as many.
func (t *Text) spend(bytes int) bool {
	if t.built+bytes > maxBuilt {
		t.Cut, t.built = true, maxBuilt
		return false
	}
	t.built += bytes
	return true
}

// Read reads a program text. It takes time in proportion to its length and never fails: what it cannot make sense of
// it skips. The arguments of the program are as its language lists them.
func Read(lang Lang, source string, args ...string) *Text {
	t := &Text{Lang: lang, Source: source, Cut: len(source) > maxText}
	for _, arg := range args {
		t.args = append(t.args, value{kind: aText, text: strings.ReplaceAll(arg, shell.HoleMark, hole("").text)})
	}
	source = strings.ReplaceAll(source[:min(len(source), maxText)], shell.HoleMark, hole("x").text)
	if lang.is(PHP) {
		if _, program, ok := strings.Cut(source, "<?php"); ok {
			source = program
		}
	}
	p := parser{out: t, lang: lang, vars: make(map[string]value), names: make(map[string]does)}
	p.program(source)
	t.Changes = t.Changes || p.changes()
	return t
}

// changes reports whether the program seems to change files.
func (p *parser) changes() bool {
	if p.lang.is(Lines) && shell.StartsWithAny(p.out.Source, "w ", "w!", "sav", "%w") ||
		shell.ContainsAny(p.out.Source, "w! ", "redir") {
		return true
	}
	for i := range p.out.Acts {
		switch p.out.Acts[i].Verb {
		case Removes, RemovesTree, Moves, Writes:
			return true
		}
	}
	for _, name := range p.out.Names {
		if shell.Among("sys.stdout.write sys.stderr.write process.stdout.write process.stderr.write", name) {
			continue
		}
		name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
		if shell.ContainsAny(name, "write", "unlink", "remove", "delete", "rename", "move", "copy", "truncate", "chmod", "link", "rmtree", "rm_",
			"extractall", "urlretrieve", "touch", "put_contents", "output", "logging", "inplace", "save", "mkdir") ||
			shell.Among("dump mv rm cp tee rmsync mv_f to_csv to_json", name) {
			return true
		}
	}
	return false
}

// Bare is a program in lower case without blanks, comments and the text of strings. It is there twice: whether a slash
// divides or begins a pattern is not always told by what is before it, and neither reading may hide a statement.
func Bare(lang Lang, source string) string {
	var b strings.Builder
	for _, bare := range [...]bool{false, true} {
		x := lexer{lang: lang, s: source, bare: bare}
		for _, t := range x.all() {
			if t.kind == aString {
				b.WriteString(`""`)
			} else {
				b.WriteString(strings.TrimSpace(t.text))
			}
		}
		b.WriteByte('\n')
	}
	return strings.ToLower(b.String())
}

// Has reports whether the program calls or speaks of one of some names, or of something below it.
func (t *Text) Has(names string) bool {
	for _, name := range t.Names {
		for {
			if shell.Listed(names, name) {
				return true
			}
			_, rest, ok := strings.Cut(name, ".")
			if !ok {
				break
			}
			if head := name[:len(name)-len(rest)-1]; head != "" && shell.Listed(names, head) {
				return true
			}
			name = rest
		}
	}
	return false
}

// Does reports whether an act has a verb.
func (t *Text) Does(verb Verb) bool {
	for i := range t.Acts {
		if t.Acts[i].Verb == verb {
			return true
		}
	}
	return false
}

// network are names and modules of what uses the network.
const network = "urllib urllib2 urllib3 requests httpx http.client socket fetch axios got http https net Net LWP HTTP smtplib ftplib paramiko boto3 " +
	"aiohttp XMLHttpRequest fsockopen curl_init stream_socket_client TCPSocket TCPServer IO.Socket create_connection URI.open urlopen " +
	"WebSocket dgram tls undici superagent node-fetch HTTPX Faraday file_get_contents_url"

// Talks reports whether the program uses the network.
func (t *Text) Talks() bool { return t.Has(network) }
