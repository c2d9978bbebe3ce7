// Package prove shows that one policy is nowhere laxer than another, or the shortest
// calls for which it is. What the rules match is taken from package rules and compared
// by automata; each call that is reported was decided by decide.Decide first.
package prove

import "encoding/json"

// A Report is what a proof came to. Its JSON is what --json prints; keys are not renamed
// once released.
type Report struct {
	Version string  `json:"version"`
	Claim   string  `json:"claim"` // what was to be shown, one of Claims, with its pattern
	Verdict Verdict `json:"verdict"`
	Policy  string  `json:"policy"`            // for people
	Other   string  `json:"against,omitempty"` // for people; "" for --never and --always
	Mode    string  `json:"mode"`              // the permission mode it was shown for

	Tools    []string  `json:"tools"`    // of which calls were looked at
	Findings []Finding `json:"findings"` // calls that refute the claim, for each rule responsible the shortest
	Open     []Open    `json:"open"`     // what keeps it from being a proof
	Assumes  string    `json:"assumes"`  // one line; docs/prove.md explains it
}

// A Verdict is the answer. Its number is the exit code.
type Verdict uint8

// The verdicts.
const (
	Holds   Verdict = iota // shown
	Fails                  // refuted by Findings
	Unknown                // neither, see Open
)

// MarshalText writes the word of --json.
func (v Verdict) MarshalText() ([]byte, error) {
	return []byte([...]string{"holds", "fails", "unknown"}[v]), nil
}

// A Finding is one call that refutes the claim.
type Finding struct {
	Kind  string          `json:"kind"` // one of Kinds
	Was   string          `json:"was"`  // deny, ask, silence, allow
	Is    string          `json:"is"`
	Tool  string          `json:"tool"`
	Text  string          `json:"text"`  // the command, path, URL or name
	Input json.RawMessage `json:"input"` // of the tool, as a hook would be sent it
	Rule  string          `json:"rule"`  // responsible, "Bash(git:*)"; or the key of a setting
	List  string          `json:"list"`  // deny, ask, allow
	Scope string          `json:"scope"`
	Place string          `json:"place"` // file:line:col
	Gone  bool            `json:"gone"`  // it is of the other policy only
	Why   string          `json:"why"`   // the reason of the decision now
}

// An Open is a change of which it is not known whether it refutes the claim.
type Open struct {
	Tool  string `json:"tool"`
	Rule  string `json:"rule"`
	Place string `json:"place"`
	Why   string `json:"why"`
}

// Kinds are the ways in which a call refutes a claim: the first three by being answered
// laxer, the next three stricter (Equivalent), the last two Never and Always.
var Kinds = [...]string{"newly allowed", "newly left to the host", "asked instead of denied",
	"no longer allowed", "no longer left to the host", "denied instead of asked", "allowed", "not allowed"}
