package trust

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
	"github.com/tidwall/gjson"
)

// A Place is a project's folder, and the repository whose work trees share what was trusted.
type Place struct {
	Project string // real path
	// Repo is git's common directory, or "" if none counts. Then
	// records are kept by the paths of project and file.
	Repo   string
	Top    string // the work tree's folder
	Folder string // the project's in it, "" for Top itself
	// Main is the project's folder in the main work tree, when Top is another one.
	Main string
}

// Locate says where a project is. A work tree is a repository's only if that
// agrees: a .git file that names someone else's inherits nothing.
func Locate(files load.Files, system rules.OS, uid int, project string) Place {
	p := Place{Project: system.Canon(load.Resolve(files, system.Canon(project)))}
	git := load.Git(files, system, uid)
	at := git.Around(p.Project)
	if !git.Mine(&at) || !at.Linked && at.Dir != path.Join(at.Root, ".git") {
		return p
	}
	p.Repo, p.Top, p.Folder = at.Common, at.Root, strings.TrimPrefix(p.Project[len(at.Root):], "/")
	if main := path.Dir(p.Repo); path.Base(p.Repo) == ".git" && main != p.Top {
		p.Main = path.Join(main, p.Folder)
	}
	return p
}

// A Key says what a record is about.
type Key struct {
	Project string // real path of the project it was made in
	File    string // real path of the file; below the work tree if Repo is set
	Repo    string // git's common directory, "" outside of one that counts
	Folder  string // the project's folder in the work tree
}

// Same reports whether two records are about one file, in any work tree of a repository.
func (k Key) Same(other Key) bool {
	if k.Repo != "" {
		k.Project, other.Project = "", ""
	}
	return k == other
}

// Key is that of a file, by its real path: a file of the main work tree is in no other place of the repository.
func (p *Place) Key(file string) Key {
	k := Key{Project: p.Project, File: file}
	for _, top := range [...]string{p.Top, p.main()} {
		if k.Repo == "" && top != "" && rules.Within(file, top) && file != top {
			k.Repo, k.Folder, k.File = p.Repo, p.Folder, strings.TrimPrefix(file[len(top):], "/")
		}
	}
	return k
}

// main is the main work tree, "" if that is Top, or does not exist.
func (p *Place) main() string { return strings.TrimSuffix(strings.TrimSuffix(p.Main, p.Folder), "/") }

// Keys are those of all records for a file; those without a repository are of earlier versions.
func (p *Place) Keys(file string) []Key {
	k := p.Key(file)
	out := []Key{k}
	if k.Repo == "" {
		return out
	}
	out = append(out, Key{Project: p.Project, File: file})
	if p.Main != "" {
		out = append(out, Key{Project: p.Main, File: path.Join(p.main(), k.File)})
	}
	return out
}

// Holds reports whether a record is about a file of the project.
func (p *Place) Holds(k Key) bool {
	if k.Repo != "" {
		return k.Repo == p.Repo && k.Folder == p.Folder
	}
	return k.Project == p.Project || p.Main != "" && k.Project == p.Main
}

// Path is where a record's file is, as seen from the project.
func (p *Place) Path(k Key) string {
	if k.Repo != "" {
		return path.Join(p.Top, k.File)
	}
	return k.File
}

// maxLines bounds a file of recorded places, in bytes.
const maxLines = 64 << 10

// The files of what is recorded by its real path, one a line. A later format starts with no path.
const (
	Folders      = "folders"      // for environment variables
	Repositories = "repositories" // path, tab, what git ran there when it was recorded
)

// Lines returns what is recorded in one of these files. Having none is not an error, nor is having no store.
func (s *Store) Lines(file string) ([]string, error) {
	if s.Dir == "" {
		return nil, nil
	}
	if err := s.usable(); err != nil {
		return nil, err
	}
	name := filepath.Join(s.Dir, file)
	info, err := s.Files.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || !s.alone(info):
		return nil, errors.New(name + " " + errForeign.Error())
	}
	data, err := s.Files.ReadFile(name, maxLines)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case path.IsAbs(line) || filepath.IsAbs(line):
			out = append(out, line)
		case line != "":
			return nil, fmt.Errorf("%s %w", name, ErrNewer)
		}
	}
	return out, nil
}

// The versions of a record: a copy of the file alone, and one that names each grant.
const (
	versionCopy   = 1
	versionGrants = 2
)

// Text is a record as it is stored: one line of JSON, then the content as it was.
func (r *Record) Text() []byte {
	b := append([]byte(nil), `{"version":`...)
	if r.Whole {
		b = strconv.AppendInt(b, versionCopy, 10)
	} else {
		b = strconv.AppendInt(b, versionGrants, 10)
	}
	member := func(key, value string) {
		b = append(append(append(b, `,"`...), key...), `":`...)
		b = gjson.AppendJSONString(b, value)
	}
	member("project", r.Project)
	member("file", r.File)
	member("when", r.When.UTC().Format(time.RFC3339))
	if !r.Whole {
		member("repo", r.Repo)
		member("folder", r.Folder)
		b = append(b, `,"grants":[`...)
		for i := range r.Grants {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendGrant(b, &r.Grants[i])
		}
		b = append(b, ']')
	}
	b = strconv.AppendInt(append(b, `,"bytes":`...), int64(len(r.Content)), 10)
	return append(append(b, '}', '\n'), r.Content...)
}

// appendGrant writes a grant as a list of its kind, text, host and place.
func appendGrant(b []byte, g *load.Grant) []byte {
	sep := byte('[')
	for _, text := range [...]string{g.Kind, g.Text, g.Host, g.Place} {
		b = gjson.AppendJSONString(append(b, sep), text)
		sep = ','
	}
	return append(b, ']')
}

// Parse reads the text of a record. The error says why it does not count.
func Parse(data []byte) (*Record, error) {
	head, content, ok := bytes.Cut(data, []byte{'\n'})
	if !ok || !gjson.ValidBytes(head) {
		return nil, errDamaged
	}
	g := gjson.ParseBytes(head)
	if g.Get("version").Num > versionGrants {
		return nil, ErrNewer
	}
	when, err := time.Parse(time.RFC3339, g.Get("when").String())
	r := &Record{When: when, Content: content, Whole: g.Get("version").Num == versionCopy}
	r.Project, r.File = g.Get("project").String(), g.Get("file").String()
	if err != nil || g.Get("bytes").Num != float64(len(content)) || r.File == "" || r.Project == "" {
		return nil, errDamaged
	}
	if r.Whole {
		return r, nil
	}
	r.Repo, r.Folder = g.Get("repo").String(), g.Get("folder").String()
	list := g.Get("grants")
	ok = g.Get("version").Num == versionGrants && list.IsArray()
	list.ForEach(func(_, one gjson.Result) bool {
		part := one.Array()
		if ok = ok && len(part) == 4; ok {
			r.Grants = append(r.Grants, load.Grant{Kind: part[0].String(), Text: part[1].String(), Host: part[2].String(), Place: part[3].String()})
		}
		return ok
	})
	if !ok {
		return nil, errDamaged
	}
	return r, nil
}
