package rules

import (
	"testing"

	"github.com/permgate--owner/permgate/rules/grammar"
)

func TestCleanPath(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"a/b", "/repo/a/b"},
		{".", "/repo"},
		{"", "/repo"},
		{"./a/../b", "/repo/b"},
		{"../x", "/x"},
		{"../../../x", "/x"},
		{"//etc//passwd", "/etc/passwd"},
		{"/etc/./x/../passwd/", "/etc/passwd"},
		{"~", "/home/u"},
		{"~/.ssh", "/home/u/.ssh"},
		{"~/../v", "/home/v"},
		{"~root/x", "/repo/~root/x"},
		{"a/~/b", "/repo/a/~/b"},
		{"/proc/self/cwd/x", "/repo/x"},
		{"/proc/self/cwd/../x", "/x"},
		{"/proc/self/root/etc/passwd", "/etc/passwd"},
		{"/proc/1/root/etc", "/etc"},
		{"/proc/thread-self/root/etc", "/etc"},
		{"/proc/self/task/7/root/etc", "/etc"},
		{"/proc/self/root/proc/self/cwd/x", "/repo/x"},
		{"/proc/self/root/proc/self/root/etc", "/etc"},
		{"/proc/./self//root/../etc", "/etc"},
		{"/proc/1/cwd/x", "/proc/1/cwd/x"},
		{"/proc/self/rooted", "/proc/self/rooted"},
		{"/x/proc/self/root/y", "/x/proc/self/root/y"},
	} {
		if got := CleanPath(row.in, "/repo", "/home/u"); got != row.want {
			t.Errorf("CleanPath(%q) = %q, want %q", row.in, got, row.want)
		}
	}
	for _, row := range []struct{ in, cwd, home, want string }{
		{"~/x", "/repo", "", "/repo/~/x"},
		{"a/../b", "", "", "b"},
		{"/proc/self/cwd/x", "", "", "/proc/self/cwd/x"},
		{"/proc/self/cwd/x", "/proc/self/cwd", "", "/proc/self/cwd/x"},
	} {
		if got := CleanPath(row.in, row.cwd, row.home); got != row.want {
			t.Errorf("CleanPath(%q, %q, %q) = %q, want %q", row.in, row.cwd, row.home, got, row.want)
		}
	}
}

func TestFoldPath(t *testing.T) {
	for _, row := range []struct{ a, b string }{
		{".GIT", ".git"},
		{".g\u200cit", ".git"},
		{"caf\u00e9", "cafe\u0301"},
		{"\u212a", "k"},
		{"\u017f", "s"},
	} {
		if grammar.FoldPath(row.a) != grammar.FoldPath(row.b) {
			t.Errorf("%q and %q differ", row.a, row.b)
		}
	}
	if grammar.FoldPath("a\xff") == grammar.FoldPath("a\xfe") {
		t.Error("bytes that are no UTF-8 are mixed up")
	}
}

