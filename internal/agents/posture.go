package agents

import (
	"fmt"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// Recommend adds the recommended keys that are absent to the host's section of
// a permgate.json and returns them. A value somebody wrote is never changed.
func Recommend(h *hookio.Host, d *edit.Doc) ([]hookio.Member, error) {
	var added []hookio.Member
	for _, k := range h.Register.Posture {
		// adding may move the tree: look the section up again
		section, err := d.Object("hosts", h.Name)
		if err != nil {
			return added, err
		}
		if edit.Member(section, k.Name) != nil {
			continue
		}
		if err := d.AddMember(section, k.Name, k.JSON); err != nil {
			return added, fmt.Errorf("%s: %w", k.Name, err)
		}
		added = append(added, k)
	}
	return added, nil
}

// Observe sets enforce false in the host's section, so that every call is
// logged and none but a managed deny answered; off takes the key out again.
func Observe(h *hookio.Host, d *edit.Doc, on bool) error {
	section, err := d.Object("hosts", h.Name)
	if err != nil {
		return err
	}
	old := edit.Member(section, "enforce")
	switch {
	case on && (old == nil || minimal(old) != "false"): // true as well: it is asked for by name
		return d.SetMember(section, "enforce", "false")
	case !on && old != nil && minimal(old) != "true":
		return d.RemoveMember(section, "enforce")
	}
	return nil
}

// Enforce sets enforce true in the host's section of a managed file, where nothing
// is said of it: no file of a user can turn the answers off then.
func Enforce(h *hookio.Host, d *edit.Doc) (set bool, err error) {
	section, err := d.Object("hosts", h.Name)
	if err != nil || edit.Member(section, "enforce") != nil {
		return false, err
	}
	return true, d.AddMember(section, "enforce", "true")
}

// Unrecommend takes the keys that Recommend and Observe write out of the host's
// section, as far as they have the values these write, and the objects that
// become empty by it. It returns what is gone and what somebody gave another value.
func Unrecommend(h *hookio.Host, d *edit.Doc) (gone, kept []string, err error) {
	hosts := edit.Member(&d.Root, "hosts")
	section := edit.Member(hosts, h.Name)
	if section == nil {
		return nil, nil, nil
	}
	for _, k := range append([]hookio.Member{{Name: "enforce", JSON: "false"}}, h.Register.Posture...) {
		old := edit.Member(section, k.Name)
		switch {
		case old == nil:
			continue
		case minimal(old) != k.JSON && !(k.Name == "enforce" && minimal(old) == "true"):
			kept = append(kept, k.Name+" is "+minimal(old))
			continue
		}
		if err := d.RemoveMember(section, k.Name); err != nil {
			return gone, kept, fmt.Errorf("%s: %w", k.Name, err)
		}
		gone = append(gone, k.Name)
	}
	if len(gone) == 0 || !edit.Empty(section) {
		return gone, kept, nil
	}
	if err = d.RemoveMember(hosts, h.Name); err == nil && edit.Empty(hosts) {
		err = d.RemoveMember(&d.Root, "hosts")
	}
	return gone, kept, err
}
