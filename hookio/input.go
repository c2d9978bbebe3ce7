package hookio

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// readInput fills what c's input holds, or says in c.Malformed why it cannot be believed.
func readInput(c *Call) {
	if !c.Input.IsObject() {
		return
	}
	c.borrowMCP()
	s := shapeOf(c)
	vals := c.pickKeys(s)
	for i, key := range s.Keys[:s.First] {
		if vals[i].Exists() {
			c.Primary = key
			break
		}
	}
	c.readPrimary(s, vals)
	for i, key := range s.Keys {
		if key == s.Dir {
			c.goInto(c.text(key, vals[i], false))
		}
	}
	switch s.Kind {
	case KindPath:
		c.readPaths(s, vals)
	case KindPatch:
		c.readPatch(s, vals)
	}
	if s.Kind == KindName || s.Tools == "LS" || s.Tools == "LSP" {
		c.readName(s, vals)
	}
	if c.Alias {
		c.readOther(s)
	}
	switch c.Tool {
	case "Bash", "Monitor", "PowerShell":
		c.readSandbox()
	}
}

// readPrimary reads what a tool is about (a plan, command or URL), which some tools cannot lack.
func (c *Call) readPrimary(s *Shape, vals values) {
	missing := c.Primary == ""
	switch {
	case s.Tools == "ExitPlanMode":
		c.PlanFile = c.text("planFilePath", vals[0], false)
	case s.Tools == "Monitor" && missing && vals[1].IsObject(): // a web socket: nothing runs
	case s.Need && missing:
		c.fault("tool_input of " + quote(c.RawTool) + " has no " + strings.Join(s.Keys[:s.First], " or "))
	case s.Kind == KindCommand:
		c.readCommand(s, vals[0])
	case s.Kind == KindArgv:
		c.Command = c.argv(vals[0])
	case s.Kind == KindURL:
		c.readURLs(s, vals)
	}
}

// readCommand reads a shell text; a tool that may do without one types nothing then.
func (c *Call) readCommand(s *Shape, text gjson.Result) {
	if !s.Need && text.Type == gjson.String && text.Str == "" {
		c.Tool = c.RawTool
		return
	}
	if s.Typed && text.Exists() {
		if c.Tool != c.RawTool { // an MCP tool may be called so
			c.AlsoTool = append(c.AlsoTool, c.Tool)
		}
		c.Tool, c.Alias = "Bash", true
	}
	c.Command = c.text(c.Primary, text, true)
}

// goInto notes the folder a command runs in.
func (c *Call) goInto(dir string) {
	switch {
	case dir == "":
	case c.Dir == "" || dir[0] == '/' || dir[0] == '~':
		c.Dir = dir
	default:
		c.Dir += "/" + dir
	}
}

// maxKeys bounds the comparison of every key with every other.
const maxKeys = 256

// A values holds the input fields named by a shape's keys, in the same order.
type values [10]gjson.Result

// pickKeys returns the values of s.Keys, and notes keys that are there twice or
// in another case: decoders disagree on which counts.
func (c *Call) pickKeys(s *Shape) (vals values) {
	var room [16]spelling
	keys := room[:0]
	for key, value := range Members(c.Input.Raw) {
		if badString(key) != "" {
			c.fault("tool_input has a key that is not valid text")
		}
		k := spelling{key, fold(key)}
		for i := range keys {
			if keys[i].folded == k.folded {
				c.fault(keys[i].and(k))
			}
		}
		if keys = append(keys, k); len(keys) > maxKeys {
			c.fault("tool_input has too many keys to compare")
			break
		}
		if i := slices.Index(s.Keys, key); i >= 0 {
			if value != "null" { // the same as absent
				vals[i] = gjson.Parse(value)
			}
			continue
		}
		c.checkCase(key, s.Keys)
		c.checkCase(key, s.Also)
	}
	return vals
}

// A spelling is a key as it is there, and folded.
type spelling struct{ key, folded string }

