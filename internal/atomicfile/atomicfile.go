// Package atomicfile replaces files in one step: a reader sees the old text or the new
// one, never a part.
package atomicfile

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// Replace puts text into a file that only its owner reads; a symlink in its place is
// not followed. pattern is that of os.CreateTemp.
func Replace(name, pattern string, text []byte) error {
	tmp, err := Temp(filepath.Dir(name), pattern, text, nil)
	if err != nil {
		return err
	}
	if err := robustio.Rename(tmp, name); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}

// Temp writes a temporary file, with mode 0600, that is on the disk when it returns.
// ready may change its mode and owner before; nil changes nothing.
func Temp(dir, pattern string, text []byte, ready func(*os.File) error) (name string, err error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(text); err != nil {
		return "", err
	}
	if ready != nil {
		if err := ready(f); err != nil {
			return "", err
		}
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}
