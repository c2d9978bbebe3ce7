package commands

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Options the commands that print differences share. A value option is listed
// as one only where every command it is listed for takes the next word.
const (
	gitDiffFlags = "-psuWwabzRDv0 patch no-patch raw patch-with-raw patch-with-stat minimal patience histogram " +
		"numstat shortstat summary compact-summary cumulative name-only name-status no-color no-color-moved " +
		"no-color-moved-ws full-index binary check pickaxe-all pickaxe-regex follow no-renames rename-empty " +
		"no-rename-empty text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space " +
		"ignore-blank-lines function-context exit-code quiet no-ext-diff no-textconv no-prefix default-prefix " +
		"cached staged merge-base indent-heuristic no-indent-heuristic ita-invisible-in-index ita-visible-in-index " +
		"combined-all-paths irreversible-delete find-copies-harder root no-relative base ours theirs no-stat " +
		"-123456789cmt cc dd no-diff-merges remerge-diff"
	gitDiffValues = "-SGlI diff-algorithm anchored ws-error-highlight inter-hunk-context output-indicator-new " +
		"output-indicator-old output-indicator-context src-prefix dst-prefix line-prefix find-object rotate-to " +
		"skip-to diff-filter word-diff-regex stat-width stat-name-width stat-count stat-graph-width diff-merges " +
		"ignore-matching-lines color-moved-ws"
	gitDiffOptValues = "-UMCBX unified stat color color-words color-moved word-diff dirstat dirstat-by-file abbrev " +
		"submodule ignore-submodules relative find-renames find-copies break-rewrites max-depth"
	gitRevFlags = "-ghiEFPq oneline graph all merges no-merges first-parent reverse walk-reflogs reflog boundary " +
		"left-right left-only right-only cherry-mark cherry-pick cherry date-order author-date-order topo-order " +
		"simplify-merges simplify-by-decoration full-history dense sparse show-pulls no-decorate source no-mailmap " +
		"mailmap use-mailmap log-size no-notes no-expand-tabs no-abbrev no-abbrev-commit abbrev-commit children " +
		"parents timestamp relative-date regexp-ignore-case extended-regexp fixed-strings perl-regexp basic-regexp " +
		"invert-grep all-match not clear-decorations stdin bisect email do-walk in-commit-order " +
		"exclude-first-parent-only merge no-graph objects objects-edge count no-objects quiet null single-worktree " +
		"unpacked full-diff remove-empty ignore-missing alternate-refs standard-notes no-standard-notes " +
		"no-show-signature always no-commit-id"
	gitRevValues = "-n max-count skip since after until before author committer grep grep-reflog max-age min-age " +
		"glob exclude exclude-hidden since-as-filter date"
	gitRevOptValues = "pretty format decorate notes show-notes expand-tabs no-min-parents no-max-parents " +
		"min-parents max-parents branches tags remotes missing filter no-walk ancestry-path encoding disk-usage " +
		"show-linear-break early-output"
	gitLogFlags  = gitDiffFlags + " " + gitRevFlags
	gitLogValues = gitDiffValues + " " + gitRevValues + " decorate-refs decorate-refs-exclude -L"
	gitLogOpts   = gitDiffOptValues + " " + gitRevOptValues
)

// gitDiffOpts are the options of everything that prints differences which write
// a file, run a program or read another file.
var gitDiffOpts = []Opt{
	{"output", HasArg, WritesValue}, {"ext-diff textconv", NoArg, Executes}, {"-O", HasArg, Reads}, {"show-signature", NoArg, Changes},
	{"no-index", NoArg, 0},
}

// gitCommands is git. Its own options come before the subcommand; every
// subcommand's options may be abbreviated.
var gitCommands = []Command{
	{
		Names: "git", Title: "manages versions of files",
		Flags: "-vhP version help no-pager html-path man-path info-path no-replace-objects no-lazy-fetch no-optional-locks no-advice " +
			"literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs",
		Values: "list-cmds attr-source",
		Opts: []Opt{
			{"-C", HasArg, WorkDir}, {"-c", HasArg, SetsKey}, {"config-env git-dir work-tree namespace super-prefix", HasArg, Unsafe},
			{"exec-path", OptArg, Unsafe}, {"bare", NoArg, Unsafe}, {"-p paginate", NoArg, Executes},
		},
		Style: StopAtOperand | ProgramOptionsFirst | DashValues, ReadOnly: true, refine: refineGit, Subs: gitSubs,
		Special: &Special{
			Language: gitConfig, Files: "f", Credentials: []Credential{{"git credential fill", onCodeHosts}, {"git credential-* get", onCodeHosts}}, EndsWith: "-h",
		},
	},
}

// KeepsListed are the git commands that take no file out of the index and leave
// it in the work tree.
var KeepsListed = [...]string{
	"add", "am", "bisect", "branch", "checkout", "cherry-pick", "clone", "commit", "fetch", "gc", "init",
	"maintenance", "merge", "notes", "pull",
	"push", "rebase", "remote", "revert", "stage", "switch", "tag", "worktree",
}

