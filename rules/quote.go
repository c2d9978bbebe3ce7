package rules

// Quote returns word in canonical quoting.
func Quote(word string) string { return word }
