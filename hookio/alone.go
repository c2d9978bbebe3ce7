package hookio

import "slices"

// An Alone says what a host does by itself where the hook is silent: how far
// silence is an answer. The zero value promises nothing: the host checks no
// workspace, enforces no mode, may read every permission file, and has no files
// of its own.
type Alone struct {
	// Workspace lists the calls that the host itself asks about or refuses when
	// they write outside the folders it works in.
	Workspace []ToolModes
	// Enforces lists the modes that the host enforces by itself, in permgate's names.
	Enforces []string
	// Rules names the settings folders whose permission rules the host reads,
	// as ".claude"; nil is every one, because it is not known.
	Rules []string
	// Own lists the files that the host tells its agent to write.
	Own []OwnFiles
	// Source says where that is from.
	Source string
}

// A ToolModes is some tools in some modes, both in permgate's names.
type ToolModes struct{ Modes, Tools []string }

// A Base is the folder that the place of a host's own file starts from.
type Base uint8

const (
	BaseHome Base = iota + 1 // the user's home
	// the folder of the session's transcript; where none is sent, the one named after the project
	BaseSession
	BaseScratch // the folder the payload names for scratch files, which is below a temporary one
)

// An OwnFiles is a place where the host's agent keeps files of its own.
type OwnFiles struct {
	Base Base
	// Dir is the folder below the base, slash-separated; "" is the base itself. A
	// component may be * (any one) or {session} (the session's id).
	Dir  string
	Ext  string // ending of the names of its files; "" is any
	Deep bool   // everything below it, not only the files in it
	// Shell: writes of shell commands count as well as those of the file tools.
	Shell bool
	// Projects is the folder below the home that holds one folder per project,
	// for BaseSession.
	Projects string
	Doc      string // what is kept there
}

// ChecksWorkspace reports whether the host asks about or refuses, in a mode, a
// call of a tool that writes outside the folders it works in.
func (h *Host) ChecksWorkspace(tool, mode string) bool {
	for _, tm := range h.Alone.Workspace {
		if slices.Contains(tm.Tools, tool) && slices.Contains(tm.Modes, mode) {
			return true
		}
	}
	return false
}

// Enforces reports whether the host enforces a mode by itself.
func (h *Host) Enforces(mode string) bool { return slices.Contains(h.Alone.Enforces, mode) }

// ReadsRules reports whether the permission rules in a settings folder bind the
// host too; true where it is not known.
func (h *Host) ReadsRules(root string) bool {
	return h.Alone.Rules == nil || slices.Contains(h.Alone.Rules, root)
}
