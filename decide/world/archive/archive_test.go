package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
)

func tarOf(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Mode = 0o644; h.Typeflag == tar.TypeXGlobalHeader {
			h.Mode, h.Name = 0, ""
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = name
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cpioOf is an archive in the format newc, or odc for octal.
func cpioOf(octal bool, names ...string) []byte {
	var b strings.Builder
	for _, name := range append(names, "TRAILER!!!") {
		if octal {
			fmt.Fprintf(&b, "070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o%s\x00abc", 0, 0, 0o100644, 0, 0, 1, 0, 0, len(name)+1, 3, name)
			continue
		}
		fmt.Fprintf(&b, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00", 0, 0o100644, 0, 0, 1, 0, 3, 0, 0, 0, 0, len(name)+1, 0, name)
		for b.Len()%4 != 0 {
			b.WriteByte(0)
		}
		b.WriteString("abc\x00")
	}
	return []byte(b.String())
}

// TestList: every name any program might take from a file is listed, or the
// file is said to be unknown.
func TestList(t *testing.T) {
	plain := tarOf(t, tar.Header{Name: "a/b"}, tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "/x"}, tar.Header{Name: "h", Typeflag: tar.TypeLink, Linkname: "a/b"})
	long := tarOf(t, tar.Header{Name: strings.Repeat("d/", 90) + ".envrc"})
	renamed := zipOf(t, "good")
	renamed = bytes.Replace(renamed, []byte("good"), []byte(".env"), 1) // in front of the file, not in the directory
	ar := "!<arch>\n" + fmt.Sprintf("%-16s%-32s%-10d`\n%s", "//", "", 8, "longer/\n") + fmt.Sprintf("%-16s%-32s%-10d`\n%s", "/0", "", 1, "x\n") + fmt.Sprintf("%-16s%-32s%-10d`\n%s", "a.o/", "", 2, "xy")
	for _, row := range []struct {
		what string
		data []byte
		want string // names, "" when it is not known
	}{
		{"tar", plain, "a/b l@ h=a/b"},
		{"tar.gz", gz(t, "", plain), "a/b l@ h=a/b"},
		{"a long name", long, strings.Repeat("d/", 90) + ".envrc"},
		{"an empty tar", tarOf(t), ""},
		{"a cut tar", plain[:700], ""},
		{"more behind the end of a tar", append(bytes.Clone(plain), plain...), ""},
		{"a cut tar.gz", gz(t, "", plain)[:60], ""},
		{"a name for all that follows", tarOf(t, tar.Header{Name: "x", Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"path": ".envrc"}}, tar.Header{Name: "b"}), ""},
		{"a comment of git's", tarOf(t, tar.Header{Name: "pax_global_header", Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "1234"}}, tar.Header{Name: "b"}), "b"},
		{"zip", zipOf(t, "a/", "a/b"), "a/ a/b"},
		{"a program in front of a zip", append([]byte("#!/bin/sh\n"), zipOf(t, "a")...), "a"},
		{"a zip with two names for one file", renamed, "good .env"},
		{"a zip behind a tar", append(bytes.Clone(plain), zipOf(t, ".env")...), ""},
		{"a cut zip", zipOf(t, "a", "b")[:40], ""},
		{"ar", []byte(ar), "longer a.o"},
		{"cpio", cpioOf(false, "a", "b/c"), "a b/c"},
		{"odc", cpioOf(true, "/etc/x", "b"), "/etc/x b"},
		{"a cut cpio", cpioOf(false, "a", "b/c")[:130], ""},
		{"one file with a name", gz(t, ".envrc", []byte("x")), ".envrc"},
		{"one file without", gz(t, "", []byte("x")), ""},
		{"xz", []byte("\xfd7zXZ\x00abc"), ""},
		{"nothing", nil, ""},
		{"text", []byte("hello"), ""},
	} {
		entries, err := List(row.data)
		var names []string
		for _, e := range entries {
			name := e.Name
			if e.Link {
				name += "@"
			}
			if e.Hard != "" {
				name += "=" + e.Hard
			}
			names = append(names, name)
		}
		got := strings.Join(names, " ")
		if got != row.want || (err == nil) != (row.want != "" || row.what == "an empty tar") {
			t.Errorf("%s: got %q, %v; want %q", row.what, got, err, row.want)
		}
	}
}

// TestListBudget: an archive of too many names, or one that grows too large, is unknown.
func TestListBudget(t *testing.T) {
	names := make([]string, MaxEntries+1)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	if _, err := List(zipOf(t, names...)); err != ErrLarge {
		t.Errorf("%d names: %v", len(names), err)
	}
	bomb := bytes.Repeat(gz(t, "", make([]byte, 1<<20)), MaxUnpacked>>20+1) // as one stream: members follow each other
	if _, err := List(bomb); err != ErrLarge {
		t.Errorf("a bomb: %v", err)
	}
}

func FuzzList(f *testing.F) {
	f.Add(cpioOf(false, "a"))
	f.Add([]byte("!<arch>\n"))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if entries, err := List(data); err == nil && len(entries) > MaxEntries {
			t.Error("more names than the budget")
		}
	})
}
