package oracle

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

//go:embed shim/cage.c
var cageSource []byte

// The parts that confine a cage, as in cage.c.
const (
	namespaces  = 1
	credentials = 2
	filter      = 4
	allParts    = namespaces | credentials | filter

	reads = 8 // no part: files opened for reading are recorded as well
)

// Sizes of the shared file, as in cage.c.
const (
	cageLog  = 1 << 20
	cageText = 1 << 16
)

// A Cage runs programs for real in a throw-away root, in which they can change nothing but /w and /tmp, and
// tells which calls that change files they made. It is used by one goroutine.
type Cage struct {
	Root     string        // the root as this process reaches it
	Uid      int           // whom the programs run as
	Deadline time.Duration // of one run

	mem  []byte
	out  *os.File
	reqW *os.File
	resR *os.File
}

// A Run is what a program did in a cage.
type Run struct {
	Status   int // 128+n after signal n
	TimedOut bool
	Cut      bool     // the log was full: Calls is not complete
	Calls    []Change // every call that changes a file or executes one, in order, whether it succeeded or not
}

// BuildCage makes the server and returns its path. It skips the test where that cannot be.
func BuildCage(t testing.TB) string {
	t.Helper()
	return place(t, openDir(t), "cage", cageProgram)
}

var cageProgram = compiled(cageSource)

// openDir makes a directory every user can enter, whatever the directories of the test are.
func openDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// StartCage starts a cage with all parts. Prove it first.
func StartCage(t testing.TB, bin string) *Cage { return confined(t, bin, 0) }

func confined(t testing.TB, bin string, more int) *Cage {
	t.Helper()
	c, err := startCage(t, bin, allParts|more)
	if err != nil {
		t.Skipf("oracle: programs cannot be confined here: %v", err)
	}
	return c
}

// startCage starts the server with some of its parts.
func startCage(t testing.TB, bin string, parts int) (*Cage, error) {
	t.Helper()
	shm, mem, err := sharedMemory(t, cageLog+cageText)
	if err != nil {
		return nil, err
	}
	defer shm.Close()
	out, err := sharedFile(t)
	if err != nil {
		return nil, err
	}
	reqR, reqW := pipe(t)
	resR, resW := pipe(t)
	c := &Cage{Root: openDir(t), Uid: 64999, Deadline: 3 * time.Second, mem: mem, out: out, reqW: reqW, resR: resR}
	if os.Geteuid() != 0 {
		c.Uid = os.Getuid() // one user is all that can be mapped
	}
	for _, dir := range []string{"w", "tmp"} {
		if err := os.Mkdir(filepath.Join(c.Root, dir), 0o700); err != nil {
			return nil, err
		}
		if err := os.Chown(filepath.Join(c.Root, dir), c.Uid, -1); err != nil {
			return nil, err
		}
	}
	var errs strings.Builder
	cmd := exec.Command(bin, strconv.Itoa(parts), c.Root, strconv.Itoa(c.Uid))
	cmd.ExtraFiles = []*os.File{shm, reqR, resW, out}
	cmd.Stderr = &errs
	cmd.SysProcAttr = cageAttr(parts, c.Uid)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	reqR.Close()
	resW.Close()
	t.Cleanup(func() {
		reqW.Close() // the server ends when it can read no more
		cmd.Wait()
		resR.Close()
		out.Close()
		syscall.Munmap(mem)
	})
	if _, err := c.answer(); err != nil {
		cmd.Wait()
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	if parts&namespaces != 0 {
		const flags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_CLOEXEC
		fd, err := syscall.Open(fmt.Sprintf("/proc/%d/root", cmd.Process.Pid), flags, 0)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { syscall.Close(fd) })
		c.Root = fmt.Sprintf("/proc/self/fd/%d", fd)
	}
	return c, nil
}

// cageAttr is how the server is started: with namespaces of its own where these
// are among the parts, and with a user namespace where it is not root.
func cageAttr(parts, uid int) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if parts&namespaces == 0 {
		return attr
	}
	attr.Cloneflags = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
		syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getgid(), Size: 1}}
		attr.AmbientCaps = []uintptr{7, 6, 18, 21} // setuid, setgid, chroot, admin: it executes with them
	}
	return attr
}

// Run executes the words in /w with a file as standard input.
func (c *Cage) Run(stdin string, argv ...string) (Run, error) {
	text := stdin + "\x00" + strings.Join(argv, "\x00") + "\x00"
	if len(text) > cageText {
		return Run{}, fmt.Errorf("oracle: %d bytes of words are too many", len(text))
	}
	copy(c.mem[cageLog:], text)
	req := [2]uint32{uint32(len(text)), uint32(c.Deadline.Milliseconds())}
	if _, err := c.reqW.Write((*[8]byte)(unsafe.Pointer(&req))[:]); err != nil {
		return Run{}, fmt.Errorf("oracle: the cage is gone: %w", err)
	}
	return c.answer()
}

// Output is what the last run printed, at most n bytes of it.
func (c *Cage) Output(n int) string {
	buf := make([]byte, n)
	n, _ = c.out.ReadAt(buf, 0)
	return string(buf[:n])
}

func (c *Cage) answer() (Run, error) {
	var res [3]uint32
	if _, err := io.ReadFull(c.resR, (*[12]byte)(unsafe.Pointer(&res))[:]); err != nil {
		return Run{}, fmt.Errorf("oracle: the cage is gone: %w", err)
	}
	ws := syscall.WaitStatus(res[0])
	r := Run{Status: ws.ExitStatus(), TimedOut: res[1]&1 != 0, Cut: res[1]&2 != 0}
	if ws.Signaled() {
		r.Status = 128 + int(ws.Signal())
	}
	for log := c.mem[:min(int(res[2]), cageLog)]; len(log) >= 5; {
		n := int(binary.NativeEndian.Uint32(log))
		if n < 6 || n > len(log) {
			break
		}
		s := append(strings.Split(string(log[5:n-1]), "\x00"), "", "")
		r.Calls = append(r.Calls, Change{Op: s[0], Path: s[1], Dir: s[2]})
		log = log[n:]
	}
	return r, nil
}
