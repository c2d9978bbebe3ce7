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

// A setting is one key of a git config file. Section and name are in lower
// case, as git compares them; sub is as written.
type setting struct {
	section, sub, name string
	value              string
	given              bool // with =; a bare key is true
}

// key is the setting as `git config --list` names it.
func (s *setting) key() string {
	if s.sub == "" {
		return s.section + "." + s.name
	}
	return s.section + "." + s.sub + "." + s.name
}

// readConfig reads a git config file. ok is false for everything but the plain
// form that git itself writes: what two readers might understand differently
// proves nothing.
func readConfig(text string) (all []setting, ok bool) {
	if strings.Trim(text, "\n") == "" {
		return nil, true
	}
	section, sub := "", ""
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if oddLine(line) {
			return nil, false
		}
		switch line = strings.Trim(line, " \t"); {
		case line == "", line[0] == '#', line[0] == ';':
		case line[0] == '[':
			if section, sub, ok = readSection(line); !ok {
				return nil, false
			}
		case section == "":
			return nil, false
		default:
			s, ok := readKey(line)
			if !ok {
				return nil, false
			}
			s.section, s.sub = section, sub
			all = append(all, s)
		}
	}
	return all, true
}

// oddLine reports bytes that have no place in a config file, or that systems read
// differently: carriage returns, other control characters, a byte order mark.
func oddLine(line string) bool {
	for i := range len(line) {
		if b := line[i]; b < ' ' && b != '\t' || b == 0x7f {
			return true
		}
	}
	return strings.HasPrefix(line, "\ufeff")
}

// readSection reads [name] or [name "sub"], alone on its line.
func readSection(line string) (section, sub string, ok bool) {
	body, ok := strings.CutPrefix(line, "[")
	if !ok {
		return "", "", false
	}
	n := 0
	for n < len(body) && keyByte(body[n], n) {
		n++
	}
	section, body = strings.ToLower(body[:n]), body[n:]
	if section == "" {
		return "", "", false
	}
	if body == "]" {
		return section, "", true
	}
	body, ok = strings.CutPrefix(strings.TrimLeft(body, " \t"), `"`)
	if !ok || n == len(line)-len(body)-2 { // no blank in between
		return "", "", false
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			return section, b.String(), b.Len() > 0 && body[i+1:] == "]"
		case '\\':
			if i++; i >= len(body) || body[i] != '"' && body[i] != '\\' {
				return "", "", false
			}
		}
		b.WriteByte(body[i])
	}
	return "", "", false
}

// keyByte reports whether a key may have a byte at place n.
func keyByte(b byte, n int) bool {
	letter, digit := b|0x20 >= 'a' && b|0x20 <= 'z', b >= '0' && b <= '9'
	return letter || n > 0 && (b == '-' || digit)
}

// readKey reads NAME or NAME = VALUE.
func readKey(line string) (s setting, ok bool) {
	n := 0
	for n < len(line) && keyByte(line[n], n) {
		n++
	}
	if s.name = strings.ToLower(line[:n]); n == 0 {
		return s, false
	}
	line = strings.TrimLeft(line[n:], " \t")
	if line == "" {
		return s, true
	}
	if line[0] != '=' {
		return s, false
	}
	s.given = true
	s.value, ok = readValue(strings.TrimLeft(line[1:], " \t"))
	return s, ok
}

// readValue reads a value: quoted and unquoted runs, escapes, a comment at the end. A
// line that goes on in the next one is no value.
func readValue(text string) (string, bool) {
	var b strings.Builder
	quoted, solid := false, 0 // solid: blanks at the end that count
	for i := 0; i < len(text); i++ {
		switch t := text[i]; {
		case t == '"':
			quoted = !quoted
			solid = b.Len()
		case t == '\\':
			if i++; i >= len(text) {
				return "", false
			}
			at := strings.IndexByte(`\"nt`, text[i])
			if at < 0 {
				return "", false
			}
			b.WriteByte("\\\"\n\t"[at])
			solid = b.Len()
		case !quoted && (t == '#' || t == ';'):
			i = len(text)
		case quoted || t != ' ' && t != '\t':
			b.WriteByte(t)
			solid = b.Len()
		case b.Len() > 0: // git skips the blanks before the first byte, also after ""
			b.WriteByte(t)
		}
	}
	return b.String()[:solid], !quoted
}

// inert reports whether a setting changes nothing of what reading does.
func (s *setting) inert() bool {
	section, value := s.section, s.value
	if s.sub != "" {
		section += ".*"
	}
	if !s.given {
		value = "true"
	}
	return bashsafety.GitInert(section, s.name, value)
}

// signs reports whether a setting makes commits and tags run a program, or brings
// other repositories in.
func (s *setting) signs() bool {
	return s.name == "gpgsign" || s.name == "forcesignannotated" || s.section == "rerere"
}

// Remote reports whether the configuration of a repository says where a remote of that name is.
func (g *Repos) Remote(r *Repo, name string) bool {
	text, _ := g.World.Read(path.Join(r.Common, "config"), MaxFile)
	all, _ := readConfig(string(text))
	return slices.ContainsFunc(all, func(s setting) bool { return s.section == "remote" && s.sub == name && s.name == "url" })
}

// Variables finds variables, in front of a command or in the hook's environment, that point git elsewhere or
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
	return indexes, g.EnvironRisk()
}

// ownIndex is the index that a variable names where it lies in the repository itself.
func (g *Repos) ownIndex(a *bashsafety.Assign, r *Repo) (index string, ok bool) {
	if a.Name != "GIT_INDEX_FILE" || !a.Value.Known || !g.World.OS.IsAbs(a.Value.Text) {
		return "", false
	}
	index = g.World.Follow(g.World.OS.Canon(a.Value.Text))
	return index, rules.Within(index, r.Dir) || rules.Within(index, r.Common)
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
	dirs = g.hookFolders(root, append(g.userConfigs(), r.Common+"/config", r.Dir+"/config.worktree"))
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
			dirs = append(dirs, g.git.Path(root, rules.CleanPath(value, root, g.World.Home.Given)))
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
			if file := g.git.Path(dir, rules.CleanPath(value, dir, g.World.Home.Given)); !g.World.Directory(file) {
				files = append(files, file) // and no folder of hooks
			}
		}
	}
	return files, true
}
