package sessions

import "github.com/permgate--owner/permgate/internal/gate/log"

// Seen remembers, for all files that are read, which calls were met: by a hash of the ids
// that programs give them. It takes 11 to 21 bytes of memory a call.
type Seen struct {
	ids  []uint64 // a table of hashes, each near the place it names; 0 is a free one
	used int

	log   *window             // calls of the log whose outcome may be in its next file
	modes map[string][]moment // of Claude Code's sessions, by their files
}

// Again notes an id of a host, and reports whether it was met before. "" is never met.
func (s *Seen) Again(host, id string) bool {
	if id == "" {
		return false
	}
	h := log.Sum(host, id)
	h ^= h >> 32 // the low bits, which name the place, are of all letters then
	if h == 0 {
		h = 1
	}
	if 4*s.used >= 3*len(s.ids) {
		s.grow()
	}
	at := s.place(h)
	if s.ids[at] == h {
		return true
	}
	s.ids[at] = h
	s.used++
	return false
}

// place is where a hash is, or is to be.
func (s *Seen) place(h uint64) uint64 {
	mask := uint64(len(s.ids) - 1)
	at := h & mask
	for s.ids[at] != 0 && s.ids[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (s *Seen) grow() {
	old := s.ids
	s.ids = make([]uint64, max(1024, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			s.ids[s.place(h)] = h
		}
	}
}
