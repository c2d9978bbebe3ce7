package lint

import "strings"

// An Attack is a call that a rule should not let through unasked.
type Attack struct {
	Tool, Arg string // the value of the tool's primary field
	From      string // where it is from, for messages
}

// Attacks lists every call that is tried on allow rules, each under every name of
// its program.
func Attacks() []Attack {
	var out []Attack
	for _, list := range [...][]program{running[:], changing[:]} {
		for i := range list {
			for name := range strings.FieldsSeq(list[i].Names) {
				for _, t := range list[i].Tries {
					out = append(out, Attack{"Bash", spell(t.Cmd, name), t.Does})
				}
			}
		}
	}
	for _, t := range everyTry {
		out = append(out, Attack{"Bash", t.Cmd, t.Does})
	}
	for i := range toolTries {
		out = append(out, Attack{toolTries[i].Tool, toolTries[i].Arg, toolTries[i].Does})
	}
	return out
}