// What Claude Code writes and reads in a way of its own: escapes, the half of a
// quote its dialog leaves in a prefix, and stars that no backslash takes back.
func TestMatchClaudeSpelling(t *testing.T) {
	for _, row := range []commandRow{
		{`echo \(x\)`, "echo (x)", "sure", "sure"},
		{`python3 -c "print\(1\)"`, "python3 -c print(1)", "sure", "sure"},
		{`python3 -c "print\(2\)"`, "python3 -c print(1)", "no", "no"},
		{`grep "a\\|b" f`, `grep a\|b f`, "sure", "sure"},
		{`grep "a\|b" f`, `grep a\|b f`, "sure", "sure"},
		{`grep 'a\\|b' f`, `grep a\\|b f`, "no", "sure"}, // as written, for deny alone
		{`find . -exec rm {} \;`, "find . -exec rm {} ;", "sure", "sure"},
		{`find . -exec rm {} \\;`, "find . -exec rm {} ;", "sure", "sure"},
		{`curl -w "%{http_code}\\n" x`, `curl -w %{http_code}\n x`, "sure", "sure"},
		{`echo \\\(x`, `echo (x`, "sure", "sure"}, // left to right: \\ is \, then \( is (
		{`echo "\*"`, "echo x", "no", "sure"},
		{`echo "\*"`, `echo \*`, "sure", "sure"},
		{`node -e ' *`, "node -e process.exit()", "no", "sure"},
		{`node -e ':*`, "node -e process.exit()", "no", "sure"},
		{`git commit -m "wip *`, "git commit -m wip␣all", "no", "sure"},
		{`git commit -m "wip *`, "git commit -m done", "no", "no"},
	} {
		text := "Bash(" + row.rule + ")"
		if got := answer(t, &testPolicy, text, Allow, true, bash(row.command)); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", text, row.command, got, row.allow)
		}
		for _, list := range []List{Deny, Ask} {
			if got := answer(t, &testPolicy, text, list, true, bash(row.command)); got != row.deny {
				t.Errorf("%s %s: %s: %s, want %s", list, text, row.command, got, row.deny)
			}
		}
	}
	if got := answer(t, &testPolicy, `Bash(echo \(x\))`, Allow, false, bash(`echo \(x\)`)); got != "no" {
		t.Errorf("outside of .claude \\( is what a shell makes of it: %s", got)
	}
	for _, row := range []struct{ rule, path, allow, deny string }{
		{`Read(/a \(1\)/**)`, "/repo/a (1)/x", "sure", "sure"},
		{`Read(/a\*b)`, "/repo/a*b", "sure", "sure"},
		{`Read(/a\*b)`, "/repo/axb", "no", "sure"},
		{`Read(dir/**)`, "/repo/x/dir/y", "no", "sure"},
	} {
		s := Subject{Tool: "Read", Path: &Path{row.path, row.path}}
		if got := answer(t, &testPolicy, row.rule, Allow, true, &s); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", row.rule, row.path, got, row.allow)
		}
		if got := answer(t, &testPolicy, row.rule, Deny, true, &s); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", row.rule, row.path, got, row.deny)
		}
	}
}

// A rule without a wildcard is also the whole text, byte for byte.
func TestMatchWhole(t *testing.T) {
	part := Command{Allow: []grammar.Text{words("ls")}, Narrow: "an assignment"}
	for _, row := range []struct {
		rule, whole string
		want        string
	}{
		{`Bash(cd a && ls)`, "cd a && ls", "sure"},
		{`Bash(cd a && ls)`, "cd a && ls ", "no"},
		{`Bash(cd a && ls)`, "cd a  && ls", "no"},
		{`Bash(cd a && ls *)`, "cd a && ls *", "no"},
		{`Bash(cd a && ls '*')`, "cd a && ls '*'", "no"}, // a wildcard to Claude Code, which matches no text of several commands
		{`Bash(ls "a?b" 2>&1)`, `ls "a?b" 2>&1`, "sure"},
		{`Bash(FOO=1 ls)`, "FOO=1 ls", "sure"},
		{`Bash(FOO="C:\\x" ls \(1\))`, `FOO="C:\x" ls (1)`, "sure"},
		{`Bash(FOO=1 ls:*)`, "FOO=1 ls:*", "no"},
		{`Monitor(FOO=1 ls)`, "FOO=1 ls", "no"},
	} {
		for _, s := range []*Subject{{Tool: "Bash", Command: &part, Whole: row.whole}, {Tool: "Bash", Whole: row.whole}} {
			if got := answer(t, &testPolicy, row.rule, Allow, true, s); got != row.want {
				t.Errorf("%s: %s: %s, want %s", row.rule, row.whole, got, row.want)
			}
			if got := answer(t, &testPolicy, row.rule, Allow, false, s); got != "no" {
				t.Errorf("%s outside of .claude: %s: %s, want no", row.rule, row.whole, got)
			}
			bare := *s
			bare.Bare = true
			if got := answer(t, &testPolicy, row.rule, Allow, true, &bare); got != "no" {
				t.Errorf("%s: malformed input: %s", row.rule, got)
			}
		}
	}
}

func TestEscape(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"Bash", "Bash"},
		{"Bash(ls (x))", "Bash(ls (x))"},
		{`Bash(echo 'it'\''s')`, `Bash(echo 'it'\''s')`},
		{`Bash(grep 'a\(b' f)`, `Bash(grep 'a\\\(b' f)`},
		{`Bash(grep 'a\\b' (f))`, `Bash(grep 'a\\\\b' \(f\))`},
	} {
		got := Escape(row.text)
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.text, got, row.want)
		}
		plain, _ := ParseRule(row.text, Allow, User, Pos{}, false)
		if r, err := ParseRule(got, Allow, User, Pos{}, true); err != nil || r.Pattern != plain.Pattern {
			t.Errorf("%s is read as %s, %v", got, r.Pattern, err)
		}
	}
}
