package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// An Autorun is a file that a program runs, or takes orders from, without anyone
// being asked: who writes it runs code later. Mode auto asks about writing it.
type Autorun struct {
	By    string // who runs it
	Files string // paths of one component or several, blank-separated, lower case; * and ? as in Sensitive
	Dirs  string // folders, everything below which is meant
}

// Autoruns is the one table of such files. What Sensitives names is asked about in
// every mode, and is not repeated here: TestAutoruns fails then.
var Autoruns = [...]Autorun{
	{By: "GitHub Actions", Files: "action.yml action.yaml", Dirs: ".github/workflows .github/actions"},
	{By: "Dependabot", Files: ".github/dependabot.yml"},
	{By: "GitLab CI", Files: ".gitlab-ci.yml .gitlab-ci.yaml", Dirs: ".gitlab"},
	{By: "CircleCI", Dirs: ".circleci"},
	{By: "Buildkite", Dirs: ".buildkite"},
	{By: "Woodpecker CI", Files: ".woodpecker.y*ml", Dirs: ".woodpecker"},
	{By: "Forgejo Actions", Dirs: ".forgejo"},
	{By: "Gitea Actions", Dirs: ".gitea"},
	{By: "Travis CI", Files: ".travis.yml"},
	{By: "Drone CI", Files: ".drone.y*ml"},
	{By: "AppVeyor", Files: ".appveyor.yml appveyor.yml"},
	{By: "Azure Pipelines", Files: "azure-pipelines*.y*ml", Dirs: ".azure-pipelines"},
	{By: "Bitbucket Pipelines", Files: "bitbucket-pipelines.yml"},
	{By: "Jenkins", Files: "jenkinsfile jenkinsfile.*"},
	{By: "Cloud Build", Files: "cloudbuild*.y*ml"},
	{By: "CodeBuild", Files: "buildspec*.y*ml"},
	{By: "Netlify", Files: "netlify.toml"},
	{By: "Vercel", Files: "vercel.json"},
	{By: "Fly", Files: "fly.toml"},
	{By: "Render", Files: "render.yaml"},
	{By: "the platform it is deployed to", Files: "procfile* app.json app.yaml amplify.yml wrangler.toml wrangler.json* firebase.json railway.toml railway.json nixpacks.toml heroku.yml *.nomad"},
	{By: "Renovate", Files: "renovate.json* .renovaterc*"},
	{By: "goreleaser", Files: ".goreleaser.y*ml"},
	{By: "git", Files: "hooks/pre-* hooks/post-* hooks/commit-msg hooks/prepare-commit-msg hooks/update hooks/reference-transaction", Dirs: ".githooks .git-hooks githooks git-hooks"},
	{By: "git, through the filters it names,", Files: ".gitattributes"},
	{By: "lefthook", Files: "lefthook*.y*ml .lefthook*.y*ml lefthook*.toml lefthook*.json", Dirs: ".lefthook .lefthook-local"},
	{By: "pre-commit", Files: ".pre-commit-config.y*ml .pre-commit-hooks.y*ml"},
	{By: "husky", Files: ".huskyrc*"},
	{By: "lint-staged", Files: ".lintstagedrc* lint-staged.config.*"},
	{By: "commitlint", Files: "commitlint.config.* .commitlintrc*"},
	{By: "simple-git-hooks", Files: "simple-git-hooks.* .simple-git-hooks.*"},
	{By: "overcommit", Files: ".overcommit.yml"},
	{By: "the documentation build", Files: "conf.py mkdocs.y*ml _quarto.y*ml"},
	{By: "the app build", Files: "*.pbxproj *.xcscheme tauri.conf.json electron-builder.* codemagic.yaml bitrise.yml trunk.toml shadow-cljs.edn build.boot dub.json dub.sdl *.nimble shard.yml"},
	{By: "make", Files: "makefile makefile.* gnumakefile bsdmakefile *.mk *.mak"},
	{By: "just or mask", Files: "justfile .justfile *.just maskfile.md"},
	{By: "task", Files: "taskfile*.y*ml taskfile.dist.y*ml"},
	{By: "rake, thor, guard or capistrano", Files: "rakefile* *.rake thorfile *.thor guardfile capfile"},
	{By: "bundler or Homebrew", Files: "gemfile* *.gemspec brewfile*"},
	{By: "fastlane", Files: "fastfile"},
	{By: "danger", Files: "dangerfile*"},
	{By: "CocoaPods", Files: "podfile* *.podspec"},
	{By: "vagrant", Files: "vagrantfile"},
	{By: "tilt", Files: "tiltfile"},
	{By: "earthly", Files: "earthfile"},
	{By: "the pipeline", Files: "snakefile *.smk dvc.yaml mlproject nextflow.config"},
	{By: "mage", Files: "magefile.go", Dirs: "magefiles"},
	{By: "mise", Files: "mise*.toml .mise*.toml", Dirs: ".mise .mise-tasks mise-tasks"},
	{By: "asdf or mise", Files: ".tool-versions"},
	{By: "devbox", Files: "devbox.json"},
	{By: "devenv", Files: "devenv.nix"},
	{By: "nix", Files: "flake.nix shell.nix default.nix"},
	{By: "process-compose", Files: "process-compose*.y*ml"},
	{By: "the cluster's development tool", Files: "skaffold*.y*ml devspace.y*ml garden.y*ml okteto.y*ml"},
	{By: "air", Files: ".air.toml"},
	{By: "npm", Files: "package.json package-lock.json npm-shrinkwrap.json"},
	{By: "pnpm", Files: "pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.*"},
	{By: "yarn", Files: "yarn.lock .pnp.*", Dirs: ".yarn"},
	{By: "bun", Files: "bun.lock* bunfig.toml"},
	{By: "deno", Files: "deno.json*"},
	{By: "lerna", Files: "lerna.json"},
	{By: "nx", Files: "nx.json project.json"},
	{By: "turbo", Files: "turbo.json*"},
	{By: "gulp", Files: "gulpfile.*", Dirs: "gulpfile.js"},
	{By: "grunt or jake", Files: "gruntfile.* jakefile*"},
	{By: "the tool it configures", Files: "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts *.conf.js *.conf.ts"},
	{By: "the test runner", Files: "*.setup.js *.setup.ts"},
	{By: "eslint", Files: ".eslintrc*"},
	{By: "prettier", Files: ".prettierrc*"},
	{By: "stylelint or remark", Files: ".stylelintrc* .remarkrc*"},
	{By: "babel or swc", Files: ".babelrc* .swcrc"},
	{By: "mocha or nyc", Files: ".mocharc* .nycrc*"},
	{By: "postcss", Files: ".postcssrc*"},
	{By: "semantic-release", Files: ".releaserc*"},
	{By: "parcel", Files: ".parcelrc"},
	{By: "webpack", Files: "webpack.*"},
	{By: "the Angular build", Files: "angular.json"},
	{By: "nodemon", Files: "nodemon.json"},
	{By: "storybook", Dirs: ".storybook"},
	{By: "node", Dirs: "node_modules"},
	{By: "pip", Files: "setup.py setup.cfg requirements*.txt"},
	{By: "the Python build", Files: "pyproject.toml"},
	{By: "pytest", Files: "conftest.py pytest.ini .pytest.ini"},
	{By: "tox", Files: "tox.ini"},
	{By: "nox", Files: "noxfile.py"},
	{By: "invoke", Files: "tasks.py"},
	{By: "fabric", Files: "fabfile.py"},
	{By: "doit", Files: "dodo.py"},
	{By: "scons", Files: "sconstruct sconscript"},
	{By: "waf", Files: "wscript"},
	{By: "python", Files: "sitecustomize.py usercustomize.py *.pth", Dirs: ".venv venv site-packages"},
	{By: "pipenv", Files: "pipfile*"},
	{By: "poetry", Files: "poetry.lock"},
	{By: "uv", Files: "uv.lock uv.toml"},
	{By: "pylint or flake8", Files: ".pylintrc pylintrc .flake8"},
	{By: "mypy", Files: "mypy.ini .mypy.ini"},
	{By: "coverage", Files: ".coveragerc"},
	{By: "cargo", Files: "build.rs cargo.toml cargo.lock", Dirs: ".cargo"},
	{By: "rustup", Files: "rust-toolchain*"},
	{By: "go", Files: "go.mod go.work go.sum go.env"},
	{By: "golangci-lint", Files: ".golangci.* .golangci-lint.* .custom-gcl.*"},
	{By: "gradle", Files: "build.gradle* settings.gradle* init.gradle* *.gradle *.gradle.kts gradle.properties gradlew*", Dirs: "gradle/wrapper buildsrc"},
	{By: "maven", Files: "pom.xml mvnw*", Dirs: ".mvn"},
	{By: "ant", Files: "build.xml"},
	{By: "sbt", Files: "build.sbt *.sbt"},
	{By: "mill", Files: "build.sc build.mill"},
	{By: "mix", Files: "mix.exs"},
	{By: "rebar3", Files: "rebar.config*"},
	{By: "stack", Files: "stack.yaml"},
	{By: "cabal", Files: "*.cabal setup.hs"},
	{By: "dune", Files: "dune*"},
	{By: "swift", Files: "package.swift"},
	{By: "zig", Files: "build.zig*"},
	{By: "composer", Files: "composer.json composer.lock"},
	{By: "phpunit", Files: "phpunit.xml*"},
	{By: "dotnet", Files: "*.csproj *.fsproj *.vbproj nuget.config global.json"},
	{By: "msbuild", Files: "*.vcxproj *.props *.targets"},
	{By: "cmake", Files: "cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json"},
	{By: "ctest", Files: "ctesttestfile.cmake"},
	{By: "the build", Files: "configure autogen.sh bootstrap"},
	{By: "autoconf", Files: "configure.ac configure.in"},
	{By: "automake", Files: "makefile.am"},
	{By: "meson", Files: "meson.build"},
	{By: "ninja", Files: "build.ninja"},
	{By: "bazel", Files: "build build.bazel workspace workspace.bazel module.bazel *.bazel *.bzl .bazelrc"},
	{By: "buck", Files: ".buckconfig buck"},
	{By: "docker", Files: "dockerfile* *.dockerfile"},
	{By: "podman", Files: "containerfile*"},
	{By: "docker compose", Files: "docker-compose*.y*ml compose*.y*ml"},
	{By: "docker buildx", Files: "docker-bake.*"},
	{By: "buf", Files: "buf.gen.y*ml buf.y*ml"},
	{By: "sqlc", Files: "sqlc.y*ml"},
	{By: "gqlgen", Files: "gqlgen.y*ml"},
	{By: "emacs", Files: ".dir-locals.el .projectile"},
	{By: "the editor", Files: "*.code-workspace .sublime-project *.sublime-project", Dirs: ".zed .fleet .run"},
	{By: "rspec", Files: ".rspec"},
	{By: "jshint", Files: ".jshintrc"},
	{By: "perl", Files: ".perltidyrc"},
	{By: "systemd", Files: "*.service *.timer *.socket"},
	{By: "any command of that name", Dirs: ".local/bin"},
	{By: "Semaphore CI", Dirs: ".semaphore"},
	{By: "Cirrus CI", Files: ".cirrus.yml .cirrus.star"},
	{By: "TeamCity", Dirs: ".teamcity"},
	{By: "Tekton", Dirs: ".tekton"},
	{By: "SourceHut", Files: ".build.yml", Dirs: ".builds"},
	{By: "Bamboo", Dirs: "bamboo-specs"},
	{By: "Read the Docs", Files: ".readthedocs.y*ml"},
	{By: "Dagger", Files: "dagger.json", Dirs: ".dagger"},
	{By: "Trunk", Dirs: ".trunk"},
	{By: "the workspace it is opened in", Files: ".gitpod.yml .gitpod.dockerfile .replit devfile.yaml", Dirs: ".codesandbox"},
	{By: "gatsby", Files: "gatsby-*.js gatsby-*.ts"},
	{By: "ember", Files: "ember-cli-build.js testem.js"},
	{By: "knex", Files: "knexfile.*"},
	{By: "plop", Files: "plopfile.*"},
	{By: "jest", Files: "jest-preset.js"},
	{By: "vitest", Files: "vitest.workspace.*"},
	{By: "moon", Files: "moon.yml", Dirs: ".moon"},
	{By: "rush", Files: "rush.json", Dirs: "common/config/rush"},
	{By: "hatch", Files: "hatch_build.py hatch.toml"},
	{By: "pdm", Files: "pdm.toml"},
	{By: "pixi", Files: "pixi.toml pixi.lock"},
	{By: "R", Files: "renv/activate.r"},
	{By: "pip", Files: "constraints*.txt requirements/*.txt"},
	{By: "conda", Files: "environment.y*ml"},
	{By: "conan or vcpkg", Files: "conanfile.* vcpkg.json"},
	{By: "xmake or premake", Files: "xmake.lua premake*.lua"},
	{By: "terraform or packer", Files: "*.tf *.tf.json terragrunt.hcl *.pkr.hcl .tflint.hcl"},
	{By: "ansible", Files: "ansible.cfg"},
	{By: "Pulumi", Files: "pulumi.y*ml"},
	{By: "the Serverless Framework", Files: "serverless.y*ml"},
	{By: "cdk", Files: "cdk.json"},
	{By: "helmfile", Files: "helmfile.y*ml"},
	{By: "rack", Files: "config.ru"},
	{By: "bundler", Files: ".bundle/config"},
	{By: "rubocop", Files: ".rubocop.y*ml"},
	{By: "simplecov", Files: ".simplecov"},
	{By: "php-cs-fixer", Files: ".php-cs-fixer*.php"},
	{By: "rector", Files: "rector.php"},
	{By: "leiningen", Files: "project.clj"},
	{By: "clojure", Files: "deps.edn bb.edn"},
	{By: "perl", Files: "makefile.pl build.pl cpanfile"},
	{By: "dart", Files: "pubspec.yaml pubspec.lock"},
	{By: "cake", Files: "build.cake"},
	{By: "msbuild", Files: "*.rsp *.sln"},
	{By: "luarocks", Files: "*.rockspec"},
	{By: "luacheck or busted", Files: ".luacheckrc .busted"},
	{By: "vim", Files: ".lvimrc session.vim"},
}

