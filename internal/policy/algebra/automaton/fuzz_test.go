package automaton

import (
	"math/rand/v2"
	"testing"
)

// A script is what a random search is made of: each draw takes the next byte, and some
// lower bits that differ each time, as a draw may be refused.
type script struct {
	data []byte
	at   uint64
}

func (s *script) Uint64() uint64 {
	n := s.at * 0x9e3779b97f4a7c15 >> 8
	if s.at < uint64(len(s.data)) {
		n |= uint64(s.data[s.at]) << 56
	}
	s.at++
	return n
}

// FuzzSearch compares the searches that texts of bytes make with all texts tried one by one.
func FuzzSearch(f *testing.F) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, u := randomSearch(rand.New(&script{data: data}))
		p := s.Prepare()
		check(t, s, u, p, nil, 4)
		for i := range s.Patterns {
			check(t, s, u, p, []int{i}, 4)
		}
	})
}
