package commands

var gitSubs = []Command{
	{
		Names: "add stage", Local: true, Silent: &Silence{With: "*", Unless: "f force p patch e edit i interactive"},
		Flags: "-AfinNpuve all force interactive dry-run intent-to-add patch update verbose edit refresh ignore-errors ignore-missing " +
			"renormalize sparse no-all ignore-removal no-ignore-removal pathspec-file-nul warn-embedded-repo no-warn-embedded-repo",
		Values: "chmod unified inter-hunk-context -U", Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}}, refine: gitReadsPaths,
		Examples: []Example{{"git add -A .", "read:. gitchange:."}, {"git add -p x", "read:x gitchange:."}, {"git add :/", "gitchange:."}},
	},
	{
		Names: "am",
		Flags: "-i3qsukmrcb interactive 3way quiet signoff utf8 keep keep-non-patch message-id keep-cr no-keep-cr scissors no-scissors " +
			"ignore-space-change ignore-whitespace reject continue resolved skip abort quit retry allow-empty " +
			"committer-date-is-author-date ignore-date rerere-autoupdate no-rerere-autoupdate no-verify no-gpg-sign",
		Values:    "-Cp directory exclude include whitespace patch-format quoted-cr resolvemsg empty",
		OptValues: "-S gpg-sign show-current-patch", Operands: Reads, refine: refineGitAm,
		Examples: []Example{{"git am x.patch", "read:x.patch write:? gitchange:."}, {"git am -3 -k", "write:? gitchange:."}, {"git am --abort", "gitchange:."}},
	},
	{
		Names: "annotate blame praise", ReadOnly: true,
		Flags: "-bcdeflnpstwkh root no-root incremental line-porcelain porcelain show-stats score-debug show-name show-number " +
			"show-email no-show-name no-show-email progress no-progress color-lines color-by-age minimal first-parent reverse",
		Values: "-L ignore-rev since date", OptValues: "-MC abbrev encoding",
		Opts:   []Opt{{"-S ignore-revs-file contents", HasArg, ReadsValue}, {"output", HasArg, WritesValue}, {"textconv ext-diff", NoArg, Executes}},
		refine: refineGitBlame,
		Examples: []Example{
			{"git blame -L 1,5 -- f", "ro read:f gitread:."}, {"git blame .env", "ro read:.env gitread:."},
			{"git blame -w -C -M HEAD~3 src/a.go", "ro read:src/a.go gitread:."},
			{"git blame --reverse --output=x a", "write:x narrow read:a gitchange:."},
			{"git blame --outp x a", "write:x narrow read:a gitchange:."},
			{"git annotate --ignore-revs-file .ign a", "ro read:.ign read:a gitread:."},
		},
	},
	{
		Names: "apply",
		Flags: "-N3zRvq no-add stat numstat summary check index intent-to-add cached apply 3way ignore-space-change ignore-whitespace " +
			"reverse unidiff-zero reject allow-overlap verbose quiet inaccurate-eof recount allow-empty allow-binary-replacement binary " +
			"ours theirs union",
		Opts:   []Opt{{"unsafe-paths", NoArg, Unsafe}, {"directory", HasArg, OutputsValue}, {"build-fake-ancestor", HasArg, WritesValue}},
		Values: "-Cp exclude include whitespace", Operands: Reads, Reading: &Reading{If: "stat numstat summary check", Unless: "apply 3 3way reject index cached N intent-to-add build-fake-ancestor directory"},
		refine: refineGitApply,
		Examples: []Example{
			{"git apply x.patch", "read:x.patch write:? gitchange:."}, {"git apply --stat x.patch", "ro read:x.patch gitread:."},
			{"git apply --check -p1 x.patch", "ro read:x.patch gitread:."},
			{"git apply --check --apply x.patch", "read:x.patch write:? gitchange:."},
			{"git apply --unsafe-p --directory=/etc x.patch", "narrow write:/etc read:x.patch write:? gitchange:."},
			{"git apply --build-fake-ancestor=.envrc --check x", "narrow write:.envrc read:x write:? gitchange:."},
		},
	},
	{
		Names: "archive", Flags: "-v0123456789 verbose worktree-attributes", Values: "format prefix mtime",
		Opts: []Opt{
			{"-o output", HasArg, WritesValue}, {"exec", HasArg, Executes}, {"add-file", HasArg, ReadsValue}, {"remote", HasArg, 0},
			{"add-virtual-file", HasArg, 0}, {"-l list", NoArg, Asks},
		},
		ReadsIfAsked: true, Reading: &Reading{Unless: "remote"}, refine: refineGitArchive,
		Examples: []Example{
			{"git archive -o x.tar HEAD", "write:x.tar narrow gitchange:."}, {"git archive -ox.tar HEAD", "write:x.tar narrow gitchange:."},
			{"git archive --outp=x.tar HEAD", "write:x.tar narrow gitchange:."},
			{"git archive --remote=. --exec=x HEAD", "narrow gitchange:. git --exec>>'x'"},
			{"git archive --remote=ext::x HEAD", "narrow gitchange:. git ext::>>'x'"}, {"git archive --list", "ro gitread:."},
		},
	},
	{Names: "bisect", Subs: gitBisectSubs},
	{
		Names: "branch", Local: true,
		Flags: "-avrilqf all verbose remotes list ignore-case quiet show-current no-color no-column force no-track no-abbrev " +
			"create-reflog delete move copy edit-description unset-upstream recurse-submodules -dDmMcC omit-empty",
		Values:    "-u set-upstream-to sort format points-at",
		OptValues: "-t track color column abbrev contains no-contains merged no-merged with without", refine: refineGitBranch,
		ReadOnly: true,
		Examples: []Example{
			{"git branch -a", "ro gitread:."}, {"git branch --show-current", "ro gitread:."}, {"git branch x", "gitchange:."},
			{"git branch -v x", "gitchange:."}, {"git branch --list x", "ro gitread:."}, {"git branch -l", "ro gitread:."},
			{"git branch -l x", "gitchange:."}, {"git branch -d x", "gitchange:."}, {"git branch --contains HEAD", "ro gitread:."}, {"git -C . branch", "ro gitread:."}, {"git branch --merged main --format=%x", "ro gitread:."},
			{"git branch --delet x", "gitchange:."}, {"git branch -vD x", "gitchange:."}, {"git branch --edit-desc", "gitchange:."},
			{"git branch --list --create-reflog x", "ro gitread:."}, {"git branch -uorigin/x", "gitchange:."},
			{`git branch --list "$x"`, "narrow gitread:."}, {`git branch --list -- "$x"`, "ro gitread:."}, {`git branch "$x"`, "narrow gitchange:."}, {"git branch $x", "narrow gitchange:."},
		},
	},
	{
		Names: "bugreport diagnose", OptValues: "diagnose", Values: "-s suffix mode", Opts: []Opt{{"-o output-directory", HasArg, WritesValue}}, refine: refineGitReport,
		Examples: []Example{
			{"git bugreport -o /x", "write:/x narrow write:/x/git-bugreport-* write:/x/git-diagnostics-* gitchange:."}, {"git diagnose", "write:git-bugreport-* write:git-diagnostics-* gitchange:."},
			{"git bugreport -o=x", "write:x write:=x write:=x/git-bugreport-* write:=x/git-diagnostics-* gitchange:. write:x/git-bugreport-* write:x/git-diagnostics-* gitchange:. narrow"},
			{"git bugreport -s ../../x", "write:? write:git-bugreport-* write:git-diagnostics-* gitchange:."},
		},
	},
	{
		Names: "bundle",
		Subs: []Command{
			{
				Names: "create", Flags: "-q quiet progress no-progress all-progress", Values: "version", Opts: []Opt{{"output", HasArg, WritesValue}}, refine: refineGitBundle,
				Examples: []Example{{"git bundle create x.b main", "write:x.b gitchange:."}, {"git bundle create - main", "write:- gitchange:."}, {"git bundle create x.b --output=y", "write:y narrow write:x.b gitchange:."}},
			},
			{Names: "verify list-heads", ReadOnly: true, Flags: "-q quiet", refine: gitFirstRead, Examples: []Example{{"git bundle verify x.b", "ro read:x.b gitread:."}}},
			{Names: "unbundle", refine: gitFirstRead, Examples: []Example{{"git bundle unbundle x.b", "read:x.b gitchange:."}}},
		},
	},
	{
		Names: "cat-file", ReadOnly: true,
		Flags:     "-tespzZ batch-all-objects buffer follow-symlinks unordered allow-unknown-type use-mailmap mailmap no-use-mailmap no-mailmap",
		OptValues: "batch batch-check batch-command", Values: "path filter", Opts: []Opt{{"textconv filters", NoArg, Executes}},
		refine: gitObjects,
		Examples: []Example{
			{"git cat-file -p HEAD", "ro gitread:."}, {"git cat-file -p :.env", "ro read:.env gitread:."}, {"git cat-file blob HEAD:./.env", "ro read:.env gitread:."}, {"git cat-file --batch-check", "ro gitread:."},
			{"git cat-file --textc HEAD:a", "narrow read:a gitchange:."}, {"git cat-file --filters --path=a HEAD:a", "narrow read:a gitread:."},
		},
	},
	{
		Names: "check-attr check-ignore check-mailmap check-ref-format var version show-index get-tar-commit-id " +
			"verify-pack count-objects",
		Flags: "-aqvznsH all cached stdin quiet verbose non-matching no-index human-readable allow-onelevel no-allow-onelevel normalize " +
			"refspec-pattern branch build-options stat-only",
		OptValues: "object-format", Values: "mailmap-blob", Opts: []Opt{{"mailmap-file", HasArg, ReadsValue}}, ReadOnly: true,
		Examples: []Example{{"git check-ignore -v x", "ro gitread:."}, {"git check-mailmap --mailmap-file=.env x", "ro read:.env gitread:."}, {"git count-objects -vH", "ro gitread:."}, {"git var GIT_EDITOR", "ro gitread:."}},
	},
	{
		Names:  "cherry ls-tree name-rev patch-id stripspace",
		Flags:  "-vdrtlzsc verbose long name-only name-status object-only full-name full-tree tags all stdin annotate-stdin always undefined no-undefined stable unstable verbatim strip-comments comment-lines no-abbrev",
		Values: "format refs exclude", OptValues: "abbrev", ReadOnly: true,
		Examples: []Example{
			{"git ls-tree -r HEAD", "ro gitread:."}, {"git cherry -v main", "ro gitread:."}, {"git name-rev --name-only HEAD", "ro gitread:."},
			{"git ls-tree -r --name-only HEAD src", "ro gitread:."},
		},
	},
	{
		Names: "checkout", Local: true,
		Flags: "-fqmpl23d force quiet merge patch detach guess no-guess no-track ours theirs ignore-skip-worktree-bits overlay " +
			"no-overlay progress no-progress overwrite-ignore no-overwrite-ignore ignore-other-worktrees pathspec-file-nul " +
			"no-recurse-submodules",
		Values: "-bB orphan conflict", OptValues: "-t track recurse-submodules", Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		refine: gitWritesPaths,
		Examples: []Example{
			{"git checkout evil -- .claude/settings.json", "write:.claude/settings.json gitchange:."},
			{"git checkout -b fix/x", "gitchange:."}, {"git checkout feature", "gitchange:."},
		},
	},
	{
		Names: "checkout-index", Flags: "-afqnuz all ignore-skip-worktree-bits force quiet no-create index stdin temp",
		Values: "stage prefix", refine: refineGitCheckoutIndex,
		Examples: []Example{
			{"git checkout-index -a -f --prefix=/tmp/x/", "write:/tmp/x/** gitchange:."}, {"git checkout-index --prefix=.e nv", "write:.env write:.env gitchange:."},
			{"git checkout-index -a --prefix .env", "write:.env*/** write:.env*/** gitchange:."}, {"git checkout-index .envrc", "write:.envrc write:.envrc gitchange:."}, {"git checkout-index --temp a", "write:.merge_file_* write:a write:.merge_file_* write:a gitchange:."},
		},
	},
	{
		Names: "clean", Flags: "-dfinqxX force interactive dry-run quiet no-interactive", Values: "-e exclude",
		Reading:  &Reading{If: "n dry-run", Unless: "i interactive"},
		Examples: []Example{{"git clean -n", "ro gitread:."}, {"git clean -nd src", "ro gitread:."}, {"git clean -fd", "gitchange:."}, {"git clean --dry", "gitchange:."}, {"git clean -n --no-dry-run -f", "gitchange:."}},
	},
	{
		Names: "clone",
		Flags: "-lnqsv46 local no-local hardlinks no-hardlinks shared checkout no-checkout bare naked mirror quiet verbose progress " +
			"dissociate single-branch no-single-branch no-tags shallow-submodules no-shallow-submodules remote-submodules " +
			"no-remote-submodules sparse reject-shallow no-reject-shallow also-filter-submodules ipv4 ipv6 tags",
		Values:    "-bjo branch origin depth jobs shallow-since shallow-exclude filter server-option bundle-uri ref-format revision",
		OptValues: "recurse-submodules recursive",
		Opts: []Opt{
			{"-u upload-pack", HasArg, Executes}, {"-c config template", HasArg, Unsafe}, {"separate-git-dir", HasArg, 0},
			{"reference reference-if-able", HasArg, ReadsValue},
		},
		refine: refineGitClone,
		Examples: []Example{
			{"git clone -u 'touch p;false' . /tmp/c", "write:/tmp/c/** gitchange:. narrow git -u>>'touch p;false'"},
			{"git clone -qlu 'touch p' . c", "write:c/** gitchange:. narrow git -u>>'touch p'"},
			{"git clone --upload-p='touch p' . c", "write:c/** gitchange:. narrow git --upload-pack>>'touch p'"},
			{"git clone --conf core.pager=x . c", "write:c/** gitchange:. narrow"},
			{"git clone --templ=/t . c", "write:c/** gitchange:. narrow"},
			{"git clone --reference /r https://h/a.git", "read:/r net:https://h/a.git write:a/** gitchange:."},
			{"git clone --depth 1 https://h/a/b.git", "net:https://h/a/b.git write:b/** gitchange:."},
			{"git clone git@h:a/b.git", "net:git@h:a/b.git write:b/** gitchange:."},
			{"git clone ext::sh x", "narrow write:x/** gitchange:. git ext::>>'sh'"},
			{"git clone fd::17 x", "narrow write:x/** gitchange:."},
		},
	},
	{Names: "unpack-file", refine: refineGitTemp, Examples: []Example{{"git unpack-file HEAD:.env", "read:.env write:.merge_file_* write:.merge_file_* gitchange:."}}},
	{
		Names: "column", ReadOnly: true, Flags: "no-mode", Values: "command raw-mode width indent nl padding", OptValues: "mode",
		Examples: []Example{{"git column --mode=row", "ro gitread:."}},
	},
	{
		Names: "commit", Local: true,
		Flags: "-apqsveinoz all patch quiet signoff no-signoff verbose edit no-edit amend verify no-verify allow-empty " +
			"allow-empty-message interactive include only dry-run short branch porcelain long null status no-status post-rewrite " +
			"no-post-rewrite reset-author no-gpg-sign ahead-behind no-ahead-behind pathspec-file-nul no-verbose",
		Values:    "-mcC message reuse-message reedit-message fixup squash author date cleanup trailer unified inter-hunk-context",
		OptValues: "-uS untracked-files gpg-sign", Opts: []Opt{{"-Ft file template pathspec-from-file", HasArg, ReadsValue}},
		refine: gitReadsPaths,
		Examples: []Example{
			{"git commit -m 'fix: rm -rf race'", "gitchange:."}, {"git commit -F .env", "read:.env gitchange:."}, {"git commit -am x", "gitchange:."},
			{"git commit -m x -- .env", "read:.env gitchange:."}, {"git commit --file=.env", "read:.env gitchange:."},
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
		Examples: []Example{
			{"git config user.name", "ro gitread:."}, {"git config a.b --get", "narrow write:.git/config gitchange:."}, {"git config --list", "ro gitread:."},
			{"git config --get-regexp ^alias", "ro gitread:."}, {"git config --get-color color.x red", "ro gitread:."},
			{"git config get core.pager", "ro gitread:."}, {"git config list --show-origin", "ro gitread:."},
			{"git config --file=x --get a.b", "ro read:x gitread:."}, {"git config core.hooksPath /tmp/hooks", "narrow write:.git/config gitchange:."},
			{"git config --local alias.x '!id'", "narrow write:.git/config gitchange:. git -c>>'id'"},
			{"git config user.email a@b.c", "narrow gitchange:."}, {"git config set --all user.email a@b.c", "narrow gitchange:."},
			{"git config --global core.pager x", "write:/home/u/.gitconfig gitchange:. narrow git -c>>'x'"},
			{"git config --glob core.editor x", "write:/home/u/.gitconfig gitchange:. narrow git -c>>'x'"},
			{"git config -f x a.b c", "narrow write:x gitchange:."}, {"git config -fx a.b c", "narrow write:x gitchange:."},
			{"git config --unse a.b", "narrow write:.git/config gitchange:."}, {"git config set a.b c", "narrow write:.git/config gitchange:."},
			{"git config unset a.b", "narrow write:.git/config gitchange:."},
			{"git config --edi", "narrow write:.git/config gitchange:."}, {"git config rename-section a b", "narrow write:.git/config gitchange:."},
			{`git config "$k"`, "narrow gitread:."},
		},
	},
	{
		Names: "credential credential-cache credential-osxkeychain credential-manager credential-libsecret daemon " +
			"http-backend http-push http-fetch shell filter-branch filter-repo fast-import hook upload-pack " +
			"upload-archive receive-pack cvsserver cvsimport cvsexportcommit archimport remote-ext remote-fd " +
			"for-each-repo svn p4 submodule--helper mergetool--lib scalar gui citool",
		Flags: "-adfnqrvs quiet verbose force stateless-rpc strict",
		Opts: []Opt{
			{"export-marks export-pack-edges", HasArg, WritesValue}, {"import-marks import-marks-if-exists", HasArg, ReadsValue},
			{"tree-filter index-filter msg-filter commit-filter tag-name-filter parent-filter env-filter setup access-hook -c command exec", HasArg, Executes},
		},
		Narrows: gitUnsafe,
		Examples: []Example{
			{"git filter-branch --tree-filter id", "gitchange:. narrow git --tree-filter>>'id'"}, {"git credential fill", "narrow gitchange:. prints-secret"},
			{"git shell -c id", "narrow gitchange:. git -c>>'id'"}, {"git hook run pre-commit", "narrow gitchange:."}, {"git fast-import", "narrow gitchange:."},
			{"git daemon --access-hook=./x", "narrow gitchange:. git --access-hook>>'./x'"}, {"git svn fetch", "narrow gitchange:."},
		},
	},
	{
		Names: "credential-store", Values: "file", Narrows: gitUnsafe, refine: refineGitStore,
		Examples: []Example{{"git credential-store --file=/x store", "write:/x narrow gitchange:."}, {"git credential-store --file .env get", "read:.env narrow gitchange:. prints-secret"}},
	},
	{
		Names: "quiltimport", Flags: "-n dry-run", Values: "author", Opts: []Opt{{"patches series", HasArg, ReadsValue}},
		Narrows: gitUnsafe, refine: func(c *Invocation) { c.writeUnknown() },
		Examples: []Example{{"git quiltimport --patches p", "read:p narrow write:? gitchange:."}},
	},
	{
		Names: "subtree", Flags: "-q quiet squash rejoin ignore-joins debug d", Values: "-mbP prefix message branch annotate onto", refine: refineGitSubtree,
		Examples: []Example{{"git subtree add --prefix=.claude https://h/r main", "net:https://h/r write:.claude/** gitchange:."}, {"git subtree pull -P lib ext::x main", "narrow write:lib/** gitchange:. git ext::>>'x'"}},
	},
	{
		Names: "describe", ReadOnly: true,
		Flags:  "all tags contains debug long always exact-match first-parent no-abbrev no-match no-exclude",
		Values: "match exclude candidates", OptValues: "abbrev dirty broken",
		Examples: []Example{{"git describe --tags --abbrev=0", "ro gitread:."}, {"git describe --tags --dirty --match 'v*'", "ro gitread:."}},
	},
	{
		Names: "diff diff-files diff-index diff-tree", ReadOnly: true, Flags: gitLogFlags + " -r",
		Values: gitDiffValues + " " + gitRevValues, OptValues: gitLogOpts, Opts: gitDiffOpts, refine: refineGitDiff,
		Examples: []Example{
			{"git diff -- package.json", "ro read:package.json gitread:."}, {"git diff --output=/x HEAD", "write:/x narrow gitchange:."},
			{"git diff --no-index /dev/null .env", "ro read:.env gitread:."}, {"git diff /dev/null .env", "ro read:.env gitread:."}, {"git diff HEAD:.env b:a", "ro read:.env read:a gitread:."},
			{"git diff /etc/hosts ../b", "ro read:/etc/hosts read:/b gitread:."}, {"git diff --outp x", "write:x narrow gitchange:."},
			{"git diff --stat main..HEAD", "ro gitread:."}, {"git diff --ext-diff", "narrow gitread:."},
			{"git diff --ext", "narrow gitchange:."}, {"git diff --textc", "narrow gitchange:."},
			{"git diff-index --output .envrc HEAD", "write:.envrc narrow gitchange:."}, {"git diff --cached --name-only", "ro gitread:."},
			{"git diff -U10 HEAD~1", "ro gitread:."}, {"git diff --word-diff=color -M90% --stat=100", "ro gitread:."},
			{"git diff -Oorder --submodule=log", "ro read:order gitread:."},
			{"git diff-tree --no-commit-id --name-only -r HEAD", "ro gitread:."},
		},
	},
	{
		Names:  "difftool mergetool",
		Flags:  "-dgy dir-diff gui no-gui prompt no-prompt no-trust-exit-code trust-exit-code symlinks no-symlinks tool-help no-index cached staged",
		Values: "-tO tool", Opts: []Opt{{"-x extcmd", HasArg, Executes}, {"output", HasArg, WritesValue}}, Narrows: gitUnsafe,
		refine: refineGitDiff,
		Examples: []Example{
			{"git difftool --no-index .env a", "narrow read:.env read:a gitchange:."},
			{"git difftool -x id", "gitchange:. narrow git -x>>'id'"}, {"git difftool -yx id", "gitchange:. narrow git -x>>'id'"},
			{"git difftool --extc=id HEAD", "gitchange:. narrow git --extcmd>>'id'"}, {"git mergetool --tool=x", "gitchange:. narrow"},
		},
	},
	{
		Names:  "fast-export",
		Flags:  "fake-missing-tagger full-tree use-done-feature no-data data anonymize reference-excluded-parents show-original-ids mark-tags all",
		Values: "progress signed-tags tag-of-filtered-object reencode refspec anonymize-map",
		Opts:   []Opt{{"export-marks output", HasArg, WritesValue}, {"import-marks import-marks-if-exists", HasArg, ReadsValue}},
		refine: gitPaths, Examples: []Example{{"git fast-export --export-marks=/x --all", "write:/x narrow gitchange:."}},
	},
	{
		Names: "fetch",
		Flags: "-apPftnqvkum46 all append atomic dry-run force keep multiple prune prune-tags no-tags tags quiet verbose progress " +
			"no-progress prefetch update-shallow unshallow refetch update-head-ok ipv4 ipv6 write-fetch-head no-write-fetch-head " +
			"no-auto-gc auto-gc no-auto-maintenance auto-maintenance show-forced-updates no-show-forced-updates set-upstream porcelain " +
			"write-commit-graph no-recurse-submodules negotiate-only stdin no-prune no-all",
		Values:    "-jo jobs depth deepen shallow-since shallow-exclude refmap server-option negotiation-tip filter submodule-prefix",
		OptValues: "recurse-submodules recurse-submodules-default", Opts: []Opt{{"upload-pack", HasArg, Executes}}, refine: refineGitRemote,
		Examples: []Example{
			{"git fetch --prune origin", "gitchange:."}, {"git fetch --upl 'touch p' .", "gitchange:. narrow git --upload-pack>>'touch p'"},
			{"git fetch -o x --upload-pack=y .", "gitchange:. narrow git --upload-pack>>'y'"},
			{"git fetch ext::x", "narrow gitchange:. git ext::>>'x'"}, {"git fetch https://h/r main", "net:https://h/r gitchange:."},
			{`git fetch "$x"`, "narrow gitchange:."},
		},
	},
	{
		Names: "pull",
		Flags: "-apftnqvkre46 all append atomic dry-run force keep prune tags no-tags quiet verbose progress update-shallow unshallow " +
			"ipv4 ipv6 no-rebase ff no-ff ff-only squash no-squash commit no-commit edit no-edit stat no-stat summary autostash " +
			"no-autostash verify no-verify signoff no-signoff allow-unrelated-histories show-forced-updates set-upstream no-log " +
			"no-gpg-sign verify-signatures no-verify-signatures no-recurse-submodules compact-summary",
		Values:    "-oX depth deepen shallow-since shallow-exclude refmap server-option negotiation-tip strategy-option cleanup",
		OptValues: "-jS rebase jobs recurse-submodules gpg-sign log",
		Opts:      []Opt{{"upload-pack", HasArg, Executes}, {"-s strategy", HasArg, 0}}, refine: refineGitPull,
		Examples: []Example{
			{"git pull --rebase origin main", "gitchange:."},
			{"git pull -S --upload-pack=x .", "gitchange:. narrow git --upload-pack>>'x'"},
			{"git pull -j --upload-pack=x .", "gitchange:. narrow git --upload-pack>>'x'"}, {"git pull -s ours", "gitchange:."},
			{"git pull --strategy=evil", "narrow gitchange:."},
		},
	},
	{
		Names: "ls-remote", ReadOnly: true, Flags: "-qtbh quiet tags branches heads refs get-url exit-code symref",
		Values: "-o sort server-option", Opts: []Opt{{"upload-pack exec", HasArg, Executes}}, refine: refineGitLsRemote,
		Examples: []Example{
			{"git ls-remote --upload-p=x .", "gitchange:. narrow git --upload-pack>>'x'"},
			{"git ls-remote --exec x .", "gitchange:. narrow git --exec>>'x'"}, {"git ls-remote --heads origin main", "ro gitread:."},
			{"git ls-remote https://h/a.git", "ro net:https://h/a.git gitread:."},
			{"git ls-remote git@h:a.git", "ro net:git@h:a.git gitread:."}, {"git ls-remote h:x", "ro net:h:x gitread:."},
			{"git ls-remote ext::x", "narrow gitchange:. git ext::>>'x'"}, {`git ls-remote "$x"`, "narrow gitchange:."},
			{`git ls-remote -- "$x"`, "gitchange:."}, {`git ls-remote origin -- "$x"`, "ro gitread:."},
		},
	},
	{
		Names: "for-each-ref show-ref", ReadOnly: true,
		Flags: "-dhqsp omit-empty ignore-case shell perl python tcl stdin include-root-refs head tags heads branches dereference verify " +
			"quiet exists no-contains no-merged",
		Values: "count format sort points-at exclude start-after", OptValues: "color contains merged hash abbrev exclude-existing",
		Examples: []Example{
			{"git for-each-ref --sort=x --format=%a refs/heads", "ro gitread:."}, {"git show-ref --verify --quiet refs/heads/x", "ro gitread:."},
			{"git for-each-ref '--format=%(signature)'", "gitchange:."},
		},
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
			{"output", HasArg, WritesValue}, {"-o output-directory", HasArg, OutputsValue}, {"ext-diff textconv", NoArg, Executes},
			{"description-file signature-file -O", HasArg, ReadsValue},
		},
		refine: refineGitFormatPatch,
		Examples: []Example{
			{"git format-patch -1 HEAD", "write:[0-9v]* write:[0-9] gitchange:."}, {"git format-patch -o out -1", "write:out write:out/[0-9v]* write:out/[0-9] gitchange:."},
			{"git format-patch --output=x -1", "write:x narrow gitchange:."}, {"git format-patch -ok -1", "write:k write:k/[0-9v]* write:k/[0-9] gitchange:."}, {"git format-patch --stdout -1", "gitchange:."},
		},
	},
	{
		Names: "fsck", ReadOnly: true,
		Flags: "-v tags root unreachable cache no-reflogs reflogs full no-full strict verbose dangling no-dangling progress no-progress " +
			"connectivity-only name-objects references no-references",
		Opts: []Opt{{"lost-found", NoArg, Changes}}, Examples: []Example{{"git fsck", "ro gitread:."}, {"git fsck --lost", "gitchange:."}},
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
		Examples: []Example{
			{"git grep -n TODO", "ro gitread:."}, {"git grep -O'touch p' TODO", "gitchange:. narrow git -O>>'touch p'"},
			{"git grep -nO'touch p' TODO", "gitchange:. narrow git -O>>'touch p'"},
			{"git grep --open-files-in-pager='touch p' TODO", "gitchange:. narrow git --open-files-in-pager>>'touch p'"},
			{"git grep --open-f x", "narrow gitchange:."}, {"git grep --textc x", "narrow gitchange:."},
			{"git grep --no-index x .env", "ro read:.env gitread:."}, {"git grep -e a --and -e b -- .env", "ro read:.env gitread:."},
			{"git grep -f pats x", "ro read:pats read:x gitread:."}, {"git grep x -- .env", "ro read:.env gitread:."},
		},
	},
	{
		Names: "help", Flags: "-v no-external-commands external-commands no-aliases aliases verbose exclude-guides",
		Opts: []Opt{
			{"-iwm info man web", NoArg, Executes},
			{"-agc all guides config user-interfaces developer-interfaces config-for-completion config-sections-for-completion", NoArg, Asks},
		},
		ReadsSome: true, Bare: true, // lists are printed, a manual page starts a viewer
		Examples: []Example{{"git help -a", "ro gitread:."}, {"git help", "ro gitread:."}, {"git help log", "gitchange:."}, {"git help -w log", "narrow gitchange:."}, {"git help --we log", "narrow gitchange:."}},
	},
	{
		Names:  "imap-send send-email instaweb web--browse",
		Flags:  "-qvp quiet verbose dry-run annotate compose local start stop restart",
		Values: "-bdc from to cc bcc subject in-reply-to smtp-server-port smtp-user confirm suppress-cc port module-path transfer-encoding",
		Opts: []Opt{
			{"smtp-server sendmail-cmd to-cmd cc-cmd header-cmd httpd browser tool", HasArg, Executes}, {"config identity", HasArg, Unsafe},
		},
		Narrows: gitUnsafe, refine: gitPaths,
		Examples: []Example{
			{"git send-email .env", "narrow read:.env gitchange:."},
			{"git send-email --smtp-server=/tmp/x a.patch", "read:a.patch narrow gitchange:. git --smtp-server>>'/tmp/x'"},
			{"git send-email --to-cmd=id a.patch", "read:a.patch narrow gitchange:. git --to-cmd>>'id'"},
			{"git web--browse --browser=x u", "read:u narrow gitchange:. git --browser>>'x'"}, {"git instaweb --httpd x", "narrow gitchange:. git --httpd>>'x'"},
		},
	},
	{
		Names: "init init-db", Flags: "-q quiet bare", Values: "-b initial-branch object-format ref-format",
		OptValues: "shared", Opts: []Opt{{"template", HasArg, Unsafe}, {"separate-git-dir", HasArg, 0}}, refine: refineGitInit,
		Operands: Writes,
		Examples: []Example{
			{"git init x", "write:x gitchange:."}, {"git init", "gitchange:."}, {"git init --templ=/t", "narrow write:.git/hooks/** gitchange:."},
			{"git init --bare -b x .", "write:./** write:. gitchange:."}, {"git init --template= x", "narrow write:x gitchange:."}, {"git --git-dir=/x init", "narrow write:/x/** gitchange:. gitchange:/x"},
		},
	},
	{
		Names: "interpret-trailers", Flags: "trim-empty only-trailers only-input unfold parse no-divider divider",
		Values: "where if-exists if-missing", Opts: []Opt{{"in-place", NoArg, 0}, {"trailer", HasArg, 0}}, Reading: &Reading{If: "parse only-input", Unless: "in-place trailer"},
		refine: refineGitTrailers,
		Examples: []Example{
			{"git interpret-trailers --parse m", "ro read:m gitread:."}, {"git interpret-trailers --in-place --trailer x=y m", "write:m gitchange:."},
			{"git interpret-trailers --trailer x=y m", "read:m gitchange:."}, {"git interpret-trailers --parse --in-pl m", "write:m gitchange:."},
		},
	},
	{
		Names: "lfs",
		Subs: []Command{
			{Names: "ls-files env status version pointer", Flags: "-lsnadjp long size name-only all deleted json porcelain debug", ReadOnly: true, Examples: []Example{{"git lfs ls-files -s", "ro gitread:."}}},
			{Names: "fetch pull push track untrack install uninstall update migrate prune checkout lock unlock locks " +
				"clone clean smudge filter-process", Examples: []Example{{"git lfs pull", "gitchange:."}}},
		},
	},
	{
		Names: "log whatchanged", ReadOnly: true, Special: &Special{Tokens: commitHashes}, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts,
		Opts: gitDiffOpts, refine: refineGitDiff,
		Examples: []Example{
			{"git log --oneline -5", "ro gitread:."}, {"git log -S'eval(' --oneline", "ro gitread:."},
			{`git log --grep "force push"`, "ro gitread:."}, {"git log -1 --output .envrc", "write:.envrc narrow gitchange:."},
			{"git log -p --follow -- src/app.ts", "ro read:src/app.ts gitread:."}, {"git log -n 5 --format='%h %s'", "ro gitread:."},
			{`git log -n "$n" --oneline`, "ro gitread:."}, {"git log --date short --since 2.days --author me", "ro gitread:."},
			{"git log --show-signature", "gitchange:."}, {"git log --show-sig -1", "gitchange:."}, {"git log --format=%G?", "gitchange:."}, {"git log --pretty='format:%h %GK'", "gitchange:."}, {`git log --format="$x"`, "gitchange:."},
			{"git log --encoding --output=x", "write:x narrow gitchange:."},
			{"git log --min-parents --output=x", "write:x narrow gitchange:."},
			{"git log --decorate --output=x", "write:x narrow gitchange:."}, {"git log --pretty --outp=x", "write:x narrow gitchange:."},
			{"git log -z --ext-d", "narrow gitchange:."}, {`git log "$x"`, "narrow gitread:."}, {`git log --since="$x"`, "ro gitread:."},
			{`git log -- "$x"`, "ro read:? gitread:."},
		},
	},
	{
		Names: "show", ReadOnly: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts,
		refine: refineGitDiff,
		Examples: []Example{
			{"git show HEAD:src/app.ts", "ro read:src/app.ts gitread:."}, {"git show --stat HEAD", "ro gitread:."}, {"git show -s --format=%B HEAD", "ro gitread:."},
			{"git show --output=x HEAD", "write:x narrow gitchange:."}, {"git show --textconv HEAD:a", "narrow read:a gitread:."},
		},
	},
	{
		Names: "rev-list", ReadOnly: true, Special: &Special{Tokens: countsOrHashes, Integers: countsCommits},
		Flags:  gitLogFlags + " use-bitmap-index header maximal-only object-names no-object-names bisect-vars bisect-all merge-base progress",
		Values: gitDiffValues + " " + gitRevValues, OptValues: gitLogOpts, Opts: gitDiffOpts, refine: refineGitDiff,
		Examples: []Example{{"git rev-list --count HEAD", "ro gitread:."}, {"git rev-list --left-right --count a...b", "ro gitread:."}, {"git rev-list --outp=x HEAD", "write:x narrow gitchange:."}},
	},
	{
		Names: "shortlog", ReadOnly: true,
		Flags:  "-csneh0123456789 committer numbered summary email all merges no-merges first-parent no-mailmap regexp-ignore-case invert-grep reverse",
		Values: "group max-count skip since after until before author grep", OptValues: "-w format branches tags remotes date",
		Opts: gitDiffOpts, refine: refineGitDiff,
		Examples: []Example{
			{"git shortlog -sn", "ro gitread:."}, {"git shortlog -sne --all --no-merges", "ro gitread:."}, {`git shortlog -n "$x"`, "narrow gitread:."},
			{"git shortlog --committer --output=x HEAD", "write:x narrow gitchange:."},
		},
	},
	{
		Names: "range-diff", ReadOnly: true, Flags: gitDiffFlags + " no-dual-color dual-color left-only right-only no-notes",
		Values: gitDiffValues + " creation-factor diff-merges", OptValues: gitDiffOptValues + " notes", Opts: gitDiffOpts,
		refine:   refineGitDiff,
		Examples: []Example{{"git range-diff main a b", "ro read:main read:a read:b gitread:."}, {"git range-diff --output=x a b c", "write:x narrow read:a read:b read:c gitchange:."}},
	},
	{
		Names: "show-branch", ReadOnly: true,
		Flags:     "-ar all remotes list no-name name current sha1-name merge-base independent topo-order date-order topics sparse no-color",
		OptValues: "-g more color reflog", Examples: []Example{{"git show-branch -a", "ro gitread:."}},
	},
	{
		Names: "ls-files", ReadOnly: true,
		Flags: "-cdmoiskutvfz cached deleted modified others ignored stage directory no-empty-directory eol killed unmerged " +
			"error-unmatch full-name recurse-submodules debug deduplicate sparse resolve-undo exclude-standard empty-directory",
		Values: "-x exclude with-tree format exclude-per-directory", OptValues: "abbrev",
		Opts:     []Opt{{"-X exclude-from", HasArg, ReadsValue}},
		Examples: []Example{{"git ls-files -o --exclude-standard", "ro gitread:."}, {"git ls-files --error-unmatch a", "ro gitread:."}},
	},
	{
		Names: "gc prune prune-packed repack pack-refs rerere update-ref write-tree commit-tree flow replace mktag " +
			"unpack-objects pack-redundant refs fmt-merge-msg commit-graph multi-pack-index update-server-info " +
			"merge-tree verify-commit verify-tag backfill merge-one-file",
		Flags: "-qfadlznAk quiet auto aggressive all force verbose stdin no-deref create-reflog dry-run write-tree trivial-merge " +
			"name-only no-messages messages cruft graft raw list progress no-progress keep-unreachable unpack-unreachable",
		Values:    "-mpv task schedule expire window depth threads object-dir merge-base cruft-expiration prefix format filter filter-to",
		OptValues: "prune", Opts: []Opt{{"-e edit", NoArg, 0}, {"-F file", HasArg, ReadsValue}}, refine: refineGitStorage,
		Examples: []Example{
			{"git gc --auto", "gitchange:."}, {"git update-ref -d refs/heads/x", "gitchange:."}, {"git replace -l", "gitchange:."}, {"git commit-tree -F .env HEAD", "read:.env gitchange:."},
			{"git repack -ad --filter=blob:none --filter-to=/x/p", "write:/x/p* gitchange:."},
		},
	},
	{
		// hands its operands to others
		Names: "request-pull", Flags: "-p", Opts: []Opt{{"upload-pack exec", HasArg, Executes}}, refine: refineGitRequest,
		Examples: []Example{
			{"git request-pull v1 ext::x", "narrow gitchange:. git ext::>>'x'"}, {"git request-pull -p v1 https://h/x main", "net:https://h/x gitchange:."},
			{"git request-pull -p -- v1 --upload-pack=./x", "narrow gitchange:. git --upload-pack>>'./x'"},
		},
	},
	{Names: "mktree", Flags: "-z missing batch", Examples: []Example{{"git mktree", "gitchange:."}}},
	{
		Names: "update-index",
		Flags: "-qgz again add remove refresh really-refresh ignore-submodules ignore-missing unmerged assume-unchanged " +
			"no-assume-unchanged skip-worktree no-skip-worktree fsmonitor-valid no-fsmonitor-valid info-only force-remove replace " +
			"index-info stdin verbose unresolve clear-resolve-undo split-index no-split-index untracked-cache no-untracked-cache " +
			"test-untracked-cache force-untracked-cache force-write-index fsmonitor no-fsmonitor ignore-skip-worktree-entries " +
			"show-index-version",
		Values: "chmod cacheinfo index-version", refine: refineGitIndex,
		Examples: []Example{
			{"git update-index --refresh", "gitchange:."}, {"git update-index --add --cacheinfo 100644,1,.envrc", "write:.envrc gitchange:."},
			{"git update-index --add --cacheinfo 100644 1 .envrc", "write:.envrc read:1 read:.envrc gitchange:."}, {"git update-index --index-info", "write:? gitchange:."},
			{"git update-index --chmod=+x a", "read:a gitchange:."},
		},
	},
	{
		Names: "mailinfo mailsplit", Style: StopAtOperand, Flags: "-kbunm message-id encoding scissors no-scissors keep-cr mboxrd", Values: "quoted-cr", OptValues: "-dof", refine: refineGitMail,
		Examples: []Example{
			{"git mailinfo ~/.bashrc b", "write:/home/u/.bashrc write:b gitchange:."}, {"git mailsplit -oout x.mbox", "write:out/** read:x.mbox gitchange:."}, {"git mailsplit -o.claude x", "write:.claude/** read:x gitchange:."},
		},
	},
	{
		Names: "maintenance",
		Subs: []Command{
			{Names: "run", Flags: "auto quiet schedule", Values: "task", Examples: []Example{{"git maintenance run", "gitchange:."}}},
			{
				Names: "start stop register unregister", Flags: "-f force", Values: "scheduler", Opts: []Opt{{"config-file", HasArg, WritesValue}}, Narrows: gitUnsafe, refine: refineGitRegister,
				Examples: []Example{{"git maintenance start", "narrow write:/home/u/.gitconfig gitchange:."}},
			},
		},
	},
	{
		Names: "pack-objects index-pack", refine: refineGitPack,
		Flags: "-qv stdout stdin quiet progress all all-progress all-progress-implied revs local incremental non-empty verify strict " +
			"fsck-objects delta-base-offset thin keep-true-parents reflog indexed-objects unpacked include-tag no-reuse-delta " +
			"no-reuse-object rev-index fix-thin",
		Values: "window depth threads window-memory max-pack-size index-version filter max-input-size object-format", OptValues: "keep promisor honor-pack-keep stdin-packs unpack-unreachable",
		Opts: []Opt{{"-o", HasArg, WritesValue}},
		Examples: []Example{
			{"git index-pack -o /x a.pack", "write:/x narrow read:a.pack write:a.* gitchange:."}, {"git pack-objects .claude/x", "write:.claude/x* write:.claude/x* gitchange:."},
			{"git pack-objects --stdout", "gitchange:."}, {"git index-pack --stdin .envrc", "write:.envrc write:.envrc* gitchange:."},
		},
	},
	{
		Names: "merge-index", Style: NoOptions, refine: refineGitMergeIndex,
		Examples: []Example{
			{"git merge-index -o git-merge-one-file -a", "narrow gitchange:. git merge-index>>git-merge-one-file"},
			{"git merge-index ./x -a", "narrow gitchange:. git merge-index>>./x"},
		},
	},
	{
		Names: "read-tree", Flags: "-vmuinq empty verbose trivial aggressive reset dry-run no-sparse-checkout debug-unpack quiet",
		Values: "prefix exclude-per-directory", OptValues: "recurse-submodules", Opts: []Opt{{"index-output", HasArg, WritesValue}}, refine: refineGitReadTree,
		Examples: []Example{
			{"git read-tree --index-outp=/x HEAD", "write:/x narrow gitchange:."}, {"git read-tree HEAD", "gitchange:."}, {"git read-tree --prefix=.claude/ -u x", "write:.claude/** write:.claude/** gitchange:."},
		},
	},
	{
		Names: "merge",
		Flags: "-neqvk stat no-stat summary squash no-squash commit no-commit edit no-edit ff no-ff ff-only rerere-autoupdate " +
			"no-rerere-autoupdate verify-signatures no-verify-signatures verbose quiet abort quit continue allow-unrelated-histories " +
			"progress no-progress autostash no-autostash overwrite-ignore no-overwrite-ignore signoff no-signoff verify no-verify " +
			"no-log no-gpg-sign compact-summary",
		Values: "-mX message strategy-option cleanup into-name", OptValues: "-S gpg-sign log",
		Opts: []Opt{{"-F file", HasArg, ReadsValue}, {"-s strategy", HasArg, 0}}, refine: refineGitStrategy,
		Examples: []Example{
			{"git merge main", "gitchange:."}, {"git merge --abort", "gitchange:."}, {"git merge -s evil main", "narrow gitchange:."},
			{"git merge -sours main", "gitchange:."}, {"git merge -Xsubtree=.claude x", "write:.claude/** gitchange:."}, {"git merge -X ours x", "gitchange:."}, {"git merge --no-ff -m 'x y' topic", "gitchange:."}, {"git merge --strat=evil x", "narrow gitchange:."},
		},
	},
	{
		Names: "cherry-pick revert",
		Flags: "-nesx quit continue abort skip no-commit commit edit no-edit signoff no-signoff rerere-autoupdate no-rerere-autoupdate " +
			"ff allow-empty allow-empty-message keep-redundant-commits no-gpg-sign reference",
		Values: "-mX cleanup mainline strategy-option", OptValues: "-S gpg-sign empty",
		Opts: []Opt{{"strategy", HasArg, 0}, {"output", HasArg, WritesValue}}, refine: refineGitPick,
		Examples: []Example{
			{"git cherry-pick --abort", "gitchange:."}, {"git cherry-pick -x a..b", "gitchange:."}, {"git revert --no-edit HEAD", "gitchange:."},
			{"git cherry-pick --strategy evil a", "narrow gitchange:."}, {"git cherry-pick a --output=.envrc", "write:.envrc narrow write:.envrc gitchange:."},
		},
	},
	{
		Names: "reset", Local: true,
		Flags:  "-qpN quiet hard soft mixed merge keep patch no-refresh refresh intent-to-add pathspec-file-nul recurse-submodules no-recurse-submodules no-quiet",
		Values: "unified inter-hunk-context", Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}},
		Examples: []Example{{"git reset --soft HEAD~1", "gitchange:."}, {"git reset HEAD -- a", "gitchange:."}},
	},
	{
		Names: "switch", Local: true,
		Flags: "-qmdf guess no-guess discard-changes quiet progress no-progress merge detach force overwrite-ignore no-overwrite-ignore " +
			"ignore-other-worktrees no-track no-recurse-submodules",
		Values: "-cC create force-create orphan conflict", OptValues: "-t track recurse-submodules",
		Examples: []Example{{"git switch -c x", "gitchange:."}, {"git switch -", "gitchange:."}, {"git switch --orphan x", "gitchange:."}},
	},
	{
		Names: "merge-base", ReadOnly: true, Special: &Special{Tokens: always}, Flags: "-a all octopus independent is-ancestor fork-point",
		Examples: []Example{{"git merge-base main HEAD", "ro gitread:."}, {"git merge-base --is-ancestor a b", "ro gitread:."}},
	},
	{
		Names: "rev-parse", ReadOnly: true, Special: &Special{Tokens: plainRevisions}, refine: gitObjects, // the name of an object is as good as the file's, one command later
		Flags: "-q all sq sq-quote revs-only no-revs flags no-flags verify quiet not symbolic symbolic-full-name local-env-vars " +
			"is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-toplevel show-prefix show-cdup " +
			"show-superproject-working-tree git-dir absolute-git-dir git-common-dir shared-index-path parseopt keep-dashdash " +
			"stop-at-non-option stuck-long end-of-options show-ref-format",
		Values: "default prefix resolve-git-dir git-path",
		OptValues: "short abbrev-ref show-object-format branches tags remotes glob exclude exclude-hidden disambiguate path-format " +
			"since after until before",
		Examples: []Example{
			{"git rev-parse --abbrev-ref HEAD", "ro gitread:."}, {"git rev-parse --git-path hooks", "ro gitread:."},
			{"git rev-parse --show-toplevel", "ro gitread:."}, {"git rev-parse :.env", "ro read:.env gitread:."}, {"git rev-parse --short=8 HEAD", "ro gitread:."},
		},
	},
	{
		Names: "merge-file", Flags: "-pq stdout diff3 zdiff3 ours theirs union quiet object-id", Values: "-L marker-size diff-algorithm",
		Reading: &Reading{If: "p stdout", Unless: "object-id"}, refine: refineGitMergeFile,
		Examples: []Example{{"git merge-file a b c", "write:a read:b read:c gitchange:."}, {"git merge-file -p a b c", "ro read:a read:b read:c gitread:."}},
	},
	{
		Names: "mv", Local: true, Flags: "-fknv force dry-run verbose sparse", Operands: Moves,
		Examples: []Example{{"git mv a b", "delete:a write:b/** write:b/a/** gitchange:."}},
	},
	{Names: "notes", ReadOnly: true, Values: "ref", Subs: gitNotesSubs},
	{
		Names: "push",
		Flags: "-adnquvt46 all branches mirror tags follow-tags no-follow-tags atomic no-atomic dry-run porcelain delete no-force " +
			"force-if-includes no-force-if-includes no-force-with-lease prune quiet set-upstream thin no-thin verbose verify no-verify " +
			"progress no-progress ipv4 ipv6 no-recurse-submodules",
		Values: "-o push-option recurse-submodules", OptValues: "force-with-lease signed",
		Opts: []Opt{{"-f force", NoArg, 0}, {"receive-pack exec", HasArg, Executes}, {"repo", HasArg, 0}}, refine: refineGitRemote,
		Examples: []Example{
			{"git push origin main", "gitchange:."}, {"git push --receive-pack=x", "gitchange:. narrow git --receive-pack>>'x'"},
			{"git push --exec 'touch p' . x", "gitchange:. narrow git --exec>>'touch p'"}, {"git push --receive-p='touch p' .", "gitchange:. narrow git --receive-pack>>'touch p'"},
			{"git push ext::x a", "narrow gitchange:. git ext::>>'x'"}, {"git push --repo=ext::x", "narrow gitchange:. git ext::>>'x'"},
		},
	},
	{
		Names: "rebase",
		Flags: "-ifkqvmnr interactive continue skip abort quit edit-todo show-current-patch keep-empty no-keep-empty root autosquash " +
			"no-autosquash autostash no-autostash no-verify verify quiet verbose stat no-stat no-ff ff force-rebase fork-point " +
			"no-fork-point update-refs no-update-refs reschedule-failed-exec no-reschedule-failed-exec apply merge " +
			"committer-date-is-author-date reset-author-date ignore-date ignore-whitespace allow-empty-message signoff " +
			"reapply-cherry-picks no-reapply-cherry-picks no-gpg-sign rerere-autoupdate preserve-merges no-rebase-merges keep-base",
		Values: "-XC onto strategy-option empty whitespace trailer", OptValues: "-S rebase-merges gpg-sign",
		Opts: []Opt{{"-x exec", HasArg, 0}, {"-s strategy", HasArg, 0}, {"-", NoArg, Executes}}, refine: refineGitRebase,
		Examples: []Example{
			{"git rebase main", "gitchange:."}, {"git rebase --exec 'make x' main", "narrow gitchange:. git rebase -x>'make x'"},
			{"git rebase -ix 'make x' main", "narrow gitchange:. git rebase -x>'make x'"}, {"git rebase --exe='make x' main", "narrow gitchange:. git rebase -x>'make x'"},
			{"git rebase -S -x id main", "narrow gitchange:. git rebase -x>'id'"}, {"git rebase --keep-base --exec id x", "narrow gitchange:. git rebase -x>'id'"},
			{"git rebase --abort", "gitchange:."}, {"git rebase -s evil main", "narrow gitchange:."}, {"git rebase --onto a b c", "gitchange:."},
		},
	},
	{
		Names: "fetch-pack send-pack",
		Flags: "-qkv all stdin thin no-progress include-tag stateless-rpc mirror dry-run force atomic progress", Values: "depth remote",
		Opts: []Opt{{"upload-pack receive-pack exec", HasArg, Executes}}, refine: refineGitRemote,
		Examples: []Example{{"git fetch-pack --upload-pack=x h:r", "gitchange:. narrow git --upload-pack>>'x'"}, {"git fetch-pack --exec=x h:r", "gitchange:. narrow git --exec>>'x'"}},
	},
	{
		Names: "hash-object", ReadOnly: true, Flags: "stdin stdin-paths no-filters literally", Values: "-t path", Opts: []Opt{{"-w", NoArg, Changes}, {"filters", NoArg, Executes}}, Operands: Reads, refine: refineGitHash,
		Examples: []Example{{"git hash-object -w x", "read:x gitchange:."}, {"git hash-object x", "ro read:x gitread:."}, {"git hash-object -tblob -w x", "read:x gitchange:."}, {"git hash-object -t tree -w x", "read:x narrow gitchange:."}},
	},
	{
		Names: "reflog", ReadOnly: true, OwnOperands: true, Flags: gitLogFlags, Values: gitLogValues, OptValues: gitLogOpts, Opts: gitDiffOpts, refine: refineGitReflog, Subs: gitReflogSubs, Examples: []Example{{"git reflog main", "ro gitread:."}, {"git reflog -5 --date=iso", "ro gitread:."}, {"git reflog \"$x\"", "narrow gitchange:."}, {"git reflog --output=x", "write:x narrow gitchange:."}},
	},
	{Names: "remote", ReadOnly: true, Flags: "-v verbose", Subs: gitRemoteSubs},
	{
		Names: "restore", Local: true,
		Flags: "-pSWqm2 patch staged worktree quiet progress no-progress ours theirs merge ignore-unmerged ignore-skip-worktree-bits " +
			"overlay no-overlay recurse-submodules pathspec-file-nul -3",
		Values: "-s source conflict", Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}}, refine: refineGitRestore,
		Examples: []Example{{"git restore --staged x", "gitchange:."}, {"git restore .envrc", "write:.envrc gitchange:."}},
	},
	{
		Names: "rm", Local: true, Flags: "-fnqr force dry-run quiet cached ignore-unmatch sparse pathspec-file-nul",
		Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}}, refine: refineGitRm,
		Examples: []Example{{"git rm -r --cached x", "gitchange:."}, {"git rm x", "delete:x gitchange:."}, {"git rm -rf d", "delete:d/** gitchange:."}},
	},
	{
		Names: "sparse-checkout",
		Subs: []Command{
			{Names: "list check-rules", ReadOnly: true, Flags: "-z cone no-cone", Opts: []Opt{{"rules-file", HasArg, ReadsValue}}, Examples: []Example{{"git sparse-checkout list", "ro gitread:."}}},
			{Names: "set add init reapply disable clean", Examples: []Example{{"git sparse-checkout set x", "gitchange:."}}},
		},
	},
	{
		Names: "stash", Local: true, Flags: "-pkuaqS patch keep-index no-keep-index include-untracked all quiet staged pathspec-file-nul",
		Values: "-m message", Opts: []Opt{{"pathspec-from-file", HasArg, ReadsValue}}, Subs: gitStashSubs,
	},
	{
		Names: "status", ReadOnly: true,
		Flags:     "-sbvzh short branch no-branch show-stash no-show-stash long verbose null ahead-behind no-ahead-behind renames no-renames no-column no-find-renames",
		OptValues: "-uM porcelain untracked-files ignore-submodules ignored column find-renames",
		Examples:  []Example{{"git status --porcelain=v2 -uno", "ro gitread:."}, {"git status -sb", "ro gitread:."}},
	},
	{Names: "submodule", ReadOnly: true, Flags: "-q quiet cached recursive", Subs: gitSubmoduleSubs},
	{
		Names: "symbolic-ref", ReadOnly: true, Flags: "-q quiet short recurse no-recurse", Values: "-m",
		Opts: []Opt{{"-d delete", NoArg, Changes}}, refine: refineGitSymbolic,
		Examples: []Example{{"git symbolic-ref --short HEAD", "ro gitread:."}, {"git symbolic-ref HEAD x", "gitchange:."}, {"git symbolic-ref -d HEAD", "gitchange:."}},
	},
	{
		Names: "tag", Local: true, ReadOnly: true,
		Flags:     "-alsfdvei annotate list sign no-sign force delete verify edit ignore-case create-reflog no-column omit-empty",
		Values:    "-mu message local-user cleanup sort format trailer",
		OptValues: "-n column color contains no-contains merged no-merged points-at with without",
		Opts:      []Opt{{"-F file", HasArg, ReadsValue}}, refine: refineGitTag,
		Examples: []Example{
			{"git tag", "ro gitread:."}, {"git tag -l 'v*' --sort=-x", "ro gitread:."}, {"git tag -n5 'v*'", "ro gitread:."},
			{"git tag v1", "gitchange:."}, {"git tag -d v1", "gitchange:."}, {"git tag --delet v1", "gitchange:."}, {"git tag -v v1", "gitchange:."},
			{"git tag --sort=x v1", "gitchange:."}, {"git tag -F .env v1", "read:.env gitchange:."}, {"git tag -am x v1", "gitchange:."},
			{"git tag --contains HEAD", "ro gitread:."},
		},
	},
	{Names: "worktree", Subs: gitWorktreeSubs},
}
