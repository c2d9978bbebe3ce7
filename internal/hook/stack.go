package hook

// GrowStack makes the stack of the goroutine that calls it large enough for a
// whole decision. It is asked for once, while there is next to nothing to copy;
// growing as it goes would copy it four times, and look up every frame's layout
// in cold pages for that.
//
//go:noinline
func GrowStack(use bool) byte {
	if !use {
		return 0 // the frame was made room for, but no page of it is touched
	}
	var room [stackRoom]byte
	fillRoom(&room)
	return room[0]
}

// stackRoom is a little more than the stack a typical call needs, in bytes.
const stackRoom = 24 << 10

//go:noinline
func fillRoom(b *[stackRoom]byte) { b[0] = 1 }
