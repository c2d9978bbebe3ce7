package code

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Lang is a language, or a set of them.
type Lang uint32

const (
	Python Lang = 1 << iota
	JavaScript
	Ruby // and Crystal
	Perl
	PHP
	Lua
	R
	Go
	Rust
	C
	JVM // Groovy, Scala, Kotlin, Java
	Elixir
	Lisp
	ML // OCaml, Haskell, Julia, Swift and others with calls of words or of parentheses
	CMake
	AppleScript
	Awk
	Lines  // commands of an editor, a debugger or a client, line by line, and what is not known
	Octave // and Matlab, which have lines for a shell
)

const (
	scripting  = Python | JavaScript | Ruby | Perl | PHP
	every      = ^Lang(0)
	bareCalls  = Ruby | Perl | Lua | ML | Elixir | JVM | AppleScript | Lines // arguments may follow a name without parentheses
	hashes     = Python | Ruby | Perl | PHP | R | Elixir | CMake | Awk       // comments begin with #
	slashes    = JavaScript | PHP | Go | Rust | C | JVM                      // or with //, or are between /* and */
	regexps    = JavaScript | Ruby | Perl | JVM | Awk
	triples    = Python | JVM | Elixir | ML
	hashHoles  = Ruby | Elixir // "#{x}"
	braceHoles = JVM | PHP     // "${x}", "{$x}"
	nameHoles  = JVM | PHP | Perl
)

func (l Lang) is(set Lang) bool { return l&set != 0 }

// languages are the programs that run a language.
var languages = [...]struct {
	Lang
	programs string
}{
	{Python | Lines, "ipython sage jupyter bpython ptpython"},
	{Python, "python pypy manage.py django-admin flask pytest pip blender"},
	{JavaScript, "node nodejs deno bun tsx ts-node mongosh mongo jest vitest mocha"},
	{Ruby, "ruby irb pry rails rake crystal bundle rspec"},
	{Perl, "perl"},
	{PHP, "php psysh artisan wp drush"},
	{Lua, "lua luajit"},
	{Lua | Lines, "nvim"},
	{R, "R Rscript"},
	{Go, "go"},
	{Rust, "cargo rustc"},
	{C, "gcc g++ cc clang tcc root"},
	{JVM, "groovy scala scala-cli kotlin kotlinc jshell amm"},
	{Elixir, "elixir iex mix erl escript"},
	{Lisp, "emacs emacsclient guile racket clojure bb sbcl csi gosh janet fennel"},
	{ML, "ocaml ghc ghci runghc stack julia swift gp maxima swipl dart nim raku"},
	{ML | Octave, "octave matlab"},
	{CMake, "cmake ctest"},
	{AppleScript, "osascript"},
}

// Of is the language that a program runs, by the name the tables know it by; Lines where none is known.
func Of(program string) Lang {
	for i := range languages {
		if shell.Among(languages[i].programs, program) {
			return languages[i].Lang
		}
	}
	return Lines
}

// keywords come before an expression and are no part of it.
const keywords = "await new return not yield export default let const var my our local typeof void throw then else do try " +
	"begin unless until and or lambda mut pub static val final def with elif end die defer"

// printers are keywords of languages that print without parentheses.
const printers = "puts print echo p pp say"

// keyword reports whether a token comes before an expression and is no part of it.
func (p *parser) keyword(t *token) bool {
	prints := p.lang.is(Ruby|Perl|PHP) && shell.Among(printers, t.text)
	if t.kind != aName || !prints && !shell.Among(keywords, t.text) {
		return false
	}
	return p.peek().text == "=>" || strings.IndexByte("=.,)]", p.peek().kind) < 0
}

// nameByte reports whether a byte can be in a name of a language.
func (l Lang) nameByte(b byte) bool {
	if l == CMake {
		return b > ' ' && strings.IndexByte("()\"#", b) < 0
	}
	more := ""
	switch l {
	case R:
		more = "."
	case Lisp:
		more = "-*/?!<>=+:."
	}
	return shell.NameByte(b) || b >= 0x80 || strings.IndexByte(more, b) >= 0
}
