package oracle

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A gitMaker makes command lines of one subcommand of git.
type gitMaker struct {
	*lineMaker
	verb  []string
	forms []string
}

// newGitMaker knows the options that the tables list and those of the subcommand's own help.
func newGitMaker(t testing.TB, c *Cage, verb string, forms []string, seed uint64) *gitMaker {
	m := &gitMaker{verb: strings.Fields(verb), forms: forms}
	m.lineMaker = &lineMaker{r: rand.New(rand.NewPCG(seed, uint64(len(verb))<<8|uint64(verb[0]))), p: &program{name: "git", values: gitValues}}
	at := tableOf("git")
	for _, name := range m.verb {
		for i := range at.Subs {
			if at.Subs[i].Named(name) {
				at = &at.Subs[i]
				break
			}
		}
	}
	m.known = optionsOf(at)
	if _, err := c.Run("/dev/null", append(append([]string{"git"}, m.verb...), "-h")...); err != nil {
		t.Fatal(err)
	}
	m.help = parseHelp(c.Output(1 << 16))
	return m
}

// line makes one command line.
func (m *gitMaker) line() commandLine {
	l := commandLine{stdin: "/dev/null"}
	if m.one(3) {
		l.stdin = m.pick("a", "list", "p.diff", "m.mbox", "index.info", "msg", "x.bundle", "change.diff", "sub.diff", "plain.diff")
	}
	var options, operands []string
	for f := range strings.FieldsSeq(m.pick(m.forms...)) {
		operands = append(operands, m.gitValue(f))
	}
	for range m.r.IntN(4) {
		for i, w := range m.option(&l) {
			if i > 0 {
				w = m.gitValue(w)
			}
			options = append(options, w)
		}
	}
	argv := []string{"git"}
	if m.one(6) {
		argv = append(argv, strings.Fields(m.pick("-C sub", "-C sub", "-C sub", "-C .", "--no-pager", "-c core.pager=./tool", "--git-dir=.git", "--work-tree=/w", "--literal-pathspecs",
			"-c core.quotePath=false", "--icase-pathspecs", "-c alias.x=log", "--glob-pathspecs", "--no-optional-locks", "-C other", "-p"))...)
	}
	argv = append(argv, m.verb...)
	switch {
	case m.one(6):
		argv = append(append(argv, operands...), options...)
	case m.one(6) && len(operands) > 0:
		argv = append(append(append(argv, options...), "--"), operands...)
	default:
		argv = append(append(argv, options...), operands...)
	}
	l.argv = argv
	return l
}

// gitValue makes a word of a kind of git's; any other kind is one of lineMaker's.
func (m *gitMaker) gitValue(kind string) string {
	switch kind {
	case "V": // a revision
		return m.pick("HEAD", "HEAD~1", "main", "side", "v1", "v2", "@{0}", "stash", "HEAD:a", "main..side", "wt", "nothing", "HEAD^{tree}", "refs/heads/side", "-")
	case "C": // something in a tree
		return m.pick("HEAD:", "HEAD:a", "HEAD:.secret", ":.secret", "side:side.txt", ":0:.secret", "HEAD:./.secret", "HEAD:sub", ":./.secret", "main:.secret", ":/second", "side:./.secret")
	case "B":
		return m.pick("new", "topic/x", "side", "main", "HEAD", "wt", "-x")
	case "K": // a pathspec
		return m.pick("a", ".", "sub", ".secret", ".env", ":(top).secret", ":/.secret", ":(icase).SECRET", ":!a", "sub/s", "*.txt", "un", ":(glob)**/.secret", "./.secret",
			":(top,literal).secret", ":^b", "*", ".sec*", ":(top).env", "./.env", "/w/.secret", "sub/../.secret", ":(exclude)a", ":", ":/", "[.]secret", "/w/.env")
	case "L": // a file anywhere
		return m.pick("a", ".env", ".secret", "un", "new", "dir2/new", "sub/new2", "/w/new3", "msg", "./.env", "list", "-", "p.diff", "x.bundle", "/dev/null", "dir2", "m.mbox", "missing")
	case "O": // a new file or folder
		return m.pick("new", "dir2/new", "sub/new", "/w/new3", "new4", "dir2", "deep/er/new", ".")
	case "U":
		return m.pick(".", "other", "./other", "file:///w/other", "ext::./tool", "ext::touch /w/ran", "origin", "x.bundle", "./.git", "../w/other", "other/.git", "/w", "--upload-pack=./tool", "nohost:x")
	case "Q":
		return m.pick("p.diff", "sub.diff", "plain.diff", "change.diff", "m.mbox", "link.diff", "ren.diff", "x.mbox", "-", "missing", "dir2")
	case "S": // a command
		return m.pick("./tool", "touch ran", "true", "sh tool")
	}
	return m.value(kind)
}

