package oracle

import (
	"bytes"
	"debug/elf"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

//go:embed shim/shim.c
var shimSource []byte

// New builds the shim and starts bash under it, as Start does.
func New(t testing.TB) *Oracle {
	t.Helper()
	return Start(t, "bash", Build(t))
}

// Start starts a shell, a name or a path, under the shim and proves both barriers, each alone, before it
// returns. Variables are put into its environment besides PATH and HOME. It skips the test where the tools
// are missing and ends it when a proof fails.
func Start(t testing.TB, shell, shim string, vars ...string) *Oracle {
	t.Helper()
	o := start(t, dynamicShell(t, shell), shim, vars)
	o.prove(t)
	o.furnish(t)
	return o
}

// planted is the program that nothing but the contents of a file can make a shell run: no text names it.
const planted = "qh"

// hostile is what the files d0, d1 ... hold: texts that run planted where a shell or a program takes them for more
// than data. zsh looks at the subscript of a variable that there is.
var hostile = [...]string{
	"PATH[$(qh)]\n", "PATH[`qh`]\n", "0+a[$(qh)]\n1\n", "a[$(qh)]=1\n", "3 PATH[$(qh)]\n", "1:a[$(qh)]\n", "$(qh)\n", "a\nb\n", "*\n?\n[a-z]\n",
	"x -exec qh ;\n", "-oqh\n", "--output=qh\n",
}

// furnish makes the directory the texts see: nothing in it ever changes.
func (o *Oracle) furnish(t testing.TB) {
	t.Helper()
	tree := fstest.MapFS{"sub/deep": {Mode: os.ModeDir}, "d e": {Mode: os.ModeDir}}
	for program := range strings.FieldsSeq("qa qb qc git rm touch cp ls cat grep tee find") { // PATH may change
		tree["bin/"+program] = &fstest.MapFile{Mode: 0o700}
	}
	for file := range strings.FieldsSeq("a b x.go y.go -f sub/s sub/t.go") {
		tree[file] = &fstest.MapFile{}
	}
	for i, content := range hostile {
		tree["d"+strconv.Itoa(i)] = &fstest.MapFile{Data: []byte(content)}
	}
	if err := os.CopyFS(o.Dir, tree); err != nil {
		t.Fatal(err)
	}
}

// dynamicShell returns a shell that calls the C library through a dynamic linker, as the shim needs.
func dynamicShell(t testing.TB, name string) string {
	t.Helper()
	bash, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	var syms []elf.ImportedSymbol
	f, err := elf.Open(bash)
	if err == nil {
		defer f.Close()
		syms, err = f.ImportedSymbols()
	}
	if !slices.ContainsFunc(syms, func(s elf.ImportedSymbol) bool { return s.Name == "execve" }) {
		t.Skipf("oracle: %s does not import execve: %v", bash, err)
	}
	return bash
}

// Build makes the shim and returns its path.
func Build(t testing.TB) string {
	t.Helper()
	return place(t, t.TempDir(), "shim", shimLibrary)
}

var shimLibrary = compiled(shimSource, "-Wl,-z,now", "-fno-builtin-strlen", "-shared", "-fPIC", "-ldl")

// compiled returns what compiles a C source, once for all tests.
func compiled(source []byte, flags ...string) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
			return nil, fmt.Errorf("no filter for %s", runtime.GOARCH)
		}
		dir, err := os.MkdirTemp("", "oracle")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		cmd := exec.Command("gcc", append([]string{"-O2", "-o", dir + "/made", "-xc", "-"}, flags...)...)
		cmd.Stdin = bytes.NewReader(source)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("it does not compile here: %w\n%s", err, out)
		}
		return os.ReadFile(dir + "/made")
	})
}

// place writes a program or library into a directory and returns its path. It skips the test if that fails.
func place(t testing.TB, dir, name string, made func() ([]byte, error)) string {
	t.Helper()
	data, err := made()
	if err == nil {
		err = executable.WriteFile(filepath.Join(dir, name), data, 0o755)
	}
	if err != nil {
		t.Skipf("oracle: %s: %v", name, err)
	}
	return filepath.Join(dir, name)
}

// start runs the shell as a fork server in an empty directory, with no terminal.
func start(t testing.TB, shell, so string, vars []string) *Oracle {
	t.Helper()
	shm, mem, err := sharedMemory(t, headSize+logSize+textSize)
	if err != nil {
		t.Fatal(err)
	}
	defer shm.Close()
	reqR, reqW := pipe(t)
	resR, resW := pipe(t)
	o := &Oracle{Dir: t.TempDir(), Home: t.TempDir(), Deadline: 5 * time.Second, mem: mem, reqW: reqW, resR: resR}
	cmd := exec.Command(shell, "-c", "TEXT") // neither reads start-up files then
	cmd.Dir = o.Dir
	cmd.Env = append([]string{"LD_PRELOAD=" + so, "PATH=/stub", "HOME=" + o.Home}, vars...)
	cmd.ExtraFiles = []*os.File{shm, reqR, resW}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reqR.Close()
	resW.Close()
	t.Cleanup(func() {
		reqW.Close() // the server ends when it can read no more
		cmd.Wait()
		resR.Close()
		syscall.Munmap(mem)
	})
	return o
}

// sharedFile creates a file in memory where there is such a place: writing to it is much cheaper.
func sharedFile(t testing.TB) (*os.File, error) {
	if f, err := os.CreateTemp("/dev/shm", "oracle"); err == nil {
		return f, os.Remove(f.Name())
	}
	return os.CreateTemp(t.TempDir(), "shared")
}

// sharedMemory returns n bytes of memory, and the file that others map them by.
func sharedMemory(t testing.TB, n int) (shm *os.File, mem []byte, err error) {
	if shm, err = sharedFile(t); err != nil {
		return nil, nil, err
	}
	if err = shm.Truncate(int64(n)); err == nil {
		mem, err = syscall.Mmap(int(shm.Fd()), 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	if err != nil {
		shm.Close()
	}
	return shm, mem, err
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}
