package native

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

// A Record says which rules permgate wrote into which settings file of Claude Code, by its real path: JSON settings
// have no room for a mark, and a list of its own outlives what a person, or the program, does to them. It is kept in
// the user's .claude folder, where the loader looks for it (load.Exported).
type Record struct {
	Files map[string]Lists `json:"files"`
	// Stopped are rules that some project does not let into the user's file, and the folders of these.
	Stopped map[string][]string `json:"stopped,omitempty"`
}

// Lists are the rules in one file.
type Lists struct {
	Allow []string `json:"allow,omitempty"`
	Ask   []string `json:"ask,omitempty"`
	Deny  []string `json:"deny,omitempty"`
}

// Of is one of the lists, to be changed.
func (l *Lists) Of(list rules.List) *[]string {
	switch list {
	case rules.Allow:
		return &l.Allow
	case rules.Ask:
		return &l.Ask
	}
	return &l.Deny
}

// ReadRecord reads what Bytes wrote; no text is an empty record. Its error starts with name:line:col.
func ReadRecord(name string, text []byte) (*Record, error) {
	r := &Record{Files: map[string]Lists{}}
	if len(text) == 0 {
		return r, nil
	}
	doc, err := edit.Parse(name, text)
	if err != nil {
		return nil, err
	}
	plain := doc.Root.Clone()
	plain.Standardize()
	if err := json.Unmarshal(plain.Pack(), r); err != nil || r.Files == nil {
		return nil, doc.Errorf(&doc.Root, "this is not what permgate export wrote: take its rules out of the settings by hand, then delete it")
	}
	return r, nil
}

// Bytes is the text of the record, nil for one that says nothing.
func (r *Record) Bytes() []byte {
	maps.DeleteFunc(r.Files, func(_ string, l Lists) bool { return len(l.Allow)+len(l.Ask)+len(l.Deny) == 0 })
	maps.DeleteFunc(r.Stopped, func(_ string, in []string) bool { return len(in) == 0 })
	if len(r.Files)+len(r.Stopped) == 0 {
		return nil
	}
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // strings in maps
		return nil
	}
	return append([]byte("// written by permgate export: these rules of these files are permgate's\n"), append(out, '\n')...)
}

// With is a record that lists what either of two does.
func (r *Record) With(o *Record) *Record {
	out := &Record{Files: maps.Clone(r.Files), Stopped: o.Stopped}
	for name, l := range o.Files {
		l.Allow = append(slices.Clone(out.Files[name].Allow), l.Allow...)
		slices.Sort(l.Allow)
		l.Allow = slices.Compact(l.Allow)
		out.Files[name] = l
	}
	return out
}

// Stop notes which rules this project keeps out of the user's file, and says which ones others do.
func (r *Record) Stop(project string, stopped []string, gone func(folder string) bool) (others map[string]string) {
	others = map[string]string{}
	for text, in := range r.Stopped {
		in = slices.DeleteFunc(in, func(folder string) bool { return folder == project || gone(folder) })
		if r.Stopped[text] = in; len(in) > 0 {
			others[text] = in[0]
		}
	}
	for _, text := range stopped {
		if r.Stopped == nil {
			r.Stopped = map[string][]string{}
		}
		r.Stopped[text] = append(r.Stopped[text], project)
	}
	return others
}

// RemoveRule takes one entry of a text out of a permission list, and the list where it was the last; a person may have
// written it once more.
func RemoveRule(doc *edit.Doc, list rules.List, text string) error {
	arr := edit.Member(edit.Member(&doc.Root, "permissions"), list.String())
	at := slices.IndexFunc(edit.Elements(arr), func(v hujson.Value) bool { return edit.Text(&v) == text })
	if at < 0 {
		return nil
	}
	if err := doc.RemoveElement(arr, at); err != nil || !edit.Empty(arr) {
		return err
	}
	permissions := edit.Member(&doc.Root, "permissions")
	if err := doc.RemoveMember(permissions, list.String()); err != nil || !edit.Empty(permissions) {
		return err
	}
	return doc.RemoveMember(&doc.Root, "permissions")
}

// CodexOwn says whether a rules file is what CodexText wrote, and whether it was edited since.
func CodexOwn(text string) (own, edited bool) {
	rest, own := strings.CutPrefix(text, codexMark)
	was, body, _ := strings.Cut(rest, "\n")
	return own, was != sum(body)
}

// sum is what a text is known by.
func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}
