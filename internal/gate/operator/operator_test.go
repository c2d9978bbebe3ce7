//go:build unix

package operator_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/rules"
)

func TestParse(t *testing.T) {
	p, err := operator.Parse(`{"command":["c","-x"],"timeoutMs":500}`)
	if err != nil || strings.Join(p.Command, " ") != "c -x" || p.Timeout != 500*time.Millisecond {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range []string{"", "{}", `{"command":[]}`, `{"command":[""]}`, `"x"`, `{"command":["c"]`, `{"command":["c"],"timeoutMs":-1}`} {
		if p, err := operator.Parse(bad); err == nil {
			t.Errorf("%q: %+v", bad, p)
		}
	}
}

// script is a program that runs a text, in a folder of its own.
func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "prog")
	executable.Write(t, name, "#!/bin/sh\n"+text+"\n")
	return name
}

// TestAsk: one line, exit code 0, in time; whatever else a program does is an error.
func TestAsk(t *testing.T) {
	for _, tt := range []struct{ name, text, want, wrong string }{
		{"answers", `read x; echo "got $x"`, "got hello", ""},
		{"does not read", `echo a`, "a", ""},
		{"carriage return", `printf 'a\r\n'`, "a", ""},
		{"fails", `echo a; echo 'no key: TOKEN=hunter2secret99' >&2; exit 3`, "", "exit status 3: no key"},
		{"killed", `kill -9 $$`, "", "killed"},
		{"silent", `:`, "", "said nothing"},
		{"no newline", `printf a`, "", "no whole line"},
		{"empty line", `echo`, "", "empty line"},
		{"two lines", `echo a; echo b`, "", "more than one line"},
		{"line and a half", `echo a; printf b`, "", "no whole line"},
		{"late", `exec sleep 600`, "", "did not answer within 400ms"},
		{"late, ignores signals", `trap '' TERM INT HUP; while :; do sleep 600; done`, "", "did not answer within 400ms"},
		{"late after its answer", `echo a; sleep 600`, "", "did not answer within 400ms"},
		{"floods", `while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done`, "", "said more than 65536 bytes"},
		{"a child holds the pipe", `echo a; sleep 600 &`, "", "still holds its output open"},
		{"a child of its own session holds it", `echo a; (command -v setsid >/dev/null && exec setsid sleep 5; exec sleep 600) &`, "", "still holds its output open"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := operator.Program{Command: []string{script(t, tt.text)}, Timeout: 10 * time.Second, Environ: os.Environ()}
			if strings.Contains(tt.wrong, "within") {
				p.Timeout = 400 * time.Millisecond
			}
			line, took, err := p.Ask([]byte("hello\n" + strings.Repeat("x", 1<<20)))
			if string(line) != tt.want || (err != nil) != (tt.wrong != "") || took <= 0 {
				t.Fatalf("%q, %v, %v", line, took, err)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.wrong) || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("%v, want %q", err, tt.wrong)
			}
		})
	}
}

// TestGroup: what a late program started ends with it.
func TestGroup(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	child := `(echo begun; sleep 60; echo late) >"$1" & sleep 600`
	p := operator.Program{Command: []string{script(t, child), pipe}, Timeout: time.Second, Environ: os.Environ()}
	var said []byte
	for len(said) == 0 && err == nil && p.Timeout < time.Hour { // a busy machine may need longer to begin
		if _, _, err := p.Ask(nil); err == nil {
			t.Fatal("it answered")
		}
		said, err = io.ReadAll(f) // until no one can write any more
		p.Timeout *= 10
	}
	if string(said) != "begun\n" || err != nil {
		t.Errorf("a child went on, or did not begin: %q, %v", said, err)
	}
}

// TestSharedFolders: a program, or a file it is told, in a folder where everybody can write is refused, sticky or not.
func TestSharedFolders(t *testing.T) {
	shared := t.TempDir()
	file := filepath.Join(shared, "prog")
	executable.Write(t, file, "#!/bin/sh\necho a\n")
	own := script(t, "echo a")
	find := func(temp string, command ...string) string {
		p := operator.Program{Command: command}
		if temp != "" {
			p.Temp = []string{temp}
		}
		if _, err := p.Find(); err != nil {
			return err.Error()
		}
		return ""
	}
	if got := find("", file); got != "" {
		t.Error(got)
	}
	for _, got := range []string{find(shared, file), find(filepath.Dir(shared), file), find(shared, own, filepath.Join(shared, "x.py"))} {
		if !strings.Contains(got, "a temporary folder") {
			t.Errorf("in a temporary folder: %q", got)
		}
	}
	for _, mode := range []os.FileMode{0o777, 0o777 | os.ModeSticky} {
		if err := os.Chmod(shared, mode); err != nil {
			t.Fatal(err)
		}
		if got := find("", file); !strings.Contains(got, "where everybody can write") {
			t.Errorf("in a folder with mode %v: %q", mode, got)
		}
	}
}

