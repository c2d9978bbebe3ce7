package conformance

import "strings"

// An overruling says which rows of the other systems are answered otherwise, by
// which section of the binding decisions, and which feature of docs/seeds.md says why.
type overruling struct{ rows, section, feature string }

// overruled are the rows that answer otherwise. One that answers as its row
// expects fails the test.
var overruled = [...]overruling{
	{"gen-065", "5", "Gen: nested command substitution"},
	{"gen-216", "8", "Gen: `auto`: an alias of `acceptEdits` until there is a classifier"},
	{"exathena-008 caliban-001", "9", "ExAthena: a call without its main argument"},
	{"exathena-010", "2", "ExAthena: `:plan` denies `todo_write`, later versions allow it"},
	{"exathena-053", "2", "ExAthena: `:default` without a callback allows everything"},
	{"exathena-054 exathena-056 exathena-057", "9", "ExAthena: leaving `:plan` needs the callback's yes"},
	{"exathena-064", "2", "ExAthena: `respect_denylist: false`"},
	{"caliban-016", "2", "caliban: `--auto-allow`: headless, ask becomes allow"},
	{"caliban-032", "4", "caliban: `Bash(echo (hi))`: a text that is no shell command"},
	{"caliban-037", "4", "caliban: `Bash:git *` also allows what follows it"},
	{"caliban-045", "3", "caliban: `dontAsk`: ask becomes allow"},
	{"caliban-048", "2", "caliban: `bypassPermissions` over a static deny"},
	{"caliban-056", "8", "caliban: it says `hard_deny`, of any call: a deny with its reason"},
	{"copilot-058", "2", "Copilot CLI: permissionRequest: a hook's allow beats a deny rule"},
	{"copilot-069", "6", "Copilot CLI: `limitTo`: no other domain, whatever the mode"},
}

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
