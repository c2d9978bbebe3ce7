package trust

import (
	"bytes"
	"os"
	"testing"
	"time"

	"permgate/internal/fakefs"
	"permgate/rules"
)

func FuzzRecord(f *testing.F) {
	for _, s := range [][3]string{
		{"/work/app", "/work/app/.gen/settings.json", `{"permissions": {}}`}, {"/a", "/a/b", ""}, {"/a\nb", "/a\nb/\"c", "\n\n{}\n"},
		{"/a", "/b", "\x00\xff\x80"}, {"/ä", "/ä/\u202e", "{\"version\":1}\n"},
	} {
		f.Add(s[0], s[1], []byte(s[2]), int64(1764000000))
	}
	f.Fuzz(func(t *testing.T, project, file string, content []byte, sec int64) {
		in := Record{Project: project, File: file, When: time.Unix(sec%1e10, 0), Content: content}
		text := in.Text()
		for _, cut := range []int{0, len(text) / 2, len(text) - 1} {
			if r, ok := parse(text[:cut]); ok {
				t.Errorf("a part of %d bytes is read as %+v", cut, r)
			}
		}
		if _, ok := parse(append(text[:len(text):len(text)], 'x')); ok {
			t.Error("a byte too many is not seen")
		}
		r, ok := parse(text)
		if !ok {
			if project != "" && file != "" && in.When.UTC().Year() >= 0 && in.When.UTC().Year() < 10000 {
				t.Errorf("%q cannot be read", text)
			}
			return
		}
		if !bytes.Equal(r.Content, content) || !r.When.Equal(in.When) {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}

// TestLook: a record speaks of one content of one file of one project.
func TestLook(t *testing.T) {
	const project, file, content = "/work/app", "/work/app/.gen/settings.json", "{}\n"
	files := fakefs.New(nil)
	s := func() *Store { return &Store{Dir: "/state/trust", Files: files, UID: 1000} }
	if got := s().Look(project, file, []byte(content)); got != (rules.Trust{}) {
		t.Errorf("without a store: %+v", got)
	}
	r := Record{Project: project, File: file, When: time.Unix(1764000000, 0), Content: []byte(content)}
	files.Write(s().File(project, file), string(r.Text())).Mode = 0o600
	files.File("/state/trust").Mode = os.ModeDir | 0o700
	files.Own("/state", 1000)
	for _, c := range []struct {
		project, file, content string
		want                   rules.Trust
	}{
		{project, file, content, rules.Trust{OK: true}},
		{project, file, content + " ", rules.Trust{Since: Date(r.When)}},
		{project, file, "", rules.Trust{Since: Date(r.When)}},
		{project, file + "x", content, rules.Trust{}},
		{project + "x", file, content, rules.Trust{}},
	} {
		if got := s().Look(c.project, c.file, []byte(c.content)); got != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	files.Own("/state/trust", 1001)
	if got := s().Look(project, file, []byte(content)); got.OK || got.Fault == "" {
		t.Errorf("somebody else's: %+v", got)
	}
	files.Own("/state", 1000)
	files.File(s().File(project, file)).UID = 0
	if got := s().Look(project, file, []byte(content)); got.OK || got.Fault == "" {
		t.Errorf("somebody else's record: %+v", got)
	}
}
