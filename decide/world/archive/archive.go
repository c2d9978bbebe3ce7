// Package archive lists the names in an archive without unpacking it: tar (plain,
// gzip, bzip2), zip, ar and cpio. What two programs might read in two ways is
// listed in both, and what is not understood is said to be unknown.
package archive

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
)

// What one archive may cost.
const (
	MaxBytes    = 32 << 20 // of the file
	MaxUnpacked = 96 << 20 // of what it is compressed from
	MaxEntries  = 20_000
)

// An Entry is one name in an archive, as it is written there.
type Entry struct {
	Name string
	Link bool   // it is a symlink
	Hard string // the name it is a second name of, "" for none
}

// Why an archive is not listed.
var (
	ErrFormat = errors.New("permgate cannot list this format")
	ErrLarge  = errors.New("it is too large to check")
)

// List returns the entries of an archive. A file that is not an archive but
// compressed has one: the name it had, where that is kept.
func List(data []byte) ([]Entry, error) {
	var l lister
	body, err := l.unpack(data)
	if err != nil {
		return nil, err
	}
	known := l.single
	for _, f := range [...]func([]byte) (bool, error){l.tar, l.zip, l.ar, l.cpio} {
		ok, err := f(body)
		if err != nil {
			return nil, err
		}
		known = known || ok
	}
	switch {
	case !known:
		return nil, ErrFormat
	case len(l.entries) > MaxEntries:
		return nil, ErrLarge
	}
	return l.entries, nil
}

type lister struct {
	entries []Entry
	single  bool // what is compressed has a name of its own
}

func (l *lister) add(e Entry) bool {
	l.entries = append(l.entries, e)
	return len(l.entries) <= MaxEntries
}

// unpack undoes the compression of an archive.
func (l *lister) unpack(data []byte) ([]byte, error) {
	var r io.Reader
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, ErrFormat
		}
		if l.single = z.Name != ""; l.single {
			l.add(Entry{Name: z.Name})
		}
		r = z
	case bytes.HasPrefix(data, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(data))
	default:
		return data, nil
	}
	body, err := io.ReadAll(io.LimitReader(r, MaxUnpacked+1))
	switch {
	case len(body) > MaxUnpacked:
		return nil, ErrLarge
	case err != nil:
		return nil, ErrFormat
	}
	return body, nil
}

// tar lists a tar archive. Anything but zeros after its end may be read by some
// program, and is not understood.
func (l *lister) tar(data []byte) (bool, error) {
	src := bytes.NewReader(data)
	r := tar.NewReader(src)
	for n := 0; ; n++ {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return tarEnd(n, data, data[len(data)-src.Len():])
		case err != nil && n == 0 && !bytes.HasPrefix(data[min(257, len(data)):], []byte("ustar")):
			return false, nil
		case err != nil:
			return false, ErrFormat
		case h.Typeflag == tar.TypeXGlobalHeader:
			if h.PAXRecords["path"] != "" || h.PAXRecords["linkpath"] != "" {
				return false, ErrFormat
			}
			continue
		}
		e := Entry{Name: h.Name, Link: h.Typeflag == tar.TypeSymlink}
		if h.Typeflag == tar.TypeLink {
			e.Hard = h.Linkname
		}
		if !l.add(e) {
			return false, ErrLarge
		}
	}
}

// tarEnd says whether data with n entries, and rest after its end, is a tar archive:
// one without entries is nothing but zeros.
func tarEnd(n int, data, rest []byte) (bool, error) {
	zeros := len(bytes.TrimRight(rest, "\x00")) == 0
	if n > 0 && !zeros {
		return false, ErrFormat
	}
	return n > 0 || zeros && len(data) >= 1024, nil
}

// ar lists an archive of ar; long names are in a member of their own.
func (l *lister) ar(data []byte) (bool, error) {
	body, ok := bytes.CutPrefix(data, []byte("!<arch>\n"))
	long := ""
	for ok && len(body) > 0 {
		if len(body) < 60 {
			return false, ErrFormat
		}
		name := strings.TrimRight(string(body[:16]), " ")
		size, err := strconv.Atoi(strings.TrimSpace(string(body[48:58])))
		if body = body[60:]; err != nil || size < 0 || size > len(body) {
			return false, ErrFormat
		}
		if name == "//" {
			long, name = string(body[:size]), ""
		}
		if name, ok = arName(name, long, body[:size]); !ok {
			return false, ErrFormat
		}
		if name != "" && !l.add(Entry{Name: name}) {
			return false, ErrLarge
		}
		body = body[min(size+size&1, len(body)):]
	}
	return ok, nil
}

// arName is the name of a member: as its header has it, in the member of long names
// (/OFFSET), or at the beginning of its own body (#1/LENGTH).
func arName(name, long string, body []byte) (string, bool) {
	if count, isBSD := strings.CutPrefix(name, "#1/"); isBSD {
		n, err := strconv.Atoi(count)
		if err != nil || n < 0 || n > len(body) {
			return "", false
		}
		name = strings.TrimRight(string(body[:n]), "\x00")
	} else if at, isLong := strings.CutPrefix(name, "/"); isLong {
		if n, err := strconv.Atoi(at); err == nil && n >= 0 && n < len(long) {
			name, _, _ = strings.Cut(long[n:], "\n")
		}
	}
	return strings.TrimSuffix(name, "/"), true
}

// A cpioFormat says where a header has its numbers, octal or hexadecimal text.
type cpioFormat struct {
	magic                                  string
	header, base, pad                      int
	mode, modeLen, size, sizeLen, name, nl int // offsets and widths; name is the length of the name
}

// cpio lists the formats of cpio in use that are text.
func (l *lister) cpio(data []byte) (bool, error) {
	formats := [...]cpioFormat{
		{"070701", 110, 16, 3, 14, 8, 54, 8, 94, 8},
		{"070702", 110, 16, 3, 14, 8, 54, 8, 94, 8},
		{"070707", 76, 8, 0, 18, 6, 65, 11, 59, 6},
	}
	var f *cpioFormat
	for i := range formats {
		if bytes.HasPrefix(data, []byte(formats[i].magic)) {
			f = &formats[i]
		}
	}
	if f == nil {
		return false, nil
	}
	for {
		if len(data) < f.header || !bytes.HasPrefix(data, []byte(f.magic)) {
			return false, ErrFormat
		}
		bad := false
		number := func(at, width int) int {
			n, err := strconv.ParseUint(string(data[at:at+width]), f.base, 34)
			bad = bad || err != nil
			return int(n)
		}
		mode, size, name := number(f.mode, f.modeLen), number(f.size, f.sizeLen), number(f.name, f.nl)
		end := f.header + name
		if bad || name < 1 || end > len(data) {
			return false, ErrFormat
		}
		e := Entry{Name: string(data[f.header : end-1]), Link: mode&0o170000 == 0o120000}
		if e.Name == "TRAILER!!!" {
			return true, nil
		}
		end = (end+f.pad)&^f.pad + (size+f.pad)&^f.pad
		if end > len(data) {
			return false, ErrFormat
		}
		if data = data[end:]; !l.add(e) {
			return false, ErrLarge
		}
	}
}
