// Package state reads and writes the grants of a running session: one file per
// session in the state folder. A grant only ever answers step 4; a file that
// cannot be used grants nothing.
package state

import (
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"permgate/decide"
	"permgate/rules"
)

// MaxAge is how long grants live.
const MaxAge = 7 * 24 * time.Hour

// maxFile bounds a state file, in bytes.
const maxFile = 1 << 20

// File returns where the grants of a session are kept, "" when the id cannot
// be a file name.
func File(dir, session string) string {
	if dir == "" || !rules.Component(session) {
		return ""
	}
	return filepath.Join(dir, "session-"+session+".json")
}

// Within reports whether a path lies in a place the session works in: the
// project, the working directory or an additional directory.
func Within(path string, p *rules.Policy) bool {
	for _, place := range append([]rules.Path{p.Cwd}, p.Places...) {
		if rules.Within(path, place.Real) {
			return true
		}
	}
	return false
}

// Load returns the grants of a session. They are void after MaxAge, in another
// project, in a file that others may write, and where the managed settings say so.
//
// The file is one JSON object: project (string, absolute), allowAllEdits and
// allowAllBash (bool), allow (list of rules).
func Load(dir, session string, p *rules.Policy, files rules.Files, now time.Time) decide.Grants {
	name := File(dir, session)
	if name == "" || p.Gate.NoSessionGrants.On() {
		return decide.Grants{}
	}
	info, err := files.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 || now.Sub(info.ModTime()) > MaxAge {
		return decide.Grants{}
	}
	data, err := files.ReadFile(name, maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return decide.Grants{}
	}
	root := gjson.ParseBytes(data)
	if root.Get("project").String() != p.Project.Given {
		return decide.Grants{}
	}
	g := decide.Grants{
		AllEdits: root.Get("allowAllEdits").Type == gjson.True,
		AllBash:  root.Get("allowAllBash").Type == gjson.True,
	}
	for _, r := range root.Get("allow").Array() {
		rule, err := rules.ParseRule(r.Str, rules.Allow, rules.Session, rules.Pos{File: name}, false)
		if err == nil {
			g.Rules = append(g.Rules, rule)
		}
	}
	return g
}
