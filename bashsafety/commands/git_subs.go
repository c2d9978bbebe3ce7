package commands

const keptApart = "--separate-git-dir writes a folder"

// gitOtherStrategy is a merge strategy that is the program git-merge-NAME.
const (
	gitOtherStrategy = "-s|--strategy=NAME:^ort|recursive|resolve|octopus|ours|subtree"
	gitStrategyRuns  = "the strategy is a program of that name"
)

const gitMailFlags = "-kbunm message-id encoding scissors no-scissors keep-cr mboxrd"

var gitSubs = []Command{
	{
		Names: "add stage", Local: true, Forms: []Form{{"!-f|--force|-p|--patch|-e|--edit|-i|--interactive", Hides, ""}, {"SPEC...", Reads, ""}, {"-p|-i|-e|--patch|--interactive|--edit", Unbinds, mayDoMore}},
		Flags: "-AfinNpuve all force interactive dry-run intent-to-add patch update verbose edit refresh ignore-errors ignore-missing " +
			"renormalize sparse no-all ignore-removal no-ignore-removal pathspec-file-nul warn-embedded-repo no-warn-embedded-repo",
		Values: "chmod unified inter-hunk-context -U", Opts: []Opt{{"pathspec-from-file", HasArg, Reads}},
	},
	{
		Names: "am",
		Flags: "-i3qsukmrcb interactive 3way quiet signoff utf8 keep keep-non-patch message-id keep-cr no-keep-cr scissors no-scissors " +
			"ignore-space-change ignore-whitespace reject continue resolved skip abort quit retry allow-empty " +
			"committer-date-is-author-date ignore-date rerere-autoupdate no-rerere-autoupdate no-verify no-gpg-sign",
		Values:    "-Cp directory exclude include whitespace patch-format quoted-cr resolvemsg empty",
		OptValues: "-S gpg-sign show-current-patch", Operands: Reads, refine: refineGitAm,
	},
	{
		Names: "annotate blame praise", ReadOnly: true,
		Flags: "-bcdeflnpstwkh root no-root incremental line-porcelain porcelain show-stats score-debug show-name show-number " +
			"show-email no-show-name no-show-email progress no-progress color-lines color-by-age minimal first-parent reverse",
		Values: "-L ignore-rev since date", OptValues: "-MC abbrev encoding",
		Opts:  []Opt{{"-S ignore-revs-file contents", HasArg, Reads}, {"output", HasArg, WritesValue}, {"textconv ext-diff", NoArg, Executes}},
		Forms: []Form{{"** FILE $", Reads, ""}},
	},
	{
		Names: "apply",
		Flags: "-N3zRvq no-add stat numstat summary check index intent-to-add cached apply 3way ignore-space-change ignore-whitespace " +
			"reverse unidiff-zero reject allow-overlap verbose quiet inaccurate-eof recount allow-empty allow-binary-replacement binary " +
			"ours theirs union",
		Opts:   []Opt{{"unsafe-paths", NoArg, Unsafe}, {"directory", HasArg, Writes}, {"build-fake-ancestor", HasArg, WritesValue}},
		Values: "-Cp exclude include whitespace", Operands: Reads, Forms: []Form{{"--stat|--numstat|--summary|--check !--apply|-3|--3way|--reject|--index|--cached|-N|--intent-to-add|--build-fake-ancestor|--directory", Proves, ""}},
		refine: refineGitApply,
	},
	{
		Names: "archive", Flags: "-v0123456789 verbose worktree-attributes", Values: "format prefix mtime",
		Opts: []Opt{
			{"-o output", HasArg, WritesValue}, {"exec", HasArg, Executes}, {"add-file", HasArg, Reads}, {"remote", HasArg, 0},
			{"add-virtual-file", HasArg, 0}, {"-l list", NoArg, Asks},
		},
		ReadsIfAsked: true, Forms: []Form{{"--remote", Disproves, ""}, {"--remote=REPO", Sends, ""}}, refine: gitTreePaths,
	},
	{Names: "bisect", Subs: gitBisectSubs},
	{
		Names: "branch", Local: true,
		Flags: "-avrilqf all verbose remotes list ignore-case quiet show-current no-color no-column force no-track no-abbrev " +
			"create-reflog delete move copy edit-description unset-upstream recurse-submodules -dDmMcC omit-empty",
		Values:    "-u set-upstream-to sort format points-at",
		OptValues: "-t track color column abbrev contains no-contains merged no-merged with without", ReadOnly: true,
		Forms: []Form{
			{"-d|-D|-m|-M|-c|-C|-u|-f|--delete|--move|--copy|--edit-description|--set-upstream-to|--unset-upstream|--force", Changes, ""},
			// not -l, which before 2.20 was --create-reflog
			{"!--list|--contains|--no-contains|--merged|--no-merged|--points-at|--with|--without *", Changes, ""},
			{"-f|-D|-M|-C|--force|--edit-description|--recurse-submodules", Unbinds, mayDoMore},
		},
	},
	{Names: "bugreport diagnose", OptValues: "diagnose", Values: "-s suffix mode", Opts: []Opt{{"-o output-directory", HasArg, Writes}}, refine: refineGitReport},
	{
		Names: "bundle",
		Subs: []Command{
			{Names: "create", Flags: "-q quiet progress no-progress all-progress", Values: "version", Opts: []Opt{{"output", HasArg, WritesValue}}, Forms: []Form{{"PATH", Writes, ""}}},
			{Names: "verify list-heads", ReadOnly: true, Flags: "-q quiet", Forms: []Form{{"FILE", Reads, ""}}},
			{Names: "unbundle", Forms: []Form{{"FILE", Reads, ""}}},
		},
	},
	{
		Names: "cat-file", ReadOnly: true,
		Flags:     "-tespzZ batch-all-objects buffer follow-symlinks unordered allow-unknown-type use-mailmap mailmap no-use-mailmap no-mailmap",
		OptValues: "batch batch-check batch-command", Values: "path filter", Opts: []Opt{{"textconv filters", NoArg, Executes}},
		Forms: []Form{{"OBJECT...", Reads, ""}},
	},
	{
		Names: "check-attr check-ignore check-mailmap check-ref-format var version show-index get-tar-commit-id " +
			"verify-pack count-objects",
		Flags: "-aqvznsH all cached stdin quiet verbose non-matching no-index human-readable allow-onelevel no-allow-onelevel normalize " +
			"refspec-pattern branch build-options stat-only",
		OptValues: "object-format", Values: "mailmap-blob", Opts: []Opt{{"mailmap-file", HasArg, Reads}}, ReadOnly: true,
	},
	{
		Names:  "cherry ls-tree name-rev patch-id stripspace",
		Flags:  "-vdrtlzsc verbose long name-only name-status object-only full-name full-tree tags all stdin annotate-stdin always undefined no-undefined stable unstable verbatim strip-comments comment-lines no-abbrev",
		Values: "format refs exclude", OptValues: "abbrev", ReadOnly: true,
	},
	{
		Names: "checkout", Local: true,
		Flags: "-fqmpl23d force quiet merge patch detach guess no-guess no-track ours theirs ignore-skip-worktree-bits overlay " +
			"no-overlay progress no-progress overwrite-ignore no-overwrite-ignore ignore-other-worktrees pathspec-file-nul " +
			"no-recurse-submodules",
		Values: "-bB orphan conflict", OptValues: "-t track recurse-submodules", Opts: []Opt{{"pathspec-from-file", HasArg, Reads}},
		Forms:  []Form{{"!-b=*", Unbinds, mayDoMore}, {"-f|-m|-p|-t|--force|--merge|--patch|--track", Unbinds, mayDoMore}, {"*", Unbinds, mayDoMore}},
		refine: gitWritesPaths,
	},
	{
		Names: "checkout-index", Flags: "-afqnuz all ignore-skip-worktree-bits force quiet no-create index stdin temp",
		Values: "stage prefix", refine: refineGitCheckoutIndex,
	},
	{
		Names: "clean", Flags: "-dfinqxX force interactive dry-run quiet no-interactive", Values: "-e exclude",
		Forms: []Form{{"-n|--dry-run !-i|--interactive", Proves, ""}},
	},
	{
		Names: "clone",
		Flags: "-lnqsv46 local no-local hardlinks no-hardlinks shared checkout no-checkout bare naked mirror quiet verbose progress " +
			"dissociate single-branch no-single-branch no-tags shallow-submodules no-shallow-submodules remote-submodules " +
			"no-remote-submodules sparse reject-shallow no-reject-shallow also-filter-submodules ipv4 ipv6 tags",
		Values:    "-bjo branch origin depth jobs shallow-since shallow-exclude filter server-option bundle-uri ref-format revision",
		OptValues: "recurse-submodules recursive",
		Opts: []Opt{
			{"-u upload-pack", HasArg, Executes}, {"-c config", HasArg, SetsKey}, {"template", HasArg, Unsafe}, {"separate-git-dir", HasArg, 0},
			{"reference reference-if-able", HasArg, Reads},
		},
		Forms: []Form{
			{"REPO...", Sends, ""}, {"* DIR", Writes, ""}, {"--separate-git-dir", Narrows, keptApart}, {"--separate-git-dir=DIR", Writes, ""},
		},
		refine: refineGitClone,
	},
	{Names: "unpack-file", Forms: []Form{{"OBJECT...", Reads, ""}}, refine: func(c *Invocation) { c.writesNamed(nil, ".merge_file_") }},
	{Names: "column", ReadOnly: true, Flags: "no-mode", Values: "command raw-mode width indent nl padding", OptValues: "mode"},
	{
		Names: "commit", Local: true,
		Flags: "-apqsveinoz all patch quiet signoff no-signoff verbose edit no-edit amend verify no-verify allow-empty " +
			"allow-empty-message interactive include only dry-run short branch porcelain long null status no-status post-rewrite " +
			"no-post-rewrite reset-author no-gpg-sign ahead-behind no-ahead-behind pathspec-file-nul no-verbose",
		Values:    "-mcC message reuse-message reedit-message fixup squash author date cleanup trailer unified inter-hunk-context",
		OptValues: "-uS untracked-files gpg-sign", Opts: []Opt{{"-Ft file template pathspec-from-file", HasArg, Reads}},
		Forms: []Form{
			{"SPEC...", Reads, ""}, {"!-m|-C|-F|--message|--file|--reuse-message=* !--no-edit", Unbinds, mayDoMore},
			{"-p|-S|-e|-c|-i|--patch|--gpg-sign|--edit|--reedit-message|--interactive|--include|--fixup|--squash", Unbinds, mayDoMore},
		},
	},
	{
		Names: "config", Style: StopAtOperand, // git config a.b --get sets a.b
		Flags: "-lz local worktree list null name-only show-origin show-scope show-names bool int bool-or-int bool-or-str path " +
			"expiry-date includes no-includes no-type get get-all get-regexp get-urlmatch get-color get-colorbool all regexp fixed-value",
		Values: "type default comment blob value url", ReadOnly: true, refine: refineGitConfig,
		Opts: []Opt{
			{"-f file", HasArg, 0}, {"global system", NoArg, 0}, {"-e edit", NoArg, Executes},
			{"add unset unset-all replace-all rename-section remove-section append", NoArg, Unsafe},
		},
	},
	{
		Names: "credential credential-cache credential-osxkeychain credential-manager credential-libsecret daemon " +
			"http-backend http-push http-fetch shell filter-branch filter-repo fast-import hook upload-pack " +
			"upload-archive receive-pack cvsserver cvsimport cvsexportcommit archimport remote-ext remote-fd " +
			"for-each-repo svn p4 submodule--helper mergetool--lib scalar gui citool",
		Flags: "-adfnqrvs quiet verbose force stateless-rpc strict",
		Opts: []Opt{
			{"export-marks export-pack-edges", HasArg, WritesValue}, {"import-marks import-marks-if-exists", HasArg, Reads},
			{"tree-filter index-filter msg-filter commit-filter tag-name-filter parent-filter env-filter setup access-hook -c command exec", HasArg, Executes},
		},
		Forms: []Form{{"", Narrows, gitUnsafe}},
	},
	{Names: "credential-store", Values: "file", Forms: []Form{{"", Narrows, gitUnsafe}, {"^get --file=FILE", Writes, ""}, {"$ --file=FILE", Writes, ""}, {"get --file=FILE", Reads, ""}}},
	{
		Names: "quiltimport", Flags: "-n dry-run", Values: "author", Opts: []Opt{{"patches series", HasArg, Reads}},
		Forms: []Form{{"", Narrows, gitUnsafe}}, refine: (*Invocation).writeUnknown,
	},
	{Names: "subtree", Flags: "-q quiet squash rejoin ignore-joins debug d", Values: "-mbP prefix message branch annotate onto", Forms: []Form{{"REPO...", Sends, ""}, {"OBJECT...", Reads, ""}, {"-P|--prefix=DIR", Writes, ""}}},
	{
		Names: "describe", ReadOnly: true,
		Flags:  "all tags contains debug long always exact-match first-parent no-abbrev no-match no-exclude",
		Values: "match exclude candidates", OptValues: "abbrev dirty broken",
	},
	{
		Names: "diff diff-files diff-index diff-tree", ReadOnly: true, Flags: gitLogFlags + " -r",
		Values: gitDiffValues + " " + gitRevValues, OptValues: gitLogOpts, Opts: gitDiffOpts, refine: refineGitDiff,
	},
	{
		Names:  "difftool mergetool",
		Flags:  "-dgy dir-diff gui no-gui prompt no-prompt no-trust-exit-code trust-exit-code symlinks no-symlinks tool-help no-index cached staged",
		Values: "-tO tool", Opts: []Opt{{"-x extcmd", HasArg, Executes}, {"output", HasArg, WritesValue}}, Forms: []Form{{"", Narrows, gitUnsafe}},
		refine: refineGitDiff,
	},
	{
		Names:  "fast-export",
		Flags:  "fake-missing-tagger full-tree use-done-feature no-data data anonymize reference-excluded-parents show-original-ids mark-tags all",
		Values: "progress signed-tags tag-of-filtered-object reencode refspec anonymize-map",
		Opts:   []Opt{{"export-marks output", HasArg, WritesValue}, {"import-marks import-marks-if-exists", HasArg, Reads}},
		refine: gitPaths,
	},
	{
		Names: "fetch",
		Flags: "-apPftnqvkum46 all append atomic dry-run force keep multiple prune prune-tags no-tags tags quiet verbose progress " +
			"no-progress prefetch update-shallow unshallow refetch update-head-ok ipv4 ipv6 write-fetch-head no-write-fetch-head " +
			"no-auto-gc auto-gc no-auto-maintenance auto-maintenance show-forced-updates no-show-forced-updates set-upstream porcelain " +
			"write-commit-graph no-recurse-submodules negotiate-only stdin no-prune no-all",
		Values:    "-jo jobs depth deepen shallow-since shallow-exclude refmap server-option negotiation-tip filter submodule-prefix",
		OptValues: "recurse-submodules recurse-submodules-default", Opts: []Opt{{"upload-pack", HasArg, Executes}},
		Forms: []Form{{"REPO...", Sends, ""}},
	},
	{
		Names: "pull",
		Flags: "-apftnqvkre46 all append atomic dry-run force keep prune tags no-tags quiet verbose progress update-shallow unshallow " +
			"ipv4 ipv6 no-rebase ff no-ff ff-only squash no-squash commit no-commit edit no-edit stat no-stat summary autostash " +
			"no-autostash verify no-verify signoff no-signoff allow-unrelated-histories show-forced-updates set-upstream no-log " +
			"no-gpg-sign verify-signatures no-verify-signatures no-recurse-submodules compact-summary",
		Values:    "-oX depth deepen shallow-since shallow-exclude refmap server-option negotiation-tip strategy-option cleanup",
		OptValues: "-jS rebase jobs recurse-submodules gpg-sign log",
		Opts:      []Opt{{"upload-pack", HasArg, Executes}, {"-s strategy", HasArg, 0}},
		Forms:     []Form{{"REPO...", Sends, ""}, {gitOtherStrategy, Narrows, gitStrategyRuns}}, refine: refineGitStrategy,
	},
	{
		Names: "ls-remote", ReadOnly: true, Flags: "-qtbh quiet tags branches heads refs get-url exit-code symref",
		Values: "-o sort server-option", Opts: []Opt{{"upload-pack exec", HasArg, Executes}},
		Forms: []Form{{"REPO...", Sends, ""}}, refine: refineGitLsRemote,
	},
	{
		Names: "for-each-ref show-ref", ReadOnly: true,
		Flags: "-dhqsp omit-empty ignore-case shell perl python tcl stdin include-root-refs head tags heads branches dereference verify " +
			"quiet exists no-contains no-merged",
		Values: "count format sort points-at exclude start-after", OptValues: "color contains merged hash abbrev exclude-existing",
	},
	{
		Names: "format-patch",
		Flags: gitLogFlags + " -knN keep-subject stdout cover-letter no-cover-letter no-thread numbered no-numbered signoff " +
			"no-signature no-attach numbered-files zero-commit no-to no-cc ignore-if-in-upstream no-binary force-in-body-from progress no-from",
		Values: "-SGlI diff-algorithm anchored ws-error-highlight inter-hunk-context src-prefix dst-prefix line-prefix diff-filter " +
			"since until after before start-number subject-prefix suffix signature reroll-count to in-reply-to add-header " +
			"creation-factor cover-from-description filename-max-length max-count",
		OptValues: gitLogOpts + " attach inline from rfc thread interdiff range-diff",
		Opts: []Opt{
			{"-o output-directory", HasArg, Writes}, {"output", HasArg, WritesValue}, {"ext-diff textconv", NoArg, Executes},
			{"description-file signature-file -O", HasArg, Reads},
		},
		refine: refineGitFormatPatch,
	},
	{
		Names: "fsck", ReadOnly: true,
		Flags: "-v tags root unreachable cache no-reflogs reflogs full no-full strict verbose dangling no-dangling progress no-progress " +
			"connectivity-only name-objects references no-references",
		Opts: []Opt{{"lost-found", NoArg, Changes}},
	},
	{
		Names: "grep", ReadOnly: true,
		Flags: "-aivwhHnlLzcopEGFPWIrq1234567890 text ignore-case invert-match word-regexp full-name line-number files-with-matches " +
			"name-only files-without-match null count only-matching extended-regexp basic-regexp perl-regexp fixed-strings heading " +
			"break show-function function-context quiet cached untracked no-exclude-standard exclude-standard recurse-submodules " +
			"no-recurse-submodules recursive no-recursive all-match and or not column no-color index",
		Values: "-ABCm max-depth after-context before-context context threads max-count", OptValues: "color",
		Opts: []Opt{
			{"-O open-files-in-pager", OptArg, Executes}, {"-e", HasArg, GivesPattern}, {"-f", HasArg, ReadsPattern}, {"textconv", NoArg, Executes},
			{"ext-grep", NoArg, Unsafe}, {"no-textconv", NoArg, 0}, {"no-index", NoArg, 0},
		},
		refine: refineGitGrep,
	},
	{
		Names: "help", Flags: "-v no-external-commands external-commands no-aliases aliases verbose exclude-guides",
		Opts: []Opt{
			{"-iwm info man web", NoArg, Executes},
			{"-agc all guides config user-interfaces developer-interfaces config-for-completion config-sections-for-completion", NoArg, Asks},
		},
		ReadsSome: true, Bare: true, // lists are printed, a manual page starts a viewer
	},
	{
		Names:  "imap-send send-email instaweb web--browse",
		Flags:  "-qvp quiet verbose dry-run annotate compose local start stop restart",
		Values: "-bdc from to cc bcc subject in-reply-to smtp-server-port smtp-user confirm suppress-cc port module-path transfer-encoding",
		Opts: []Opt{
			{"smtp-server sendmail-cmd to-cmd cc-cmd header-cmd httpd browser tool", HasArg, Executes}, {"config identity", HasArg, Unsafe},
		},
		Forms: []Form{{"", Narrows, gitUnsafe}}, refine: gitPaths,
	},
	{
		Names: "init init-db", Flags: "-q quiet bare", Values: "-b initial-branch object-format ref-format",
		OptValues: "shared", Opts: []Opt{{"template", HasArg, Unsafe}, {"separate-git-dir", HasArg, 0}}, Operands: Writes,
		Forms:  []Form{{"--separate-git-dir", Narrows, keptApart}, {"--separate-git-dir=DIR", Writes, ""}, {"--bare DIR", Writes, ""}, {"--bare $", Writes, ""}},
		refine: refineGitInit,
	},
	{
		Names: "interpret-trailers", Flags: "trim-empty only-trailers only-input unfold parse no-divider divider",
		Values: "where if-exists if-missing", Opts: []Opt{{"in-place", NoArg, 0}, {"trailer", HasArg, 0}}, Forms: []Form{{"--parse|--only-input !--in-place|--trailer", Proves, ""}, {"--in-place FILE...", Writes, ""}, {"!--in-place FILE...", Reads, ""}},
	},
	{
		Names: "lfs",
		Subs: []Command{
			{Names: "ls-files env status version pointer", Flags: "-lsnadjp long size name-only all deleted json porcelain debug", ReadOnly: true},
			{Names: "fetch pull push track untrack install uninstall update migrate prune checkout lock unlock locks " +
				"clone clean smudge filter-process"},
		},
	},
	{
		Names: "log whatchanged", ReadOnly: true, Special: &Special{Tokens: commitHashes}, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts,
		Opts: gitDiffOpts, refine: refineGitDiff,
	},
	{
		Names: "show", ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
		refine: refineGitDiff,
	},
	{
		Names: "rev-list", ReadOnly: true, Special: &Special{Tokens: countsOrHashes, Integers: countsCommits},
		Flags:  gitLogFlags + " use-bitmap-index header maximal-only object-names no-object-names bisect-vars bisect-all merge-base progress",
		Values: gitDiffValues + " " + gitRevValues, OptValues: gitLogOpts, Opts: gitDiffOpts, refine: refineGitDiff,
	},
	{
		Names: "shortlog", ReadOnly: true,
		Flags:  "-csneh0123456789 committer numbered summary email all merges no-merges first-parent no-mailmap regexp-ignore-case invert-grep reverse",
		Values: "group max-count skip since after until before author grep", OptValues: "-w format branches tags remotes date",
		Opts: gitDiffOpts, refine: refineGitDiff,
	},
	{
		Names: "range-diff", ReadOnly: true, Flags: gitDiffFlags + " no-dual-color dual-color left-only right-only no-notes",
		Values: gitDiffValues + " creation-factor diff-merges", OptValues: gitDiffOptValues + " notes", Opts: gitDiffOpts,
		refine: refineGitDiff,
	},
	{
		Names: "show-branch", ReadOnly: true,
		Flags:     "-ar all remotes list no-name name current sha1-name merge-base independent topo-order date-order topics sparse no-color",
		OptValues: "-g more color reflog",
	},
	{
		Names: "ls-files", ReadOnly: true,
		Flags: "-cdmoiskutvfz cached deleted modified others ignored stage directory no-empty-directory eol killed unmerged " +
			"error-unmatch full-name recurse-submodules debug deduplicate sparse resolve-undo exclude-standard empty-directory",
		Values: "-x exclude with-tree format exclude-per-directory", OptValues: "abbrev",
		Opts: []Opt{{"-X exclude-from", HasArg, Reads}},
	},
	{
		Names: "gc prune prune-packed repack pack-refs rerere update-ref write-tree commit-tree flow replace mktag " +
			"unpack-objects pack-redundant refs fmt-merge-msg commit-graph multi-pack-index update-server-info " +
			"merge-tree verify-commit verify-tag backfill merge-one-file",
		Flags: "-qfadlznAk quiet auto aggressive all force verbose stdin no-deref create-reflog dry-run write-tree trivial-merge " +
			"name-only no-messages messages cruft graft raw list progress no-progress keep-unreachable unpack-unreachable",
		Values:    "-mpv task schedule expire window depth threads object-dir merge-base cruft-expiration prefix format filter filter-to",
		OptValues: "prune", Opts: []Opt{{"-e edit", NoArg, 0}, {"-F file", HasArg, Reads}},
		Forms: []Form{{"REPO...", Sends, ""}, {"OBJECT...", Reads, ""}, {"--object-dir=DIR", Writes, ""}, {"--filter-to=STEM", Writes, ""}},
	},
	{
		Names: "request-pull", Flags: "-p", Opts: []Opt{{"upload-pack exec", HasArg, Executes}}, Forms: []Form{{"REPO...", Sends, ""}}, refine: refineGitRequest,
	},
	{Names: "mktree", Flags: "-z missing batch"},
	{
		Names: "update-index",
		Flags: "-qgz again add remove refresh really-refresh ignore-submodules ignore-missing unmerged assume-unchanged " +
			"no-assume-unchanged skip-worktree no-skip-worktree fsmonitor-valid no-fsmonitor-valid info-only force-remove replace " +
			"index-info stdin verbose unresolve clear-resolve-undo split-index no-split-index untracked-cache no-untracked-cache " +
			"test-untracked-cache force-untracked-cache force-write-index fsmonitor no-fsmonitor ignore-skip-worktree-entries " +
			"show-index-version",
		Values: "chmod cacheinfo index-version", Forms: []Form{{"SPEC...", Reads, ""}}, refine: refineGitIndex,
	},
	{Names: "mailinfo", Style: StopAtOperand, Flags: gitMailFlags, Values: "quoted-cr", OptValues: "-dof", Operands: Writes},
	{
		Names: "mailsplit", Style: StopAtOperand, Flags: gitMailFlags, Values: "quoted-cr", OptValues: "-dof", Operands: Reads,
		Forms: []Form{{"-o=DIR", Writes, ""}, {"!-o=* * ** DIR $", Writes, ""}}, // or in the old form behind a mailbox
	},
	{
		Names: "maintenance",
		Subs: []Command{
			{Names: "run", Flags: "auto quiet schedule", Values: "task"},
			{Names: "register unregister", Flags: "-f force", Opts: []Opt{{"config-file", HasArg, WritesValue}}, Forms: []Form{{"", Narrows, gitUnsafe}}, refine: func(c *Invocation) { c.configures(".gitconfig", true) }},
			{Names: "start stop", Flags: "-f force", Values: "scheduler", Opts: []Opt{{"config-file", HasArg, WritesValue}}, Forms: []Form{{"", Narrows, gitUnsafe}, {"", Configures, ".gitconfig"}}}, // and what runs by the clock
		},
	},
	{
		Names: "pack-objects index-pack", refine: refineGitPack,
		Flags: "-qv stdout stdin quiet progress all all-progress all-progress-implied revs local incremental non-empty verify strict " +
			"fsck-objects delta-base-offset thin keep-true-parents reflog indexed-objects unpacked include-tag no-reuse-delta " +
			"no-reuse-object rev-index fix-thin",
		Values: "window depth threads window-memory max-pack-size index-version filter max-input-size object-format", OptValues: "keep promisor honor-pack-keep stdin-packs unpack-unreachable",
		Opts: []Opt{{"-o", HasArg, WritesValue}},
	},
	{Names: "merge-index", Style: StopAtOperand, Flags: "-oqa", Forms: []Form{{"", Narrows, runsCommand}, {"TEXT", MayRunText, ""}}},
	{
		Names: "read-tree", Flags: "-vmuinq empty verbose trivial aggressive reset dry-run no-sparse-checkout debug-unpack quiet",
		Values: "prefix exclude-per-directory", OptValues: "recurse-submodules", Opts: []Opt{{"index-output", HasArg, WritesValue}},
		Forms: []Form{{"OBJECT...", Reads, ""}, {"--prefix=DIR", Writes, ""}},
	},
	{
		Names: "merge",
		Flags: "-neqvk stat no-stat summary squash no-squash commit no-commit edit no-edit ff no-ff ff-only rerere-autoupdate " +
			"no-rerere-autoupdate verify-signatures no-verify-signatures verbose quiet abort quit continue allow-unrelated-histories " +
			"progress no-progress autostash no-autostash overwrite-ignore no-overwrite-ignore signoff no-signoff verify no-verify " +
			"no-log no-gpg-sign compact-summary",
		Values: "-mX message strategy-option cleanup into-name", OptValues: "-S gpg-sign log",
		Opts:  []Opt{{"-F file", HasArg, Reads}, {"-s strategy", HasArg, 0}},
		Forms: []Form{{gitOtherStrategy, Narrows, gitStrategyRuns}}, refine: refineGitStrategy,
	},
	{
		Names: "cherry-pick revert",
		Flags: "-nesx quit continue abort skip no-commit commit edit no-edit signoff no-signoff rerere-autoupdate no-rerere-autoupdate " +
			"ff allow-empty allow-empty-message keep-redundant-commits no-gpg-sign reference",
		Values: "-mX cleanup mainline strategy-option", OptValues: "-S gpg-sign empty",
		Opts:  []Opt{{"strategy", HasArg, 0}, {"output", HasArg, WritesValue}},
		Forms: []Form{{gitOtherStrategy, Narrows, gitStrategyRuns}}, refine: refineGitPick,
	},
	{
		Names: "reset", Local: true,
		Flags:  "-qpN quiet hard soft mixed merge keep patch no-refresh refresh intent-to-add pathspec-file-nul recurse-submodules no-recurse-submodules no-quiet",
		Values: "unified inter-hunk-context", Opts: []Opt{{"pathspec-from-file", HasArg, Reads}},
		Forms: []Form{
			{"-p|--patch|--hard|--keep|--merge|--recurse-submodules|--pathspec-from-file", Unbinds, mayDoMore},
			// to a commit that is not among the last of this branch: a stash afterwards brings its files in
			{"NAME:^HEAD|HEAD^|HEAD~*", Unbinds, mayDoMore}, {"NAME:HEAD~*^*|HEAD~*:*|HEAD~*@*", Unbinds, mayDoMore},
		},
	},
	{
		Names: "switch", Local: true,
		Flags: "-qmdf guess no-guess discard-changes quiet progress no-progress merge detach force overwrite-ignore no-overwrite-ignore " +
			"ignore-other-worktrees no-track no-recurse-submodules",
		Values: "-cC create force-create orphan conflict", OptValues: "-t track recurse-submodules",
		Forms: []Form{{"!-c|--create=*", Unbinds, mayDoMore}, {"-f|-m|-t|--force|--merge|--discard-changes|--track", Unbinds, mayDoMore}, {"*", Unbinds, mayDoMore}},
	},
	{Names: "merge-base", ReadOnly: true, Special: &Special{Tokens: always}, Flags: "-a all octopus independent is-ancestor fork-point"},
	{
		Names: "rev-parse", ReadOnly: true, Special: &Special{Tokens: plainRevisions}, Forms: []Form{{"OBJECT...", Reads, ""}}, // the name of an object is as good as the file's, one command later
		Flags: "-q all sq sq-quote revs-only no-revs flags no-flags verify quiet not symbolic symbolic-full-name local-env-vars " +
			"is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-toplevel show-prefix show-cdup " +
			"show-superproject-working-tree git-dir absolute-git-dir git-common-dir shared-index-path parseopt keep-dashdash " +
			"stop-at-non-option stuck-long end-of-options show-ref-format",
		Values: "default prefix resolve-git-dir git-path",
		OptValues: "short abbrev-ref show-object-format branches tags remotes glob exclude exclude-hidden disambiguate path-format " +
			"since after until before",
	},
	{
		Names: "merge-file", Flags: "-pq stdout diff3 zdiff3 ours theirs union quiet object-id", Values: "-L marker-size diff-algorithm",
		Forms: []Form{{"-p|--stdout !--object-id", Proves, ""}, {"!-p|--stdout FILE", Writes, ""}, {"-p|--stdout FILE", Reads, ""}, {"* FILE...", Reads, ""}},
	},
	{Names: "mv", Local: true, Flags: "-fknv force dry-run verbose sparse", Operands: Moves},
	{Names: "notes", ReadOnly: true, Values: "ref", Subs: gitNotesSubs},
	{
		Names: "push",
		Flags: "-adnquvt46 all branches mirror tags follow-tags no-follow-tags atomic no-atomic dry-run porcelain delete no-force " +
			"force-if-includes no-force-if-includes no-force-with-lease prune quiet set-upstream thin no-thin verbose verify no-verify " +
			"progress no-progress ipv4 ipv6 no-recurse-submodules",
		Values: "-o push-option recurse-submodules", OptValues: "force-with-lease signed",
		Opts:  []Opt{{"-f force", NoArg, 0}, {"receive-pack exec", HasArg, Executes}, {"repo", HasArg, 0}},
		Forms: []Form{{"REPO...", Sends, ""}, {"--repo=REPO", Sends, ""}},
	},
	{
		Names: "rebase",
		Flags: "-ifkqvmnr interactive continue skip abort quit edit-todo show-current-patch keep-empty no-keep-empty root autosquash " +
			"no-autosquash autostash no-autostash no-verify verify quiet verbose stat no-stat no-ff ff force-rebase fork-point " +
			"no-fork-point update-refs no-update-refs reschedule-failed-exec no-reschedule-failed-exec apply merge " +
			"committer-date-is-author-date reset-author-date ignore-date ignore-whitespace allow-empty-message signoff " +
			"reapply-cherry-picks no-reapply-cherry-picks no-gpg-sign rerere-autoupdate preserve-merges no-rebase-merges keep-base",
		Values: "-XC onto strategy-option empty whitespace trailer", OptValues: "-S rebase-merges gpg-sign",
		Opts:  []Opt{{"-x exec", HasArg, RunsText}, {"-s strategy", HasArg, 0}, {"-", NoArg, Executes}},
		Forms: []Form{{"-x|--exec", Narrows, "-x runs a command"}, {gitOtherStrategy, Narrows, gitStrategyRuns}}, refine: refineGitStrategy,
	},
	{
		Names: "fetch-pack send-pack",
		Flags: "-qkv all stdin thin no-progress include-tag stateless-rpc mirror dry-run force atomic progress", Values: "depth remote",
		Opts:  []Opt{{"upload-pack receive-pack exec", HasArg, Executes}},
		Forms: []Form{{"REPO...", Sends, ""}, {"--remote=REPO", Sends, ""}},
	},
	{
		Names: "hash-object", ReadOnly: true, Flags: "stdin stdin-paths no-filters literally", Values: "-t path", Opts: []Opt{{"-w", NoArg, Changes}, {"filters", NoArg, Executes}}, Operands: Reads,
		Forms: []Form{{"-w -t=NAME:^blob", Narrows, "it writes an object that is not file content and may contain any names"}},
	},
	{Names: "reflog", ReadOnly: true, OwnOperands: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts, Forms: []Form{{"NAME:^*", Disproves, ""}}, Subs: gitReflogSubs},
	{Names: "remote", ReadOnly: true, Flags: "-v verbose", Subs: gitRemoteSubs},
	{
		Names: "restore", Local: true,
		Flags: "-pSWqm2 patch staged worktree quiet progress no-progress ours theirs merge ignore-unmerged ignore-skip-worktree-bits " +
			"overlay no-overlay recurse-submodules pathspec-file-nul -3",
		Values: "-s source conflict", Opts: []Opt{{"pathspec-from-file", HasArg, Reads}},
		Forms: []Form{
			{"!-S|--staged SPEC...", Writes, ""}, {"-S|--staged -W|--worktree SPEC...", Writes, ""},
			{"!-S|--staged", Unbinds, mayDoMore}, {"-W|-p|-s|--worktree|--patch|--source", Unbinds, mayDoMore},
		},
	},
	{
		Names: "rm", Local: true, Flags: "-fnq force dry-run quiet cached ignore-unmatch sparse pathspec-file-nul",
		Opts: []Opt{{"pathspec-from-file", HasArg, Reads}, {"-r", NoArg, Recurses}}, Forms: []Form{{"!--cached SPEC...", Deletes, ""}},
	},
	{
		Names: "sparse-checkout",
		Subs: []Command{
			{Names: "list check-rules", ReadOnly: true, Flags: "-z cone no-cone", Opts: []Opt{{"rules-file", HasArg, Reads}}},
			{Names: "set add init reapply disable clean"},
		},
	},
	{
		Names: "stash", Local: true, Flags: "-pkuaqS patch keep-index no-keep-index include-untracked all quiet staged pathspec-file-nul",
		Values: "-m message", Opts: []Opt{{"pathspec-from-file", HasArg, Reads}}, Forms: []Form{{"-p|--patch", Unbinds, mayDoMore}}, Subs: gitStashSubs,
	},
	{
		Names: "status", ReadOnly: true,
		Flags:     "-sbvzh short branch no-branch show-stash no-show-stash long verbose null ahead-behind no-ahead-behind renames no-renames no-column no-find-renames",
		OptValues: "-uM porcelain untracked-files ignore-submodules ignored column find-renames",
	},
	{Names: "submodule", ReadOnly: true, Flags: "-q quiet cached recursive", Subs: gitSubmoduleSubs},
	{
		Names: "symbolic-ref", ReadOnly: true, Flags: "-q quiet short recurse no-recurse", Values: "-m",
		Opts: []Opt{{"-d delete", NoArg, Changes}}, Forms: []Form{{"* *", Changes, ""}},
	},
	{
		Names: "tag", Local: true, ReadOnly: true,
		Flags:     "-alsfdvei annotate list sign no-sign force delete verify edit ignore-case create-reflog no-column omit-empty",
		Values:    "-mu message local-user cleanup sort format trailer",
		OptValues: "-n column color contains no-contains merged no-merged points-at with without",
		Opts:      []Opt{{"-F file", HasArg, Reads}},
		Forms: []Form{
			{"-d|-f|-a|-s|-m|-u|-F|-e|-v|--delete|--force|--annotate|--sign|--message|--local-user|--file|--edit|--verify", Changes, ""},
			{"!-l|-n|--list|--contains|--no-contains|--merged|--no-merged|--points-at|--with|--without *", Changes, ""},
			{"-s|-u|-v|-e|-f|--sign|--local-user|--verify|--edit|--force", Unbinds, mayDoMore},
			{"-a|--annotate !-m|-F|--message|--file=*", Unbinds, mayDoMore},
		},
	},
	{Names: "worktree", Subs: gitWorktreeSubs},
}
