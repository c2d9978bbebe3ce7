package cli

import "path"

// A stateKind is one kind of file in the state folder. A name is matched as by
// path.Match; the order is that in which the kinds are shown and removed, locks
// after what they are for.
type stateKind struct {
	what    string
	names   []string
	onAsked bool // only --backups removes it
}

func stateKinds() []stateKind {
	return []stateKind{
		{what: "session grants", names: []string{"session-*.json", ".session-*", "session.lock"}},
		{what: "verdicts of your classifier", names: []string{"verdicts-*.json"}},
		{what: "log", names: []string{"log.jsonl", "log.[0-9]*.jsonl", "log.error", "log.lock"}},
		{what: "trust records", names: []string{"trust/*"}},
		{what: "backups", names: []string{"backup/*/*.bak-*"}, onAsked: true},
	}
}

// stateKindOf returns the index of the kind a name has, -1 for none.
func stateKindOf(name string) int {
	for i, k := range stateKinds() {
		for _, pattern := range k.names {
			if ok, _ := path.Match(pattern, name); ok {
				return i
			}
		}
	}
	return -1
}
