package conformance

import (
	"strings"
	"testing"
)

// unsafeNames are variables that load code, name programs or move files, each
// named by class 11 or of a family named there.
var unsafeNames = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR", "IFS", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT",
	"DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_COUNT", "GIT_DIR", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER", "SYSTEMD_PAGER",
	"EDITOR", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "KUBE_EDITOR", "SUDO_EDITOR", "LESS", "LESSOPEN", "LESSCLOSE", "LESSKEYIN",
	"BASH_ENV", "ENV", "PS4", "SHELLOPTS", "PROMPT_COMMAND", "ZDOTDIR", "NODE_OPTIONS", "npm_config_script_shell", "npm_config_registry",
	"PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONWARNINGS", "PYTHONINSPECT", "PERL5LIB", "PERL5OPT", "PERL5DB", "RUBYOPT", "RUBYLIB",
	"JAVA_TOOL_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTCFLAGS",
	"TAR_OPTIONS", "RIPGREP_CONFIG_PATH", "VIMINIT",
	// not named, and just as little inert
	"VISUAL", "BROWSER", "NODE_PATH", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CARGO_BUILD_RUSTC", "CARGO_HOME", "GOPROXY", "GOENV", "GOROOT",
	"CC", "CXX", "LD", "CFLAGS", "CDPATH", "GLOBIGNORE", "BASHOPTS", "FPATH", "SSH_ASKPASS", "HTTP_PROXY", "https_proxy", "ALL_PROXY",
	"CURL_HOME", "WGETRC", "DOCKER_HOST", "DOCKER_CONFIG", "KUBECONFIG", "AWS_PROFILE", "PSQLRC", "PGSERVICEFILE", "GCONV_PATH",
	"TERMINFO", "TERMINFO_DIRS", "TMPDIR", "LOCPATH", "NLSPATH", "HOSTALIASES", "RESOLV_HOST_CONF", "MALLOC_TRACE", "OPENSSL_CONF",
	"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "ANSIBLE_CONFIG", "BUNDLE_GEMFILE", "GEM_HOME", "PIP_INDEX_URL", "PIP_CONFIG_FILE",
	"UV_INDEX_URL", "YARN_RC_FILENAME", "ESLINT_USE_FLAT_CONFIG", "PLAYWRIGHT_BROWSERS_PATH", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS",
	"LUA_INIT", "LUA_PATH", "PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE", "JULIA_LOAD_PATH", "MYVAR", "lc_all", "lang", "Debug", "NODE_ENVS", "CIX",
}

// inertNames are all that class 11 lets pass.
var inertNames = []string{
	"NODE_ENV", "CI", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "GOOS", "GOARCH", "CGO_ENABLED",
	"RUST_BACKTRACE", "RUST_LOG", "PYTHONUNBUFFERED", "DEBUG", "TERM",
}

// around puts every name into each of the forms; # stands for the name.
func around(names []string, forms ...string) []string {
	var out []string
	for _, f := range forms {
		for _, n := range names {
			out = append(out, strings.ReplaceAll(f, "#", n))
		}
	}
	return out
}

// reaching are the names that reach a program although they are only set, not
// exported, because shells start with them.
var reaching = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "GIT_SSH_COMMAND", "PAGER", "GIT_PAGER", "EDITOR", "LESSOPEN",
	"BASH_ENV", "NODE_OPTIONS", "npm_config_registry", "PYTHONPATH", "PERL5LIB", "RUBYOPT", "JAVA_TOOL_OPTIONS", "MAKEFLAGS", "MAKEFILES",
	"GOFLAGS", "RUSTC_WRAPPER", "TAR_OPTIONS", "RIPGREP_CONFIG_PATH", "VIMINIT", "ZDOTDIR", "SHELLOPTS",
}

