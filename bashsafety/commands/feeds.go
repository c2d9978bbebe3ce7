package commands

import "strings"

// MayExpand reports whether a value that is known may be other arguments where
// it is not quoted.
func MayExpand(text string) bool { return strings.ContainsAny(text, " \t\n*?[\\") }

// MaxFed is how many words xargs is followed for.
const MaxFed = 16
