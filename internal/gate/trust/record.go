package trust

import (
	"bytes"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/rules/load"
)

// The versions of a record: one that holds nothing but a copy of the file, and
// one that names each grant.
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
