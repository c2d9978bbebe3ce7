package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A change is one line of the table: it is the unit test and the fuzz seed.
var changes = []struct{ name, in, want string }{
	{"two spaces", "{\n  \"hooks\": {\n    \"E\": [\n      {\n        \"a\": 1\n      }\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"E\": [\n      {\n        \"a\": 1\n      },\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      }\n    ]\n  }\n}\n"},
	{"tabs", "{\n\t\"hooks\": {\n\t\t\"E\": []\n\t}\n}\n",
		"{\n\t\"hooks\": {\n\t\t\"E\": [\n\t\t\t{\n\t\t\t\t\"m\": \"*\",\n\t\t\t\t\"args\": [\"x\", \"y\"]\n\t\t\t}\n\t\t]\n\t}\n}\n"},
	{"four spaces, no hooks yet", "{\n    \"model\": \"m\"\n}\n",
		"{\n    \"model\": \"m\",\n    \"hooks\": {\n        \"E\": [\n            {\n                \"m\": \"*\",\n                \"args\": [\"x\", \"y\"]\n            }\n        ]\n    }\n}\n"},
	{"line ends of Windows", "{\r\n  \"a\": 1\r\n}\r\n",
		"{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"E\": [\r\n      {\r\n        \"m\": \"*\",\r\n        \"args\": [\"x\", \"y\"]\r\n      }\r\n    ]\r\n  }\r\n}\r\n"},
	{"byte order mark", "\xef\xbb\xbf{\n  \"hooks\": {\"E\": [1]}\n}",
		"\xef\xbb\xbf{\n  \"hooks\": {\"E\": [1, {\"m\": \"*\", \"args\": [\"x\", \"y\"]}]}\n}"},
	{"empty file", "",
		"{\n  \"hooks\": {\n    \"E\": [\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      }\n    ]\n  }\n}\n"},
	{"one line", `{"hooks": {"E": [1]}}`, `{"hooks": {"E": [1, {"m": "*", "args": ["x", "y"]}]}}`},
	{"one line, no hooks yet", `{"a": 1}`, `{"a": 1, "hooks": {"E": [{"m": "*", "args": ["x", "y"]}]}}`},
	{"minified", `{"a":1,"b":2}`, `{"a":1,"b":2,"hooks":{"E":[{"m":"*","args":["x","y"]}]}}`},
	{"comment after the last element", "{\n  \"hooks\": {\n    \"E\": [\n      1 // one\n      // two\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"E\": [\n      1, // one\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      }\n      // two\n    ]\n  }\n}\n"},
	{"trailing comma and comment", "{\n  \"hooks\": {\n    \"E\": [\n      1, /* a\n      b */\n    ],\n  },\n}\n",
		"{\n  \"hooks\": {\n    \"E\": [\n      1, /* a\n      b */\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      },\n    ],\n  },\n}\n"},
	{"comment in an empty array", "{\n  \"hooks\": {\n    \"E\": [ // none\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"E\": [ // none\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      }\n    ]\n  }\n}\n"},
	{"bracket on the line of the last element", "{\n  \"hooks\": {\n    \"E\": [\n      1]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"E\": [\n      1,\n      {\n        \"m\": \"*\",\n        \"args\": [\"x\", \"y\"]\n      }]\n  }\n}\n"},
	{"a comment as the last thing, without a line end", "{\"hooks\": {\"E\": [1]}} // end", "{\"hooks\": {\"E\": [1, {\"m\": \"*\", \"args\": [\"x\", \"y\"]}]}} // end"},
	{"comment opener inside a comment", "{\n  \"hooks\": {\"E\": [\n    1 // a /* b\n  ]}\n}\n",
		"{\n  \"hooks\": {\"E\": [\n    1, // a /* b\n    {\n      \"m\": \"*\",\n      \"args\": [\"x\", \"y\"]\n    }\n  ]}\n}\n"},
}

const entry = `{"m":"*","args":["x","y"]}`