var autorunRows world.Rows

func autorunPaths(yield func(int, string) bool) {
	for i := range Autoruns {
		for name := range Autoruns[i].paths {
			if !yield(i, name) {
				return
			}
		}
	}
}

// paths yields those of the row, and which of them are folders.
func (a *Autorun) paths(yield func(name string, dir bool) bool) {
	for name := range strings.FieldsSeq(a.Files) {
		if !yield(name, false) {
			return
		}
	}
	for name := range strings.FieldsSeq(a.Dirs) {
		if !yield(name, true) {
			return
		}
	}
}

// AutorunPath looks a path up in the table. Holes and wildcards in a component
// count as whatever they could be.
func AutorunPath(name string) *Autorun {
	if name == "" {
		return nil
	}
	parts := strings.Split(world.FoldPath(name), "/")
	for i := range parts {
		if parts[i] == "" {
			continue
		}
		row := autorunRows.First(parts[i], autorunPaths, func(row, nth int) bool {
			return Autoruns[row].means(nth, parts[i:])
		})
		if row >= 0 {
			return &Autoruns[row]
		}
	}
	return nil
}

// AutorunBy is who runs a file that a call writes, nil when it is no such file.
func AutorunBy(t *Target) *Autorun {
	if makesFolder(t) {
		return nil
	}
	for _, p := range slices.Compact([]string{t.Hit.Given, t.Hit.Real, strings.ReplaceAll(t.Hit.Given, `\`, "/")}) {
		if a := AutorunPath(p); a != nil {
			return a
		}
	}
	if t.Hit.Given == "" && t.Effect != nil {
		return AutorunPath(t.Effect.Path)
	}
	return nil
}

// HoldsAutorun reports whether a folder has such a file directly in it, or is the
// beginning of the path of one.
func (g *Guard) HoldsAutorun(dir rules.Path) bool {
	if g.World.Blind() || dir.Real == "" {
		return false
	}
	names, err := g.World.Names(dir.Real)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return AutorunPath(path.Base(dir.Real)+"/"+name) != nil
	})
}

// Why ends the reason for asking about such a file.
func (a *Autorun) Why() string { return "which " + a.By + " runs without asking" }

// means reports whether a path that starts at a component is the nth one of the row.
func (a *Autorun) means(nth int, parts []string) bool {
	for name, dir := range a.paths {
		if nth--; nth >= 0 {
			continue
		}
		if !dir && len(parts) == 1 && world.CouldBe(parts[0], name) {
			return true
		}
		n, ok := world.MatchParts(name, parts)
		return ok && (dir || n == len(parts))
	}
	return false
}
