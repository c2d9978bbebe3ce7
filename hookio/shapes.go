package hookio

// A Kind says what the primary field of a tool is.
type Kind uint8

const (
	KindName    Kind = iota // matched as text
	KindCommand             // shell text
	KindArgv                // the same, or a list of arguments
	KindURL
	KindPath
	KindPatch // text in the *** Begin Patch form
)

// A Shape says which fields of a tool's input matter to a decision.
type Shape struct {
	Tool   string // canonical name, or the raw name of a tool that is mapped onto another
	Kind   Kind
	Access Access
	Keys   []string // fields to read, in order, ten at most
	First  int      // how many of Keys may be the primary one
	Need   bool     // a call without a primary field is malformed

	// Of Keys, those that are more than one text:
	Lists  []string // one text or a list of them; "paths" always may be
	Nested []string // a list of objects with path fields of their own; "edits" and "attachments" always are
	Under  []string // a pattern of files below the primary path
	Filter []string // a pattern of names below it: only one with a / leads elsewhere
	Patch  string   // text in the *** Begin Patch form
	Prose  string   // text that names URLs among other words
	Dir    string   // the folder a command runs in
	Globs  bool     // every path is a pattern

	Also []string // further known fields: data, but not under another case
}

// shapes says for every tool what decides; the last row is any other tool.
var shapes = [...]Shape{
	{Tool: "Bash", Kind: KindCommand, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tool: "PowerShell", Kind: KindCommand, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tool: "shell", Kind: KindArgv, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tool: "exec", Kind: KindArgv, Keys: keysCommand, First: 1, Need: true, Also: alsoCommand},
	{Tool: "Monitor", Kind: KindCommand, Keys: []string{"command", "ws"}, First: 1, Need: true, Also: alsoCommand},
	{Tool: "WebFetch", Kind: KindURL, Keys: []string{"url"}, First: 1, Need: true, Also: []string{"prompt"}},
	{Tool: "Read", Kind: KindPath, Access: AccessRead, Keys: keysPath, First: 3, Need: true},
	{Tool: "Edit", Kind: KindPath, Access: AccessWrite, Keys: keysPath, First: 3, Need: true, Also: alsoEdit},
	{Tool: "Write", Kind: KindPath, Access: AccessWrite, Keys: keysPath, First: 3, Need: true, Also: alsoEdit},
	{Tool: "NotebookEdit", Kind: KindPath, Access: AccessWrite, Keys: keysNotebook, First: 3, Need: true, Also: alsoEdit},
	{Tool: "NotebookRead", Kind: KindPath, Access: AccessRead, Keys: keysNotebook, First: 3, Need: true},
	{Tool: "Glob", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "pattern", "patterns"}, First: 1, Lists: patterns, Under: patterns, Also: alsoSearch},
	{Tool: "Grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "glob", "include", "include_pattern"}, First: 1, Filter: filters, Also: alsoSearch},
	{Tool: "LS", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 1},
	{Tool: "LSP", Kind: KindPath, Access: AccessRead, Keys: []string{"filePath", "file_path", "path"}, First: 3},
	{Tool: "apply_patch", Kind: KindPatch, Access: AccessWrite, Keys: []string{"command", "input", "patch", "patchText"}, First: 4, Need: true},
	{Tool: "Agent", Keys: []string{"subagent_type"}, First: 1, Also: []string{"prompt", "name", "model", "isolation", "mode"}},
	{Tool: "Skill", Keys: []string{"skill", "name", "command"}, First: 3, Also: []string{"args"}},
	{Tool: "ExitPlanMode", Keys: []string{"planFilePath"}},
	{Keys: []string{"file_path", "path", "pattern", "query", "url", "command", "name"}, First: 7}, // any other tool
}

var (
	keysCommand = []string{"command"}
	alsoCommand = []string{"description", "timeout", "run_in_background", "dangerouslyDisableSandbox", "ws"}
	keysPath    = []string{"file_path", "notebook_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths",
		"edits"}
	keysNotebook = []string{"notebook_path", "file_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths",
		"edits"}
	alsoEdit   = []string{"old_string", "new_string", "replace_all", "content", "new_source", "cell_id", "edit_mode"}
	alsoSearch = []string{"pattern", "glob", "type", "output_mode"}
	patterns   = []string{"pattern", "patterns"}
	filters    = []string{"glob", "include", "include_pattern"}
	keysSearch = []string{"path", "file_path", "paths"}
)

// Shape says which fields of the input of c decide; never nil.
func (c *Call) Shape() *Shape { return shapeOf(c) }

// shapeOf finds the shape of c's tool: the host's own first, and the raw name
// before the canonical one. A raw name that the host's table does not map is a
// tool we know nothing of.
func shapeOf(c *Call) *Shape {
	if c.Alias {
		return c.otherShape()
	}
	for _, name := range [...]string{c.RawTool, c.Tool} {
		for i := range c.Host.Shapes {
			if s := &c.Host.Shapes[i]; s.Tool == name {
				return s
			}
		}
	}
	last := len(shapes) - 1
	for _, name := range [...]string{c.RawTool, c.Tool} {
		for i := range shapes[:last] {
			if s := &shapes[i]; s.Tool == name && (c.Tool != name || s.Kind != KindArgv && s.Kind != KindPatch) {
				return s
			}
		}
	}
	return &shapes[last]
}

func (s *Shape) list(key string) bool { return key == "paths" || contains(s.Lists, key) }

func (s *Shape) nested(key string) bool {
	return key == "edits" || key == "attachments" || contains(s.Nested, key)
}

// contains reports whether list holds key.
func contains(list []string, key string) bool {
	for _, s := range list {
		if s == key {
			return true
		}
	}
	return false
}
