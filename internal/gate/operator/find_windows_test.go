package operator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// TestSteered: an environment that a project has set has no program use a file that the agent may have written,
// on whatever drive it is.
func TestSteered(t *testing.T) {
	project, temp, bin := t.TempDir(), t.TempDir(), t.TempDir()
	file := filepath.Join(bin, "show.cmd")
	executable.Write(t, file, "@echo off\r\necho [%A%%NODE_OPTIONS%]\r\n")
	for _, tt := range []struct{ value, want string }{
		{"k", "k"}, {`C:\windows`, `C:\windows`}, {"https://h:8080/tmp", "https://h:8080/tmp"}, {`C:\windows;x`, `C:\windows;x`},
		{project, ""}, {temp + `\ca.pem`, ""}, {strings.ToUpper(project) + `\CA.PEM`, ""}, {filepath.ToSlash(temp), ""},
		{`C:\windows;` + temp, ""}, {"x=" + project + `\y`, ""}, {"file:///" + filepath.ToSlash(temp) + "/y", ""},
		{"sh " + project + `\y`, ""}, {"x:" + project + `\y`, ""}, {`\\?\` + project, ""},
		{`\\localhost\C$` + project[2:], ""}, {"x=" + `\\srv\home`, ""}, {"//h/tmp", "//h/tmp"},
		{"file:" + project + ",x", ""}, {`/` + strings.ToLower(project[:1]) + filepath.ToSlash(project[2:]), ""},
	} {
		p := operator.Program{Command: []string{file}, Timeout: time.Minute, Apart: []string{project}, Temp: []string{temp},
			Environ: append(os.Environ(), "A="+tt.value, "node_options=--require=x")}
		if line, _, err := p.Ask(nil); err != nil || string(line) != "["+tt.want+"]" {
			t.Errorf("%s: %q, want %q; %v", tt.value, line, tt.want, err)
		}
	}
}
