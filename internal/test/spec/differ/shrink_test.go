package differ

import (
	"reflect"
	"slices"

	"github.com/permgate--owner/permgate/internal/test/spec"
)

// shrink takes facts away from a case as long as it keeps differing.
func shrink(d drawn, differs func(*drawn) bool) drawn {
	for again := true; again; {
		again = false
		for _, less := range smaller(&d) {
			if valid(&less) && differs(&less) {
				d, again = less, true
				break
			}
		}
	}
	return d
}

// smaller lists the cases with one fact less.
func smaller(d *drawn) (out []drawn) {
	for i := range d.Rules {
		less := *d
		less.Rules = slices.Delete(slices.Clone(d.Rules), i, i+1)
		out = append(out, less)
	}
	v := reflect.ValueOf(d.Case)
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Slice || v.Field(i).IsZero() {
			continue
		}
		less := *d
		reflect.ValueOf(&less.Case).Elem().Field(i).SetZero()
		out = append(out, less)
	}
	for _, key := range []*uint64{&d.Variant, &d.Tree} {
		if was := *key; was != 0 {
			*key = 0
			out = append(out, *d)
			*key = was
		}
	}
	return out
}

// valid reports whether a case can be realised: shrinking may take away what another fact needs.
func valid(d *drawn) bool {
	one := *d
	one.Rules = nil
	for _, r := range d.Rules {
		if !r.Wide && !realisable(&one, r) {
			return false
		}
		one.Rules = append(one.Rules, r)
	}
	named := d.Payload == spec.NoMode || modeOf(d, d.Payload) != ""
	return named && placed(d) && (d.Event == spec.PreToolUse || dialogs(d.Host)) &&
		(d.Definition == spec.NoMode || d.Caller > spec.Subagent && d.Caller != spec.AgentUnread)
}

// placed reports whether tool, place, finding and host go together.
func placed(d *drawn) bool {
	if d.Place == spec.HostOwn && (d.Host != spec.Full || d.Finding != spec.Clean) {
		return false
	}
	switch d.Tool {
	case spec.Bash:
		return d.Place == spec.Inside || d.Finding == spec.Clean || d.Finding == spec.Sensitive
	case spec.Edit:
		return d.Finding == spec.Clean || d.Finding == spec.Sensitive
	case spec.Read:
		return d.Finding == spec.Clean
	}
	return d.Finding == spec.Clean && d.Place == spec.Inside
}
