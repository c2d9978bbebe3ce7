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
	Dir bool // everything below is meant
	// Home is set where the places are below a home: they are outside, whatever
	// the project is, and a search of a folder above one reads it.
	Home  bool
	Why   string
	Paths []string // one component or several, as in Sensitive
	Not   []string // spellings of the last component that hold no secret
}

// Secrets is the table of decisions 5.
var Secrets = [...]Secret{
	{Dir: true, Home: true, Why: "SSH keys", Paths: []string{".ssh"},
		Not: []string{"*.pub", "known_hosts", "known_hosts.old", "config", "authorized_keys", "allowed_signers", ".ssh"}},
	{Dir: true, Home: true, Why: "private keys", Paths: []string{".gnupg"}, Not: []string{"*.conf", "pubring.*", ".gnupg"}},
	{Home: true, Why: "cloud credentials", Paths: []string{".aws/credentials"}},
	{Dir: true, Home: true, Why: "cloud tokens", Paths: []string{".aws/sso/cache", ".aws/cli/cache"}},
	{Dir: true, Home: true, Why: "cloud tokens", Paths: []string{".azure"}, Not: []string{"config", "clouds.config", "az.json", ".azure"}},
	{Dir: true, Home: true, Why: "cloud credentials", Paths: []string{".config/gcloud"}, Not: []string{"config_*", "active_config", "*.log", "gcloud"}},
	{Home: true, Why: "cloud keys", Paths: []string{".oci/*.pem"}},
	{Home: true, Why: "cluster credentials", Paths: []string{".kube/config"}},
	{Dir: true, Home: true, Why: "cluster tokens", Paths: []string{".kube/cache/oidc-login"}},
	{Home: true, Why: "registry passwords", Paths: []string{".docker/config.json", ".config/containers/auth.json"}},
	{Home: true, Why: "registry tokens", Paths: []string{".npmrc", ".yarnrc.yml", ".bunfig.toml"}},
	{Home: true, Why: "registry passwords", Paths: []string{".pypirc", ".config/pypoetry/auth.toml"}},
	{Home: true, Why: "registry tokens", Paths: []string{
		".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".bundle/config", ".composer/auth.json",
		".config/composer/auth.json"}},
	{Home: true, Why: "repository passwords", Paths: []string{
		".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/nuget/nuget.config",
		".config/nuget/nuget.config"}},
	{Home: true, Why: "passwords", Paths: []string{".netrc", "_netrc", ".git-credentials", ".config/git/credentials"}},
	{Home: true, Why: "code host tokens", Paths: []string{
		".config/gh/hosts.yml", ".config/hub", ".config/glab-cli/config.yml", ".config/tea/config.yml",
		".config/github-copilot/hosts.json", ".config/github-copilot/apps.json"}},
	{Home: true, Why: "database passwords", Paths: []string{".pgpass", ".my.cnf", ".mylogin.cnf", ".dbt/profiles.yml", ".snowsql/config"}},
	{Home: true, Why: "tokens", Paths: []string{
		".databrickscfg", ".terraform.d/credentials.tfrc.json", ".terraformrc", ".pulumi/credentials.json", ".vault-token"}},
	{Home: true, Why: "cloud tokens", Paths: []string{".config/doctl/config.yaml", ".config/hcloud/cli.toml", ".config/linode-cli"}},
	{Home: true, Why: "tokens", Paths: []string{".config/stripe/config.toml"}},
	{Home: true, Why: "everything typed into a shell", Paths: []string{".bash_history", ".zsh_history", ".sh_history", ".local/share/fish/fish_history", ".psql_history", ".mysql_history"}},
	{Home: true, Why: "cloud tokens", Paths: []string{
		".config/.wrangler/config/default.toml", ".fly/config.yml", ".config/netlify/config.json", "com.vercel.cli/auth.json"}},
	{Home: true, Why: "storage passwords", Paths: []string{".config/rclone/rclone.conf"}},
	{Home: true, Why: "storage keys", Paths: []string{".s3cfg", ".boto"}},
	// each as the documentation of its program says (2026-11)
	{Home: true, Why: "private keys", Paths: []string{".config/sops/age/keys.txt"}},
	{Dir: true, Home: true, Why: "private keys", Paths: []string{".step/secrets", ".tsh/keys"}},
	{Home: true, Why: "cloud tokens", Paths: []string{".cloudflared/*.json", ".cloudflared/cert.pem"}},
	{Home: true, Why: "cloud keys", Paths: []string{".config/scw/config.yaml", ".config/exoscale/exoscale.toml"}},
	{Home: true, Why: "cloud passwords", Paths: []string{".config/openstack/clouds.yaml", ".config/openstack/secure.yaml"}},
	{Home: true, Why: "cloud keys", Paths: []string{".aliyun/config.json"}},
	{Home: true, Why: "cloud tokens", Paths: []string{
		".bluemix/config.json", ".railway/config.json", ".supabase/access-token", ".config/configstore/firebase-tools.json",
		".config/planetscale/access-token"}},
	{Home: true, Why: "tokens", Paths: []string{".config/ngrok/ngrok.yml"}},
	{Home: true, Why: "registry passwords", Paths: []string{".config/helm/registry/config.json"}},
	{Home: true, Why: "registry tokens", Paths: []string{
		".pub-cache/credentials.json", ".config/dart/pub-credentials.json", ".hex/hex.config", ".local/share/gem/credentials"}},
	{Home: true, Why: "repository passwords", Paths: []string{".ivy2/.credentials", ".sbt/.credentials"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{".subversion/auth"}},
	{Home: true, Why: "database passwords", Paths: []string{".snowflake/connections.toml", ".config/snowflake/connections.toml"}},
	{Home: true, Why: "database tokens", Paths: []string{".influxdbv2/configs"}},
	{Home: true, Why: "tokens", Paths: []string{
		".huggingface/token", ".cache/huggingface/token", ".cache/huggingface/stored_tokens", ".kaggle/kaggle.json",
		".sentryclirc", ".expo/state.json"}},
	{Home: true, Why: "storage keys", Paths: []string{".mc/config.json"}},
	{Home: true, Why: "mail passwords", Paths: []string{".msmtprc", ".config/msmtp/config", ".mbsyncrc", ".fetchmailrc"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{".config/subversion/auth"}},
	// learn.microsoft.com app-secrets (2025)
	{Dir: true, Home: true, Why: "secrets of programs", Paths: []string{".microsoft/usersecrets", ".config/microsoft/usersecrets"}},
	{Home: true, Why: "mail passwords", Paths: []string{
		"thunderbird/profiles/*/logins.json", "thunderbird/profiles/*/key4.db", ".thunderbird/*/logins.json",
		".thunderbird/*/key4.db"}},
	{Home: true, Why: "passwords", Paths: []string{".config/bitwarden cli/data.json"}},
	{Dir: true, Home: true, Why: "wallet keys", Paths: []string{".ethereum/keystore"}},
	{Home: true, Why: "wallet keys", Paths: []string{".bitcoin/wallet.dat", ".config/solana/id.json"}},
	{Dir: true, Home: true, Why: "wallet keys", Paths: []string{".near-credentials"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{".config/op"}, Not: []string{"op"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{".password-store"}, Not: []string{".password-store"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{".local/share/keyrings", ".local/share/kwalletd", "library/keychains"}},
	// what macOS itself lets no program read that has not got its user's consent: support.apple.com guide/security
	// "Controlling app access to files" (2024-05)
	{Dir: true, Home: true, Why: "browser sessions", Paths: []string{"library/cookies", "library/httpstorages"}},
	{Dir: true, Home: true, Why: "what a browser was used for", Paths: []string{"library/safari"}},
	{Dir: true, Home: true, Why: "a person's messages", Paths: []string{"library/messages"}},
	{Dir: true, Home: true, Why: "a person's mail", Paths: []string{"library/mail"}},
	{Dir: true, Home: true, Why: "accounts", Paths: []string{"library/accounts"}},
	{Dir: true, Home: true, Why: "a person's notes", Paths: []string{"library/group containers/group.com.apple.notes"}},
	{Dir: true, Home: true, Why: "passwords", Paths: []string{"library/group containers/*.com.1password"}},
	{Dir: true, Home: true, Why: "a person's contacts", Paths: []string{"library/application support/addressbook"}},
	{Dir: true, Home: true, Why: "backups of a phone", Paths: []string{"library/application support/mobilesync"}},
	{Dir: true, Home: true, Why: "a person's calendars", Paths: []string{"library/calendars"}},
	{Dir: true, Home: true, Why: "a person's reminders", Paths: []string{"library/reminders"}},
	{Dir: true, Home: true, Why: "accounts", Paths: []string{"library/identityservices"}},
	{Dir: true, Home: true, Why: "what a person did", Paths: []string{"library/biome"}},
	{Dir: true, Home: true, Why: "a person's photos", Paths: []string{"*.photoslibrary"}},
	{Home: true, Why: "the key of a person's messages", Paths: []string{".config/signal/config.json"}},
	// what DPAPI keeps and what it keeps it with: learn.microsoft.com, CNG DPAPI and "Credentials Processes in Windows
	// Authentication" (2024); the registry's files, and the others as the documentation of their programs says (2026-11)
	{Dir: true, Home: true, Why: "passwords", Paths: []string{
		"appdata/roaming/microsoft/credentials", "appdata/local/microsoft/credentials", "appdata/roaming/microsoft/vault",
		"appdata/local/microsoft/vault"}},
	{Dir: true, Home: true, Why: "keys of stored passwords", Paths: []string{"appdata/roaming/microsoft/protect"}},
	{Dir: true, Home: true, Why: "private keys", Paths: []string{
		"appdata/roaming/microsoft/crypto", "appdata/roaming/microsoft/systemcertificates/my/keys"}},
	{Home: true, Why: "the key of a browser's passwords", Paths: []string{"user data/local state"}},
	{Why: "the registry of a user", Paths: []string{"ntuser.dat"}},
	{Dir: true, Why: "password hashes", Paths: []string{"windows/system32/config"}, Not: []string{"config"}},
	{Dir: true, Why: "password hashes", Paths: []string{"windows/repair"}, Not: []string{"repair"}},
	{Why: "password hashes", Paths: []string{"windows/ntds/ntds.dit"}},
	{Why: "passwords", Paths: []string{
		"windows/panther/unattend.xml", "windows/panther/unattend/unattend.xml", "windows/system32/sysprep/unattend.xml"}},
	{Dir: true, Why: "private keys", Paths: []string{"programdata/microsoft/crypto"}},
	{Dir: true, Home: true, Why: "a person's mail", Paths: []string{"appdata/local/microsoft/outlook"}},
	{Dir: true, Home: true, Why: "a person's notes", Paths: []string{"microsoft.microsoftstickynotes*/localstate"}},
	{Why: "a private key", Paths: []string{"programdata/ssh/ssh_host_*_key"}},
	{Home: true, Why: "code host tokens", Paths: []string{".config/github cli/hosts.yml"}},
	{Home: true, Why: "tokens", Paths: []string{".config/terraform.d/credentials.tfrc.json", ".config/terraform.rc"}},
	{Home: true, Why: "database passwords", Paths: []string{".config/postgresql/pgpass.conf"}},
	{Dir: true, Home: true, Why: "private keys", Paths: []string{".config/gnupg"}, Not: []string{"*.conf", "pubring.*", "gnupg"}},
	{Home: true, Why: "passwords", Paths: []string{".config/filezilla/sitemanager.xml", ".config/winscp.ini"}},
	{Home: true, Why: "wallet keys", Paths: []string{".config/bitcoin/wallet.dat"}},
	{Dir: true, Home: true, Why: "wallet keys", Paths: []string{".config/ethereum/keystore"}},
	{Home: true, Why: "an agent's tokens", Paths: []string{
		".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".qwen/oauth_creds.json",
		".local/share/opencode/auth.json"}},
	// where the keyring of the system is not used: docs.github.com authenticate-copilot-cli (2026-04),
	// google-gemini/gemini-cli and QwenLM/qwen-code packages/core/src/config/storage.ts (2026-09), openai/codex issue
	// 17265; what others saw of Droid, cursor-agent, agy and Grok (2026-09)
	{Home: true, Why: "an agent's tokens", Paths: []string{
		".codex/.credentials.json", ".gemini/mcp-oauth-tokens.json", ".gemini/a2a-oauth-tokens.json",
		".gemini/gemini-credentials.json", ".gemini/antigravity-cli/antigravity-oauth-token", ".qwen/mcp-oauth-tokens.json",
		".copilot/config.json"}},
	{Dir: true, Home: true, Why: "an agent's tokens", Paths: []string{".copilot/mcp-oauth-config"}},
	{Home: true, Why: "an agent's tokens", Paths: []string{
		".factory/auth.*", ".config/cursor/auth.json", ".cursor/auth.json", ".grok/auth.json",
		".local/share/opencode/mcp-auth.json"}},
	// Kilo 7.7.9 itself; goose-docs.ai troubleshooting and Vercel's guide on Crush (2026); Amp, Cline, Auggie, Devin,
	// pi and Windsurf: their sources, or what others read there (2026-10)
	{Home: true, Why: "an agent's tokens", Paths: []string{
		".local/share/kilo/auth.json", ".local/share/kilo/mcp-auth.json", ".config/goose/secrets.yaml",
		"block/goose/config/secrets.yaml", ".local/share/crush/crush.json", ".local/share/amp/secrets.json",
		".cline/data/secrets.json", ".cline/data/settings/providers.json", ".augment/session.json",
		".local/share/devin/credentials.toml", ".pi/agent/auth.json", ".codeium/config.json"}},
	{Home: true, Why: "browser passwords", Paths: []string{
		".mozilla/firefox/*/logins.json", ".mozilla/firefox/*/key4.db", "firefox/profiles/*/logins.json",
		"firefox/profiles/*/key4.db", "*/login data"}},
	{Home: true, Why: "browser sessions", Paths: []string{
		".mozilla/firefox/*/cookies.sqlite", "firefox/profiles/*/cookies.sqlite", "*/cookies"}},
	{Why: "secrets of programs", Paths: []string{".env"}},
	{Why: "secrets of programs", Paths: []string{".env.*"}, Not: []string{"*.example", "*.sample", "*.template", "*.dist", "*.defaults", "*.schema"}},
	{Why: "secrets of programs", Paths: []string{"*.env"}, Not: []string{"go.env", "example.env", "*.example.env", "sample.env", "template.env"}},
	{Why: "secrets of programs", Paths: []string{".envrc", ".dev.vars", ".streamlit/secrets.toml"}},
	{Why: "a private key", Paths: []string{
		"*.p8", "*.keystore", "service-account*.json", "service_account*.json", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_*_sk",
		"*.key", "*.ppk", "*.p12", "*.pfx", "*.jks", "*privkey*.pem", "*private*.pem", "*key.pem"}},
	{Why: "passwords", Paths: []string{".vault_pass*", "*.kdbx"}},
	{Why: "password hashes", Paths: []string{"etc/shadow", "etc/shadow-", "etc/gshadow", "etc/master.passwd"}},
	{Dir: true, Why: "password hashes", Paths: []string{"var/db/dslocal/nodes"}},
	{Why: "a private key", Paths: []string{"etc/krb5.keytab", "etc/ssh/ssh_host_*_key"}},
	{Dir: true, Why: "private keys", Paths: []string{"etc/ssl/private", "etc/wireguard"}},
	{Why: "cluster credentials", Paths: []string{"etc/kubernetes/*.conf", "etc/rancher/*/*.yaml"}},
	{Dir: true, Why: "network passwords", Paths: []string{"etc/networkmanager/system-connections", "run/networkmanager/system-connections"}},
	{Dir: true, Why: "network passwords", Paths: []string{"etc/wpa_supplicant*"}, Not: []string{"*.sh", "wpa_supplicant"}},
	{Why: "network passwords", Paths: []string{"etc/ppp/*-secrets", "etc/ipsec.secrets"}},
	{Why: "mail passwords", Paths: []string{"etc/postfix/sasl_passwd"}},
	{Why: "database passwords", Paths: []string{"etc/mysql/debian.cnf"}},
	{Dir: true, Why: "container secrets", Paths: []string{"run/secrets"}},
	{Why: "the memory of the machine", Paths: []string{"proc/kcore", "dev/mem"}},
	{Why: "the memory of a process", Paths: []string{"proc/*/mem"}},
}

var secretRows world.Rows

func secretPaths(yield func(int, string) bool) {
	for i := range Secrets {
		for _, p := range Secrets[i].Paths {
			if !yield(i, p) {
				return
			}
		}
	}
}

// SecretPath looks a path up in the table. A pattern counts as what it could be.
func SecretPath(name string) *Secret {
	for parts, i := range readings(name) {
		row := secretRows.First(parts[i], secretPaths, func(row, nth int) bool {
			return Secrets[row].takes(Secrets[row].Paths[nth], parts, i)
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
		for _, name := range Secrets[i].Paths {
			if Secrets[i].Home || strings.Contains(name, "/") || 2*spelled < len(name) {
				continue
			}
			if ok, _ := doublestar.Match(pattern, strings.ReplaceAll(name, "*", "x")); ok {
				return true
			}
		}
	}
	return false
}

// Precious reports whether a path is sensitive or a secret by its name. Most files are asked about with those next to
// them, in a folder where only their own names can say so.
func (g *Guard) Precious(name string) bool {
	dir, base := path.Split(name)
	if dir != g.near {
		g.near, g.plainDir = dir, g.saysNothing(dir)
	}
	if g.plainDir && !byName(world.FoldPath(base)) && !g.World.OS.SystemDir(name) {
		return false
	}
	return g.byWholePath(name)
}

// byName reports whether a name may be one of the tables in any folder.
func byName(name string) bool {
	in := [...]string{"w", name}
	secret := func(row, nth int) bool { return Secrets[row].takes(Secrets[row].Paths[nth], in[:], 1) }
	below := func(row, nth int) bool { return Secrets[row].takes(Secrets[row].Paths[nth], in[:], 0) }
	control := func(row, nth int) bool { return Sensitives[row].means(Sensitives[row].Paths[nth], in[1:]) }
	return secretRows.First(name, secretPaths, secret) >= 0 || secretRows.First(in[0], secretPaths, below) >= 0 ||
		sensitiveRows.First(name, controlPaths, control) >= 0
}

func (g *Guard) byWholePath(name string) bool {
	return SecretPath(name) != nil || g.Sensitive(&Target{Hit: rules.Path{Given: name, Real: name}}) != ""
}

// saysNothing reports whether no component of a folder begins a path of the tables, and what this machine knows lies
// neither in it nor around it.
func (g *Guard) saysNothing(dir string) bool {
	folded := strings.TrimSuffix(world.FoldPath(dir), "/")
	if folded == "" || strings.Contains(dir, `\`) {
		return false
	}
	parts := strings.Split(folded, "/")
	for i, part := range parts {
		secret := func(row, nth int) bool {
			p := Secrets[row].Paths[nth]
			return (atRoot(parts, i) || !ofSystem(p)) && begins(p, parts[i:], Secrets[row].Dir)
		}
		control := func(row, nth int) bool {
			return begins(strings.TrimSuffix(Sensitives[row].Paths[nth], "/"), parts[i:], true)
		}
		if part != "" && (secretRows.First(part, secretPaths, secret) >= 0 || sensitiveRows.First(part, controlPaths, control) >= 0) {
			return false
		}
	}
	known := slices.Concat(g.World.GateFilesFolded(), []rules.Path{{Given: world.FoldPath(world.Folder(g.World, "XDG_CONFIG_HOME"))}})
	for _, f := range g.liveFolders() {
		known = append(known, f.Path)
	}
	near := func(at string) bool { return at != "" && (rules.Within(folded, at) || rules.Within(at, folded)) }
	for i := range applicationData {
		if strings.Contains(folded+"/", applicationData[i].dir) {
			return false
		}
	}
	return !slices.ContainsFunc(known, func(p rules.Path) bool { return near(p.Given) || near(p.Real) })
}

// begins reports whether a path of the tables may begin with components of a folder, to its end or beyond. One of a file
// by its name, in any folder, begins right above it.
func begins(p string, parts []string, dir bool) bool {
	if name, any := strings.CutPrefix(p, "*/"); any && !dir && !strings.Contains(name, "/") {
		return false
	}
	for _, part := range parts {
		first, rest, more := strings.Cut(p, "/")
		if !world.ComponentIs(part, first) {
			return false
		} else if !more {
			return true
		}
		p = rest
	}
	return true
}

// takes reports whether the components of a path from i on are a secret by one path of the row. One of the system is at
// its root, and no place called alike.
func (s *Secret) takes(p string, parts []string, i int) bool {
	n, ok := world.MatchParts(p, parts[i:])
	if !ok || !s.Dir && i+n != len(parts) || s.open(parts[len(parts)-1]) {
		return false
	}
	return atRoot(parts, i) || !ofSystem(p)
}

// atRoot reports whether a component is one of the root of the system, or what macOS has for it.
func atRoot(parts []string, i int) bool { return i == 1 || i == 2 && parts[1] == "private" }

// ofSystem reports whether a path of the table is one of the system, at its root.
func ofSystem(p string) bool {
	top, _, _ := strings.Cut(p, "/")
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

// SecretIn returns a credential store of the home that is a folder, or lies in it and no deeper.
func (g *Guard) SecretIn(dir rules.Path) (name, why string) {
	if path.Base(dir.Given)[0] != '.' {
		return "", ""
	}
	if name, why = g.SecretBelow(dir); name == dir.Given || path.Dir(name) == dir.Given {
		return name, why
	}
	return "", ""
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
		if !Secrets[i].Home {
			continue
		}
		for _, p := range Secrets[i].Paths {
			if name := g.inStore(home, p, dir); name != "" {
				return name, Secrets[i].Why
			}
		}
	}
	return "", ""
}

// inStore is where a path of the table lies in a home and below a folder that is searched, "" where it does not.
func (g *Guard) inStore(home, name string, dir rules.Path) string {
	if strings.Contains(name, "*") {
		return ""
	}
	for p := range g.inHome(name) {
		if !joinsWithin(home, p, dir.Given) && !joinsWithin(home, p, dir.Real) || g.inRepository(home+p) {
			continue
		}
		if g.World.Blind() || g.World.Exists(home+p) {
			return home + p
		}
	}
	return ""
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
	if e.Named { // there may be thousands, and few are files
		_, why := g.SecretIn(rules.Path{Given: e.Path, Real: e.Path})
		return why != "" || SecretPath(e.Path) != nil
	}
	p := g.World.EffectPath(e)
	if SecretPath(p.Given) != nil || p.Real != p.Given && SecretPath(p.Real) != nil {
		return true
	}
	_, why := g.SecretBelow(p) // a folder that is not read with all below it may be: diff reads what lies in both
	return why != ""
}
