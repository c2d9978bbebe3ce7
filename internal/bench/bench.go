// Package bench puts labelled calls to the hook programs of any gates, as their hosts would, and counts what they
// answer. The calls are never executed; the hooks are.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/tree"
)

// Bounds of a hook.
const (
	maxOut   = 1 << 20 // bytes of an answer
	maxSaid  = 4 << 10 // bytes kept of standard error
	maxLate  = 3       // time-outs in a row, after which no more calls are put to it
	maxSetup = 5 * time.Minute
)

// A Gate is a hook, with a home of its own.
type Gate struct {
	Name  string
	Host  *hookio.Host
	Event hookio.Event // that it is registered for; "" is PreToolUse
	Hook  string       // shell text
	Setup string       // shell text that is run once in its home; "" for none
	Own   bool         // permgate's: the time of the others is compared with its

	home   string
	env    []string
	places map[string]string // project folders, by the files in them
	warm   bool
	late   int // in a row
	result *Result
}

// A Job is one comparison.
type Job struct {
	Context context.Context // ends the hook that runs, and the comparison
	Gates   []*Gate
	Labels  *Labels
	Sample  int    // put this many of the calls, evenly spread; 0 for all
	Mode    string // of calls whose row has none; "" is default
	Dir     string // for the homes of the gates
	Cwd     string // hooks find it in $BENCH_DIR
	Session string
	Environ []string
	Timeout time.Duration // of one call
	Told    func(done int)
}

// Run puts the calls to the hooks in turn, a process each; each turn begins with another gate.
func (j *Job) Run() (r *Report, err error) {
	r = &Report{Labels: j.Labels.Sources, Rows: []*Row{}}
	r.Machine.OS, r.Machine.Arch, r.Machine.CPUs = runtime.GOOS, runtime.GOARCH, runtime.NumCPU()
	for i, g := range j.Gates {
		if err := j.settle(g, i); err != nil {
			return nil, fmt.Errorf("%s: %w", hookio.Escape(g.Name), err)
		}
		r.Gates = append(r.Gates, g.result)
	}
	for i, c := range j.Labels.sample(j.Sample) {
		c.Mode = cmp.Or(c.Mode, j.Mode)
		row := newRow(c, len(j.Gates))
		for k := range j.Gates {
			n := (i + k) % len(j.Gates)
			row.Answers[n], err = j.put(j.Gates[n], c)
			switch {
			case j.Context.Err() != nil:
				return nil, fmt.Errorf("stopped by a signal after %d calls", len(r.Rows))
			case err != nil:
				return nil, fmt.Errorf("%s: %w", hookio.Escape(j.Gates[n].Name), err)
			}
		}
		r.Rows = append(r.Rows, row)
		j.Told(i + 1)
		if !slices.ContainsFunc(j.Gates, func(g *Gate) bool { return !g.Own && g.late < maxLate }) {
			break
		}
	}
	r.count(slices.IndexFunc(j.Gates, func(g *Gate) bool { return g.Own }))
	return r, nil
}

// passed are the variables of the environment that hooks get; the rest may hold keys, or name folders of settings.
const passed = " PATH LANG LC_ALL LC_CTYPE TZ TERM NODE_EXTRA_CA_CERTS SSL_CERT_FILE HTTP_PROXY HTTPS_PROXY NO_PROXY " +
	"SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT "

