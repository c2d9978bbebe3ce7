package cli

import (
	"cmp"
	"io"
	"os"
	"time"

	"github.com/permgate--owner/permgate/internal/sessions"
)

// readCalls hands every call of the files on; "-" is in.
func readCalls(names []string, in io.Reader, only *sessions.Format, counts *sessions.Counts, seen *sessions.Seen,
	_ time.Time, take func(*sessions.Call) error) error {
	only = cmp.Or(only, sessions.Lookup("payload"))
	for _, name := range names {
		f := &sessions.File{Format: only, Name: name, In: in, Counts: counts, Seen: seen}
		if name != "-" {
			file, err := os.Open(name)
			if err != nil {
				return err
			}
			defer file.Close()
			f.In = file
		}
		if err := only.Read(f, take); err != nil {
			return err
		}
	}
	return nil
}
