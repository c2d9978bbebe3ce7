package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// maxFolders bounds the file of recorded folders, in bytes.
const maxFolders = 64 << 10

// FoldersFile is where recorded folders are listed: a real path on each line, and
// nothing else. A later format starts with a line that is no path.
func (s *Store) FoldersFile() string { return filepath.Join(s.Dir, "folders") }

// Folders returns the folders the user recorded for the environment variables that
// name a home, a state or a configuration folder. That there are none is no error.
func (s *Store) Folders() ([]string, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	name := s.FoldersFile()
	info, err := s.Files.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || !s.alone(info):
		return nil, errors.New(name + " " + errForeign.Error())
	}
	data, err := s.Files.ReadFile(name, maxFolders)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case filepath.IsAbs(line):
			out = append(out, line)
		case line != "":
			return nil, fmt.Errorf("%s %w", name, ErrNewer)
		}
	}
	return out, nil
}
