package rules

// Load reads every settings file that bears on a call.
func Load(w Where, f Files) *Policy { return &Policy{} }
