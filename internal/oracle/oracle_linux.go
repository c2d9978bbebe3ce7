package oracle

import (
	"debug/elf"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

//go:embed shim/shim.c
var shimSource []byte

// Sizes of the shared file, as in shim.c.
const (
	headSize = 4096
	logSize  = 1 << 20
	textSize = 1 << 20
)

// Request flags, as in shim.c.
const (
	raw       = 1 // the interposed functions pass through: only seccomp stands
	noSeccomp = 2 // only the interposed functions stand; only before the first seal
	seal      = 4 // the server takes on the filter, for all that come
)

// An Oracle is a running bash that executes nothing. It is safe for use by several goroutines, one text at
// a time; for more speed start several.
type Oracle struct {
	Dir      string        // the working directory
	Home     string        // $HOME, empty
	Deadline time.Duration // of one text

	mu   sync.Mutex
	mem  []byte
	reqW *os.File
	resR *os.File
}

// A Result is what bash would have done with a text.
type Result struct {
	Execs     [][]string // what would have been executed, in order of time; [0] without the stub directory
	Writes    []string   // what would have been changed: "open PATH", "unlink PATH", "kill", ...
	Changes   []Change   // the same as Writes, taken apart
	Status    int        // exit status of bash; 128+n after signal n
	TimedOut  bool       // cut off by the deadline
	BadSyntax bool       // bash did not parse the whole text
	Cut       bool       // the log or the number of forks was exhausted: Execs and Writes are not complete
}

// A Change is one change of a file, or another thing refused.
type Change struct {
	Op   string // "open", "unlink", "socket"
	Path string // as the shell gave it
	Dir  string // what a relative path is relative to
}

// New builds the shim and starts bash under it, as Start does.
func New(t testing.TB) *Oracle {
	t.Helper()
	return Start(t, "bash", Build(t))
}

// Start starts a shell, bash or dash, under the shim and proves both barriers, each alone, before it
// returns. Variables are put into its environment beside PATH and HOME. It skips the test where the tools
// are missing and ends it when a proof fails.
func Start(t testing.TB, shell, shim string, vars ...string) *Oracle {
	t.Helper()
	o := start(t, dynamicShell(t, shell), shim, vars)
	o.prove(t)
	o.furnish(t)
	return o
}

// furnish makes the directory the texts see: nothing in it ever changes.
func (o *Oracle) furnish(t testing.TB) {
	t.Helper()
	for _, dir := range []string{"sub/deep", "d e"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"a", "b", "x.go", "y.go", "-f", "sub/s", "sub/t.go"} {
		if err := os.WriteFile(filepath.Join(o.Dir, file), nil, 0o600); err != nil {
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
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skipf("oracle: no filter for %s", runtime.GOARCH)
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	dir := t.TempDir()
	src, so := filepath.Join(dir, "shim.c"), filepath.Join(dir, "shim.so")
	if err := os.WriteFile(src, shimSource, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O2", "-Wl,-z,now", "-fno-builtin-strlen", "-shared", "-fPIC", "-o", so, src, "-ldl").CombinedOutput(); err != nil {
		t.Skipf("oracle: the shim does not compile here: %v\n%s", err, out)
	}
	return so
}

// start runs the shell as a fork server in an empty directory, with no terminal.
func start(t testing.TB, shell, so string, vars []string) *Oracle {
	t.Helper()
	shm, err := sharedFile(t)
	if err != nil {
		t.Fatal(err)
	}
	defer shm.Close()
	size := headSize + logSize + textSize
	if err := shm.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
	mem, err := syscall.Mmap(int(shm.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
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

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// Run returns what bash would do with the text after -c if every program ended with status 0.
func (o *Oracle) Run(text string) (Result, error) { return o.run(text, 0, 0) }

// RunBoth runs the text twice, with every program succeeding and with every program failing, and returns
// the executions and writes of both, so that both sides of && and || are seen.
func (o *Oracle) RunBoth(text string) (Result, error) {
	return o.runs(text, 0, ^uint32(0))
}

// runs runs the text once for each choice of exit statuses.
func (o *Oracle) runs(text string, exits ...uint32) (Result, error) {
	var all Result
	for i, e := range exits {
		r, err := o.run(text, 0, e)
		if err != nil {
			return r, err
		}
		if i == 0 {
			all = r
			continue
		}
		all.add(&r)
	}
	return all, nil
}

func (a *Result) add(b *Result) {
	a.Execs = append(a.Execs, b.Execs...)
	a.Writes = append(a.Writes, b.Writes...)
	a.Changes = append(a.Changes, b.Changes...)
	a.BadSyntax = a.BadSyntax || b.BadSyntax
	a.TimedOut = a.TimedOut || b.TimedOut
	a.Cut = a.Cut || b.Cut
}

// run is one request. Bit k%32 of exits is the exit status of the k-th execution.
func (o *Oracle) run(text string, flags, exits uint32) (Result, error) {
	if len(text) >= textSize {
		return Result{}, fmt.Errorf("oracle: text of %d bytes is too long", len(text))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	copy(o.mem[headSize+logSize:], text)
	req := [4]uint32{uint32(len(text)), flags, exits, uint32(o.Deadline.Milliseconds())}
	if _, err := o.reqW.Write((*[16]byte)(unsafe.Pointer(&req))[:]); err != nil {
		return Result{}, fmt.Errorf("oracle: bash is gone: %w", err)
	}
	var res [3]uint32
	if _, err := io.ReadFull(o.resR, (*[12]byte)(unsafe.Pointer(&res))[:]); err != nil {
		return Result{}, fmt.Errorf("oracle: bash is gone: %w", err)
	}
	ws := syscall.WaitStatus(res[0])
	r := Result{Status: ws.ExitStatus(), TimedOut: res[1]&1 != 0, Cut: res[1]&6 != 0, BadSyntax: res[1]&8 != 0}
	if ws.Signaled() {
		r.Status = 128 + int(ws.Signal())
	}
	if res[1]&16 == 0 {
		return r, fmt.Errorf("oracle: the child could not be confined")
	}
	r.read(o.mem[headSize : headSize+min(int(res[2]), logSize)])
	return r, nil
}

// read decodes the log: entries of length, kind, NUL-terminated strings.
func (r *Result) read(log []byte) {
	for len(log) >= 5 {
		n := int(binary.NativeEndian.Uint32(log))
		if n < 6 || n > len(log) {
			return
		}
		s := strings.Split(string(log[5:n-1]), "\x00")
		if log[4] == 'X' {
			path, argv := strings.TrimPrefix(s[0], "/stub/"), s[1:]
			if len(argv) > 0 && !strings.HasSuffix(path, "/"+argv[0]) { // else found in the standard path
				argv[0] = path
			}
			r.Execs = append(r.Execs, argv)
		} else {
			w := append(s, "", "")
			r.Writes = append(r.Writes, strings.TrimSuffix(w[0]+" "+w[1], " "))
			r.Changes = append(r.Changes, Change{Op: w[0], Path: w[1], Dir: w[2]})
		}
		log = log[n:]
	}
}

// prove shows that neither an execution by absolute path nor a redirect, a removal or a signal gets
// through, with both barriers and with each alone. The texts are harmless if they do.
func (o *Oracle) prove(t testing.TB) {
	t.Helper()
	keep := filepath.Join(o.Dir, "keep")
	if err := os.WriteFile(keep, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Without either barrier the harmless text does make its file, so what follows proves something.
	if _, err := o.run("/bin/touch made", raw|noSeccomp, 0); err != nil || files(t, o.Dir) != "keep made" {
		t.Fatalf("oracle: the proof proves nothing: files %q, %v", files(t, o.Dir), err)
	}
	if err := os.Remove(filepath.Join(o.Dir, "made")); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []uint32{noSeccomp, seal, raw, 0} { // nothing gets a seal off again
		for _, text := range []string{
			"/bin/touch made", "/usr/bin/touch made; :", "exec /bin/touch made", "/bin/sh -c '/bin/touch made'",
			"> made", ": >> " + o.Dir + "/made", "echo x >| made", "echo x <> made", "/bin/rm keep", ": > keep",
			"(/bin/touch made) & wait", "/bin/touch made | /bin/rm keep",
			"command -p touch made", "env -i /bin/touch made", "echo $(/bin/touch made)", "cat <(/bin/touch made)",
		} {
			if _, err := o.run(text, flags, 0); err != nil {
				t.Fatalf("oracle: proof %d, %q: %v", flags, text, err)
			}
			names := files(t, o.Dir)
			if data, _ := os.ReadFile(keep); names != "keep" || string(data) != "x" {
				t.Fatalf("oracle: proof %d failed: %q got through: files %q", flags, text, names)
			}
		}
	}
	if err := os.Remove(keep); err != nil {
		t.Fatal(err)
	}
}

func files(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
