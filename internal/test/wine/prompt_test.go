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
// no console, no one is asked: neither a file of the name that a terminal has elsewhere nor a console without a person.
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
	for _, dir := range [...]string{filepath.Join(w.dir, "prefix/drive_c/dev"), filepath.Join(c.home, "project/.gen")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "prefix/drive_c/dev/tty", "y\ny\n")
	c.write("project/.gen/settings.json", `{"permissions": {"allow": ["Bash(just:*)"]}}`)
	c.write("project/Cargo.toml", "[package]\n")
	for _, tt := range []struct{ command, question, file, text string }{ // words between commas
		{"allow,--host,claude,--scope,user,make x", "[y/N]", ".claude/settings.json", "Bash(make x)"},
		{"trust", "trust this? [y/N]", stateDir + "/trust/*", "Bash(just:*)"},
		{"trust,--revoke", "stop trusting this? [y/N]", stateDir + "/trust/*", ""},
		{"init", "write this? [y/N]", "project/.gen/settings.local.json", "cargo test"},
	} {
		asks := c.permgate(strings.Split(tt.command, ",")...)
		before := c.text(tt.file)
		out, err := c.permgate(asks.Args[2:]...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "there is no terminal") || c.text(tt.file) != before {
			t.Errorf("%s without a terminal: %v: %s", tt.command, err, out)
		}
		for _, answer := range [...]string{"n", "y"} {
			cmd := w.command(script, "-qec", "'"+strings.Join(asks.Args, "' '")+"'", "/dev/null")
			cmd.Dir = asks.Dir
			said := typed(t, cmd, tt.question, answer)
			after := c.text(tt.file)
			if !strings.Contains(said, tt.question) || (after != before) != (answer == "y") ||
				answer == "y" && !strings.Contains(after, tt.text) {
				t.Errorf("%s, answer %s:\n%s\n%s", tt.command, answer, said, after)
			}
		}
	}
}

// text is what the files of a pattern hold.
func (c *crowd) text(pattern string) (all string) {
	names, _ := filepath.Glob(filepath.Join(c.home, pattern))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		all += string(text)
	}
	return all
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
