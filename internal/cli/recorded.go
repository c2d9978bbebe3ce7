package cli

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

// recordedOptions say which recorded calls are meant: those of files, of standard
// input, of a program's session files, or of the log.
type recordedOptions struct {
	gate.Flags // --host, --state and --home only
	since      string
	lines      bool
}

func (o *recordedOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.Host, "host", "",
		"read this program's session files; with FILE: whose call it is where the file does not say")
	fs.StringVar(&o.since, "since", "", "only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04")
	fs.BoolVar(&o.lines, "lines", false, "read one hook payload per line from standard input")
}

// registerPlaces adds the options for where log and session files are.
func (o *recordedOptions) registerPlaces(fs *pflag.FlagSet) {
	fs.StringVar(&o.State, "state", "", "folder of the log")
	fs.StringVar(&o.Home, "home", "", "home directory, for the folders of log and session files")
}

// recordedCalls are the calls that are meant.
type recordedCalls struct {
	counts sessions.Counts
	names  []string // of the files
	poster *implied // whose posture a call has that names no program
	read   func(take func(*sessions.Call) error) error
}

// source finds the files that hold the calls.
func (o *recordedOptions) source(e *env, args []string) (*recordedCalls, error) {
	since, err := parseSince(o.since, e.world.Now)
	if err != nil {
		return nil, err
	}
	h, err := gate.NamedHost(o.Host)
	if err != nil {
		return nil, err
	}
	var only *sessions.Format
	out := &recordedCalls{poster: o.poster(e, h)}
	switch {
	case o.lines && len(args) > 0:
		return nil, errors.New("--lines reads standard input, and takes no files")
	case o.lines:
		out.names, only = []string{"-"}, sessions.Lookup("payload")
	case len(args) > 0:
		for _, name := range args {
			if name != "-" {
				name = e.abs(name)
			}
			out.names = append(out.names, name)
		}
	default:
		out.names, only, err = o.kept(e, h, since)
	}
	out.read = func(take func(*sessions.Call) error) error {
		return sessions.Read(out.names, e.in, only, &out.counts, &sessions.Seen{}, since, func(c *sessions.Call) error {
			if c.Time.Before(since) && !c.Time.IsZero() {
				return nil
			}
			return take(c)
		})
	}
	return out, err
}

// kept are the files of the log, or those a program keeps its sessions in.
func (o *recordedOptions) kept(e *env, h *hookio.Host, since time.Time) ([]string, *sessions.Format, error) {
	if h == nil {
		names, err := log.Files(logDir(e, &o.Flags))
		return names, sessions.Lookup("permgate"), err
	}
	f := sessions.Lookup(h.Name)
	if f == nil {
		return nil, nil, fmt.Errorf("permgate reads no session files of %s; name files of payloads, or use --lines", h.Title)
	}
	var names []string
	for _, found := range f.Find(cmp.Or(o.Home, e.world.Getenv("HOME"), e.world.PasswdHome), e.world.Getenv) {
		if !found.Changed.Before(since) {
			names = append(names, found.Name)
		}
	}
	return names, f, nil
}

// poster says whose posture a call has that names no program.
func (o *recordedOptions) poster(e *env, h *hookio.Host) *implied {
	if h != nil {
		return &implied{host: h}
	}
	c := callOptions{Flags: gate.Flags{Home: o.Home}}
	c.imply(e)
	return c.implied
}
