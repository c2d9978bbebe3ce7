package disk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/load"
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
		extended := version > 2 && len(n)%3 != 0
		if extended {
			flags |= 0x4000
		}
		out = binary.BigEndian.AppendUint16(out, flags)
		if extended {
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

// scanned is spent.scan of an index in memory.
func scanned(data []byte, hash int, rel string) (found, ok bool) {
	return new(spent).scan(bytes.NewReader(data), int64(len(data)), hash, rel)
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
					if found, ok := scanned(d, hash, rel); found != want || !ok {
						t.Errorf("version %d, hash %d, %.30s: %v, %v", version, hash, rel, found, ok)
					}
				}
				if _, ok := scanned(d, 52-hash, "a"); ok {
					t.Errorf("version %d: taken for one of the other hash", version)
				}
			}
			split := append(append(append([]byte{}, data[:len(data)-hash]...), "link\x00\x00\x00\x02xx"...), data[len(data)-hash:]...)
			if _, ok := scanned(split, hash, "a"); ok {
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
	if _, ok := scanned(makeIndex(4, 20, names[:1000]...), 20, "x"); !ok {
		t.Error("1000 names, 1 to 1000 bytes long, are no index")
	}
	if _, ok := scanned(makeIndex(4, 20, names...), 20, "x"); ok {
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
		if got, once := (Disk{}).Tracked(at(name)), (&Once{}).Tracked(at(name)); got != want || once != want {
			t.Errorf("%s: %v, %v, want %v", name, got, once, want)
		}
	}
}

