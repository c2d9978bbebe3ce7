package hosttest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
)

// Install returns the argument list that starts the host, from the user's cache directory, into which its
// package is installed first (100 to 400 MB each). Without the host in PERMGATE_HOSTS, and with -short, the
// test is skipped with a message: all of them together take longer than go test allows.
func (h *Host) Install(t testing.TB) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("real host: skipped by -short")
	}
	if !wanted(h.Name, os.Getenv("PERMGATE_HOSTS")) {
		t.Skipf("real host: PERMGATE_HOSTS=%s installs %s from npm and drives it", h.Name, h.Package)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("real host: no cache directory: %v", err)
	}
	cache = filepath.Join(cache, "permgate-hosttest")
	h.Version = h.release(t)
	h.note(t)
	program := h.Program(fetch(t, cache, h.Package, h.Folder, h.Version))
	if h.Node != "" {
		program = append([]string{nodeBinary(fetch(t, cache, nodePackage(), "node", h.Node))}, program...)
	}
	for _, file := range program {
		if _, err := os.Stat(file); err != nil {
			t.Skipf("real host: %s has no program for this platform: %v", h.Package, err)
		}
	}
	return program
}

// release is the version to drive: PERMGATE_HOST_VERSION, where "latest" is what npm calls so, else the one that
// was driven last. It is asked for once in a run.
func (h *Host) release(t testing.TB) string {
	t.Helper()
	want := os.Getenv("PERMGATE_HOST_VERSION")
	if model := hookio.Lookup(h.Name); want == "" && model != nil {
		want = model.Driven.Version
	}
	if want != "" && want != "latest" {
		return want
	}
	if known, ok := releases.Load(h.Name); ok {
		return known.(string)
	}
	out, err := exec.Command("npm", "view", h.Package, "version").Output()
	version := strings.TrimSpace(string(out))
	if err != nil || !statusField[1].MatchString(version) {
		t.Fatalf("npm view %s version: %q, %v", h.Package, version, err)
	}
	releases.Store(h.Name, version)
	return version
}

// releases holds what npm said is the latest of each host.
var releases sync.Map

// notes say how the tests ended that drove a host in this run.
var (
	notes     []note
	notesLock sync.Mutex
)

// note takes down how the test ends.
func (h *Host) note(t testing.TB) {
	name, _, _ := strings.Cut(t.Name(), "/")
	row := Status{h.Name, h.Version, time.Now().UTC().Format(time.DateOnly), name, ""}
	t.Cleanup(func() {
		if t.Skipped() {
			row.Why = "not on " + runtime.GOOS + " " + runtime.GOARCH
		}
		notesLock.Lock()
		defer notesLock.Unlock()
		notes = append(notes, note{row, t.Failed()})
	})
}

// wanted reports whether a host is in a list of names, separated by commas, or the list is "all".
func wanted(name, list string) bool {
	return list == "all" || slices.Contains(strings.Split(list, ","), name)
}

// fetch returns the folder of the npm package in cache, where it is installed if it is not there yet.
func fetch(t testing.TB, cache, pkg, folder, version string) string {
	t.Helper()
	dir := filepath.Join(cache, folder+"-"+version)
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err == nil {
		return dir
	}
	err := npmInstall(dir, pkg+"@"+version)
	if err != nil && os.Getenv("PERMGATE_HOST_VERSION") != "" {
		t.Fatalf("real host: %v", err) // somebody wants to know about that release
	}
	if err != nil {
		t.Skipf("real host: %v", err)
	}
	return dir
}

// npmInstall installs one package without running its scripts. The folder is moved to its place at the
// end, so that an interrupted installation is not taken for a whole one.
func npmInstall(dir, pkg string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("npm is missing: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", temp,
		"--no-audit", "--no-fund", "--no-save", "--ignore-scripts", pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s: %w\n%s", pkg, err, out)
	}
	return os.Rename(temp, dir)
}

// npmPlatform returns npm's names of this system and architecture.
func npmPlatform(goos, goarch string) (system, arch string) {
	system, arch = goos, goarch
	if system == "windows" {
		system = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return system, arch
}
