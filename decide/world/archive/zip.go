package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io/fs"
)

// unicodePath is the extra field that holds a name some programs prefer.
const unicodePath = 0x7075

// zip lists a zip archive by its directory and by what is in front of each file:
// programs go by one or the other.
func (l *lister) zip(data []byte) (bool, error) {
	if !bytes.Contains(data[max(0, len(data)-(1<<16+22)):], []byte("PK\x05\x06")) &&
		!bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return false, nil
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && err != zip.ErrInsecurePath {
		return false, ErrFormat
	}
	listed := make(map[string]bool, len(r.File))
	for _, f := range r.File {
		listed[f.Name] = true
		link := f.Mode()&fs.ModeSymlink != 0
		if !l.add(Entry{Name: f.Name, Link: link}) {
			return false, ErrLarge
		}
		if name := preferred(f.Extra); name != "" && !l.add(Entry{Name: name, Link: link}) {
			return false, ErrLarge
		}
	}
	for at := 0; ; {
		k := bytes.Index(data[at:], []byte("PK\x03\x04"))
		if k < 0 {
			return true, nil
		}
		if at += k + 4; at+26 > len(data) {
			return true, nil
		}
		n := int(binary.LittleEndian.Uint16(data[at+22:]))
		more := int(binary.LittleEndian.Uint16(data[at+24:]))
		if at+26+n+more > len(data) {
			continue
		}
		name := string(data[at+26 : at+26+n])
		if !listed[name] && !l.add(Entry{Name: name}) {
			return false, ErrLarge
		}
		if other := preferred(data[at+26+n : at+26+n+more]); other != "" && !l.add(Entry{Name: other}) {
			return false, ErrLarge
		}
	}
}

// preferred is the name in an extra field, "" for none.
func preferred(extra []byte) string {
	for len(extra) >= 4 {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; size > len(extra) {
			return ""
		}
		if id == unicodePath && size > 5 {
			return string(extra[5:size])
		}
		extra = extra[size:]
	}
	return ""
}
