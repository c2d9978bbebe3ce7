package commands

import (
	"slices"
	"strings"
)

// ProgramVar reports whether programs find code, configuration or another
// machine by a variable, so that people export it. Names that scripts use for
// themselves (S, db, tmp, VERSION) are in no table.
func ProgramVar(name string) bool {
	if len(name) < 2 || name[0] >= 'a' && name[0] <= 'z' {
		return false // the lower case ones are among steers
	}
	head, rest, ok := strings.Cut(strings.TrimLeft(name, "_"), "_")
	if ok && !noted(rest) || head == "PYENV" || head == "RBENV" {
		if _, found := slices.BinarySearch(programPrefixes[:], head); found {
			return true
		}
	}
	_, found := slices.BinarySearch(programVars[:], name)
	return found
}

// noted reports whether the rest of a name is what scripts note about a program
// for themselves: NODE_VERSION=$(node -v).
func noted(rest string) bool { return rest == "VERSION" || rest == "PID" || rest == "COUNT" }

// programPrefixes are what the names of a program's variables start with, up to
// the first underscore; sorted.
var programPrefixes = [...]string{
	"ANDROID", "ANSIBLE", "ANT", "ASAN", "AWS", "AZURE", "BABEL", "BAZEL", "BAZELISK", "BUILDAH", "BUILDKIT",
	"BUN", "BUNDLE", "BUNDLER", "CABAL", "CARGO", "CATALINA", "CCACHE", "CGO", "CHROME", "CLOUDSDK", "CMAKE",
	"COMPOSE", "COMPOSER", "CONAN", "CONDA", "CONTAINERS", "COREPACK", "CTEST", "CUDA", "CURL", "CVS",
	"CYPRESS", "DART", "DBUS", "DEBUGINFOD", "DENO", "DIRENV", "DISTCC", "DJANGO", "DOCKER", "DOTNET",
	"ELECTRON", "ELIXIR", "ERL", "ESBUILD", "ESLINT", "FLASK", "FLUTTER", "FZF", "GCC", "GCLOUD", "GCONV",
	"GDK", "GEM", "GH", "GHC", "GIO", "GIT", "GITHUB", "GITLAB", "GLAB", "GLIBC", "GNUPG", "GOOGLE", "GPG",
	"GRAALVM", "GRADLE", "GROOVY", "GTK", "GUNICORN", "HELM", "HG", "HOMEBREW", "HUSKY", "JAVA", "JBOSS", "JDK",
	"JEST", "JULIA", "JUPYTER", "KOTLIN", "KUBE", "KUBECTL", "LD", "LEFTHOOK", "LEIN", "LESS", "LIBVIRT",
	"LSAN", "LUA", "LUAROCKS", "MALLOC", "MAVEN", "MIX", "MONGO", "MSAN", "MSBUILD", "MYSQL", "NINJA", "NIX",
	"NODE", "NPM", "NUGET", "NVM", "NX", "OCAML", "OPAM", "OPENSSL", "OPENTOFU", "PERL", "PHP", "PIP", "PIPENV",
	"PIPX", "PLAYWRIGHT", "PNPM", "PODMAN", "POETRY", "PRISMA", "PUB", "PULUMI", "PUPPETEER", "PYENV", "PYTEST",
	"PYTHON", "QT", "RACK", "RAILS", "RBENV", "RIPGREP", "RSYNC", "RUBY", "RUSTC", "RUSTDOC", "RUSTUP", "SBT",
	"SCCACHE", "SPRING", "SQLITE", "SSH", "SSL", "SUDO", "SVN", "SWIFT", "SYSTEMD", "TERRAFORM", "TF", "TOFU",
	"TOMCAT", "TOX", "TSAN", "TURBO", "UBSAN", "UV", "UVICORN", "VAGRANT", "VAULT", "VCPKG", "VIRTUALENV",
	"VITE", "VITEST", "VOLTA", "WEBPACK", "WORKON", "XCODE", "YARN",
}

// programVars are the other names; sorted.
var programVars = [...]string{
	"APT_CONFIG", "AR", "AS", "ASDF_DIR", "BASH_LOADABLES_PATH", "BAT_CONFIG_PATH", "BORG_RSH", "CC", "CFLAGS",
	"CLASSPATH", "COMSPEC", "CONFIG_SITE", "CPATH", "CPLUS_INCLUDE_PATH", "CPP", "CPPFLAGS", "CXX", "CXXFLAGS",
	"C_INCLUDE_PATH", "DATABASE_URL", "DEVELOPER_DIR", "DISPLAY", "EDITOR", "EMACSLOADPATH", "FC", "FCEDIT",
	"FPATH", "GEMRC", "GETCONF_DIR", "GNUPGHOME", "GNUTARGET", "GOBIN", "GOCACHE", "GOENV", "GOEXPERIMENT",
	"GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOPATH", "GOPRIVATE", "GOPROXY", "GOROOT", "GOSUMDB", "GOTMPDIR",
	"GOTOOLCHAIN", "GOTOOLDIR", "GOVCS", "GOWORK", "GREP_OPTIONS", "GROFF_TMAC_PATH", "GS_LIB", "HEX_HOME",
	"HISTFILE", "HISTTIMEFORMAT", "HOSTALIASES", "HOSTFILE", "HUSKY", "INFOPATH", "INPUTRC", "KUBECONFIG",
	"LANGUAGE", "LDFLAGS", "LIBPATH", "LIBRARY_PATH", "LOCALDOMAIN", "LOCPATH", "LYNX_CFG", "M2_HOME", "MAILCAPS",
	"MANOPT", "MANPATH", "MANROFFOPT", "NLSPATH", "OBJC", "PATHEXT", "PERLLIB", "PGDATA", "PGHOST", "PGOPTIONS",
	"PGPASSFILE", "PGPORT", "PGSERVICE", "PGSERVICEFILE", "PGSYSCONFDIR", "PHPRC", "PKG_CONFIG",
	"PKG_CONFIG_LIBDIR", "PKG_CONFIG_PATH", "PKG_CONFIG_SYSROOT_DIR", "PRE_COMMIT_HOME", "RANLIB",
	"RESOLV_HOST_CONF", "RES_OPTIONS", "RPM_CONFIGDIR", "RUBYLIB", "RUBYOPT", "RUSTFLAGS", "SCREENRC", "SDKROOT",
	"SHELL", "STACK_ROOT", "STACK_YAML", "SYSTEMROOT", "TAPE", "TCLLIBPATH", "TERMCAP", "TERMINFO",
	"TERMINFO_DIRS", "TEXINPUTS", "TEXMFHOME", "TMPPREFIX", "TMUX", "TSOCKS_CONF_FILE", "TSX_TSCONFIG_PATH",
	"TS_NODE_COMPILER", "TS_NODE_COMPILER_OPTIONS", "TS_NODE_PROJECT", "TS_NODE_TRANSPILER", "TZDIR", "UNZIP",
	"UNZIPOPT", "VIM", "VIMRUNTIME", "VIRTUAL_ENV", "WGETRC", "WINDIR", "XAUTHORITY", "XINITRC", "_JAVA_OPTIONS",
}