// settle makes the home of a gate and runs what it is set up by.
func (j *Job) settle(g *Gate, i int) error {
	g.home = filepath.Join(j.Dir, strconv.Itoa(i+1))
	temp := filepath.Join(j.Dir, "tmp"+strconv.Itoa(i+1))
	for _, v := range j.Environ {
		if name, _, _ := strings.Cut(v, "="); strings.Contains(passed, " "+strings.ToUpper(name)+" ") {
			g.env = append(g.env, v)
		}
	}
	g.env = append(g.env, "HOME="+g.home, "USERPROFILE="+g.home,
		"TMPDIR="+temp, "TMP="+temp, "TEMP="+temp, "BENCH_DIR="+j.Cwd)
	g.places = map[string]string{}
	g.result = &Result{Name: g.Name, Host: g.Host.Name, Hook: g.Hook, Answers: []*Counts{}, Failures: []Failure{}}
	for _, dir := range [...]string{g.home, temp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if g.Setup == "" {
		return nil
	}
	if end := j.start(g, g.home, "", maxSetup, nil, "sh", "-c", g.Setup); end.Err != nil {
		return fmt.Errorf("its setup failed: %w: %s", end.Err, firstLine(end.Said))
	}
	return nil
}

func (j *Job) start(g *Gate, dir, project string, most time.Duration, stdin []byte, command ...string) operator.End {
	s := operator.Start{Context: j.Context, File: command[0], Args: command[1:], Dir: dir, Env: g.env, Stdin: stdin,
		Timeout: most, Out: maxOut, Said: maxSaid}
	if name := g.Host.ProjectVar; name != "" && project != "" {
		s.Env = append(s.Env[:len(s.Env):len(s.Env)], name+"="+filepath.ToSlash(project))
	}
	return s.Run()
}

// put runs a hook with a call, as hosts do: by the shell, in a process of its own.
func (j *Job) put(g *Gate, c *Call) (a Answer, err error) {
	if g.late == maxLate {
		return a, nil
	}
	project, cwd, dir, err := j.place(g, c)
	if err != nil {
		return a, err
	}
	payload, call := g.spell(c.in(g.home, project), filepath.ToSlash(cwd), j.Session)
	if payload == nil {
		g.result.Unspelled++
		return a, nil
	}
	if !g.warm {
		g.warm = true // its files are read from the disk now, and not when time counts
		if err := started(j.start(g, dir, project, j.Timeout, payload, "sh", "-c", g.Hook)); err != nil {
			return a, err
		}
	}
	end := j.start(g, dir, project, j.Timeout, payload, "sh", "-c", g.Hook)
	event := cmp.Or(call.RawEvent, string(call.Event))
	ending := g.Host.Ended(event, end.Code, string(end.Out), string(end.Said))
	late := g.late + 1
	g.late = 0
	switch {
	case end.Over:
		ending = TooLong
	case end.Late:
		ending, g.late = hookio.EndsLate, late
	}
	g.result.Ended = g.late == maxLate
	return g.result.add(c.Kind, ending, g.fate(event, ending, c.Mode), end), nil
}

// in is the call with the folders that were made for it.
func (c *Call) in(home, project string) *Call {
	names := strings.NewReplacer("{{home}}", filepath.ToSlash(home), "{{project}}", filepath.ToSlash(project))
	at := *c
	at.Input, at.Text = names.Replace(c.Input), names.Replace(c.Text)
	return &at
}

// fate is what happens to a call: what the host would decide by itself, it runs in mode bypassPermissions.
func (g *Gate) fate(event string, e hookio.Ending, mode string) hookio.Fate {
	fate, _ := g.Host.After(event, e, false)
	if fate == hookio.FateHost && mode == "bypassPermissions" || e == hookio.EndsAllow {
		return hookio.FateRuns
	}
	return fate
}

// started reports why a hook could not be started.
func started(end operator.End) error {
	var missing *exec.Error
	switch {
	case errors.As(end.Err, &missing):
		return end.Err
	case end.Code == 126, end.Code == 127:
		return errors.New("the hook cannot be started: " + cmp.Or(firstLine(end.Said), "it is not there"))
	}
	return nil
}

// place is the project of a call in the home of a gate, with the files of the call in it, the folder of the call, and
// the one where the hook is started: a folder outside the home is named, and not made.
func (j *Job) place(g *Gate, c *Call) (project, cwd, dir string, err error) {
	key := strings.Join(c.Files, " ")
	project = g.places[key]
	if project == "" {
		project = filepath.Join(g.home, "work", "app"+strconv.Itoa(len(g.places)))
		if err = j.build(g, project, c.Files); err != nil {
			return "", "", "", err
		}
		g.places[key] = project
	}
	if strings.HasPrefix(c.Cwd, "/") {
		return project, c.Cwd, project, nil
	}
	cwd = filepath.Join(project, filepath.FromSlash(c.Cwd))
	if rest, home := strings.CutPrefix(c.Cwd, "~"); home {
		cwd = filepath.Join(g.home, filepath.FromSlash(rest))
	}
	return project, cwd, cwd, os.MkdirAll(cwd, 0o700)
}

// build makes the files of a row: NAME, NAME=TEXT, a folder NAME/; .git/ makes a repository of those before it. What is
// below ~ stays in the home for the later rows.
func (j *Job) build(g *Gate, dir string, files []string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, f := range files {
		name, text, _ := strings.Cut(f, "=")
		full := filepath.Join(dir, filepath.FromSlash(name))
		if rest, home := strings.CutPrefix(name, "~/"); home {
			full = filepath.Join(g.home, filepath.FromSlash(rest))
		}
		err := os.MkdirAll(filepath.Dir(full), 0o700)
		_, missing := os.Lstat(full)
		switch {
		case err != nil:
		case name == ".git/":
			err = j.commit(g, dir)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o700)
		case missing != nil: // the files of a gate stay as they are
			err = os.WriteFile(full, []byte(text+"\n"), 0o600)
		}
		if err != nil {
			return fmt.Errorf("the files of a row: %w", err)
		}
	}
	return nil
}

