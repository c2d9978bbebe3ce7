package hookio

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

// A growing is a payload whose size a model, a page it read or an MCP server
// may choose.
type growing struct {
	name, host string
	n          int // the smallest size
	tool       string
	input      func(n int) string
}

// listed is a list or an object's inside of n elements.
func listed(n int, element string) string {
	return strings.TrimSuffix(strings.Repeat(element+",", n), ",")
}

func jsonOf(s string) string { return string(AppendJSON(nil, s)) }

var growings = []growing{
	{"content", "claude", 64 << 10, "Write", func(n int) string {
		return `{"file_path":"a","content":` + jsonOf(strings.Repeat("\"x\"\n", n/4)) + `}`
	}},
	{"command", "claude", 64 << 10, "Bash", func(n int) string { return `{"command":"` + strings.Repeat("a;", n/2) + `"}` }},
	{"keys", "claude", 1 << 10, "Write", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":0,`, i)
		}
		return "{" + b.String() + `"file_path":"a"}`
	}},
	{"long keys", "claude", 64 << 10, "Write", func(n int) string {
		var b strings.Builder
		for i := range 200 {
			fmt.Fprintf(&b, `"%s%d":0,`, strings.Repeat("K", n/200), i)
		}
		return "{" + b.String() + `"file_path":"a"}`
	}},
	{"nesting", "claude", 1 << 10, "Write", func(n int) string {
		return `{"file_path":"a","x":[` + listed(n, strings.Repeat("[", 150)+strings.Repeat("]", 150)) + `]}`
	}},
	{"edits", "claude", 1 << 10, "MultiEdit", func(n int) string {
		return `{"file_path":"a","edits":[` + listed(n, `{"file_path":"b","old_string":"x\ny","new_string":"z"}`) + `]}`
	}},
	{"paths", "claude", 1 << 10, "Read", func(n int) string { return `{"file_path":"a","paths":[` + listed(n, `"/a/b"`) + `]}` }},
	{"a path", "claude", 16 << 10, "Read", func(n int) string { return `{"file_path":"` + strings.Repeat("/a", n) + `"}` }},
	{"a URI", "vscode", 16 << 10, "read_file", func(n int) string { return `{"filePath":"file://` + strings.Repeat("/a%20", n) + `"}` }},
	{"a patch", "codex", 1 << 10, "apply_patch", func(n int) string {
		return `{"command":` + jsonOf("*** Begin Patch\n"+strings.Repeat("*** Add File: a/b\n+x\n", n)) + `}`
	}},
	{"words", "codex", 1 << 10, "shell", func(n int) string { return `{"command":[` + listed(n, `"a b"`) + `]}` }},
	{"prose", "gemini", 1 << 10, "web_fetch", func(n int) string {
		return `{"prompt":` + jsonOf(strings.Repeat("see http://a/b, ", n)+strings.Repeat("a://", n)+strings.Repeat(".", n)) + `}`
	}},
}

// allocated returns how many bytes it takes to read a payload.
func allocated(t *testing.T, in, host string) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(strings.NewReader(in), Options{Host: host}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestGrowth holds the memory that a payload takes to be linear in what others
// choose of it. Every buffer grows in steps, of which 1.3 leaves room for one.
func TestGrowth(t *testing.T) {
	rows := growings[:len(growings):len(growings)]
	for _, host := range []string{"gemini", "copilot", "goose"} {
		rows = append(rows, growing{"the name of the tool", host, 4 << 10, "", nil})
	}
	for _, g := range rows {
		payload := func(n int) string {
			if g.input == nil {
				return `{"cwd":"/w","tool_input":{},"tool_name":"mcp_` + strings.Repeat("a-b__", n/5) + `"}`
			}
			return `{"cwd":"/w","tool_name":"` + g.tool + `","tool_input":` + g.input(n) + `}`
		}
		few, many := allocated(t, payload(g.n), g.host), allocated(t, payload(8*g.n), g.host)
		if e := math.Log(many/few) / math.Log(8); e > 1.3 {
			t.Errorf("%s, %s: %.0f bytes for %d, %.0f for 8 times as many: exponent %.2f", g.host, g.name, few, g.n, many, e)
		}
	}
}
