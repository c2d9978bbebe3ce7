package rules

import "fmt"

// Hash returns a hash of the settings files that were read, where they lie and
// what is in them: the log keeps it to tell whether they changed since.
func (p *Policy) Hash() string {
	h := uint64(fnvStart)
	for i := range p.Sources {
		h = fnv(h, p.Sources[i].Path)
		h = (h ^ p.Sources[i].Sum) * fnvPrime
	}
	for i := range p.Faults { // a file that could not be read is no source
		h = fnv(h, p.Faults[i].Pos.File)
	}
	return fmt.Sprintf("%016x", h)
}

// SumOf is the hash of a file's text.
func SumOf(text []byte) uint64 { return fnv(fnvStart, text) }

// fnv is the 64 bit FNV-1a hash of s, going on from h.
func fnv[T string | []byte](h uint64, s T) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)