// commit makes a repository, by no settings of a home: a row may have put them there.
func (j *Job) commit(g *Gate, dir string) error {
	plain := &Gate{Host: g.Host, env: append(g.env[:len(g.env):len(g.env)],
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")}
	for _, args := range [...]string{"init", "add -A", "-c user.name=bench -c user.email=bench@example.org commit --allow-empty -m start"} {
		command := append([]string{"git"}, strings.Fields(args)...)
		if end := j.start(plain, dir, "", j.Timeout, nil, command...); end.Err != nil {
			return fmt.Errorf("git %s: %w: %s", args, end.Err, firstLine(end.Said))
		}
	}
	return nil
}

// ReadGates reads a file of gates, in TOML: a table each, by its name, with hook, and host, event and setup where
// needed.
// usual is the host of those that name none.
func ReadGates(name, text string, usual *hookio.Host) ([]*Gate, error) {
	fail := func(off int, format string, args ...any) error {
		line := 1 + strings.Count(text[:min(off, len(text))], "\n")
		return fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(format, args...))
	}
	root, err := tree.TOML(text)
	var bad *tree.Error
	if errors.As(err, &bad) {
		return nil, fail(bad.Off, "%s", hookio.Escape(bad.Msg))
	}
	var out []*Gate
	for i, key := range root.Keys {
		n, g := root.Items[i], &Gate{Name: key, Host: usual}
		if n.Kind != tree.Table {
			return nil, fail(n.Off, "%s is no table: write [NAME], and hook = '...' below it", hookio.Escape(key))
		}
		for k, word := range n.Keys {
			if v := n.Items[k]; v.Kind != tree.Text || !g.set(word, v.Text) {
				return nil, fail(v.Off, "%s: a gate has hook, setup, event (PreToolUse, PermissionRequest) and host (permgate help hosts)",
					hookio.Escape(word))
			}
		}
		if g.Hook == "" || g.Host == nil {
			return nil, fail(n.Off, "%s needs a hook and a host", hookio.Escape(key))
		}
		out = append(out, g)
	}
	if len(out) == 0 {
		return nil, fail(0, "no gate in it")
	}
	return out, nil
}

// set gives a gate what a key says; false for an unknown key or value.
func (g *Gate) set(key, value string) bool {
	switch key {
	case "hook":
		g.Hook = value
	case "setup":
		g.Setup = value
	case "event":
		g.Event = hookio.Event(value)
		return g.Event == hookio.PreToolUse || g.Event == hookio.PermissionRequest
	case "host":
		host, err := gate.NamedHost(value)
		g.Host = host
		return err == nil && host != nil
	default:
		return false
	}
	return true
}
