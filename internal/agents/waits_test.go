package agents

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// TestWaits: the time-out that is written leaves room for programs of the operator's,
// and one that does not is brought up to date; a longer one of the user stays.
func TestWaits(t *testing.T) {
	for _, h := range Hosts() {
		unit := ""
		if h.Register.Millis {
			unit = "000"
		}
		for _, tt := range []struct {
			waits, had time.Duration
			want       string
		}{
			{0, 0, "10"}, {3500 * time.Millisecond, 0, "10"}, {64 * time.Second, 0, "70"}, {63500 * time.Millisecond, 0, "70"},
			{64 * time.Second, 10 * time.Second, "70"}, {64 * time.Second, 69 * time.Second, "69"}, {64 * time.Second, 600 * time.Second, "600"},
			{0, 4 * time.Second, "10"}, {0, 5 * time.Second, "5"},
		} {
			dirs := Dirs{Home: "/home/dev", Project: "/work", Getenv: func(string) string { return "" }, Exists: func(string) bool { return false },
				Waits: func(*hookio.Host) time.Duration { return tt.waits }}
			p := dirs.Places(h)[0]
			doc, err := edit.Parse("f.json", []byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			if tt.had > 0 {
				p.waits = nil
				if err := Register(h, p, doc, exe); err != nil {
					t.Fatal(err)
				}
				had := fmt.Sprintf("%d%s", tt.had/time.Second, unit)
				text := strings.ReplaceAll(string(doc.Bytes()), fmt.Sprintf("%q: 10%s", h.Register.Timeout, unit), fmt.Sprintf("%q: %s", h.Register.Timeout, had))
				if doc, err = edit.Parse("f.json", []byte(text)); err != nil {
					t.Fatal(err)
				}
				p.waits = dirs.Waits
			}
			if err := Register(h, p, doc, exe); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("%q: %s%s", h.Register.Timeout, tt.want, unit)
			if text := string(doc.Bytes()); strings.Count(text, want) != len(h.Register.Events) {
				t.Errorf("%s, waits %v, had %v: want %s %d times in\n%s", h.Name, tt.waits, tt.had, want, len(h.Register.Events), text)
			}
		}
	}
}
