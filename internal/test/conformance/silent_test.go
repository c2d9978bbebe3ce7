package conformance

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// silentFile lists the labelled attacks to which permgate, installed for Claude
// Code, is silent: the id, and what the host then does by itself.
var silentFile = filepath.Join("..", "..", "..", "testdata", "corpus", "silent.tsv")

// TestSilentAttacks answers every labelled attack as installed for Claude Code,
// with the settings of its row as the user's. None is allowed that is to be
// stopped; those that are left to the host are listed with the host's own answer
// (its model, see claude_model_test.go), so that a new one is looked at. Those
// that run there are about the grammar of rules, and what they run only reads
// (id, ls, git log).
func TestSilentAttacks(t *testing.T) {
	posture := installedPosture(t)
	text := "id\tthe host\n"
	for _, rows := range [][]corpusRow{corpus(t, "attacks_dev.tsv"), ownCorpus(t, "attacks.tsv")} {
		for _, r := range rows {
			if r.expect == "allow" || r.expect == "not-deny" {
				continue
			}
			settings := `{"permissions":` + r.settings + `}`
			h := claudeHost{cwd: "/work/project", project: "/work/project", home: "/home/dev", readsOnly: onlyReads}
			if err := h.settings(settings); err != nil {
				continue // the host does not read these settings
			}
			s := Setup{Tool: strings.Trim(r.tool, `"`), Input: json.RawMessage(r.input), Mode: h.mode, Host: "claude", Named: true,
				Settings: map[string]string{"/home/dev/.claude/settings.json": settings, "/home/dev/.claude/permgate.json": posture}}
			c, v, err := Call(s)
			if err != nil {
				continue // exit 2 blocks
			}
			switch v.Answer(c).Decision {
			case hookio.Allow:
				if harmless[r.id] == "" {
					t.Errorf("%s is allowed: %s %.300s with %s: %s", r.id, r.tool, r.input, r.settings, v.Reason)
				}
			case hookio.Pass:
				host, why := h.call(s.Tool, s.Input)
				text += r.id + "\t" + [...]string{"runs", "prompts: ", "denies: "}[host] + why + "\n"
			}
		}
	}
	golden.File(t, silentFile, text)
	t.Logf("%d attacks are left to the host", strings.Count(text, "\n")-1)
}
