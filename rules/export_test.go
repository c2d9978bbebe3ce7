package rules

// What package algebra says of rules is held against the tables and the random rules of this package. It imports this
// package, so that these tests are outside of it.
var (
	TestPolicy = &testPolicy
	RandomRule = randomRule
	Kinds      = len(pieces) // of random rules
	Said       = said
)

// Tables are the rules of the tables and what they are matched against.
func Tables() (texts []string, subjects []*Subject) {
	for _, row := range commandRows {
		texts, subjects = append(texts, "Bash("+row.rule+")"), append(subjects, bash(row.command))
	}
	for _, row := range pathRows {
		texts = append(texts, row.rule)
		subjects = append(subjects, &Subject{Tool: row.tool, Path: &Path{row.path, row.path}})
	}
	for i := range toolRows {
		texts, subjects = append(texts, toolRows[i].rule), append(subjects, &toolRows[i].s)
	}
	return texts, subjects
}

// Plain reports whether the path of a URL is as it is written, to every server.
func Plain(u *URL) bool {
	a := takeApart(u)
	return !a.doubtful && (a.path == a.sent || a.sent == "")
}
