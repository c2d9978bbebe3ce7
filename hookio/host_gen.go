package hookio

import "strings"

// gen is Gen (gencode). Its payloads call auto what permgate and Gen's settings call acceptEdits.
var gen = likeGen(Host{
	Name:    "gen",
	Aliases: []string{"gencode"},
	Title:   "Gen",
	Register: &Registration{
		OnWindows: WindowsShell{Bash, "yanmxa/gencode internal/hook/executors_command.go (2026-04): sh -c on every system"},
		Notes:     []string{"gencode 1.14.0 to 1.15.7 read this entry but never call the hook; use 1.13.0, or its successor San from 1.20.2 on"},
		Source:    "yanmxa/gencode internal/hook at v1.15.7 (2026-04-30)",
	},
	Source: "github.com/yanmxa/gencode docs/hook.md and internal/hook, v1.15.7 (2026-04-30)",
})

// likeGen adds to what a host has of its own what Gen and its successor San share, with its names in it.
func likeGen(h Host) Host {
	root := "." + h.Name
	h.OnWindows = WindowsShell{Bash, "its tool is called Bash"}
	h.Roots = []string{root}
	h.Detect = func(p Top) bool { return transcriptIn(p, root) }
	h.Events = eventsClaude
	h.OmitsEmpty = true
	h.Answers, h.Encode = answersNested, encodeNested
	h.Modes = []Pair{{"default", "default"}, {"auto", "acceptEdits"}, {"bypassPermissions", "bypassPermissions"}}
	h.Tools = []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}}
	h.PlanPasses = planning
	h.AllowsForSession = true
	h.AskIs = askNested
	h.ProjectVar = strings.ToUpper(h.Name) + "_PROJECT_DIR"
	h.Reader = readerGen

	r, local := h.Register, root+"/settings.local.json"
	r.Programs, r.Folder = []string{h.Name}, "~/"+root
	r.Files = []HookFile{
		{Scope: ForUser, Path: r.Folder + "/settings.json", Root: "hooks"},
		{Scope: ForProject, Path: root + "/settings.json", Root: "hooks"},
		{Scope: ForProject, Path: local, Root: "hooks", IfThere: true},
	}
	r.Matcher, r.Timeout = "*", "timeout"
	r.Command, r.Fixed = commandKey, typeCommand
	r.OrExit2, r.Sh = true, true
	r.Events, r.Posture = gateAndDialog, posture
	r.Inherits, r.Plain = true, true
	r.Off = []OffSwitch{
		{Scope: ForUser, Key: "disableAllHooks", Value: "true"},
		{Scope: ForProject, Key: "disableAllHooks", Value: "true"},
		{Scope: ForProject, Path: local, Key: "disableAllHooks", Value: "true"},
	}
	r.Notes = append(r.Notes, "a hook that times out lets the call go on to "+h.Title+"'s own gate")
	return h
}

// readerGen is what Gen and its successor San make of an answer.
var readerGen = []Reading{
	{"", []Ending{EndsAllow}, FateRuns, 0, ""},
	{"", []Ending{EndsAsk}, FatePrompts, 0, ""},
	{"", []Ending{EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
	{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, ""},
	{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
	// documented, but not called by 1.14.0 to 1.15.7 of Gen and 1.22.4 of San
	{"PermissionRequest", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsKilled,
		EndsLate, EndsMissing}, FatePrompts, 0, ""},
}
