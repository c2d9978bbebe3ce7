package trust

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules/load"
)

func FuzzRecord(f *testing.F) {
	for _, s := range [][3]string{
		{"/work/app", "/work/app/.gen/settings.json", `{"permissions": {}}`}, {"/a", "/a/b", ""}, {"/a\nb", "/a\nb/\"c", "\n\n{}\n"},
		{"/a", "/b", "\x00\xff\x80"}, {"/ä", "/ä/\u202e", "{\"version\":1}\n"},
	} {
		f.Add(s[0], s[1], []byte(s[2]), int64(1764000000))
	}
	f.Fuzz(func(t *testing.T, project, file string, content []byte, sec int64) {
		in := Record{Key: Key{Project: project, File: file}, When: time.Unix(sec%1e10, 0), Content: content, Whole: sec%2 == 0}
		if !in.Whole {
			in.Repo, in.Folder = file, project
			in.Grants = []load.Grant{{Kind: "allow", Text: string(content)}, {Kind: project, Host: file, Place: "/p"}}
		}
		text := in.Text()
		for _, cut := range []int{0, len(text) / 2, len(text) - 1} {
			if r, err := Parse(text[:cut]); err == nil {
				t.Errorf("a part of %d bytes is read as %+v", cut, r)
			}
		}
		if _, err := Parse(append(text[:len(text):len(text)], 'x')); err == nil {
			t.Error("a byte too many is not seen")
		}
		r, err := Parse(text)
		if err != nil {
			if project != "" && file != "" && in.When.UTC().Year() >= 0 && in.When.UTC().Year() < 10000 {
				t.Errorf("%q cannot be read", text)
			}
			return
		}
		if !bytes.Equal(r.Content, content) || !r.When.Equal(in.When) || r.Whole != in.Whole || len(r.Grants) != len(in.Grants) {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}

// TestLook: a record speaks of one file of one project.
func TestLook(t *testing.T) {
	const file, content = "/work/app/.gen/settings.json", "{}\n"
	files := fakefs.New(nil)
	s := func() *Store { return &Store{Dir: "/state/trust", Files: files, UID: 1000} }
	at := &Place{Project: "/work/app"}
	if got := s().Look(at, file, []byte(content)); got.OK || got.Since != "" || got.Fault != "" {
		t.Errorf("without a store: %+v", got)
	}
	r := Record{Key: at.Key(file), When: time.Unix(1764000000, 0), Content: []byte(content), Whole: true}
	files.Write(s().File(r.Key), string(r.Text())).Mode = 0o600
	files.File("/state/trust").Mode = os.ModeDir | 0o700
	files.Own("/state", 1000)
	for _, c := range []struct {
		project, file, content string
		ok, copied             bool
	}{
		{at.Project, file, content, true, false},
		{at.Project, file, content + " ", false, true},
		{at.Project, file, "", false, true},
		{at.Project, file + "x", content, false, false},
		{at.Project + "x", file, content, false, false},
	} {
		got := s().Look(&Place{Project: c.project}, c.file, []byte(c.content))
		if got.OK != c.ok || len(got.Copies) > 0 != c.copied || (got.Since != "") != (c.ok || c.copied) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	files.Own("/state/trust", 1001)
	if got := s().Look(at, file, []byte(content)); got.OK || got.Fault == "" {
		t.Errorf("somebody else's: %+v", got)
	}
	files.Own("/state", 1000)
	files.File(s().File(r.Key)).UID = 0
	if got := s().Look(at, file, []byte(content)); got.OK || got.Fault == "" {
		t.Errorf("somebody else's record: %+v", got)
	}
}
