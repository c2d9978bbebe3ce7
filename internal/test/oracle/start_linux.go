package oracle

import (
	"debug/elf"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
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
	for _, dir := range []string{"sub/deep", "d e"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(o.Dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"qa", "qb", "qc", "git", "rm", "touch", "cp", "ls", "cat", "grep", "tee", "find"} { // for a PATH that is changed
		if err := os.WriteFile(filepath.Join(o.Dir, "bin", program), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"a", "b", "x.go", "y.go", "-f", "sub/s", "sub/t.go"} {
		if err := os.WriteFile(filepath.Join(o.Dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, content := range hostile {
		if err := os.WriteFile(filepath.Join(o.Dir, "d"+strconv.Itoa(i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// dynamicShell returns a shell that calls the C library through a dynamic linker, as the shim needs.
func dynamicShell(t testing.TB, name string) string {
	t.Helper()
	bash, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	f, err := elf.Open(bash)
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	defer f.Close()
	syms, err := f.ImportedSymbols()
	if err != nil {
		t.Skipf("oracle: %s is not dynamically linked: %v", bash, err)
	}
	for _, s := range syms {
		if s.Name == "execve" {
			return bash
		}
	}
	t.Skipf("oracle: %s does not import execve", bash)
	return ""
}

// Build compiles the shim and returns its path.
func Build(t testing.TB) string {
	t.Helper()
	return compile(t, t.TempDir(), "shim", shimSource, "-Wl,-z,now", "-fno-builtin-strlen", "-shared", "-fPIC", "-ldl")
}

// compile makes a program or library of a C source, in dir, and returns its
// path. It skips the test where that cannot be.
func compile(t testing.TB, dir, name string, source []byte, flags ...string) string {
	t.Helper()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skipf("oracle: no filter for %s", runtime.GOARCH)
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	bin := filepath.Join(dir, name)
	if err := os.WriteFile(bin+".c", source, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-O2", "-o", bin, bin + ".c"}, flags...)
	if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Skipf("oracle: the %s does not compile here: %v\n%s", name, err, out)
	}
	return bin
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
