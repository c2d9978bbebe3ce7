package code

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// FuzzRead: reading never fails, and what it finds is bounded, whatever the text and the language.
func FuzzRead(f *testing.F) {
	for _, text := range [...]string{
		`os.system("a" + b)`, "x = `a ${b(`c`)}`", "%x(a (b) c)", `qw[a b] q{{}} s/a/b/ <<"E"` + "\nE", `r#"a"# 'b'`, `[[a]] --[[ b ]]`, `"""a""" f"{x!r:>{y}}"`, "#{", `"#{"#{`, `'\`, "<<<E\na\nE",
		"(((((", "[f(x) for x in [g(y) for y in z]]", "import {a as b, c} from 'd'", "from a import (b as c, *", "a.b->c::d?.e", "\x00a\x00", "=begin\n", "/* ", "{{{{}}}", "for x in for y in for",
	} {
		f.Add(uint32(1), text)
		f.Add(uint32(3), text)
		f.Add(uint32(8), text)
	}
	f.Fuzz(func(t *testing.T, n uint32, text string) {
		got := Read(1<<(n%20), text)
		if len(got.Acts) > maxActs || len(got.Strings) > 4*maxActs || len(got.Names) > 8*maxActs {
			t.Errorf("%d acts, %d strings, %d names", len(got.Acts), len(got.Strings), len(got.Names))
		}
		for _, a := range got.Acts {
			if len(a.Words) == 0 && a.Verb < RunsDownload {
				t.Errorf("%d without words", a.Verb)
			}
		}
	})
}

// TestLinear: a text of 32 KiB takes milliseconds, whatever it repeats.
func TestLinear(t *testing.T) {
	for _, unit := range [...]string{
		"f(x, 'a')\n", "#{", "${", "`", `"`, "'", "(", "[", "{", "<<E\n", `<<"`, "/", "a.b.c(", "f\"{", "q(", "%x(", "[x for x in ", "for a in b:", "import a, ", "[[", "/*", "=x\n", "\\", "os.system(", "x = x + 'a'\n",
		"\"${`", "$a{", "@{[", "syscmd(", "r#", "!a;",
	} {
		for _, lang := range [...]Lang{Python, JavaScript, Ruby, Perl, PHP, Lua, R, JVM, Lisp, ML, Lines} {
			measure := func(length int) time.Duration {
				text := strings.Repeat(unit, length/len(unit))
				start := time.Now()
				Read(lang, text)
				return time.Since(start)
			}
			long := measure(1 << 15)
			for n := 0; n < 5 && long > 200*time.Millisecond; n++ { // other programs may have run
				long = min(long, measure(1<<15))
			}
			if long > 200*time.Millisecond {
				t.Errorf("%q in %x: %v", unit, lang, long)
			}
		}
	}
}

// A spelling is a language's call that runs the shell text H, and its quotes of that.
type spelling struct {
	lang   Lang
	quotes []string // ¤ stands for the text
	calls  []string // § stands for a quoted text
}

// TestGenerated: every language, quoting and call hands the text on as it is.
func TestGenerated(t *testing.T) {
	const text = "git push origin main"
	for _, s := range [...]spelling{
		{Python, []string{"'¤'", `"¤"`, `"""¤"""`, "'''¤'''", "r'¤'", "b'¤'", "f'¤'", "'git push ' 'origin main'", "'git push ' + 'origin main'", "str('¤')", "('¤')"},
			[]string{"os.system(§)", "os.popen(§)", "subprocess.run(§, shell=True)", "import subprocess as x\nx.call(§, shell=True)", "from os import system as x\nx(§)", "c = §\nos.system(c)", "[os.system(§) for x in y]", "if True:\n    os.system(§)", "print(os.popen(§).read())", "def f(a=1):\n    return os.system(§)"}},
		{JavaScript, []string{"'¤'", `"¤"`, "`¤`", "'git push ' + 'origin main'", "`${'git push'} origin main`", "('¤')", "String('¤')"},
			[]string{"require('child_process').execSync(§)", "const {exec: e} = require('child_process'); e(§, () => {})", "import {exec} from 'child_process'\nexec(§)", "const c = §; require('child_process').exec(c)", "(async () => { await cp.exec(§) })()", "x.then(() => cp.execSync(§).toString())"}},
		{Ruby, []string{"'¤'", `"¤"`, "%q(¤)", "%Q[¤]", "%(¤)", "'git push ' 'origin main'", "'git push ' + 'origin main'"},
			[]string{"system(§)", "system §", "exec §", "Kernel.system(§)", "IO.popen(§)", "spawn §", "Open3.capture2(§)", "c = §\nsystem c", "puts `#{§}`", "def f; system(§); end"}},
		{Perl, []string{"'¤'", `"¤"`, "q(¤)", "qq{¤}", "q{¤}", "'git push ' . 'origin main'"},
			[]string{"system(§);", "system §;", "exec §;", "open(F, '-|', §);", "my $c = §; system($c);", "if (1) { system(§) }", "print system(§);"}},
		{PHP, []string{"'¤'", `"¤"`, "'git push ' . 'origin main'"}, []string{"system(§);", "exec(§, $o);", "shell_exec(§);", "passthru(§);", "popen(§, 'r');", "proc_open(§, [], $p);", "$c = §; system($c);", "echo shell_exec(§);"}},
		{Lua, []string{"'¤'", `"¤"`, "[[¤]]", "[==[¤]==]", "'git push ' .. 'origin main'"}, []string{"os.execute(§)", "io.popen(§)", "local c = §\nos.execute(c)", "print(io.popen(§):read('a'))"}},
		{R, []string{"'¤'", `"¤"`}, []string{"system(§)", "system(§, intern=TRUE)", "x <- §\nsystem(x)", "print(system(§))"}},
	} {
		for _, quote := range s.quotes {
			for _, call := range s.calls {
				source := strings.ReplaceAll(call, "§", strings.ReplaceAll(quote, "¤", text))
				if strings.Contains(call, "STDIN") || s.lang == JavaScript && strings.Contains(quote, "String") {
					source = strings.ReplaceAll(call, "(§", "("+strings.ReplaceAll(quote, "¤", text))
					source = strings.ReplaceAll(source, "c = §;", "c = "+strings.ReplaceAll(quote, "¤", text)+";")
				}
				if got := shown(Read(s.lang, source)); got != "shell "+text {
					t.Errorf("%x %q: %s", s.lang, source, fmt.Sprintf("%q", got))
				}
			}
		}
	}
}
