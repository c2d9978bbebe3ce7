package commands

import (
	"slices"
	"testing"
)

func TestProgramVarsSorted(t *testing.T) {
	if !slices.IsSorted(programPrefixes[:]) || !slices.IsSorted(programVars[:]) {
		t.Error("not sorted: names are looked up by halves")
	}
}
