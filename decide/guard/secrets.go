package guard

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
)

// A Secret is a file or folder that holds keys or tokens. Reading one is never
// proven read-only, and with "secrets": "ask" it is asked about outside the project.
type Secret struct {
	// Path is one component or several, as in Sensitive.
	Path string
	Dir  bool
	Not  []string // spellings of the last component that hold no secret
	// Home is set where the place is one below a home: it is outside, whatever
	// the project is, and a search of a folder above it reads it.
	Home bool
	Why  string
}

// Secrets is the table of decisions 5.
var Secrets = [...]Secret{
	{Path: ".ssh", Dir: true, Home: true, Why: "SSH keys",
		Not: []string{"*.pub", "known_hosts", "known_hosts.old", "config", "authorized_keys", "allowed_signers", ".ssh"}},
	{Path: ".gnupg", Dir: true, Home: true, Why: "private keys", Not: []string{"*.conf", "pubring.*", ".gnupg"}},
	{Path: ".aws/credentials", Home: true, Why: "cloud credentials"},
	{Path: ".aws/sso/cache", Dir: true, Home: true, Why: "cloud tokens"},
	{Path: ".aws/cli/cache", Dir: true, Home: true, Why: "cloud tokens"},
	{Path: ".azure", Dir: true, Home: true, Why: "cloud tokens", Not: []string{"config", "clouds.config", "az.json", ".azure"}},
	{Path: ".config/gcloud", Dir: true, Home: true, Why: "cloud credentials", Not: []string{"config_*", "active_config", "*.log", "gcloud"}},
	{Path: ".oci/*.pem", Home: true, Why: "cloud keys"},
	{Path: ".kube/config", Home: true, Why: "cluster credentials"},
	{Path: ".kube/cache/oidc-login", Dir: true, Home: true, Why: "cluster tokens"},
	{Path: ".docker/config.json", Home: true, Why: "registry passwords"},
	{Path: ".config/containers/auth.json", Home: true, Why: "registry passwords"},
	{Path: ".npmrc", Home: true, Why: "registry tokens"},
	{Path: ".yarnrc.yml", Home: true, Why: "registry tokens"},
	{Path: ".bunfig.toml", Home: true, Why: "registry tokens"},
	{Path: ".pypirc", Home: true, Why: "registry passwords"},
	{Path: ".config/pypoetry/auth.toml", Home: true, Why: "registry passwords"},
	{Path: ".cargo/credentials", Home: true, Why: "registry tokens"},
	{Path: ".cargo/credentials.toml", Home: true, Why: "registry tokens"},
	{Path: ".gem/credentials", Home: true, Why: "registry tokens"},
	{Path: ".bundle/config", Home: true, Why: "registry tokens"},
	{Path: ".composer/auth.json", Home: true, Why: "registry tokens"},
	{Path: ".config/composer/auth.json", Home: true, Why: "registry tokens"},
	{Path: ".m2/settings.xml", Home: true, Why: "repository passwords"},
	{Path: ".m2/settings-security.xml", Home: true, Why: "repository passwords"},
	{Path: ".gradle/gradle.properties", Home: true, Why: "repository passwords"},
	{Path: ".nuget/nuget/nuget.config", Home: true, Why: "repository passwords"},
	{Path: ".config/nuget/nuget.config", Home: true, Why: "repository passwords"},
	{Path: ".netrc", Home: true, Why: "passwords"},
	{Path: "_netrc", Home: true, Why: "passwords"},
	{Path: ".git-credentials", Home: true, Why: "passwords"},
	{Path: ".config/git/credentials", Home: true, Why: "passwords"},
	{Path: ".config/gh/hosts.yml", Home: true, Why: "code host tokens"},
	{Path: ".config/hub", Home: true, Why: "code host tokens"},
	{Path: ".config/glab-cli/config.yml", Home: true, Why: "code host tokens"},
	{Path: ".config/tea/config.yml", Home: true, Why: "code host tokens"},
	{Path: ".config/github-copilot/hosts.json", Home: true, Why: "code host tokens"},
	{Path: ".config/github-copilot/apps.json", Home: true, Why: "code host tokens"},
	{Path: ".pgpass", Home: true, Why: "database passwords"},
	{Path: ".my.cnf", Home: true, Why: "database passwords"},
	{Path: ".mylogin.cnf", Home: true, Why: "database passwords"},
	{Path: ".dbt/profiles.yml", Home: true, Why: "database passwords"},
	{Path: ".snowsql/config", Home: true, Why: "database passwords"},
	{Path: ".databrickscfg", Home: true, Why: "tokens"},
	{Path: ".terraform.d/credentials.tfrc.json", Home: true, Why: "tokens"},
	{Path: ".terraformrc", Home: true, Why: "tokens"},
	{Path: ".pulumi/credentials.json", Home: true, Why: "tokens"},
	{Path: ".vault-token", Home: true, Why: "tokens"},
	{Path: ".config/doctl/config.yaml", Home: true, Why: "cloud tokens"},
	{Path: ".config/hcloud/cli.toml", Home: true, Why: "cloud tokens"},
	{Path: ".config/linode-cli", Home: true, Why: "cloud tokens"},
	{Path: ".config/stripe/config.toml", Home: true, Why: "tokens"},
	{Path: ".config/.wrangler/config/default.toml", Home: true, Why: "cloud tokens"},
	{Path: ".fly/config.yml", Home: true, Why: "cloud tokens"},
	{Path: ".config/netlify/config.json", Home: true, Why: "cloud tokens"},
	{Path: "com.vercel.cli/auth.json", Home: true, Why: "cloud tokens"},
	{Path: ".config/rclone/rclone.conf", Home: true, Why: "storage passwords"},
	{Path: ".s3cfg", Home: true, Why: "storage keys"},
	{Path: ".boto", Home: true, Why: "storage keys"},
	{Path: ".config/op", Dir: true, Home: true, Why: "passwords", Not: []string{"op"}},
	{Path: ".password-store", Dir: true, Home: true, Why: "passwords", Not: []string{".password-store"}},
	{Path: ".local/share/keyrings", Dir: true, Home: true, Why: "passwords"},
	{Path: ".local/share/kwalletd", Dir: true, Home: true, Why: "passwords"},
	{Path: "library/keychains", Dir: true, Home: true, Why: "passwords"},
	{Path: ".claude/.credentials.json", Home: true, Why: "an agent's tokens"},
	{Path: ".codex/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/oauth_creds.json", Home: true, Why: "an agent's tokens"},
	{Path: ".qwen/oauth_creds.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/opencode/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".mozilla/firefox/*/logins.json", Home: true, Why: "browser passwords"},
	{Path: ".mozilla/firefox/*/key4.db", Home: true, Why: "browser passwords"},
	{Path: ".mozilla/firefox/*/cookies.sqlite", Home: true, Why: "browser sessions"},
	{Path: "firefox/profiles/*/logins.json", Home: true, Why: "browser passwords"},
	{Path: "firefox/profiles/*/key4.db", Home: true, Why: "browser passwords"},
	{Path: "firefox/profiles/*/cookies.sqlite", Home: true, Why: "browser sessions"},
	{Path: "*/login data", Home: true, Why: "browser passwords"},
	{Path: "*/cookies", Home: true, Why: "browser sessions"},
	{Path: ".env", Why: "secrets of programs"},
	{Path: ".env.*", Why: "secrets of programs", Not: []string{"*.example", "*.sample", "*.template", "*.dist", "*.defaults", "*.schema"}},
	{Path: ".envrc", Why: "secrets of programs"},
	{Path: "id_rsa", Why: "a private key"},
	{Path: "id_dsa", Why: "a private key"},
	{Path: "id_ecdsa", Why: "a private key"},
	{Path: "id_ed25519", Why: "a private key"},
	{Path: "id_*_sk", Why: "a private key"},
	{Path: "*.key", Why: "a private key"},
	{Path: "*.ppk", Why: "a private key"},
	{Path: "*.p12", Why: "a private key"},
	{Path: "*.pfx", Why: "a private key"},
	{Path: "*.jks", Why: "a private key"},
	{Path: "*.kdbx", Why: "passwords"},
	{Path: "*privkey*.pem", Why: "a private key"},
	{Path: "*private*.pem", Why: "a private key"},
	{Path: "*key.pem", Why: "a private key"},
	{Path: "etc/shadow", Why: "password hashes"},
	{Path: "etc/shadow-", Why: "password hashes"},
	{Path: "etc/gshadow", Why: "password hashes"},
	{Path: "etc/master.passwd", Why: "password hashes"},
	{Path: "etc/krb5.keytab", Why: "a private key"},
	{Path: "etc/ssl/private", Dir: true, Why: "private keys"},
	{Path: "etc/ssh/ssh_host_*_key", Why: "a private key"},
	{Path: "etc/kubernetes/*.conf", Why: "cluster credentials"},
	{Path: "etc/rancher/*/*.yaml", Why: "cluster credentials"},
	{Path: "etc/networkmanager/system-connections", Dir: true, Why: "network passwords"},
	{Path: "run/networkmanager/system-connections", Dir: true, Why: "network passwords"},
	{Path: "etc/wpa_supplicant*", Dir: true, Why: "network passwords", Not: []string{"*.sh", "wpa_supplicant"}},
	{Path: "run/secrets", Dir: true, Why: "container secrets"},
	{Path: "proc/kcore", Why: "the memory of the machine"},
	{Path: "proc/*/mem", Why: "the memory of a process"},
	{Path: "dev/mem", Why: "the memory of the machine"},
}

// SecretPath looks a path up in the table. A pattern counts as what it could be.
func SecretPath(name string) *Secret {
	parts := strings.Split(world.FoldPath(name), "/")
	for i := range parts {
		if parts[i] == "" {
			continue
		}
		start := world.StartOf(parts[i])
		for j := range Secrets {
			if s := &Secrets[j]; world.MayStart(s.Path, start) && s.isAt(parts, i) {
				return s
			}
		}
	}
	return nil
}

// isAt reports whether the components of a path from i on are a secret. One of the
// system is at its root, and no place called alike.
func (s *Secret) isAt(parts []string, i int) bool {
	n, ok := world.MatchParts(s.Path, parts[i:])
	if !ok || !s.Dir && i+n != len(parts) || s.open(parts[len(parts)-1]) {
		return false
	}
	return i == 1 || i == 2 && parts[1] == "private" || !s.ofSystem()
}

// ofSystem reports whether a secret is one of the system, at its root.
func (s *Secret) ofSystem() bool {
	top, _, _ := strings.Cut(s.Path, "/")
	switch top {
	case "etc", "run", "proc", "dev":
		return true
	}
	return false
}

// open reports whether the last component of a path is one that holds no secret.
func (s *Secret) open(last string) bool {
	for _, n := range s.Not {
		if ok, _ := path.Match(n, last); ok {
			return true
		}
	}
	return false
}
