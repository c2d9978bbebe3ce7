package hookio

import "io"

// MaxPayload is the largest payload read from a host, in bytes.
const MaxPayload = 16 << 20

// Options are the flags that say what the payload may not: who calls, and for which event.
type Options struct {
	Host  string // --host
	Event string // --event
}

// A Problem is why no call could be read from a payload.
type Problem struct {
	Msg string
	// TooLong is set when the payload is over MaxPayload; Call then holds what
	// the flags say, so that a tool event can still be denied in the host's form.
	TooLong bool
}

func (p *Problem) Error() string { return p.Msg }

// Read reads exactly one JSON value from r, without waiting for end of file,
// and returns the call in it. The error is a *Problem.
func Read(r io.Reader, o Options) (*Call, error) { return nil, &Problem{Msg: "not implemented"} }

// Write appends to dst the line the host of c expects for a, newline included;
// nothing for silence. Ask is turned into what the host can do (Host.AskIs).
func Write(dst []byte, c *Call, a Answer) []byte { return dst }

// Lookup returns the host called name (or one of its aliases), nil if there is none.
func Lookup(name string) *Host { return nil }

// Hosts returns every host permgate speaks with, in the order payload shapes are tried.
func Hosts() []*Host { return nil }
