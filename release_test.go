package main

import (
	"crypto/sha256"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A release build: static, no paths of the machine that built it, not position independent where that can be
// chosen. .goreleaser.yaml and install.sh build like this, too.
var releaseFlags = [...]string{"-trimpath", "-buildmode=exe", "-ldflags"}

const (
	strip       = "-s -w"
	setsRelease = "-X " + module + "/internal/cli.release="
)

// build builds permgate in a folder as a release.
func build(t *testing.T, dir, name string) {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"build"}, releaseFlags[:]...), strip+" "+setsRelease+"1.2.3", "-o", name, ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// TestReleaseFlags checks that releases, and people who build from source, get what the tests below look at.
func TestReleaseFlags(t *testing.T) {
	flags := releaseFlags[:len(releaseFlags)-1]
	for name, want := range map[string][]string{
		".goreleaser.yaml": {
			"env: [CGO_ENABLED=0]", "flags: [" + strings.Join(flags, ", ") + "]",
			"- " + strip + " " + setsRelease + "{{ .Version }}\n",
		},
		"install.sh":      {`CGO_ENABLED=0 go build ` + strings.Join(releaseFlags[:], " ") + ` "` + strip + `" `},
		"docs/install.md": {`CGO_ENABLED=0 go install ` + strings.Join(releaseFlags[:], " ") + ` "` + strip + `" ` + module + "@"},
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s does not have %q", name, w)
			}
		}
	}
}

// TestRelease checks that a release build needs no dynamic loader, which would cost more than everything the hook does,
// is loaded where it was linked for, which saves as much again, and knows its version: the linker says nothing of a
// variable that it does not find.
func TestRelease(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "permgate.exe") // a name that every system starts
	build(t, ".", bin)
	out, err := exec.Command(bin, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "permgate 1.2.3 ") || !strings.Contains(string(out), "-trimpath=true CGO_ENABLED=0") {
		t.Errorf("%v\n%s", err, out)
	}
	if runtime.GOOS == "windows" { // the rest is about loaders of other systems
		return
	}
	f, err := elf.Open(bin)
	if err != nil {
		t.Skipf("no ELF file here: %v", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary is dynamically linked")
		}
	}
	if f.Type != elf.ET_EXEC {
		t.Errorf("the binary is %v: position independent", f.Type)
	}
}

// TestReproducible builds a copy of the source in two folders: the binaries have the same bytes.
func TestReproducible(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("no git repository here: %v", err)
	}
	var sums [2][sha256.Size]byte
	for i, name := range [...]string{"here", filepath.Join("or", "somewhere else")} {
		dir := filepath.Join(t.TempDir(), name)
		for file := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
			copyFile(t, file, filepath.Join(dir, file))
		}
		bin := filepath.Join(dir, "permgate")
		build(t, dir, bin)
		data, err := os.ReadFile(bin)
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(data)
	}
	if sums[0] != sums[1] {
		t.Errorf("two builds of the same source: %x and %x", sums[0], sums[1])
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if os.IsNotExist(err) {
		return // deleted, and not committed yet
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
