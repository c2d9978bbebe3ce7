package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestCodes decides a call for every reason code that needs settings: those of one command line
// are run where the page with the table is made.
func TestCodes(t *testing.T) {
	const agent = "/work/project/.gen/agents/a.md"
	shows := func(text string) string { return `{"permissions":` + text + `}` }
	asked := map[string]string{user: shows(`{"ask":["Bash(make:*)"],"allow":["Bash(git:*)"]}`)}
	auto := map[string]string{user: `{"permissions":{"defaultMode":"auto"},"autoMode":{"hard_deny":["Bash(aa:*)"],"soft_deny":["Bash(bb:*)"],"allow":["Bash(cc:*)"]}}`}
	for want, s := range map[say.Code]sentence{
		say.CodeAskedByRule:       {payload: bash("make x"), files: asked},
		say.CodeAllowedByRule:     {payload: bash("git status"), files: asked},
		say.CodeOutsideAllowTools: {payload: bash("ls"), files: map[string]string{agent: "---\nname: a\nallow_tools: [Read]\n---\n"}, flags: gate.Flags{Agent: "a"}},
		say.CodeDeniedByRule: {payload: bash("rm -rf /"), files: map[string]string{user: shows(`{"deny":["Bash(rm:*)"]}`),
			"/home/dev/.gen/permgate.json": `{"catastrophic":"deny"}`}},
		say.CodeCatastrophic:     {payload: bash("rm -rf /"), files: map[string]string{"/home/dev/.gen/permgate.json": `{"catastrophic":"deny"}`}},
		say.CodeExcluded:         {payload: tool("Read", `{"file_path":"a.secret"}`), files: map[string]string{"/home/dev/.gen/permgate.json": `{"contentExclusion":["**/*.secret"]}`}},
		say.CodeAddressNotListed: {payload: tool("WebFetch", `{"url":"https://b.test/"}`), files: map[string]string{"/home/dev/.gen/permgate.json": `{"urls":{"allow":["a.test"]}}`}},
		say.CodeAutoDenied:       {payload: bash("aa x"), files: auto},
		say.CodeAutoAsked:        {payload: bash("bb x"), files: auto},
		say.CodeAutoAllowed:      {payload: bash("cc x"), files: auto},
		say.CodeReadOnly:         {payload: bash("ls"), files: map[string]string{"/home/dev/.gen/permgate.json": `{"readOnlyCommands":"allow"}`}},
		say.CodeSensitivePath:    {payload: bash("make >.git/config"), files: map[string]string{managed: shows(`{"ask":["Bash(make:*)"]}`)}},
		say.CodeOutsideWorkspace: {payload: tool("Read", `{"file_path":"/etc/passwd"}`), files: map[string]string{user: shows(`{"blockReadsOutsideWorkingDirectories":true}`)}},
		say.CodeNobodyToAsk:      {payload: bash("make x"), files: asked, flags: gate.Flags{Headless: true}},
		say.CodeMutationInPlan:   {payload: bash("make x"), files: asked, flags: gate.Flags{Mode: "plan"}},
		say.CodeDontAsk:          {payload: bash("rm -rf x"), flags: gate.Flags{Mode: "dontAsk"}},
	} {
		if _, v, _ := s.answer(t); v.Code() != want {
			t.Errorf("%s: got %s at step %s: %s", want, v.Code(), v.Step, v.Reason)
		}
	}
}
