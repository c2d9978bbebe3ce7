package commands

// IsGit reports whether the command is a subcommand of git.
func (c *Invocation) IsGit() bool {
	return c != nil && c.Cmd != nil && c.Cmd.Name() == "git" && len(c.Subs) > 0
}
