package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/built"
)

// A gateCase is one call of a real host with the real binary as its hook, and what must become of it.
type gateCase struct {
	name    string
	user    string // the user's .gen/settings.json, which no host of this package reads itself
	project string // the project's
	claude  string // the project's .claude/settings.json, where the host does not read that; "" for none
	posture string // its name; a host without it takes its first
	file    string // the call is `touch file`
	want    hookio.Decision
	reason  string // part of what the model is told when the call was refused by permgate
}

const (
	noRule    = `{}`
	allowRule = `{"permissions":{"allow":["Bash(touch:*)"]}}`
	askRule   = `{"permissions":{"ask":["Bash(touch:*)"]}}`
	denyRule  = `{"permissions":{"deny":["Bash(touch:*)"]}}`
	broken    = `{"permissions":{"allow":["Bash(touch:*)"]}`
)

var gateCases = [...]gateCase{
	{"allow rule", allowRule, noRule, "", "", "ran.txt", hookio.Allow, ""},
	{"no rule", noRule, noRule, "", "", "ran.txt", hookio.Pass, ""}, // silence, by the posture install writes
	{"no rule, the host's allows", noRule, noRule, "", "rule", "ran.txt", hookio.Pass, ""},
	{"allow rule of a project nobody trusted", noRule, allowRule, "", "", "ran.txt", hookio.Pass, ""},
	{name: "allow rule of Claude Code's, in a project nobody trusted", user: noRule, project: noRule, claude: allowRule,
		posture: "rule", file: "ran.txt", want: hookio.Pass},
	{"ask rule beats both allow rules", allowRule, askRule, "", "rule", "ran.txt", hookio.Ask, ".gen/settings.json:1:"},
	{"deny rule", allowRule, denyRule, "", "rule", "ran.txt", hookio.Deny, ".gen/settings.json:1:"},
	{"deny rule in bypass", noRule, denyRule, "", "bypass", "ran.txt", hookio.Deny, ".gen/settings.json:1:"},
	{"sensitive path in bypass", allowRule, noRule, "", "bypass", ".envrc", hookio.Ask, ".envrc"},
	{"ask rule for one of two", allowRule, askRule, "", "rule", "ran.txt; true", hookio.Ask, "touch ran.txt"},
	{"broken settings of the user", broken, allowRule, "", "rule", "ran.txt", hookio.Ask, ".gen/settings.json:1:"},
	{"broken settings of the project", allowRule, broken, "", "rule", "ran.txt", hookio.Pass, ""}, // which take our allow away and no more
}

// TestPermgate registers the real binary with every host, by its own install, and checks that the host
// does with the call what its table says of the decision, and that the reason reaches the model.
func TestPermgate(t *testing.T) {
	for _, h := range Hosts {
		if hookio.Lookup(h.Name) == nil {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			permgate := BuildPermgate(t)
			for _, tt := range gateCases {
				if tt.claude != "" && hookio.Lookup(h.Name).ReadsRules(".claude") {
					continue
				}
				t.Run(tt.name, func(t *testing.T) {
					s := NewSession(t, h, h.Touch(tt.file))
					s.take(t, h.posture(tt.posture))
					s.InstallPermgate(t, permgate)
					writeFile(t, filepath.Join(s.Home, ".gen", "settings.json"), tt.user)
					writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), tt.project)
					if tt.claude != "" {
						writeFile(t, filepath.Join(s.Project, ".claude", "settings.json"), tt.claude)
					}
					out, err := s.Run(t, program)
					made := "ran.txt"
					if s.Ran(".envrc") {
						made = ".envrc"
					}
					text := ""
					if results := s.API.Results(); len(results) > 0 {
						text = results[0].Text
					}
					got, want := s.letter(0, made), h.letter(ourName(tt.expected(h.Name)), s.Posture)
					t.Logf("%s: %.300q", got, text)
					if got != want {
						t.Errorf("got %s, want %s: %v\n%s", got, want, err, out)
					}
					if got == "n" && !strings.Contains(text, tt.reason) {
						t.Errorf("the reason does not say %q: %q", tt.reason, text)
					}
				})
			}
		})
	}
}

