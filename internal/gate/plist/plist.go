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
	be "encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
)

// The bounds of a property list. Managed settings are some kilobytes; objects may
// be referred to often, so that values are counted, not bytes.
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
	w.out = hookio.AppendJSON(w.out, s)
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

var (
	errHeader  = errors.New("not a property list of version bplist00")
	errTrailer = errors.New("the end of the binary property list does not fit its content")
	errCycle   = errors.New("the binary property list holds itself")
)

// A bplist is the binary form: header, numbered objects, a table of their offsets, trailer.
type bplist struct {
	w       *writer
	data    []byte // without the trailer
	table   []byte // offsets of the objects
	offSize int    // bytes of one offset
	refSize int    // bytes of one reference
	open    []uint64
}

// trailerSize is: 5 unused bytes, sort version, offset size, reference size,
// then three 64-bit numbers: how many objects, which is the top one, where the
// table of offsets starts.
const trailerSize = 32

func binary(w *writer, data []byte) error {
	if len(data) < 8+trailerSize || string(data[:8]) != "bplist00" {
		return errHeader
	}
	body, t := data[:len(data)-trailerSize], data[len(data)-trailerSize:]
	b := &bplist{w: w, offSize: int(t[6]), refSize: int(t[7])}
	count, top, at := be.BigEndian.Uint64(t[8:]), be.BigEndian.Uint64(t[16:]), be.BigEndian.Uint64(t[24:])
	switch {
	case !isWidth(b.offSize), !isWidth(b.refSize), count == 0, count > maxValues, top >= count, at < 8, at > uint64(len(body)):
		return errTrailer
	}
	b.data, b.table = body[:at], body[at:]
	if uint64(len(b.table)) != count*uint64(b.offSize) {
		return errTrailer
	}
	return b.object(top)
}

// isWidth reports whether numbers can have that many bytes.
func isWidth(n int) bool { return n >= 1 && n <= 8 }

// object writes the object with a number.
func (b *bplist) object(ref uint64) error {
	if err := b.w.value(len(b.open)); err != nil {
		return err
	}
	at, err := b.offset(ref)
	if err != nil {
		return err
	}
	switch kind := b.data[at] >> 4; kind {
	case 0x0, 0x1, 0x2, 0x3:
		return b.scalar(at)
	case 0x4, 0x5, 0x6:
		return b.bytes(at)
	case 0xA, 0xD:
		if slices.Contains(b.open, ref) {
			return errCycle
		}
		b.open = append(b.open, ref)
		err := b.container(at, kind == 0xD)
		b.open = b.open[:len(b.open)-1]
		return err
	}
	return unknown(b.data[at])
}

func unknown(mark byte) error {
	return fmt.Errorf("the binary property list holds an object of kind 0x%02x, which no setting has", mark)
}

func (b *bplist) offset(ref uint64) (int, error) {
	if ref >= uint64(len(b.table)/b.offSize) {
		return 0, errTrailer
	}
	at := number(b.table[int(ref)*b.offSize:][:b.offSize])
	if at < 8 || at >= uint64(len(b.data)) {
		return 0, errTrailer
	}
	return int(at), nil
}

// number reads up to 8 bytes, the first the highest.
func number(p []byte) (n uint64) {
	for _, c := range p {
		n = n<<8 | uint64(c)
	}
	return n
}

// take returns n bytes of the objects from at on.
func (b *bplist) take(at int, n uint64) ([]byte, error) {
	if n > uint64(len(b.data)-at) {
		return nil, errTrailer
	}
	return b.data[at:][:n], nil
}