// and says what is wrong with two keys that are the same when folded.
func (k spelling) and(other spelling) string {
	if k.key == other.key {
		return "tool_input has the key " + quote(k.key) + " twice"
	}
	return "tool_input has the keys " + quote(k.key) + " and " + quote(other.key) + ", which differ only in case"
}

func (c *Call) checkCase(key string, known []string) {
	for _, name := range known {
		if key != name && strings.EqualFold(key, name) {
			c.fault("tool_input has the key " + quote(key) + ", which differs from " + quote(name) + " only in case")
		}
	}
}

// text returns a string field, for deny rules even if there is doubt about it, which is noted.
func (c *Call) text(key string, v gjson.Result, need bool) string {
	if !v.Exists() {
		return ""
	}
	if why := badText(v); why != "" {
		c.fault(key + " " + why)
	}
	if v.Type != gjson.String {
		return ""
	}
	if need && strings.TrimSpace(v.Str) == "" {
		c.fault(key + " is empty")
	}
	return v.Str
}

// readName sets what a pattern of a tool without path, URL or command of its
// own is matched on. Tools we know must have it as a string; for the others a
// field of another type is data, and only rules on the bare tool match.
func (c *Call) readName(s *Shape, vals values) {
	for i, key := range s.Keys[:s.First] {
		if vals[i].Exists() {
			if s.Each != "" {
				c.nameEach(key, s.Each, vals[i])
				return
			}
			if s.Tools != "" || vals[i].Type == gjson.String {
				c.Name = c.text(key, vals[i], false)
			}
			c.HasName = c.Name != ""
			c.Label = c.HasName && key == s.Label
			return
		}
	}
}

// nameEach takes the name that all objects of a list have: a rule is about one.
func (c *Call) nameEach(key, field string, list gjson.Result) {
	if !list.IsArray() {
		c.fault(key + " is not a list")
		return
	}
	for i, v := range list.Array() {
		object := topOf(v.Raw)
		c.once(object, field)
		name := c.text(field, object.Get(field), false)
		if i > 0 && name != c.Name {
			c.fault(key + " has several names, " + quote(c.Name) + " and " + quote(name))
		}
		c.Name, c.HasName = name, name != ""
	}
}

// readPatch reads the fields of a tool whose input is a patch. Which counts is not known: all do.
func (c *Call) readPatch(s *Shape, vals values) {
	for i, key := range s.Keys {
		if vals[i].Exists() {
			c.patch(c.text(key, vals[i], true), s.Access)
		}
	}
}

// patch finds the files of a patch in the form of Codex's apply_patch:
//
//	*** Begin Patch
//	*** Environment ID: NAME
//	*** Add File: PATH | *** Update File: PATH | *** Delete File: PATH
//	*** Move to: PATH
//	*** End Patch
//
// Blanks around a header are ignored, as its own reader does. A header we do
// not know might name a file, so the patch is not believed then. Nor is one for
// another environment: whose folder its paths start from is not known.
func (c *Call) patch(body string, a Access) {
	n := len(c.Args)
	// a lone \r is a line break to some readers
	for line := range strings.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		trimmed := strings.TrimSpace(line)
		if path, ok := patchPath(trimmed); ok {
			if path == "" {
				c.fault("the patch has a header without a path")
			}
			c.addPath(path, a)
		} else if strings.HasPrefix(trimmed, "*** Environment ID:") {
			c.fault("the patch is for another environment with an unknown folder: remove " + quote(trimmed))
		} else if strings.HasPrefix(line, "***") && !patchMark(trimmed) {
			c.fault("the patch has an unknown header " + quote(trimmed))
		}
	}
	if len(c.Args) == n {
		c.fault("the patch names no file")
	}
}

func patchPath(line string) (path string, ok bool) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"} {
		if path, ok = strings.CutPrefix(line, header); ok {
			return strings.TrimSpace(path), true
		}
	}
	return "", false
}

