package oracle

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What the probe of cage.c tries.
const (
	creates   = 1 << iota // a file outside, in a directory open to all
	truncates             // one there that is writable by all
	unlinks               // one there
	signals               // a process outside
	connects              // to a port of this machine
	chmods                // a file outside
	unshares              // new namespaces
)

// ProveCage runs the same probe with no part of the cage, with each part alone and with all, and ends the
// test when something gets through that the part must hold. Nothing but the probe runs before. What is
// tried is harmless: it happens to files and a process made for it.
func ProveCage(t testing.TB, bin string) {
	t.Helper()
	port := listen(t)
	bystander := exec.Command("sleep", "300")
	if err := bystander.Start(); err != nil {
		t.Skipf("oracle: %v", err)
	}
	defer func() { bystander.Process.Kill(); bystander.Wait() }()

	holds := []struct {
		parts   int
		program string
		held    int
	}{
		{0, bin, 0},
		{namespaces, "/cage", creates | truncates | unlinks | signals | connects | chmods},
		{credentials, bin, creates | truncates | unlinks},
		{filter, bin, connects | unshares},
		{allParts, "/cage", creates | truncates | unlinks | signals | connects | chmods | unshares},
	}
	if os.Geteuid() == 0 { // as another user
		holds[2].held |= signals | chmods
	}
	for _, h := range holds {
		dir := victims(t)
		c, err := startCage(t, bin, h.parts)
		if err != nil {
			t.Skipf("oracle: programs cannot be confined here: part %d: %v", h.parts, err)
		}
		r, err := c.Run("/dev/null", h.program, "probe", dir, strconv.Itoa(bystander.Process.Pid), strconv.Itoa(port))
		worked, notNumber := strconv.Atoi(strings.TrimSpace(c.Output(100)))
		if err != nil || notNumber != nil || r.Status != 0 {
			t.Fatalf("oracle: probe of part %d: status %d, %v, %v", h.parts, r.Status, err, notNumber)
		}
		if free := creates | truncates | unlinks | signals | connects | chmods; h.parts == 0 && worked&free != free {
			t.Fatalf("oracle: the proof proves nothing: of %#x only %#x works without a cage", free, worked)
		}
		if through := worked & h.held; through != 0 {
			t.Fatalf("oracle: proof of part %d failed: %#x got through", h.parts, through)
		}
		if h.held&creates != 0 {
			untouched(t, dir)
		}
	}
}

// victims makes a directory with what the probe tries to change, open to everybody.
func victims(t testing.TB) string {
	t.Helper()
	dir := openDir(t)
	for _, name := range []string{"keep", "gone"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func untouched(t testing.TB, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "keep"))
	if names := files(t, dir); names != "gone keep" || string(data) != "x" || err != nil {
		t.Fatalf("oracle: the proof failed: files %q, %q, %v", names, data, err)
	}
	if st, err := os.Stat(filepath.Join(dir, "keep")); err != nil || st.Mode().Perm() != 0o666 && os.Geteuid() == 0 {
		t.Fatalf("oracle: the proof failed: mode %v, %v", st.Mode(), err)
	}
}

// listen opens a port of this machine to be connected to.
func listen(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("oracle: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}
