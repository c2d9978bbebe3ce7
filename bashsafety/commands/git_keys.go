package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// gitInertKeys are the settings by which no git command that only reads runs a
// program, loads another file or asks another machine. Each line is a section,
// for a key with a subsection written with a *, and its names, * for all. What is
// not here is not inert, whatever its value, except for those in GitInert.
var gitInertKeys = [...]struct{ section, names string }{
	{"core", "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf " +
		"untrackedcache preloadindex longpaths protecthfs protectntfs fscache compression loosecompression bigfilethreshold " +
		"deltabasecachelimit packedgitlimit packedgitwindowsize abbrev quotepath trustctime checkstat splitindex sparsecheckout " +
		"sparsecheckoutcone commitgraph multipackindex fsync fsyncmethod fsyncobjectfiles hidedotfiles sharedrepository " +
		"warnambiguousrefs commentchar whitespace notesref maxtreedepth"},
	{"extensions", "objectformat compatobjectformat refstorage worktreeconfig noop noop-v1 relativeworktrees preciousobjects"},
	{"remote.*", "fetch push tagopt mirror prune prunetags skipdefaultupdate skipfetchall gh-resolved"},
	{"remote", "pushdefault"},
	{"branch.*", "remote pushremote merge rebase description mergeoptions vscode-merge-base gh-merge-base github-pr-owner-number " +
		"github-pr-base-branch"},
	{"branch", "autosetupmerge autosetuprebase"},
	{"user", "name email signingkey useconfigonly"},
	{"author", "name email"},
	{"committer", "name email"},
	{"init", "defaultbranch"},
	{"pull", "rebase ff octopus twohead"},
	{"push", "default autosetupremote followtags recursesubmodules gpgsign"},
	{"fetch", "prune prunetags parallel recursesubmodules writecommitgraph"},
	{"merge", "conflictstyle ff renames renamelimit log stat autostash"},
	{"rebase", "autosquash autostash updaterefs stat abbreviatecommands"},
	{"commit", "gpgsign verbose status cleanup"},
	{"tag", "gpgsign forcesignannotated"},
	{"rerere", "enabled autoupdate"},
	{"diff", "renames renamelimit algorithm colormoved colormovedws mnemonicprefix noprefix context interhunkcontext indentheuristic " +
		"ignoresubmodules statgraphwidth relative wserrorhighlight"},
	{"diff.*", "binary xfuncname funcname wordregex"},
	{"status", "showuntrackedfiles short branch relativepaths showstash aheadbehind renames renamelimit"},
	{"log", "date decorate follow abbrevcommit"},
	{"color", "*"},
	{"color.*", "*"},
	{"advice", "*"},
	{"column", "ui status branch tag"},
	{"gc", "auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable"},
	{"maintenance", "auto strategy"},
	{"pack", "window depth windowmemory threads packsizelimit deltacachesize writebitmaphashcache writebitmaplookuptable"},
	{"index", "version threads sparse skiphash"},
	{"feature", "manyfiles"},
	{"i18n", "commitencoding logoutputencoding"},
	{"http", "postbuffer version"},
	{"http.*", "extraheader"},
	{"checkout", "defaultremote guess workers"},
	{"worktree", "guessremote userelativepaths"},
	{"submodule", "recurse active fetchjobs"},
	{"submodule.*", "active branch ignore path fetchrecursesubmodules shallow"},
	{"lfs", "repositoryformatversion"},
	{"lfs.*", "access"},
	{"gui", "wmstate geometry"},
	{"gitflow.*", "feature bugfix release hotfix support versiontag master develop"},
}

// GitInert reports whether a setting of git changes nothing of what reading does. A
// section has .* behind it where the key has a subsection.
func GitInert(section, name, value string) bool {
	for i := range gitInertKeys {
		if k := &gitInertKeys[i]; k.section == section && (k.names == "*" || shell.Among(k.names, name)) {
			return true
		}
	}
	switch section + "." + name {
	case "remote.*.url", "remote.*.pushurl", "submodule.*.url":
		return !strings.Contains(value, "::") // a transport that is a program
	case "submodule.*.update":
		return shell.Among("none checkout rebase merge", value)
	}
	return false
}

// gitSetOptions are options behind the verb of git config set that do not say what is set.
const gitSetOptions = "--all --append --local --worktree --global --bool --int --path --type=bool --type=int --type=path"

// gitActive are keys that are inert for what only reads, and by which other commands
// run a program or read another file.
const gitActive = "branch.*.mergeoptions pull.octopus pull.twohead extensions.worktreeconfig"

// setsInert reports whether git config is given a key by which no command runs a program
// or reads another file.
func (c *Invocation) setsInert() bool {
	words := c.rest(0)
	switch c.LiteralOperand(0) {
	case "set", "unset":
		for words = words[1:]; len(words) > 0 && shell.Among(gitSetOptions, words[0].Text); {
			words = words[1:]
		}
	case "edit", "rename-section", "remove-section":
		return false
	}
	if len(words) == 0 || !words[0].Known || c.Has("e", "edit", "rename-section", "remove-section") {
		return false
	}
	key, value := words[0].Text, ""
	if len(words) > 1 {
		if value = words[1].Text; !words[1].Known {
			value = "::" // may be anything
		}
	}
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return false
	}
	section, name := strings.ToLower(key[:first]), strings.ToLower(key[last+1:])
	if last > first {
		section += ".*"
	}
	switch full := section + "." + name; {
	case shell.Among(gitActive, full):
		return false
	case full == "core.fsmonitor":
		return shell.Among("false no off 0", strings.ToLower(value))
	case shell.Among("branch.* remote", section) && strings.Contains(value, "::"):
		return false // a transport that is a program
	}
	return GitInert(section, name, value)
}
