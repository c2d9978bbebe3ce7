package main

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/built"
)

const setsRelease = "internal/cli.release="

// release is a release build: static, no paths of the machine that built it, not position independent where that can be
// chosen. .goreleaser.yaml and install.sh build like this, too.
func release(t *testing.T) string {
	t.Helper()
	bin, err := built.Release(setsRelease + "0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// TestReleaseFlags checks that releases, and people who build from source, get what the tests below look at.
func TestReleaseFlags(t *testing.T) {
	flags := slices.DeleteFunc(slices.Clone(built.Flags[:len(built.Flags)-1]), func(f string) bool { return f == "-buildvcs=false" })
	build := strings.Join(flags, " ") + ` -ldflags "` + built.Strip + `" `
	for name, want := range map[string][]string{
		".goreleaser.yaml": {
			"env: [CGO_ENABLED=0]", "flags: [" + strings.Join(flags, ", ") + "]",
			"- " + built.Strip + " -X " + module + "/" + setsRelease + "{{ .Version }}\n",
		},
		"install.sh":      {`CGO_ENABLED=0 go build ` + build},
		"docs/install.md": {`CGO_ENABLED=0 go install ` + build + module + "@"},
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
	bin := release(t)
	out, err := exec.Command(bin, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "permgate 0.0.1 ") || !strings.Contains(string(out), "-trimpath=true CGO_ENABLED=0") {
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

// TestReproducible builds a copy of the source in another folder: the binary has the same bytes.
func TestReproducible(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("no git repository here: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "or", "somewhere else")
	for file := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		copyFile(t, file, filepath.Join(dir, file))
	}
	again := filepath.Join(dir, "permgate")
	if err := built.Into(again, dir, setsRelease+"0.0.1"); err != nil {
		t.Fatal(err)
	}
	var both [2][]byte
	for i, name := range [...]string{release(t), again} {
		if both[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(both[0], both[1]) {
		t.Error("two builds of the same source differ")
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