func TestAdd(t *testing.T) {
	for _, tt := range changes {
		t.Run(tt.name, func(t *testing.T) {
			got := add(t, tt.in)
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestUndo checks that taking the new element out again leaves the file as it was.
func TestUndo(t *testing.T) {
	for _, tt := range changes {
		t.Run(tt.name, func(t *testing.T) {
			had, _ := Parse("f", []byte(tt.in))
			hadHooks, hadE := Member(&had.Root, "hooks") != nil, Member(Member(&had.Root, "hooks"), "E") != nil
			d, err := Parse("f", []byte(add(t, tt.in)))
			if err != nil {
				t.Fatal(err)
			}
			hooks := Member(&d.Root, "hooks")
			e := Member(hooks, "E")
			if err := d.RemoveElement(e, len(Elements(e))-1); err != nil {
				t.Fatal(err)
			}
			if !hadE {
				d.RemoveMember(hooks, "E")
			}
			if !hadHooks {
				d.RemoveMember(&d.Root, "hooks")
			}
			want := tt.in
			if want == "" {
				want = "{}\n"
			}
			if got := string(d.Bytes()); got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestRemoveKeepsComments(t *testing.T) {
	for _, tt := range []struct {
		in   string
		i    int
		want string
	}{
		{"{\"a\": [\n  1, // one\n  2, // two\n  3 // three\n]}", 1, "{\"a\": [\n  1, // one\n  // two\n  3 // three\n]}"},
		{"{\"a\": [\n  // first\n  1,\n  2\n]}", 0, "{\"a\": [\n  // first\n  2\n]}"},
		{"{\"a\": [1, 2, 3]}", 0, "{\"a\": [2, 3]}"},
		{"{\"a\": [1, 2, 3]}", 2, "{\"a\": [1, 2]}"},
		{"{\"a\": [1, 2, 3,]}", 2, "{\"a\": [1, 2,]}"},
		{"{\"a\": [ 1 ]}", 0, "{\"a\": []}"},
	} {
		d, err := Parse("f", []byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.RemoveElement(Member(&d.Root, "a"), tt.i); err != nil {
			t.Fatal(err)
		}
		if got := string(d.Bytes()); got != tt.want {
			t.Errorf("without %d: got\n%s\nwant\n%s", tt.i, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"{\n  \"a\": 1\n  \"b\": 2\n}", "f:3:3: "},
		{"[]", "f:1:1: the file must contain one object"},
		{"{\n  \"a\": 1, \"a\": 2}", "f:2:11: the key \"a\" appears twice in one object"},
		{"{\"a\": {\"b\": 1, \"\\u0062\": 2}}", "f:1:16: the key \"b\" appears twice in one object"},
		{"// mine\n", "f: the file contains only comments"},
		{"/* mine */", "f: the file contains only comments"},
	} {
		if _, err := Parse("f", []byte(tt.in)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %s...", tt.in, err, tt.want)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(real, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.json", link); err != nil {
		t.Skip(err)
	}
	target, old, mode, err := Read(link)
	if err != nil || target != real || string(old) != "old" || mode != 0o640 {
		t.Fatalf("Read: %s %q %v %v", target, old, mode, err)
	}
	if err := Replace(target, old, []byte("new"), mode, Backup(real, time.Unix(0, 0))); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(link); string(got) != "new" {
		t.Errorf("got %q", got)
	}
	if info, _ := os.Lstat(real); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if got, _ := os.ReadFile(real + ".bak-" + time.Unix(0, 0).Format("20060102150405")); string(got) != "old" {
		t.Errorf("backup %q", got)
	}
	if err := Replace(target, []byte("old"), []byte("newer"), mode, ""); err == nil {
		t.Error("overwrote a file that changed meanwhile")
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".permgate-*")); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func add(t *testing.T, in string) string {
	t.Helper()
	d, err := Parse("f", []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	arr, err := d.Array("hooks", "E")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddElement(arr, entry); err != nil {
		t.Fatal(err)
	}
	return string(d.Bytes())
}

// FuzzAdd checks that an edit of any document that parses gives a document
// that parses and holds one element more.
func FuzzAdd(f *testing.F) {
	for _, c := range changes {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		d, err := Parse("f", []byte(in))
		if err != nil {
			return
		}
		arr, err := d.Array("hooks", "E")
		if err != nil {
			return
		}
		n := len(Elements(arr))
		if err := d.AddElement(arr, entry); err != nil {
			t.Fatal(err)
		}
		again, err := Parse("f", d.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		arr = Member(Member(&again.Root, "hooks"), "E")
		if got := len(Elements(arr)); got != n+1 {
			t.Fatalf("%d elements, want %d", got, n+1)
		}
		for len(Elements(arr)) > 0 {
			if err := again.RemoveElement(arr, len(Elements(arr))/2); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestParseMany: what somebody put into a repository must not keep install and
// doctor busy for hours.
func TestParseMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 100_000 {
		fmt.Fprintf(&b, "\"%d\":1,", i)
	}
	b.WriteString("\"x\":1}")
	began := testenv.Worked()
	if _, err := Parse("f", []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	if took := testenv.Worked() - began; took > time.Minute { // many times what it takes
		t.Errorf("took %v", took)
	}
}

// TestReplaceTogether checks that of many who change one file at once no one's
// change is lost: one who read an older text is told so.
func TestReplaceTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked there")
	}
	name := filepath.Join(t.TempDir(), "f")
	var done sync.WaitGroup
	const writers, lines = 8, 10
	for range writers {
		done.Go(func() {
			for n := 0; n < lines; {
				_, old, mode, err := Read(name)
				if err != nil {
					t.Error(err)
					return
				}
				if Replace(name, old, append(old, "line\n"...), mode, "") == nil {
					n++
				}
			}
		})
	}
	done.Wait()
	text, err := os.ReadFile(name)
	if got := strings.Count(string(text), "\n"); err != nil || got != writers*lines {
		t.Errorf("%d lines, want %d: %v", got, writers*lines, err)
	}
}
