package hookio

// Lookup returns the host called name (or one of its aliases), nil if there is none.
func Lookup(name string) *Host {
	for _, h := range Hosts() {
		if h.Name == name {
			return h
		}
		for _, a := range h.Aliases {
			if a == name {
				return h
			}
		}
	}
	return nil
}

// Hosts returns every host permgate speaks with, in the order their marks are
// tried on a payload: what only one program sends comes before what others
// borrow, Claude Code's form before its followers', and generic, which takes
// every tool call, is last. A new host is added here and nowhere else.
func Hosts() []*Host {
	return []*Host{&cursor, &grok, &goose, &crush, &droid, &codex, &gemini, &vscode, &copilot, &caliban, &claude, &qwen,
		&san, &gen, &coreAgent, &exAthena, &generic}
}
