// Package plist turns an Apple property list, binary (bplist00) or XML, into
// the JSON that the settings loader reads.
//
// It is strict: what it does not know, and what readers could understand
// differently, is an error, so that managed settings are never half read.
// Dictionaries keep their order and keys that are there twice, which the loader
// refuses. Data becomes base64 text and a date RFC 3339 text: no setting takes
// either, so that they are harmless or a fault, as their key has it.
//
// Formats: the plist(5) manual page and PropertyList-1.0.dtd for XML,
// CFBinaryPList.c of Apple's CoreFoundation for the binary form.
package plist

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// The bounds of one property list. Managed settings are some kilobytes; an
// object may be referred to many times, so that the values, not the bytes read,
// are what has to be counted.
const (
	MaxSize   = 1 << 20 // bytes, read and written
	maxDepth  = 64
	maxValues = 1 << 16
)

var (
	errDepth  = errors.New("the property list nests too deep")
	errValues = errors.New("the property list holds too many values")
	errLarge  = errors.New("the property list is too large")
	errText   = errors.New("a text of the property list is not valid Unicode")
	errNumber = errors.New("a number of the property list has no JSON form")
)

// JSON returns the property list as one line of JSON.
func JSON(data []byte) ([]byte, error) {
	if len(data) > MaxSize {
		return nil, errLarge
	}
	w := &writer{}
	var err error
	if bytes.HasPrefix(data, []byte("bplist")) {
		err = binary(w, data)
	} else {
		err = xml(w, data)
	}
	if err != nil {
		return nil, err
	}
	return w.out, nil
}

// A writer collects JSON and counts what it was given.
type writer struct {
	out    []byte
	values int
}

// value is called before each value.
func (w *writer) value(depth int) error {
	w.values++
	switch {
	case depth > maxDepth:
		return errDepth
	case w.values > maxValues:
		return errValues
	case len(w.out) > MaxSize:
		return errLarge
	}
	return nil
}

func (w *writer) byte(b byte) { w.out = append(w.out, b) }

func (w *writer) bool(on bool) { w.out = strconv.AppendBool(w.out, on) }

// text writes a string. Control characters are escaped, all else stays as it is.
func (w *writer) text(s string) error {
	if !utf8.ValidString(s) {
		return errText
	}
	if len(w.out)+len(s) > MaxSize {
		return errLarge
	}
	w.byte('"')
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '"' || b == '\\':
			w.out = append(w.out, '\\', b)
		case b < ' ' || b == 0x7f:
			const hex = "0123456789abcdef"
			w.out = append(w.out, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		default:
			w.byte(b)
		}
	}
	w.byte('"')
	return nil
}

func (w *writer) real(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errNumber
	}
	w.out = strconv.AppendFloat(w.out, f, 'g', -1, 64)
	return nil
}

func (w *writer) data(b []byte) error {
	if len(w.out)+base64.StdEncoding.EncodedLen(len(b)) > MaxSize {
		return errLarge
	}
	w.byte('"')
	w.out = base64.StdEncoding.AppendEncode(w.out, b)
	w.byte('"')
	return nil
}

// date writes seconds since 2001-01-01, the epoch of property lists.
func (w *writer) date(seconds float64) error {
	const epoch = 978307200 // 2001-01-01T00:00:00Z in Unix time
	if math.IsNaN(seconds) || math.Abs(seconds) > 1<<40 {
		return errNumber
	}
	whole := math.Floor(seconds)
	t := time.Unix(epoch+int64(whole), int64((seconds-whole)*1e9)).UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return errNumber
	}
	return w.text(t.Format(time.RFC3339Nano))
}
