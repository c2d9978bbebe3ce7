package commands

// KeepsListed are the git commands that take no file out of the index and leave
// it in the work tree.
var KeepsListed = [...]string{
	"add", "am", "bisect", "branch", "checkout", "cherry-pick", "clone", "commit", "fetch", "gc", "init",
	"maintenance", "merge", "notes", "pull",
	"push", "rebase", "remote", "revert", "stage", "switch", "tag", "worktree",
}
