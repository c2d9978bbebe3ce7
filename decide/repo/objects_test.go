//go:build linux

package repo

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// TestPackedObjects: every commit, tree and file of a pack is read, most of which are told as differences to others, by
// their place or by their name.
func TestPackedObjects(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string { return testenv.Git(t, "/nonexistent", dir, args...) }
	git("init", "-q")
	var text strings.Builder
	for n := range 40 {
		fmt.Fprintf(&text, "line %d of a file that grows\n", n)
		for _, name := range []string{"a", "b/c", fmt.Sprintf("b/%d", n)} {
			at := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text.String()+name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("add", ".")
		git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", fmt.Sprint("commit ", n))
	}
	for _, offset := range []string{"true", "false"} {
		git("-c", "repack.useDeltaBaseOffset="+offset, "repack", "-adfq", "--depth=40", "--window=40")
		w := world.New(world.Facts{FS: disk.Disk{}, User: world.User{ID: disk.UID()}}, &rules.Policy{}, "")
		g := New(w)
		b := &backup{Repos: g, repo: g.At(dir)}
		b.packed(make([]byte, 20)) // reads the lists
		p := &b.packs[b.repo.Common][0]
		if offset == "true" {
			p.size += wholePack // not at once
		}
		kinds := map[string]int{}
		for line := range strings.Lines(git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(deltabase)")) {
			words := strings.Fields(line)
			id, _ := hex.DecodeString(words[0])
			if len(b.object(id, words[1])) == 0 {
				t.Errorf("%s is not read: %s", offset, line)
			}
			if strings.Trim(words[2], "0") != "" {
				kinds[words[1]]++
			}
			if other := map[string]string{"blob": "tree", "tree": "commit", "commit": "blob"}[words[1]]; b.object(id, other) != nil {
				t.Errorf("%s is read as a %s", line, other)
			}
		}
		if kinds["tree"] == 0 || kinds["blob"] == 0 {
			t.Errorf("told as differences: %v", kinds)
		}
		if whole := p.data != nil; whole == (offset == "true") {
			t.Errorf("read at once: %v", whole)
		}
		data, err := os.ReadFile(p.name)
		if err != nil {
			t.Fatal(err)
		}
		for at := range data { // whatever is wrong in it, nothing else is read and nothing fails
			was := data[at]
			data[at] ^= 0x55
			clear(p.read)
			p.content(bytes.NewReader(data), int64(at), maxDeltas)
			p.content(bytes.NewReader(data), 12, maxDeltas)
			data[at] = was
		}
	}
}
