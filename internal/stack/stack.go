// Package stack gives the main goroutine, before anything else runs, a stack that
// is large enough for a whole decision. Growing as it goes would copy it three
// times, look up every frame's layout in cold pages for that, and touch the pages
// of each size on the way.
//
// It imports nothing and does nothing else, so that it is initialised first.
package stack

func init() { grow(false) }

// grow asks for the stack and uses none of it: no page is touched.
//
//go:noinline
func grow(use bool) byte {
	if !use {
		return 0
	}
	var room [size]byte
	fill(&room)
	return room[0]
}

// size is a little more than the stack a typical call needs, in bytes.
const size = 24 << 10

//go:noinline
func fill(b *[size]byte) { b[0] = 1 }
