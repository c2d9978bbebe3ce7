package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/rules/load"
)

var _ load.Files = (*Once)(nil)

func TestOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	o := &Once{}
	if _, err := o.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	write(t, name, "x")
	if _, err := o.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Error("two answers for one name")
	}
	if _, err := o.Stat(name); err != nil {
		t.Error(err)
	}
	link := filepath.Join(filepath.Dir(name), "link")
	if os.Symlink(name, link) == nil {
		o.Lstat(link)
		if info, err := o.Stat(link); err != nil || !info.Mode().IsRegular() {
			t.Errorf("a link leads to %v, %v", info, err)
		}
	}
	again := &Once{}
	info, err := again.Lstat(name)
	os.Remove(name)
	if same, err2 := again.Lstat(name); err != nil || err2 != nil || same != info || info.Size() != 1 {
		t.Errorf("%v %v %v", info, err, err2)
	}
	if same, err := again.Stat(name); err != nil || same != info {
		t.Errorf("another answer to Stat: %v %v", same, err)
	}
}
