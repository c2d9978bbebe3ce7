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
