package conformance

import "strings"

// An overruling says which rows of the other systems are answered otherwise, by
// which section of the binding decisions, and which feature of docs/seeds.md says why.
type overruling struct{ rows, section, feature string }

// overruled are the rows that answer otherwise. One that answers as its row
// expects fails the test.
var overruled = [...]overruling{}

// waiting are the rows that need what is not built yet, each with what that is.
var waiting = map[string]string{}

// waitingFeatures are the features of docs/seeds.md that do, SYSTEM: FEATURE.
var waitingFeatures = map[string]string{}

// ruledBy says which section of the decisions overrules a row.
func ruledBy(id string) (section string, ok bool) {
	for i := range overruled {
		for _, row := range strings.Fields(overruled[i].rows) {
			if row == id {
				return overruled[i].section + ": " + overruled[i].feature, true
			}
		}
	}
	return "", false
}
