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
	Keys   []string // fields to read, in order, eight at most
	First  int      // how many of Keys may be the primary one
	Need   bool     // a call without a primary field is malformed
	Also   []string // further known fields: data, but not under another case
	Dir    string   // the one of Keys that names the folder a command runs in
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
	{Tool: "Glob", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 1, Also: alsoSearch},
	{Tool: "Grep", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 1, Also: alsoSearch},
	{Tool: "LS", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 1},
	{Tool: "LSP", Kind: KindPath, Access: AccessRead, Keys: []string{"filePath", "file_path", "path"}, First: 3},
	{Tool: "apply_patch", Kind: KindPatch, Access: AccessWrite, Keys: []string{"command", "input", "patch", "patchText"}, First: 4, Need: true},
	{Tool: "Agent", Keys: []string{"subagent_type"}, First: 1, Also: []string{"prompt", "name", "model", "isolation", "mode"}},
	{Tool: "Skill", Keys: []string{"skill", "name", "command"}, First: 3, Also: []string{"args"}},
	{Tool: "ExitPlanMode", Keys: []string{"planFilePath"}},
	{Keys: []string{"file_path", "path", "pattern", "query", "url", "command", "name"}, First: 7}, // any other tool
}

var (
	keysCommand  = []string{"command"}
	alsoCommand  = []string{"description", "timeout", "run_in_background", "dangerouslyDisableSandbox", "ws"}
	keysPath     = []string{"file_path", "notebook_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths", "edits"}
	keysNotebook = []string{"notebook_path", "file_path", "path", "filePath", "TargetFile", "AbsolutePath", "paths", "edits"}
	alsoEdit     = []string{"old_string", "new_string", "replace_all", "content", "new_source", "cell_id", "edit_mode"}
	keysSearch   = []string{"path", "file_path", "paths"}
	alsoSearch   = []string{"pattern", "glob", "type", "output_mode"}
)

// shapeOf finds the shape of c's tool: the host's own first, and the raw name
// before the canonical one. A raw name that the host's table does not map is a
// tool we know nothing of.
func shapeOf(c *Call) *Shape {
	for i := range c.Host.Shapes {
		if s := &c.Host.Shapes[i]; s.Tool == c.RawTool {
			return s
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
