// Package gitindex finds the repository around a folder, and reads its index: which
// files git tracks, and what it last saw in them.
package gitindex

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// An Entry is one file of an index. It holds only until the next one is read.
type Entry struct {
	Name []byte // relative to the work tree, with slashes
	Mode uint32 // as git has it: 0100644 and 0100755 are regular files
	ID   []byte // name of the object that holds the content
	// Stage is 0 except for the sides of a merge that is not settled.
	Stage int
	// What the file was when git last looked, as far as the disk has it: modulo 2^32.
	Size, Sec, Nsec uint32
	// When its content or attributes changed, and its number in the file system: modulo 2^32.
	ChangeSec, ChangeNsec, Inode uint32
	Flagged                      bool // git does not look at the file, or only means to add it

	data []byte // the entry in the index
}

// Regular reports whether an entry is a file with one content.
func (e *Entry) Regular() bool { return e.Mode&0o170000 == 0o100000 && e.Stage == 0 }

// mostNames is how much longer all names together may be than the index: one may be
// said as a few bytes more than the one before, so that reading them takes no end.
const mostNames = 16

// Scan calls visit for every entry of an index file. It is false when the file
// makes no sense with object names of that size, or is split over two files;
// what visit was told is worth nothing then. The size of object names (20 bytes
// for SHA-1, 32 for SHA-256) is not in the file: the one with which the file
// makes sense is the right one.
// Format: git's Documentation/gitformat-index.adoc, versions 2 to 4.
func Scan(data []byte, hash int, visit func(*Entry)) bool { return Near(data, hash, "", visit) }

// Near is Scan that passes over the entries that are plain to see apart from rel: neither it nor above or below it.
func Near(data []byte, hash int, rel string, visit func(*Entry)) bool {
	_, ok := whole(data, hash).scan(hash, rel, func(e *Entry) {
		if !apart(e.Name, rel) {
			e.decode(hash)
			visit(e)
		}
	})
	return ok
}

// Root returns the name of the tree that the whole index makes, nil where the index does not say so: git
// notes it when it writes or reads a tree, and takes it back with every change.
func Root(data []byte, hash int) []byte {
	entries := 0
	noted, ok := whole(data, hash).scan(hash, "", func(*Entry) { entries++ })
	note, whole := bytes.CutPrefix(noted, append([]byte{0}, strconv.Itoa(entries)+" "...))
	_, id, found := bytes.Cut(note, []byte("\n")) // after how many trees there are below
	if !ok || !whole || !found || len(id) < hash {
		return nil
	}
	return id[:hash]
}

