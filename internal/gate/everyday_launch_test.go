package gate_test

import (
	"strings"
	"testing"
)

const everydayCalls = `pytest -q
pytest tests/test_a.py -k x
mypy src
ruff check .
ruff check --fix src
ruff format .
black .
black --check src
isort .
flake8 src
pylint src
tox -l
coverage report
alembic history
mkdocs build
rspec
rspec spec/a_spec.rb
rubocop -a
rubocop app
jest
jest --watch=false src/a.test.ts
vitest run
vitest run src
tsc --noEmit
tsc -p .
eslint .
eslint --fix src
prettier --check .
prettier --write src
stylelint "src/**/*.css"
playwright test
cypress run
webpack --mode production
vite build
rollup -c
next build
next lint
turbo run build
nx test app
npm test
npm run build
npm run lint -- --fix
pnpm test
yarn test
make test
make -j4 build
just test
go test ./...
go test -run TestA ./pkg
go build ./...
go vet ./...
golangci-lint run
cargo test
cargo build --release
cargo clippy
cargo fmt --check
git status
git log --oneline -5
ls -la
cat README.md`

// TestEverydayUnderLaunchers: everyday calls under the launcher of a project's environment, and behind a variable that
// changes nothing, are not stopped by a rule on the launcher or the command, in any mode.
func TestEverydayUnderLaunchers(t *testing.T) {
	calls := strings.Split(everydayCalls, "\n")
	if len(calls) != 60 {
		t.Fatalf("%d calls", len(calls))
	}
	stopped := func(name, call, mode, rule string) {
		s := beside(name, call, mode, `"Bash(`+rule+`:*)"`)
		if _, v, a := s.answer(t); a.Decision == ask || a.Decision == deny {
			t.Errorf("%s in %s: %v: %s", call, mode, a.Decision, v.Reason())
		}
	}
	launchers := m("uv run", "uv run", "poetry run", "poetry run", "pipenv run", "pipenv run", "pdm run", "pdm run", "bundle exec", "bundle exec",
		"pnpm exec", "pnpm exec", "direnv exec .", "direnv exec", "doppler run --", "doppler run", "mise exec --", "mise exec", "caffeinate -i", "caffeinate")
	for _, call := range calls {
		program, _, _ := strings.Cut(call, " ")
		for _, mode := range []string{"default", "acceptEdits", "auto"} {
			for launcher, rule := range launchers {
				stopped(launcher, launcher+" "+call, mode, rule)
			}
			for _, variable := range []string{"CI=1", "NODE_ENV=test", "FOO=1", "AWS_REGION=eu-west-1", "PYTHONDONTWRITEBYTECODE=1"} {
				stopped(variable, variable+" "+call, mode, program)
			}
		}
	}
}
