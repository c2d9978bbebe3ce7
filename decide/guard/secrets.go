package guard

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
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
	// each as the documentation of its program says (2026-11)
	{Path: ".config/sops/age/keys.txt", Home: true, Why: "private keys"},
	{Path: ".step/secrets", Dir: true, Home: true, Why: "private keys"},
	{Path: ".tsh/keys", Dir: true, Home: true, Why: "private keys"},
	{Path: ".cloudflared/*.json", Home: true, Why: "cloud tokens"},
	{Path: ".cloudflared/cert.pem", Home: true, Why: "cloud tokens"},
	{Path: ".config/scw/config.yaml", Home: true, Why: "cloud keys"},
	{Path: ".config/exoscale/exoscale.toml", Home: true, Why: "cloud keys"},
	{Path: ".config/openstack/clouds.yaml", Home: true, Why: "cloud passwords"},
	{Path: ".config/openstack/secure.yaml", Home: true, Why: "cloud passwords"},
	{Path: ".aliyun/config.json", Home: true, Why: "cloud keys"},
	{Path: ".bluemix/config.json", Home: true, Why: "cloud tokens"},
	{Path: ".railway/config.json", Home: true, Why: "cloud tokens"},
	{Path: ".supabase/access-token", Home: true, Why: "cloud tokens"},
	{Path: ".config/configstore/firebase-tools.json", Home: true, Why: "cloud tokens"},
	{Path: ".config/planetscale/access-token", Home: true, Why: "cloud tokens"},
	{Path: ".config/ngrok/ngrok.yml", Home: true, Why: "tokens"},
	{Path: ".config/helm/registry/config.json", Home: true, Why: "registry passwords"},
	{Path: ".pub-cache/credentials.json", Home: true, Why: "registry tokens"},
	{Path: ".config/dart/pub-credentials.json", Home: true, Why: "registry tokens"},
	{Path: ".hex/hex.config", Home: true, Why: "registry tokens"},
	{Path: ".local/share/gem/credentials", Home: true, Why: "registry tokens"},
	{Path: ".ivy2/.credentials", Home: true, Why: "repository passwords"},
	{Path: ".sbt/.credentials", Home: true, Why: "repository passwords"},
	{Path: ".subversion/auth", Dir: true, Home: true, Why: "passwords"},
	{Path: ".snowflake/connections.toml", Home: true, Why: "database passwords"},
	{Path: ".config/snowflake/connections.toml", Home: true, Why: "database passwords"},
	{Path: ".influxdbv2/configs", Home: true, Why: "database tokens"},
	{Path: ".huggingface/token", Home: true, Why: "tokens"},
	{Path: ".cache/huggingface/token", Home: true, Why: "tokens"},
	{Path: ".cache/huggingface/stored_tokens", Home: true, Why: "tokens"},
	{Path: ".kaggle/kaggle.json", Home: true, Why: "tokens"},
	{Path: ".sentryclirc", Home: true, Why: "tokens"},
	{Path: ".expo/state.json", Home: true, Why: "tokens"},
	{Path: ".mc/config.json", Home: true, Why: "storage keys"},
	{Path: ".msmtprc", Home: true, Why: "mail passwords"},
	{Path: ".config/msmtp/config", Home: true, Why: "mail passwords"},
	{Path: ".mbsyncrc", Home: true, Why: "mail passwords"},
	{Path: ".fetchmailrc", Home: true, Why: "mail passwords"},
	{Path: ".config/subversion/auth", Dir: true, Home: true, Why: "passwords"},
	{Path: ".microsoft/usersecrets", Dir: true, Home: true, Why: "secrets of programs"}, // learn.microsoft.com app-secrets (2025)
	{Path: ".config/microsoft/usersecrets", Dir: true, Home: true, Why: "secrets of programs"},
	{Path: "thunderbird/profiles/*/logins.json", Home: true, Why: "mail passwords"},
	{Path: "thunderbird/profiles/*/key4.db", Home: true, Why: "mail passwords"},
	{Path: ".thunderbird/*/logins.json", Home: true, Why: "mail passwords"},
	{Path: ".thunderbird/*/key4.db", Home: true, Why: "mail passwords"},
	{Path: ".config/bitwarden cli/data.json", Home: true, Why: "passwords"},
	{Path: ".ethereum/keystore", Dir: true, Home: true, Why: "wallet keys"},
	{Path: ".bitcoin/wallet.dat", Home: true, Why: "wallet keys"},
	{Path: ".config/solana/id.json", Home: true, Why: "wallet keys"},
	{Path: ".near-credentials", Dir: true, Home: true, Why: "wallet keys"},
	{Path: ".config/op", Dir: true, Home: true, Why: "passwords", Not: []string{"op"}},
	{Path: ".password-store", Dir: true, Home: true, Why: "passwords", Not: []string{".password-store"}},
	{Path: ".local/share/keyrings", Dir: true, Home: true, Why: "passwords"},
	{Path: ".local/share/kwalletd", Dir: true, Home: true, Why: "passwords"},
	{Path: "library/keychains", Dir: true, Home: true, Why: "passwords"},
	// what macOS itself lets no program read that has not got its user's consent: support.apple.com guide/security
	// "Controlling app access to files" (2024-05)
	{Path: "library/cookies", Dir: true, Home: true, Why: "browser sessions"},
	{Path: "library/httpstorages", Dir: true, Home: true, Why: "browser sessions"},
	{Path: "library/safari", Dir: true, Home: true, Why: "what a browser was used for"},
	{Path: "library/messages", Dir: true, Home: true, Why: "a person's messages"},
	{Path: "library/mail", Dir: true, Home: true, Why: "a person's mail"},
	{Path: "library/accounts", Dir: true, Home: true, Why: "accounts"},
	{Path: "library/group containers/group.com.apple.notes", Dir: true, Home: true, Why: "a person's notes"},
	{Path: "library/group containers/*.com.1password", Dir: true, Home: true, Why: "passwords"},
	{Path: "library/application support/addressbook", Dir: true, Home: true, Why: "a person's contacts"},
	{Path: "library/application support/mobilesync", Dir: true, Home: true, Why: "backups of a phone"},
	{Path: "library/calendars", Dir: true, Home: true, Why: "a person's calendars"},
	{Path: "library/reminders", Dir: true, Home: true, Why: "a person's reminders"},
	{Path: "library/identityservices", Dir: true, Home: true, Why: "accounts"},
	{Path: "library/biome", Dir: true, Home: true, Why: "what a person did"},
	{Path: "*.photoslibrary", Dir: true, Home: true, Why: "a person's photos"},
	{Path: ".config/signal/config.json", Home: true, Why: "the key of a person's messages"},
	// what DPAPI keeps and what it keeps it with: learn.microsoft.com, CNG DPAPI and "Credentials Processes in Windows
	// Authentication" (2024); the registry's files, and the others as the documentation of their programs says (2026-11)
	{Path: "appdata/roaming/microsoft/credentials", Dir: true, Home: true, Why: "passwords"},
	{Path: "appdata/local/microsoft/credentials", Dir: true, Home: true, Why: "passwords"},
	{Path: "appdata/roaming/microsoft/vault", Dir: true, Home: true, Why: "passwords"},
	{Path: "appdata/local/microsoft/vault", Dir: true, Home: true, Why: "passwords"},
	{Path: "appdata/roaming/microsoft/protect", Dir: true, Home: true, Why: "keys of stored passwords"},
	{Path: "appdata/roaming/microsoft/crypto", Dir: true, Home: true, Why: "private keys"},
	{Path: "appdata/roaming/microsoft/systemcertificates/my/keys", Dir: true, Home: true, Why: "private keys"},
	{Path: "user data/local state", Home: true, Why: "the key of a browser's passwords"},
	{Path: "ntuser.dat", Why: "the registry of a user"},
	{Path: "windows/system32/config", Dir: true, Why: "password hashes", Not: []string{"config"}},
	{Path: "windows/repair", Dir: true, Why: "password hashes", Not: []string{"repair"}},
	{Path: "windows/ntds/ntds.dit", Why: "password hashes"},
	{Path: "windows/panther/unattend.xml", Why: "passwords"},
	{Path: "windows/panther/unattend/unattend.xml", Why: "passwords"},
	{Path: "windows/system32/sysprep/unattend.xml", Why: "passwords"},
	{Path: "programdata/microsoft/crypto", Dir: true, Why: "private keys"},
	{Path: "appdata/local/microsoft/outlook", Dir: true, Home: true, Why: "a person's mail"},
	{Path: "microsoft.microsoftstickynotes*/localstate", Dir: true, Home: true, Why: "a person's notes"},
	{Path: "programdata/ssh/ssh_host_*_key", Why: "a private key"},
	{Path: ".config/github cli/hosts.yml", Home: true, Why: "code host tokens"},
	{Path: ".config/terraform.d/credentials.tfrc.json", Home: true, Why: "tokens"},
	{Path: ".config/terraform.rc", Home: true, Why: "tokens"},
	{Path: ".config/postgresql/pgpass.conf", Home: true, Why: "database passwords"},
	{Path: ".config/gnupg", Dir: true, Home: true, Why: "private keys", Not: []string{"*.conf", "pubring.*", "gnupg"}},
	{Path: ".config/filezilla/sitemanager.xml", Home: true, Why: "passwords"},
	{Path: ".config/winscp.ini", Home: true, Why: "passwords"},
	{Path: ".config/bitcoin/wallet.dat", Home: true, Why: "wallet keys"},
	{Path: ".config/ethereum/keystore", Dir: true, Home: true, Why: "wallet keys"},
	{Path: ".claude/.credentials.json", Home: true, Why: "an agent's tokens"},
	{Path: ".codex/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/oauth_creds.json", Home: true, Why: "an agent's tokens"},
	{Path: ".qwen/oauth_creds.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/opencode/auth.json", Home: true, Why: "an agent's tokens"},
	// where the keyring of the system is not used: docs.github.com authenticate-copilot-cli (2026-04),
	// google-gemini/gemini-cli and QwenLM/qwen-code packages/core/src/config/storage.ts (2026-09), openai/codex issue
	// 17265; what others saw of Droid, cursor-agent, agy and Grok (2026-09)
	{Path: ".codex/.credentials.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/mcp-oauth-tokens.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/a2a-oauth-tokens.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/gemini-credentials.json", Home: true, Why: "an agent's tokens"},
	{Path: ".gemini/antigravity-cli/antigravity-oauth-token", Home: true, Why: "an agent's tokens"},
	{Path: ".qwen/mcp-oauth-tokens.json", Home: true, Why: "an agent's tokens"},
	{Path: ".copilot/config.json", Home: true, Why: "an agent's tokens"},
	{Path: ".copilot/mcp-oauth-config", Dir: true, Home: true, Why: "an agent's tokens"},
	{Path: ".factory/auth.*", Home: true, Why: "an agent's tokens"},
	{Path: ".config/cursor/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".cursor/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".grok/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/opencode/mcp-auth.json", Home: true, Why: "an agent's tokens"},
	// Kilo 7.7.9 itself; goose-docs.ai troubleshooting and Vercel's guide on Crush (2026); Amp, Cline, Auggie, Devin,
	// pi and Windsurf: their sources, or what others read there (2026-10)
	{Path: ".local/share/kilo/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/kilo/mcp-auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".config/goose/secrets.yaml", Home: true, Why: "an agent's tokens"},
	{Path: "block/goose/config/secrets.yaml", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/crush/crush.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/amp/secrets.json", Home: true, Why: "an agent's tokens"},
	{Path: ".cline/data/secrets.json", Home: true, Why: "an agent's tokens"},
	{Path: ".cline/data/settings/providers.json", Home: true, Why: "an agent's tokens"},
	{Path: ".augment/session.json", Home: true, Why: "an agent's tokens"},
	{Path: ".local/share/devin/credentials.toml", Home: true, Why: "an agent's tokens"},
	{Path: ".pi/agent/auth.json", Home: true, Why: "an agent's tokens"},
	{Path: ".codeium/config.json", Home: true, Why: "an agent's tokens"},
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
	{Path: "*.env", Why: "secrets of programs", Not: []string{"go.env", "example.env", "*.example.env", "sample.env", "template.env"}},
	{Path: ".envrc", Why: "secrets of programs"},
	{Path: ".dev.vars", Why: "secrets of programs"},
	{Path: ".streamlit/secrets.toml", Why: "secrets of programs"},
	{Path: "*.p8", Why: "a private key"},
	{Path: "*.keystore", Why: "a private key"},
	{Path: "service-account*.json", Why: "a private key"},
	{Path: "service_account*.json", Why: "a private key"},
	{Path: ".vault_pass*", Why: "passwords"},
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
	{Path: "var/db/dslocal/nodes", Dir: true, Why: "password hashes"},
	{Path: "etc/krb5.keytab", Why: "a private key"},
	{Path: "etc/ssl/private", Dir: true, Why: "private keys"},
	{Path: "etc/ssh/ssh_host_*_key", Why: "a private key"},
	{Path: "etc/kubernetes/*.conf", Why: "cluster credentials"},
	{Path: "etc/rancher/*/*.yaml", Why: "cluster credentials"},
	{Path: "etc/networkmanager/system-connections", Dir: true, Why: "network passwords"},
	{Path: "run/networkmanager/system-connections", Dir: true, Why: "network passwords"},
	{Path: "etc/wpa_supplicant*", Dir: true, Why: "network passwords", Not: []string{"*.sh", "wpa_supplicant"}},
	{Path: "etc/wireguard", Dir: true, Why: "private keys"},
	{Path: "etc/ppp/*-secrets", Why: "network passwords"},
	{Path: "etc/ipsec.secrets", Why: "network passwords"},
	{Path: "etc/postfix/sasl_passwd", Why: "mail passwords"},
	{Path: "etc/mysql/debian.cnf", Why: "database passwords"},
	{Path: "run/secrets", Dir: true, Why: "container secrets"},
	{Path: "proc/kcore", Why: "the memory of the machine"},
	{Path: "proc/*/mem", Why: "the memory of a process"},
	{Path: "dev/mem", Why: "the memory of the machine"},
}

var secretRows world.Rows

func secretPaths(yield func(int, string) bool) {
	for i := range Secrets {
		if !yield(i, Secrets[i].Path) {
			return
		}
	}
}

// SecretPath looks a path up in the table. A pattern counts as what it could be.
func SecretPath(name string) *Secret {
	for parts, i := range readings(name) {
		row := secretRows.First(parts[i], secretPaths, func(row int, start byte) bool {
			return world.MayStart(Secrets[row].Path, start) && Secrets[row].isAt(parts, i)
		})
		if row >= 0 {
			return &Secrets[row]
		}
	}
	return nil
}

// FindsSecret reports whether a search for names that match a pattern, leading dots too, finds what is a secret
// wherever it lies. A pattern that spells less than half of a name was hardly meant for it.
func FindsSecret(pattern string) bool {
	pattern = world.FoldPath(pattern)
	spelled := len(strings.NewReplacer("*", "", "?", "").Replace(pattern))
	for i := range Secrets {
		s := &Secrets[i]
		name := strings.ReplaceAll(s.Path, "*", "x")
		if s.Home || strings.Contains(name, "/") || 2*spelled < len(name) {
			continue
		}
		if ok, _ := doublestar.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// Precious reports whether a path is sensitive or a secret by its name.
func (g *Guard) Precious(name string) bool {
	return SecretPath(name) != nil || g.Sensitive(&Target{Hit: rules.Path{Given: name, Real: name}}) != ""
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
	return slices.Contains([]string{"etc", "run", "proc", "dev", "var"}, top)
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

// SecretUnknown returns the secret that a read of a path which is not known may
// show: one in the folder its beginning names, or what a search hands to xargs.
func (g *Guard) SecretUnknown(t *Target) (name, why string) {
	if t.Effect == nil || t.Sub == nil {
		return "", ""
	}
	if name, why = g.secretStem(t.Effect); why != "" || g.Script == nil || !byNames(t.Sub) {
		return name, why
	}
	for i := range g.Script.Subcommands {
		s := &g.Script.Subcommands[i]
		if s.Program != "xargs" && s.Program != "parallel" {
			continue
		}
		for _, from := range s.From {
			if from < len(g.Script.Subcommands) {
				if name, why = g.secretWord(&g.Script.Subcommands[from]); why != "" {
					return name, why
				}
			}
		}
	}
	return "", ""
}

// byNames reports whether a command gets its operands from the input of another.
func byNames(sub *bashsafety.Subcommand) bool {
	return slices.Contains(sub.Via, "xargs") || slices.Contains(sub.Via, "parallel")
}

// secretStem returns the secret that a path with unknown parts may be by its known
// ones: what lies in a folder of keys, or what find meets below where it starts.
func (g *Guard) secretStem(e *bashsafety.Effect) (name, why string) {
	head, tail, open := strings.Cut(e.Path, bashsafety.HoleMark)
	if open && head == "" { // "$X/.ssh/id_rsa", whatever X is
		if s := SecretPath(tail); s != nil && s.Home && s.Dir {
			return "…" + tail, s.Why
		}
	}
	if !open || !strings.HasPrefix(head, "/") || head == "/" {
		return "", ""
	}
	if _, why = g.outsideSecret(strings.ReplaceAll(e.Path, bashsafety.HoleMark, "x")); why != "" {
		return path.Clean(head), why
	}
	if strings.HasSuffix(head, "/") {
		return "", ""
	}
	if _, why = g.outsideSecret(head + "/x"); why != "" || head == g.World.Home.Given {
		return head, why
	}
	return g.SecretBelow(g.World.Path(head))
}

// secretWord returns the first word of a command that names a secret outside the
// project, or a folder of them.
func (g *Guard) secretWord(sub *bashsafety.Subcommand) (name, why string) {
	for i := 1; i < len(sub.Argv); i++ {
		w := &sub.Argv[i]
		if !w.Known && !w.Glob || strings.HasPrefix(w.Text, "-") {
			continue
		}
		names := []string{w.Text}
		if !strings.HasPrefix(w.Text, "/") {
			if names = nil; !strings.Contains(w.Text, "://") {
				for _, dir := range sub.Dirs {
					names = append(names, path.Join(dir, w.Text))
				}
			}
		}
		for _, name := range names {
			if _, why = g.outsideSecret(name); why == "" {
				_, why = g.outsideSecret(name + "/x")
			}
			if why != "" {
				return name, why
			}
		}
	}
	return "", ""
}

// outsideSecret looks a path up that is not one of the project's.
func (g *Guard) outsideSecret(name string) (found, why string) {
	return g.SecretOutside(g.World.Path(path.Clean(name)))
}

// SecretOrStore looks up a path, and a folder of secrets that is not in one itself.
func (g *Guard) SecretOrStore(name string) (found, why string) {
	if found, why = g.outsideSecret(name); why != "" || SecretPath(path.Dir(name)+"/x") != nil {
		return found, why
	}
	if _, why = g.outsideSecret(name + "/x"); why == "" {
		return "", ""
	}
	return name, why
}

// IsSecretPlace reports whether a path is a secret, or a folder of them.
func IsSecretPlace(at string) bool { return SecretPath(at) != nil || SecretPath(at+"/x") != nil }

// SecretOutside looks a path up that is not one of the project's.
func (g *Guard) SecretOutside(p rules.Path) (found, why string) {
	for at := range p.Each() {
		s := SecretPath(at)
		if s == nil {
			continue
		}
		if rel, _ := g.World.InProject(p); rel == "" || s.Home && g.homePlace(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// homePlace reports whether a path is one of the home itself, and not of a
// folder that looks like one in a project.
func (g *Guard) homePlace(name string) bool {
	home := g.World.Home
	inHome := home.Given != "" && (rules.Within(name, home.Given) || rules.Within(name, home.Real))
	return inHome && !g.inRepository(name)
}

// inRepository reports whether a path lies in a project below the home.
func (g *Guard) inRepository(name string) bool {
	root := g.World.Project.Given
	return root != g.World.Home.Given && rules.Within(root, g.World.Home.Given) && rules.Within(name, root)
}

// SecretBelow returns a credential store of the home that a search of a folder
// reads on its way.
func (g *Guard) SecretBelow(dir rules.Path) (name, why string) {
	if g.World.Home.Given == "" {
		return "", ""
	}
	home := strings.TrimSuffix(g.World.Home.Given, "/") + "/"
	if !mayHold(home, dir.Given) && !mayHold(home, dir.Real) {
		return "", ""
	}
	for i := range Secrets {
		s := &Secrets[i]
		if !s.Home || strings.Contains(s.Path, "*") {
			continue
		}
		for p := range g.inHome(s.Path) {
			if !joinsWithin(home, p, dir.Given) && !joinsWithin(home, p, dir.Real) || g.inRepository(home+p) {
				continue
			}
			if g.World.Blind() || g.World.Exists(home+p) {
				return home + p, s.Why
			}
		}
	}
	return "", ""
}

// mayHold reports whether something in a home may lie in a folder, whatever it is.
func mayHold(home, folder string) bool {
	return strings.HasPrefix(folder, home) || rules.Within(home, folder)
}

// joinsWithin is rules.Within of home and p in a row: nearly all rows are ruled out so.
func joinsWithin(home, p, folder string) bool {
	if below, ok := strings.CutPrefix(folder, home); ok {
		return below == "" || rules.Within(p, below)
	}
	return rules.Within(home, folder)
}

// inHome yields what a path of the table means on this system, from the home on.
func (g *Guard) inHome(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(p) || g.World.OS == rules.Linux {
			return
		}
		for _, linux := range linuxData {
			rest, ok := strings.CutPrefix(p, linux)
			for _, own := range applicationData {
				if ok && own.os == g.World.OS && !yield(own.dir[1:]+rest) {
					return
				}
			}
		}
	}
}

// ReadsSecret reports whether an effect reads a secret, wherever it lies.
func (g *Guard) ReadsSecret(e *bashsafety.Effect) bool {
	if e.Silent {
		return false
	}
	if !e.Known && !e.Glob {
		_, why := g.secretStem(e)
		return why != ""
	}
	p := g.World.EffectPath(e)
	if SecretPath(p.Given) != nil || p.Real != p.Given && SecretPath(p.Real) != nil {
		return true
	}
	_, why := g.SecretBelow(p) // a folder that is not read with all below it may be: diff reads what lies in both
	return why != ""
}
