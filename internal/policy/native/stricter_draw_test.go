package native

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// A maker draws scenes.
type maker struct {
	r     *rand.Rand
	seeds []string
}

func (k *maker) pick(of ...string) string { return of[k.r.IntN(len(of))] }

// in is true once in n times.
func (k *maker) in(n int) bool { return k.r.IntN(n) == 0 }

// seedTexts are everyday calls.
func seedTexts(t *testing.T) (out []string) {
	for _, name := range []string{"../../../testdata/corpus/everyday.txt", "../profile/testdata/week.txt"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line[0] != '@' {
				out = append(out, line)
			}
		}
	}
	return out
}

// words are lists of what texts are made of, one a line.
func words(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

var (
	drawnVariables = words(`
AWS_REGION=x
NPM_CONFIG_LOGLEVEL=silent
FOO=1
NODE_ENV=test
CI=1
LD_PRELOAD=./x.so
PATH=./bin
GIT_PAGER=cat
PYTHONPATH=src
GOFLAGS=-count=1
X="$HOME"
PAGER=cat
RUST_LOG=debug
LANG=C
DATABASE_URL=postgres://localhost/x`)
	drawnLaunchers = words(`
uv run
poetry run
pipenv run
pdm run
hatch run
bundle exec
pnpm exec
yarn exec
npx
npx --yes
bunx
mise exec --
direnv exec .
nix develop -c
devbox run
doppler run --
dotenvx run --
caffeinate
xvfb-run
watchexec
env
env A=1
sudo
xargs
xargs -n1
time
timeout 5
nice
nohup
docker run -v ./:/w x
docker run --rm -v $PWD:/w -w /w node
docker exec c
ssh host
kubectl exec p --
watch
setsid
uv run --with x
uv run python -m
command
exec
find . -exec
parallel
sh -c
stdbuf -oL
flock x.lock
conda run -n x
rye run
npm exec --
dotenv --
cross-env A=1
strace
busybox
chronic
script -c
tmux new -d`)
	drawnRedirects = words(`
> out.txt
>> out.txt
2>&1
> /dev/null
2> err.log
> src/gen.go
> Makefile
> package.json
> conftest.py
> /tmp/x.log
> ~/other/x.txt
< README.md
> .git/hooks/pre-commit
<<< x
> "$F"
> sub/a.txt 2>&1
&> all.log
| tee out.txt
| tee -a log.txt
| sort -o out.txt
| head -5
| grep x
| xargs rm
| sh
| wc -l
> .github/workflows/x.yml
> build.rs
> ../x.txt
> .env`)
	drawnOptions = words(`
--output=out.txt
-o out.txt
--help
--version
-v
--config x.toml
-c core.pager=less
--exec sh
-x
"$x"
$x
*
a
src/main.go
-- a
../x
~/other/x.txt
/srv/data
$(date)
$(cat x)
--require ./x.js
-e 1
-f x
--fix
--write .
-w src
-i
-delete
https://a.example/
https://a.example/ https://b.example/
-d @x
.env
~/.ssh/id_rsa
{a,b}
--upload-pack=x
--pager
--no-verify
--force
@evil`)
	drawnCommands = words(`
git -c core.pager=less log
git -c alias.x=!sh x
git -C ../x log
git -C sub log
git log --output=out.txt
git diff --ext-diff
git commit --no-verify -m x
git fetch --upload-pack=x
git grep -O
git --git-dir=x log
git --no-pager log
git push --force
sort -o out.txt README.md
awk '{print > "out.txt"}' README.md
sed -n 'w out.txt' README.md
sed -i s/a/b/ README.md
find . -name x -delete
find . -exec rm {} +
tar xf x.tar --to-command=sh
tar xf x.tgz -C /tmp
rsync -e sh a b
curl -o out.txt https://a.example/
curl https://a.example/ https://b.example/
wget -O - https://a.example/
rg --pre sh x
go test -exec sh ./...
go build -o bin/x
go vet -vettool=x ./...
npm test --script-shell=sh
npm install --prefix ../x
pip install --target x y
make -f x.mk
make SHELL=sh test
make -C sub test
python -m pytest -p x
pytest --rootdir .. -q
pytest --junitxml=r.xml
eslint --rulesdir x .
tsc --outDir dist
node --require ./x.js a.js
terraform plan -out x
aws s3 ls
aws s3 cp a s3://b
gh api graphql -f query=x
gh pr create
docker run -v /:/h x
docker run --privileged x
docker build -t x .
docker compose up
kubectl get pods
kubectl apply -f x.yaml
psql -c 'select 1'
sqlite3 db.sqlite '.shell ls'
vim -c q
less README.md
man -P sh x
ssh -o ProxyCommand=sh h
cargo run
cargo test -- --nocapture
cargo --config x=y test
rustc -o x y.rs
bash x.sh
python x.py
prettier --write .
prettier --plugin=x --check .
black .
ruff check --fix .
mypy src
jest --config x.js
vitest run
tsx a.ts
mkdir -p a/b
touch a.txt
rm a.txt
rm -rf dist
cp a b
mv a b
chmod +x a
ln -s a b
rails db:migrate
rake test
rspec
rubocop -A
bin/rails test
./gradlew test
mvn -q test
dotnet test
php artisan test
composer install
echo hi
cat README.md
ls -la
grep -rn x src
date
seq 3
jq . package.json
tee out.txt
patch -p1
git apply x.patch
git checkout -b x
git stash
git rebase -x sh main
git bisect run sh
git submodule foreach ls
git difftool
git config core.pager x
git worktree add ../x
poetry run pytest -q
uv run pytest -q
uv run ruff check .
bundle exec rspec
pnpm exec prettier --write .
pnpm exec tsc
npx prettier --write .
npx tsc
uv run python -c 'print(1)'
uv run python x.py
env FOO=1 pytest
printf x
true
plugh one
cat .env
cat ~/.ssh/id_rsa
cp a ~/other/b
touch ~/other/y
rm ~/other/x.txt`)
)

func (k *maker) command() string {
	c := k.pick(k.seeds...)
	if k.in(2) {
		c = k.pick(drawnCommands...)
	}
	simple := !strings.ContainsAny(c, "|;&\n<>(")
	if simple && k.in(4) {
		c += " " + k.pick(drawnOptions...)
	}
	if simple && k.in(4) {
		switch l := k.pick(drawnLaunchers...); l {
		case "find . -exec":
			c = l + " " + c + ` {} \;`
		case "sh -c", "script -c":
			c = l + " '" + strings.ReplaceAll(c, "'", `'\''`) + "'"
		default:
			c = l + " " + c
		}
	}
	if simple && k.in(6) {
		c = k.pick(drawnVariables...) + " " + c
	}
	if k.in(4) {
		c += " " + k.pick(drawnRedirects...)
	}
	return c
}

func (k *maker) text() string {
	c := k.command()
	for k.in(5) {
		c += k.pick(" && ", " || ", "; ", " | ", "\n") + k.command()
	}
	switch k.r.IntN(24) {
	case 0:
		c = "(" + c + ")"
	case 1:
		c = "cd sub && " + c
	case 2:
		c = "cd /srv && " + c
	case 3:
		c = "for f in a b; do " + c + "; done"
	case 4:
		c = "{ " + c + "; }"
	case 5:
		c = "echo \"$(" + c + ")\""
	case 6:
		c += " &"
	case 7:
		c = "if " + c + "; then echo y; fi"
	}
	return c
}

// rulesAbout are rules that may be about a text.
func rulesAbout(text string) (out []string) {
	syntaxOf(text, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.CallExpr:
			out = append(out, rulesAboutCommand(n)...)
		case *syntax.SglQuoted:
			if f := strings.Fields(n.Value); len(f) > 0 {
				out = append(out, "Bash("+f[0]+":*)")
			}
		case *syntax.Redirect:
			if n.Word != nil && n.Hdoc == nil {
				out = append(out, "Edit("+printed(n.Word)+")")
			}
		}
	})
	out = append(out, "Bash("+text+")", "Bash", "Bash(*)", "Edit(/**)", "Edit(/src/**)", "Edit", "Read(//srv/data)", "Read(~/other/**)",
		"Edit(~/other/**)", "Edit(//tmp/**)", "Read", "Write", folderRule+"~/other", folderRule+"/srv", folderRule+"/tmp")
	return slices.DeleteFunc(out, func(r string) bool { return strings.Contains(r, "\n") })
}

