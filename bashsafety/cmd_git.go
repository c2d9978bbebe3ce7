package bashsafety

// Options the commands that print differences share.
const (
	gitDiffFlags = "-psuWwabzRDv0 patch no-patch raw patch-with-raw patch-with-stat minimal patience histogram numstat shortstat summary " +
		"compact-summary cumulative name-only name-status no-color no-color-moved full-index binary check pickaxe-all pickaxe-regex follow " +
		"no-renames rename-empty no-rename-empty text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space " +
		"ignore-blank-lines function-context exit-code quiet no-ext-diff no-textconv no-prefix default-prefix cached staged merge-base " +
		"indent-heuristic no-indent-heuristic ita-invisible-in-index combined-all-paths irreversible-delete find-copies-harder root " +
		"no-relative base ours theirs " +
		"-123456789cmt cc no-diff-merges remerge-diff"
	gitDiffValues = "-SGl diff-algorithm anchored ws-error-highlight inter-hunk-context output-indicator-new output-indicator-old " +
		"output-indicator-context src-prefix dst-prefix line-prefix find-object rotate-to skip-to diff-filter word-diff-regex stat-width " +
		"stat-name-width stat-count stat-graph-width diff-merges max-depth ignore-matching-lines -I"
	gitDiffOptValues = "-UMCBX unified stat color color-words color-moved color-moved-ws word-diff dirstat dirstat-by-file abbrev submodule " +
		"ignore-submodules relative find-renames find-copies break-rewrites"
	gitLogFlags = "-ghiEFPqn oneline graph all merges no-merges first-parent reverse walk-reflogs reflog boundary left-right left-only right-only " +
		"cherry-mark cherry-pick cherry date-order author-date-order topo-order no-walk ancestry-path simplify-merges " +
		"simplify-by-decoration full-history dense sparse show-pulls no-decorate source no-mailmap mailmap use-mailmap log-size no-notes " +
		"no-expand-tabs no-abbrev-commit abbrev-commit children parents timestamp show-signature relative-date regexp-ignore-case " +
		"extended-regexp fixed-strings perl-regexp basic-regexp invert-grep all-match not clear-decorations stdin bisect numbered email " +
		"summary do-walk in-commit-order exclude-first-parent-only merge no-graph objects count disk-usage no-objects quiet null " +
		"single-worktree unpacked"
	gitLogValues = "max-count skip since after until before author committer grep grep-reflog max-age min-age glob exclude exclude-hidden " +
		"decorate-refs decorate-refs-exclude since-as-filter min-parents max-parents -L group encoding format"
	gitLogOptValues = "pretty decorate date notes show-notes expand-tabs no-min-parents no-max-parents branches tags remotes missing filter"
)

var gitDiffOpts = []Opt{{"output", HasArg, WritesValue}, {"ext-diff textconv", NoArg, Executes}, {"-O", HasArg, ReadsValue}, {"no-index", NoArg, 0}}

// gitCommands is git. Its own options stand before the subcommand; every
// subcommand's options may be abbreviated.
var gitCommands = []Command{{
	Names: []string{"git"}, Title: "keeps versions",
	Flags: "-vhP version help no-pager html-path man-path info-path no-replace-objects no-lazy-fetch no-optional-locks no-advice " +
		"literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs",
	Values: "list-cmds attr-source",
	Opts: []Opt{
		{"-C", HasArg, WorkDir}, {"-c config-env git-dir work-tree namespace super-prefix", HasArg, Unsafe},
		{"exec-path", OptArg, Unsafe}, {"bare", NoArg, Unsafe}, {"-p paginate", NoArg, Executes},
	},
	Style: StopAtOperand | Apart, ReadOnly: true, more: gitMore, Subs: gitSubs,
	Examples: []Example{
		{"git -C /x push", "gitchange:/x"},
		{"git -c core.fsmonitor=x status", "gitread:. narrow git -c>>'x'"},
		{"git --git-dir=/x/.git status", "narrow gitread:. gitread:/x"},
		{"git -p log", "narrow gitread:."},
		{"git frobnicate", "gitchange:."},
		{"git --version", "ro gitread:."},
		{"git -C $x status", "narrow gitread:?/."},
		{`git -C "$x" status`, "ro gitread:?/."},
		{`git "$x"`, "narrow gitchange:."},
		{"git --no-pager log", "ro gitread:."},
	},
}}

