package disk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// makeIndex builds an index file; names must be sorted.
func makeIndex(version uint32, hash int, names ...string) []byte {
	out := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	out = binary.BigEndian.AppendUint32(out, uint32(len(names)))
	prev := ""
	for _, n := range names {
		start := len(out)
		out = append(out, bytes.Repeat([]byte{1}, 40+hash)...)
		flags := uint16(min(len(n), 0xfff))
		if version > 2 {
			flags |= 0x4000
		}
		out = binary.BigEndian.AppendUint16(out, flags)
		if version > 2 {
			out = append(out, 0x20, 0)
		}
		if version == 4 {
			same := 0
			for same < len(n) && same < len(prev) && n[same] == prev[same] {
				same++
			}
			out = append(appendOffset(out, len(prev)-same), n[same:]...)
			out = append(out, 0)
			prev = n
			continue
		}
		out = append(out, n...)
		out = append(out, 0)
		for (len(out)-start)%8 != 0 {
			out = append(out, 0)
		}
	}
	return append(out, make([]byte, hash)...)
}

func appendOffset(out []byte, v int) []byte {
	b := []byte{byte(v & 0x7f)}
	for v >>= 7; v > 0; v >>= 7 {
		v--
		b = append([]byte{byte(v&0x7f) | 0x80}, b...)
	}
	return append(out, b...)
}

func TestScanIndex(t *testing.T) {
	long := strings.Repeat("d/", 200) + strings.Repeat("x", 5000)
	names := []string{".claude/settings.json", "a", "b/link", "c/d/e.txt", long, "sparse/"}
	for _, version := range []uint32{2, 3, 4} {
		for _, hash := range []int{20, 32} {
			data := makeIndex(version, hash, names...)
			withExt := append(append(append([]byte{}, data[:len(data)-hash]...), "TREE\x00\x00\x00\x02xx"...), data[len(data)-hash:]...)
			for _, d := range [][]byte{data, withExt} {
				for rel, want := range map[string]bool{
					".claude/settings.json": true, ".claude/Settings.json": true, ".claude/settings.local.json": false, "a": true, "a/x": true,
					"b": false, "b/link/settings.json": true, "c/d": false, long: true, "sparse/x": true, "aa": false,
				} {
					if found, ok := scanIndex(d, hash, rel); found != want || !ok {
						t.Errorf("version %d, hash %d, %.30s: %v, %v", version, hash, rel, found, ok)
					}
				}
				if _, ok := scanIndex(d, 52-hash, "a"); ok {
					t.Errorf("version %d: taken for one of the other hash", version)
				}
			}
			split := append(append(append([]byte{}, data[:len(data)-hash]...), "link\x00\x00\x00\x02xx"...), data[len(data)-hash:]...)
			if _, ok := scanIndex(split, hash, "a"); ok {
				t.Errorf("version %d: a split index is taken for a whole one", version)
			}
		}
	}
}

// TestScanIndexNames: names that build upon each other for ever make no sense.
func TestScanIndexNames(t *testing.T) {
	var names []string
	for n := range 5000 {
		names = append(names, strings.Repeat("x", n+1))
	}
	if _, ok := scanIndex(makeIndex(4, 20, names[:1000]...), 20, "x"); !ok {
		t.Error("1000 names, 1 to 1000 bytes long, are no index")
	}
	if _, ok := scanIndex(makeIndex(4, 20, names...), 20, "x"); ok {
		t.Error("5000 names, 1 to 5000 bytes long, are an index")
	}
}

func TestTracked(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	index := string(makeIndex(2, 20, ".claude/settings.json", "conf"))
	write(t, at("repo/.git/index"), index)
	write(t, at("fresh/.git/HEAD"), "ref: x")
	write(t, at("broken/.git/index"), "DIRC")
	write(t, at("tree/.git"), "gitdir: ../repo/.git\n")
	write(t, at("lost/.git"), "gitdir: ../gone\n")
	write(t, at("odd/.git"), "hello")
	write(t, at("repo/dep/.git/index"), string(makeIndex(2, 20, "x")))
	for name, want := range map[string]bool{
		"repo/.claude/settings.json":       true,
		"repo/.claude/settings.local.json": false,
		"repo/conf/settings.local.json":    true, // conf is a symlink
		"repo/dep/x":                       true,
		"repo/dep/y":                       false,
		"fresh/a":                          false,
		"broken/a":                         true,
		"tree/.claude/settings.json":       true,
		"tree/other":                       false,
		"lost/a":                           true,
		"odd/a":                            true,
		"outside/a":                        false,
	} {
		if got := (Disk{}).Tracked(at(name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What git itself writes.
func TestTrackedByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, c := range []struct{ version, format string }{{"2", "sha1"}, {"3", "sha1"}, {"4", "sha1"}, {"4", "sha256"}} {
		dir := t.TempDir()
		git := func(args ...string) bool {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
			return cmd.Run() == nil
		}
		if !git("init", "-q", "--object-format="+c.format) {
			t.Skip("this git has no object formats")
		}
		for i := range 300 {
			write(t, filepath.Join(dir, fmt.Sprintf("src/d%d/file%d.txt", i%7, i)), "x")
		}
		write(t, filepath.Join(dir, "later"), "x")
		write(t, filepath.Join(dir, "untracked"), "x")
		git("add", "src")
		git("add", "-N", "later") // extended flags: version 3
		git("update-index", "--index-version", c.version)
		for name, want := range map[string]bool{"src/d0/file0.txt": true, "src/d5/file299.txt": true, "later": true, "untracked": false, "src/d0/file1.txt": false} {
			if got := (Disk{}).Tracked(filepath.Join(dir, name)); got != want {
				t.Errorf("version %s, %s: %s: %v, want %v", c.version, c.format, name, got, want)
			}
		}
	}
}

func FuzzScanIndex(f *testing.F) {
	for _, v := range []uint32{2, 3, 4} {
		f.Add(makeIndex(v, 20, "a", "b/c"), "a")
		f.Add(makeIndex(v, 32, "a", "b/c"), "b")
	}
	f.Fuzz(func(t *testing.T, data []byte, rel string) {
		for _, hash := range []int{20, 32} {
			scanIndex(data, hash, rel)
		}
	})
}

// TestCovers: an entry is the file that any file system takes it for.
func TestCovers(t *testing.T) {
	const rel = ".claude/settings.local.json"
	for entry, want := range map[string]bool{
		rel:                                 true,
		".Claude/SETTINGS.local.json":       true,
		".claude":                           true,
		".claude/":                          true,
		".claude/ſettings.local.json":       true, // U+017F folds to s
		".\u200cclaude/settings.local.json": true, // HFS+ does not see U+200C
		".claude/settings.local.j\u017fon":  true,
		".\u212alaude/settings.local.json":  false,
		".claude/settings.local.jsonx":      false,
		".claude/ſettings":                  false,
		".claud":                            false,
		".claudé/settings.local.json":       false,
		".claude/ſettings.local.json/x":     false,
		".\u200cclaude":                     true,
		"":                                  false,
		strings.Repeat("\u200c", 400) + rel: false, // too long for a name of a file
	} {
		if got := covers([]byte(entry), rel); got != want {
			t.Errorf("%q: %v, want %v", entry, got, want)
		}
	}
}