// rulesAboutCommand are rules about a command, and about what it may launch.
func rulesAboutCommand(n *syntax.CallExpr) (out []string) {
	var words []string
	for _, w := range n.Args {
		words = append(words, printed(w))
	}
	for i := range min(len(words), 6) {
		if i > 0 && (strings.HasPrefix(words[i], "-") || strings.Contains(words[i], "=")) {
			continue
		}
		for j := i + 1; j <= min(len(words), i+3); j++ {
			out = append(out, "Bash("+strings.Join(words[i:j], " ")+":*)")
		}
		out = append(out, "Bash("+words[i]+":*)", "Bash("+words[i]+" *)", "Bash("+strings.Join(words[i:], " ")+")")
	}
	return out
}

// syntaxOf calls f for every node of a text that parses.
func syntaxOf(text string, f func(syntax.Node)) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		f(n)
		return true
	})
}

// smallerTexts are texts with a part left out.
func smallerTexts(text string) (out []string) {
	cut := func(n syntax.Node) {
		before, after := text[:n.Pos().Offset()], text[n.End().Offset():]
		out = append(out, strings.TrimSpace(strings.TrimSpace(before)+" "+strings.TrimSpace(after)))
	}
	syntaxOf(text, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Stmt:
			out = append(out, text[n.Pos().Offset():n.End().Offset()])
		case *syntax.Redirect:
			cut(n)
		case *syntax.CallExpr:
			for _, a := range n.Assigns {
				cut(a)
			}
			for i, w := range n.Args {
				if i > 1 {
					cut(w)
				}
			}
		}
	})
	return slices.DeleteFunc(out, func(s string) bool { return len(s) >= len(text) || s == "" })
}

