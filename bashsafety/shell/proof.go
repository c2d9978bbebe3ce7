// Package shell holds the values that all parts of the analysis share.
package shell

// A Proof says whether a command is proven to only read; zero is no proof. The literal of a program
// grants it, once; all code after that can only take it away.
type Proof struct {
	holds bool
	why   string
}

// Proven is a proof. A test makes sure that only the engine asks for one.
func Proven() Proof { return Proof{holds: true} }

// Holds reports whether the command is proven to only read.
func (p *Proof) Holds() bool { return p.holds }

// Why is the last reason the proof was taken away for, a clause about the program; "" for none that
// is not shown elsewhere.
func (p *Proof) Why() string { return p.why }

// Disprove takes the proof away for good. A reason, when it is given, replaces
// the one before it.
func (p *Proof) Disprove(why string) {
	if p.holds = false; why != "" {
		p.why = why
	}
}
