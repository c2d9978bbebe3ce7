// Package testenv says what tests may use besides the repository: corpora that are no part of it, time, and git.
// Without either variable set a test does with what the repository holds, and with a sample of what takes long.
package testenv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

const (
	// CorpusVar names the folder of the corpora: an absolute path, or one relative to the root of the repository.
	// It holds corpus/ (recorded calls, labelled calls, settings files of real projects), spec/ and oracle/.
	CorpusVar = "PERMGATE_CORPUS"
	// FullVar says how much of a table or of a generated set a test takes: without it a sample, with "ci" what the full
	// part of CI takes, with "all" everything, which is for a night.
	FullVar = "PERMGATE_FULL"
)

// Tests make much that is soon gone in small heaps: without this a third of their time is for collecting it.
var _ = os.Getenv("GOGC") != "" || debug.SetGCPercent(400) > 0

// levels are the values of FullVar, of the fewest rows first.
var levels = [...]string{"", "ci", "all"}

func level() int {
	n := slices.Index(levels[:], os.Getenv(FullVar))
	if n < 0 {
		panic(FullVar + " is ci or all")
	}
	return n
}

// Every is every how many rows of a table, or of a generated set, a test takes: one of sample, of ci or of all, by what
// FullVar asks for. A log line of the test says so, and who takes more.
func Every(t testing.TB, sample, ci, all int) int {
	t.Helper()
	return pick(t, "1 of %d", sample, ci, all)
}

// Count is how many cases a test makes, or starts at one moment: sample, ci or all, as for Every.
func Count(t testing.TB, sample, ci, all int) int {
	t.Helper()
	return pick(t, "the first %d", sample, ci, all)
}

// Sampled reports whether a test is to do with less than CI does; how says what it does then.
func Sampled(t testing.TB, how string) bool {
	t.Helper()
	if level() > 0 {
		return false
	}
	t.Logf("%s; %s=ci takes the long way", how, FullVar)
	return true
}

func pick(t testing.TB, form string, ns ...int) int {
	t.Helper()
	at := level()
	taken := func(n int) string {
		if text := fmt.Sprintf(form, n); text != "1 of 1" {
			return text
		}
		return "all"
	}
	for more, name := range levels {
		// .ci/run finds by this line which tests to run again
		if more > at && ns[more] != ns[at] {
			t.Logf("%s; %s=%s takes %s", taken(ns[at]), FullVar, name, taken(ns[more]))
			break
		}
	}
	return ns[at]
}

// CrowdSettings are what the hooks of a crowd decide by.
const CrowdSettings = `{"permissions": {"allow": ["Bash(git:*)", "Read(./src/**)"], "deny": ["Bash(curl:*)", "Read(./secret/**)"]}}`

// CrowdCalls are what they are asked, each with a number of its own in the place of #, and the answer.
var CrowdCalls = [...]struct{ Tool, Input, Want string }{
	{"Bash", `{"command":"git log -n # && git status"}`, "allow"},
	{"Bash", `{"command":"git status && rm -rf dir#"}`, "ask"},
	{"Bash", `{"command":"cd sub && curl http://host#.example/ | tail"}`, "deny"},
	{"Read", `{"file_path":"src/file#.go"}`, "allow"},
	{"Read", `{"file_path":"secret/#.txt"}`, "deny"},
	{"Write", `{"file_path":"out#.txt","content":"#"}`, "ask"},
}

// Corpus returns a file of the corpora. The test is skipped where no corpora are named, and fails where they are
// and the file is missing.
func Corpus(t testing.TB, name string) []byte {
	t.Helper()
	path := CorpusPath(t, name)
	if path == "" {
		t.SkipNow()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// CorpusGlob returns the files of the corpora that match a pattern of filepath.Glob, and skips or fails as Corpus does.
func CorpusGlob(t testing.TB, pattern string) []string {
	t.Helper()
	dir := CorpusPath(t, filepath.Dir(pattern))
	if dir == "" {
		t.SkipNow()
	}
	names, err := filepath.Glob(filepath.Join(dir, filepath.Base(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no such files in %s: %v", pattern, dir, err)
	}
	return names
}

// CorpusPath returns where a file or folder of the corpora is, "" where no corpora are named.
func CorpusPath(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv(CorpusVar)
	if dir == "" { // .ci/run finds by this line which tests to run with the corpora
		t.Logf("without %s of the corpora that %s names", name, CorpusVar)
		return ""
	}
	if !filepath.IsAbs(dir) {
		root, err := Root()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(root, dir)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Root is the folder of go.mod above the working directory, which is a package's own in its tests.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); !errors.Is(found, fs.ErrNotExist) {
			return dir, found
		}
		if strings.TrimRight(dir, `/\`) == strings.TrimRight(filepath.Dir(dir), `/\`) {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
