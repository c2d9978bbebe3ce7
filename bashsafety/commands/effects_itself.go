package commands

import "strings"

// itself says of the writes from an index on that they change how a folder can be used.
func (c *Invocation) itself(from int) {
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Itself = true
	}
}

// keepsOwner reports whether a mode certainly leaves the owner everything they can
// do with a folder: chmod +x, go-w, 755.
func (c *Invocation) keepsOwner() bool {
	mode := ""
	switch ProgramName(c.Argv) {
	case "chmod":
		if c.NoPattern { // -x, --reference
			return false
		}
		mode = c.LiteralOperand(0)
	case "install":
		o := c.Option("m", "mode")
		if o == nil || c.Has("o", "owner", "g", "group") || !o.Value.Known {
			return false
		}
		mode = o.Value.Text
	}
	if octal := strings.TrimLeft(mode, "0"); octal != "" && strings.Trim(octal, "01234567") == "" {
		return len(octal) >= 3 && octal[len(octal)-3] == '7'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		if !clauseKeepsOwner(clause) {
			return false
		}
	}
	return true
}

// clauseKeepsOwner does so for one clause of a symbolic mode.
func clauseKeepsOwner(clause string) bool {
	at := strings.IndexAny(clause, "+-=")
	if at < 0 || strings.ContainsAny(clause[at+1:], "+-=") {
		return false
	}
	if clause[at] == '+' || clause == "u=rwx" || clause == "u=rwX" {
		return true
	}
	who := clause[:at]
	return who != "" && !strings.ContainsAny(who, "ua")
}
