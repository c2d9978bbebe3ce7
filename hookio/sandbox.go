package hookio

import "slices"

// A sandboxField is a field of a command's input that says whether the command runs in the host's sandbox.
type sandboxField struct {
	name  string
	stays []string // the values that leave it there, as JSON; any other, known or not, asks to leave
}

// sandboxFields are those of all hosts, and count for each: programs borrow the forms of others.
var sandboxFields = [...]sandboxField{
	// Claude Code: code.claude.com/docs/en/sandboxing and hooks, 2026-08-22 (2.1.240)
	{"dangerouslyDisableSandbox", []string{"false"}},
	// Codex: parameters of its shell tools (0.169.0 was run; the second is an older spelling). Null is as good as
	// absent there. Its hooks of 0.169.0 are not sent them, see decodeCodex.
	{"sandbox_permissions", []string{`"use_default"`, "null"}},
	{"with_escalated_permissions", []string{"false", "null"}},
	{"additional_permissions", []string{"null"}},
	// Cursor: cursor.com/docs/hooks, as quoted 2026-10-05. It is false where its sandbox is off, too.
	{"sandbox", []string{"true"}},
}

// readSandbox notes a field that asks to run the command outside of the host's sandbox.
func (c *Call) readSandbox() {
	for key, value := range Members(c.Input.Raw) {
		if f := sandboxOf(key); f != nil && !slices.Contains(f.stays, value) {
			c.Escape = f.name
			return
		}
	}
}

// sandboxOf finds the field that a key of a command's input names, in whatever spelling; nil for none.
func sandboxOf(key string) *sandboxField {
	for i := range sandboxFields {
		if f := &sandboxFields[i]; sameWord(f.name, key) {
			return f
		}
	}
	return nil
}

// Decides reports whether a key of the input has a part in the decision about c.
func (c *Call) Decides(key string) bool {
	return slices.Contains(c.Shape().Keys, key) || c.Escape != "" && sandboxOf(key) != nil
}
