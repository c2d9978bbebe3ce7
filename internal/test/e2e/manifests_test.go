package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A manifestField is one field of a manifest by its path, where [] is an element of a list.
type manifestField struct {
	path  string
	must  bool
	value string // pattern of the value
}

const (
	wingetID      = `[^.\s\\/:*?"<>|\x01-\x1f]{1,32}(\.[^.\s\\/:*?"<>|\x01-\x1f]{1,32}){1,7}`
	wingetVersion = `[^\\/:*?"<>|\x01-\x1f]{1,128}`
	wingetURL     = `[Hh][Tt][Tt][Pp][Ss]?://.+`
	wingetLocale  = `[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*`
	wingetSyntax  = `1\.12\.0`
)

// wingetFields are those of winget's manifests that goreleaser writes, as far as a zip with a program needs them: microsoft/winget-cli
// schemas/JSON/manifests/v1.12.0 (2026-11), manifest.version, manifest.installer and manifest.defaultLocale.
var wingetFields = map[string][]manifestField{
	"version": {
		{"PackageIdentifier", true, wingetID}, {"PackageVersion", true, wingetVersion}, {"DefaultLocale", true, wingetLocale},
		{"ManifestType", true, "version"}, {"ManifestVersion", true, wingetSyntax},
	},
	"installer": {
		{"PackageIdentifier", true, wingetID}, {"PackageVersion", true, wingetVersion}, {"InstallerLocale", false, wingetLocale},
		{"InstallerType", true, "zip"}, {"Commands[]", false, `.{1,40}`}, {"ReleaseDate", false, `\d{4}-\d\d-\d\d`},
		{"Installers[].Architecture", true, "x86|x64|arm|arm64|neutral"}, {"Installers[].NestedInstallerType", true, "portable"},
		{"Installers[].NestedInstallerFiles[].RelativeFilePath", true, `.{1,512}`},
		{"Installers[].NestedInstallerFiles[].PortableCommandAlias", false, `.{1,40}`},
		{"Installers[].InstallerUrl", true, wingetURL}, {"Installers[].InstallerSha256", true, `[A-Fa-f0-9]{64}`},
		{"Installers[].UpgradeBehavior", false, "install|uninstallPrevious|deny"},
		{"ManifestType", true, "installer"}, {"ManifestVersion", true, wingetSyntax},
	},
	"defaultLocale": {
		{"PackageIdentifier", true, wingetID}, {"PackageVersion", true, wingetVersion}, {"PackageLocale", true, wingetLocale},
		{"Publisher", true, `.{2,256}`}, {"PublisherUrl", false, wingetURL}, {"PublisherSupportUrl", false, wingetURL},
		{"PackageName", true, `.{2,256}`}, {"PackageUrl", false, wingetURL}, {"License", true, `.{3,512}`}, {"LicenseUrl", false, wingetURL},
		{"ShortDescription", true, `.{3,256}`}, {"Moniker", false, `.{1,40}`}, {"ReleaseNotesUrl", false, wingetURL},
		{"ManifestType", true, "defaultLocale"}, {"ManifestVersion", true, wingetSyntax},
	},
}

// scoopFields are those of a manifest of Scoop that goreleaser writes: ScoopInstaller/Scoop schema.json (2026-11), which knows no others.
var scoopFields = []manifestField{
	{"version", true, `[\w.\-+]+`}, {"homepage", true, `https?://\S+`}, {"license", true, `[\w.\-+]+`}, {"description", false, `.+`},
	{"architecture.64bit.url", true, `https://[^\s$]+`}, {"architecture.64bit.bin[]", true, `.+`}, {"architecture.64bit.hash", true, `[a-fA-F0-9]{64}`},
	{"architecture.arm64.url", true, `https://[^\s$]+`}, {"architecture.arm64.bin[]", true, `.+`}, {"architecture.arm64.hash", true, `[a-fA-F0-9]{64}`},
}

// wrongManifest returns what is wrong with the values of a manifest.
func wrongManifest(values [][2]string, fields []manifestField) (wrong []string) {
	for _, v := range values {
		i := slices.IndexFunc(fields, func(f manifestField) bool { return f.path == v[0] })
		if i < 0 {
			wrong = append(wrong, v[0]+" is not known")
		} else if !regexp.MustCompile(`^(` + fields[i].value + `)$`).MatchString(v[1]) {
			wrong = append(wrong, fmt.Sprintf("%s is %q", v[0], v[1]))
		}
	}
	for _, f := range fields {
		if f.must && !slices.ContainsFunc(values, func(v [2]string) bool { return v[0] == f.path }) {
			wrong = append(wrong, f.path+" is missing")
		}
	}
	return wrong
}

// yamlValues are the values of a manifest of winget by their path: maps, and lists in them, which is all that goreleaser writes.
func yamlValues(text string) (out [][2]string) {
	type level struct {
		indent int
		key    string
	}
	var in []level
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		indent := strings.Index(line, rest)
		if rest == "" || rest[0] == '#' {
			continue
		}
		if item, ok := strings.CutPrefix(rest, "- "); ok {
			rest, indent = item, indent+2
		}
		for len(in) > 0 && in[len(in)-1].indent >= indent {
			in = in[:len(in)-1]
		}
		name := ""
		for _, l := range in {
			name += l.key + "[]."
		}
		key, value, isMap := strings.Cut(rest+" ", ": ")
		switch value = strings.Trim(strings.TrimSpace(value), `"'`); {
		case !isMap:
			out = append(out, [2]string{strings.TrimSuffix(name, "."), strings.TrimSpace(rest)})
		case value == "":
			in = append(in, level{indent, key})
		default:
			out = append(out, [2]string{name + key, value})
		}
	}
	return out
}

