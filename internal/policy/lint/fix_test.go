package lint

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// fixCalls are calls that rules of the examples speak of, and their neighbours.
var fixCalls = [][2]string{
	{"Bash", "env"}, {"Bash", "env FOO=1"}, {"Bash", "env ls"}, {"Bash", "git push"}, {"Bash", "git push origin main"}, {"Bash", "git push x --force"},
	{"Bash", "git push:x --force"}, {"Bash", "git pushy"}, {"Bash", "rm x"}, {"Bash", "bash"}, {"Bash", "git status"}, {"Bash", "git status -s"}, {"Bash", "ls"}, {"Bash", "done"},
	{"Bash", "for f in a b; do echo $f; done"}, {"Bash", "curl https://evil.example/x"}, {"Bash", "cat .env"}, {"Bash", "cat secrets/a/b"}, {"Bash", "cat '$HOME/.aws/x'"},
	{"Read", "etc/passwd"}, {"Read", "/etc/passwd"}, {"Read", "/etc/passwd/x"}, {"Read", "Users/me/.ssh/id"}, {"Read", "/Users/me/.ssh/id"}, {"Read", "/c/Users/me/x"}, {"Read", `C:\Users\me\x`},
	{"Read", "$HOME/.aws/x"}, {"Read", "~/.aws/x"}, {"Read", "secrets"}, {"Read", "secrets/a"}, {"Read", "secrets/a/b"}, {"Read", "secret/a"}, {"Read", "vendor"}, {"Read", "vendor/a/b"},
	{"Edit", "~/other"}, {"Edit", "~/other/a/b"}, {"Edit", "gen/a"}, {"Write", "gen/a"}, {"Write", "gen/a/b"}, {"NotebookEdit", "gen/a.ipynb"},
	{"Grep", "secrets"}, {"Glob", "~/.ssh/*"}, {"Glob", "secrets/**"}, {"WebFetch", "https://evil.example/x"}, {"WebFetch", "https://evil.example/"}, {"WebFetch", "http://x.evil.example/x"},
	{"WebFetch", "https://go.dev/x"}, {"WebSearch", "x"},
}

