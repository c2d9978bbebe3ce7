package gate

import (
	"bytes"
	"fmt"

	"permgate/hookio"
)

// Primary names the input field of a canonical tool that a call is about: the
// command of Bash, the path of Read.
func Primary(tool string) string {
	switch tool {
	case "Bash", "PowerShell", "Monitor", "apply_patch":
		return "command"
	case "Read", "Edit", "Write", "MultiEdit":
		return "file_path"
	case "NotebookEdit":
		return "notebook_path"
	case "Glob", "Grep":
		return "pattern"
	case "LS":
		return "path"
	case "LSP":
		return "filePath"
	case "WebFetch":
		return "url"
	case "WebSearch":
		return "query"
	case "Agent", "Task":
		return "subagent_type"
	case "Skill":
		return "skill"
	}
	return "name"
}

// Call makes the call of a tool on an argument, which is the value of its
// primary field, by way of the payload a host would send.
func Call(tool, arg string) (*hookio.Call, error) {
	payload := []byte(`{"hook_event_name":"PreToolUse","tool_name":`)
	payload = hookio.AppendJSON(payload, tool)
	payload = append(payload, `,"tool_input":{`...)
	payload = append(hookio.AppendJSON(payload, Primary(tool)), ':')
	payload = append(hookio.AppendJSON(payload, arg), "}}"...)
	call, err := hookio.Read(bytes.NewReader(payload), hookio.Options{Event: string(hookio.PreToolUse)})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", tool, hookio.Escape(arg), err)
	}
	return call, nil
}
