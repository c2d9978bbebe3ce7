package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"permgate/hookio"
)

// A gateCase is one call of a real host with the real binary as its hook, and what must become of it.
type gateCase struct {
	name     string
	settings string // the project's .gen/settings.json, which no host of this package reads itself
	posture  string
	file     string // the call is `touch file`
	ran      bool
	reason   string // part of what the model is told when it did not run
	defers   bool   // no rule speaks: with the posture install writes that is silence; ran and reason are not read
}

var gateCases = [...]gateCase{
	{"allow rule", `{"permissions":{"allow":["Bash(touch:*)"]}}`, "rule", "ran.txt", true, "", false},
	{"no rule, host asks", `{}`, "prompt", "ran.txt", false, "", true},
	{"no rule, host allows", `{}`, "rule", "ran.txt", true, "", true},
	{"ask rule beats the host's allow", `{"permissions":{"ask":["Bash(touch:*)"]}}`, "rule", "ran.txt", false, ".gen/settings.json:1:", false},
	{"deny rule", `{"permissions":{"allow":["Bash(touch:*)"],"deny":["Bash(touch ran*)"]}}`, "rule", "ran.txt", false, ".gen/settings.json:1:", false},
	{"deny rule in bypass", `{"permissions":{"deny":["Bash(touch:*)"]}}`, "bypass", "ran.txt", false, ".gen/settings.json:1:", false},
	{"sensitive path in bypass", `{}`, "bypass", ".envrc", false, ".envrc", false},
	{"allow covers only one of two", `{"permissions":{"allow":["Bash(true:*)"],"ask":["Bash(touch:*)"]}}`, "rule", "ran.txt; true", false, "touch ran.txt", false},
	{"broken settings", `{"permissions":{"allow":["Bash(touch:*)"]}`, "rule", "ran.txt", false, ".gen/settings.json:1:", false},
}

// TestPermgate registers the real binary with every host, by its own install, and checks which calls
// run and that the reason reaches the model.
func TestPermgate(t *testing.T) {
	for _, h := range Hosts {
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			permgate := BuildPermgate(t)
			for _, tt := range gateCases {
				t.Run(tt.name, func(t *testing.T) {
					s := NewSession(t, h, h.Touch(tt.file))
					s.Posture = h.posture(tt.posture)
					s.InstallPermgate(t, permgate)
					writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), tt.settings)
					out, err := s.Run(t, program)
					ran := s.Ran("ran.txt") || s.Ran(".envrc")
					results := s.API.Results()
					if tt.defers {
						if want := h.onSilence(s.Posture); ran != want {
							t.Errorf("ran %v, want %v as after silence: %v\n%s", ran, want, err, out)
						}
						return
					}
					if len(results) != 1 {
						t.Fatalf("%d tool results, ran %v: %v\n%s", len(results), ran, err, out)
					}
					t.Logf("ran %v: %.300q", ran, results[0].Text)
					if ran != tt.ran {
						t.Errorf("ran %v, want %v", ran, tt.ran)
					}
					if !tt.ran && !strings.Contains(results[0].Text, tt.reason) {
						t.Errorf("the reason does not say %q: %q", tt.reason, results[0].Text)
					}
				})
			}
		})
	}
}

// onSilence reports whether the tool ran in that posture when the hook had no opinion.
func (h *Host) onSilence(p Posture) bool { return h.ranAfter("silence", p) }

// ranAfter reports whether the tool ran in that posture after a behaviour of the hook.
func (h *Host) ranAfter(behaviour string, p Posture) bool {
	for i, q := range h.Gates[0].Postures {
		for _, s := range h.Gates[0].Seen {
			if q.Name == p.Name && s.Behaviour == behaviour {
				return s.Open[i] == 'y'
			}
		}
	}
	return false
}

// posture returns the posture of that name, or the first: not every host has all.
func (h *Host) posture(name string) Posture {
	for _, p := range h.Gates[0].Postures {
		if p.Name == name {
			return p
		}
	}
	return h.Gates[0].Postures[0]
}

// InstallPermgate registers the binary for the session's user, as a person would.
func (s *Session) InstallPermgate(t testing.TB, permgate string) {
	t.Helper()
	cmd := exec.Command(permgate, "install", "--host", s.Host.Name, "--yes")
	cmd.Dir = s.Project
	cmd.Env = []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("permgate install --host %s: %v\n%s", s.Host.Name, err, out)
	}
	if hookio.Lookup(s.Host.Name) == nil {
		t.Fatalf("permgate knows no host %q", s.Host.Name)
	}
}

// BuildPermgate builds the binary the way a release is built.
func BuildPermgate(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "permgate")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("permgate does not build: %v\n%s", err, out)
	}
	return bin
}
