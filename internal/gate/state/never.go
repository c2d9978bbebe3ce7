package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// NeverName is the file with the rules that permgate recommend is not to propose again.
const NeverName = "recommend.never"

// maxNever bounds how many there are; the oldest go first.
const maxNever = 1000

// Never returns the rules the user does not want to be asked about again. The
// error is about a file that cannot be used, or is of a newer version.
func (st *Store) Never() ([]string, error) {
	name := filepath.Join(st.Dir, NeverName)
	data, _, err := st.file(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case !gjson.ValidBytes(data):
		return nil, fmt.Errorf("%s: is not JSON", name)
	}
	root := gjson.ParseBytes(data)
	if newer(root) {
		return nil, fmt.Errorf("%s: %w", name, ErrNewer)
	}
	list := texts(root.Get("never"))
	if !root.Get("never").IsArray() || len(list) < len(root.Get("never").Array()) {
		return nil, fmt.Errorf(`%s: is not of the form {"version": 1, "never": ["RULE"]}`, name)
	}
	return list, nil
}

// AddNever adds a rule to them.
func (st *Store) AddNever(rule string) error {
	unlock, err := st.lock(patience)
	if err != nil {
		return err
	}
	defer unlock()
	list, err := st.Never()
	if err != nil || slices.Contains(list, rule) {
		return err
	}
	list = append(list, rule)
	text := []byte("{\"version\": 1, \"never\": [")
	for i, r := range list[max(0, len(list)-maxNever):] {
		if i > 0 {
			text = append(text, ',')
		}
		text = hookio.AppendJSON(append(text, "\n  "...), r)
	}
	return st.write(filepath.Join(st.Dir, NeverName), append(text, "\n]}\n"...))
}
