//go:build !unix

package disk

import (
	"bytes"
	"io"

	"github.com/permgate--owner/permgate/rules/load"
)

// Open reads a regular file of at most max bytes: here that is not done in parts.
func (d Disk) Open(name string, max int64) (load.Opened, int64, error) {
	data, err := d.ReadFile(name, max)
	return opened{bytes.NewReader(data), io.NopCloser(nil)}, int64(len(data)), err
}

type opened struct {
	io.ReaderAt
	io.Closer
}
