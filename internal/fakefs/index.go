package fakefs

import (
	"encoding/binary"
	"path"
	"sort"
	"strings"

	"github.com/permgate--owner/permgate/rules/gitindex"
)

// Index writes the git index of the work tree at root: what is marked Tracked
// below it, with the content of now. Files that are changed later differ from it.
func (t *FS) Index(root string) {
	var names []string
	for p, f := range t.files {
		if f.Tracked && strings.HasPrefix(p, root+"/") {
			names = append(names, p)
		}
	}
	sort.Strings(names)
	out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(names)))
	for _, p := range names {
		entry := make([]byte, 40)
		copy(entry[24:], "\x00\x00\x81\xa4") // a regular file, 0644
		id := gitindex.Blob([]byte(t.files[p].Data))
		entry = append(entry, id[:]...)
		rel := strings.TrimPrefix(p, root+"/")
		entry = binary.BigEndian.AppendUint16(entry, uint16(len(rel)))
		entry = append(append(entry, rel...), 0)
		for len(entry)%8 != 0 {
			entry = append(entry, 0)
		}
		out = append(out, entry...)
	}
	t.Write(path.Join(root, ".git/index"), string(append(out, make([]byte, 20)...)))
}
