package rules

// SplitFlag splits the value of --allowedTools or --disallowedTools into rules.
func SplitFlag(text string) []string { return nil }

// SafeTool reports whether a tool neither changes anything nor runs anything.
func SafeTool(name string) bool { return false }

// EditTool reports whether a tool changes files.
func EditTool(name string) bool { return false }

// KnownTool reports whether a tool is one this package has words for.
func KnownTool(name string) bool { return false }
