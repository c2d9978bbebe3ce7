package hookio

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that rules use for what several hosts have a tool for, each under a name of
// its own, and Claude Code has none. The host's own name binds as well.
const (
	toolMemory    = "Memory"    // what the agent keeps for later sessions
	toolSampling  = "Sampling"  // a model that an MCP server asks through the host
	toolExtension = "Extension" // extensions of the host, and what they may do
)

// named sets the canonical name of the tool.
func (c *Call) named() {
	switch c.Tool = lookup(c.Host.Tools, c.RawTool); c.Tool {
	case toolMemory, toolSampling, toolExtension:
		if c.RawTool != c.Tool {
			c.AlsoTool = []string{c.RawTool}
		}
	}
}

// sameWord compares two names without regard to case, - and _.
func sameWord(a, b string) bool {
	for {
		a, b = pastDashes(a), pastDashes(b)
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// pastDashes is strings.TrimLeft with "-_", which would make a set of these for every letter.
func pastDashes(s string) string {
	for s != "" && (s[0] == '-' || s[0] == '_') {
		s = s[1:]
	}
	return s
}

func letterOrDigit(c byte) bool {
	return lower(c) >= 'a' && lower(c) <= 'z' || c >= '0' && c <= '9'
}

// fold returns the same for all texts that strings.EqualFold takes for equal.
func fold(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && lower(s[i]) == s[i] {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for _, r := range s[i:] {
		b = utf8.AppendRune(b, foldRune(r))
	}
	return string(b)
}

// foldRune returns one character for all that differ in case: a small ASCII letter or the smallest.
func foldRune(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if least < utf8.RuneSelf {
		return rune(lower(byte(least)))
	}
	return least
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lookup returns what name maps to, name itself when no pair has it.
func lookup(pairs []Pair, name string) string {
	for _, p := range pairs {
		if p.From == name {
			return p.To
		}
	}
	return name
}

// shellNames are names that only a tool which runs shell texts has, in a system or a server.
const shellNames = "bash sh zsh shell terminal shellcommand execcommand runshell runshellcommand runcommand " +
	"runcommands runbash runterminalcommand runterminalcmd runinterminal executecommand executebash " +
	"executeshell bashcommand bashtool shelltool shellexec"

// otherNames are what systems call our tools: words, whatever their case, - and _ are.
var otherNames = [...]Pair{
	{shellNames + " localshell console exec execute run cmd command runscript sendtoterminal createandruntask " +
		"copilotcreateandruntask launchprocess developershell writebash writestdin container.exec " +
		"unifiedexec", "Bash"},
	{"pwsh powershell runpowershell writepowershell", "PowerShell"},
	{"monitor", "Monitor"},
	{"read readfile readfiles readmanyfiles readmultiplefiles readtextfile fileread view viewfile viewimage zoomimage cat openfile prereadcode " +
		"copilotreadfile developerreadimage fsread", "Read"},
	{"write writefile writetofile filewrite savefile create createfile createdirectory copilotcreatefile copilotcreatedirectory " +
		"makefile mkdir appendfile appendtofile developerwrite download fswrite", "Write"},
	{"edit editfile editfiles fileedit multiedit multieditfile replace replaceinfile replacefilecontent multireplacefilecontent " +
		"replacestringinfile multireplacestringinfile inserteditintofile copilotreplacestring copilotmultireplacestring copilotinsertedit " +
		"copiloteditfiles copilotapplypatch strreplace strreplaceeditor strreplacebasededittool searchreplace searchandreplace insertcontent " +
		"applydiff applypatch patch delete deletefile removefile movefile renamefile editor texteditor developeredit developertexteditor prewritecode", "Edit"},
	{"notebookedit editnotebook editnotebookfile copiloteditnotebook", "NotebookEdit"},
	{"glob find findfiles findbyname filesearch searchfilesbyname copilotfindfiles", "Glob"},
	{"grep rg ripgrep search searchfiles searchfilecontent grepsearch codesearch copilotfindtextinfiles", "Grep"},
	{"ls list listdir listdirectory listfiles tree directorytree copilotlistdirectory developertree", "LS"},
	{"webfetch fetch fetchurl fetchwebcontent fetchwebpage copilotfetchwebpage agenticfetch httpget httprequest readurl readurlcontent browse " +
		"openurl opensimplebrowser copilotopensimplebrowser", "WebFetch"},
	{"websearch searchweb googlewebsearch", "WebSearch"},
	{"agent task subagent spawnagent runagent runsubagent invokeagent invokesubagent delegate delegatetoagent", "Agent"},
	{"skill useskill runskill activateskill", "Skill"},
}

// An otherFields is how other systems call the fields of some of our tools.
type otherFields struct {
	Tools string
	Main  string // what the call is about
	Dir   string // the folder a command runs in
	// Under and Filter are patterns, as in Shape.
	Under, Filter string
}

const pathFields = "filepath path absolutepath targetfile targetpath filename file notebookpath dirpath directory " +
	"targetdirectory dir folder uri relativepath relativeworkspacepath fullpath sourcepath destinationpath oldpath newpath " +
	"source destination dest paths files filepaths edits replacements operations"

// shellTexts are the fields of a shell's text, shellDirs of where it runs.
const (
	shellTexts = "command cmd script commandline shellcommand commands"
	shellDirs  = "cwd workdir workingdir workingdirectory dir directory dirpath"
)

var otherShapes = [...]otherFields{
	{Tools: "PowerShell", Main: shellTexts + " code expression pipeline", Dir: shellDirs},
	{Tools: "Bash Monitor", Main: shellTexts, Dir: shellDirs},
	{Tools: "Read", Main: pathFields, Filter: "pattern glob include includepattern"},
	{Tools: "Write Edit NotebookEdit LS", Main: pathFields},
	{Tools: "Glob", Main: pathFields, Under: "pattern patterns glob query include"},
	{Tools: "Grep", Main: pathFields, Filter: "glob include includepattern filepattern fileglob"},
	{Tools: "apply_patch", Main: "input patch patchtext command diff content"},
	{Tools: "WebFetch", Main: "url uri urls address link"},
	{Tools: "WebSearch", Main: "query q search searchterm searchquery"},
	{Tools: "Agent", Main: "subagenttype agenttype agentname agent"},
	{Tools: "Skill", Main: "skill skillname name command"},
}

// borrow finds which tool of ours a name means that only other systems have.
func (c *Call) borrow() {
	c.Alias, c.Server = false, ""
	if lookup(c.Host.Tools, c.RawTool) != c.RawTool || strings.HasPrefix(c.RawTool, "mcp__") {
		return
	}
	switch tool := OtherTool(c.RawTool); {
	case tool == "" || tool == c.RawTool:
	case c.Tool == c.RawTool || c.Tool == tool:
		c.Tool, c.Alias = tool, true
	case slices.Contains(c.AlsoTool, c.RawTool): // it is read as that of an MCP tool, and may be another's
		c.AlsoTool = append(c.AlsoTool, c.Tool)
		c.Tool, c.Alias = tool, true
	}
}

// OtherTool returns the tool that a name means here or elsewhere, "" for none.
func OtherTool(raw string) string {
	if slices.ContainsFunc(otherNames[:], func(p Pair) bool { return p.To == raw }) { // no row has it as another name
		return raw
	}
	for _, p := range otherNames {
		if OneOf(p.From, raw) {
			return p.To
		}
	}
	return ""
}

func fieldsOf(tool string) *otherFields {
	for i := range otherShapes {
		if slices.Contains(strings.Fields(otherShapes[i].Tools), tool) {
			return &otherShapes[i]
		}
	}
	return nil
}

// Grantee is the name of the tool for all that is granted to tools: not ours where
// only other systems have the name for it, or a server's tool does the same.
func (c *Call) Grantee() string {
	switch {
	case !c.Alias:
		return c.Tool
	case c.Server != "":
		return c.Server
	}
	return c.RawTool
}

// OneOf reports whether a name is one of the words, without regard to case, - and _.
func OneOf(words, name string) bool {
	for word := range strings.FieldsSeq(words) {
		if sameWord(word, name) {
			return true
		}
	}
	return false
}

// otherShape is the shape of the input of a call under another name: every field
// counts that some system has. Which of several commands would run is not known.
func (c *Call) otherShape() *Shape {
	tool := c.Tool
	if sameWord(c.RawTool, "applypatch") || sameWord(c.RawTool, "patch") {
		tool = "apply_patch"
	}
	s, f := Shape{Tools: tool, Keys: []string{""}}, fieldsOf(tool)
	for i := range shapes {
		if shapes[i].of(tool) {
			s = shapes[i]
		}
	}
	var main, dirs, rest []string
	s.Under, s.Filter, s.Nested = nil, nil, nil
	for key, value := range Members(c.Input.Raw) {
		switch {
		case value == "null":
		case OneOf(f.Main, key):
			if main = append(main, key); strings.HasPrefix(strings.TrimLeft(value[1:], " \t\r\n"), "{") {
				s.Nested = append(s.Nested, key)
			}
		case OneOf(f.Dir, key):
			dirs = append(dirs, key)
		case OneOf(f.Under, key):
			s.Under, rest = append(s.Under, key), append(rest, key)
		case OneOf(f.Filter, key):
			s.Filter, rest = append(s.Filter, key), append(rest, key)
		}
	}
	if len(main) > 0 || !s.Need {
		s.Keys, s.First = append(main, append(dirs, rest...)...), len(main)
	}
	if len(dirs) > 0 {
		s.Dir = dirs[0]
	}
	one := f.Dir != "" && (len(main) > 1 || len(dirs) > 1)
	if one || len(s.Keys) > len(values{}) {
		c.fault("tool_input of " + quote(c.RawTool) + " says in several fields what it does")
		s.Keys = s.Keys[:min(len(s.Keys), len(values{}))]
		s.First = min(s.First, len(s.Keys))
	}
	if s.Lists = s.Keys; s.Kind == KindCommand && tool == "Bash" {
		s.Kind = KindArgv
	}
	return &s
}

// readOther adds to an input that was read what rules on the host's own name look at.
func (c *Call) readOther(s *Shape) {
	if c.Command != "" {
		c.addArgs()
	}
	if s.Kind == KindPath && s.Need && len(c.Args) == 0 {
		c.fault("tool_input of " + quote(c.RawTool) + " names no file")
	}
	if last := &shapes[len(shapes)-1]; !c.HasName {
		c.readName(last, c.pickKeys(last))
	}
}

// FreeText reports whether a field holds what a person or a model reads, and no path.
func FreeText(name string) bool {
	return OneOf("content contents text body prompt description message title summary comment subject question "+
		"reason note notes instructions markdown html code sql thought diff oldstring newstring oldtext newtext oldstr "+
		"newstr filetext", name)
}
