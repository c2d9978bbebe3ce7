package shell

import "testing"

func TestCleanPath(t *testing.T) {
	for _, tt := range [...]struct{ path, want string }{
		{"/a//b/../c/", "/a/c"},
		{"//p\x00/o", "/p\x00/o"},
		{"//p\x00//o//", "/p\x00/o"},
		{"/a/../p\x00///../o", "/p\x00/../o"},
		{"\x00//o", "\x00/o"},
		{"/\x00", "/\x00"},
	} {
		if got := CleanPath(tt.path); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.path, got, tt.want)
		}
	}
}