// TestTrackedOnce: all questions of one decision are about one moment.
func TestTrackedOnce(t *testing.T) {
	dir := t.TempDir()
	name, o := filepath.Join(dir, "a"), &Once{}
	o.Lstat(filepath.Join(dir, ".git")) // as the search for the project does
	write(t, filepath.Join(dir, ".git/index"), "DIRC")
	if o.Tracked(name) || !o.Unindexed(name) {
		t.Error("a repository that came later is seen")
	}
	if !(Disk{}).Tracked(name) || (Disk{}).Unindexed(name) {
		t.Error("not seen later either")
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

// TestScanIndexParts: where an index is cut to be read changes nothing, nor do names that are longer than a part.
func TestScanIndexParts(t *testing.T) {
	var names []string
	for n := range 3000 {
		names = append(names, fmt.Sprintf("a/%06d%s", n, strings.Repeat("x", n%97)))
	}
	names = append(names, "b"+strings.Repeat("x", 200_000), "c", "d")
	last := "e/" + strings.Repeat("x", 70_000)
	for _, version := range []uint32{2, 3, 4} {
		for _, hash := range []int{20, 32} {
			data := makeIndex(version, hash, append(names, last)...)
			for rel, want := range map[string]bool{names[0]: true, names[2999]: true, "c": true, "d/x": true, last: true, "e": false, "a/x": false} {
				if found, ok := scanned(data, hash, rel); found != want || !ok {
					t.Errorf("version %d, hash %d, %.30s: %v, %v", version, hash, rel, found, ok)
				}
			}
			for _, less := range []int{1, 33, 100, 70_000, 150_000, 300_000} {
				if _, ok := scanned(data[:len(data)-less], hash, "c"); ok {
					t.Errorf("version %d, hash %d: an index without its last %d bytes is whole", version, hash, less)
				}
				if _, ok := new(spent).scan(bytes.NewReader(data[:len(data)-less]), int64(len(data)), hash, "c"); ok && less > hash {
					t.Errorf("version %d, hash %d: an index that became %d bytes shorter is whole", version, hash, less)
				}
			}
		}
	}
}

// TestScanIndexBounds: beyond what a call may look at, everything is tracked, and below that nothing else is.
func TestScanIndexBounds(t *testing.T) {
	const rel = "a/.claude/settings.local.json"
	repeated := func(version uint32, first, name string, n int) []byte {
		names := append([]string{first}, slices.Repeat([]string{name}, n)...)
		return makeIndex(version, 20, names...)
	}
	deep := strings.Repeat("a/", 200)
	for what, c := range map[string]struct {
		data []byte
		rel  string
		want bool
	}{
		"names to fold":        {repeated(2, "b", "\u017f/x", 100_000), rel, false},
		"more of them":         {repeated(2, "b", "\u017f/x", 140_000), rel, true},
		"deeper ones":          {repeated(2, "b", "\u017f/x/x/x", 140_000), rel, false},
		"names alike":          {repeated(4, "b", deep+"b", 100_000), deep + rel, false},
		"more of these":        {repeated(4, "b", deep+"b", 200_000), deep + rel, true},
		"as many that are not": {repeated(4, "b", "b"+deep, 200_000), rel, false},
	} {
		if found, ok := scanned(c.data, 20, c.rel); found != c.want || !ok {
			t.Errorf("%s: %v, %v", what, found, ok)
		}
	}
	data := makeIndex(2, 20, "b")
	for n, want := range map[int]bool{4000: true, 5000: false} {
		more := append(data[:len(data)-20:len(data)-20], bytes.Repeat([]byte("ABCD\x00\x00\x00\x00"), n)...)
		if _, ok := scanned(append(more, make([]byte, 20)...), 20, "a"); ok != want {
			t.Errorf("%d extensions: %v", n, ok)
		}
	}
	s := &spent{read: maxRead - 2*int64(len(data))}
	name := filepath.Join(t.TempDir(), "index")
	write(t, name, string(data))
	for i, want := range []bool{false, false, true} {
		if got := s.holds(Disk{}, name, "a"); got != want {
			t.Errorf("look %d: %v: what indexes a call reads is not bounded", i, got)
		}
	}
}

// shrinking files are cut to a size once they are open.
type shrinking struct {
	Disk
	to int64
}

func (s shrinking) Parts(name string, max int64, use func(io.ReaderAt, int64)) error {
	return load.Parts(s.Disk, name, max, func(file io.ReaderAt, size int64) {
		os.Truncate(name, s.to)
		use(file, size)
	})
}

// TestShrinks: in an index that becomes shorter while it is looked at, everything counts as tracked.
func TestShrinks(t *testing.T) {
	if _, ok := load.Files(Disk{}).(load.Parted); !ok {
		t.Skip("files are read as a whole")
	}
	var names []string
	for n := range 3000 {
		names = append(names, fmt.Sprintf("a/%06d", n))
	}
	dir := t.TempDir()
	for _, to := range []int64{0, 5, 12, 100, 70_000, 100_000} {
		write(t, filepath.Join(dir, ".git/index"), string(makeIndex(2, 20, names...)))
		if tracked(Disk{}, filepath.Join(dir, "b"), new(spent)) {
			t.Error("tracked before")
		}
		if !tracked(shrinking{to: to}, filepath.Join(dir, "b"), new(spent)) {
			t.Errorf("cut to %d bytes: not tracked", to)
		}
	}
}

// TestCoversIsAsked: every spelling of a file that an entry can have is compared with it, though most entries are passed
// over by their first bytes.
func TestCoversIsAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := []string{"\u212a", "\u017f", "\u200b", "\u200c", "\u00ad", "\ufeff", "\ufe0f", "\u034f", "\u0130", "\u0131", "\u00df", "\u1e9e",
		"\ufb00", "\ufb01", "\ufb03", "\ufb06", "\u037e", "\u1fef", "\u2260", "\u00e9", "e\u0301", "\u0301", "\x80", "\xff", "\x00", "\x7f"}
	plain := strings.Split("kKsSiIfFtTaA./;`=<", "")
	name := func(n int) (text string) {
		for range n {
			if r.IntN(3) == 0 {
				text += odd[r.IntN(len(odd))]
			} else {
				text += plain[r.IntN(len(plain))]
			}
		}
		return text
	}
	spell := map[rune][]string{'k': {"K", "\u212a"}, 's': {"S", "\u017f"}, 'S': {"s", "\u017f"}, 'ß': {"ss", "\u1e9e", "sS"}, 'é': {"e\u0301", "É"}, ';': {"\u037e"}}
	covered := 0
	for range 200_000 {
		rel, entry := name(1+r.IntN(6)), ""
		for _, c := range rel {
			if r.IntN(4) == 0 {
				entry += odd[r.IntN(8)]
			}
			if also := spell[c]; also != nil && r.IntN(2) == 0 {
				entry += also[r.IntN(len(also))]
			} else {
				entry += string(c)
			}
		}
		if r.IntN(3) == 0 {
			entry = name(1 + r.IntN(6))
		}
		if entry = strings.ReplaceAll(entry, "\x00", ""); entry == "" || !covers([]byte(entry), rel) {
			continue
		}
		covered++
		for _, version := range []uint32{2, 4} {
			if found, ok := scanned(makeIndex(version, 20, entry), 20, rel); !found || !ok {
				t.Fatalf("%q is %q, and version %d: %v, %v", entry, rel, version, found, ok)
			}
		}
	}
	if covered < 20_000 {
		t.Errorf("only %d names covered another", covered)
	}
}

// agree checks that a part of the entries being passed over changes nothing.
func agree(t *testing.T, data []byte, rel string) {
	t.Helper()
	for _, hash := range []int{20, 32} {
		want := false
		whole := gitindex.Scan(data, hash, func(e *gitindex.Entry) { want = want || covers(e.Name, rel) })
		if found, ok := scanned(data, hash, rel); ok != whole || found != (want && whole) {
			t.Fatalf("hash %d, %q: %v, %v, want %v, %v\n%q", hash, rel, found, ok, want, whole, data)
		}
	}
}

// TestScanIndexDamaged: of an index with one wrong byte as much is believed as where every entry is decoded.
func TestScanIndexDamaged(t *testing.T) {
	for _, version := range []uint32{2, 3, 4} {
		for _, hash := range []int{20, 32} {
			good := makeIndex(version, hash, ".claude", "A/b", "Sub/file1", "d", "sub/.claude/settings.local.json", "sub/file")
			for i := range good {
				for _, b := range []byte{0, 1, good[i] ^ 0x20, good[i] + 1, 0xff} {
					data := bytes.Clone(good)
					data[i] = b
					for _, rel := range []string{"sub/.claude/settings.local.json", "d/x", "b"} {
						agree(t, data, rel)
					}
				}
			}
		}
	}
}

func FuzzScanIndex(f *testing.F) {
	for _, v := range []uint32{2, 3, 4} {
		f.Add(makeIndex(v, 20, "a", "b/c"), "a")
		f.Add(makeIndex(v, 32, "a", "b/c"), "b")
	}
	f.Fuzz(agree)
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
