package bashsafety

// Plants reports whether what a command writes may be a symlink or hold one: it
// links, moves, copies a tree, unpacks an archive or checks out a repository.
func (s *Subcommand) Plants() bool {
	c := s.call
	if c == nil {
		return true
	}
	switch c.sub.Operands {
	case Links, Moves:
		return true
	case Copies:
		return programName(c.argv) != "cp" || c.recursive || c.has("r", "recursive", "R", "a", "archive", "d", "P", "no-dereference")
	}
	for i := range archiveCommands {
		if c.cmd == &archiveCommands[i] {
			return true
		}
	}
	return tableName(programName(c.argv)) == "git"
}

// Known reports whether a table describes the program.
func (s *Subcommand) Known() bool { return s.call != nil && s.call.cmd != nil }
