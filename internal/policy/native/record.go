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
	// Stopped are rules that a project, a folder, does not let into the user's file.
	Stopped map[string][]string `json:"stopped,omitempty"`
}

// Lists are the rules in one file, by the name of their list.
type Lists map[string][]string

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
	none := func(_ string, texts []string) bool { return len(texts) == 0 }
	maps.DeleteFunc(r.Files, func(_ string, l Lists) bool { maps.DeleteFunc(l, none); return len(l) == 0 })
	maps.DeleteFunc(r.Stopped, none)
	if len(r.Files)+len(r.Stopped) == 0 {
		return nil
	}
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // strings in maps
		return nil
	}
	return append([]byte("// written by permgate export: these rules of these files are permgate's\n"), append(out, '\n')...)
}

// With is a record that lists the allow rules of either of two.
func (r *Record) With(o *Record) *Record {
	out := &Record{Files: maps.Clone(r.Files), Stopped: o.Stopped}
	for name, l := range o.Files {
		allow := append(slices.Clone(out.Files[name]["allow"]), l["allow"]...)
		slices.Sort(allow)
		out.Files[name] = Lists{"allow": slices.Compact(allow), "ask": l["ask"], "deny": l["deny"]}
	}
	return out
}

// RemoveRule takes one entry of a text out of a permission list, and the list where it was the last; a person may have
// written it once more.
func RemoveRule(doc *edit.Doc, list rules.List, text string) error {
	arr := edit.Member(&doc.Root, "permissions", list.String())
	at := slices.IndexFunc(edit.Elements(arr), func(v hujson.Value) bool { return edit.Text(&v) == text })
	if at < 0 {
		return nil
	}
	if err := doc.RemoveElement(arr, at); err != nil {
		return err
	}
	return doc.RemoveEmpty("permissions", list.String())
}

// Foreign says why a rules file is not what CodexText wrote, "" where it is, or is empty.
func Foreign(text string) string {
	rest, own := strings.CutPrefix(text, codexMark)
	switch was, body, _ := strings.Cut(rest, "\n"); {
	case text == "", own && was == sum(body):
		return ""
	case own:
		return "it was edited since permgate export wrote it: move your own rules to another file, then delete it"
	}
	return "it was not written by permgate export: move it to another name"
}

func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}