// gitValues are the kinds of values that the help says too little about.
var gitValues = map[string]string{
	"O": "L", "F": "L", "file": "L", "f": "L", "X": "L", "exclude-from": "L", "output": "O", "o": "O", "output-directory": "O", "exec": "S", "x": "S", "extcmd": "S",
	"upload-pack": "S", "receive-pack": "S", "u": "S L", "prefix": "O sub/ x/", "directory": "O sub .", "export-marks": "O", "import-marks": "L", "index-output": "O",
	"contents": "L", "ignore-revs-file": "L", "S": "L x", "format": "%H oneline tar zip", "separate-git-dir": "O", "template": "dir2", "source": "V", "s": "V ours", "build-fake-ancestor": "O",
	"pathspec-from-file": "L -", "description-file": "L", "signature-file": "L", "add-file": "L", "reference": "other", "p": "0 1 2", "strategy": "ours tool", "tool": "x tool",
	"onto": "V", "t": "L blob", "template-directory": "dir2", "path": "K", "cacheinfo": "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,cached", "b": "B", "B": "B", "c": "B V",
	"C": "V 1", "index-info": "x", "chmod": "+x -x", "e": "T S", "smtp-server": "/w/tool", "sendmail-cmd": "S", "open-files-in-pager": "S", "mode": "stats all", "suffix": "x",
	"rules-file": "L", "remote": "U", "repo": "U", "super-prefix": "x/", "object-directory": "O", "keep-file": "L", "store": "O",
}

