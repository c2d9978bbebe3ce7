package gate

import (
	"io/fs"
	"testing"
)

// TestPracticalWrite: dd is asked about where it may overwrite a device, or a file of
// somewhere else; where it writes a file as cp does, the rules for writes decide.
func TestPracticalWrite(t *testing.T) {
	const asks = "2 dd-write"
	for command, want := range map[string]string{
		"dd if=/dev/zero of=new.img bs=1M count=1":      "7",
		"dd if=/dev/urandom of=src/main.ts count=1":     "7",
		"dd if=a of=/tmp/mine/new":                      "7",
		"dd if=a of=/opt/new":                           "3b",
		"git status && dd if=a of=new.img":              "7",
		"dd if=a of=/w/q/dist/a":                        asks,
		"dd if=a of=out":                                asks,
		"dd if=a of=disk":                               asks,
		"dd if=a of=pipe":                               asks,
		"dd if=a of=dist":                               asks,
		`dd if=a of="$X"`:                               asks,
		"dd if=a of=*.img":                              asks,
		"sudo dd if=a of=new.img":                       asks,
		"ls | xargs -I{} dd if=a of={}":                 asks,
		"ln -s /w/q/dist/a new.img; dd if=a of=new.img": asks,
		"tar xf a.tar; dd if=a of=new.img":              asks,
		". ./x.sh; dd if=a of=new.img":                  asks,
		"ssh host dd if=a of=new.img":                   asks,
		"dd if=a of=new.img; dd if=a of=disk":           asks,
	} {
		files := practicalTree()
		files.Write("/w/p/disk", "x").Mode |= fs.ModeDevice
		files.Write("/w/p/pipe", "x").Mode |= fs.ModeNamedPipe
		files.Link("/w/p/out", "/w/q/dist/a")
		if _, v := practical(t, files, command); asked(v) != want {
			t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason)
		}
		files.Write(practicalKey, `{}`)
		if _, v := practical(t, files, command); v.Step != "2" {
			t.Errorf("strict: %s: %s, want 2: %s", command, asked(v), v.Reason)
		}
	}
}