var gitSubs = []Command{
	{
		Names: []string{"add", "stage"},
		Flags: "-AfinNpuve all force interactive dry-run intent-to-add patch update verbose edit refresh ignore-errors ignore-missing renormalize " +
			"sparse no-all ignore-removal",
		Values:   "chmod",
		Opts:     []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		Examples: []Example{{"git add -A .", "gitchange:."}, {"git add -p x", "gitchange:."}},
	},
	{
		Names:     []string{"am"},
		Values:    "-Cp directory exclude include whitespace patch-format quoted-cr resolvemsg",
		OptValues: "-S gpg-sign",
		Operands:  Reads,
		Examples:  []Example{{"git am x.patch", "read:x.patch gitchange:."}},
	},
	{
		Names:    []string{"annotate", "blame", "praise"},
		ReadOnly: true,
		Flags: "-bcdeflnpstwkh root incremental line-porcelain porcelain show-stats score-debug show-name show-number show-email progress " +
			"no-progress color-lines color-by-age minimal first-parent",
		Values:    "-LS ignore-rev date encoding reverse",
		OptValues: "-MC abbrev",
		Opts:      []Opt{{"ignore-revs-file contents", HasArg, ReadsValue}, {"output", HasArg, WritesValue}},
		more:      gitPaths,
		Examples:  []Example{{"git blame -L 1,5 -- f", "ro read:f gitread:."}}},
	{
		Names:    []string{"apply"},
		Opts:     []Opt{{"unsafe-paths", NoArg, Unsafe}, {"directory", HasArg, OutputsValue}},
		Values:   "-Cp exclude include build-fake-ancestor whitespace",
		Operands: Reads,
		Examples: []Example{{"git apply x.patch", "read:x.patch gitchange:."}},
	},
	{
		Names:    []string{"archive"},
		Flags:    "-lv0123456789 list verbose worktree-attributes",
		Values:   "format prefix mtime",
		Opts:     []Opt{{"-o output", HasArg, WritesValue}, {"exec", HasArg, Executes}, {"add-file", HasArg, ReadsValue}, {"remote", HasArg, 0}},
		more:     gitRemoteMore,
		Examples: []Example{{"git archive -o x.tar HEAD", "write:x.tar narrow gitchange:."}}},
	{Names: []string{"bisect"}, Subs: []Command{
		{
			Names:    []string{"run"},
			Style:    NoOptions,
			more:     gitRunMore,
			Examples: []Example{{"git bisect run make test", "narrow gitchange:. git bisect run>'make test'"}},
		},
		{Names: []string{"log", "terms", "visualize", "view"}, Examples: []Example{{"git bisect log", "gitchange:."}}},
		{Names: []string{"start", "bad", "good", "new", "old", "skip", "reset", "replay", "next"}, Examples: []Example{{"git bisect good", "gitchange:."}}},
	}},
	{
		Names: []string{"branch"},
		Flags: "-avrilqf all verbose remotes list ignore-case quiet show-current no-color no-column force no-track no-abbrev create-reflog delete " +
			"move copy edit-description unset-upstream recurse-submodules -dDmMcC omit-empty",
		Values:    "-u set-upstream-to sort points-at format",
		OptValues: "-t track color column abbrev contains no-contains merged no-merged",
		more:      gitBranchMore,
		ReadOnly:  true,
		Examples: []Example{
			{"git branch -a", "ro gitread:."},
			{"git branch --show-current", "ro gitread:."},
			{"git branch x", "gitchange:."},
			{"git branch --list x", "ro gitread:."},
			{"git branch -d x", "gitchange:."}, {"git branch --contains HEAD", "ro gitread:."}, {"git -C . branch", "ro gitread:."}, {"git branch --merged main --format=%x", "ro gitread:."},
		}},
	{Names: []string{"bundle"}, more: gitBundleMore, Examples: []Example{{"git bundle create x.b main", "write:x.b gitchange:."}}},
	{
		Names:     []string{"cat-file"},
		ReadOnly:  true,
		Flags:     "-tespz batch-all-objects buffer follow-symlinks unordered allow-unknown-type use-mailmap mailmap",
		OptValues: "batch batch-check batch-command",
		Values:    "path",
		Opts:      []Opt{{"textconv filters", NoArg, Executes}},
		Examples:  []Example{{"git cat-file -p HEAD", "ro gitread:."}}},
	{
		Names: []string{
			"check-attr", "check-ignore", "check-mailmap", "check-ref-format", "count-objects", "ls-tree", "name-rev", "show-index", "var", "version",
			"cherry", "get-tar-commit-id", "patch-id", "stripspace", "column", "diff-pairs", "verify-pack",
		},
		ReadOnly: true,
		Flags: "-adlnoqrtvzHsc all cached source stdin quiet verbose non-matching no-index human-readable name-only name-status object-only " +
			"full-name full-tree long branch allow-onelevel normalize refspec-pattern build-options tags always undefined stable unstable " +
			"verbatim",
		Values:    "format refs exclude mode padding",
		OptValues: "abbrev",
		Examples:  []Example{{"git ls-tree -r HEAD", "ro gitread:."}, {"git check-ignore -v x", "ro gitread:."}}},
	{
		Names: []string{"checkout"},
		Flags: "-fqmpl2359 force quiet merge patch detach guess no-guess no-track ours theirs ignore-skip-worktree-bits overlay no-overlay " +
			"progress overwrite-ignore ignore-other-worktrees",
		Values:    "-bB orphan conflict",
		OptValues: "-t track recurse-submodules",
		Opts:      []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		more:      gitWritesPaths,
		Examples: []Example{
			{"git checkout evil -- .claude/settings.json", "write:.claude/settings.json gitchange:."},
			{"git checkout -b fix/x", "gitchange:."},
			{"git checkout feature", "gitchange:."}},
	},
	{
		Names:    []string{"clean"},
		Flags:    "-dfinqxX force interactive dry-run quiet",
		Values:   "-e exclude",
		Examples: []Example{{"git clean -n", "gitchange:."}},
	},
	{
		Names: []string{"clone"},
		Flags: "-lnqsv46 local no-local no-hardlinks shared no-checkout bare mirror quiet verbose progress dissociate single-branch " +
			"no-single-branch no-tags shallow-submodules no-shallow-submodules remote-submodules no-remote-submodules sparse reject-shallow " +
			"no-reject-shallow also-filter-submodules ipv4 ipv6 tags",
		Values: "-bjo branch origin depth jobs reference reference-if-able shallow-since shallow-exclude filter server-option bundle-uri ref-format " +
			"revision",
		OptValues: "recurse-submodules recursive",
		Opts:      []Opt{{"-u upload-pack", HasArg, Executes}, {"-c config template separate-git-dir", HasArg, Unsafe}}, more: gitCloneMore,
		Examples: []Example{
			{"git clone -u 'touch p;false' . /tmp/c", "write:/tmp/c/** gitchange:. narrow git -u>>'touch p;false'"},
			{"git clone --depth 1 https://h/a/b.git", "net:https://h/a/b.git write:b/** gitchange:."},
			{"git clone ext::sh x", "narrow write:x/** gitchange:. git ext::>>'sh'"},
		}},
	{
		Names: []string{"commit"},
		Flags: "-apqsveinoz all patch quiet signoff no-signoff verbose edit no-edit amend no-verify allow-empty allow-empty-message interactive " +
			"include only dry-run short branch porcelain long null status no-status no-post-rewrite reset-author no-gpg-sign",
		Values:    "-mcC message reuse-message reedit-message fixup squash author date cleanup trailer",
		OptValues: "-uS untracked-files gpg-sign",
		Opts:      []Opt{{"-Ft file template pathspec-from-file", HasArg, ReadsValue}},
		Examples:  []Example{{"git commit -m 'fix: rm -rf race'", "gitchange:."}, {"git commit -F .env", "read:.env gitchange:."}}},
	{
		Names: []string{"config"},
		Flags: "-lz local worktree list null name-only show-origin show-scope show-names bool int bool-or-int bool-or-str path expiry-date " +
			"includes no-includes no-type get get-all get-regexp get-urlmatch all regexp fixed-value",
		Values:   "type default comment blob value url",
		ReadOnly: true,
		more:     gitConfigMore,
		Opts: []Opt{
			{"-f file", HasArg, 0}, {"global system", NoArg, 0}, {"-e edit", NoArg, Executes},
			{"add unset unset-all replace-all rename-section remove-section append", NoArg, Unsafe},
		},
		Examples: []Example{
			{"git config user.name", "ro gitread:."},
			{"git config --list", "ro gitread:."},
			{"git config --get-regexp ^alias", "ro gitread:."},
			{"git config get core.pager", "ro gitread:."},
			{"git config core.hooksPath /tmp/hooks", "narrow gitchange:."},
			{"git config --global core.pager x", "write:/home/u/.gitconfig gitchange:. narrow git -c>>'x'"},
			{"git config -f x a.b c", "narrow write:x gitchange:."}, {"git config --unse a.b", "narrow gitchange:."}, {"git config set a.b c", "narrow gitchange:."},
		}},
	{
		Names: []string{
			"credential", "credential-store", "credential-cache", "daemon", "http-backend", "shell", "instaweb", "send-email", "filter-branch",
			"fast-import", "hook", "upload-pack", "receive-pack", "cvsserver", "remote-ext", "quiltimport", "imap-send", "for-each-repo", "mergetool", "web--browse",
		},
		Opts:     []Opt{{"tree-filter index-filter msg-filter commit-filter tag-name-filter parent-filter env-filter setup", HasArg, Executes}},
		more:     gitUnsafeMore,
		Examples: []Example{{"git filter-branch --tree-filter id", "gitchange:. narrow git --tree-filter>>'id'"}}},
	{
		Names: []string{"maintenance"},
		Subs: []Command{
			{Names: []string{"run"}, Flags: "auto quiet schedule", Values: "task", Examples: []Example{{"git maintenance run", "gitchange:."}}},
			{
				Names: []string{"start", "stop", "register", "unregister"}, more: gitUnsafeMore,
				Examples: []Example{{"git maintenance start", "narrow gitchange:."}},
			},
		},
	},
	{
		Names:     []string{"describe"},
		ReadOnly:  true,
		Flags:     "all tags contains debug long always exact-match first-parent",
		Values:    "match exclude candidates",
		OptValues: "abbrev dirty broken",
		Examples:  []Example{{"git describe --tags --abbrev=0", "ro gitread:."}},
	},
	{
		Names:     []string{"diff", "diff-files", "diff-index", "diff-tree"},
		ReadOnly:  true,
		Flags:     gitDiffFlags + " -r stdin no-commit-id always",
		Values:    gitDiffValues,
		OptValues: gitDiffOptValues + " pretty format",
		Opts:      gitDiffOpts,
		more:      gitDiffMore,
		Examples: []Example{
			{"git diff -- package.json", "ro read:package.json gitread:."},
			{"git diff --output=/x HEAD", "write:/x narrow gitchange:."},
			{"git diff --no-index /dev/null .env", "ro read:.env gitread:."},
			{"git diff --outp x", "write:x narrow gitchange:."},
			{"git diff --stat main..HEAD", "ro gitread:."},
			{"git diff --ext-diff", "narrow gitread:."},
			{"git diff --cached --name-only", "ro gitread:."},
			{"git diff -U10 HEAD~1", "ro gitread:."},
		}},
	{
		Names:    []string{"difftool"},
		Flags:    "-dgyt dir-diff gui no-gui prompt no-prompt",
		Values:   "tool",
		Opts:     []Opt{{"-x extcmd", HasArg, Executes}},
		more:     gitUnsafeMore,
		Examples: []Example{{"git difftool -x id", "gitchange:. narrow git -x>>'id'"}},
	},
	{
		Names: []string{"fetch", "pull", "ls-remote"},
		Flags: "-apftnqvkKsheru46m all append atomic dry-run force keep multiple prune prune-tags no-tags tags heads refs quiet verbose progress " +
			"update-shallow unshallow update-head-ok ipv4 ipv6 no-rebase ff no-ff ff-only squash no-squash commit no-commit edit no-edit stat " +
			"no-stat autostash no-autostash verify no-verify signoff allow-unrelated-histories no-write-fetch-head no-auto-gc auto-gc " +
			"auto-maintenance show-forced-updates set-upstream porcelain get-url exit-code symref write-commit-graph",
		Values: "-joSX jobs depth deepen shallow-since shallow-exclude refmap server-option negotiation-tip filter strategy strategy-option cleanup " +
			"sort submodule-prefix",
		OptValues: "rebase recurse-submodules gpg-sign log",
		Opts:      []Opt{{"upload-pack exec", HasArg, Executes}},
		more:      gitRemoteMore,
		Examples: []Example{
			{"git ls-remote --upload-p=x .", "gitchange:. narrow git --upload-pack>>'x'"},
			{"git fetch --prune origin", "gitchange:."},
			{"git pull --rebase origin main", "gitchange:."},
			{"git fetch ext::x", "narrow gitchange:. git ext::>>'x'"}},
	},
	{
		Names:    []string{"for-each-ref", "show-ref"},
		ReadOnly: true,
		Flags: "-dhqs omit-empty ignore-case shell perl python tcl stdin include-root-refs head tags heads branches dereference verify quiet " +
			"exists start-after",
		Values:    "count format sort points-at exclude",
		OptValues: "color contains no-contains merged no-merged hash abbrev exclude-existing",
		Examples:  []Example{{"git for-each-ref --sort=x --format=%a refs/heads", "ro gitread:."}}},
	{
		Names:     []string{"format-patch"},
		Flags:     gitDiffFlags + " -k keep-subject stdout cover-letter no-cover-letter thread no-thread numbered no-numbered signoff no-signature no-attach numbered-files zero-commit no-to no-cc",
		Values:    gitDiffValues + " -N start-number subject-prefix suffix signature reroll-count to in-reply-to add-header interdiff range-diff creation-factor cover-from-description description-file signature-file",
		OptValues: gitDiffOptValues + " attach inline from rfc",
		Opts:      []Opt{{"output", HasArg, WritesValue}, {"-o output-directory", HasArg, OutputsValue}, {"ext-diff textconv", NoArg, Executes}},
		Examples:  []Example{{"git format-patch -1 HEAD", "gitchange:."}, {"git format-patch -o out -1", "write:out gitchange:."}}},
	{
		Names:    []string{"fsck"},
		ReadOnly: true,
		Flags: "-v tags root unreachable cache no-reflogs full no-full strict verbose dangling no-dangling progress no-progress connectivity-only " +
			"name-objects references",
		Opts:     []Opt{{"lost-found", NoArg, Changes}},
		Examples: []Example{{"git fsck", "ro gitread:."}},
	},
	{
		Names:    []string{"grep"},
		ReadOnly: true,
		Flags: "-aivwhHnlLzcopEGFPWIrq1234567890 text ignore-case invert-match word-regexp full-name line-number files-with-matches name-only " +
			"files-without-match null count only-matching extended-regexp basic-regexp perl-regexp fixed-strings heading break show-function " +
			"function-context quiet cached untracked no-exclude-standard exclude-standard recurse-submodules no-recurse-submodules recursive " +
			"no-recursive all-match and or not column no-color",
		Values:    "-ABCm max-depth after-context before-context context threads max-count parent-basename",
		OptValues: "color",
		Opts: []Opt{
			{"-O open-files-in-pager", OptArg, Executes}, {"-e", HasArg, GivesPattern}, {"-f", HasArg, ReadsPattern}, {"textconv", NoArg, Executes},
			{"no-textconv", NoArg, 0}, {"no-index", NoArg, 0},
		},
		more: gitGrepMore,
		Examples: []Example{
			{"git grep -n TODO", "ro gitread:."},
			{"git grep -O'touch p' TODO", "gitchange:. narrow git -O>>'touch p'"},
			{"git grep --open-f x", "narrow gitread:."},
			{"git grep x -- .env", "ro read:.env gitread:."}},
	},
	{
		Names:    []string{"help"},
		Flags:    "-agcv all guides config no-external-commands no-aliases verbose user-interfaces developer-interfaces",
		Opts:     []Opt{{"-iwm info man web", NoArg, Executes}},
		Examples: []Example{{"git help -a", "gitchange:."}},
	},
	{
		Names:     []string{"init"},
		Flags:     "-q quiet bare",
		Values:    "-b initial-branch object-format ref-format",
		OptValues: "shared",
		Opts:      []Opt{{"template separate-git-dir", HasArg, Unsafe}},
		Operands:  Writes,
		Examples:  []Example{{"git init x", "write:x gitchange:."}},
	},
	{
		Names:     []string{"log", "show", "shortlog", "whatchanged", "rev-list", "range-diff", "show-branch"},
		ReadOnly:  true,
		Flags:     gitDiffFlags + " " + gitLogFlags + " no-dual-color more list current sha1-name topics all independent no-name left-only right-only",
		Values:    gitDiffValues + " " + gitLogValues + " creation-factor",
		OptValues: gitDiffOptValues + " " + gitLogOptValues,
		Opts:      gitDiffOpts,
		more:      gitDiffMore,
		Examples: []Example{
			{"git log --oneline -5", "ro gitread:."},
			{"git log -S'eval(' --oneline", "ro gitread:."},
			{`git log --grep "force push"`, "ro gitread:."},
			{"git log -1 --output .envrc", "write:.envrc narrow gitchange:."},
			{"git log -p --follow -- src/app.ts", "ro read:src/app.ts gitread:."},
			{"git show HEAD:src/app.ts", "ro gitread:."},
			{"git log -n 5 --format='%h %s'", "ro gitread:."},
			{"git show --stat HEAD", "ro gitread:."},
			{"git shortlog -sn", "ro gitread:."}, {`git log "$x"`, "narrow gitread:."}, {`git log --since="$x"`, "ro gitread:."},
		}},
	{
		Names:    []string{"ls-files"},
		ReadOnly: true,
		Flags: "-cdmoiskutvfz cached deleted modified others ignored stage directory no-empty-directory eol killed unmerged error-unmatch " +
			"full-name recurse-submodules debug deduplicate sparse resolve-undo exclude-standard empty-directory",
		Values:    "-x exclude with-tree format exclude-per-directory",
		OptValues: "abbrev",
		Opts:      []Opt{{"-X exclude-from", HasArg, ReadsValue}},
		Examples:  []Example{{"git ls-files -o --exclude-standard", "ro gitread:."}}},
	{
		Names: []string{
			"gc", "prune", "repack", "pack-refs", "reset", "revert", "merge", "cherry-pick", "rerere", "update-index", "update-ref",
			"write-tree", "read-tree", "commit-tree", "lfs", "flow", "replace", "mktree", "mktag", "pack-objects", "index-pack",
			"unpack-objects", "switch", "citool", "gui",
		},
		Flags: "-qfkpanexNcdvzw quiet hard soft mixed merge keep patch force discard-changes detach continue abort skip quit no-commit no-edit " +
			"edit signoff ff no-ff ff-only squash stat no-stat guess no-guess orphan progress dry-run",
		Values:    "-mMFbXBC strategy strategy-option message file mainline cleanup",
		OptValues: "-SstT gpg-sign track prune log pathspec-from-file",
		Examples:  []Example{{"git reset --soft HEAD~1", "gitchange:."}, {"git switch -c x", "gitchange:."}, {"git merge main", "gitchange:."}}},
	{
		Names:    []string{"merge-base", "rev-parse"},
		ReadOnly: true,
		Flags: "-aq all octopus independent is-ancestor fork-point sq sq-quote revs-only no-revs flags no-flags verify quiet not symbolic " +
			"symbolic-full-name branches tags remotes local-env-vars is-inside-git-dir is-inside-work-tree is-bare-repository " +
			"is-shallow-repository show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir " +
			"git-path shared-index-path show-ref-format parseopt keep-dashdash stop-at-non-option stuck-long",
		Values:    "default prefix resolve-git-dir glob exclude since after until before disambiguate path-format",
		OptValues: "short abbrev-ref show-object-format",
		Examples: []Example{
			{"git rev-parse --abbrev-ref HEAD", "ro gitread:."},
			{"git merge-base main HEAD", "ro gitread:."},
			{"git rev-parse --show-toplevel", "ro gitread:."}},
	},
	{
		Names:    []string{"mv"},
		Flags:    "-fknv force dry-run verbose sparse",
		Operands: Moves,
		Examples: []Example{{"git mv a b", "delete:a write:b write:b/a gitchange:."}},
	},
	{Names: []string{"notes"}, ReadOnly: true, Values: "ref", Subs: []Command{
		{Names: []string{"list", "show", "get-ref"}, ReadOnly: true, Examples: []Example{{"git notes show", "ro gitread:."}}},
		{
			Names:    []string{"add", "copy", "append", "edit", "merge", "remove", "prune"},
			Values:   "-mFcC",
			Examples: []Example{{"git notes add -m x", "gitchange:."}},
		},
	}},
	{
		Names: []string{"push"},
		Flags: "-adnquvt46 all branches mirror tags follow-tags atomic no-atomic dry-run porcelain delete no-force force-if-includes " +
			"no-force-if-includes no-force-with-lease prune quiet set-upstream thin no-thin verbose verify no-verify progress ipv4 ipv6",
		Values:    "-o push-option",
		OptValues: "force-with-lease signed recurse-submodules",
		Opts:      []Opt{{"-f force", NoArg, 0}, {"receive-pack exec", HasArg, Executes}, {"repo", HasArg, 0}},
		more:      gitRemoteMore,
		Examples:  []Example{{"git push origin main", "gitchange:."}, {"git push --receive-pack=x", "gitchange:. narrow git --receive-pack>>'x'"}}},
	{
		Names: []string{"rebase"},
		Flags: "-ifkqvmnr interactive continue skip abort quit edit-todo show-current-patch keep-empty no-keep-empty root autosquash no-autosquash " +
			"autostash no-autostash no-verify verify quiet verbose stat no-stat no-ff force-rebase fork-point no-fork-point update-refs " +
			"no-update-refs reschedule-failed-exec no-reschedule-failed-exec apply merge committer-date-is-author-date reset-author-date " +
			"ignore-whitespace allow-empty-message signoff reapply-cherry-picks",
		Values:    "-sXC onto strategy strategy-option empty whitespace trailer",
		OptValues: "-S keep-base rebase-merges gpg-sign",
		Opts:      []Opt{{"-x exec", HasArg, 0}, {"-", NoArg, Executes}},
		more:      gitRebaseMore,
		Examples:  []Example{{"git rebase main", "gitchange:."}, {"git rebase --exec 'make x' main", "narrow gitchange:. git rebase -x>'make x'"}}},
	{
		Names:  []string{"fetch-pack", "send-pack"},
		Flags:  "-qkv all stdin thin no-progress include-tag stateless-rpc mirror dry-run force atomic",
		Values: "depth remote", Opts: []Opt{{"upload-pack receive-pack exec", HasArg, Executes}}, more: gitRemoteMore,
		Examples: []Example{{"git fetch-pack --upload-pack=x h:r", "gitchange:. narrow git --upload-pack>>'x'"}},
	},
	{
		Names: []string{"hash-object"}, Flags: "-w stdin stdin-paths no-filters literally", Values: "-t path", Operands: Reads,
		Examples: []Example{{"git hash-object -w x", "read:x gitchange:."}},
	},
	{Names: []string{"reflog"}, ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOptValues, more: gitReflogMore, Examples: []Example{
		{"git reflog main", "ro gitread:."}, {"git reflog \"$x\"", "narrow gitchange:."},
	}, Subs: []Command{
		{Names: []string{"show", "list", "exists"}, ReadOnly: true, Opts: gitDiffOpts, Examples: []Example{{"git reflog show --date=iso", "ro gitread:."}}},
		{Names: []string{"expire", "delete", "drop", "write"}, Examples: []Example{{"git reflog expire --all", "gitchange:."}}},
	}},
	{Names: []string{"remote"}, ReadOnly: true, Flags: "-v verbose", Subs: []Command{
		{Names: []string{"get-url"}, ReadOnly: true, Flags: "push all", Examples: []Example{{"git remote get-url origin", "ro gitread:."}}},
		{
			Names:    []string{"set-url", "set-head", "set-branches"},
			more:     gitUnsafeMore,
			Examples: []Example{{"git remote set-url origin x", "narrow gitchange:."}},
		},
		{
			Names:    []string{"add", "rename", "remove", "rm", "prune", "update", "show"},
			Values:   "-tm",
			more:     gitRemoteMore,
			Examples: []Example{{"git remote add o https://h/x", "net:https://h/x gitchange:."}, {"git remote add o ext::x", "narrow gitchange:. git ext::>>'x'"}},
		},
	}},
	{
		Names: []string{"restore"},
		Flags: "-pSWqm2 patch staged worktree quiet progress no-progress ours theirs merge ignore-unmerged ignore-skip-worktree-bits overlay " +
			"no-overlay recurse-submodules",
		Values:   "-s source conflict",
		Opts:     []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		more:     gitRestoreMore,
		Examples: []Example{{"git restore --staged x", "gitchange:."}, {"git restore .envrc", "write:.envrc gitchange:."}}},
	{
		Names:    []string{"rm"},
		Flags:    "-fnqr force dry-run quiet cached ignore-unmatch sparse",
		Opts:     []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		more:     gitRmMore,
		Examples: []Example{{"git rm -r --cached x", "gitchange:."}, {"git rm x", "delete:x gitchange:."}},
	},
	{Names: []string{"sparse-checkout"}, Subs: []Command{
		{Names: []string{"list"}, ReadOnly: true, Examples: []Example{{"git sparse-checkout list", "ro gitread:."}}},
		{Names: []string{"set", "add", "init", "reapply", "disable"}, Examples: []Example{{"git sparse-checkout set x", "gitchange:."}}},
	}},
	{
		Names:  []string{"stash"},
		Flags:  "-pkuaqS patch keep-index no-keep-index include-untracked all quiet staged",
		Values: "-m message",
		Subs: []Command{
			{
				Names:     []string{"list", "show"},
				ReadOnly:  true,
				Flags:     gitDiffFlags + " " + gitLogFlags + " include-untracked only-untracked",
				Values:    gitDiffValues + " " + gitLogValues,
				OptValues: gitDiffOptValues + " " + gitLogOptValues,
				Opts:      gitDiffOpts,
				Examples:  []Example{{"git stash list", "ro gitread:."}, {"git stash show -p", "ro gitread:."}},
			},
			{
				Names:    []string{"push", "save", "pop", "apply", "drop", "clear", "branch", "create", "store"},
				Flags:    "index",
				Opts:     []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
				Examples: []Example{{"git stash pop", "gitchange:."}},
			},
		}},
	{
		Names:     []string{"status"},
		ReadOnly:  true,
		Flags:     "-sbvzh short branch show-stash long verbose null ahead-behind no-ahead-behind renames no-renames no-column",
		OptValues: "-uM porcelain untracked-files ignore-submodules ignored column find-renames",
		Examples:  []Example{{"git status --porcelain=v2 -uno", "ro gitread:."}},
	},
	{Names: []string{"submodule"}, ReadOnly: true, Flags: "-q quiet cached recursive", Subs: []Command{
		{
			Names: []string{"foreach"},
			Style: StopAtOperand,
			Flags: "recursive",
			more:  gitRunMore,
			Examples: []Example{
				{"git submodule foreach 'rm x'", "narrow gitchange:. git submodule foreach>'rm x'"},
				{"git submodule foreach --recursive git clean -n", "narrow gitchange:. git submodule foreach>'git clean -n'"},
			},
		},
		{
			Names:    []string{"status", "summary"},
			ReadOnly: true,
			Flags:    "recursive cached files for-status",
			Values:   "-n summary-limit",
			Examples: []Example{{"git submodule status", "ro gitread:."}},
		},
		{
			Names:    []string{"set-url"},
			more:     gitUnsafeMore,
			Examples: []Example{{"git submodule set-url a x", "narrow gitchange:."}},
		},
		{
			Names:    []string{"add", "init", "deinit", "update", "set-branch", "sync", "absorbgitdirs"},
			Values:   "-b branch name reference depth jobs",
			more:     gitRemoteMore,
			Examples: []Example{{"git submodule update --init", "gitchange:."}},
		},
	}},
	{
		Names:    []string{"symbolic-ref"},
		ReadOnly: true,
		Flags:    "-q quiet short recurse no-recurse",
		Values:   "-m",
		Opts:     []Opt{{"-d delete", NoArg, Changes}},
		more:     gitSymbolicMore,
		Examples: []Example{{"git symbolic-ref --short HEAD", "ro gitread:."}, {"git symbolic-ref HEAD x", "gitchange:."}},
	},
	{
		Names:     []string{"tag"},
		ReadOnly:  true,
		Flags:     "-alsfdve annotate list sign no-sign force delete verify edit ignore-case create-reflog no-column omit-empty",
		Values:    "-mu message local-user cleanup sort points-at format trailer",
		OptValues: "-n column color contains no-contains merged no-merged",
		Opts:      []Opt{{"-F file", HasArg, ReadsValue}},
		more:      gitTagMore,
		Examples: []Example{
			{"git tag", "ro gitread:."},
			{"git tag -l 'v*' --sort=-x", "ro gitread:."},
			{"git tag v1", "gitchange:."},
			{"git tag --contains HEAD", "ro gitread:."}},
	},
	{
		Names:    []string{"verify-commit", "verify-tag", "merge-tree", "merge-file", "interpret-trailers"},
		Examples: []Example{{"git verify-commit HEAD", "gitchange:."}},
	},
	{Names: []string{"worktree"}, Subs: []Command{
		{
			Names:    []string{"list"},
			ReadOnly: true,
			Flags:    "-vz verbose porcelain",
			Values:   "expire",
			Examples: []Example{{"git worktree list", "ro gitread:."}},
		},
		{
			Names:    []string{"add"},
			Flags:    "-fdq force detach checkout no-checkout lock quiet guess-remote no-guess-remote orphan track no-track",
			Values:   "-bB reason",
			more:     gitWorktreeMore,
			Examples: []Example{{"git worktree add -b x ../y main", "write:/y/** gitchange:."}},
		},
		{
			Names:    []string{"lock", "move", "prune", "remove", "repair", "unlock"},
			Flags:    "-fnv force dry-run verbose",
			Values:   "reason expire",
			Examples: []Example{{"git worktree prune", "gitchange:."}},
		},
	}},
}
