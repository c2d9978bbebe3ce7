package decide

import (
	"slices"
	"strings"
)

// inertKeys are the settings by which no git command that only reads runs a
// program, loads another file or asks another machine. Each line is a section,
// for a key with a subsection written with a *, and its names. What is not here
// is not inert, whatever its value, except for those in inertValue.
var inertKeys = [...]struct{ section, names string }{
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
	{"color", "ui status diff branch grep interactive decorate"},
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

// inert reports whether a setting of the table changes what reading does.
func (s *gitSetting) inert() bool {
	section := s.section
	if s.sub != "" {
		section += ".*"
	}
	for i := range inertKeys {
		if k := &inertKeys[i]; k.section == section && hasWord(k.names, s.name) {
			return true
		}
	}
	return s.inertValue()
}

// signs reports whether a setting makes commits and tags run a program, or brings
// other repositories in.
func (s *gitSetting) signs() bool {
	return s.name == "gpgsign" || s.name == "forcesignannotated" || s.section == "rerere"
}

// inertValue is for the keys that are inert with some values only.
func (s *gitSetting) inertValue() bool {
	name := s.section + "." + s.name
	if s.sub != "" {
		name = s.section + ".*." + s.name
	}
	switch name {
	case "core.fsmonitor":
		return s.off()
	case "remote.*.url", "remote.*.pushurl", "submodule.*.url":
		return !strings.Contains(s.value, "::") // a transport that is a program
	case "submodule.*.update":
		return slices.Contains([]string{"none", "checkout", "rebase", "merge"}, s.value)
	}
	return false
}

// hasWord reports whether one of the words of a list is word.
func hasWord(list, word string) bool {
	for list != "" {
		var first string
		if first, list, _ = strings.Cut(list, " "); first == word {
			return true
		}
	}
	return false
}
