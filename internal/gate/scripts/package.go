package scripts

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
)

// readPackage reads "scripts" of a package.json. npm, yarn and bun run pre and
// post scripts around the one that is named, pnpm where it is told to.
func readPackage(f *file, ref *bashsafety.ScriptRef) []bashsafety.ScriptText {
	name := title(f.runner, ref.Names...)
	data := bytes.TrimPrefix(f.data, []byte("\ufeff"))
	shift := len(f.data) - len(data)
	doc := gjson.ParseBytes(data)
	if !gjson.ValidBytes(data) || !doc.IsObject() {
		return doubt(name, f.path, "the file is not valid JSON")
	}
	scripts, twice := member(doc, "scripts")
	switch {
	case twice:
		return doubt(name, f.path, `the key "scripts" appears twice`)
	case !scripts.Exists():
		return nil
	case !scripts.IsObject():
		return doubt(name, f.path, `"scripts" is not an object`)
	}
	var out []bashsafety.ScriptText
	for _, n := range ref.Names {
		for _, s := range [...]string{"pre" + n, n, "post" + n} {
			v, twice := member(scripts, s)
			title := title(f.runner, s)
			switch {
			case twice:
				return append(out, doubt(title, f.path, "the script appears twice")...)
			case v.Exists() && v.Type != gjson.String:
				return append(out, doubt(title, f.path, "the script is not a string")...)
			case strings.Contains(v.Str, hole):
				return append(out, doubt(title, f.path, "the script contains a NUL character")...)
			case v.Exists():
				t := f.text(title, f.line(shift+v.Index), v.Str)
				t.Args = s == n
				out = append(out, t)
			}
		}
	}
	return out
}

// member returns a member of an object, and whether it stands there twice.
func member(object gjson.Result, key string) (v gjson.Result, twice bool) {
	object.ForEach(func(k, value gjson.Result) bool {
		if k.Str == key {
			twice = v.Exists()
			v = value
		}
		return !twice
	})
	return v, twice
}
