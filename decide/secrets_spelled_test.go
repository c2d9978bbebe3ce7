package decide

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// TestSpellsSecret: a word of a text that names a secret is found wherever it is.
func TestNamesSecret(t *testing.T) {
	for text, want := range map[string]string{
		`cat "${x:-.env}"`:                        "-.env",
		`cat ${x-.env}`:                           "x-.env",
		`cat $(ls ~/.ssh/*)`:                      "~/.ssh/*",
		`cat $(find ~/.ssh -type f)`:              "~/.ssh",
		`find . -name id_rsa | xargs cat`:         "id_rsa",
		"for f in ~/.ssh/*; do cat $f; done":      "~/.ssh/*",
		`f=$(echo server.key); cat "$f"`:          "server.key",
		`echo '/home/u/.aws/credentials' | cat`:   "/home/u/.aws/credentials",
		`cat ~root/.ssh/id_rsa`:                   "~root/.ssh/id_rsa",
		`cat "$f" .env.example`:                   "",
		`for f in *.go; do wc -l "$f"; done`:      "",
		`cat "$(git rev-parse HEAD)/x" ~/.ssh.md`: "",
		`grep -rn TODO "$d" | sort`:               "",
	} {
		if got := scriptCase(text).Facts().NamesSecret(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func scriptCase(text string) *Input {
	c := testCase("Bash")
	c.Policy.Home = rules.Path{Given: "/home/u", Real: "/home/u"}
	c.Script = bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/home/u"})
	return c
}

// TestUnknownReadOfSecret: what reads a file that is not known is not proven to
// only read where the text names a secret.
func TestUnknownReadOfSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"cat $(ls ~/.ssh/*)":                               false,
		"find ~ -name id_rsa | xargs cat":                  false,
		"find ~ -name id_rsa -exec cat {} \\;":             false,
		"for f in ~/.ssh/*; do cat $f; done":               false,
		"cat ~root/.ssh/id_rsa":                            false,
		"diff ~/.ssh /tmp/x":                               false,
		"grep -d recurse x ~/.ssh":                         false,
		"zcat -rf ~/.ssh":                                  false,
		"tree -H . --hintro=.env":                          false,
		"sort --files0-from=-":                             false,
		"jq -n --rawfile a .env '$a'":                      false,
		"env -C ~/.ssh cat id_rsa":                         false,
		"env -S 'cat .env'":                                false,
		"env -S cat .env":                                  false,
		"find ~/.aws -type f | xargs cat":                  false, // holds a store, is no store itself
		"cat $(find ~/.config/gh -type f)":                 false,
		"find . -name '*.env*' | xargs cat":                false, // find's wildcards match a leading dot
		"find . -name '[.]env' | xargs cat":                false,
		"fd -H env | xargs cat":                            false,
		"cat prod.env":                                     false,
		"find . -name '*.json' | xargs cat":                true,
		"find . -name '*.env.example' | xargs cat":         true,
		"find src -type f | xargs cat":                     true,
		"while read l; do cat \"$l\"; done < list":         true,
		"for f in *.go; do wc -l \"$f\"; done":             true,
		"diff a/x b/x":                                     true,
		"ls -la ~/.ssh":                                    true,
		"git ls-files | xargs grep -n TODO -- .env.sample": true,
	} {
		c := scriptCase(text)
		if got := Decide(c).Unproven(); (got == "") != want {
			t.Errorf("%s: %q, proven should be %v", text, got, want)
		}
	}
}
