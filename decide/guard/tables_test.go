package guard

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// TestLookups: what the tables say of a path is what a walk over all their rows says.
func TestLookups(t *testing.T) {
	var names []string
	for i := range Sensitives {
		names = append(names, Sensitives[i].Paths...)
	}
	for i := range Secrets {
		names = append(names, Secrets[i].Paths...)
	}
	for i := range Autoruns {
		names = append(names, strings.Fields(Autoruns[i].Files+" "+Autoruns[i].Dirs)...)
	}
	nths, found := make([]int, 64), 0 // more than a row has
	for i := range nths {
		nths[i] = i
	}
	for n, name := range names {
		name = strings.TrimSuffix(strings.NewReplacer("*", "x", "~/", "", "$", "").Replace(name), "/")
		for k, p := range [...]string{name, "/" + name, "/W.x/" + strings.ToUpper(name), "c:/w /" + name + ".", "/w/" + name + "/a.b/", "/w/" + name + ":x",
			"/w/*" + name, "/w/?" + name[1:], "/w/[" + name[:1] + "]" + name[1:], `/w/\` + name, "/w/\x00" + name[1:], "/~/" + name[:min(len(name), 6)] + "~1",
			"/\xff/" + name, "/private/" + name, "/h/appdata/roaming/" + name, "/h/library/application support/" + strings.TrimPrefix(name, ".config/")} {
			if (n+k)%6 != 0 { // all of them take long
				continue
			}
			var secret *Secret
			var control, plain *Sensitive
			for parts, i := range readings(p) {
				for j := range Secrets {
					if secret == nil && slices.ContainsFunc(Secrets[j].Paths, func(p string) bool { return Secrets[j].takes(p, parts, i) }) {
						secret = &Secrets[j]
					}
				}
				for j := range Sensitives {
					s := &Sensitives[j]
					if control != nil || s.Class != Control || !slices.ContainsFunc(s.Paths, func(p string) bool { return s.means(p, parts[i:]) }) {
						continue
					}
					if s = s.narrowed(parts[i:]); s.Class == Plain {
						plain = s
					} else if s.Class != Exempt {
						control = s
					}
				}
			}
			if control == nil {
				control = plain
			}
			var autorun *Autorun
			for parts := strings.Split(world.FoldPath(p), "/"); len(parts) > 0; parts = parts[1:] {
				for j := range Autoruns {
					if autorun == nil && parts[0] != "" && slices.ContainsFunc(nths, func(nth int) bool { return Autoruns[j].means(nth, parts) }) {
						autorun = &Autoruns[j]
					}
				}
			}
			if SecretPath(p) != secret || sensitiveAs(p) != control || AutorunPath(p) != autorun {
				t.Errorf("%q: %v, %v, %v; the rows say %v, %v, %v", p, SecretPath(p), sensitiveAs(p), AutorunPath(p), secret, control, autorun)
			}
			if secret != nil || control != nil || autorun != nil {
				found++
			}
		}
	}
	if found < len(names) {
		t.Errorf("%d of %d names are in a table", found, len(names))
	}
}

// TestJoinsWithin: it is what rules.Within says of the joined path.
func TestJoinsWithin(t *testing.T) {
	folders := [...]string{"/", "/home", "/home/", "/home/dev", "/home/dev/", "/home/dev2", "/home/de", "/home/dev/.ss", "/home/dev/.ssh", "/home/dev/.ssh/",
		"/home/dev/.ssh/id", "/home/dev/.config", "/home/dev/.config/gh/hosts.yml", "/.ssh", "", ".ssh", "/etc", "C:/Users", "C:/Users/x/.ssh", "C:/"}
	var names []string
	for _, paths := range secretPaths {
		names = append(names, paths)
	}
	within := 0
	for _, home := range [...]string{"/", "/home/", "/home/dev/", "C:/Users/x/"} {
		for _, name := range names {
			for _, folder := range folders {
				want := rules.Within(path.Join(home, name), folder)
				if got := joinsWithin(home, name, folder); got != want {
					t.Errorf("%s of %s in %q: %v", name, home, folder, got)
				}
				if want {
					within++
				}
			}
		}
	}
	if within < 5*len(names) {
		t.Errorf("only %d are within", within)
	}
}
