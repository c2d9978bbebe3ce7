package gitindex

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// large is from which size on not all of an index is read, where it is in git's order, by the bytes of names. Version 4
// says names by those before them, and is always read.
const large = 1 << 20

// sought is scan of a large index for a file alone: it looks at the entries that begin as rel does, in any case, or with
// a byte beyond ASCII, and finds where these begin by halving. ok is false as well where that cannot be told. What is
// damaged in between is not seen; git itself does not use such an index.
func (s *source) sought(hash int, rel string, visit func(*Entry)) (ok bool) {
	if s.more(); len(s.data) < 12 || !bytes.HasPrefix(s.data, []byte("DIRC")) {
		return false
	}
	version := binary.BigEndian.Uint32(s.data[4:])
	if version != 2 && version != 3 || rel[0] >= utf8.RuneSelf {
		return false
	}
	first := lower(rel[0])
	if upper := first - 'a' + 'A'; 'a' <= first && first <= 'z' {
		s.skipTo(upper, version, hash)
		s.visitAll(upper, version, hash, visit)
	}
	s.skipTo(first, version, hash)
	s.visitAll(first, version, hash, visit)
	s.skipTo(utf8.RuneSelf, version, hash)
	s.visitAll(0xff, version, hash, visit)
	if tail := s.data[s.at:]; !bytes.HasPrefix(tail, []byte("TREE")) && !bytes.HasPrefix(tail, []byte("IEOT")) {
		return false // entries were not counted: it may be cut off
	}
	_, ok = s.extensions()
	return ok
}

// skipTo goes to an entry before which no name begins with a byte from first on.
func (s *source) skipTo(first byte, version uint32, hash int) {
	low, high := int64(12), s.end
	for high-low > 2*part {
		middle := low + (high-low)/16*8
		if at, name := s.entryBehind(middle, version, hash); name != nil && name[0] < first {
			low = at
		} else {
			high = middle
		}
	}
	s.seek(low)
}

// entryBehind finds an entry in the part that begins somewhere, as entries do at every eighth byte: name is nil where
// three in a row are not met, as in what follows the entries. Of a part of an entry that looks like one the end is the
// entry's own, so that the second of them is one.
func (s *source) entryBehind(somewhere int64, version uint32, hash int) (at int64, name []byte) {
	s.seek(somewhere)
	s.more()
	for from := 0; from < len(s.data)/2; from += 8 {
		var e, second, third Entry
		size := e.plain(s.data[from:], version, hash)
		if size <= 0 {
			continue
		}
		more := second.plain(s.data[from+size:], version, hash)
		if more <= 0 || third.plain(s.data[from+size+more:], version, hash) <= 0 {
			continue
		}
		if bytes.Compare(e.Name, second.Name) <= 0 && bytes.Compare(second.Name, third.Name) <= 0 {
			return somewhere + int64(from+size), second.Name
		}
	}
	return 0, nil
}

// plain is read of an entry with a mode that git gives.
func (e *Entry) plain(data []byte, version uint32, hash int) (size int) {
	if e.Name, size = e.read(data, version, hash); size <= 0 {
		return size
	}
	switch binary.BigEndian.Uint32(data[24:]) {
	case 0o100644, 0o100755, 0o100664, 0o120000, 0o160000, 0o040000:
		return size
	}
	return 0
}

// visitAll visits the entries up to those that begin with a larger byte than last, or to the end of them.
func (s *source) visitAll(last byte, version uint32, hash int, visit func(*Entry)) {
	var e Entry
	for {
		size := e.plain(s.data[s.at:], version, hash)
		if size == cut && s.more() {
			continue
		}
		if size <= 0 || e.Name[0] > last {
			return
		}
		s.at += size
		visit(&e)
	}
}

// seek goes to a place in the file.
func (s *source) seek(at int64) { s.data, s.at, s.next = s.data[:0], 0, at }
