package commands

// IsGit reports whether the command is a subcommand of git.
func (c *Invocation) IsGit() bool {
	return c != nil && c.Cmd != nil && c.Cmd.Names[0] == "git" && len(c.Subs) > 0
}
