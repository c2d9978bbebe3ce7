package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// TestObserve watches with every host: a call that the rules deny ends as it does
// after silence, and the log says what would have been told.
func TestObserve(t *testing.T) {
	for _, h := range Hosts {
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			permgate := BuildPermgate(t)
			for _, posture := range []string{"rule", "prompt"} {
				t.Run(posture, func(t *testing.T) {
					s := NewSession(t, h, h.Touch("ran.txt"))
					s.Posture = h.posture(posture)
					s.InstallPermgate(t, permgate)
					cmd := exec.Command(permgate, "install", "--host", h.Name, "--observe", "--yes")
					cmd.Dir, cmd.Env = s.Project, []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH")}
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("install --observe: %v\n%s", err, out)
					}
					writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), `{"permissions":{"deny":["Bash(touch:*)"]}}`)
					out, err := s.Run(t, program)
					if ran, want := s.Ran("ran.txt"), h.onSilence(s.Posture); ran != want {
						t.Errorf("ran %v, want %v as after silence: %v\n%s", ran, want, err, out)
					}
					decided, _, _ := records(t, filepath.Join(s.Home, ".local", "state", "permgate"))
					switch {
					case decided == nil && !h.ranAfter("allow", s.Posture):
						t.Log("the host refuses the call before it asks its hooks")
					case decided == nil:
						t.Errorf("nothing is logged: %v\n%s\n%v", err, out, s.API.Results())
					case !decided.Observed || decided.Decision != "deny" || decided.Answered != log.Silence || decided.Would != hookio.Deny.String():
						t.Errorf("logged: %+v", decided)
					}
				})
			}
		})
	}
}
