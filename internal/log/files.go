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
	mid, ok := strings.CutPrefix(name, "log.")
	mid, ok2 := strings.CutSuffix(mid, ".jsonl")
	n, err := strconv.Atoi(mid)
	return n, ok && ok2 && err == nil && n > 0 && fileName(n) == name
}

// ReadDir calls f for every record of a state folder's log, oldest first, until
// f returns false. A file that was rotated away while it was looked for is read
// under its new name or not at all; skipped is as in Read.
func ReadDir(dir string, f func(*Record) bool) (skipped int, err error) {
	names, err := Files(dir)
	if err != nil {
		return 0, err
	}
	more := true
	for _, name := range names {
		n, err := readFile(name, func(r *Record) bool { more = f(r); return more })
		skipped += n
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return skipped, err
		}
		if !more {
			break
		}
	}
	return skipped, nil
}

func readFile(name string, f func(*Record) bool) (int, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return Read(file, f)
}