// scan is Near, but nothing of an entry is decoded except its name; noted is what the index says of trees that were
// made of it, where all of it is in memory.
func (s *source) scan(hash int, rel string, visit func(*Entry)) (noted []byte, ok bool) {
	if s.more(); len(s.data) < 12 || !bytes.HasPrefix(s.data, []byte("DIRC")) {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(s.data[4:]), binary.BigEndian.Uint32(s.data[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	s.at = 12
	var e Entry
	for names := int64(0); ; {
		if count = s.pass(count, version, hash, rel); count == 0 {
			break
		}
		data := s.data[s.at:]
		name, size := e.read(data, version, hash)
		if size == cut && s.more() {
			continue
		}
		if names += int64(len(name)); size <= 0 || names > mostNames*(s.end+int64(hash)) {
			return nil, false
		}
		s.at += size
		count--
		if e.Name = name; rel == "" || !far(name[0], rel[0]) {
			e.data = data
			visit(&e)
		}
	}
	return s.extensions()
}

// extensions passes over what follows the entries, each with a signature, a size and data.
func (s *source) extensions() (noted []byte, ok bool) {
	for n := 0; ; n++ {
		rest := s.data[s.at:]
		left := int64(len(rest)) + s.end - s.next
		if left == 0 {
			return noted, true
		}
		if len(rest) < 8 && s.more() {
			continue
		}
		const most = 1 << 12 // git knows ten
		if n == most || len(rest) < 8 || bytes.HasPrefix(rest, []byte("link")) {
			return nil, false
		}
		size := 8 + int64(binary.BigEndian.Uint32(rest[4:]))
		if size > left {
			return nil, false
		}
		if bytes.HasPrefix(rest, []byte("TREE")) && size <= int64(len(rest)) {
			noted = rest[8:size]
		}
		in := min(size, int64(len(rest)))
		s.at, s.next = s.at+int(in), s.next+size-in
	}
}

// cut is the size of an entry that goes on behind the data.
const cut = -1

// read takes the name of the entry at the start of data and returns the entry's length, 0 if it is not one, or cut.
// The name of the entry before is what version 4 builds upon.
func (e *Entry) read(data []byte, version uint32, hash int) (name []byte, size int) {
	at := 40 + hash + 2 // stat fields, object name, flags
	if len(data) < at+2 {
		return nil, cut
	}
	flags := binary.BigEndian.Uint16(data[at-2:])
	if flags&0x4000 != 0 { // extended flags
		if version == 2 {
			return nil, 0
		}
		at += 2
	}
	var before []byte
	n := int(flags & 0xfff)
	if version == 4 {
		strip, size := offsetVarint(data[at:])
		if size == 0 && len(data)-at < 5 {
			return nil, cut
		} else if size == 0 || strip > len(e.Name) {
			return nil, 0
		}
		before, at = e.Name[:len(e.Name)-strip], at+size
	}
	end := n
	if version == 4 || n == 0xfff {
		end = bytes.IndexByte(data[at:], 0)
	}
	padded := at + end + 1
	if version < 4 {
		padded = (at + end + 8) &^ 7 // one to eight NULs
	}
	if end < 0 || padded > len(data) {
		return nil, cut
	}
	if name = data[at : at+end : at+end]; version == 4 {
		name = append(before, name...)
	} else if !padding(data, at+end, padded) || bytes.IndexByte(data[at:padded], 0) != end {
		return nil, 0
	}
	if len(name) == 0 || n < 0xfff && n != len(name) {
		return nil, 0
	}
	return name, padded
}

// decode reads what comes before the name.
func (e *Entry) decode(hash int) {
	data, fixed := e.data, 40+hash+2
	flags := binary.BigEndian.Uint16(data[fixed-2:])
	e.Mode, e.ID, e.Stage = binary.BigEndian.Uint32(data[24:]), data[40:40+hash], int(flags>>12&3)
	e.ChangeSec, e.ChangeNsec, e.Inode = binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[20:])
	e.Sec, e.Nsec = binary.BigEndian.Uint32(data[8:]), binary.BigEndian.Uint32(data[12:])
	e.Size, e.Flagged = binary.BigEndian.Uint32(data[36:]), flags&0x8000 != 0 || flags&0x4000 != 0 && data[fixed]|data[fixed+1] != 0
}

// offsetVarint decodes git's offset encoding; n is 0 if data does not hold one.
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

// Blob returns the name git gives to a file's content in a repository with
// SHA-1 object names.
func Blob(content []byte) [20]byte { return Object("blob", content) }

// Object returns the name of an object of any kind there.
func Object(kind string, content []byte) [20]byte {
	return sha1(append([]byte(kind+" "+strconv.Itoa(len(content))+"\x00"), content...))
}

// sha1 is FIPS 180-4. The standard library's brings the self-tests of its
// cryptography into every start of the process, and nothing is kept secret here.
func sha1(data []byte) [20]byte {
	h := [5]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}
	size := uint64(len(data)) * 8
	data = append(data[:len(data):len(data)], 0x80)
	for len(data)%64 != 56 {
		data = append(data, 0)
	}
	data = binary.BigEndian.AppendUint64(data, size)
	for ; len(data) > 0; data = data[64:] {
		sha1Block(&h, data[:64])
	}
	var out [20]byte
	for i, word := range h {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
	return out
}

func sha1Block(h *[5]uint32, block []byte) {
	var w [80]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < len(w); i++ {
		w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i := range w {
		var f, k uint32
		switch {
		case i < 20:
			f, k = b&c|^b&d, 0x5A827999
		case i < 40:
			f, k = b^c^d, 0x6ED9EBA1
		case i < 60:
			f, k = b&c|b&d|c&d, 0x8F1BBCDC
		default:
			f, k = b^c^d, 0xCA62C1D6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0], h[1], h[2], h[3], h[4] = h[0]+a, h[1]+b, h[2]+c, h[3]+d, h[4]+e
}
