package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// A packed is one file of an archive or package.
type packed struct {
	mode fs.FileMode
	name string
	data []byte
}

// dist is the folder with a release, made by .ci/run snapshot.
func dist(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PERMGATE_DIST")
	if dir == "" {
		t.Skip("PERMGATE_DIST names no release: .ci/run snapshot makes one")
	}
	return dir
}

// TestSnapshot checks that a release has the files of testdata/release.txt, with the checksums it says, and that the
// binaries are not position independent where that can be chosen.
func TestSnapshot(t *testing.T) {
	dir := dist(t)
	sums, err := os.ReadFile(filepath.Join(dir, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"*.tar.gz", "*.zip", "*.deb", "*.rpm"} {
		more, _ := filepath.Glob(filepath.Join(dir, pattern))
		files = append(files, more...)
	}
	if n := strings.Count(string(sums), "\n"); n != len(files) {
		t.Errorf("%d files have a checksum, %d are there", n, len(files))
	}
	slices.Sort(files)
	var got strings.Builder
	var deb, rpm []packed
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		if !strings.Contains(string(sums), fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)) {
			t.Errorf("%s is not what checksums.txt says", name)
		}
		fmt.Fprintf(&got, "%s\n", regexp.MustCompile(`[0-9.]+[-~]snapshot(-1)?`).ReplaceAllString(name, "VERSION"))
		var in []packed
		switch {
		case strings.HasSuffix(name, ".tar.gz"):
			in = untar(t, data)
		case strings.HasSuffix(name, ".zip"):
			in = unzip(t, data)
		case strings.HasSuffix(name, ".deb"):
			in = undeb(t, data, "data.tar.gz")
			deb = in
		default:
			rpm = listRPM(t, file)
			continue
		}
		for i := range in {
			fmt.Fprintf(&got, "    %v %s\n", in[i].mode, in[i].name)
			if strings.TrimSuffix(path.Base(in[i].name), ".exe") == "permgate" && in[i].mode.IsRegular() && in[i].mode&0o111 != 0 {
				fixed(t, name, in[i].data)
			}
		}
	}
	golden.File(t, filepath.Join("testdata", "release.txt"), got.String())
	sameFiles(t, deb, rpm)
}

// fixed fails for a position-independent binary. On the systems that run nothing else it is one.
func fixed(t *testing.T, name string, data []byte) {
	r := bytes.NewReader(data)
	pie := false
	if f, err := elf.NewFile(r); err == nil {
		pie = f.Type != elf.ET_EXEC
	} else if f, err := macho.NewFile(r); err == nil {
		pie = f.Cpu == macho.CpuAmd64 && f.Flags&macho.FlagPIE != 0
	} else if f, err := pe.NewFile(r); err == nil {
		h, ok := f.OptionalHeader.(*pe.OptionalHeader64)
		pie = f.Machine == pe.IMAGE_FILE_MACHINE_AMD64 && (!ok || h.DllCharacteristics&pe.IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE != 0)
	} else {
		t.Errorf("%s: the binary is none", name)
	}
	if pie {
		t.Errorf("%s: the binary is position independent", name)
	}
}

// sameFiles checks that rpm and deb put down the same, each into its system's folders.
func sameFiles(t *testing.T, deb, rpm []packed) {
	if rpm == nil {
		return
	}
	var want, got []string
	for _, f := range deb {
		if f.mode.IsDir() {
			continue
		}
		name := strings.ReplaceAll(strings.TrimPrefix(f.name, "."), "/zsh/vendor-completions/", "/zsh/site-functions/")
		name = strings.ReplaceAll(name, "/doc/permgate/copyright", "/licenses/permgate/LICENSE")
		want = append(want, strings.ReplaceAll(name, "/doc/", "/licenses/"))
	}
	for _, f := range rpm {
		got = append(got, f.name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the rpm has %q, the deb %q", got, want)
	}
}

func untar(t *testing.T, data []byte) (out []packed) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		text, rerr := io.ReadAll(r)
		if err != nil || rerr != nil {
			t.Fatal(err, rerr)
		}
		out = append(out, packed{h.FileInfo().Mode(), h.Name, text})
	}
}

func unzip(t *testing.T, data []byte) (out []packed) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		text, err := fs.ReadFile(z, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, packed{f.Mode(), f.Name, text})
	}
	return out
}

// undeb returns the files in one part of a Debian package, which is an ar archive of tar archives.
func undeb(t *testing.T, data []byte, part string) []packed {
	t.Helper()
	const head = 60
	for data = data[len("!<arch>\n"):]; len(data) > head; {
		var size int
		if _, err := fmt.Sscan(string(data[48:58]), &size); err != nil {
			t.Fatal(err)
		}
		if strings.TrimRight(string(data[:16]), " /") == part {
			return untar(t, data[head:head+size])
		}
		data = data[head+size+size%2:]
	}
	t.Fatalf("no %s in the package", part)
	return nil
}

// listRPM returns the names in a package, and nil where there is no rpm program.
func listRPM(t *testing.T, file string) (out []packed) {
	list, err := exec.Command("rpm", "-qlp", "--nosignature", file).Output()
	if err != nil {
		t.Logf("%s is not looked into: %v", filepath.Base(file), err)
		return nil
	}
	for _, name := range strings.Fields(string(list)) {
		out = append(out, packed{name: name})
	}
	return out
}
