package bashsafety

// keepsListed are the git commands that take no file out of the index and leave
// it in the work tree.
var keepsListed = [...]string{
	"add", "am", "bisect", "branch", "checkout", "cherry-pick", "clone", "commit", "fetch", "gc", "init", "maintenance", "merge", "notes", "pull",
	"push", "rebase", "remote", "revert", "stage", "switch", "tag", "worktree",
}

// Unlists reports whether a command may take a file out of a git index that
// stays in the work tree: git rm --cached, git reset, what is not known.
func (s *Subcommand) Unlists() bool {
	changes := false
	for i := range s.Effects {
		changes = changes || s.Effects[i].Kind == GitChange
	}
	if !changes || s.call == nil {
		return changes
	}
	verb := ""
	if len(s.call.subs) > 0 {
		verb = s.call.subs[0]
	}
	for _, keeps := range keepsListed {
		if verb == keeps {
			return false
		}
	}
	return true
}
