package report

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/decide/guard"
)

// publicHosts are hosts that everyone uses. What is below one keeps its domain.
const publicHosts = "github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org npmjs.org npmjs.com " +
	"yarnpkg.com pypi.org pythonhosted.org python.org crates.io rust-lang.org rustup.rs golang.org go.dev " +
	"rubygems.org packagist.org docker.io docker.com ghcr.io gcr.io quay.io k8s.io debian.org ubuntu.com " +
	"nodejs.org deno.land bun.sh jsdelivr.net unpkg.com googleapis.com amazonaws.com azure.com windows.net " +
	"cloudflare.com example.com example.org example.net anthropic.com openai.com maven.org apache.org brew.sh " +
	"mozilla.org w3.org wikipedia.org stackoverflow.com microsoft.com localhost.localdomain"

// topLevels end the names of hosts, unless they are the ends of files, too.
const topLevels = "com net org edu gov mil int io dev app co ai me us uk de fr it es nl be at ch se no fi dk pl cz " +
	"ru cn jp kr in au br ca eu cloud tech info biz xyz site online internal local lan corp intranet home test " +
	"example invalid localdomain arpa"

// publicLabels are parts of the names of hosts that say what they are for.
const publicLabels = "www api docs doc registry cdn raw static blog mail git proxy sum vault db auth login app dev " +
	"staging prod test host user project localhost s3 sts ec2 index files objects codeload"

// extensions end the names of files.
const extensions = "go mod sum js mjs cjs jsx ts mts tsx vue svelte py pyi ipynb rb rs c h cc cpp cxx hpp hh m mm " +
	"java kt kts scala swift cs fs php pl pm lua r jl ex exs erl hs ml clj dart zig nim sh bash zsh fish ps1 bat " +
	"cmd awk sed sql db sqlite sqlite3 json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf config properties " +
	"xml html htm css scss sass less md mdx rst txt text log csv tsv pdf doc docx xls xlsx ppt pptx odt png jpg " +
	"jpeg gif svg webp ico mp3 mp4 mov wav zip tar gz tgz bz2 xz zst 7z rar jar war whl deb rpm dmg iso img exe " +
	"dll so dylib a o lib class pyc wasm pem key crt cer p12 pfx jks gpg asc pub lock env example sample template " +
	"tmpl tpl tf tfvars tfstate hcl git gradle proto graphql gql ejs hbs patch diff bak old orig tmp temp swp pid " +
	"sock socket service timer plist entitlements snap map d"

// publicNames are names of files and folders that tools and systems give. What the
// tables of programs, secrets and sensitive files name is public as well.
const publicNames = "bin sbin lib lib64 usr etc dev proc sys tmp var opt run mnt media srv root boot home users " +
	"library system applications volumes private null zero random urandom stdin stdout stderr tty fd self environ " +
	"sysrq-trigger tcp udp local share include libexec homebrew cellar passwd shadow hosts group sudoers crontab " +
	"cron.d fstab resolv.conf profile.d ssh nginx systemd init.d cache log logs spool user work project host " +
	"localhost src source sources pkg cmd internal api app apps web www client server frontend backend common core " +
	"shared utils util helpers components pages routes models views controllers services middleware hooks store " +
	"types config configs conf settings scripts script tools test tests testdata spec specs __tests__ fixtures " +
	"mocks e2e integration unit bench benches example examples docs doc assets static public images img css js " +
	"styles fonts migrations db data sql locales i18n templates vendor third_party node_modules packages modules " +
	"dist build out target coverage tmp temp .git .github workflows .gitlab .circleci .vscode .idea .venv venv " +
	".cache .next .nuxt __pycache__ .pytest_cache .mypy_cache .tox .gradle .terraform .config .local state gen san " +
	"claude-code claudecode .ssh .aws .gnupg .kube .docker .npm .cargo .m2 .claude .gen .san .codex .gemini " +
	".cursor agents skills plans projects memory worktrees commands debug release releases master main develop " +
	"origin upstream head heads refs remotes tags feature fix bugfix hotfix chore renovate dependabot stash index " +
	"objects info exclude package.json package-lock.json yarn.lock pnpm-lock.yaml tsconfig.json jest.config.js " +
	"vite.config.ts webpack.config.js eslint.config.js .eslintrc .eslintrc.json .prettierrc .gitignore " +
	".gitattributes .gitmodules .gitkeep .editorconfig .dockerignore .npmrc .nvmrc go.mod go.sum go.work main.go " +
	"main_test.go doc.go cargo.toml cargo.lock lib.rs main.rs mod.rs build.rs pyproject.toml setup.py setup.cfg " +
	"requirements.txt conftest.py manage.py __init__.py __main__.py main.py app.py poetry.lock uv.lock gemfile " +
	"gemfile.lock rakefile composer.json pom.xml build.gradle settings.gradle gradlew mvnw makefile justfile " +
	"taskfile.yml dockerfile docker-compose.yml compose.yaml compose.yml index.js index.ts index.tsx index.html " +
	"main.js main.ts app.js app.ts server.js readme readme.md changelog.md license license.txt contributing.md " +
	"security.md claude.md agents.md gemini.md todo.md notes.txt notes.md install.sh setup.sh build.sh test.sh " +
	"run.sh deploy.sh settings.json settings.local.json managed-settings.json managed-settings.d permgate.json " +
	"permgate permissions.test log.jsonl .mcp.json .ds_store application json text plain html xml octet-stream " +
	"x-www-form-urlencoded multipart form-data image audio video bearer secret secrets key keys token tokens " +
	"id_rsa id_ed25519 authorized_keys known_hosts authorized_keys2 credentials"