// TestThreatEnvPrefix is class 11: assignments in front of a command.
func TestThreatEnvPrefix(t *testing.T) {
	tests := []string{"Bash(go test:*)", "Bash(export *)", "Bash(declare *)", "Bash(typeset *)", "Bash(readonly *)", "Bash(local *)", "Bash(env *)"}
	runSentences(t, []sentence{
		{
			must: "stripped-for-deny-and-ask", allow: anything, deny: []string{"Bash(npm publish:*)"}, ask: []string{"Bash(terraform apply:*)"},
			denied: append(around(unsafeNames[:30], "#=x npm publish"),
				"A=1 npm publish",
				"A=1 B=2 C='3 4' npm publish --tag x",
				"A= npm publish",
				"A=$(date) npm publish",
				"A+=1 npm publish",
				"CI=true npm publish",
				"env A=1 npm publish",
				"A=1 env B=2 npm publish",
				"A=1 sudo npm publish",
				"export A=1; npm publish",
				"A=1 timeout 5 npm publish",
				"A='npm' npm publish",
				"A=1 \\\n npm publish",
			),
			asked:  []string{"A=1 terraform apply", "TF_LOG=debug terraform apply -auto-approve", "env TF_VAR_x=1 terraform apply"},
			passed: []string{"A='npm publish' npm test", "A=1 terraform plan", "MSG='npm publish' echo hello"},
		},
		{
			must: "inert-names-pass", allow: tests,
			passed: append(around(inertNames, "#=x go test ./...", "env #=x go test", "export #=x; go test", "#=x; go test", "declare -x #=x; go test"),
				"CI=1 NODE_ENV=test TZ=UTC go test ./...",
				"CI=true timeout 60 go test",
				"LANG=C LC_ALL=C go test",
				"DEBUG='app:*' go test",
				"CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go test",
				"CI= go test",
				"typeset -x CI=1; go test",
				"readonly CI=1; go test",
				"export CI=1 NODE_ENV=test && go test",
				"env -u CI LANG=C go test",
			),
		},
		{
			must: "everything-else-asks", allow: tests,
			held: append(around(unsafeNames, "#=x go test", "CI=1 #=x go test", "env #=x go test", "env -i CI=1 #=x go test"),
				"A=1 go test",
				"PATH=.:$PATH go test",
				"PATH+=:/tmp/x go test",
				"GOFLAGS=-exec=./x timeout 60 go test",
				"timeout 60 env LD_PRELOAD=./x.so go test",
				"GOFLAGS= go test",
				"\"GOFLAGS=x\" go test",
				"env \"GOFLAGS=x\" go test",
				"env -S 'GOFLAGS=-toolexec=./x go test'",
			),
		},
		{
			must: "same-list-for-export-declare-typeset-readonly", allow: tests,
			held: append(around(unsafeNames, "export #=x; go test", "declare -x #=x; go test", "typeset -x #=x; go test", "export #=x && CI=1 go test"),
				append(around(reaching, "readonly #=x; go test", "declare #=x; go test", "typeset #=x && go test", "declare -g #=x; go test", "export CI=1 #=x; go test"),
					"export PATH; PATH=/tmp/x; go test",
					"f() { local PATH=/tmp/x; go test; }; f",
					"declare -- GOFLAGS=x; go test",
					"declare -rx GOFLAGS=x; go test",
					"export -- GOFLAGS=x; go test",
					"\\export GOFLAGS=x; go test",
					"builtin export GOFLAGS=x; go test",
					"command export GOFLAGS=x; go test",
					"export \"GOFLAGS=$X\"; go test",
					"export \"$X\"; go test",
					"export $X; go test",
					"set -a; GOFLAGS=x; go test",
				)...),
			passed: []string{"export CI=1; go test", "readonly CI=1; go test", "declare -x LANG=C; go test"},
		},
		{
			must: "same-list-for-bare-assignments", allow: tests,
			held: append(around(reaching, "#=x; go test", "#=x && go test", "#=x\ngo test", "CI=1 #=x; go test", "{ #=x; }; go test", "if true; then #=x; fi; go test", "for # in x; do go test; done"),
				"PATH+=:x; go test",
				"PATH=/tmp/x go test; go test",
				": ${PATH:=x}; go test",
				"read -r PATH < f; go test",
				"printf -v PATH x; go test",
				"mapfile -t PATH < f; go test",
				"PATH[0]=x; go test",
			),
			passed: []string{"CI=1; go test", "n=3; go test -count=$n", "dir=./a; go test \"$dir\"", "(LANG=C; go test)"},
		},
		{
			must: "text-that-only-looks-like-an-assignment-stays-data", allow: []string{"Bash(echo *)", "Bash(grep *)", "Bash(git commit *)", "Bash(make test:*)"},
			passed: []string{
				"echo PATH=/tmp/x",
				"echo 'LD_PRELOAD=./x.so ls'",
				"grep -rn 'NODE_OPTIONS=' src",
				"grep GIT_SSH_COMMAND=x a.txt",
				"git commit -m 'export PATH=x'",
				"git commit -m 'GOFLAGS=-mod=mod is gone'",
			},
			held: []string{"PATH=/tmp/x echo a", "GIT_EDITOR=x git commit -m a"},
		},
	})
}