// expected is what permgate says to that host. One whose rule files are not known may read those of .gen
// itself: an allow in there that does not count is then asked about.
func (c *gateCase) expected(host string) hookio.Decision {
	untrusted := c.user == noRule && c.project == allowRule
	if untrusted && hookio.Lookup(host).ReadsRules(".gen") {
		return hookio.Ask
	}
	return c.want
}

// letter is how a call ended in that posture after a behaviour of the hook, registered as install
// does it (see Seen).
func (h *Host) letter(behaviour string, p Posture) string {
	for i, q := range h.Gates[0].Postures {
		for _, s := range h.Gates[0].Seen {
			if q.Name != p.Name || s.Behaviour != behaviour {
				continue
			}
			row := s.Open
			if h.Gates[0].Switch != "" {
				row = s.Closed
			}
			return row[i : i+1]
		}
	}
	return ""
}

// onSilence reports whether the tool ran in that posture when the hook had no opinion.
func (h *Host) onSilence(p Posture) bool { return h.ranAfter("silence", p) }

// ranAfter reports whether the tool ran in that posture after a behaviour of the hook.
func (h *Host) ranAfter(behaviour string, p Posture) bool { return h.letter(behaviour, p) == "y" }

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
	folders, moved := []string{s.Home}, []string(nil)
	for _, v := range s.Env {
		if dir, ok := strings.CutPrefix(v, "CLAUDE_CONFIG_DIR="); ok {
			folders, moved = append(folders, dir), append(moved, v)
		}
	}
	for _, dir := range folders {
		trust := exec.Command(permgate, "trust", "--folder", dir, "--yes")
		trust.Env = []string{"HOME=" + passwdHome(t), "PATH=" + os.Getenv("PATH")}
		if out, err := trust.CombinedOutput(); err != nil {
			t.Fatalf("permgate trust --folder: %v\n%s", err, out)
		}
	}
	cmd := exec.Command(permgate, "install", "--host", s.Host.Name, "--experimental", "--yes")
	cmd.Dir = s.Project
	bin := filepath.Join(s.Home, "bin") // what is registered depends on the release that is installed
	for _, name := range hookio.Lookup(s.Host.Name).Register.Programs {
		writeFile(t, filepath.Join(bin, name), "#!/bin/sh\necho "+s.Host.Version+"\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Env = append(moved, "HOME="+s.Home, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("permgate install --host %s: %v\n%s", s.Host.Name, err, out)
	}
}

// passwdHome is the home that the passwd file of the built program names. The homes
// of the sessions are others, which are recorded there as a user would do it.
func passwdHome(t testing.TB) string {
	dir := passwdFolder()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// passwdFolder is removed when all tests are over.
func passwdFolder() string {
	return filepath.Join(os.TempDir(), "permgate-hosttest-"+strconv.Itoa(os.Getpid()))
}

// BuildPermgate builds the binary as a release is built, except the passwd file: once for all tests, next to that file.
func BuildPermgate(t testing.TB) string {
	t.Helper()
	ours.Lock()
	defer ours.Unlock()
	if ours.program == "" {
		ours.program = build(t)
	}
	return ours.program
}

var ours struct {
	sync.Mutex
	program string
}

func build(t testing.TB) string {
	t.Helper()
	home := passwdHome(t)
	bin := filepath.Join(home, "bin", "permgate")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	passwd := filepath.Join(home, "passwd")
	entry := "user:x:" + strconv.Itoa(os.Getuid()) + ":0::" + home + ":/bin/sh\n"
	if err := os.WriteFile(passwd, []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err == nil {
		err = built.Into(bin, root, "internal/gate/disk.passwdFile="+passwd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return bin
}
