package hosttest

import "strings"

// A laxCall is one call of the table. The input is one field and its text, with the names of
// world.fill in it; made is the file that is there afterwards if it ran, or its bare name, "" where the answer tells.
type laxCall struct{ name, tool, text, made string }

var laxCalls = [...]laxCall{
	{"read in the project", "Read", "{project}/README.md", ""},
	{"edit in the project", "Edit", "{project}/README.md", ""},
	{"search in the project", "Bash", "grep -rn 'an app' .", ""},
	{"cat in the project", "Bash", "cat README.md", ""},
	{"git status", "Bash", "git status", ""},
	{"read outside", "Read", "{home}/notes/todo.txt", ""},
	{"cat outside", "Bash", "cat {home}/notes/todo.txt", ""},
	{"read of the system", "Read", "/etc/hostname", ""},
	{"read .env", "Read", "{project}/.env", ""},
	{"cat .env", "Bash", "cat .env", ""},
	{"web page", "WebFetch", "https://unknown-host.example/page", ""},
	{"curl", "Bash", "curl -sS https://unknown-host.example/page", ""},
	{"write in the project", "Write", "{project}/made.txt", "{project}/made.txt"},
	{"touch in the project", "Bash", "touch made2.txt", "{project}/made2.txt"},
	{"redirect in the project", "Bash", "echo x > made3.txt", "{project}/made3.txt"},
	{"write a git hook", "Write", "{project}/.git/hooks/post-commit", "{project}/.git/hooks/post-commit"},
	{"write the host's settings", "Write", "{project}/.claude/agents/x.md", "{project}/.claude/agents/x.md"},
	{"write outside", "Write", "{home}/notes/made.txt", "{home}/notes/made.txt"},
	{"touch outside", "Bash", "touch {home}/notes/made2.txt", "{home}/notes/made2.txt"},
	{"write .bashrc", "Write", "{home}/.bashrc", "{home}/.bashrc"},
	{"write a temporary file", "Write", "{temp}/made.txt", "{temp}/made.txt"},
	{"touch a temporary file", "Bash", "touch {temp}/made2.txt", "{temp}/made2.txt"},
	{"mktemp", "Bash", "mktemp", ""},
	{"write the memory", "Write", "{memory}/note.md", "{memory}/note.md"},
	{"write another project's memory", "Write", "{elsewhere}/note.md", "{elsewhere}/note.md"},
	{"write a plan", "Write", "{home}/.claude/plans/plan.md", "{home}/.claude/plans/plan.md"},
	{"write the scratchpad", "Write", "{scratch}/made.txt", "{scratch}/made.txt"},
	{"touch in the scratchpad", "Bash", "touch {scratch}/made2.txt", "{scratch}/made2.txt"},
	{"MCP", "mcp__stub__touch", "{project}/mcp.txt", "{project}/mcp.txt"},
	{"PowerShell reads", "PowerShell", "Get-Date", ""},
	{"PowerShell writes", "PowerShell", "Set-Content -Path {home}/notes/ps.txt -Value x", ""},
	{"git log elsewhere", "Bash", "git -C ../other log --oneline", ""},
	{"git log through a program", "Bash", "git -c core.pager=cat log --oneline", ""},
	{"git diff into a file", "Bash", "git diff --output=made4.txt", "{project}/made4.txt"},
	{"git add", "Bash", "git add main.go", ""},
	{"git push by force", "Bash", "git push --force origin main", ""},
	{"rm -rf of what is built", "Bash", "rm -rf dist", ""},
	{"rm -rf of source", "Bash", "rm -rf old", ""},
	{"rm -rf outside", "Bash", "rm -rf {home}/notes/old", ""},
	{"rm -rf of a temporary folder", "Bash", "rm -rf {temp}/old", ""},
	{"npm test", "Bash", "npm test", ""},
	{"git reset", "Bash", "git reset --hard", ""},
}

// allLaxCalls is the table, with a read of each credential store: by the tool, and of every third by a command.
func allLaxCalls() []laxCall {
	out := append([]laxCall(nil), laxCalls[:]...)
	for i, store := range laxStores {
		out = append(out, laxCall{"read ~/" + store, "Read", "{home}/" + store, ""})
		if i%3 == 0 {
			out = append(out, laxCall{"cat ~/" + store, "Bash", "cat {home}/" + store, ""})
		}
	}
	return out
}

// call is what the model asks for.
func (c *laxCall) call(w *world) ToolCall {
	text := w.fill(c.text)
	in := map[string]any{}
	switch c.tool {
	case "Bash", "PowerShell":
		in["command"], in["description"] = text, "go on"
	case "Read":
		in["file_path"] = text
	case "Write":
		in["file_path"], in["content"] = text, "# made\n"
	case "Edit":
		in["file_path"], in["old_string"], in["new_string"] = text, "an app", "the app"
	case "WebFetch":
		in["url"], in["prompt"] = text, "what it says"
	default:
		in["name"] = text
	}
	return ToolCall{Name: c.tool, Input: in}
}

// firstLine is the beginning of a text, for messages.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(len(line), 160)]
}
