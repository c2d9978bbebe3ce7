package wine

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPrompt: a question is asked on the console of Windows, and what is typed there is the answer. Where the streams are
// no console, nobody is asked: neither a file of the name that a terminal has elsewhere nor a console without a person.
func TestPrompt(t *testing.T) {
	if os.Getenv(wineVar) == "" {
		t.Skip(wineVar + "=short or all runs the tests of Windows through wine")
	}
	script, err := exec.LookPath("script") // it gives wine a terminal, of which wine makes a console
	if err != nil {
		t.Skip(err)
	}
	w := newWine(t)
	c := w.crowd(t, 0)
	settings := filepath.Join(c.home, ".claude/settings.json")
	allow := []string{"allow", "--host", "claude", "--scope", "user", "make x"}
	if err := os.Mkdir(filepath.Join(w.dir, "prefix/drive_c/dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(t, "prefix/drive_c/dev/tty", "y\ny\n")
	out, err := c.permgate(allow...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "there is no terminal") {
		t.Errorf("without a terminal: %v: %s", err, out)
	}
	for _, answer := range [...]string{"n", "y"} {
		asks := c.permgate(allow...)
		cmd := w.command(script, "-qec", "'"+strings.Join(asks.Args, "' '")+"'", "/dev/null")
		cmd.Dir = asks.Dir
		said := typed(t, cmd, "[y/N]", answer)
		text, err := os.ReadFile(settings)
		if err != nil || strings.Contains(string(text), "make x") != (answer == "y") {
			t.Errorf("answer %s: %v\n%s\n%s", answer, err, said, text)
		}
	}
}

// typed starts a program, types an answer when it has asked, and returns what it printed.
func typed(t *testing.T, cmd *exec.Cmd, question, answer string) string {
	t.Helper()
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	screen, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	var said strings.Builder
	for buf, asked := make([]byte, 1<<10), false; ; {
		n, err := screen.Read(buf)
		said.Write(buf[:n])
		if !asked && strings.Contains(said.String(), question) {
			asked = true
			go func() { // return, until it is taken: at first the terminal may not be a console yet
				for _, err := io.WriteString(keys, answer); err == nil; _, err = io.WriteString(keys, "\r") {
					time.Sleep(2 * time.Second)
				}
			}()
		}
		if err != nil {
			break
		}
	}
	keys.Close()
	cmd.Wait()
	return said.String()
}
