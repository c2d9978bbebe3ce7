package gitindex

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// Blob returns the name git gives to a file's content in a repository with
// SHA-1 object names.
func Blob(content []byte) [20]byte {
	return sha1(append([]byte("blob "+strconv.Itoa(len(content))+"\x00"), content...))
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
