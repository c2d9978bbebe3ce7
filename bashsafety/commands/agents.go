package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// An Agent says of an agent program what makes it ask less than its user has set up. Its options
// that are listed as harmless leave mode, tools, sandbox, settings, hooks, servers and the folder
// of the settings alone; every other one may not.
type Agent struct {
	Vars  string // variables that set any of these, with a * for any end
	Inert string // values of options that matter, with which they do not: NAME=VALUE, a * for any end
	Verbs string // first operands that change them, but where the next is one of agentLooks
}

// agentHomes are variables that move the settings of every program, agentLooks what the verbs
// that manage servers, plug-ins and settings have to only look.
const (
	agentHomes = "HOME XDG_CONFIG_HOME NODE_OPTIONS"
	agentLooks = "list ls get show help status"
)

// agentCommands are the programs of agents, each with its checks of what it runs.
var agentCommands = []Command{
	{
		Names: "claude claude-code", Title: "runs an agent: Claude Code", Flags: "-pcvh print continue verbose version help include-partial-messages replay-user-messages no-session-persistence fork-session no-chrome disable-slash-commands strict-mcp-config", Values: "-n model fallback-model output-format input-format max-turns max-budget-usd effort session-id append-system-prompt system-prompt disallowedTools disallowed-tools json-schema name betas", OptValues: "-rd resume debug", Opts: []Opt{{"dangerously-skip-permissions allow-dangerously-skip-permissions bare safe-mode ide", NoArg, Unsafe}, {"permission-mode settings setting-sources allowedTools allowed-tools tools add-dir mcp-config agents agent plugin-dir permission-prompt-tool", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "CLAUDE_CONFIG_DIR CLAUDE_CODE_* ANTHROPIC_BASE_URL DISABLE_*", Inert: "permission-mode=plan permission-mode=default tools= setting-sources=user,* setting-sources=user", Verbs: "mcp plugin plugins config"}},
	},
	{
		Names: "codex", Title: "runs an agent: Codex", Style: DashValues, Flags: "-hV help version json last all no-alt-screen oss ephemeral", Values: "-miC model image cd color output-schema local-provider", Opts: []Opt{{"-o output-last-message", HasArg, Writes}, {"yolo full-auto dangerously-bypass-approvals-and-sandbox skip-git-repo-check search", NoArg, Unsafe}, {"-caps config ask-for-approval profile sandbox enable disable add-dir remote", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "CODEX_* OPENAI_BASE_URL", Inert: "s=read-only sandbox=read-only a=untrusted a=on-request ask-for-approval=untrusted ask-for-approval=on-request c=model* config=model*", Verbs: "mcp features plugin"}},
	},
	{
		Names: "gemini gemini-cli qwen qwen-code", Title: "runs an agent: Gemini CLI, Qwen Code", Flags: "-dhlv debug help version list-extensions list-sessions screen-reader checkpointing", Values: "-mpior model prompt prompt-interactive output-format resume delete-session", Opts: []Opt{{"-ys yolo sandbox experimental-acp acp", OptArg, Unsafe}, {"-e approval-mode allowed-tools allowed-mcp-server-names extensions include-directories policy admin-policy", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "GEMINI_CLI_* GEMINI_CONFIG* GEMINI_SANDBOX SEATBELT_PROFILE QWEN_*", Inert: "approval-mode=default approval-mode=plan", Verbs: "mcp extensions hooks skills"}},
	},
	{
		Names: "agy", Title: "runs an agent: Antigravity", Flags: "-hc help version continue", Values: "-pi print prompt prompt-interactive model output-format conversation print-timeout", Opts: []Opt{{"dangerously-skip-permissions", NoArg, Unsafe}, {"add-dir agent sandbox log-file", OptArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "ANTIGRAVITY_* GEMINI_CLI_HOME", Verbs: "mcp plugin plugins"}},
	},
	{
		Names: "copilot", Title: "runs an agent: Copilot CLI", Flags: "-hsv help silent version banner no-color continue screen-reader disable-builtin-mcps no-custom-instructions", Values: "-pi prompt interactive model log-level stream deny-tool deny-url excluded-tools effort reasoning-effort output-format", OptValues: "resume", Opts: []Opt{{"allow-all allow-all-tools allow-all-paths allow-all-urls yolo autopilot no-ask-user enable-all-github-mcp-tools", NoArg, Unsafe}, {"allow-tool allow-url add-dir additional-mcp-config config-dir agent available-tools plugin-dir add-github-mcp-tool mode", OptArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "COPILOT_*", Verbs: "mcp plugin"}},
	},
	{
		Names: "cursor-agent", Title: "runs an agent: Cursor", Flags: "-hpv help print version continue stream-partial-output list-models", Values: "-m model output-format mode", OptValues: "resume", Opts: []Opt{{"-f force yolo approve-mcps browser", NoArg, Unsafe}, {"sandbox workspace plugin-dir header endpoint", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "CURSOR_*", Inert: "sandbox=enabled", Verbs: "mcp"}},
	},
	{
		Names: "droid", Title: "runs an agent: Factory", Flags: "-hv help version list-tools use-spec", Values: "-mrosf model reasoning-effort output-format session-id file cwd spec-model disabled-tools", Opts: []Opt{{"skip-permissions-unsafe", NoArg, Unsafe}, {"auto enabled-tools settings", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "FACTORY_*", Verbs: "mcp plugin"}},
	},
	{
		Names: "amp", Title: "runs an agent: Amp", Flags: "-hV help version stream-json stream-json-input no-color no-notifications", OptValues: "-x execute", Values: "visibility", Opts: []Opt{{"dangerously-allow-all", NoArg, Unsafe}, {"settings-file mcp-config toolbox", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "AMP_*", Verbs: "mcp permissions permission tools toolbox skill"}},
	},
	{
		Names: "opencode opencode-ai", Title: "runs an agent: opencode", Flags: "-chv continue help version share print-logs thinking fork", Values: "-mspf model session prompt format file title variant log-level", Opts: []Opt{{"dangerously-skip-permissions", NoArg, Unsafe}, {"agent attach config", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "OPENCODE_*", Verbs: "mcp agent plugin"}},
	},
	{
		Names: "kilo kilocode", Title: "runs an agent: Kilo", Flags: "-chv continue help version share print-logs thinking fork", Values: "-mspf model session prompt format file title variant log-level", Opts: []Opt{{"auto pure", NoArg, Unsafe}, {"agent attach config", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "KILO_*", Verbs: "mcp agent plugin"}},
	},
	{
		Names: "aider aider-chat", Title: "runs an agent: aider", Flags: "-h help version dry-run no-auto-commits no-stream no-pretty no-gitignore no-git no-auto-lint no-auto-test no-show-model-warnings no-check-update no-suggest-shell-commands show-repo-map", Values: "-mf message msg message-file model weak-model editor-model edit-format file read map-tokens chat-mode", Opts: []Opt{{"yes yes-always auto-test auto-lint", NoArg, Unsafe}, {"test-cmd lint-cmd editor notifications-command", HasArg, Executes}, {"-c config load env-file set-env git-commit-verify model-settings-file", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "AIDER_*"}},
	},
	{
		Names: "goose", Title: "runs an agent: goose", Flags: "-hVqr help version quiet resume no-session debug", Values: "-tinN text instructions name session-id model provider max-turns output-format", Opts: []Opt{{"with-builtin with-extension with-remote-extension with-streamable-http-extension recipe sub-recipe params system mode", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "GOOSE_MODE GOOSE_PATH_ROOT GOOSE_CONFIG* GOOSE_ALLOWLIST* GOOSE_TOOL*", Verbs: "configure mcp"}},
	},
	{Names: "cline", Title: "runs an agent: Cline", Flags: "-hvp help version verbose plan json thinking", Values: "-mtc model timeout cwd images", Opts: []Opt{{"-ya yolo act auto-approve auto-approve-all auto-condense", NoArg, Unsafe}, {"-s setting config address", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "CLINE_*", Verbs: "mcp config"}}},
	{Names: "plandex pdx", Title: "runs an agent: Plandex", Flags: "-h help version stop plan-only", Values: "-f file", Opts: []Opt{{"-aycn auto-exec auto-apply apply full auto-debug auto-load-context yes commit no-build bg", NoArg, Unsafe}, {"debug", OptArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "PLANDEX_*", Verbs: "set-auto set-config apply ap"}}},
	{Names: "interpreter open-interpreter", Title: "runs an agent: Open Interpreter", Flags: "-hlv help version local verbose vision plain", Values: "-m model temperature max_tokens context_window max_budget", Opts: []Opt{{"-yo auto_run os", NoArg, Unsafe}, {"-sp safe_mode profile system_message custom_instructions api_base", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "INTERPRETER_*"}}},
	{Names: "sgpt shell-gpt", Title: "runs an agent: ShellGPT", Flags: "-dch describe-shell code help version md no-md cache no-cache list-chats list-roles", Values: "model temperature top-p chat show-chat show-role", Opts: []Opt{{"-s shell no-interaction functions", NoArg, Unsafe}, {"repl role create-role", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "OPENAI_BASE_URL API_BASE_URL"}}},
	{
		Names: "crush grok gen san caliban core-agent ex_athena", Title: "runs an agent", Flags: "-hpv help print quiet version continue verbose", Values: "-m model prompt output-format", Opts: []Opt{{"-yfd yolo force dangerously-skip-permissions bare safe-mode always-approve", NoArg, Unsafe}, {"-cD settings setting-sources permission-mode allowed-tools mcp-config config config-dir data-dir cwd add-dir sandbox", HasArg, Unsafe}},
		Special: &Special{Agent: &Agent{Vars: "CRUSH_* GROK_* GEN_* SAN_* CALIBAN_*", Inert: "permission-mode=plan permission-mode=default setting-sources=user,* setting-sources=user", Verbs: "mcp plugin config"}},
	},
}