// IsGit reports whether the command is a subcommand of git.
func (c *Invocation) IsGit() bool {
	return c != nil && c.Cmd != nil && c.Cmd.Name() == "git" && len(c.Subs) > 0
}

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
// section has .* after it where the key has a subsection.
func GitInert(section, name, value string) bool {
	for i := range gitInertKeys {
		if k := &gitInertKeys[i]; k.section == section && (k.names == "*" || shell.Among(k.names, name)) {
			return true
		}
	}
	switch section + "." + name {
	case "core.fsmonitor":
		return value == "" || shell.Among("false no off 0", strings.ToLower(value))
	case "remote.*.url", "remote.*.pushurl", "submodule.*.url":
		return !strings.Contains(value, "::") // a transport that is a program
	case "submodule.*.update":
		return shell.Among("none checkout rebase merge", value)
	}
	return false
}

// gitSetOptions are options after the verb of git config set that do not say what is set.
const gitSetOptions = "--all --append --local --worktree --global --bool --int --path --type=bool --type=int --type=path"

// gitActive are keys that are inert for what only reads, and by which other commands
// run a program or read another file.
const gitActive = "branch.*.mergeoptions pull.octopus pull.twohead extensions.worktreeconfig"

// setsInert reports whether git config sets a key that runs no program and reads no file.
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
	return gitKeyInert(key, value)
}

// gitKeyInert reports whether nothing runs, and no other file is read, by a setting.
func gitKeyInert(key, value string) bool {
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
	case shell.Among("branch.* remote", section) && strings.Contains(value, "::"):
		return false // a transport that is a program
	}
	return GitInert(section, name, value)
}

// GitVariable adds what one variable makes a git command write.
func (c *Invocation) GitVariable(name string, value *shell.Word) {
	if value.Text == "" {
		return
	}
	changes := !c.Facts.Proof.Holds() || c.Wrote
	switch name {
	case "GIT_INDEX_FILE":
		if changes && path.Base(path.Dir(value.Text)) != ".git" { // a second index is kept there
			c.write(value)
		}
	case "GIT_WORK_TREE":
		if changes {
			c.write(value)
		}
	case "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
		c.read(value)
	case "GIT_DIR":
		if c.makesRepository() {
			c.writeTree(value)
		}
	default: // 1 and true go to the terminal, what is no absolute path nowhere
		if strings.HasPrefix(name, "GIT_TRACE") && (path.IsAbs(value.Text) || shell.OnDrive(value.Text)) {
			c.write(value)
		}
	}
}

// makesRepository reports whether a command makes the repository it is told to work with.
func (c *Invocation) makesRepository() bool {
	return len(c.Subs) > 0 && (c.Subs[0] == "init" || c.Subs[0] == "init-db" || c.Subs[0] == "clone")
}

// The subcommands of git's subcommands.

// gitRuns are the forms of what runs its words as shell text: joined, and as a command where some launcher quotes them.
var gitRuns = []Form{{"", Narrows, runsCommand}, {"TEXT...", RunsText, ""}, {"COMMAND *", MayRun, ""}}

// runsCommand is why no patterned rule covers it.
const runsCommand = "it runs a command"

var gitBisectSubs = []Command{
	{Names: "run", Style: NoOptions, Forms: gitRuns},
	{Names: "log terms", ReadOnly: true, Flags: "term-good term-bad term-old term-new"},
	{Names: "visualize view", Forms: []Form{{"", Narrows, gitUnsafe}}},
	{Names: "replay", Operands: Reads, Forms: []Form{{"", Narrows, gitUnsafe}}},
	{Names: "start bad good new old skip reset next", Flags: "no-checkout first-parent", Values: "term-good term-bad term-old term-new"},
}

var gitNotesSubs = []Command{
	{Names: "list show get-ref", ReadOnly: true},
	{
		Names: "add copy append edit merge remove prune",
		Flags: "-fnvq force stdin allow-empty dry-run verbose quiet commit abort ignore-missing no-stripspace stripspace", Values: "-mcCs message reedit-message reuse-message strategy for-rewrite", OptValues: "separator",
		Opts: []Opt{{"-F file", HasArg, Reads}, {"-e edit", NoArg, 0}},
	},
}

var gitReflogSubs = []Command{
	{Names: "show list exists", ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts},
	{
		Names: "expire delete", Flags: "-n all dry-run verbose rewrite updateref stale-fix single-worktree", Values: "expire expire-unreachable",
		Forms: []Form{{"-n|--dry-run", Proves, ""}},
	},
	{Names: "drop write", Flags: "all single-worktree"},
}

var gitRemoteSubs = []Command{
	{Names: "get-url", ReadOnly: true, Flags: "push all"},
	{Names: "show", ReadOnly: true, Flags: "-n", Forms: []Form{{"REPO...", Sends, ""}}, refine: refineGitLsRemote},
	{Names: "set-url set-head set-branches", Flags: "-ad push add delete auto", Forms: []Form{{"", Narrows, gitUnsafe}}},
	{
		Names: "add rename remove rm prune update",
		Flags: "-fnp fetch tags no-tags dry-run prune progress no-progress", Values: "-tm track master", OptValues: "mirror",
		Forms: []Form{{"REPO...", Sends, ""}},
	},
}

