package conformance

import "testing"

// TestThreatDestructive is class 14: destructive commands in every spelling.
func TestThreatDestructive(t *testing.T) {
	destructive := []string{
		"rm -rf build", "rm -fr build", "rm -r -f build", "rm -f -r build", "rm -Rf build", "rm -fR build", "rm -rfv build", "rm -vrf build", "rm --recursive --force build", "rm --recurs --forc build", "rm -r --force build",
		"rm --r --f build", "rm build -rf", "rm build -r -f", "rm -rf -- build", "rm -rf ./build", "rm -rf build/", "rm -rf \"build\"", "rm -rf 'build'", "rm -rf bui''ld", "r''m -rf build", "\\rm -rf build", "/bin/rm -rf build", "/usr/bin/rm -fr build",
		"rm -rf $DIR", "rm -rf \"$DIR\"", "rm -rf build/*", "rm -rf {a,b}", "rm -I -rf build", "rm -rf --one-file-system build", "rm -rf --no-preserve-root build", "rm -d -rf build", "rm --interactive=never -rf build", "rm $'-rf' build", "rm -r\"f\" build",
		"git reset --hard", "git reset --hard HEAD~1", "git reset HEAD~1 --hard", "git reset --har", "git reset -q --hard", "git -C . reset --hard", "git -c a.b=c reset --hard", "git --no-pager reset --hard", "git reset --hard origin/main",
		"git clean -fdx", "git clean -xdff", "git clean -f -d", "git clean -df", "git clean --force -d", "git clean -d --forc", "git clean -fd -- src", "git clean src -fd", "git -C sub clean -fdX",
		"git push -f", "git push --force", "git push --forc", "git push -uf origin x", "git push -fu origin x", "git push origin x -f", "git push origin +main", "git push origin +x:main", "git push origin main --force", "git -c a.b=c push -f", "git push --force --tags",
		"git branch -D x", "git branch -d -f x", "git branch -df x", "git branch --delete --force x", "git branch -f -d x", "git branch x -D",
		"git stash drop", "git stash clear", "git stash drop stash@{1}", "git checkout .", "git checkout -- .", "git checkout -- a.go", "git checkout HEAD -- a.go", "git restore .", "git restore a.go", "git restore --worktree a.go", "git restore -W a", "git restore --staged --worktree a",
		"find . -delete", "find . -name x -delete", "find build -type f -exec rm -rf {} +", "find . -execdir rm -rf {} \\;",
		"chmod 777 f", "chmod 0777 f", "chmod -R 777 d", "chmod a+rwx f", "chmod ugo+rwx f", "chmod -R a+rwx d", "chmod +rwx f && chmod a=rwx f", "chmod --recursive 777 d", "chmod 777 -R d", "chmod 1777 d",
		"dd if=a of=/dev/sda", "dd of=/dev/sda if=a", "dd if=a of=/dev/nvme0n1", "dd if=a of=/dev/vda", "dd if=a of=/dev/xvda", "dd if=a of=/dev/mmcblk0", "dd if=a of=/dev/disk2", "dd if=a of=/dev/mapper/vg-x", "dd if=a of=/dev//sda", "dd if=a \"of=/dev/sdb1\"", "cat a > /dev/sda", "cp a /dev/sdb", "tee /dev/nvme0n1 < a", "echo x > /dev/vdb", "cat a >| /dev/sdc", "cat a >> /dev/dm-0",
		"mkfs.ext4 /dev/sda1", "mkfs -t ext4 /dev/sda1", "mkfs.xfs -f /dev/sdb", "wipefs -a /dev/sda", "shred /dev/sda", "shred -u a.txt", "mkswap /dev/sda2",
		":(){ :|:& };:", ":() { : | : & }; :", "bomb() { bomb | bomb & }; bomb", "f(){ f|f& };f", "function x { x | x & }; x", "forkbomb() { forkbomb|forkbomb& }\nforkbomb",
	}
	wrapped := []string{}
	for _, form := range []string{
		"sudo %", "env A=1 %", "A=1 %", "cd a && %", "true; %", "if true; then %; fi", "for i in a b; do %; done", "( % )", "{ %; }", "x() { %; }; x", "echo $(%)", "timeout 5 %", "nohup % &", "bash -c '%'", "xargs -I{} %", "! %", "% || true",
	} {
		for _, cmd := range []string{"rm -rf build", "git reset --hard", "git push --force", "git clean -fdx", "chmod 777 f", "dd if=a of=/dev/sda"} {
			wrapped = append(wrapped, fill(form, cmd))
		}
	}
	sentences := []sentence{
		{must: "decided-on-parsed-flags-not-on-text", allow: anything, step: "2", asked: destructive},
		{must: "after-unwrapping", allow: anything, step: "2", asked: wrapped},
		{
			must: "look-alikes-stay-allowed", allow: anything,
			passed: []string{
				"rm a.txt", "rm -f a.txt", "rm -- -rf", "rm ./-rf", "rm -v a b", "git reset", "git reset --soft HEAD~1", "git reset HEAD a", "git reset --mixed", "git clean -n", "git clean -nd", "git clean --dry-run -d",
				"git push", "git push -u origin x", "git push --force-with-lease", "git push --force-with-lease=main:abc origin main", "git push origin main:main", "git push --tags", "git push --follow-tags", "git branch -d x", "git branch -a", "git branch --delete x",
				"git stash", "git stash list", "git stash pop", "git checkout main", "git checkout -b x", "git restore --staged a", "git restore -S a",
				"find . -name '*.o'", "find . -name delete", "chmod 644 f", "chmod +x f", "chmod 755 f", "chmod u+rwx f", "chmod -R 755 d", "dd if=/dev/sda count=1", "cat /dev/null > a",
				"a | b &", "mkfs.ext4 --help", "shutdown() { echo a; }", "git commit -m 'rm -rf build'", "git commit -m 'git reset --hard'", "echo 'rm -rf build'", "grep -rn 'git push --force' .", "echo \":(){ :|:& };:\"",
				"git log --grep='reset --hard'", "printf 'chmod 777\\n'", "cat <<'E'\nrm -rf build\ngit push -f\nE", "git commit --amend -m 'push -f'", "rg 'dd if=.* of=/dev/sda' docs", "docker rm -f web", "npm test -- -rf", "make reset --hard -n",
				"git tag -f v1", "git fetch -f", "git add -f a", "git checkout --ours a", "git rm a", "go test -run 'rm -rf'", "test -f rm",
			},
		},
	}
	for _, mode := range []string{"default", "acceptEdits", "bypassPermissions", "auto"} {
		// what auto denies on top of that is in the lists that these replace
		lists := map[string]string{"/home/dev/.san/settings.json": `{"autoMode": {"hard_deny": [], "soft_deny": []}}`}
		sentences = append(sentences, sentence{must: "same-answer-in-mode-" + mode, allow: anything, mode: mode, files: lists, step: "2", asked: destructive},
			sentence{must: "held-in-mode-" + mode, allow: anything, mode: mode, held: destructive})
	}
	for _, mode := range []string{"dontAsk", "plan", "explore"} {
		sentences = append(sentences, sentence{must: "denied-in-mode-" + mode, allow: anything, mode: mode, step: "8", denied: destructive})
	}
	runSentences(t, sentences)
}

// fill puts a command into a form at its %.
func fill(form, cmd string) string {
	for i := range form {
		if form[i] == '%' {
			return form[:i] + cmd + form[i+1:]
		}
	}
	return form
}
