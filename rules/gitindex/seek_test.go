package gitindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// indexOf is an index of names, with fields as they come and an extension.
func indexOf(r *rand.Rand, version uint32, hash int, names []string, extension int) []byte {
	modes := []uint32{0o100644, 0o100755, 0o120000, 0o160000}
	out := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("DIRC"), version), uint32(len(names)))
	for _, name := range names {
		start := len(out)
		for range 6 {
			out = binary.BigEndian.AppendUint32(out, [...]uint32{r.Uint32(), r.Uint32N(40_000), 33188, 0}[r.IntN(4)])
		}
		out = binary.BigEndian.AppendUint32(out, modes[r.IntN(len(modes))])
		for range 3 + hash/4 {
			out = binary.BigEndian.AppendUint32(out, [...]uint32{r.Uint32(), 33188, r.Uint32N(99_999)}[r.IntN(3)])
		}
		flags := uint16(min(len(name), 0xfff)) | uint16(r.IntN(4)/3)<<12
		extended := version == 3 && r.IntN(9) == 0
		if extended {
			flags |= 0x4000
		}
		if out = binary.BigEndian.AppendUint16(out, flags); extended {
			out = append(out, 0x20, 0)
		}
		out = append(out, name...)
		out = append(out, make([]byte, 8-(len(out)-start)%8)...)
	}
	if extension > 0 {
		body := make([]byte, extension)
		for i := range body {
			body[i] = byte(r.Uint32() >> (8 * r.IntN(5)))
		}
		out = append(binary.BigEndian.AppendUint32(append(out, "TREE"...), uint32(extension)), body...)
	}
	return append(out, make([]byte, hash)...)
}

// counting notes how much is read of a file.
type counting struct {
	io.ReaderAt
	read int
}

func (c *counting) ReadAt(to []byte, from int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(to, from)
	c.read += n
	return n, err
}

// TestSought: what is found in a large index is what a walk over all its entries finds, and most of it is not read.
func TestSought(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tops := strings.Fields("src lib SRC Src docs .claude .github .Claude packages Makefile a z Z ~x 0 \u00fcber \u212aey \xffx s \u017frc")
	skipped, found := 0, 0
	for range testenv.Count(t, 10, 60, 200) {
		var names []string
		few := tops[:1+r.IntN(len(tops))]
		for i := range 9000 + r.IntN(60_000) {
			name := fmt.Sprintf("%s/%s%d", few[r.IntN(len(few))], strings.Repeat("d/", r.IntN(9)), i)
			if r.IntN(9000) == 0 {
				name += strings.Repeat("long", r.IntN(9000))
			}
			names = append(names, name)
		}
		for _, odd := range []string{".claude/settings.local.json", ".CLAUDE", "src/x", "lib", "zz/y", "\u212aey/x"} {
			if r.IntN(2) == 0 {
				names = append(names, odd)
			}
		}
		slices.Sort(names)
		version, hash := uint32(2+r.IntN(2)), 20+12*r.IntN(2)
		data := indexOf(r, version, hash, names, []int{0, 50, 5000, 400_000}[r.IntN(4)])
		if r.IntN(5) == 0 { // damaged, or with a shared index
			data = slices.Concat(data[:len(data)-hash], []byte("link\x00\x00\x00\x00"), data[len(data)-hash:])
		} else if r.IntN(5) == 0 {
			data = data[:len(data)-r.IntN(len(data)/2)]
		}
		for _, rel := range []string{".claude/settings.local.json", "src/.claude/settings.local.json", "lib/x", "zz/y", "key/x", "packages/d/1", "\u00fcber/x"} {
			is := func(name []byte) bool {
				return strings.EqualFold(string(name), rel) || strings.HasPrefix(rel, string(name)+"/")
			}
			want := false
			whole := Scan(data, hash, func(e *Entry) { want = want || is(e.Name) })
			c := &counting{ReaderAt: bytes.NewReader(data)}
			got, ok := Holds(c, int64(len(data)), hash, rel, is)
			if ok != whole || got != (want && whole) {
				t.Fatalf("version %d, %d names, %q: %v, %v, want %v, %v", version, len(names), rel, got, ok, want, whole)
			}
			if ok && c.read < len(data)/2 {
				skipped++
			}
			if got {
				found++
			}
		}
	}
	if skipped < 5 || found < 10 {
		t.Errorf("%d were read in part, in %d something was found", skipped, found)
	}
}
