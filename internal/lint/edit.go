package lint

import "permgate/internal/edit"

// An Edit is a change of one string in a list of a settings file. It never
// makes a decision laxer: a rule is taken out that does nothing, or widened in
// a list that restricts.
type Edit struct {
	Keys []string // where the list is: "permissions", "deny"
	Old  string   // the string as it stands there
	New  string   // what is to stand there; "" to take it out
}

// Apply makes the change. A string that stands there no more is no error.
func (e *Edit) Apply(doc *edit.Doc) error {
	v := &doc.Root
	for _, key := range e.Keys {
		v = edit.Member(v, key)
	}
	list := edit.Elements(v)
	for i := range list {
		if edit.Text(&list[i]) != e.Old {
			continue
		}
		if e.New == "" {
			return doc.RemoveElement(v, i)
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
	doc, err := edit.Parse(f.Path, []byte(f.Text))
	if err != nil {
		return "", err
	}
	for i := range found {
		if e := found[i].Edit; e != nil && found[i].Pos.File == f.Path {
			if err := e.Apply(doc); err != nil {
				return "", err
			}
		}
	}
	return string(doc.Bytes()), nil
}
