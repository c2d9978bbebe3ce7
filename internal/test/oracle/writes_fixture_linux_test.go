package oracle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"
)

// newFixture fills /w of a cage. What only a program can make, the program makes, in the cage.
func newFixture(t testing.TB, c *Cage) *fixture {
	t.Helper()
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	a := "alpha 1\nbeta 2\ngamma 3\n# delta, 4\nfoo\tbar\nalpha 1\n"
	b := strings.Replace(a, "gamma 3", "gamma 33\nnew", 1)
	diff := "--- a\t2020-01-01 00:00:00\n+++ a\t2020-01-01 00:00:01\n@@ -1,6 +1,7 @@\n alpha 1\n beta 2\n-gamma 3\n+gamma 33\n+new\n # delta, 4\n foo\tbar\n alpha 1\n"
	made := "--- /dev/null\t1970-01-01 00:00:00\n+++ sub/made\t2020-01-01 00:00:01\n@@ -0,0 +1 @@\n+made\n"
	f := &fixture{cage: c, root: root, made: map[string]bool{}, files: []fixed{
		{name: "w/a", data: a}, {name: "w/b", data: b}, {name: "w/c.txt", data: "one\ntwo\nthree\nfour\nfive\n"}, {name: "w/empty"},
		{name: "w/-f", data: "dash\n"}, {name: "w/d e/"}, {name: "w/d e/f g", data: "blank\n"}, {name: "w/sub/"}, {name: "w/sub/s", data: "s\n"},
		{name: "w/sub/t.txt", data: "t\n"}, {name: "w/sub/deep/"}, {name: "w/sub/deep/x", data: "x\n"}, {name: "w/sub/a", data: "other a\n"},
		{name: "w/dir2/"}, {name: "w/dir2/a", data: "a in dir2\n"}, {name: "w/dir3/"}, {name: "w/link", link: "a"}, {name: "w/dirlink", link: "sub"},
		{name: "w/dangling", link: "nowhere"}, {name: "w/list", data: "a\nb\nsub/s\n"}, {name: "w/list0", data: "a\x00b\x00"},
		{name: "w/x.diff", data: diff}, {name: "w/two.diff", data: diff + made}, {name: "w/bad.diff", data: strings.Replace(diff,
			"alpha 1\n beta 2", "omega 1\n omicron", 1)},
		{name: "w/nums", data: "3\n1\n2\n10\n2\n"}, {name: "w/pairs", data: "a b\nb c\nc d\n"}, {name: "w/j.json",
			data: `{"a":{"b":[1,2,3]},"c":"x"}` + "\n"},
		{name: "w/p.awk", data: `{ print $1 > "awk.out" }` + "\n"}, {name: "w/p.sed", data: "s/alpha/omega/w sed.out\n"}, {name: "w/tool",
			data: "#!/bin/sh\necho ran > tool.out\ncat\n", mode: 0o755},
		{name: "w/ro", data: "read-only\n", mode: 0o444}, {name: "w/a~", data: "old a\n"}, {name: "w/sums",
			data: "d41d8cd98f00b204e9800998ecf8427e  empty\n"},
		{name: "w/hex", data: "00000000: 6865 6c6c 6f0a                           hello.\n"}, {name: "w/b64", data: "aGVsbG8K\n"},
	}}
	if f.gid = -1; os.Geteuid() == 0 {
		f.gid = c.Uid
	}
	f.files = append(f.files, fixed{name: "w/t.tar", data: tarOf(t, false)}, fixed{name: "w/t.tgz", data: tarOf(t, true)},
		fixed{name: "w/z.zip", data: zipOf(t)},
		fixed{name: "w/m.gz", data: gzipOf(t, a)})
	f.place(t)
	for _, m := range [][]string{
		{"m.bz2", "bzip2", "-k", "m"}, {"m.xz", "xz", "-k", "m"}, {"m.zst", "zstd", "-q", "-k", "m"}, {"m.lzma", "xz", "-k", "--format=lzma", "m"},
		{"l.a", "ar", "rc", "l.a", "a", "b"}, {"o.o", "objcopy", "-I", "binary", "-O", "elf64-x86-64", "a", "o.o"}, {"aa", "cp", "a", "aa"},
	} {
		if err := f.make(&fixed{name: "w/m", data: a}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Run("/dev/null", m[1:]...); err != nil {
			t.Fatal(err)
		}
		if data, err := f.root.ReadFile("w/" + m[0]); err == nil { // else the program is not installed
			f.files = append(f.files, fixed{name: "w/" + m[0], data: string(data)})
		}
	}
	for _, name := range []string{"w", "tmp"} {
		for _, e := range entries(f.root, name) {
			if err := f.remove(name + "/" + e); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.place(t)
	f.settle(t)
	return f
}

func tarOf(t testing.TB, zipped bool) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range []string{"in/", "in/one", "in/sub/", "in/sub/two", "a"} {
		h := &tar.Header{Name: name, Mode: 0o755, ModTime: longAgo, Size: int64(len(name)), Typeflag: tar.TypeReg}
		if strings.HasSuffix(name, "/") {
			h.Size, h.Typeflag = 0, tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			w.Write([]byte(name))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if zipped {
		return gzipOf(t, b.String())
	}
	return b.String()
}

func gzipOf(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipOf(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"zin/one", "zin/sub/two", "a"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(name))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
