package term

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

func TestColour(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false}, // not a terminal
		{map[string]string{"FORCE_COLOR": "1"}, true},
		{map[string]string{"FORCE_COLOR": "1", "TERM": "dumb"}, true},
		{map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, false},
	} {
		if got := Colour(&bytes.Buffer{}, func(k string) string { return tt.env[k] }); got != tt.want {
			t.Errorf("%v: %v", tt.env, got)
		}
	}
}

func TestNoTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Is(f) || Is(&bytes.Buffer{}) || Is((*os.File)(nil)) {
		t.Error("a terminal?")
	}
	if got := Width(f); got != 80 {
		t.Errorf("width %d", got)
	}
}

func TestGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if Gone(w) {
		t.Error("a pipe with a reader")
	}
	r.Close()
	if runtime.GOOS == "linux" && !Gone(w) {
		t.Error("a pipe without a reader")
	}
	if Gone(&bytes.Buffer{}) || Gone((*os.File)(nil)) {
		t.Error("no pipe")
	}
}
