package facts

import (
	"net/url"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
)

// maxAccesses bounds the texts of one input that are looked at as paths.
const maxAccesses = 4096

// takesAnyText reports whether each text of the call's input may be a file.
func (c *scene) takesAnyText() bool {
	return (c.Script() == nil || c.Call().OfServer()) && TakesAnyText(c.Call()) && c.Call().Guessed == ""
}

// TakesAnyText reports whether nothing is known of the input of a call's tool, or its address is a
// file: each of its texts may be a file that the tool reads or writes.
func TakesAnyText(call *hookio.Call) bool {
	tool := call.Grantee()
	switch tool {
	case "ReadMcpResourceTool", "Brief", "Memory", "Extension":
		return true
	}
	ofFile := len(call.URL) > 5 && strings.EqualFold(call.URL[:5], "file:")
	return ofFile || call.OfServer() || !rules.KnownTool(tool)
}

// MayBePath reports whether a text in the input of such a tool is looked at as a path: the
// value of a field, or an element of its list.
func MayBePath(field, text string) bool {
	return !hookio.FreeText(field) && len(pathForms(text, "")) > 0
}

// accessUnits are the paths in the input of a tool that nothing is known of: texts that are not free, and keys with a
// path's form. What it does with them is not known either: rules about reading and about editing bind.
func (c *reading) accessUnits() {
	seen := map[string]bool{}
	add := func(text string) {
		for _, form := range pathForms(text, c.Policy().Home.Given) {
			if !seen[form] && len(seen) < maxAccesses {
				seen[form] = true
				c.addAccess(form, text)
			}
		}
	}
	hookio.Fields("", c.Call().Input, func(object, name string, v gjson.Result) {
		if object != "" && strings.ContainsAny(name, `/\`) {
			add(name)
		}
		if v.Type == gjson.String && !hookio.FreeText(name) {
			add(v.Str)
		}
	})
	c.crowded = len(seen) == maxAccesses
}

func (c *reading) addAccess(form, text string) {
	p, glob := c.World().ToolPath(form), ""
	if LooksLikePath(form) && strings.ContainsAny(form, "*?[") { // else it is more likely a regular expression
		glob = p.Given
	}
	for _, tool := range [...]string{"Read", "Edit", "Write"} {
		s := rules.Subject{Tool: tool, Path: &p, Glob: glob, Dots: glob != ""}
		c.units = append(c.units, Unit{subject: s, text: text, access: true, hit: p})
	}
}

// pathForms are the paths that a text may be, as it is, percent-decoded and as a value
// of an option; none where it is prose or an address elsewhere.
func pathForms(text, home string) (forms []string) {
	for range 3 { // as often as it may have been encoded
		for _, text := range slices.Compact([]string{text, strings.TrimSpace(text)}) { // some servers trim it
			_, value, _ := strings.Cut(text, "=") // --option=VALUE
			for _, form := range [...]string{localPath(text), localPath(value)} {
				if form == text && form != "" || LooksLikePath(form) {
					forms = append(forms, strings.NewReplacer("${HOME}", home, "$HOME", home).Replace(form))
				}
			}
		}
		decoded, err := url.PathUnescape(text)
		if err != nil || decoded == text {
			break
		}
		text = decoded
	}
	return forms
}

// maxPath is the length of the longest path that a system takes.
const maxPath = 4096

// localPath is the path that a text is, or names as a URL without a host; "" for none. A
// text with blanks is one only if it begins like one.
func localPath(text string) string {
	scheme, rest, isURL := strings.Cut(text, "://")
	switch {
	case isURL && strings.EqualFold(scheme, "file"):
		text = rest[max(0, strings.IndexByte(rest, '/')):] // after the host
	case isURL && !strings.HasPrefix(rest, "/"):
		return ""
	case isURL:
		text = rest
	case len(text) > 5 && strings.EqualFold(text[:5], "file:"):
		text = text[5:]
	}
	prose := strings.ContainsAny(text, " \t") && !LooksLikePath(text)
	if prose || len(text) > maxPath || strings.ContainsAny(text, "\n\r\x00") {
		return ""
	}
	return text
}

// LooksLikePath reports whether a text begins like a path.
func LooksLikePath(text string) bool {
	unix := strings.HasPrefix(strings.TrimLeft(text, "."), "/") || text != "" && strings.IndexByte("~$%", text[0]) >= 0
	return unix || strings.HasPrefix(text, `\\`) || bashsafety.OnDrive(text)
}

// maxFilters bounds what the braces of one filter stand for.
const maxFilters = 32

// filterUnits are the names that a search of contents asks for below dir: a rule
// counts where the filter spells what it names.
func (c *reading) filterUnits(dir string, fields []rules.Field) {
	for _, filter := range c.Call().Filter {
		for _, pattern := range alternatives(filterList(filter)) {
			if pattern = c.Policy().OS.Slashes(pattern); pattern == "" || pattern[0] == '!' {
				continue
			}
			glob := dir + "/**/" + pattern
			if strings.Contains(pattern, "/") {
				glob = dir + "/" + strings.TrimPrefix(pattern, "/")
			}
			p := rules.Path{Given: glob, Real: glob}
			c.units = append(c.units, Unit{
				subject: rules.Subject{Tool: c.Call().Tool, Path: &p, Glob: glob, Dots: true, Named: true, Fields: fields},
				text:    pattern,
			})
		}
	}
}

// filterList cuts a filter at blanks and at commas outside braces.
func filterList(filter string) []string {
	depth := 0
	return strings.FieldsFunc(filter, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ' ' || r == ',' && depth <= 0
	})
}

// alternatives writes out the braces of patterns, innermost first.
func alternatives(list []string) []string {
	for i := 0; i < len(list) && len(list) < maxFilters; i++ {
		end := strings.IndexByte(list[i], '}')
		start := strings.LastIndexByte(list[i][:max(end, 0)], '{')
		if start < 0 {
			continue
		}
		head, tail := list[i][:start], list[i][end+1:]
		var made []string
		for part := range strings.SplitSeq(list[i][start+1:end], ",") {
			made = append(made, head+part+tail)
		}
		list = append(append(list[:i:i], made...), list[i+1:]...)
		i--
	}
	return list
}

// Unlisted are the parts whose address urls.allow does not name.
func (c *matcher) Unlisted() (out []*Unit) {
	for u := range c.Units() {
		if u.subject.URL != nil && u.subject.Tool == "WebFetch" && !c.listed(u) {
			out = append(out, u)
		}
	}
	return out
}

// listed reports whether an entry of urls.allow names the address of a part.
func (c *matcher) listed(u *Unit) bool {
	if u.OverridesDNS() {
		return false
	}
	hits := c.matchRules(c.Policy().Posture.URLAllow, &u.subject)
	return slices.ContainsFunc(hits, func(hit rules.Hit) bool { return hit.Sure })
}

// fieldURLs adds the addresses in the input of a tool that is not known: texts that are nothing but an address. Only
// "urls" of a permgate.json looks at them.
func (c *reading) fieldURLs() {
	if len(c.Policy().Posture.URLs) == 0 || rules.KnownTool(c.Call().Grantee()) && !c.Call().OfServer() {
		return
	}
	hookio.Fields("", c.Call().Input, func(_, _ string, v gjson.Result) {
		if v.Type != gjson.String || !strings.Contains(v.Str, "://") || strings.ContainsAny(v.Str, " \t\n") {
			return
		}
		if u, ok := rules.ParseRemote(v.Str); ok {
			c.units = append(c.units, Unit{text: v.Str,
				subject: rules.Subject{Tool: c.Call().Tool, Also: c.Call().AlsoTool, Bare: true, URL: &u}})
		}
	})
}
