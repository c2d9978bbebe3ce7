package gitindex

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf8"
)

// A source is an index without the checksum at its end: all of it in memory, or a part that moves on.
type source struct {
	data []byte // what is not done with begins at at
	at   int
	// where more of it is read, and where in the file that begins and the index ends
	file      io.ReaderAt
	next, end int64
}

func whole(data []byte, hash int) *source {
	end := max(0, len(data)-hash)
	return &source{data: data[:end], next: int64(end), end: int64(end)}
}

// part is how much of an index is in memory, unless an entry is longer: it costs page faults, and reading more often
// costs system calls.
const part = 64 << 10

// more reads on, over what is done with; false where nothing is left, or the file has become shorter.
func (s *source) more() bool {
	if s.next == s.end {
		return false
	}
	kept := s.data[s.at:]
	to := s.data[:cap(s.data)]
	if size := min(max(part, 2*int64(len(kept))), int64(len(kept))+s.end-s.next); size > int64(len(to)) {
		to = make([]byte, size)
	}
	n := copy(to, kept)
	to = to[:min(int64(len(to)), int64(n)+s.end-s.next)]
	got, _ := s.file.ReadAt(to[n:], s.next)
	s.data, s.at, s.next = to[:n+got], 0, s.next+int64(got)
	return n+got == len(to)
}

// pass goes on over entries that are plain to see apart from rel, as Entry.read would, and returns how many are left:
// large indexes are hardly anything else.
func (s *source) pass(count, version uint32, hash int, rel string) uint32 {
	fixed, data, at := 40+hash+2, s.data, s.at
	for ; count > 0 && version < 4 && rel != ""; count-- {
		e := data[at:]
		if len(e) < fixed+2 {
			break
		}
		flags := binary.BigEndian.Uint16(e[fixed-2:])
		n := int(flags & 0xfff)
		padded := (fixed + n + 8) &^ 7
		if flags&0x4000 != 0 || n == 0 || n == 0xfff || padded > len(e) {
			break
		}
		if !far(e[fixed], rel[0]) && !apart(e[fixed:fixed+n], rel) {
			break
		}
		if !padding(e, fixed+n, padded) || bytes.IndexByte(e[fixed:padded], 0) != n {
			break
		}
		at += padded
	}
	s.at = at
	return count
}

// padding reports whether all bytes between two places of an entry, of which there are one to eight, are NUL.
func padding(e []byte, from, to int) bool {
	return binary.LittleEndian.Uint64(e[to-8:])>>uint(8*(from+8-to)&63) == 0
}

// maxLooked is how many bytes of names are looked at beyond the first. Only version 4 can say more of them in an index
// that is read at all.
const maxLooked = 64 << 20

// Holds looks for a name in an index file of that size, which is read part by part. It asks is of every entry that may
// be rel or above or below it, in any spelling that a file system takes for that. More names than are looked at count
// as found. ok is false as for Scan.
func Holds(file io.ReaderAt, size int64, hash int, rel string, is func(name []byte) bool) (found, ok bool) {
	s := source{file: file, end: max(0, size-int64(hash))}
	looked := 0
	visit := func(e *Entry) {
		if looked += min(len(e.Name), len(rel)); looked > maxLooked {
			found = true
		} else if !apart(e.Name, rel) {
			looked += len(e.Name)
			found = found || is(e.Name)
		}
	}
	if ok = size >= large && rel != "" && s.sought(hash, rel, visit); !ok {
		looked, found = 0, false
		s.seek(0)
		_, ok = s.scan(hash, rel, visit)
	}
	return found && ok, ok
}

// apart reports whether a name and rel begin the same in any case, until a byte makes them differ for every file
// system: ASCII is folded to ASCII alone. Most names of an index are far from any file.
func apart(name []byte, rel string) bool {
	for i := 0; i < len(name) && i < len(rel) && name[i]|rel[i] < utf8.RuneSelf; i++ {
		if far(name[i], rel[i]) {
			return true
		}
	}
	return false
}

// far is apart for one byte.
func far(a, b byte) bool { return a|b < utf8.RuneSelf && lower(a) != lower(b) }

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}
