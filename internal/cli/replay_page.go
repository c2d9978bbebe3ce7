package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/permgate--owner/permgate/internal/atomicfile"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/replay/page"
)

// ownPage refuses to write a page in place of a file that is no such page.
func (e *env) ownPage(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			return fmt.Errorf("%s cannot be written: its folder does not exist", e.path(name))
		}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", e.path(name))
	case info.Size() == 0:
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	begin := make([]byte, len(page.FirstLine))
	if _, err := io.ReadFull(f, begin); err != nil || string(begin) != page.FirstLine {
		return fmt.Errorf("%s is there already and is no page of permgate replay: name another file", e.path(name))
	}
	return nil
}

// writePage writes a page in one step.
func writePage(name string, r *replay.Report) error {
	var text bytes.Buffer
	if err := page.Write(&text, r); err != nil {
		return err
	}
	return atomicfile.Replace(name, ".permgate-*.html", text.Bytes())
}
