package hosttest

import (
	"flag"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// only restricts what TestHosts drives and compares, for work on one host.
var only = flag.String("behaviours", ".", "drive the behaviours this regular expression matches")

func chosen(t testing.TB) func(name string) bool {
	re, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	return re.MatchString
}

// TestHosts asks every real host to run one harmless command per behaviour of its hook and compares
// which of them ran with the host's table, for each posture, with and without the fail-closed switch.
func TestHosts(t *testing.T) {
	for _, h := range Hosts {
		for _, g := range h.Gates {
			t.Run(h.Name+"/"+g.Event, func(t *testing.T) {
				program := h.Install(t)
				if runtime.GOOS == "windows" {
					t.Skip("the probe hook is a shell script")
				}
				drive := chosen(t)
				open, closed := map[string]string{}, map[string]string{}
				for _, p := range g.Postures {
					for name, letter := range h.Observe(t, program, &g, p, false, drive) {
						open[name] += letter
					}
					if g.Switch == "" {
						continue
					}
					for name, letter := range h.Observe(t, program, &g, p, true, drive) {
						closed[name] += letter
					}
				}
				if drive("missing") {
					h.missing(t, program, &g, open, closed)
				}
				h.compare(t, &g, open, closed, drive)
			})
		}
	}
}

// missing adds the behaviours of a hook that cannot be started.
func (h *Host) missing(t *testing.T, program []string, g *Gate, open, closed map[string]string) {
	path := t.TempDir() + "/no-such-program"
	for _, failClosed := range []bool{false, true} {
		if failClosed && g.Switch == "" {
			continue
		}
		for _, hook := range []Hook{
			{Event: g.Event, Command: path, Timeout: probeTimeout, FailClosed: failClosed},
			{Event: g.Event, Command: path, Args: []string{"hook"}, Timeout: probeTimeout, FailClosed: failClosed},
		} {
			name, row := "missing", open
			if hook.Args != nil {
				if !h.ExecForm {
					continue
				}
				name = "missingexec"
			}
			if failClosed {
				row = closed
			}
			for _, p := range g.Postures {
				s := NewSession(t, h, h.Touch("ran.txt"))
				s.take(t, p)
				s.Hooks = []Hook{hook}
				if out, err := s.Run(t, program); len(s.API.Requests()) == 0 {
					t.Fatalf("%s: %v\n%s", name, err, out)
				}
				row[name] += s.letter(0, "ran.txt")
			}
		}
	}
}

// compare reports what was observed and where it differs from the table.
func (h *Host) compare(t *testing.T, g *Gate, open, closed map[string]string, drive func(string) bool) {
	names := ""
	for _, p := range g.Postures {
		names += " " + p.Name
	}
	t.Logf("%s %s, %s: did the tool run? postures%s", h.Title, h.Version, g.Event, names)
	t.Logf("%-12s %-8s %s", "hook", "default", g.Switch)
	table := map[string]Seen{}
	for _, s := range g.Seen {
		if drive(s.Behaviour) {
			table[s.Behaviour] = s
		}
	}
	var list []string
	for _, b := range h.Behaviours(g) {
		list = append(list, b.Name)
	}
	list = append(list, "missing")
	if h.ExecForm {
		list = append(list, "missingexec")
	}
	literal := map[string]string{}
	for _, name := range list {
		if !drive(name) {
			continue
		}
		t.Logf("%-12s %-8s %s", name, open[name], closed[name])
		got := Seen{name, open[name], closed[name]}
		literal[strings.TrimSpace(got.Open+" "+got.Closed)] += " " + name
		if want, ok := table[name]; !ok {
			t.Errorf("%s: no row in the table", name)
		} else if got != want {
			t.Errorf("%s: ran %q %q, the table says %q %q", name, got.Open, got.Closed, want.Open, want.Closed)
		}
		delete(table, name)
	}
	for name := range table {
		t.Errorf("%s: the table has a row for a behaviour that is not driven", name)
	}
	if t.Failed() {
		for letters, names := range literal {
			t.Logf("observed, as rows of the table: %q,", letters+":"+names)
		}
	}
}
