package shell

import "testing"

func TestProofIsMonotone(t *testing.T) {
	var none Proof
	if none.Holds() || none.Why() != "" {
		t.Error("the zero value is a proof")
	}
	p := Proven()
	if !p.Holds() {
		t.Error("Proven does not hold")
	}
	p.Disprove("writes")
	p.Disprove("")
	if p.Holds() || p.Why() != "writes" {
		t.Errorf("after Disprove: %v %q", p.Holds(), p.Why())
	}
	none.Disprove("writes")
	if none.Holds() {
		t.Error("Disprove granted a proof")
	}
}