var gitStashSubs = []Command{
	{
		Names: "list show", ReadOnly: true, Flags: gitLogFlags + " include-untracked only-untracked no-include-untracked",
		Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
	},
	{Names: "push save", Local: true, Flags: "-p index patch", Forms: []Form{{"SPEC...", Reads, ""}, {"-p|--patch", Unbinds, mayDoMore}}},
	{Names: "pop apply drop clear branch create store export import", Flags: "index no-index"},
}

var gitSubmoduleSubs = []Command{
	{Names: "foreach", Style: StopAtOperand, Flags: "recursive", Forms: gitRuns},
	{Names: "status summary", ReadOnly: true, Flags: "recursive cached files for-status", Values: "-n summary-limit"},
	{
		Names:  "update",
		Flags:  "-Nf init remote no-fetch force checkout merge rebase progress recursive dissociate single-branch no-single-branch recommend-shallow no-recommend-shallow",
		Values: "-j depth jobs filter", Opts: []Opt{{"reference", HasArg, Reads}},
	},
	{Names: "set-url", Forms: []Form{{"", Narrows, gitUnsafe}}},
	{
		Names: "add init deinit set-branch sync absorbgitdirs", Flags: "-fd force all default recursive progress",
		Values: "-b branch name depth ref-format", Opts: []Opt{{"reference", HasArg, Reads}},
		Forms: []Form{{"REPO...", Sends, ""}}, refine: refineGitSubmoduleAdd,
	},
}

var gitWorktreeSubs = []Command{
	{Names: "list", ReadOnly: true, Flags: "-vz verbose porcelain", Values: "expire"},
	{
		Names:  "add",
		Flags:  "-fdq force detach checkout no-checkout lock quiet guess-remote no-guess-remote orphan track no-track relative-paths no-relative-paths",
		Values: "-bB reason", Forms: []Form{{"DIR", Writes, ""}},
	},
	{Names: "move", Flags: "-f force relative-paths no-relative-paths", Operands: Moves},
	{Names: "remove", Flags: "-f force", Forms: []Form{{"DIR...", Deletes, ""}}},
	{Names: "lock prune repair unlock", Flags: "-nv dry-run verbose", Values: "reason expire"},
}

// gitAlikes say what may differ between two calls of git for a yes to one to be a yes to the other: without a row
// nothing. Options have the first name that same.txt gives them.
var gitAlikes = [...]struct {
	verbs string // separated by commas
	free  string // options whose value may differ: it is a message, or names what is made
	names int    // 1: operands may be other names, 2: and more or fewer
	same  string // options with which that is so, besides the free ones
}{
	{},
	{"add,stage", "", 2, "A u v"},
	{"commit,stash push", "m", 0, ""},
	{"tag,merge", "m", 1, "a no-ff ff-only no-edit"},
	{"branch,cherry-pick,revert", "", 1, "q no-edit"},
	{"checkout", "b", 0, ""},
	{"switch", "c", 1, "q"},
}

// Alike is what calls of git have in common for a yes to one to be a yes to the other, a word on each line. It is ""
// where a word is not known, or an option of git itself, or one that no table lists, may change what is done.
func (c *Invocation) Alike() string {
	if !c.IsGit() || len(c.Unknown)+len(c.Named)+len(c.Holes) > 0 {
		return ""
	}
	verb, words, row := strings.Join(c.Subs, " "), []string{strconv.Itoa(max(c.DashDash-c.From, -1))}, gitAlikes[0]
	for _, r := range gitAlikes {
		if slices.Contains(strings.Split(r.verbs, ","), verb) {
			row = r
		}
	}
	for u := range c.options() {
		name := c.namesOf(u.Name)[0]
		switch first := u.at < c.subAt(); {
		case u.other, first && shell.Among("C P no-pager", name):
		case !first && u.Given && shell.Among(row.free, name):
			words = append(words, "-"+name+" …")
		case first, u.Given && !u.Value.Known:
			return ""
		default:
			words = append(words, "-"+name+" "+strconv.Quote(u.Value.Text))
			row.names *= strings.Count(" "+row.same+" ", " "+name+" ")
		}
	}
	words = slices.Compact(words)
	for _, i := range c.Operands {
		w, word := &c.Argv[i], strconv.Quote(c.Argv[i].Text)
		odd := strings.ContainsAny(w.Text, `:+^~@{}*?[]!\`) || strings.Contains(w.Text, "..") // ranges, patterns, magic words
		switch {
		case !w.Known || w.Glob:
			return ""
		case row.names > 0 && !odd && path.Clean("/"+w.Text) == "/"+w.Text: // and no folder by its place
			word = "…"
		}
		if row.names < 2 || !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, "\n")
}
