package checks

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// gitChecks find the git commands that drop work.
var gitChecks = []interp.Check{
	{
		ID:       "git-reset-hard",
		Title:    "discards uncommitted changes",
		Why:      "uncommitted work cannot be recovered",
		Instead:  "`git stash` to keep the changes, or `git reset --soft HEAD~1`",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails: []string{
			"git reset --hard", "git reset HEAD~3 --hard", "git reset --har", "git reset --quiet HEAD~1 --hard", "git -C repo reset --hard",
			"git -c a.b=c reset --hard", "g=git; $g reset --hard", "git -c alias.x='reset --hard' x",
		},
		Passes: []string{
			"git reset --soft HEAD~1", "git reset HEAD README.md", "git commit -m 'docs: never run git reset --hard'", "git reset -- --hard",
			"git log --grep=--hard",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			return gitCalls(s, "reset", func(c *commands.Invocation) bool { return c.Has("hard") })
		},
	},
	{
		ID:       "git-clean",
		Title:    "deletes untracked files",
		Why:      "git keeps no copy of them",
		Instead:  "`git clean -n` to look first",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails: []string{
			"git clean -fd", "git clean -fdx", "git clean -d --force", "git clean -xdf", "git clean -d -f", "git clean --forc",
			"git -c clean.requireForce=false clean -d",
		},
		Passes: []string{"git clean -n", "git clean -nfd", "git clean --dry-run -f", "make clean"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return gitCalls(s, "clean", func(c *commands.Invocation) bool {
				return (c.Has("f", "force") || strings.Contains(strings.ToLower(settings(c)), "clean.requireforce")) && !c.Has("n", "dry-run")
			})
		},
	},
	{
		ID:       "git-push-force",
		Title:    "overwrites or deletes what others have pushed",
		Why:      "commits on the remote that you have not seen are lost",
		Instead:  "`git push --force-with-lease`, which refuses if someone else has pushed",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails: []string{
			"git push --force", "git push -f origin main", "git push -uf origin main", "git push origin main -f", "git push origin +main",
			"git -C r push --force", "git push --mirror", "git push origin --delete x", "git push origin :x", "git push -d origin x", "git push --forc",
		},
		Passes: []string{
			"git push --force-with-lease origin feature", "git push --force-if-includes --force-with-lease", "git push -u origin feature",
			"git push origin HEAD && [ -f x.lock ]", "git push -n -f", "git push origin a:b", `rg "git push --force" docs`,
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			return gitCalls(s, "push", func(c *commands.Invocation) bool {
				if c.Has("n", "dry-run") {
					return false
				}
				for _, i := range c.Operands {
					if t := c.Argv[i].Text; strings.HasPrefix(t, "+") || strings.HasPrefix(t, ":") && len(t) > 1 {
						return true
					}
				}
				return c.Has("f", "force", "mirror", "delete", "d", "prune")
			})
		},
	},
	{
		ID:       "git-branch-delete",
		Title:    "deletes a branch that may not be merged",
		Why:      "commits that exist only on this branch are lost",
		Instead:  "`git branch -d topic`, which refuses if the branch is not merged",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails: []string{
			"git branch -D feature", "git branch -d -f x", "git branch --delete --force x", "git branch -df x", "git branch -rD origin/x",
			"git update-ref -d refs/heads/main", "git update-ref --no-deref -d HEAD", "git update-ref -m x -d refs/heads/x abc", "git update-ref --stdin <<< 'delete refs/heads/main'",
			"git update-ref --std < x", "git for-each-ref --format='%(refname)' | xargs -n1 git update-ref -d",
		},
		Passes: []string{"git branch -d merged", "git branch -f x HEAD", "git branch --list", "git checkout -b fix/D", "git update-ref refs/heads/x HEAD", "git update-ref -m -d refs/heads/x HEAD"},
		Find: func(s *interp.Analysis) []interp.Finding {
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
		Instead:  "`git stash` to keep them first",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails: []string{
			"git checkout -- src/app.ts", "git checkout .", "git checkout HEAD .", "git checkout -f", "git checkout evil -- .claude/settings.json",
			"git switch --discard-changes main", "git switch -f main", "git checkout ./", "git checkout :/", "git checkout main --force",
			"git checkout --pathspec-from-file=x", "git checkout origin/main package.json", "git checkout HEAD~3 src/a.go src/b.go", "git checkout ./src/a.go", "git checkout ':(top)src'",
			"git checkout --forc", "git checkout side ':/'", "git checkout --ours -- a.go", "git checkout -p HEAD~1 a.go", "git checkout '*.go'",
		},
		Passes: []string{
			"git checkout feature/login", "git checkout -b fix/rm-rf-docs", "git checkout main --", "git switch main", "git checkout -", "git checkout -b new origin/main",
			"git checkout -B new main", "git checkout --track origin/x", "git checkout --orphan new main", "git checkout --detach v1", "git checkout --theirs a.go b.go", "git checkout -t -b x origin/x",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			return append(gitCalls(s, "checkout", discards), gitCalls(s, "switch", func(c *commands.Invocation) bool {
				return c.Has("f", "force", "discard-changes")
			})...)
		},
	},
	{
		ID:       "git-restore",
		Title:    "overwrites changed files with older versions",
		Why:      "uncommitted changes are lost",
		Instead:  "`git restore --staged a.go` to unstage only, or `git stash` to keep them first",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails:    []string{"git restore a.go", "git restore .", "git restore --staged --worktree a", "git restore -SW a", "git restore -s HEAD~1 a"},
		Passes:   []string{"git restore --staged a.go", "git restore -S .", "git stash"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return gitCalls(s, "restore", func(c *commands.Invocation) bool {
				return !c.Has("S", "staged") || c.Has("W", "worktree")
			})
		},
	},
	{
		ID:       "git-stash-drop",
		Title:    "deletes stashed work",
		Why:      "a dropped stash is on no branch and is soon garbage collected",
		Instead:  "`git stash show -p` to look first",
		Severity: interp.Destructive,
		About:    interp.AboutGit,
		Fails:    []string{"git stash drop", "git stash clear", "git stash drop stash@{1}", "git -C x stash clear"},
		Passes:   []string{"git stash list", "git stash pop", "git stash", "git stash push -m drop"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return gitCalls(s, "stash", func(c *commands.Invocation) bool {
				return subIs(c, "drop clear")
			})
		},
	},
}

// gitCalls reports the git commands of one kind that fit.
func gitCalls(s *interp.Analysis, sub string, fits func(*commands.Invocation) bool) []interp.Finding {
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
		case c.DashDash > 0 && i > c.DashDash, allPaths(w.Text), noBranch(w.Text):
			return true
		case n > 0 && !c.Has("b", "B", "orphan", "t", "track", "ours", "theirs"): // TREE FILE
			return true
		}
	}
	return c.Has("f", "force", "pathspec-from-file")
}

// noBranch reports whether a word can be a path and no name of a branch.
func noBranch(text string) bool {
	pattern := strings.ContainsAny(text, "*?[") && !strings.Contains(text, shell.HoleMark)
	return pattern || shell.StartsWithAny(text, "./", "../", "/", ":")
}
