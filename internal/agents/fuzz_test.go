package agents

import (
	"bytes"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/internal/edit"
)

// FuzzRegister checks on any file that can be read: registering twice is
// registering once, and what was taken out again leaves no hook of ours and every
// hook of others. A file of another shape is refused with its place.
func FuzzRegister(f *testing.F) {
	for _, s := range settings {
		f.Add([]byte(s.text))
	}
	for _, text := range [...]string{
		`{"hooks": []}`, `{"hooks": {"PreToolUse": {}}}`, `{"hooks": {"PreToolUse": [1, "x", null, [], {"hooks": 7}]}}`,
		`{"hooks": {"PreToolUse": [{"hooks": [{"command": "permgate hook"}, {"command": "others.sh"}]}, {"command": "/x/permgate hook"}]}}`,
		`{"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "permgate", "args": ["hook"]}]}]}`,
		`{"version": 2, "hooks": {"preToolUse": [{"bash": "permgate hook", "timeoutSec": 1}]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, h := range Hosts() {
			p := places(h)[0]
			d, err := edit.Parse("f", text)
			if err != nil {
				return
			}
			before := foreign(p, d)
			if err := Register(h, p, d, exe); err != nil {
				if !bytes.HasPrefix([]byte(err.Error()), []byte("f:")) {
					t.Errorf("%s: no place: %v", h.Name, err)
				}
				continue
			}
			once := d.Bytes()
			if d, err = edit.Parse("f", once); err != nil {
				t.Fatalf("%s: not read again: %v\n%s", h.Name, err, once)
			}
			if err := Register(h, p, d, exe); err != nil || !bytes.Equal(d.Bytes(), once) {
				t.Fatalf("%s: the second time: %v\n%s\nafter\n%s", h.Name, err, d.Bytes(), once)
			}
			if _, err := Unregister(p, d, nil); err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			if left := Find(h, p, d, exe); len(left) > 0 {
				t.Errorf("%s: left: %+v\n%s", h.Name, left, d.Bytes())
			}
			if after := foreign(p, d); after != before {
				t.Errorf("%s: %d hooks of others, were %d\n%s", h.Name, after, before, d.Bytes())
			}
		}
	})
}

// foreign counts the handlers with a command that are not ours.
func foreign(p Place, d *edit.Doc) (n int) {
	for _, list := range events(p, d) {
		elements := edit.Elements(&list.Value)
		for j := range elements {
			handlers := append(slices.Clone(edit.Elements(edit.Member(&elements[j], "hooks"))), elements[j])
			for k := range handlers {
				if edit.Text(edit.Member(&handlers[k], "command")) != "" && !ours(&handlers[k]) {
					n++
				}
			}
		}
	}
	return n
}
