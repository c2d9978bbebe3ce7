package plist

import (
	be "encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
)

var (
	errHeader  = errors.New("not a property list of version bplist00")
	errTrailer = errors.New("the end of the binary property list does not fit its content")
	errCycle   = errors.New("the binary property list holds itself")
)

// A bplist is the binary form: a header, objects, a table of their offsets, a
// trailer of 32 bytes. Objects refer to each other by number.
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
	if !isWidth(b.offSize) || !isWidth(b.refSize) {
		return errTrailer
	}
	if count == 0 || count > maxValues || top >= count {
		return errTrailer
	}
	if at < 8 || at > uint64(len(body)) {
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
		for _, o := range b.open {
			if o == ref {
				return errCycle
			}
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

// isNumber reports whether a mark is that of an integer of up to 16 bytes, a
// real number of 4 or 8, or a date.
func isNumber(mark byte) bool {
	switch mark >> 4 {
	case 1:
		return mark&15 <= 4
	case 2:
		return mark == 0x22 || mark == 0x23
	}
	return mark == 0x33
}

// size reads how many elements an object has, and where they start: the number
// is in the mark, or in an integer after it.
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
		for _, c := range p {
			if c >= 0x80 {
				return errText
			}
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

// container writes an array, or a dictionary: all references to keys, then all
// references to values.
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
