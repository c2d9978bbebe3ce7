package replay

import "time"

// A Report is what a replay came to. Its JSON, by encoding/json, is what --json
// prints and what the page shows; keys are not renamed once released.
type Report struct {
	Version string    `json:"version"` // of permgate
	Made    time.Time `json:"made"`
	Policy  string    `json:"policy"`            // what the calls were decided under, for people
	Other   string    `json:"against,omitempty"` // what that is compared with; "" for nothing

	// Read = Decided + the calls of Skipped, always.
	Read    int       `json:"read"`
	Decided int       `json:"decided"`
	Skipped []Skipped `json:"skipped"`
	Lines   Lines     `json:"lines"`
	Unsaid  []string  `json:"unsaid"` // what the files do not say, a sentence each

	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	Sessions Sessions  `json:"sessions"`
	All      Tally     `json:"answers"`
	Days     []Named   `json:"days"`     // Name is 2026-11-23
	Tools    []Named   `json:"tools"`    // canonical names
	Rules    []Named   `json:"rules"`    // rules and checks that decided, by hits
	Commands []Named   `json:"commands"` // what was asked about: "git push"
	NeverHit []Named   `json:"neverHit"` // rules of the settings without a hit

	// Denials of the program's own classifier, by its word for them.
	Classifier []Denied `json:"classifier,omitempty"`

	// Overruled are calls that a person refused and the policy allows; with Other only
	// those that Other does not allow.
	Overruled []Change `json:"overruled,omitempty"`

	Same    int      `json:"same"`              // decided alike on both sides
	Changes []Change `json:"changes,omitempty"` // by kind and rule, the most frequent first
	Rows    []Row    `json:"rows,omitempty"`    // every difference, for the page; equal ones once
	More    int      `json:"more,omitempty"`    // differences for which there was no room in Rows
}

// Lines says what reading came to.
type Lines struct {
	Read       int `json:"read"`
	Unknown    int `json:"unknown"`
	Torn       int `json:"torn"`
	Newer      int `json:"newer"`
	Duplicates int `json:"duplicates"`
}

// Skipped counts calls that could not be decided again.
type Skipped struct {
	Why   string `json:"why"`
	Calls int    `json:"calls"`
}

// Sessions counts prompts by session.
type Sessions struct {
	Count   int `json:"count"`
	Prompts int `json:"prompts"` // of all
	P50     int `json:"p50"`     // prompts of a session
	P90     int `json:"p90"`
	Max     int `json:"max"`
}

// A Tally counts answers.
type Tally struct {
	Allow   int `json:"allow"`
	Ask     int `json:"ask"`
	Deny    int `json:"deny"`
	Silence int `json:"silence"`
}

// A Named is a tally with a name.
type Named struct {
	Name  string `json:"name"`
	Place string `json:"place,omitempty"` // of a rule: file:line:col
	List  string `json:"list,omitempty"`  // of a rule: allow, ask, deny
	Tally
}

// A Denied counts calls that the program's own classifier refused.
type Denied struct {
	Word  string `json:"word"` // the program's: automode-blocked
	Calls int    `json:"calls"`
	Now   Tally  `json:"now"` // what they are answered under the policy
	// Spared are those that a rule now allows.
	Spared   int      `json:"spared"`
	Examples []string `json:"examples"`
}

// The kinds of a Change.
const (
	Allowed = "allowed" // newly
	Asked   = "asked"
	Refused = "denied"
	Left    = "left" // to the program: it gets silence
)

// A Change counts calls that are answered otherwise, by the rule responsible.
type Change struct {
	Kind     string   `json:"kind"`
	By       string   `json:"by"` // rule, check or step
	Place    string   `json:"place,omitempty"`
	Calls    int      `json:"calls"`
	Refused  int      `json:"refused"` // of these someone refused then
	Examples []string `json:"examples"`
	first    int      // of the examples: those that someone refused
}

// A Row is one call that is answered otherwise.
type Row struct {
	Kind    string    `json:"kind"`
	Was     string    `json:"was"`
	Now     string    `json:"now"`
	Tool    string    `json:"tool"`
	Text    string    `json:"text"` // command, path or URL
	By      string    `json:"by"`
	Place   string    `json:"place,omitempty"`
	Why     string    `json:"why"`
	Refused string    `json:"refused,omitempty"` // who refused it then
	Session string    `json:"session"`
	Time    time.Time `json:"time,omitzero"`
	Calls   int       `json:"calls"` // equal ones
}

// Add counts one answer.
func (t *Tally) Add(told string) {
	switch told {
	case "allow":
		t.Allow++
	case "ask":
		t.Ask++
	case "deny":
		t.Deny++
	default:
		t.Silence++
	}
}