// gitForms are the subcommands of git that are run, and the forms of their operands.
var gitForms = []struct {
	verb  string
	forms []string
}{
	{"add", []string{"K", "K K", "-A", "-f K", "", "-p K", "-N K"}}, {"am", []string{"Q", "Q Q", "", "--abort", "--show-current-patch", "-3 Q", "--directory=sub Q", "-p0 Q"}},
	{"annotate", []string{"K", "V K", "--contents L K"}}, {"blame", []string{"K", "V K", "-L 1,2 K", "--contents L K", "-S L K"}},
	{"apply", []string{"Q", "Q Q", "", "--directory=dir2 Q", "--directory O Q", "-p0 Q", "-p2 Q", "--index Q", "-R Q", "--cached Q", "-3 Q", "--unsafe-paths Q", "--check Q", "--reject Q", "--stat Q"}},
	{"archive", []string{"V", "V K", "-o O V", "--output=O V K", "--add-file=L V", "--remote=U V", "--remote=. --exec=S V", "-l", "C"}},
	{"bisect", []string{"start HEAD v1", "run S", "log", "replay L", "reset", "start", "terms", "view", "visualize"}}, {"branch", []string{"", "B", "B V", "-D B", "-m B", "-l B", "--list", "-d side", "-f B V", "-a", "-u B", "--edit-description"}},
	{"bugreport", []string{"", "-o O", "-s x -o O", "--diagnose -o O"}}, {"diagnose", []string{"", "-o O"}}, {"bundle", []string{"create O V", "verify L", "list-heads x.bundle", "unbundle x.bundle", "create - V", "create O --all"}},
	{"cat-file", []string{"-p C", "-p V", "-t C", "--batch", "blob C", "--textconv C", "--filters C", "-e V", "--batch-check", "--filters --path=K C"}}, {"check-attr", []string{"-a K", "x K", "--stdin -a"}},
	{"check-ignore", []string{"K", "-v K"}}, {"checkout", []string{"V", "-b B", "-- K", "V -- K", "K", "V K", "-f", "-p K", "--orphan B", "-B B V", "--pathspec-from-file=L", "-", "side .", "--detach", "side", "-f side"}},
	{"checkout-index", []string{"-a", "-f K", "-a -f --prefix=O", "--prefix=x/ -a", "K", "--temp K", "--stdin", "-a --prefix=.env"}},
	{"cherry", []string{"", "side", "V V"}}, {"cherry-pick", []string{"V", "side", "--abort", "-n side", "-x V", "--strategy=tool side"}}, {"clean", []string{"-n", "-f", "-fd", "-fdx", "-n K", "-f K", "-fX", "-i"}},
	{"clone", []string{"U", "U O", "-u S U O", "--bare U O", "U --template=dir2 O", "--separate-git-dir=O U new9", "-c core.fsmonitor=./tool U O", "--reference other U O", "--mirror U", "--recurse-submodules U O"}},
	{"commit", []string{"-m T", "-am T", "-F L", "-m T K", "--amend -C HEAD", "-t L", "-m T --allow-empty", "--allow-empty -F L", "--dry-run", "--pathspec-from-file=L -m T", "-C V --allow-empty", "-m x -- K"}},
	{"commit-graph", []string{"write", "verify", "write --object-dir=O", "write --reachable"}}, {"commit-tree", []string{"V -m T", "HEAD^{tree} -F L", "HEAD^{tree} -p V -m x"}},
	{"config", []string{"a.b", "a.b T", "--list", "-f L a.b c", "-f L --list", "--global a.b c", "--get-regexp .", "-f O x.y z", "--file=O --add x.y z", "--blob C --list", "--unset a.b", "--rename-section a b", "-e", "--get-color x red", "alias.q !./tool"}},
	{"count-objects", []string{"", "-v"}}, {"credential", []string{"fill", "approve", "reject"}}, {"credential-store", []string{"--file O store", "--file=L get", "store", "get", "--file O erase"}},
	{"describe", []string{"", "V", "--tags", "--dirty", "--all"}},
	{"diff", []string{"", "V", "V V", "-- K", "V -- K", "L L", "--no-index L L", "/dev/null L", "C C", "--output=O", "-O L", "V:K", "--cached K", "K", "--output O V", "--stat V", "/dev/null .env", "--ext-diff"}},
	{"diff-files", []string{"", "-p", "-p K", "--output=O"}}, {"diff-index", []string{"HEAD", "-p V", "-p V K", "--cached V", "-p HEAD -- K"}}, {"diff-tree", []string{"V", "-p V V", "V K", "-p v1 HEAD -- K", "-p --root V -- K"}},
	{"difftool", []string{"-y -x S", "V", "--extcmd=S -y", "-t x -y", "--tool-help"}}, {"fast-export", []string{"--all", "V", "--export-marks=O --all", "--import-marks=marks --all", "HEAD -- K"}},
	{"fast-import", []string{"", "--export-marks=O", "--export-pack-edges=O"}}, {"fetch", []string{"U", "U main", "--upload-pack=S U", "--all", "", "--dry-run U", "U side:new"}},
	{"fetch-pack", []string{"U main", "--exec=S U main", "--upload-pack=S ./other main"}}, {"filter-branch", []string{"-f --tree-filter S HEAD", "--msg-filter S HEAD", "-f -d O --tree-filter true HEAD"}},
	{"fmt-merge-msg", []string{"", "-F L"}}, {"for-each-ref", []string{"", "refs/heads", "--format=%(refname)", "--shell"}}, {"for-each-repo", []string{"--config=a.b log"}},
	{"format-patch", []string{"-1", "V", "-o O -1", "-1 --output=O", "--stdout -1", "-1 --stdout K", "-o O v1", "--output-directory=O -1", "-1 --signature-file=L --stdout", "--cover-letter --description-file=L -1 -o O", "-1 -- K"}},
	{"fsck", []string{"", "--lost-found", "V"}}, {"gc", []string{"", "--auto", "--prune=now", "--aggressive"}}, {"get-tar-commit-id", []string{""}},
	{"grep", []string{"P", "P V", "P -- K", "-e . K", "--untracked -e . K", "--no-index -e . K", "--no-index . K", "-f L", "-OS .", "-O. .", "--open-files-in-pager=S a", "--untracked MARK K", "--untracked MARK", "-e MARK --no-exclude-standard --untracked .env", ". V K", "-h . K", "--cached . K", "-f .env a", "MARK -- K"}},
	{"hash-object", []string{"L", "-w L", "--stdin", "--stdin-paths", "-w --stdin", "--path=K --stdin"}}, {"help", []string{"-a", "-g", "log", "-w log", "-c"}}, {"hook", []string{"run pre-commit", "run x -- a"}}, {"http-fetch", []string{"-a x U"}},
	{"index-pack", []string{"L", "-o O L", "--stdin", "--stdin --keep=x", "--verify L", "--stdin O"}}, {"init", []string{"", "O", "--bare O", "--template=dir2 O", "--separate-git-dir=O", "--separate-git-dir O new8", "-b x O"}},
	{"interpret-trailers", []string{"L", "--in-place L", "--trailer x=y --in-place msg", "--parse L", "--trailer x=y", "--in-place --trailer a=b L L"}},
	{"log", []string{"", "V", "-p", "-p -- K", "V -- K", "--output=O", "-S x", "-p K", "-L1,1:K", "-L :x:K", "--all -p -- K", "-1 --output O", "-O L -p -- K", "-p V K", "--format=%H", "-L1,1:.secret"}},
	{"ls-files", []string{"", "K", "-o", "-X L -o", "-s K", "--others --exclude-standard", "--with-tree=V", "--exclude-per-directory=.env -o"}}, {"ls-remote", []string{"U", "--upload-pack=S U", "", "--exec=S ."}}, {"ls-tree", []string{"V", "-r V", "V K"}},
	{"mailinfo", []string{"O O", "L O", "msg O", "new new2"}}, {"mailsplit", []string{"-oO L", "-oO", "-oO m.mbox", "-odir2 L", "-o O", "-b -odir2 msg"}}, {"maintenance", []string{"run", "start", "register", "run --task=gc", "unregister", "stop", "register --config-file=O", "start --scheduler=crontab"}},
	{"merge", []string{"V", "side", "--abort", "-s tool side", "--no-ff side -m T", "-F L side", "--strategy=ours side", "--squash side", "-X ours side", "--allow-unrelated-histories V"}},
	{"merge-base", []string{"V V", "--all V V"}}, {"merge-file", []string{"a b c.txt", "-p a b L", "E E E", "L L L", "-p a .env b"}}, {"merge-index", []string{"S -a", "./tool -a", "./tool a", "-o ./tool -a"}}, {"merge-tree", []string{"main side", "V V V", "--write-tree V V"}},
	{"mergetool", []string{"", "-t x -y", "--tool=tool"}}, {"mktag", []string{""}}, {"mktree", []string{"", "--missing"}}, {"multi-pack-index", []string{"write", "--object-dir=O write", "verify"}},
	{"mv", []string{"K O", "a O", "a b dir2", "-f a b", "-k K O", "sub O", "un new"}}, {"name-rev", []string{"V", "--all", "--stdin", "--annotate-stdin"}},
	{"notes", []string{"list", "add -m T", "add -f -F L", "show", "append -m x", "remove", "copy HEAD v1", "prune", "edit", "merge x", "add -f -C C", "--ref=x add -m y", "append -F .env"}},
	{"pack-objects", []string{"O", "--all O", "--stdout", "--all --stdout", "--revs dir2/p", "--all /w/pk", "--all --stdout-x O"}}, {"pack-refs", []string{"", "--all", "--all --prune"}}, {"patch-id", []string{"", "--stable"}}, {"prune", []string{"", "-n", "--expire=now"}},
	{"prune-packed", []string{"", "-n"}}, {"pull", []string{"U", "U side", "--upload-pack=S U", "-s tool U side", "--rebase U main", ""}}, {"push", []string{"U", "U main", "--receive-pack=S U main", "--exec=S ./other main:new", "-f U main", "--all U", "U :side", "--dry-run U main", "--repo=U"}},
	{"quiltimport", []string{"--patches series", "--patches=series --author x"}}, {"range-diff", []string{"v1 main side", "V V V", "--output=O v1 main side"}}, {"read-tree", []string{"V", "-m V", "-u -m side", "--prefix=O V", "--prefix=x/ -u V", "--reset -u side", "--index-output=O V", "--empty", "--prefix=.env/ -u HEAD:sub"}},
	{"rebase", []string{"V", "side", "-x S v1", "--exec=S v1", "--abort", "-s tool side", "-i v1", "--onto side v1", "-x S side", "--root"}}, {"reflog", []string{"", "show V", "expire --all", "delete HEAD@{0}", "exists HEAD", "V", "--output=O", "expire --expire=now --all"}},
	{"remote", []string{"", "-v", "add x U", "rename origin y", "remove origin", "show origin", "update", "prune origin", "get-url origin", "set-url origin U", "add -f x U", "update x"}}, {"repack", []string{"", "-a -d", "-A", "-f"}}, {"replace", []string{"-l", "-d HEAD", "HEAD v1", "-f HEAD v1", "--edit HEAD"}},
	{"request-pull", []string{"v1 U", "v1 . main"}}, {"rerere", []string{"", "status", "clear", "gc", "diff", "forget a"}}, {"reset", []string{"", "--hard", "--soft V", "V", "-- K", "V -- K", "--merge", "--keep V", "-p", "--pathspec-from-file=L", "--hard side", "HEAD K"}},
	{"restore", []string{"K", "--staged K", "--source=V K", "-SW K", "-s side .", "--pathspec-from-file=L", "-s side side.txt", "-p K"}}, {"rev-list", []string{"V", "--all", "--objects V", "--output=O V", "V -- K"}}, {"rev-parse", []string{"V", "--show-toplevel", "C", "--git-path L", "--all", "--parseopt"}},
	{"revert", []string{"V", "--no-edit HEAD", "-n HEAD", "--abort", "--strategy=tool HEAD"}}, {"rm", []string{"K", "-r K", "-f K", "--cached K", "-rf .", "-n K", "-r --cached .", "--pathspec-from-file=list", "-q a sub/s"}}, {"send-email", []string{"--smtp-server=/w/tool m.mbox", "--to=x@y --smtp-server=/w/tool L", "--to-cmd=./tool m.mbox"}},
	{"send-pack", []string{"U main", "--exec=S ./other main", "--receive-pack=S ./other main:n"}}, {"shortlog", []string{"V", "-sn V", "--output=O V", "HEAD"}}, {"show", []string{"", "V", "C", "V -- K", "--output=O", "-s V", ":.secret", "HEAD:.secret", "C C", "--textconv C", "stash", "HEAD -- K", "side:.secret", "-p HEAD~1 -- .secret", "-O L HEAD"}},
	{"show-branch", []string{"", "-a", "V V"}}, {"show-index", []string{""}}, {"show-ref", []string{"", "--tags", "--exclude-existing", "--verify refs/heads/main"}}, {"sparse-checkout", []string{"list", "set sub", "add dir2", "init", "reapply", "disable", "set --stdin", "set --no-cone K"}},
	{"stash", []string{"", "push", "push K", "-u", "list", "show -p", "pop", "apply", "drop", "clear", "branch B", "create", "push -m T", "push -u -- K", "-a", "show --output=O", "store HEAD", "-p", "push --pathspec-from-file=L", "save x"}}, {"status", []string{"", "-s", "K", "--porcelain=v2", "-uall", "--ignored"}}, {"stripspace", []string{"", "-s", "-c"}},
	{"submodule", []string{"status", "add U O", "add U", "init", "update", "foreach S", "sync", "deinit --all -f", "summary", "add --name x U O", "foreach --recursive S", "update --init", "set-url x U", "absorbgitdirs", "add -f ./other sm"}}, {"symbolic-ref", []string{"HEAD", "HEAD refs/heads/side", "-d HEAD", "x refs/heads/main"}},
	{"tag", []string{"", "new", "-l", "-d v1", "-a -m T new", "-F L new", "-f v1 V", "-n", "-v v2", "--contains V", "-a -F .env n2", "--list B"}}, {"unpack-file", []string{"C", "HEAD:a", "HEAD:.secret"}}, {"unpack-objects", []string{"", "-n", "-r"}},
	{"update-index", []string{"--refresh", "--add K", "--remove a", "--cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,cached", "--index-info", "--stdin", "--chmod=+x a", "--force-remove a", "--assume-unchanged a", "--add --cacheinfo 100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 c2", "--add --stdin", "--split-index", "--fsmonitor", "--skip-worktree a"}},
	{"update-ref", []string{"refs/heads/n HEAD", "-d refs/heads/side", "--stdin", "HEAD HEAD~1", "refs/../../x HEAD"}}, {"update-server-info", []string{""}}, {"upload-archive", []string{"U"}}, {"upload-pack", []string{"U", "--strict other"}}, {"receive-pack", []string{"other"}}, {"var", []string{"GIT_EDITOR", "-l"}}, {"verify-commit", []string{"V"}}, {"verify-tag", []string{"v2"}},
	{"verify-pack", []string{"L", "-v L"}}, {"version", []string{"", "--build-options"}}, {"whatchanged", []string{"", "-p -- K", "V", "--output=O"}}, {"worktree", []string{"list", "add O", "add O V", "add -b B O", "move wt O", "remove wt", "prune", "lock wt", "remove -f wt", "repair", "unlock wt", "add -f --detach O side"}}, {"write-tree", []string{"", "--prefix=sub/"}},
	{"column", []string{"--mode=row"}}, {"shell", []string{"-c S"}}, {"web--browse", []string{"--browser=./tool u", "-t x u"}}, {"instaweb", []string{"--httpd=./tool", "--stop"}}, {"daemon", []string{"--access-hook=./tool x", "--help"}}, {"mergetool--lib", []string{""}}, {"switch", []string{"V", "-c B", "side", "-f side", "--orphan B", "-", "--detach V", "-C B", "--discard-changes side"}},
	{"show-signature", []string{""}}, {"fast-import", []string{"--import-marks=L"}}, {"merge-one-file", []string{"x x x a"}}, {"remote-ext", []string{"x S"}}, {"frotz", []string{"a"}}, {"stage", []string{"K"}}, {"rev-list", []string{"--disk-usage V"}}, {"cherry-pick", []string{"side --output=O"}}, {"replace", []string{"--graft HEAD v1"}}, {"backfill", []string{""}},
}
