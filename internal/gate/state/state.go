// Package state reads and writes the grants of a running session: one file per
// session in the state folder. A grant answers step 4, and an exact rule may lift
// what steps 2 and 3b ask about (decide/internal/lifts/exact.go); a directory only says what counts
// as the workspace; a file that cannot be used grants nothing.
//
// Such a file is one JSON object, which only this program writes: project
// (string, absolute path), since (RFC 3339 time of the first grant),
// allowAll, allowAllEdits and allowAllBash (bool), allow (list of rules), dirs (list of
// absolute paths, with symlinks as typed and resolved), timed (list of objects, see Timed),
// seen (the latest time at which those were looked at), and version (number; 1 when it is
// left out). A file of a version above Format grants nothing, and is not written to.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// MaxAge is how long grants live, from the first one on.
const MaxAge = 7 * 24 * time.Hour

// Format is the version of the files this program knows: see package state.
const Format = 1

// ErrNewer is returned for files of a version above Format.
var ErrNewer = errors.New(load.Newer)

// newer reports whether a file is of a version above Format, or of one that is no number.
func newer(root gjson.Result) bool {
	v := root.Get("version")
	return v.Exists() && !(v.Type == gjson.Number && v.Num <= Format)
}

// maxFile bounds a state file, in bytes.
const maxFile = 1 << 20

// A Session is what a session file says.
type Session struct {
	Project  string    // absolute
	Since    time.Time // of the first grant
	AllEdits bool
	AllBash  bool
	All      bool
	Allow    []string // rule texts
	Dirs     []string // absolute
	Timed    []Timed
	Seen     time.Time // up to a minute before the latest time the hook was asked while there is a timed rule
}

// Empty reports whether nothing is granted.
func (s *Session) Empty() bool {
	return !s.All && !s.AllEdits && !s.AllBash && len(s.Allow)+len(s.Dirs)+len(s.Timed) == 0
}

// File returns where the grants of a session are kept, "" when the id cannot
// be a file name.
func File(dir, session string) string {
	return named(dir, "session-", session)
}

func named(dir, prefix, session string) string {
	if dir == "" || !rules.Component(session) {
		return ""
	}
	return filepath.Join(dir, prefix+session+".json")
}

// A Store is a state folder as one user sees it.
type Store struct {
	Dir   string
	Files load.Files
	UID   int
	Now   time.Time
}

// ErrExpired is returned for grants that are older than MaxAge.
var ErrExpired = errors.New("its grants are older than 7 days")

// ErrFuture is returned for grants that are dated in the future: they would not
// end when they should.
var ErrFuture = errors.New("it is dated in the future, so it does not count")

// maxAhead is how far the clock of a file system may be ahead.
const maxAhead = 5 * time.Minute

// Read returns what was granted for a session and when that ends. The error
// says why the file does not count; fs.ErrNotExist: nothing was granted.
func (st *Store) Read(session string) (s Session, until time.Time, err error) {
	name := File(st.Dir, session)
	if name == "" {
		return s, until, fmt.Errorf("%q is not a valid session id", session)
	}
	data, info, err := st.file(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, until, err // as nearly always: not worth a text
	}
	if err == nil {
		s, err = parse(data)
	}
	if err != nil {
		return s, until, fmt.Errorf("%s: %w", name, err)
	}
	from := info.ModTime()
	if s.Since.IsZero() || s.Since.After(from) {
		s.Since = from
	}
	until = s.Since.Add(MaxAge)
	if s.Since.After(st.Now.Add(maxAhead)) {
		return s, until, fmt.Errorf("%s: %w", name, ErrFuture)
	}
	if st.Now.After(until) {
		return s, until, fmt.Errorf("%s: %w", name, ErrExpired)
	}
	return s, until, nil
}

// file reads a file that this program wrote for this user.
func (st *Store) file(name string) (data []byte, info fs.FileInfo, err error) {
	info, err = st.Files.Lstat(name)
	if load.Absent(err) {
		return nil, nil, fs.ErrNotExist
	}
	if err == nil {
		err = st.check(info)
	}
	if err == nil {
		data, err = st.Files.ReadFile(name, maxFile)
	}
	return data, info, err
}

// check says why a file cannot be one that this program wrote for this user.
func (st *Store) check(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return errors.New("is a symlink, and symlinks are not followed")
	case !mode.IsRegular():
		return errors.New("is not a regular file")
	case mode.Perm()&0o022 != 0 || st.Files.OthersWrite(info):
		return errors.New("others can write to it, so it does not count")
	}
	if uid, known := st.Files.Owner(info); known && uid != st.UID && uid != 0 {
		return errors.New("belongs to another user")
	}
	return nil
}

