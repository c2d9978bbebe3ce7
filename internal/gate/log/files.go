package log

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Name is the file that is written to. Older ones are log.1.jsonl, the most
// recent of them, log.2.jsonl and so on.
const Name = "log.jsonl"

// Files returns the log files of a state folder that exist, oldest first. That
// there are none is no error.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ages []int
	for _, e := range entries {
		if n, ok := age(e.Name()); ok && e.Type().IsRegular() {
			ages = append(ages, n)
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(ages)))
	var out []string
	for _, n := range ages {
		out = append(out, filepath.Join(dir, fileName(n)))
	}
	return out, nil
}

// fileName is the name of the nth file; 0 is the one that is written to.
func fileName(n int) string {
	if n == 0 {
		return Name
	}
	return "log." + strconv.Itoa(n) + ".jsonl"
}

func age(name string) (int, bool) {
	if name == Name {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "log."), ".jsonl"))
	return n, err == nil && n > 0 && fileName(n) == name
}