// scalar writes truth values, numbers and dates.
func (b *bplist) scalar(at int) error {
	mark := b.data[at]
	if mark == 0x08 || mark == 0x09 {
		b.w.bool(mark == 0x09)
		return nil
	}
	if !isNumber(mark) {
		return unknown(mark)
	}
	p, err := b.take(at+1, 1<<(mark&15))
	if err != nil {
		return err
	}
	switch {
	case mark == 0x22:
		return b.w.real(float64(math.Float32frombits(uint32(number(p)))))
	case mark == 0x23:
		return b.w.real(math.Float64frombits(number(p)))
	case mark == 0x33:
		return b.w.date(math.Float64frombits(number(p)))
	case mark == 0x13: // of 8 bytes only the sign is one
		b.w.out = strconv.AppendInt(b.w.out, int64(number(p)), 10)
		return nil
	case mark == 0x14:
		if number(p[:8]) != 0 {
			return errNumber
		}
		p = p[8:]
	}
	b.w.out = strconv.AppendUint(b.w.out, number(p), 10)
	return nil
}

// isNumber reports a mark of an integer of up to 16 bytes, a real number of 4 or 8, or a date.
func isNumber(mark byte) bool {
	switch mark >> 4 {
	case 1:
		return mark&15 <= 4
	case 2:
		return mark == 0x22 || mark == 0x23
	}
	return mark == 0x33
}

// size reads an object's number of elements, in the mark or an integer after it, and their start.
func (b *bplist) size(at int) (n uint64, start int, err error) {
	if n = uint64(b.data[at] & 15); n != 15 {
		return n, at + 1, nil
	}
	p, err := b.take(at+1, 1)
	if err != nil || p[0]>>4 != 1 || p[0]&15 > 3 {
		return 0, 0, errTrailer
	}
	width := uint64(1) << (p[0] & 15)
	if p, err = b.take(at+2, width); err != nil {
		return 0, 0, err
	}
	return number(p), at + 2 + int(width), nil
}

// bytes writes data and texts: ASCII, or UTF-16 with the high byte first.
func (b *bplist) bytes(at int) error {
	n, start, err := b.size(at)
	if err != nil {
		return err
	}
	kind := b.data[at] >> 4
	if kind == 6 {
		hi, lo := bits.Mul64(n, 2)
		if hi != 0 {
			return errTrailer
		}
		n = lo
	}
	p, err := b.take(start, n)
	if err != nil {
		return err
	}
	if kind == 4 {
		return b.w.data(p)
	}
	if kind == 5 {
		if slices.ContainsFunc(p, func(c byte) bool { return c >= utf8.RuneSelf }) {
			return errText
		}
		return b.w.text(string(p))
	}
	units := make([]uint16, len(p)/2)
	for i := range units {
		units[i] = be.BigEndian.Uint16(p[2*i:])
	}
	for i := 0; i < len(units); i++ {
		if c := rune(units[i]); utf16.IsSurrogate(c) {
			if i++; i == len(units) || utf16.DecodeRune(c, rune(units[i])) == '\uFFFD' {
				return errText
			}
		}
	}
	return b.w.text(string(utf16.Decode(units)))
}

// container writes an array, or a dictionary: references to all keys, then to all values.
func (b *bplist) container(at int, dict bool) error {
	n, start, err := b.size(at)
	if err != nil {
		return err
	}
	fields := uint64(1)
	if dict {
		fields = 2
	}
	if n > maxValues {
		return errValues
	}
	refs, err := b.take(start, n*fields*uint64(b.refSize))
	if err != nil {
		return err
	}
	ref := func(i uint64) uint64 { return number(refs[i*uint64(b.refSize):][:b.refSize]) }
	b.w.byte("[{"[fields-1])
	for i := range n {
		if i > 0 {
			b.w.byte(',')
		}
		if dict {
			if at, err = b.offset(ref(i)); err != nil {
				return err
			}
			if k := b.data[at] >> 4; k != 5 && k != 6 {
				return errors.New("a key of the binary property list is not a text")
			}
			if err := b.bytes(at); err != nil {
				return err
			}
			b.w.byte(':')
		}
		if err := b.object(ref(i + n*(fields-1))); err != nil {
			return err
		}
	}
	b.w.byte("]}"[fields-1])
	return nil
}
