package decide

import (
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// TestGitAttacks are what git writes and reads under another name than one looks
// for: a sensitive path is asked about in every mode, an ordinary one goes on to
// the rules.
func TestGitAttacks(t *testing.T) {
	p := newGitPlace(t)
	p.write("ws/sub/x", "x\n")
	const stop, asks, goes = "2", "3b", "7"
	for command, want := range map[string]string{
		"git mailinfo ~/.bashrc b": stop, "git mailinfo m p": goes, "git mailsplit -o.claude m": stop, "git mailsplit -oout m": goes, "git pack-objects .git/hooks/x": stop,
		"git pack-objects out/x": goes, "git -C sub pack-objects /opt/x": asks, "git update-index --add --cacheinfo 100644,1,.claude/settings.local.json": stop,
		"git update-index --add --cacheinfo 100644,1,src/a": goes, "git update-index --add --cacheinfo 100644 1 .envrc": stop, "git update-index --index-info < x": asks,
		"printf '100644 1\\t.envrc\\n' | git update-index --index-info": stop, "git update-index --index-info <<'E'\n100644 1\t.envrc\nE": stop,
		"git update-index --index-info <<'E'\n100644 1\tsrc/a\nE": goes, "git mktree <<'E'\n040000 tree 1\t.claude\nE": stop, "git mktree <<'E'\n100644 blob 1\ta\nE": goes,
		"git checkout-index -a --prefix=.claude/": stop, "git checkout-index --prefix=.e nvrc": stop, "git checkout-index -a --prefix=out/": goes, "git checkout-index .envrc": stop,
		"git read-tree --prefix=.claude/ -u x": stop, "git read-tree --prefix=lib/ -u x": goes, "git subtree add --prefix=.husky https://h/r main": stop,
		"git subtree add -P lib https://h/r main": goes, "git submodule add https://h/r .claude": stop, "git submodule status": goes, "git submodule update --init": goes,
		"git checkout evil -- .claude/settings.json": stop, "git checkout evil -- ':(top).envrc'": stop, "git restore -s evil ':/.envrc'": stop, "git restore -S ':/.envrc'": goes,
		"git rm ':(icase).ENVRC'": stop, "git rm old.go": goes, "git mv a .envrc": stop, "git mv a b": goes, "git format-patch -1": goes, "git format-patch -o out -3": goes,
		"git format-patch -o .claude -1": stop, "git bugreport -o .claude": stop, "git bundle create .git/hooks/x main": stop, "git bundle create x.bundle main": goes,
		"git archive -o .envrc HEAD": stop, "git archive -o x.tar HEAD": goes, "git credential-store --file=.envrc store": stop, "git fast-export --export-marks=.envrc --all": stop,
		"git unpack-file HEAD:a": goes, "git index-pack --stdin .envrc": stop, "git clone https://h/r .claude": stop, "git clone https://h/r": goes, "git maintenance start": stop,
		"git merge-file .envrc a b": stop, "git interpret-trailers --in-place .envrc": stop, "git worktree add .git/x": stop, "git worktree add wt": goes,
		"git init --separate-git-dir=.claude/x": stop, "git cherry-pick -- --output=.envrc": stop, "git config --file .envrc a.b c": stop, "git show HEAD:a > .envrc": stop,
		"git merge -X subtree=.claude x": stop, "git pull -Xsubtree=.husky . x": stop, "git cherry-pick --strategy-option=subtree=.claude x": stop, "git rebase -Xsubtree=.claude x": stop,
		"git merge -X ours x": goes, "git merge -Xsubtree=lib x": goes, "git rebase -X theirs main": goes,
		"git init --template=./t": stop, "git init --template=": goes, "git init --template ./t x": stop, "git init --bare .": goes, "git --git-dir=.claude init": stop,
		"GIT_DIR=.claude git init": stop, "GIT_WORK_TREE=.claude git checkout x": stop, "git --work-tree=.claude checkout x": stop, "git --work-tree=out checkout x": goes,
		"GIT_TRACE=/home/u/.bashrc git status": stop, "export GIT_TRACE2_EVENT=/home/u/.bashrc; git status": stop, "GIT_TRACE=1 git status": goes, "GIT_INDEX_FILE=.envrc git add a": stop,
		"printf .envrc | git checkout-index --stdin": stop, "git checkout-index --stdin --prefix=.e <<< nvrc": stop, "printf 'a\nb\n' | git checkout-index --stdin": goes,
		"git repack -ad --filter=blob:none --filter-to=.claude/x": stop, "git repack -ad": goes, "git -C sub read-tree --prefix=.claude/ -u x": stop,
		"git -C sub multi-pack-index --object-dir=.claude write": stop, "git -C sub bundle create - x": goes,
		"git show HEAD:a > a2": goes, "git commit -m 'git apply x'": goes, "git commit -m 'touch :(top).envrc'": goes, "git add .envrc": goes, "git diff .envrc": goes,
	} {
		c := p.ask(command)
		c.Policy.Mode = rules.Setting{Value: "default"}
		if v := Decide(c); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
}

// TestGitDenied names a denied file in the ways git knows.
func TestGitDenied(t *testing.T) {
	p := newGitPlace(t)
	p.write("ws/sub/x", "x\n")
	rule, err := rules.ParseRule("Read(./.env)", rules.Deny, rules.User, rules.Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"git diff /dev/null .env", "git diff --no-index /dev/null .env", "git diff --no-index -- a .env", "git diff .env", "git diff HEAD .env", "git grep --untracked -e . .env", "git grep --no-index . .env",
		"git grep . -- .env", "git grep -f .env x", "git grep x HEAD -- .env", "git show :.env", "git show HEAD:.env", "git show HEAD~1:./.env", "git show :0:.env", "git cat-file -p :.env", "git cat-file blob HEAD:.env",
		"git log -p -- .env", "git log -p .env", "git log -L1,9:.env", "git blame .env", "git blame HEAD -- .env", "git blame --contents .env a", "git hash-object .env", "git archive HEAD .env",
		"git add -p .env", "git diff -O.env", "git commit -F .env", "git commit -t .env", "git -c include.path=.env config -l", "git diff ':(top).env'", "git diff :/.env", "git log -p -- ':(icase).ENV'",
		"git -C sub show HEAD:.env", "git -C sub diff -- :/.env", "git -C sub diff -- ':(top,literal).env'", "cd sub && git log -p -- ':/.env'", "git config --blob=:.env -l", "git config -f .env -l", "git notes add -F .env",
		"git commit-tree -F .env HEAD", "git unpack-file :.env", "git diff HEAD:.env HEAD:a", "git stash push .env", "git tag -F .env v1", "git diff -- '.e*'", "git grep x -- '.en?'", "git blame -S .env a",
		"git cat-file --batch <<< HEAD:.env", "echo :.env | git cat-file --batch", "git merge-file -p .env a b", "git format-patch --signature-file=.env --stdout -1", "git ls-files -X .env -o",
		"git cat-file -p $(git rev-parse :.env)", "git rev-parse HEAD:.env | git cat-file --batch", "git hash-object -w --stdin-paths <<< .env", "GIT_CONFIG_GLOBAL=.env git config -l",
		"git check-mailmap --mailmap-file=.env x", "git difftool --no-index .env a", "git difftool -y /dev/null .env", "git send-email .env",
		"git fast-export HEAD -- .env", "git interpret-trailers .env", "git am .env", "git apply .env", "git whatchanged -p .env", "git bundle verify .env", "git merge -F .env x", "git show HEAD -- .env",
	} {
		c := p.ask(command)
		c.Policy.Deny = []rules.Rule{rule}
		if v := Decide(c); v.Step() != "1" && v.Step() != "2" {
			t.Errorf("%s: step %s: %s", command, v.Step(), v.Reason())
		}
	}
	for _, command := range []string{
		"git diff", "git diff a.txt", "git show HEAD:a.txt", "git show HEAD", "git log -p", "git log --grep=.env", "git log -S.env", "git commit -m .env", "git grep .env", "git grep -n '\\.env' -- src",
		"git status", "git add -A", "git diff main...HEAD", "git log --oneline -- '*.go'", "git grep x -- '*.ts' ':!vendor'", "git diff -- ':!.env'", "git diff -- . ':(exclude).env'", "git show stash@{0}",
		"git log --since='2 days ago' main", "git checkout -b env", "git ls-files .env.example", "git diff -- .env.example", "git -C sub show HEAD:sub/x", "git blame a.txt", "git stash", "git show HEAD:.envrc.md",
		"git grep x -- 'src/*'", "git log -- docs", "git check-ignore -v a",
	} {
		c := p.ask(command)
		c.Policy.Deny = []rules.Rule{rule}
		if v := Decide(c); v.Step() == "1" || v.Step() == "2" {
			t.Errorf("%s is stopped: %s", command, v.Reason())
		}
	}
}