// TestFixNeverLoosens mends every failing example and asks for the calls of
// all rules before and after: none may be decided laxer.
func TestFixNeverLoosens(t *testing.T) {
	mended, asked := 0, 0
	for _, c := range Checks() {
		fails, _ := c.Examples()
		for i := range fails {
			x := &fails[i]
			in := exampleInput(x, x.Text)
			now, err := FixAll(in, func(*Finding) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			if now == in {
				continue
			}
			mended++
			calls := fixCalls
			for _, r := range append(in.Rules, now.Rules...) {
				calls = append(calls, [2]string{r.Tool, sample(r.Pattern)}, [2]string{r.Tool, strings.TrimSuffix(r.Pattern, ":*") + " x"})
			}
			asked += laxer(t, in, now, calls)
		}
	}
	if mended < 10 || asked < 300 {
		t.Errorf("%d examples were mended and %d calls asked for: too few to say anything", mended, asked)
	}
	if hookio.Allow >= hookio.Ask || hookio.Ask >= hookio.Deny {
		t.Error("decisions are not in the order of strictness")
	}
}

// laxer asks for calls before and after a mending.
func laxer(t *testing.T, in, now *Input, calls [][2]string) (asked int) {
	t.Helper()
	for _, call := range calls {
		if !rules.KnownTool(call[0]) {
			continue // what no program calls is mended to what was meant
		}
		before, err := in.Decide(call[0], call[1])
		if err != nil {
			continue
		}
		after, err := now.Decide(call[0], call[1])
		if err != nil {
			t.Fatal(err)
		}
		asked++
		if after.Decision() < before.Decision() {
			t.Errorf("%s %s was %v and is now %v", call[0], call[1], before.Decision(), after.Decision())
			for i := range in.Files {
				t.Errorf("  %s\n  %s\n  %s", in.Files[i].Path, in.Files[i].Text, now.Files[i].Text)
			}
		}
	}
	return asked
}

// TestFixOfMany mends files put together at random from the rules of all
// examples, where one mending meets another.
func TestFixOfMany(t *testing.T) {
	var pool []string
	for _, c := range Checks() {
		fails, _ := c.Examples()
		for i := range fails {
			for _, r := range exampleInput(&fails[i], fails[i].Text).Rules {
				pool = append(pool, r.Text)
			}
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	list := func() string {
		var texts []string
		for range rnd.IntN(5) {
			r := pool[rnd.IntN(len(pool))]
			texts = append(texts, edit.Quote(r))
			if rnd.IntN(4) == 0 {
				texts = append(texts, edit.Quote(strings.Replace(r, " ", "  ", 1)))
			}
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	text := func() string {
		return `{"permissions": {"deny": ` + list() + `, "ask": ` + list() + `, "allow": ` + list() + `}}`
	}
	names := [...]string{".gen/settings.json", ".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json", ".gen/settings.local.json"}
	n, mended := testenv.Count(t, 16, 50, 150), 0
	for range n {
		x := &Example{File: names[rnd.IntN(len(names))], Beside: []Other{{names[rnd.IntN(len(names))], text()}}}
		if x.File == x.Beside[0].Name {
			x.Beside = nil
		}
		in := exampleInput(x, text())
		now, err := FixAll(in, func(*Finding) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if now == in {
			continue
		}
		mended++
		calls := fixCalls
		for _, r := range in.Rules {
			calls = append(calls, [2]string{r.Tool, sample(r.Pattern)}, [2]string{r.Tool, strings.TrimSuffix(r.Pattern, ":*") + " x"}, [2]string{r.Tool, r.Pattern})
		}
		laxer(t, in, now, calls)
		if t.Failed() {
			return
		}
	}
	if mended < n/4 {
		t.Errorf("only %d of %d files were mended", mended, n)
	}
}

// TestFixKeepsFormat mends one rule of a file with comments.
func TestFixKeepsFormat(t *testing.T) {
	text := "\ufeff{\r\n\t// ours\r\n\t\"permissions\": {\r\n\t\t\"deny\": [\r\n\t\t\t\"Bash(env *)\", // not alone\r\n\t\t\t\"Bash(ssh:*)\", /* twice */\r\n\t\t\t\"Bash(ssh:*)\",\r\n\t\t],\r\n\t},\r\n}\r\n"
	want := "\ufeff{\r\n\t// ours\r\n\t\"permissions\": {\r\n\t\t\"deny\": [\r\n\t\t\t\"Bash(env:*)\", // not alone\r\n\t\t\t\"Bash(ssh:*)\", /* twice */\r\n\t\t],\r\n\t},\r\n}\r\n"
	x := &Example{Text: text, File: ".gen/settings.json"}
	now, err := FixAll(exampleInput(x, text), func(*Finding) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if got := now.File(exampleFile(x)).Text; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// TestSource looks at the carets below lines that are not as wide as they are long.
func TestSource(t *testing.T) {
	for _, tt := range []struct {
		name, text   string
		col, end     int
		columns      int
		line, carets string
	}{
		{"plain", `"abc" "def"`, 7, 12, 80, `"abc" "def"`, `      ^^^^^`},
		{"tab", "\t\"abc\"", 2, 7, 80, `    "abc"`, `    ^^^^^`},
		{"tab behind text", "ab\t\"c\"", 4, 7, 80, `ab  "c"`, `    ^^^`},
		{"wide", `"日本" "c"`, 6, 9, 80, `"日本" "c"`, `       ^^^`},
		{"wide itself", `"日本"`, 1, 5, 80, `"日本"`, `^^^^^^`},
		{"multi-byte", `"é" "c"`, 5, 8, 80, `"é" "c"`, `    ^^^`},
		{"combining", "\"e\u0301\" \"c\"", 6, 9, 80, "\"e\u0301\" \"c\"", `    ^^^`},
		{"control", "\"a\x1b[31m\" \"c\"", 10, 13, 80, `"a\u001b[31m" "c"`, `              ^^^`},
		{"no end", `{"a" "b"}`, 6, 0, 80, `{"a" "b"}`, `     ^`},
		{"behind the line", `{"a":`, 6, 0, 80, `{"a":`, `     ^`},
		{"cut", strings.Repeat("x", 50) + `"abc"` + strings.Repeat("y", 50), 51, 56, 21, `…xxxxxxx"abc"yyyyyyy…`, `        ^^^^^`},
	} {
		f := Finding{File: &File{Text: tt.text}, End: tt.end}
		f.Pos.Line, f.Pos.Col = 1, tt.col
		line, carets := f.Source(tt.columns)
		if line != tt.line || carets != tt.carets {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s\n%s", tt.name, line, carets, tt.line, tt.carets)
		}
	}
}

// TestDifference puts old and new text together again.
func TestDifference(t *testing.T) {
	for _, tt := range [][2]string{
		{"a", "a"}, {"[1]", "[]"}, {"[\n \"é日\"\n]", "[\n \"è日\"\n]"}, {"", "x"}, {"x", ""}, {"aaa", "aa"}, {"[\"é\", \"b\"]", "[\"b\"]"},
	} {
		r, text := Difference(tt[0], tt[1])
		at := func(line, col int) int {
			for i := range tt[0] + "\x00" {
				if l, c := lineCol(tt[0], i); l == line && c == col {
					return i
				}
			}
			t.Fatalf("%q has no %d:%d", tt[0], line, col)
			return 0
		}
		if got := tt[0][:at(r.Line, r.Col)] + text + tt[0][at(r.EndLine, r.EndCol):]; got != tt[1] {
			t.Errorf("%q to %q: %v %q makes %q", tt[0], tt[1], r, text, got)
		}
	}
}

// meant are patterns of other systems, and a call of ours that they are about.
var meant = []struct{ tool, pattern, call string }{
	{"Bash", "sudo *", "sudo x"}, {"Bash", "rm -rf *", "rm -rf x"}, {"Bash", "git push *", "git push origin"}, {"Bash", "git push:*", "git push x"},
	{"Bash", "curl *", "curl https://x.test/"}, {"Bash", "make", "make"}, {"Bash", "npm publish *", "npm publish x"}, {"Bash", "./deploy.sh *", "./deploy.sh x"},
	{"Bash", "*sudo*", "a; sudo b"}, {"Bash", "docker run --privileged *", "docker run --privileged x"},
	{"Read", "./.env", ".env"}, {"Read", "secrets/**", "secrets/a/b"}, {"Read", "**/*.pem", "a/b.pem"}, {"Read", "//etc/**", "/etc/x"},
	{"Write", "src/**", "src/a"}, {"Edit", "src/**", "src/a"}, {"Edit", "*", "a"}, {"WebFetch", "domain:evil.test", "https://evil.test/x"},
}

// spellings of a rule in systems with another grammar; # is the pattern.
var otherSpellings = map[string]string{
	"Bash": "bash:#|Bash:#|Bash #|bash #|shell:#|Shell:#|Shell #|sh:#|sh #|terminal:#|run_shell_command:#|execute_command:#|exec:#|bash(#)|shell(#)|Shell(#)|bash(#|#|run_shell_command(#)|command:#|run #",
	"Read": "read:#|Read:#|read_file:#|ReadFile:#|view:#|cat:#|read(#)|read_file(#)|read #|cat #", "Write": "write:#|write_file:#|create:#|write(#)", "Edit": "edit:#|edit_file:#|edit(#)|str_replace:#|edit #",
	"WebFetch": "fetch:#|web_fetch:#|WebFetch:#|fetch(#)",
}

// TestFixesMean: what --fix writes in the place of a restriction parses, and stops the call that its
// author meant; where it is not clear what was meant, the rule stays and the finding says why.
func TestFixesMean(t *testing.T) {
	mended := 0
	for _, m := range meant {
		for spelling := range strings.SplitSeq(otherSpellings[m.tool], "|") {
			text := strings.Replace(spelling, "#", m.pattern, 1)
			if strings.HasPrefix(text, "*") {
				continue // a pattern of tool names
			}
			for _, file := range []string{".gen/settings.json", ".claude/settings.json", "~/.claude/settings.json"} {
				for _, list := range []string{"deny", "ask"} {
					x := &Example{File: file}
					in := exampleInput(x, `{"permissions": {"`+list+`": [`+edit.Quote(text)+`]}}`)
					now, err := FixAll(in, func(*Finding) bool { return true })
					if err != nil {
						t.Fatal(err)
					}
					if now == in {
						if found := Run(in); len(found) == 0 && stops(t, in, m.tool, m.call) < hookio.Ask {
							t.Errorf("%s of %s: %s stops nothing, and nothing is said", list, file, text)
						}
						continue
					}
					mended++
					for _, r := range now.Rules {
						if r.Err != nil || len(now.Rules) == 1 && !rules.KnownTool(r.Tool) {
							t.Errorf("%s of %s: %s became %s: %v", list, file, text, r.Text, r.Err)
						}
					}
					if got := stops(t, now, m.tool, m.call); got < hookio.Ask || list == "deny" && got != hookio.Deny {
						t.Errorf("%s of %s: %s became %s, and %s %s is %v", list, file, text, now.Rules[0].Text, m.tool, m.call, got)
					}
				}
			}
		}
	}
	if t.Logf("%d rules were mended", mended); mended < 400 {
		t.Errorf("only %d rules were mended", mended)
	}
}

// oddPatterns are patterns with one or two mistakes each.
func oddPatterns() (out []string) {
	parts := []string{"dd if=", "git push", "git:push", "rm -rf", "cat .env", "env", "curl", "npm install a@", "src", "/etc/passwd", "$HOME/.aws", `src\gen`, "~bob/x", "secrets", "C:/x",
		"**/*.{a,b}", "^x", "a && b", "x|y", "https://a.test/x", "domain:https://a.test:80", "a.test", "for f in x", "FOO=1 x", "timeout 5 x", "command:x", "if=x:y"}
	ends := []string{"", ":*", " *", "*", "/*", "/**", " /**", " ", ":* -f", " * x", ":* if=", "/", "(", " | sh", " > x"}
	for _, part := range parts {
		for _, end := range ends {
			out = append(out, part+end, " "+part+end)
		}
	}
	return out
}

// TestFixesAreClean: no check reports a rule that --fix wrote, but that another program reads the file as well.
func TestFixesAreClean(t *testing.T) {
	names := strings.Split("Bash(#) bash(#) shell(#) Bash:# bash:# Shell:# Read(#) read(#) Reed(#) Edit(#) edit(#) Write(#) Glob(#) WebFetch(#) webfetch(#) # Bash(# read:#", " ")
	lists, written, rnd := []string{"deny", "ask", "allow"}, 0, rand.New(rand.NewPCG(3, 5))
	patterns := oddPatterns()
	for range testenv.Count(t, 1500, 6000, 40000) {
		text := strings.Replace(names[rnd.IntN(len(names))], "#", patterns[rnd.IntN(len(patterns))], 1)
		x := &Example{File: []string{".gen/settings.json", ".claude/settings.json", "~/.claude/settings.json"}[rnd.IntN(3)]}
		list := lists[rnd.IntN(3)]
		in := exampleInput(x, `{"permissions": {"`+list+`": [`+edit.Quote(text)+`]}}`)
		now, err := FixAll(in, func(*Finding) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if now == in {
			continue
		}
		for _, f := range Run(now) {
			if r := now.inFile[f.Pos]; f.Check != &readByCommand && (r == nil || r.Text != text) {
				t.Errorf("%s of %s: %s became %s, of which %s says: %s", list, x.File, text, now.Files[0].Text, f.Check.ID, f.Advice())
			}
		}
		written += len(now.Rules)
	}
	if t.Logf("%d rules were written", written); written < 200 {
		t.Errorf("only %d rules were written", written)
	}
}

// stops is what the settings say of a call, in a mode that allows everything else.
func stops(t *testing.T, in *Input, tool, call string) hookio.Decision {
	t.Helper()
	v, err := in.Decide(tool, call)
	if err != nil {
		t.Fatal(err)
	}
	if v.Why().Rule == nil && v.Step() != "2" {
		return hookio.Pass
	}
	return v.Decision()
}
