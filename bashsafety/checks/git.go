package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// gitChecks find the git commands that drop work.
var gitChecks = []analysis.Check{
	{
		ID:       "git-reset-hard",
		Title:    "discards uncommitted changes",
		Why:      "uncommitted work cannot be recovered",
		Instead:  []analysis.Hint{{For: "git reset", Text: "`git stash` to keep the changes"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "reset", func(c *commands.Invocation) bool { return c.Has("hard") })
		},
	},
	{
		ID:    "git-clean",
		Title: "deletes untracked files",
		Why:   "git keeps no copy of them",
		Says: []analysis.Said{
			{For: "git clean -x", Title: "deletes every file that git does not track, ignored ones such as .env among them"},
			{For: "git clean -X", Title: "deletes every file that git ignores, such as .env and build results"},
		},
		Instead: []analysis.Hint{
			{For: "git", Swap: "-f=-n --force=-n -fd=-nd -df=-nd -fx=-nx -xf=-nx -fdx=-ndx -xdf=-ndx -dfx=-ndx -xfd=-ndx",
				Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "clean", func(c *commands.Invocation) bool {
				return (c.Has("f", "force", "i", "interactive") || strings.Contains(strings.ToLower(settings(c)), "clean.requireforce")) && !c.Has("n", "dry-run")
			})
		},
	},
	{
		ID:    "git-push-force",
		Title: "overwrites or deletes what others have pushed",
		Why:   "commits on the remote that you have not seen are lost",
		Says: []analysis.Said{
			{For: "git push --mirror", Title: "makes the remote the same as this repository", Why: "branches that exist only there are deleted"},
			{For: "git push --delete", Title: "deletes branches or tags on the remote"},
			{For: "git push --force", Title: "overwrites BRANCH on REMOTE, even if others have pushed since", Why: "their commits are lost there"},
			{For: "git push --force", Title: "overwrites CURRENT on its remote, even if others have pushed since", Why: "their commits are lost there"},
		},
		Instead: []analysis.Hint{
			{For: "git", Swap: "--force=--force-with-lease -f=--force-with-lease",
				Text: "`CALL`, which refuses if someone else has pushed"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "push", func(c *commands.Invocation) bool {
				if c.Has("n", "dry-run") {
					return false
				}
				for _, i := range c.Operands {
					if t := c.Argv[i].Text; strings.HasPrefix(t, "+") || strings.HasPrefix(t, ":") && len(t) > 1 {
						return true
					}
				}
				set := strings.ToLower(settings(c))
				mirrors := shell.ContainsAny(set, ".mirror=true", ".mirror=1", ".mirror=yes", ".mirror=on", ".mirror\n")
				return mirrors || c.Has("f", "force", "mirror", "delete", "d", "prune")
			})
		},
	},
	{
		ID:    "git-branch-delete",
		Title: "deletes a branch that may not be merged",
		Why:   "commits that exist only on this branch are lost",
		Says: []analysis.Said{
			{For: "git branch -D|git branch -d|git branch --delete", Title: "deletes the branch NAME, merged or not"},
			{For: "git branch|git checkout|git switch|git fetch|git pull|git worktree", Title: "leaves commits that no other branch has"},
			{For: "git tag|git update-ref|git symbolic-ref", Title: "leaves commits that no other branch or tag has"},
		},
		Instead:  []analysis.Hint{{For: "git", Swap: "-D=-d", Text: "`CALL`, which refuses if the branch is not merged"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(gitCalls(s, "branch", func(c *commands.Invocation) bool {
				return c.Has("D") || c.Has("d", "delete") && c.Has("f", "force")
			}), gitCalls(s, "update-ref", func(c *commands.Invocation) bool {
				return c.Has("d", "stdin") // the lines of --stdin may delete, too
			})...)
		},
	},
	{
		ID:       "git-checkout-discard",
		Title:    "overwrites changed files with older versions",
		Why:      "uncommitted changes are lost",
		Says:     []analysis.Said{{For: "git checkout --", Title: "discards the unstaged changes in NAME", Why: "they cannot be recovered"}},
		Instead:  []analysis.Hint{{For: "git checkout", Text: "`git stash` to keep the changes"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(gitCalls(s, "checkout", discards), gitCalls(s, "switch", func(c *commands.Invocation) bool {
				return c.Has("f", "force", "discard-changes")
			})...)
		},
	},
	{
		ID:       "git-restore",
		Title:    "overwrites changed files with older versions",
		Why:      "uncommitted changes are lost",
		Says:     []analysis.Said{{For: "git restore", Title: "discards the changes in NAME", Why: "they cannot be recovered"}},
		Instead:  []analysis.Hint{{For: "git restore", Text: "`git stash` to keep the changes"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "restore", func(c *commands.Invocation) bool {
				return !c.Has("S", "staged") || c.Has("W", "worktree")
			})
		},
	},
	{
		ID:    "git-stash-drop",
		Title: "deletes stashed work",
		Why:   "only its commit hash leads to it then, until git cleans up",
		Says: []analysis.Said{
			{For: "git stash drop", Title: "deletes the stash NAME"},
			{For: "git stash drop", Title: "deletes the newest stash"},
			{For: "git stash clear", Title: "deletes every stash"},
		},
		Instead: []analysis.Hint{
			{For: "git stash drop", Swap: "drop=show", Text: "`CALL` to look first"},
			{For: "git stash clear", Text: "`git stash list` to look first"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "stash", func(c *commands.Invocation) bool {
				return subIs(c, "drop clear")
			})
		},
	},
}

// gitCalls reports the git commands of one kind that fit.
func gitCalls(s *analysis.Analysis, sub string, fits func(*commands.Invocation) bool) []analysis.Finding {
	return gitAny(s, func(c *commands.Invocation) bool { return c.Subs[0] == sub && fits(c) })
}

// settings are the values of git -c.
func settings(c *commands.Invocation) string {
	var b strings.Builder
	for i := range c.Opts {
		if c.Opts[i].Name == "c" {
			b.WriteString(c.Opts[i].Value.Text + "\n")
		}
	}
	return b.String()
}

// discards is git checkout of paths: all of them, those after -- or after a tree,
// or by force.
func discards(c *commands.Invocation) bool {
	for n, i := range c.Operands {
		switch w := &c.Argv[i]; {
		case c.DashDash > 0 && i > c.DashDash, allPaths(w.Text), noBranch(w.Text), w.List != nil: // names of files
			return true
		case n > 0 && !c.Has("b", "B", "orphan", "t", "track", "ours", "theirs"): // TREE FILE
			return true
		}
	}
	return c.Has("f", "force", "pathspec-from-file", "p", "patch")
}

// noBranch reports whether a word can be a path and no name of a branch.
func noBranch(text string) bool {
	pattern := strings.ContainsAny(text, "*?[") && !strings.Contains(text, shell.HoleMark)
	return pattern || shell.StartsWithAny(text, "./", "../", "/", ":")
}

// gitLossChecks find what git cannot undo, and what takes files along.
var gitLossChecks = []analysis.Check{
	{
		ID:    "git-rm-force",
		Title: "deletes files and their uncommitted changes",
		Why:   "the changes are lost with the files",
		Instead: []analysis.Hint{
			{For: "git rm", Swap: "-f= --force= -rf=-r -fr=-r", Text: "`CALL`, which refuses if it has changes"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "rm", func(c *commands.Invocation) bool {
				return !c.Has("cached", "n", "dry-run") && (c.Has("f", "force") || c.Has("r") && everything(c))
			})
		},
	},
	{
		ID:    "git-objects-expire",
		Title: "deletes the commits git keeps for recovery",
		Why:   "commits on no branch can be recovered only until then",
		Instead: []analysis.Hint{
			{For: "git reflog", Text: "`git reflog` to look first"},
			{For: "git gc", Swap: "--prune=now=", Text: "`CALL`, which keeps anything newer than two weeks"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(gitCalls(s, "reflog", expires), gitAny(s, prunes)...)
		},
	},
	{
		ID:       "git-rewrite-history",
		Title:    "rewrites every commit",
		Why:      "the old commits are replaced on all branches at once, and filtered content is gone",
		Instead:  []analysis.Hint{{For: "git filter-repo", Text: "`git filter-repo --analyze` to look first, in a fresh clone"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find:     rewrites,
	},
	{
		ID:       "vcs-discard",
		Title:    "discards changes or commits of a repository",
		Why:      "uncommitted work cannot be recovered",
		Severity: analysis.Destructive,
		Loses:    commands.OfVersions, Itself: true,
	},
	{
		ID:       "git-index-overwrite",
		Title:    "overwrites changed files from the index or a tree",
		Why:      "uncommitted changes are lost",
		Instead:  []analysis.Hint{{For: "git checkout-index|git read-tree", Text: "`git stash` to keep them first"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return gitAny(s, overwrites) },
	},
	{
		ID:       "git-untracked-overwrite",
		Title:    "overwrites files that git does not track",
		Why:      "git keeps no copy of them",
		Instead:  []analysis.Hint{{For: "git checkout|git switch|git merge", Text: "`--no-overwrite-ignore`, with which git refuses that"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding { // without the option the disk tells
			return gitAny(s, func(c *commands.Invocation) bool { return c.Has("overwrite-ignore") })
		},
	},
	{
		ID:       "git-worktree-remove",
		Title:    "deletes a worktree with what git does not have of it",
		Says:     []analysis.Said{{For: "git worktree remove", Title: "deletes the worktree NAME with what git does not have of it"}},
		Why:      "that cannot be recovered",
		Instead:  []analysis.Hint{{For: "git worktree remove", Swap: "--force= -f=", Text: "`CALL`, which refuses if there are changes"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutGit,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return gitCalls(s, "worktree", func(c *commands.Invocation) bool {
				return c.Has("f", "force") && subIs(c, "remove")
			})
		},
	},
}

// gitAny reports the git commands that fit, whatever their subcommand.
func gitAny(s *analysis.Analysis, fits func(*commands.Invocation) bool) []analysis.Finding {
	return matching(s, "git", func(c *commands.Invocation, _ *analysis.Subcommand) bool {
		return len(c.Subs) > 0 && fits(c)
	})
}

// subIs reports whether the second subcommand is one of these: drop of git stash drop.
func subIs(c *commands.Invocation, names string) bool {
	return len(c.Subs) > 1 && shell.Among(names, c.Subs[1])
}

// everything reports whether an operand means all there is.
func everything(c *commands.Invocation) bool {
	return slices.ContainsFunc(c.Operands, func(i int) bool { return allPaths(c.Argv[i].Text) })
}

// allPaths reports whether a pathspec means all there is.
func allPaths(text string) bool {
	return shell.Among(". ./ .. ../ * ./* :/ :/. :(top) :(top). :/* : **", text)
}

// expires is git reflog where it forgets entries.
func expires(c *commands.Invocation) bool {
	return subIs(c, "expire delete drop") && !c.Has("n", "dry-run")
}

// prunes is git gc, prune and repack where they drop what is young.
func prunes(c *commands.Invocation) bool {
	switch c.Subs[0] {
	case "gc":
		return prunesNow(c, "prune") || prunesNow(c, "cruft-expiration") ||
			shell.ContainsAny(strings.ToLower(settings(c)), "pruneexpire=now", "pruneexpire=all")
	case "repack":
		return prunesNow(c, "cruft-expiration")
	case "prune":
		return !c.Has("n", "dry-run") && (!c.Has("expire") || prunesNow(c, "expire"))
	}
	return false
}

// prunesNow reports whether an option says, or may say, that what is young goes too.
func prunesNow(c *commands.Invocation, name string) bool {
	o := c.Option(name)
	if o == nil || !o.Given {
		return false
	}
	v := &o.Value
	return !v.Known || v.Text == "now" || v.Text == "all" || strings.HasPrefix(v.Text, "0")
}

// rewrites is git filter-branch and its like.
func rewrites(s *analysis.Analysis) []analysis.Finding {
	return gitAny(s, func(c *commands.Invocation) bool {
		switch c.Subs[0] {
		case "filter-branch", "filter-repo":
			return !tellsOnly(c)
		case "lfs":
			return subIs(c, "migrate") && shell.Among("import export", c.LiteralOperand(0))
		}
		return false
	})
}

// tellsOnly reports whether a command that filters is only asked to look.
func tellsOnly(c *commands.Invocation) bool {
	return slices.ContainsFunc(c.Argv, func(w shell.Word) bool {
		return shell.Among("--analyze --dry-run --help -h --version", w.Text)
	})
}

// overwrites is what takes files of the index or a tree over changed ones.
func overwrites(c *commands.Invocation) bool {
	forced := c.Has("f", "force")
	switch c.Subs[0] {
	case "checkout-index":
		return forced && !c.Has("prefix")
	case "read-tree":
		return c.Has("reset") && c.Has("u") && !c.Has("n", "dry-run")
	case "reset":
		return c.Has("merge", "keep")
	case "submodule":
		return forced && subIs(c, "deinit update")
	}
	return false
}
