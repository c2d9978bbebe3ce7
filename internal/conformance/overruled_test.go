package conformance

// waiting are the rows that need what is not built yet, each with what that is.
var waiting = map[string]string{}

// ruledBy says which section of the decisions overrules a row.
func ruledBy(id string) (section string, ok bool) {
	return "", false
}