// Unchecked reports whether an agent program is started with other checks than its user has set up, or may
// be. A quoted word that is not known is a prompt.
func (c *Invocation) Unchecked() bool {
	a := c.Cmd.Rare().Agent
	splits := func(at int) bool { return !c.Argv[at].Single && !c.Argv[at].Glob }
	changes := func(u Used) bool { return u.does == Unsafe && !a.inert(&u) }
	manages := shell.Among(a.Verbs, c.LiteralOperand(0)) && !shell.Among(agentLooks, c.LiteralOperand(1))
	return manages || len(c.Unknown) > 0 || slices.ContainsFunc(c.Holes, splits) || slices.ContainsFunc(c.Opts, changes)
}

// inert reports whether an option has one of the values with which it changes no check.
func (a *Agent) inert(u *Used) bool {
	return a != nil && u.Given && u.Value.Known && anyLike(a.Inert, u.Name+"="+u.Value.Text)
}

// Unchecks reports whether a variable sets how an agent checks what it runs.
func (a *Agent) Unchecks(name string) bool { return anyLike(a.Vars+" "+agentHomes, name) }

// anyLike reports whether a text is in a list, of which a field with a * has any end.
func anyLike(list, text string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(f string) bool {
		start, open := strings.CutSuffix(f, "*")
		return f == text || open && strings.HasPrefix(text, start)
	})
}