// toolCall makes a scene a call of another tool than Bash, and returns rules that may be about it.
func (k *maker) toolCall(s *scene) []string {
	call := k.pick("Read README.md", "Read ~/notes/a.md", "Read /srv/data", "Read .env", "Write src/a.go", "Write /tmp/a.txt", "Write ~/other/x.txt",
		"PowerShell Get-ChildItem", "PowerShell Set-Content out.txt x", "Monitor tail -f log.txt", "Glob **/*.go", "Grep x", "NotebookEdit a.ipynb",
		"Edit src/main.go", "Edit Makefile", "Edit .env", "Edit ~/other/x.txt", "WebFetch https://a.example/", "WebSearch x", "mcp__s__t {}", "Agent x")
	s.tool, s.text, _ = strings.Cut(call, " ")
	first, _, _ := strings.Cut(s.text, " ")
	return []string{s.tool, s.tool, s.tool + "(" + s.text + ")", s.tool + "(" + first + ":*)", folderRule + "~/other", folderRule + "/srv", "Read", "Edit", "Read(//srv/data)", "Read(~/notes/**)", "Edit(/src/**)", "Edit(/**)",
		"Edit(~/other/**)", "Edit(//tmp/**)", "WebFetch(domain:a.example)", "WebFetch", "mcp__s", "mcp__s__t", "Bash"}
}

func (k *maker) placed(about []string) placed {
	return placed{k.pick(about...), k.pick("user", "user", "user", "local", "local", "shared", "gen", "session")}
}

func (k *maker) scene() *scene {
	s := &scene{}
	if k.in(12) {
		s.about = k.toolCall(s)
	} else {
		s.text = k.text()
		s.about = rulesAbout(s.text)
	}
	if k.in(4) {
		s.host = k.pick("codex", "qwen", "gemini", "generic", "copilot", "cursor", "opencode", "crush", "gen", "droid", "vscode", "goose")
		s.posture = k.pick("", "everywhere", "everywhere")
	}
	s.mode = k.pick("default", "acceptEdits", "plan", "dontAsk", "auto", "auto", "auto", "bypassPermissions", "")
	if s.host == "" && k.in(2) {
		s.posture = k.pick("bare", "reads", "asking", "observing", "strict")
	}
	s.request, s.headless, s.agent, s.classifier = k.in(12), k.in(16), k.in(10), s.mode == "plan" && k.in(2)
	for k.in(2) && len(s.base) < 3 {
		s.base = append(s.base, k.placed(s.about))
	}
	if k.in(12) {
		s.querying = []string{k.pick(s.about...)}
	}
	if k.in(16) {
		s.denying = []string{k.pick(s.about...)}
	}
	return s
}

// add adds other rules to a scene than it has.
func (k *maker) add(s *scene) {
	s.added, s.grant = []placed{k.placed(s.about)}, ""
	for k.in(3) {
		s.added = append(s.added, k.placed(s.about))
	}
	if k.in(20) {
		s.grant = k.pick("bash", "edits")
	}
}
