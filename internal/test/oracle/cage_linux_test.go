package oracle

import (
	"slices"
	"testing"
)

// TestCageSees runs programs that change files in every way and looks whether each change is seen.
func TestCageSees(t *testing.T) {
	bin := BuildCage(t)
	ProveCage(t, bin)
	w := &writeWorker{f: newFixture(t, StartCage(t, bin))}
	for _, x := range []struct {
		argv []string
		want []string
	}{
		{[]string{"cat", "a"}, nil},
		{[]string{"cp", "a", "new"}, []string{"/w/new"}},
		{[]string{"mv", "a", "sub/n"}, []string{"/w/a", "/w/sub/n"}},
		{[]string{"rm", "-r", "sub/deep"}, []string{"/w/sub/deep", "/w/sub/deep/x"}},
		{[]string{"mkdir", "-p", "n/m"}, []string{"/w/n", "/w/n/m"}},
		{[]string{"ln", "-s", "a", "n"}, []string{"/w/n"}},
		{[]string{"ln", "a", "n"}, []string{"/w/n"}},
		{[]string{"mkfifo", "n"}, []string{"/w/n"}},
		{[]string{"chmod", "600", "a"}, []string{"/w/a"}},
		{[]string{"chmod", "700", "sub"}, []string{"/w/sub"}},
		{[]string{"chown", ":", "a"}, []string{"/w/a"}}, // called, and nothing changed
		{[]string{"touch", "a"}, []string{"/w/a"}},
		{[]string{"touch", "-a", "a"}, []string{"/w/a"}},
		{[]string{"touch", "sub"}, []string{"/w/sub"}},
		{[]string{"touch", "-d", "2020-01-02 03:04:05", "a"}, []string{"/w/a"}}, // the time it has
		{[]string{"truncate", "-s", "+0", "a"}, []string{"/w/a"}},               // opened and not changed
		{[]string{"dd", "if=a", "of=b", "conv=notrunc", "count=0"}, []string{"/w/b"}},
		{[]string{"tee", "link", "dirlink/q"}, []string{"/w/a", "/w/sub/q"}},
		{[]string{"sh", "-c", "echo x > a; cp b a"}, []string{"/w/a"}},
		{[]string{"sh", "-c", "touch came; rm came"}, nil},
		{[]string{"sh", "-c", "cd sub && (cd deep; : >> x)"}, []string{"/w/sub/deep/x"}},
		{[]string{"mktemp"}, []string{"/tmp/"}},
	} {
		l := commandLine{stdin: "/dev/null", argv: x.argv}
		tr := w.do(t, &l)
		if len(tr.written) == 1 && len(x.want) == 1 && x.want[0] == "/tmp/" && temporary(tr.written[0]) {
			continue
		}
		if !slices.Equal(tr.written, x.want) {
			t.Errorf("%s: written %q, want %q", l.text(), tr.written, x.want)
		}
	}
	if tr := w.do(t, &commandLine{stdin: "/dev/null", argv: []string{"sh", "-c", "true; ls"}}); len(tr.execs) != 1 || tr.execs[0] != "/usr/bin/ls" {
		t.Errorf("executions: %q", tr.execs)
	}
}

// TestWritesCompare gives the comparison runs that the analysis does not explain.
func TestWritesCompare(t *testing.T) {
	f := &fixture{was: map[string]state{"w/a": {}, "w/sub": {mode: 0o040755}, "w/dirlink": {link: "sub"}}}
	for _, x := range []struct {
		text    []string
		written []string
		execs   []string
		strange bool
		missed  int
	}{
		{text: []string{"cat", "a"}, written: []string{"/w/a"}, missed: 1},
		{text: []string{"cat", "a"}, execs: []string{"/bin/id"}, missed: 1},
		{text: []string{"cat", "a"}},
		{text: []string{"cp", "a", "new"}, written: []string{"/w/new"}},
		{text: []string{"cp", "a", "new"}, written: []string{"/w/other", "/w/new"}, missed: 1},
		{text: []string{"cp", "a", "dirlink"}, written: []string{"/w/sub/a"}},
		{text: []string{"cp", "a", "sub/n", "--what"}, written: []string{"/w/other"}, strange: true},
		{text: []string{"rm", "-r", "sub"}, written: []string{"/w/sub/deep/x"}},
		{text: []string{"rm", "a"}, execs: []string{"/bin/id"}, missed: 1},
		{text: []string{"sort", "a"}, written: []string{"/tmp/sortX"}, missed: 1},
		{text: []string{"tee", "n"}, written: []string{"/tmp/t"}},
		{text: []string{"awk", `{print > $1}`}, written: []string{"/w/what"}},
		{text: []string{"env", "touch", "n"}, written: []string{"/w/n"}, execs: []string{"/usr/bin/touch"}},
	} {
		l := commandLine{stdin: "/dev/null", argv: x.text, strange: x.strange}
		if got := f.missedBy(&l, &program{}, &trace{written: x.written, execs: x.execs}); len(got) != x.missed {
			t.Errorf("%s: missed %q, want %d", l.text(), got, x.missed)
		}
	}
}
