package bashsafety

import "strings"

// gitChecks find the git commands that drop work.
var gitChecks = []Check{
	{
		ID:       "git-reset-hard",
		Title:    "throws away uncommitted changes",
		Why:      "what was never committed cannot be recovered",
		Instead:  "`git stash` to keep the changes, or `git reset --soft HEAD~1`",
		Severity: Destructive,
		About:    AboutGit,
		Fails: []string{
			"git reset --hard", "git reset HEAD~3 --hard", "git reset --har", "git reset --quiet HEAD~1 --hard", "git -C repo reset --hard",
			"git -c a.b=c reset --hard", "g=git; $g reset --hard", "git -c alias.x='reset --hard' x",
		},
		Passes: []string{
			"git reset --soft HEAD~1", "git reset HEAD README.md", "git commit -m 'docs: never run git reset --hard'", "git reset -- --hard",
			"git log --grep=--hard",
		},
		Find: func(s *Script) []Finding {
			return gitCalls(s, "reset", func(c *call) bool { return c.has("hard") })
		},
	},
	{
		ID:       "git-clean",
		Title:    "deletes untracked files",
		Why:      "git keeps no copy of them",
		Instead:  "`git clean -n` to look first",
		Severity: Destructive,
		About:    AboutGit,
		Fails: []string{
			"git clean -fd", "git clean -fdx", "git clean -d --force", "git clean -xdf", "git clean -d -f", "git clean --forc",
			"git -c clean.requireForce=false clean -d",
		},
		Passes: []string{"git clean -n", "git clean -nfd", "git clean --dry-run -f", "make clean"},
		Find: func(s *Script) []Finding {
			return gitCalls(s, "clean", func(c *call) bool {
				return (c.has("f", "force") || strings.Contains(strings.ToLower(settings(c)), "clean.requireforce")) && !c.has("n", "dry-run")
			})
		},
	},
	{
		ID:       "git-push-force",
		Title:    "overwrites or deletes what others have pushed",
		Why:      "commits on the remote that you have not seen are lost",
		Instead:  "`git push --force-with-lease`, which stops when somebody else pushed",
		Severity: Destructive,
		About:    AboutGit,
		Fails: []string{
			"git push --force", "git push -f origin main", "git push -uf origin main", "git push origin main -f", "git push origin +main",
			"git -C r push --force", "git push --mirror", "git push origin --delete x", "git push origin :x", "git push -d origin x", "git push --forc",
		},
		Passes: []string{
			"git push --force-with-lease origin feature", "git push --force-if-includes --force-with-lease", "git push -u origin feature",
			"git push origin HEAD && [ -f x.lock ]", "git push -n -f", "git push origin a:b", `rg "git push --force" docs`,
		},
		Find: func(s *Script) []Finding {
			return gitCalls(s, "push", func(c *call) bool {
				if c.has("n", "dry-run") {
					return false
				}
				for _, i := range c.operands {
					if t := c.argv[i].Text; strings.HasPrefix(t, "+") || strings.HasPrefix(t, ":") && len(t) > 1 {
						return true
					}
				}
				return c.has("f", "force", "mirror", "delete", "d", "prune")
			})
		},
	},
	{
		ID:       "git-branch-delete",
		Title:    "deletes a branch that may not be merged",
		Why:      "commits only this branch holds are lost",
		Instead:  "`git branch -d topic`, which refuses when the branch is not merged",
		Severity: Destructive,
		About:    AboutGit,
		Fails: []string{
			"git branch -D feature", "git branch -d -f x", "git branch --delete --force x", "git branch -df x", "git branch -rD origin/x",
			"git update-ref -d refs/heads/main", "git update-ref --no-deref -d HEAD", "git update-ref -m x -d refs/heads/x abc", "git update-ref --stdin <<< 'delete refs/heads/main'",
			"git update-ref --std < x", "git for-each-ref --format='%(refname)' | xargs -n1 git update-ref -d",
		},
		Passes: []string{"git branch -d merged", "git branch -f x HEAD", "git branch --list", "git checkout -b fix/D", "git update-ref refs/heads/x HEAD", "git update-ref -m -d refs/heads/x HEAD"},
		Find: func(s *Script) []Finding {
			return append(gitCalls(s, "branch", func(c *call) bool {
				return c.has("D") || c.has("d", "delete") && c.has("f", "force")
			}), gitCalls(s, "update-ref", func(c *call) bool {
				return c.has("d", "stdin") // the lines of --stdin may delete, too
			})...)
		},
	},
	{
		ID:       "git-checkout-discard",
		Title:    "overwrites changed files with old ones",
		Why:      "changes that were never committed are lost",
		Instead:  "`git stash` to keep them first",
		Severity: Destructive,
		About:    AboutGit,
		Fails: []string{
			"git checkout -- src/app.ts", "git checkout .", "git checkout HEAD .", "git checkout -f", "git checkout evil -- .claude/settings.json",
			"git switch --discard-changes main", "git switch -f main", "git checkout ./", "git checkout :/", "git checkout main --force",
			"git checkout --pathspec-from-file=x",
		},
		Passes: []string{"git checkout feature/login", "git checkout -b fix/rm-rf-docs", "git checkout main --", "git switch main", "git checkout -"},
		Find: func(s *Script) []Finding {
			return append(gitCalls(s, "checkout", discards), gitCalls(s, "switch", func(c *call) bool {
				return c.has("f", "force", "discard-changes")
			})...)
		},
	},
	{
		ID:       "git-restore",
		Title:    "overwrites changed files with old ones",
		Why:      "changes that were never committed are lost",
		Instead:  "`git restore --staged a.go` to unstage only, or `git stash` to keep them first",
		Severity: Destructive,
		About:    AboutGit,
		Fails:    []string{"git restore a.go", "git restore .", "git restore --staged --worktree a", "git restore -SW a", "git restore -s HEAD~1 a"},
		Passes:   []string{"git restore --staged a.go", "git restore -S .", "git stash"},
		Find: func(s *Script) []Finding {
			return gitCalls(s, "restore", func(c *call) bool {
				return !c.has("S", "staged") || c.has("W", "worktree")
			})
		},
	},
	{
		ID:       "git-stash-drop",
		Title:    "throws away stashed work",
		Why:      "a dropped stash is on no branch and is soon garbage collected",
		Instead:  "`git stash show -p` to look first",
		Severity: Destructive,
		About:    AboutGit,
		Fails:    []string{"git stash drop", "git stash clear", "git stash drop stash@{1}", "git -C x stash clear"},
		Passes:   []string{"git stash list", "git stash pop", "git stash", "git stash push -m drop"},
		Find: func(s *Script) []Finding {
			return gitCalls(s, "stash", func(c *call) bool {
				return len(c.subs) > 1 && (c.subs[1] == "drop" || c.subs[1] == "clear")
			})
		},
	},
}

// gitCalls reports the git commands of one kind that fit.
func gitCalls(s *Script, sub string, fits func(*call) bool) []Finding {
	return matching(s, "git", func(c *call, _ *Subcommand) bool {
		return len(c.subs) > 0 && c.subs[0] == sub && fits(c)
	})
}

// settings are the values of git -c.
func settings(c *call) string {
	var b strings.Builder
	for i := range c.opts {
		if c.opts[i].name == "c" {
			b.WriteString(c.opts[i].value.Text + "\n")
		}
	}
	return b.String()
}

// discards is git checkout of paths: all of them, named ones behind --, or by
// force.
func discards(c *call) bool {
	for _, i := range c.operands {
		if c.dashdash > 0 && i > c.dashdash {
			return true
		}
		switch c.argv[i].Text {
		case ".", "./", "..", "../", "*", ":/", ":/.", ":(top)", ":/*":
			return true
		}
	}
	return c.has("f", "force", "pathspec-from-file")
}