func patchMark(line string) bool {
	return line == "*** Begin Patch" || line == "*** End Patch" || line == "*** End of File"
}

// A mark tells the payloads of a program that has no adapter yet.
type mark struct {
	title  string
	detect func(Top) bool
}

// foreignMarks are tried in order. A host that gets an adapter leaves this list.
var foreignMarks = [...]mark{
	{"Windsurf", func(p Top) bool { return p.Has("agent_action_name", "tool_info") }},
	{"Cline", func(p Top) bool {
		return p.Has("hookName", "preToolUse") || p.Has("hookName", "clineVersion")
	}},
	{"Devin CLI", func(p Top) bool { return p.Has("hook_event_name", "prompt_id") && !p.Has("transcript_path") }},
}

// foreign returns the title of the program without adapter whose marks p carries, or "".
func foreign(p Top) string {
	for _, m := range foreignMarks {
		if m.detect(p) {
			return m.title
		}
	}
	return ""
}

// isoTime reports a date in the form 2026-09-05T10:00:00.
func isoTime(v gjson.Result) bool {
	return v.Type == gjson.String && len(v.Str) > 10 && v.Str[4] == '-' && v.Str[10] == 'T'
}

// transcriptIn reports whether the transcript lies below a folder called dir.
func transcriptIn(p Top, dir string) bool {
	v := p.Get("transcript_path")
	if v.String() == "" {
		v = p.Get("transcriptPath")
	}
	return v.Type == gjson.String && strings.Contains(strings.ReplaceAll(v.Str, `\`, "/"), "/"+dir+"/")
}

// argv returns a command sent as a list as shell text that means the same; text stays as it is.
func (c *Call) argv(v gjson.Result) string {
	if !v.IsArray() {
		return c.text(c.Primary, v, true)
	}
	var words []string
	if sameWord(c.Primary, "commands") { // one after the other, each a text
		v.ForEach(func(_, text gjson.Result) bool {
			words = append(words, c.text(c.Primary, text, true))
			return true
		})
		return strings.Join(words, "\n")
	}
	v.ForEach(func(_, arg gjson.Result) bool {
		words = append(words, quoteArg(c.text(c.Primary, arg, false)))
		return true
	})
	if len(words) == 0 {
		c.fault(c.Primary + " is empty")
	}
	return strings.Join(words, " ")
}

// argFields are what systems call a list of arguments that they send apart from the program or text: words, as in
// otherNames.
const argFields = "args argv arguments commandargs"

// addArgs adds them to the command.
func (c *Call) addArgs() {
	for key, value := range Members(c.Input.Raw) {
		if OneOf(argFields, key) && value != "null" {
			c.Command += " " + c.joinArgs(key, gjson.Parse(value))
		}
	}
}

// joinArgs is arguments as shell text. Whether a shell expands them is not known: they are written as if one did, in
// quotes where it would do more than expand them to names.
func (c *Call) joinArgs(key string, args gjson.Result) string {
	if text := strings.TrimSpace(args.Str); strings.HasPrefix(text, `["`) {
		args = gjson.Parse(text)
	}
	if !args.IsArray() {
		return c.text(key, args, false)
	}
	var words []string
	args.ForEach(func(_, arg gjson.Result) bool {
		word := arg.Raw
		if arg.Type != gjson.Number {
			word = c.text(key, arg, false)
			plain := strings.NewReplacer("~", "-", "*", "-", "?", "-").Replace(word)
			if quoteArg(plain) != plain {
				word = quoteArg(word)
			}
		}
		words = append(words, word)
		return true
	})
	return strings.Join(words, " ")
}

// quoteArg writes one argument so that a shell reads it back as it is.
func quoteArg(s string) string {
	plain := s != ""
	for i := range len(s) {
		c := s[i]
		if !letterOrDigit(c) && strings.IndexByte("-_./,+@%", c) < 0 {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