// TestEnviron: the program runs in /, with the environment, except what would have
// it run the project's files.
func TestEnviron(t *testing.T) {
	project := t.TempDir()
	p := operator.Program{
		Command: []string{script(t, `echo "$(pwd) $KEY:$PROJ:$PYTHONPATH:$BASH_ENV:$PATH"`)}, Timeout: 10 * time.Second, Apart: []string{project},
		Environ: []string{"KEY=k", "PROJ=" + project + "/ca.pem", "PYTHONPATH=/x", "BASH_ENV=/x", "PATH=" + project + "/bin:.:/usr/bin:/bin:rel"},
	}
	line, _, err := p.Ask(nil)
	if want := "/ k::::/usr/bin:/bin"; string(line) != want {
		t.Errorf("%q, want %q; %v", line, want, err)
	}
}

// TestSteered: an environment that a project has set neither picks the program nor
// has it use a file that the agent may have written.
func TestSteered(t *testing.T) {
	project, temp := t.TempDir(), t.TempDir()
	file := script(t, `echo "$A:$PATH"`)
	executable.Write(t, filepath.Join(temp, "prog"), "#!/bin/sh\n")
	way := filepath.Join(t.TempDir(), "way")
	if err := os.Symlink(temp, way); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ value, want string }{
		{"k", "k"}, {"/usr/lib", "/usr/lib"}, {"https://h:8080/tmp", "https://h:8080/tmp"},
		{project, ""}, {temp + "/ca.pem", ""}, {way, ""}, {"/usr:" + temp, ""},
		{project[1:] + "/ca.pem", ""}, {temp[1:], ""}, {"../.." + temp, ""},
		{"x=" + project + "/y", ""}, {"file://" + temp + "/y", ""}, {"sh " + project + "/y", ""},
	} {
		p := operator.Program{Command: []string{file}, Timeout: 10 * time.Second, Apart: []string{project}, Temp: []string{temp},
			Environ: []string{"A=" + tt.value, "PATH=" + temp + ":" + way + ":/usr/bin:/bin"}}
		if line, _, err := p.Ask(nil); string(line) != tt.want+":/usr/bin:/bin" {
			t.Errorf("%s: %q, want %q; %v", tt.value, line, tt.want, err)
		}
		p.Command = []string{"prog"}
		if found, err := p.Find(); err == nil {
			t.Errorf("found %s", found)
		}
	}
	if p, err := operator.Of(&rules.Setting{Value: `{"command":["x"]}`}, 0, &rules.Policy{}); err != nil || len(p.Temp) == 0 {
		t.Errorf("%+v %v", p, err)
	}
}

// TestFind: no program is run that the agent or another user could have written.
func TestFind(t *testing.T) {
	project, bin := t.TempDir(), t.TempDir()
	write := func(dir, name string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		executable.Write(t, file, "#!/bin/sh\n")
		os.Chmod(file, mode)
		return file
	}
	open := filepath.Join(bin, "open")
	os.Mkdir(open, 0o700)
	os.Chmod(open, 0o777)
	os.Symlink(project, filepath.Join(bin, "way"))
	os.Symlink(write(project, "target", 0o755), filepath.Join(bin, "link"))
	write(project, "both", 0o755)
	good := write(bin, "both", 0o755)
	for _, tt := range []struct {
		command []string
		want    string
	}{
		{[]string{good}, good},
		{[]string{"both"}, good},
		{[]string{good, "--x", "/etc/passwd", "target"}, good},
		{[]string{"target"}, "target is in no folder of PATH"},
		{[]string{"./both"}, "relative path"},
		{[]string{}, "no command"},
		{[]string{project + "/both"}, "where the agent works"},
		{[]string{bin + "/way/both"}, "where the agent works"},
		{[]string{bin + "/link"}, "where the agent works"},
		{[]string{good, project + "/target"}, "is an argument in"},
		{[]string{good, bin + "/way/target"}, "is an argument in"},
		{[]string{write(bin, "others", 0o777)}, "can be written by others"},
		{[]string{write(bin, "plain", 0o644)}, "not executable"},
		{[]string{write(open, "x", 0o755)}, "where everybody can write"},
		{[]string{bin}, "is not a regular file"},
		{[]string{bin + "/none"}, "does not exist"},
	} {
		p := operator.Program{Command: tt.command, Apart: []string{project}, Environ: []string{"PATH=rel:" + project + ":" + bin + "/way:" + bin}}
		file, err := p.Find()
		if err != nil {
			file = err.Error()
		}
		if !strings.Contains(file, tt.want) {
			t.Errorf("%q: %s, want %s", tt.command, file, tt.want)
		}
	}
	foreign := write(bin, "foreign", 0o755)
	if os.Chown(foreign, 12345, -1) == nil {
		p := operator.Program{Command: []string{foreign}}
		if _, err := p.Find(); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("foreign: %v", err)
		}
	}
}
