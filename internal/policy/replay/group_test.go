package replay

import (
	"testing"

	"github.com/tidwall/gjson"
)

func TestGroup(t *testing.T) {
	for _, tt := range []struct{ tool, input, reason, want string }{
		{"Bash", `{"command":"cd web && npm run build"}`, "", "npm run"},
		{"Bash", `{"command":"git -C x push --force"}`, "", "git push"},
		{"Bash", `{"command":"ls; git push; git commit"}`, `matches "git commit"`, "git commit"},
		{"Bash", `{"command":"make -j4 all"}`, "", "make"},
		{"Bash", `{"command":"'"}`, "", "Bash"},
		{"Bash", `{"command":"$X y"}`, "", "Bash"},
		{"WebFetch", `{"url":"https://go.dev:80/x"}`, "", "WebFetch go.dev"},
		{"Edit", `{"file_path":"x"}`, "", "Edit"},
		{"mcp__x__y", `{"command":"z"}`, "", "mcp__x__y"},
	} {
		if got := Group(tt.tool, gjson.Parse(tt.input), "/w", tt.reason); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}
