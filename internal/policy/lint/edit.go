package lint

import "github.com/permgate--owner/permgate/internal/edit"

// An Edit is a change of one string in a list of a settings file. It never
// makes a decision laxer: a rule is taken out that does nothing, widened in a
// list that restricts, or another one is added there.
type Edit struct {
	Keys []string // where the list is: "permissions", "deny"
	Old  string   // the string as it stands there
	New  string   // what is to stand there; "" to take it out
	Add  bool     // New comes on top of Old
	Nth  int      // which of several that are Old, from 0
}

// Apply makes the change. A string that stands there no more is no error.
func (e *Edit) Apply(doc *edit.Doc) error {
	v := &doc.Root
	for _, key := range e.Keys {
		v = edit.Member(v, key)
	}
	list, n := edit.Elements(v), 0
	for i := range list {
		if edit.Text(&list[i]) != e.Old {
			continue
		}
		if n++; n <= e.Nth {
			continue
		}
		switch {
		case e.New == "":
			return doc.RemoveElement(v, i)
		case e.Add:
			return doc.AddElement(v, edit.Quote(e.New))
		}
		return doc.SetElement(v, i, edit.Quote(e.New))
	}
	return nil
}

// Fix returns the text of a file after the edits of the findings in it.
func Fix(f *File, found []Finding) (string, error) {
	if f.Doc == nil {
		return f.Text, nil
	}
	doc, err := edit.Parse(f.Name, []byte(f.Text))
	if err != nil {
		return "", err
	}
	changed := false
	for i := len(found) - 1; i >= 0; i-- { // the last first, so that Nth stays what it was
		if e := found[i].Edit; e != nil && found[i].File == f {
			if err := e.Apply(doc); err != nil {
				return "", err
			}
			changed = true
		}
	}
	if !changed {
		return f.Text, nil
	}
	return string(doc.Bytes()), nil
}

// rounds is how often a mended text is looked at again: one mending may leave
// a rule that says what another says already.
const rounds = 5

// FixAll returns in as it is when everything was mended that can be, with keep
// saying which findings are to be.
func FixAll(in *Input, keep func(*Finding) bool) (*Input, error) {
	for range rounds {
		var found []Finding
		for _, f := range Run(in) {
			if f.Edit != nil && keep(&f) {
				found = append(found, f)
			}
		}
		next := in
		for _, f := range in.Files {
			text, err := Fix(f, found)
			if err != nil {
				return nil, err
			}
			if text != f.Text {
				next = next.With(f.Path, text)
			}
		}
		if next == in {
			break
		}
		in = next
	}
	return in, nil
}
