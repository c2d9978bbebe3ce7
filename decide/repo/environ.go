package repo

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// Variables finds variables in front of a command that point git elsewhere or
// give it programs. Another index of the same repository is only one more that
// has to pass.
func (g *Repos) Variables(sub *bashsafety.Subcommand, r *Repo) (indexes []string, why string) {
	for i := range sub.Assigns {
		a := &sub.Assigns[i]
		if (a.Value.Known || !strings.HasPrefix(a.Name, "GIT_")) && inertVariable(a.Name, a.Value.Text) {
			continue
		}
		index, own := g.ownIndex(a, r)
		if !own {
			return nil, "the variable " + a.Name + " is set for a command in another repository"
		}
		indexes = append(indexes, index)
	}
	for _, name := range sub.SetBefore() { // no pager runs without a terminal
		if name != "GIT_PAGER" && !inertVariable(name, "") {
			return nil, "the variable " + name + " is set before a command in another repository"
		}
	}
	return indexes, ""
}

// ownIndex is the index that a variable names where it lies in the repository itself.
func (g *Repos) ownIndex(a *bashsafety.Assign, r *Repo) (index string, ok bool) {
	if a.Name != "GIT_INDEX_FILE" || !a.Value.Known || !g.World.OS.IsAbs(a.Value.Text) {
		return "", false
	}
	index = g.World.Follow(g.World.OS.Canon(a.Value.Text))
	return index, rules.Within(index, r.dir) || rules.Within(index, r.common)
}

// EnvironRisk is Variables for the environment of the hook.
func (g *Repos) EnvironRisk() string {
	if g.World.Environ == nil {
		return "the environment is unknown"
	}
	for _, entry := range g.World.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GIT_") && !inertVariable(name, value) {
			return "the variable " + name + " of the environment changes what git does in another repository"
		}
	}
	return ""
}

// inertVariable reports whether a variable of git leaves alone what a command
// that reads runs. Editors, passwords and connections are for other commands.
func inertVariable(name, value string) bool {
	switch name {
	case "GIT_PAGER":
		return value == "" || value == "cat" || value == "less"
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
		"GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
		"GIT_OPTIONAL_LOCKS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
		"GIT_ICASE_PATHSPECS", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_CONFIG_NOSYSTEM", "GIT_NO_LAZY_FETCH", "GIT_FLUSH", "GIT_LFS_SKIP_SMUDGE", "GIT_ADVICE",
		"GIT_SSL_CAINFO", "GIT_SSL_CAPATH":
		return true
	case "HOME", "XDG_CONFIG_HOME": // the settings of git are there
		return false
	}
	return !strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GIT_PS1_")
}

// HookFolders are the folders that git's configuration names as core.hooksPath.
func (g *Repos) HookFolders() (dirs []string) {
	if g.World.Blind() || g.World.Project.Real == "" {
		return nil
	}
	r := g.At(g.World.Project.Real)
	root := cmp.Or(r.Root, g.World.Project.Real)
	dirs = g.hookFolders(root, append(g.userConfigs(), r.common+"/config", r.dir+"/config.worktree"))
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == root })
}

// userConfigs are the files of the user's own configuration of git.
func (g *Repos) userConfigs() []string {
	home := g.World.Home.Given
	return []string{home + "/.gitconfig", home + "/.config/git/config"}
}

// hookFolders are the folders that files name as core.hooksPath for a work tree. Any line that may say so counts:
// what is named too much is only asked about.
func (g *Repos) hookFolders(root string, files []string) (dirs []string) {
	for _, file := range files {
		values, _ := g.values(file, "hookspath")
		for _, value := range values {
			dirs = append(dirs, g.gitPath(root, rules.CleanPath(value, root, g.World.Home.Given)))
		}
	}
	return dirs
}

// values are those of any line of a file of configuration that may set a key whose name ends like this. ok is false
// where the file cannot be read.
func (g *Repos) values(file, key string) (all []string, ok bool) {
	data, err := g.World.Read(file, MaxFile)
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, "=")
		if value = strings.Trim(value, " \t\r\n\""); value != "" && strings.HasSuffix(strings.ToLower(strings.TrimSpace(name)), key) {
			all = append(all, value)
		}
	}
	return all, err == nil || world.Absent(err)
}

// maxIncluded bounds the files that the user's configuration includes.
const maxIncluded = 16

// included are the files of the user's own and the system's configuration, and those that they include. ok is false
// where there may be more.
func (g *Repos) included() (files []string, ok bool) {
	files = append(g.userConfigs(), "/etc/gitconfig")
	for i := 0; i < len(files); i++ {
		values, ok := g.values(files[i], "path")
		if !ok || len(files)+len(values) > maxIncluded {
			return nil, false
		}
		for _, value := range values {
			dir := path.Dir(files[i])
			if file := g.gitPath(dir, rules.CleanPath(value, dir, g.World.Home.Given)); !g.World.Directory(file) {
				files = append(files, file) // and no folder of hooks
			}
		}
	}
	return files, true
}