// jsonValues are the values of a JSON text by their path.
func jsonValues(prefix string, v any) (out [][2]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			out = append(out, jsonValues(strings.TrimPrefix(prefix+"."+key, "."), value)...)
		}
	case []any:
		for _, value := range v {
			out = append(out, jsonValues(prefix+"[]", value)...)
		}
	default:
		out = append(out, [2]string{prefix, fmt.Sprint(v)})
	}
	return out
}

// TestWingetFields tries the table on manifests as they are, and with one thing wrong.
func TestWingetFields(t *testing.T) {
	const right = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.installer.1.12.0.schema.json
PackageIdentifier: permgate.permgate
PackageVersion: 1.2.3
InstallerLocale: en-US
InstallerType: zip
Commands:
  - permgate
ReleaseDate: "2026-11-28"
Installers:
  - Architecture: x64
    NestedInstallerType: portable
    NestedInstallerFiles:
      - RelativeFilePath: permgate.exe
        PortableCommandAlias: permgate
    InstallerUrl: https://example.com/a.zip
    InstallerSha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    UpgradeBehavior: uninstallPrevious
ManifestType: installer
ManifestVersion: 1.12.0
`
	if wrong := wrongManifest(yamlValues(right), wingetFields["installer"]); len(wrong) > 0 {
		t.Errorf("%q in %q", wrong, yamlValues(right))
	}
	for old, now := range map[string]string{
		"permgate.permgate": "permgate", "InstallerType: zip": "InstallerType: rar", "x64": "amd64", "  - Architecture": "  - Arch",
		"52b855": "52b85", "https://example": "ftp://example", `"2026-11-28"`: `"28.11.2026"`, "PackageVersion: 1.2.3": "PackageVersion: 1/2",
		"ManifestType: installer\n": "", "      - RelativeFilePath: permgate.exe\n": "", "1.12.0\n": "1.6.0\n", "  - permgate\n": "  - " + strings.Repeat("x", 41) + "\n",
	} {
		text := strings.Replace(right, old, now, 1)
		if strings.HasPrefix(old, "1.12") {
			text = strings.TrimSuffix(right, old) + now
		}
		if wrong := wrongManifest(yamlValues(text), wingetFields["installer"]); len(wrong) == 0 {
			t.Errorf("nothing is wrong with %q instead of %q", now, old)
		}
	}
}

// TestManifests checks the manifests of a release: the tables above, and that they are about its files.
func TestManifests(t *testing.T) {
	dir := dist(t)
	found, _ := filepath.Glob(filepath.Join(dir, "winget", "manifests", "p", "permgate", "permgate", "*", "*.yaml"))
	if len(found) != 3 {
		t.Errorf("winget: %q", found)
	}
	for _, name := range found {
		kind := "version"
		if strings.Contains(name, ".installer.yaml") {
			kind = "installer"
		} else if strings.Contains(name, ".locale.en-US.yaml") {
			kind = "defaultLocale"
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		values := yamlValues(string(text))
		for _, w := range wrongManifest(values, wingetFields[kind]) {
			t.Errorf("%s: %s", filepath.Base(name), w)
		}
		about(t, dir, values, "Installers[].InstallerUrl", "Installers[].InstallerSha256", "Installers[].NestedInstallerFiles[].RelativeFilePath")
	}
	text, err := os.ReadFile(filepath.Join(dir, "scoop", "permgate.json"))
	var manifest any
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	values := jsonValues("", manifest)
	for _, w := range wrongManifest(values, scoopFields) {
		t.Errorf("permgate.json: %s", w)
	}
	for _, arch := range [...]string{"64bit", "arm64"} {
		about(t, dir, values, "architecture."+arch+".url", "architecture."+arch+".hash", "architecture."+arch+".bin[]")
	}
}

// about checks that each archive that a manifest names is one of the release, with this hash and this program in it.
func about(t *testing.T, dir string, values [][2]string, url, hash, program string) {
	of := func(name string) (out []string) {
		for _, v := range values {
			if v[0] == name {
				out = append(out, v[1])
			}
		}
		return out
	}
	urls, hashes, programs := of(url), of(hash), of(program)
	if len(urls) != len(hashes) || len(urls) != len(programs) {
		t.Fatalf("%q, %q, %q", urls, hashes, programs)
	}
	for i, u := range urls {
		data, err := os.ReadFile(filepath.Join(dir, path.Base(u)))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(data)) != hashes[i] {
			t.Errorf("%s: %v, or another hash than %s", u, err, hashes[i])
			continue
		}
		if !slices.ContainsFunc(unzip(t, data), func(p packed) bool { return p.name == programs[i] }) {
			t.Errorf("%s has no %s", path.Base(u), programs[i])
		}
	}
}
