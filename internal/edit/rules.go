package edit

import "slices"

// Rules returns the texts of a permission list of a settings file: "allow",
// "ask" or "deny".
func (d *Doc) Rules(list string) []string {
	var out []string
	for _, e := range Elements(Member(Member(&d.Root, "permissions"), list)) {
		out = append(out, Text(&e))
	}
	return out
}

// AddRule appends a rule to a permission list, unless the very text is there.
func (d *Doc) AddRule(list, rule string) (added bool, err error) {
	arr, err := d.Array("permissions", list)
	if err != nil || slices.Contains(d.Rules(list), rule) {
		return false, err
	}
	return true, d.AddElement(arr, Quote(rule))
}

// AddURL appends an entry to urls.allow of a permgate.json, unless the very text is
// there; rules.URL.Origin is such an entry.
func (d *Doc) AddURL(entry string) (added bool, err error) {
	arr, err := d.Array("urls", "allow")
	if err != nil {
		return false, err
	}
	for _, e := range Elements(arr) {
		if Text(&e) == entry {
			return false, nil
		}
	}
	return true, d.AddElement(arr, Quote(entry))
}

// RemoveRule takes a rule out of a permission list, every time it stands there.
// The comments around it stay.
func (d *Doc) RemoveRule(list, rule string) (removed int, err error) {
	arr := Member(Member(&d.Root, "permissions"), list)
	for i := len(Elements(arr)) - 1; i >= 0; i-- {
		if Text(&Elements(arr)[i]) != rule {
			continue
		}
		if err := d.RemoveElement(arr, i); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
