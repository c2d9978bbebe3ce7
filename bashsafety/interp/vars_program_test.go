package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestBareAssignments: an assignment without export changes what programs get
// where the name is exported already. What scripts call their own goes through.
func TestBareAssignments(t *testing.T) {
	env := analysis.Env{Cwd: "/w", Home: "/h", Exported: func(name string) bool { return name == "MY_EXPORTED" || name == "LANG" }}
	last := func(text string) string {
		subs := bashsafety.Analyze(text, env).Subcommands
		return strings.Join(subs[len(subs)-1].PatternBlockers, "; ")
	}
	for _, text := range []string{
		"JAVA_HOME=./evil; mvn test", "JAVA_HOME=./evil && mvn test", "JAVA_HOME=./evil\nmvn test", "_JAVA_OPTIONS=-javaagent:x.jar; mvn test",
		"JDK_JAVA_OPTIONS=@x; java -version", "MAVEN_OPTS=-javaagent:x; mvn test", "GRADLE_OPTS=x; gradle b", "GRADLE_USER_HOME=./g; gradle b",
		"CLASSPATH=./evil; java X", "PYTHONPATH=./evil; python x.py", "PYTHONSTARTUP=x; python", "PYTEST_ADDOPTS='-p evil'; pytest",
		"PYTEST_PLUGINS=evil; pytest", "PIP_INDEX_URL=http://x; pip install y", "UV_INDEX_URL=http://x; uv sync", "VIRTUAL_ENV=./e; pip install x",
		"LD_PRELOAD=./x.so; ls", "NODE_OPTIONS='-r ./x'; npm test", "NODE_PATH=./x; node y.js", "NPM_CONFIG_REGISTRY=http://x; npm i",
		"YARN_RC_FILENAME=x; yarn", "GIT_SSH_COMMAND=./x; git fetch", "GIT_DIR=./x; git status", "EDITOR=./x; git commit", "PAGER=./x; git log",
		"MANPAGER=./x; man ls", "GOFLAGS=-toolexec=./x; go test ./...", "GOROOT=./x; go test", "GOENV=./x; go test", "GOPATH=./x; go build",
		"CC=./x; go build", "CFLAGS=-fplugin=./x.so; make", "RUSTFLAGS=-Clinker=./x; cargo b", "RUSTC_WRAPPER=./x; cargo b", "CARGO_HOME=./x; cargo b",
		"PERL5LIB=./x; perl y.pl", "RUBYOPT=-r./x; ruby y.rb", "BUNDLE_GEMFILE=./x; bundle exec y", "GEM_HOME=./x; ruby y", "PHPRC=./x; php y",
		"DOCKER_HOST=tcp://x; docker ps", "KUBECONFIG=./x; kubectl get pods", "AWS_PROFILE=prod; aws s3 ls", "TF_CLI_ARGS=-destroy; terraform apply",
		"ANSIBLE_CONFIG=./x; ansible-playbook y", "HELM_PLUGINS=./x; helm ls", "PGHOST=x; psql", "WGETRC=./x; wget y", "CURL_HOME=./x; curl y",
		"SSH_AUTH_SOCK=./x; ssh y", "TAR_OPTIONS=--to-command=x; tar xf y", "MAKEFLAGS=x; make", "SHELL=./x; make", "GEMRC=./x; gem i y",
		"OPENSSL_CONF=./x; openssl version", "SSL_CERT_FILE=./x; curl y", "TERMINFO=./x; less y", "VIMRUNTIME=./x; vim y", "DJANGO_SETTINGS_MODULE=x; python m.py",
		"MY_EXPORTED=1; make test", "http_proxy=http://x; curl y", "PYENV_VERSION=evil; python x",
		// in whatever way
		"JAVA_HOME+=/x; mvn test", "read JAVA_HOME <<< ./evil; mvn test", "printf -v JAVA_HOME ./evil; mvn test", "for JAVA_HOME in ./evil; do mvn test; done",
		"declare JAVA_HOME=./evil; mvn test", "typeset CC=./x; make", "readonly CC=./x; make", "export FOO=1; make", "declare -x FOO=1; make",
		"set -a; FOO=1; make", "set -a; CI=1; db=2; make", "if x; then CC=./x; fi; make", "{ CC=./x; }; make", "true && CC=./x; make", "[ -f y ] || CC=./x; make",
		"declare -n r=JAVA_HOME; r=./evil; mvn test", "mapfile -t MAVEN_OPTS < x; mvn test", "(( GOMAXPROCS = 1, CFLAGS = 2 )); make",
		"GOPATH=./x; sh -c 'go build'",
	} {
		if got := last(strings.ReplaceAll(text, "\\n", "\n")); got == "" {
			t.Errorf("%s: nothing narrows", text)
		}
	}
	for _, text := range []string{
		"S=x; make test", "db=x; make test", "tmp=$(mktemp -d); make test", "DB=x; make", "TOKEN=x; make", "CID=1; make", "TIMESTAMP=$(date); make", "D=x; make",
		"VERSION=1.2; make", "ROOT=$(pwd); make", "OUT=x; make", "NAME=x; make", "BRANCH=x; git status", "f=a; d=b; n=1; make", "NODE_ENV=test; npm test", "CI=1; npm test",
		"LANG=C; sort x", "LC_ALL=C; sort x", "GOOS=linux; go build", "NODE_VERSION=$(node -v); npm test", "STACK_NAME=x; make", "PKG_NAME=x; make", "API_KEY=x; make",
		"RUST_LOG=debug; cargo t", "BASE_SHA=x; git diff", "pr_number=7; gh pr view 7", "owner_repo=a/b; gh pr list", "i=0; make", "PID=1; make", "APP_PID=1; make",
		"(CC=./x); make", "x=$(CC=./x); make", "CONTENT=$(cat y); make", "TARGET=x; make", "HEX_COLOR=x; make", "GO_FILES=x; make", "SCRATCH=x; make", "VAULT=x; make",
	} {
		if got := last(text); got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
}
