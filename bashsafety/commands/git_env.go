package commands

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// GitVariable adds what one variable makes a git command write.
func (c *Invocation) GitVariable(name string, value *shell.Word) {
	if value.Text == "" {
		return
	}
	changes := !c.Facts.Proof.Holds() || c.Wrote
	switch name {
	case "GIT_INDEX_FILE":
		if changes && path.Base(path.Dir(value.Text)) != ".git" { // a second index is kept there
			c.write(value)
		}
	case "GIT_WORK_TREE":
		if changes {
			c.write(value)
		}
	case "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
		c.read(value)
	case "GIT_DIR":
		if c.makesRepository() {
			c.writeTree(value)
		}
	default: // 1 and true go to the terminal, what is no absolute path nowhere
		if strings.HasPrefix(name, "GIT_TRACE") && path.IsAbs(value.Text) {
			c.write(value)
		}
	}
}

// makesRepository reports whether a command makes the repository it is told to work with.
func (c *Invocation) makesRepository() bool {
	return len(c.Subs) > 0 && (c.Subs[0] == "init" || c.Subs[0] == "init-db" || c.Subs[0] == "clone")
}
