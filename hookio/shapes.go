package hookio

// kind says what the primary field of a tool is.
type kind uint8

const (
	kindName    kind = iota // matched as text
	kindCommand             // shell text
	kindArgv                // the same, or a list of arguments
	kindURL
	kindPath
	kindPatch // text in the *** Begin Patch form
)

// A shape says which fields of a tool's input matter to a decision.
type shape struct {
	tool   string // canonical name, or the raw name of a tool that is mapped onto another
	kind   kind
	access Access
	keys   []string // fields to read, in order
	first  int      // how many of keys may be the primary one
	need   bool     // a call without a primary field is malformed
	also   []string // further known fields: data, but not under another case
}

// shapes says for every tool what decides; the last row is any other tool.
var shapes = [...]shape{
	{tool: "Bash", kind: kindCommand, keys: keysCommand, first: 1, need: true, also: alsoCommand},
	{tool: "PowerShell", kind: kindCommand, keys: keysCommand, first: 1, need: true, also: alsoCommand},
	{tool: "shell", kind: kindArgv, keys: keysCommand, first: 1, need: true, also: alsoCommand},
	{tool: "exec", kind: kindArgv, keys: keysCommand, first: 1, need: true, also: alsoCommand},
	{tool: "Monitor", kind: kindCommand, keys: []string{"command", "ws"}, first: 1, need: true, also: alsoCommand},
	{tool: "WebFetch", kind: kindURL, keys: []string{"url"}, first: 1, need: true, also: []string{"prompt"}},
	{tool: "Read", kind: kindPath, access: AccessRead, keys: keysPath, first: 3, need: true},
	{tool: "Edit", kind: kindPath, access: AccessWrite, keys: keysPath, first: 3, need: true, also: alsoEdit},
	{tool: "Write", kind: kindPath, access: AccessWrite, keys: keysPath, first: 3, need: true, also: alsoEdit},
	{tool: "NotebookEdit", kind: kindPath, access: AccessWrite, keys: keysNotebook, first: 3, need: true, also: alsoEdit},
	{tool: "Glob", kind: kindPath, access: AccessRead, keys: keysSearch, first: 1, also: alsoSearch},
	{tool: "Grep", kind: kindPath, access: AccessRead, keys: keysSearch, first: 1, also: alsoSearch},
	{tool: "LS", kind: kindPath, access: AccessRead, keys: keysSearch, first: 1},
	{tool: "LSP", kind: kindPath, access: AccessRead, keys: []string{"filePath", "file_path", "path"}, first: 3},
	{tool: "apply_patch", kind: kindPatch, access: AccessWrite, keys: []string{"command", "input", "patch", "patchText"}, first: 4, need: true},
	{tool: "Agent", keys: []string{"subagent_type"}, first: 1, also: []string{"prompt", "name", "model", "isolation", "mode"}},
	{tool: "Skill", keys: []string{"skill", "name", "command"}, first: 3, also: []string{"args"}},
	{tool: "ExitPlanMode", keys: []string{"planFilePath"}},
	{keys: []string{"file_path", "path", "pattern", "query", "url", "command", "name"}, first: 7}, // any other tool
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

// shapeOf finds the shape of c's tool; the raw name goes first. A raw name that
// the host's table does not map is a tool we know nothing of.
func shapeOf(c *Call) *shape {
	last := len(shapes) - 1
	for _, name := range [...]string{c.RawTool, c.Tool} {
		for i := range shapes[:last] {
			if s := &shapes[i]; s.tool == name && (c.Tool != name || s.kind != kindArgv && s.kind != kindPatch) {
				return s
			}
		}
	}
	return &shapes[last]
}
