package decide

import (
	"path"
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
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
	{Path: ".ssh", Dir: true, Home: true, Why: "ssh keys",
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
	{Path: ".config/gh/hosts.yml", Home: true, Why: "tokens of a code host"},
	{Path: ".config/hub", Home: true, Why: "tokens of a code host"},
	{Path: ".config/glab-cli/config.yml", Home: true, Why: "tokens of a code host"},
	{Path: ".config/tea/config.yml", Home: true, Why: "tokens of a code host"},
	{Path: ".config/github-copilot/hosts.json", Home: true, Why: "tokens of a code host"},
	{Path: ".config/github-copilot/apps.json", Home: true, Why: "tokens of a code host"},
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
	{Path: ".claude/.credentials.json", Home: true, Why: "tokens of an agent"},
	{Path: ".codex/auth.json", Home: true, Why: "tokens of an agent"},
	{Path: ".gemini/oauth_creds.json", Home: true, Why: "tokens of an agent"},
	{Path: ".qwen/oauth_creds.json", Home: true, Why: "tokens of an agent"},
	{Path: ".local/share/opencode/auth.json", Home: true, Why: "tokens of an agent"},
	{Path: ".mozilla/firefox/*/logins.json", Home: true, Why: "passwords of a browser"},
	{Path: ".mozilla/firefox/*/key4.db", Home: true, Why: "passwords of a browser"},
	{Path: ".mozilla/firefox/*/cookies.sqlite", Home: true, Why: "sessions of a browser"},
	{Path: "firefox/profiles/*/logins.json", Home: true, Why: "passwords of a browser"},
	{Path: "firefox/profiles/*/key4.db", Home: true, Why: "passwords of a browser"},
	{Path: "firefox/profiles/*/cookies.sqlite", Home: true, Why: "sessions of a browser"},
	{Path: "*/login data", Home: true, Why: "passwords of a browser"},
	{Path: "*/cookies", Home: true, Why: "sessions of a browser"},
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
	{Path: "run/secrets", Dir: true, Why: "secrets of a container"},
	{Path: "proc/kcore", Why: "the memory of the machine"},
	{Path: "proc/*/mem", Why: "the memory of a process"},
	{Path: "dev/mem", Why: "the memory of the machine"},
}

// immuneSecrets asks about reading a secret outside the project, where the
// posture says so, unless an exact rule of the user or managed settings names it.
func immuneSecrets(c *Case) Verdict {
	if c.Policy.Gate.Secrets.Value != "ask" {
		return Verdict{}
	}
	for i := range c.units {
		u := &c.units[i]
		if !c.readsContent(u) {
			continue
		}
		name, why := c.secretRead(u)
		if why == "" || c.allowedByName(u) {
			continue
		}
		return immune("secret-file", u.text, c.doer(u)+"reads "+quoted(name)+", which holds "+why+
			". To let it pass, allow Read("+ruleName(name, c.Policy.Home.Given)+") in your own settings")
	}
	return Verdict{}
}

// ruleName is how a Read rule names an absolute path.
func ruleName(name, home string) string {
	if rest, ok := strings.CutPrefix(name, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return "/" + name
}

// readsContent reports whether a unit shows what a file holds.
func (c *Case) readsContent(u *unit) bool {
	switch e := u.effect; {
	case u.write:
		return false
	case e != nil:
		return (e.Kind == bashsafety.Read || e.Kind == bashsafety.Source) && !e.Key && !e.Silent
	case u.sub != nil || u.subject.Path == nil:
		return false
	}
	return c.Call.Tool != "Glob" && c.Call.Tool != "LS"
}

// secretRead returns the secret outside the project that a unit reads, and what
// it holds; "" where it reads none.
func (c *Case) secretRead(u *unit) (name, why string) {
	place := u.hit
	if place.Given == "" && u.subject.Path != nil {
		place = *u.subject.Path
	}
	if place.Given == "" {
		return c.secretUnknown(u)
	}
	for _, p := range [...]string{place.Given, place.Real} {
		s := secretPath(p)
		if s == nil {
			continue
		}
		if rel, _ := c.inProject(place); rel == "" || s.Home && c.homePlace(p) {
			return p, s.Why
		}
	}
	if u.effect != nil && u.effect.Recursive || u.effect == nil && c.Call.Tool == "Grep" {
		return c.secretBelow(place)
	}
	return "", ""
}

// homePlace reports whether a path is one of the home itself, and not of a
// folder that looks like one in a project.
func (c *Case) homePlace(name string) bool {
	home := c.Policy.Home
	return home.Given != "" && (rules.Within(name, home.Given) || rules.Within(name, home.Real)) && !c.inRepository(name)
}

// inRepository reports whether a path lies in a project below the home.
func (c *Case) inRepository(name string) bool {
	root := c.Policy.Project.Given
	return root != c.Policy.Home.Given && rules.Within(root, c.Policy.Home.Given) && rules.Within(name, root)
}

// secretBelow returns a credential store of the home that a search of a folder
// reads on its way.
func (c *Case) secretBelow(dir rules.Path) (name, why string) {
	home := c.Policy.Home.Given
	if home == "" {
		return "", ""
	}
	for i := range Secrets {
		s := &Secrets[i]
		if !s.Home || strings.Contains(s.Path, "*") {
			continue
		}
		at := path.Join(home, s.Path)
		if c.inRepository(at) || !rules.Within(at, dir.Given) && !rules.Within(at, dir.Real) {
			continue
		}
		if c.FS == nil || c.exists(at) {
			return at, s.Why
		}
	}
	return "", ""
}

// secretPath looks a path up in the table. A pattern counts as what it could be.
func secretPath(name string) *Secret {
	parts := strings.Split(foldPath(name), "/")
	for i := range parts {
		if parts[i] == "" {
			continue
		}
		for j := range Secrets {
			s := &Secrets[j]
			n, ok := matchParts(s.Path, parts[i:])
			if !ok || !s.Dir && i+n != len(parts) || s.open(parts[len(parts)-1]) {
				continue
			}
			if (strings.HasPrefix(s.Path, "etc/") || strings.HasPrefix(s.Path, "run/") || strings.HasPrefix(s.Path, "proc/") || strings.HasPrefix(s.Path, "dev/")) && i != 1 && !(i == 2 && parts[1] == "private") {
				continue // a place of the system, not one called alike
			}
			return s
		}
	}
	return nil
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

// allowedByName reports whether an exact allow rule of the user or managed
// settings names what a unit reads, or the command that reads it.
func (c *Case) allowedByName(u *unit) bool {
	list := c.Policy.Allow
	for i := range list {
		r := &list[i]
		if r.Scope != rules.User && r.Scope != rules.Managed || strings.ContainsAny(r.Pattern, "*?[") || r.Bare {
			continue
		}
		one := list[i : i+1]
		if len(c.Policy.Match(one, &u.subject)) > 0 {
			return true
		}
		for j := range c.units {
			if o := &c.units[j]; u.sub != nil && o.sub == u.sub && o.effect == nil && len(c.Policy.Match(one, &o.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// readsSecret reports whether an effect reads a secret, wherever it lies.
func (c *Case) readsSecret(e *bashsafety.Effect) bool {
	if e.Silent {
		return false
	}
	if !e.Known && !e.Glob {
		_, why := c.secretStem(e)
		return why != ""
	}
	p := c.effectPath(e)
	if secretPath(p.Given) != nil || secretPath(p.Real) != nil {
		return true
	}
	if !e.Recursive || e.Silent {
		return false
	}
	_, why := c.secretBelow(p)
	return why != ""
}
