package hookio

// planning are the tools that start a plan, or an agent that is bound by the mode as well.
var planning = []string{"Agent", "EnterPlanMode"}

// generic is any program that shows no mark of its own: a payload by hand, or Gen's form from
// elsewhere. It has permgate's modes, and may not prompt in subagents.
var generic = Host{
	Name:       "generic",
	Title:      "an unknown host",
	OnWindows:  WindowsShell{Bash, "its tool is called Bash"},
	Roots:      []string{".gen"},
	Detect:     func(p Top) bool { return p.Has("tool_name", "tool_input") },
	Answers:    answersNested,
	Encode:     encodeNested,
	Tools:      []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}, {"apply_patch", "Edit"}},
	PlanPasses: planning,
	AskIs:      askNested,
	ProjectVar: "GEN_PROJECT_DIR",
	Source:     "the hook format shared by Claude Code, Gen and San",
}
