package agents

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// recordKey says which version of the posture wrote a host's section, 1 without it. Gates skip keys that begin with $.
const recordKey = "$posture"

// An Absence is what a host's section of a permgate.json lacks of the recommended keys.
type Absence struct {
	New     []hookio.Recommended // they came after the version that wrote the section
	Removed []hookio.Recommended // that version wrote them: a user removed them
}

// Absent compares a host's section of a permgate.json, or what it sets for all hosts, with the recommended keys.
func Absent(h *hookio.Host, d *edit.Doc) (a Absence) {
	section, wrote := edit.Member(&d.Root, "hosts", h.Name), writtenBy(h, d)
	for _, k := range h.Register.Posture {
		switch {
		case edit.Member(section, k.Name) != nil, edit.Member(&d.Root, k.Name) != nil:
		case k.Since > wrote:
			a.New = append(a.New, k)
		default:
			a.Removed = append(a.Removed, k)
		}
	}
	return a
}

// Written reports whether install wrote a host's section of a permgate.json.
func Written(h *hookio.Host, d *edit.Doc) bool {
	return writtenBy(h, d) > 0
}

// writtenBy is the version of the recommended posture that wrote a host's section, 0 for none.
func writtenBy(h *hookio.Host, d *edit.Doc) (version int) {
	section := edit.Member(&d.Root, "hosts", h.Name)
	for _, k := range h.Register.Posture {
		if k.Since == 1 && edit.Member(section, k.Name) != nil {
			version = 1
		}
	}
	if record := edit.Member(section, recordKey); record != nil {
		if n, err := strconv.Atoi(minimal(record)); err == nil && n > 0 {
			version = n
		}
	}
	return version
}

// newest is the version of the posture that this permgate recommends.
func newest(h *hookio.Host) int {
	version := 1
	for _, k := range h.Register.Posture {
		version = max(version, k.Since)
	}
	return version
}

// Recommend adds the recommended keys that are new since a host's section of a permgate.json was written, with all also
// those that were removed from it, and returns them. A section that a newer permgate wrote stays as it is.
func Recommend(h *hookio.Host, d *edit.Doc, all bool) ([]hookio.Recommended, error) {
	wrote, latest := writtenBy(h, d), newest(h)
	absent := Absent(h, d)
	var added []hookio.Recommended
	for _, k := range h.Register.Posture {
		if !slices.Contains(absent.New, k) && !(all && slices.Contains(absent.Removed, k)) {
			continue
		}
		if wrote > latest {
			return nil, fmt.Errorf("a newer permgate wrote hosts.%s (posture %d): upgrade permgate", h.Name, wrote)
		}
		// adding may move the tree: look the section up again
		section, err := d.Object("hosts", h.Name)
		if err != nil {
			return added, err
		}
		if err := d.AddMember(section, k.Name, k.JSON); err != nil {
			return added, fmt.Errorf("%s: %w", k.Name, err)
		}
		added = append(added, k)
	}
	if len(added) == 0 || latest == 1 || writtenBy(h, d) >= latest {
		return added, nil
	}
	return added, d.SetMember(edit.Member(&d.Root, "hosts", h.Name), recordKey, strconv.Itoa(latest))
}

// NewPosture is the permgate.json that install writes for a host where there is none.
func NewPosture(h *hookio.Host) (*edit.Doc, error) {
	doc, err := edit.Parse("permgate.json", nil)
	if err == nil {
		_, err = Recommend(h, doc, true)
	}
	return doc, err
}

// Observe sets enforce false in the host's section: only managed denies are answered then. Off takes the key out again.
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

// Enforce sets enforce true in the host's section of a managed file that has no enforce: no user can turn that off.
func Enforce(h *hookio.Host, d *edit.Doc) (set bool, err error) {
	section, err := d.Object("hosts", h.Name)
	if err != nil || edit.Member(section, "enforce") != nil {
		return false, err
	}
	return true, d.AddMember(section, "enforce", "true")
}

// Unrecommend takes what Recommend and Observe wrote out of the host's section,
// with objects left empty. It returns what it removed and what has another value.
func Unrecommend(h *hookio.Host, d *edit.Doc) (gone, kept []string, err error) {
	section := edit.Member(&d.Root, "hosts", h.Name)
	for _, k := range append([]hookio.Recommended{{Name: "enforce", JSON: "false"}}, h.Register.Posture...) {
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
	if edit.Member(section, recordKey) != nil {
		if err := d.RemoveMember(section, recordKey); err != nil {
			return gone, kept, err
		}
		gone = append(gone, recordKey)
	}
	if len(gone) == 0 {
		return nil, kept, nil
	}
	return gone, kept, d.RemoveEmpty("hosts", h.Name)
}
