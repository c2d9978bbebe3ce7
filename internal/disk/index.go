package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"permgate/rules"
)

// maxIndex bounds how much of a git index is read. A larger one is not looked
// at: everything in its repository counts as tracked.
const maxIndex = 64 << 20

// Tracked reports whether the index of any repository around path holds path,
// or one of the folders above it as a symlink, submodule or sparse folder.
// Outside git nothing is tracked. Whatever cannot be read counts as tracked:
// the stricter answer.
func (d Disk) Tracked(path string) bool {
	path = native(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if index, ok := d.index(dir); ok {
			rel, err := filepath.Rel(dir, path)
			if err != nil || index == "" || d.holds(index, filepath.ToSlash(rel)) {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// index returns the index file of the repository whose work tree is dir; "" if
// there is a repository but no telling where its index is.
func (d Disk) index(dir string) (string, bool) {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false
	case err != nil:
		return "", true
	case info.IsDir():
		return filepath.Join(git, "index"), true
	}
	data, err := d.ReadFile(git, 4096) // worktree or submodule: "gitdir: PATH"
	at, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok {
		return "", true
	}
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	return filepath.Join(at, "index"), true
}

func (d Disk) holds(index, rel string) bool {
	data, err := d.ReadFile(index, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Dir(index))
		return err != nil // without an index nothing was ever added
	}
	if err != nil {
		return true
	}
	// The size of object names (SHA-1 or SHA-256) is not in the file: the one
	// with which the file makes sense is the right one.
	for _, size := range [...]int{20, 32} {
		if found, ok := scanIndex(data, size, rel); ok {
			return found
		}
	}
	return true
}

// scanIndex looks for a path in an index file. ok is false when the file makes
// no sense with object names of that size, or is split over two files.
// Format: git's Documentation/gitformat-index.adoc, versions 2 to 4.
func scanIndex(data []byte, hash int, rel string) (found, ok bool) {
	if len(data) < 12+hash || !bytes.HasPrefix(data, []byte("DIRC")) {
		return false, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false, false
	}
	body := data[:len(data)-hash]
	at, name := 12, []byte(nil)
	for range count {
		var size int
		if name, size = indexEntry(body[at:], version, hash, name); size == 0 {
			return false, false
		}
		at += size
		found = found || covers(name, rel)
	}
	for at < len(body) { // extensions: signature, size, data
		if len(body)-at < 8 || bytes.HasPrefix(body[at:], []byte("link")) {
			return false, false
		}
		size := int64(binary.BigEndian.Uint32(body[at+4:]))
		if size > int64(len(body)-at-8) {
			return false, false
		}
		at += 8 + int(size)
	}
	return found, true
}

// covers reports whether an entry is rel or a folder above it, as any file
// system may read their names: without case, and some of them without what
// cannot be seen.
func covers(entry []byte, rel string) bool {
	name := strings.TrimSuffix(string(entry), "/")
	if len(name) <= len(rel) && strings.EqualFold(name, rel[:len(name)]) && (len(name) == len(rel) || rel[len(name)] == '/') {
		return true
	}
	if len(name) > 8*len(rel)+64 || strings.Count(name, "/") > strings.Count(rel, "/") || plain(name) && plain(rel) {
		return false
	}
	return rules.Within(rules.FoldPath(rel), rules.FoldPath(name))
}

// plain reports whether a name is ASCII alone.
func plain(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// indexEntry returns name and length of the entry at the start of data, length
// 0 when it is none. prev is the name before it, which version 4 builds upon.
func indexEntry(data []byte, version uint32, hash int, prev []byte) (name []byte, size int) {
	fixed := 40 + hash + 2 // stat fields, object name, flags
	if len(data) < fixed+2 {
		return nil, 0
	}
	flags := binary.BigEndian.Uint16(data[fixed-2:])
	if flags&0x4000 != 0 { // extended flags
		if version == 2 {
			return nil, 0
		}
		fixed += 2
	}
	at := fixed
	if version == 4 {
		strip, n := offsetVarint(data[at:])
		if n == 0 || strip > len(prev) {
			return nil, 0
		}
		name, at = prev[:len(prev)-strip:len(prev)-strip], at+n
	}
	end := bytes.IndexByte(data[at:], 0)
	if end < 0 {
		return nil, 0
	}
	name, at = append(name, data[at:at+end]...), at+end+1
	if n := int(flags & 0xfff); len(name) == 0 || n < 0xfff && n != len(name) {
		return nil, 0
	}
	if version == 4 {
		return name, at
	}
	padded := (fixed + end + 8) &^ 7 // one to eight NULs
	if padded > len(data) || len(bytes.Trim(data[at:padded], "\x00")) > 0 {
		return nil, 0
	}
	return name, padded
}

// offsetVarint decodes git's offset encoding; n is 0 when there is none.
func offsetVarint(data []byte) (v, n int) {
	for n < len(data) && n < 5 {
		b := data[n]
		n++
		v = v<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return v, n
		}
		v++
	}
	return 0, 0
}