// placeholders are what is written for private names.
const placeholders = "home user project host private site.example.com dir file redacted value srv users"

// known reports whether a name of a file or folder says nothing about whose it is.
func known(name string) bool {
	low := lowerASCII(name)
	program := commands.Find(low)
	if program.Known() || inTables(low) || shell.Among(publicNames, low) {
		return true
	}
	return numbered(low) || shell.Among(extensions, low) || shell.Among(placeholders, low)
}

// numbered reports whether a name was written here.
func numbered(name string) bool {
	stem := strings.TrimRight(name, "0123456789")
	return len(stem) < len(name) && shell.Among("dir file host site private", stem)
}

// inTables reports whether a name is a component of what holds secrets or runs later.
func inTables(name string) bool {
	for i := range guard.Sensitives {
		if slices.ContainsFunc(guard.Sensitives[i].Paths, func(p string) bool { return component(p, name) }) {
			return true
		}
	}
	for i := range guard.Secrets {
		if component(guard.Secrets[i].Path, name) {
			return true
		}
	}
	return false
}

// component reports whether a path without patterns has a component.
func component(pattern, name string) bool {
	return !strings.ContainsAny(name, "*?") && slices.Contains(strings.Split(pattern, "/"), name)
}

// name returns what is written for a name that is no host; in a path it may be any file's.
func (n *Neutral) name(name string, inPath bool) string {
	if long, ok := n.number(name); ok {
		return long
	}
	trimmed := strings.TrimRight(name, ".")
	end := name[len(trimmed):] // of a sentence
	ext := fileExtension(trimmed)
	before := ""
	for _, special := range [...]string{".env.", "id_", "."} { // what tables of secrets go by
		if strings.HasPrefix(trimmed, special) {
			before = special
			break
		}
	}
	inPath = inPath || len(before) > 1
	stem := "file"
	if ext == "" {
		stem = "dir"
	}
	switch plain := strings.Trim(trimmed, "._-+%"); {
	case !inPath && (ext == "" || strings.HasPrefix(trimmed, "-")):
		return name // a word, or an option
	case len(plain)-len(ext) <= 2, known(trimmed), n.keeps(trimmed), strings.Trim(plain, "0123456789.") == "":
		return name
	case numbered(strings.TrimSuffix(trimmed[len(before):], ext)):
		return name
	}
	return before + n.as(trimmed, stem) + ext + end
}

func (n *Neutral) keeps(name string) bool { return slices.Contains(n.keep, name) }

// fileExtension is the end of a name that says what kind of file it is, "" for none.
func fileExtension(name string) string {
	ext := path.Ext(name)
	if len(ext) < 2 || len(ext) == len(name) || !shell.Among(extensions, lowerASCII(ext[1:])) {
		return ""
	}
	switch more := path.Ext(name[:len(name)-len(ext)]); more {
	case ".tar", ".test", ".spec", ".d", ".config":
		return more + ext
	}
	return ext
}

// number replaces the digits of what may be an account, a telephone or a commit.
func (n *Neutral) number(name string) (text string, ok bool) {
	digits, hex := 0, 0
	for i := range len(name) {
		switch c := name[i]; {
		case c >= '0' && c <= '9':
			digits++
			hex++
		case c|0x20 >= 'a' && c|0x20 <= 'f', c == '-':
			hex++
		}
	}
	account := digits == len(name) && digits >= 9
	id := hex == len(name) && hex >= 16 && digits >= 4
	if !account && !id {
		return "", false
	}
	b := []byte(name)
	for i, c := range b {
		if c != '-' {
			b[i] = '0'
		}
	}
	return string(b), true
}

// hostName returns what is written for a name with dots that is one of a host.
func (n *Neutral) hostName(name string) (host string, ok bool) {
	low := lowerASCII(strings.TrimRight(name, "."))
	dot := strings.LastIndexByte(low, '.')
	if dot < 1 || low[0] == '.' || low[0] == '-' || strings.ContainsAny(low, "_+% ") {
		return "", false
	}
	if !shell.Among(topLevels, low[dot+1:]) || shell.Among(extensions, low[dot+1:]) || n.keeps(name) {
		return "", false
	}
	return n.host(low) + name[len(low):], true
}

// host replaces the name of a host, with the structure that rules look at.
func (n *Neutral) host(name string) string {
	low := lowerASCII(name)
	if low == "" || strings.ContainsAny(low, "$*") && !strings.Contains(low, ".") || n.keeps(name) {
		return name
	}
	if _, text := (&scan{Neutral: n, s: low}).address(0); text != "" {
		return text
	}
	labels := strings.Split(low, ".")
	if len(labels) == 1 {
		return n.label(low)
	}
	own := max(len(labels)-2, 0)
	if len(labels) > 2 && len(labels[len(labels)-1]) == 2 && shell.Among("co com ac gov org net", labels[len(labels)-2]) {
		own--
	}
	domain := strings.Join(labels[own:], ".")
	if !shell.Among(publicHosts, domain) {
		tail := ".example.com"
		if last := labels[len(labels)-1]; shell.Among("internal local lan corp home test", last) {
			tail = "." + last
		}
		if !strings.HasPrefix(domain, "site") || !numbered(strings.TrimSuffix(domain, tail)) {
			domain = n.as(domain, "site") + tail
		}
	}
	for i := own - 1; i >= 0; i-- {
		domain = n.label(labels[i]) + "." + domain
	}
	return domain
}

// label is what is written for a part of the name of a host.
func (n *Neutral) label(name string) string {
	switch {
	case len(name) <= 2, shell.Among(publicLabels, name), numbered(name), strings.ContainsAny(name, "*$"), n.keeps(name):
		return name
	}
	return n.as(name, "host")
}
