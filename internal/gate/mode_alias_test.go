package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/gate"
)

// TestModeAliases: names of modes that ExAthena has mean here what they mean there, under the usual conditions.
func TestModeAliases(t *testing.T) {
	mode := func(name string) string { return `{"permissions":{"defaultMode":"` + name + `"}}` }
	make, edit, outside := bash("make"), tool("Edit", `{"file_path":"/work/project/a"}`), tool("Edit", `{"file_path":"/srv/a"}`)
	runSentences(t, []sentence{
		{name: "trusted, of the user", payload: make, files: m(user, mode("trusted")), want: allow},
		{name: "trusted skips no check", payload: bash("rm -rf src"), files: m(user, mode("trusted")), want: ask},
		{name: "trusted and a deny rule", payload: make, files: m(user, `{"permissions":{"defaultMode":"trusted","deny":["Bash"]}}`), want: deny},
		{name: "trusted, shared", payload: make, files: m(shared, mode("trusted")), want: ask},
		{name: "trusted, locked", payload: make, files: m(user, mode("trusted"), managed, `{"permissions":{"disableBypassPermissionsMode":true}}`), want: ask},
		{name: "trusted by a flag alone", payload: make, flags: gate.Flags{Mode: "trusted"}, want: ask},
		{name: "accept_edits", payload: edit, files: m(user, mode("accept_edits")), want: allow},
		{name: "accept_edits outside", payload: outside, files: m(user, mode("accept_edits")), want: ask},
		{name: "accept_edits runs nothing", payload: make, files: m(user, mode("accept_edits")), want: ask},
		{name: "another case", payload: make, files: m(user, mode("Trusted")), want: ask},
		{name: "managed, unknown", payload: edit, files: m(managed, mode("yolo")), want: deny},
	})
}