// apply_patch takes a patch as its one argument or on standard input. No system
// has it: several agents carry out a shell text with it themselves.

// refineApplyPatch reads the argument; without one package interp reads its input.
func refineApplyPatch(c *Invocation) {
	if w := c.Operand(0); w != nil {
		c.Facts.Effects = append(c.Facts.Effects, PatchEffects(w, c.Cwd)...)
		c.Wrote = true
	}
}

// PatchEffects are the files that a patch changes. One without a file, with a
// header that is not known or with a part made at run time may change any.
func PatchEffects(patch *shell.Word, cwd *shell.CwdState) (out []shell.Effect) {
	any := !patch.Known
	for line := range strings.FieldsFuncSeq(patch.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		trimmed := strings.TrimSpace(line)
		kind, name, ok := patchHeader(trimmed)
		if ok {
			out = append(out, shell.EffectsOf(kind, new(shell.Literal(name, patch)), cwd)...)
		} else if strings.HasPrefix(line, "***") {
			any = any || !slices.Contains([]string{"*** Begin Patch", "*** End Patch", "*** End of File"}, trimmed)
		}
	}
	if any || len(out) == 0 {
		out = append(out, shell.EffectsOf(shell.Write, new(shell.Hole("", patch)), cwd)...)
	}
	return out
}

func patchHeader(line string) (kind shell.EffectKind, name string, ok bool) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:"} {
		if name, ok = strings.CutPrefix(line, header); ok {
			kind = shell.Write
			if header == "*** Delete File:" {
				kind = shell.Delete
			}
			return kind, strings.TrimSpace(name), true
		}
	}
	return kind, "", false
}