func parse(data []byte) (s Session, err error) {
	if !gjson.ValidBytes(data) {
		return s, errors.New("is not JSON")
	}
	root := gjson.ParseBytes(data)
	if newer(root) {
		return s, ErrNewer
	}
	s.Project = root.Get("project").String()
	s.AllEdits = root.Get("allowAllEdits").Type == gjson.True
	s.AllBash = root.Get("allowAllBash").Type == gjson.True
	s.All = root.Get("allowAll").Type == gjson.True
	s.Allow, s.Dirs = texts(root.Get("allow")), texts(root.Get("dirs"))
	if s.Timed = parseTimed(root.Get("timed")); len(s.Timed) > 0 {
		if s.Seen, err = time.Parse(time.RFC3339, root.Get("seen").Str); err != nil {
			s.Timed, err = nil, nil
		}
	}
	if since := root.Get("since"); since.Exists() {
		if s.Since, err = time.Parse(time.RFC3339, since.String()); err != nil {
			return Session{}, errors.New("has no start time")
		}
	}
	return s, nil
}

// texts are the strings of a list.
func texts(list gjson.Result) (out []string) {
	for _, v := range list.Array() {
		if v.Type == gjson.String {
			out = append(out, v.Str)
		}
	}
	return out
}

// Load returns the grants of a call's session under a policy, to which it adds the
// directories: as if --add-dir named them. Nothing counts after MaxAge, in another project, from
// a file that others may write, and where the settings say so. What does not
// count of a file that does is added to p.Dropped. home are the user's home
// directories, which no directory may hold.
func (st *Store) Load(u Use, p *rules.Policy, home ...string) facts.Grants {
	session := u.Session
	if File(st.Dir, session) == "" || p.Posture.NoSessionGrants.On() {
		return facts.Grants{}
	}
	pos := rules.Pos{File: File(st.Dir, session)}
	s, until, err := st.Read(session)
	if err != fs.ErrNotExist && errors.Is(err, ErrNewer) {
		p.Dropped = append(p.Dropped, rules.Dropped{Text: "session grants", Pos: pos, Why: "the file " + load.Newer})
	}
	if err != nil || s.Project != p.Project.Given {
		return facts.Grants{}
	}
	g := facts.Grants{All: s.All, AllEdits: s.AllEdits, AllBash: s.AllBash, Until: Minute(until), File: pos.File}
	for _, text := range s.Allow {
		rule, err := rules.ParseRule(text, rules.Allow, rules.Session, pos, false)
		if err != nil {
			p.Dropped = append(p.Dropped, rules.Dropped{Text: text, Pos: pos, Why: err.Error()})
			continue
		}
		g.Rules = append(g.Rules, rule)
	}
	st.timed(&s, &u, &g, p)
	if p.ManagedOnly.On() { // step 4 says the same of the rest
		return g
	}
	for _, dir := range s.Dirs {
		path, why := st.Place(dir, p, home...)
		if why == "" && path.Real != dir && !slices.Contains(s.Dirs, path.Real) {
			why = "it is a symlink now, but was not when it was granted"
		}
		if why != "" {
			p.Dropped = append(p.Dropped, rules.Dropped{Text: dir, Pos: pos, Why: why})
			continue
		}
		p.Dirs = append(p.Dirs, rules.Dir{Path: path, Scope: rules.Session, Pos: pos})
		p.Places = append(p.Places, path)
	}
	return g
}

// Place returns both forms of a directory that is to be part of a session's
// workspace, and why it cannot be, "" if it can. What holds a home directory,
// settings of the user or the state folder itself would let the agent write its
// own rules, or nearly everything.
//
// "State never lifts steps 0 to 3b" means here: such a directory changes what
// step 3b and the fences take for the workspace, just as --add-dir and
// additionalDirectories do, and nothing else. A write in it still needs an allow
// of step 4, 6 or 7, sensitive files are asked about, and no settings are read
// from it.
func (st *Store) Place(dir string, p *rules.Policy, home ...string) (rules.Path, string) {
	dir = p.OS.Canon(dir)
	if !path.IsAbs(dir) {
		return rules.Path{}, "it is not an absolute path"
	}
	dir = path.Clean(dir)
	at := rules.Path{Given: dir, Real: p.OS.Canon(load.Resolve(st.Files, dir))}
	holds := func(name string) bool {
		if name = p.OS.Canon(name); !path.IsAbs(name) {
			return false
		}
		real := p.OS.Canon(load.Resolve(st.Files, name))
		return rules.Within(name, at.Given) || rules.Within(real, at.Real) || rules.Within(name, at.Real)
	}
	for _, h := range append(home, p.Home.Given) {
		if holds(h) {
			return at, "it contains the home directory " + p.OS.Native(h) + ": name the folders you need"
		}
	}
	if holds(st.Dir) {
		return at, "it contains permgate's own state folder " + p.OS.Native(st.Dir)
	}
	if path.Dir(at.Real) == at.Real {
		return at, "it is the root of a file system: name the folders you need"
	}
	for i := range p.Sources {
		if s := &p.Sources[i]; (s.Scope == rules.User || s.Scope == rules.Managed) && holds(s.Path) {
			return at, "it contains the " + s.Scope.String() + " settings file " + p.OS.Native(s.Path)
		}
	}
	return at, ""
}
