package sessions

// A window holds calls back, in order, until what became of them is known. It is
// bounded: the oldest is handed on without an outcome where too much would wait.
type window struct {
	f     *File
	take  func(*Call) error
	queue []*held
	open  map[string]*held
	size  int
}

// A held call waits for its outcome.
type held struct {
	call  *Call
	about any      // what else the reader knows of it
	keys  []string // it is met by
	size  int
	known bool // what became of it is
}

// Bounds of a window: calls, and bytes of what they hold.
const (
	maxHeld     = 256
	maxHeldSize = 8 << 20
)

func newWindow(f *File, take func(*Call) error) *window {
	return &window{f: f, take: take, open: map[string]*held{}}
}

// add takes a call that can be met by the keys, unless it was met before: in this
// file or another one.
func (w *window) add(c *Call, about any, keys ...string) (*held, error) {
	if w.f.Seen.Again(c.Host, c.seenAs()) {
		w.f.Counts.Duplicates++
		return nil, nil
	}
	h := &held{call: c, about: about, size: 512}
	if c.Call != nil {
		h.size += len(c.Input.Raw)
	}
	for _, k := range keys {
		if k != "" {
			h.keys = append(h.keys, k)
			w.open[k] = h
		}
	}
	h.known = len(h.keys) == 0
	w.f.Counts.Calls++
	c.Format = w.f.Format
	w.queue = append(w.queue, h)
	w.size += h.size
	return h, w.pass()
}

// sureID is how long an id is at least that no other session has.
const sureID = 16

// seenAs is what a call is known by among those of all files.
func (c *Call) seenAs() string {
	if c.ID == "" || len(c.ID) >= sureID {
		return c.ID
	}
	return c.Session + "\x00" + c.ID
}

// get returns the call that a key names and that still waits, nil for none.
func (w *window) get(key string) *held {
	if key == "" {
		return nil
	}
	return w.open[key]
}

// settle hands on what is ready, once the outcome of a call is known.
func (w *window) settle(h *held) error {
	h.known = true
	w.forget(h)
	return w.pass()
}

func (w *window) forget(h *held) {
	for _, k := range h.keys {
		if w.open[k] == h {
			delete(w.open, k)
		}
	}
}

// pass hands on the first calls, as long as they are ready or too many wait.
func (w *window) pass() error {
	for len(w.queue) > 0 && (w.queue[0].known || len(w.queue) > maxHeld || w.size > maxHeldSize) {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// end hands on what is left.
func (w *window) end() error {
	for len(w.queue) > 0 {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) next() error {
	h := w.queue[0]
	w.queue[0] = nil
	w.queue = w.queue[1:]
	w.size -= h.size
	w.forget(h)
	return w.take(h.call)
}
