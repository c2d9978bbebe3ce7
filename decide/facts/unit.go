package facts

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// A Unit is one part of a call that rules are matched against.
type Unit struct {
	subject rules.Subject
	text    string                 // how reasons name it
	quote   string                 // text as Quoted returned it; "" until asked
	sub     *bashsafety.Subcommand // nil for anything but a subcommand
	// needsAllow marks the parts an allow has to cover: the subcommands or the
	// tool's own paths. The others (file operands, URLs in a shell text) are
	// looked at by deny and ask only.
	needsAllow bool
	write      bool // a path that is written
	// access marks a path that a tool of which nothing is known may read or write: a rule
	// about all files does not speak of it.
	access bool
	word   bool // a word of a command that may name a file, see nameUnits
	effect *bashsafety.Effect
	hit    rules.Path
	number int // among the parts of the call
}

// Subject is what rules are matched against.
func (u *Unit) Subject() rules.Subject { return u.subject }

// Text is how reasons name the part.
func (u *Unit) Text() string { return u.text }

// Sub is the subcommand the part belongs to, nil for anything else.
func (u *Unit) Sub() *bashsafety.Subcommand { return u.sub }

// NeedsAllow reports whether an allow has to cover the part.
func (u *Unit) NeedsAllow() bool { return u.needsAllow }

// Write reports whether the part is a path that is written.
func (u *Unit) Write() bool { return u.write }

// Access reports whether the part is a path that a tool of which nothing is known may read or write.
func (u *Unit) Access() bool { return u.access }

// Word reports whether the part is a word of a command that may name a file.
func (u *Unit) Word() bool { return u.word }

// Effect is what the part is of its subcommand, nil for the subcommand itself and outside shell texts.
func (u *Unit) Effect() *bashsafety.Effect { return u.effect }

// Hit is the path of the part, the zero Path where it is not known.
func (u *Unit) Hit() rules.Path { return u.hit }

// IsCommand reports whether a unit is a subcommand itself, and no operand of it.
func (u *Unit) IsCommand(sub *bashsafety.Subcommand) bool { return u.sub == sub && u.effect == nil }

// IsOperand reports whether a unit is a file or address that a command names by
// itself, and not by a redirect of the shell.
func (u *Unit) IsOperand() bool { return u.sub != nil && u.effect != nil && !u.effect.Redirect }

// Target is what package guard looks at of a unit.
func (u *Unit) Target() *guard.Target {
	return &guard.Target{Hit: u.hit, Sub: u.sub, Effect: u.effect, Access: u.access}
}

// Verb is what a command does to the file or address that a unit is, "" for anything else.
func (u *Unit) Verb() string {
	switch {
	case u.effect == nil:
		return ""
	case u.effect.Kind == bashsafety.Write, u.effect.Kind == bashsafety.Delete:
		return "write"
	case u.effect.Kind == bashsafety.Network:
		return "fetch"
	}
	return "read"
}

// Named quotes a unit in a reason: file operands with what is done to them.
func (u *Unit) Named() string {
	if verb := u.Verb(); verb != "" {
		return strings.TrimSuffix(verb, "e") + "ing " + u.Quoted()
	}
	switch {
	case u.sub == nil && u.subject.Path != nil && u.write:
		return "writing " + u.Quoted()
	case u.sub == nil && u.subject.Path != nil:
		return "reading " + u.Quoted()
	}
	return u.Quoted()
}

// Does is what is done to the file or address that a unit is, for a sentence that says who does it.
func (u *Unit) Does() string {
	in := ""
	if u.Unnamed() && u.effect.Recursive && u.effect.Known {
		in = " a file in"
	}
	switch verb := u.Verb(); {
	case u.access:
		return "may read or write"
	case u.effect != nil && u.effect.Kind == bashsafety.Delete:
		return "deletes" + in
	case verb == "fetch":
		return "fetches"
	case u.write || verb == "write":
		return "writes" + in
	}
	return "reads" + in
}

// Unnamed reports whether no word names the file that a unit is: the program always uses it.
func (u *Unit) Unnamed() bool {
	return u.sub != nil && u.effect != nil && len(u.sub.Argv) > 0 && u.effect.Span == u.sub.Argv[0].Span
}

// Quoted is the unit as reasons quote it.
func (u *Unit) Quoted() string {
	if u.quote == "" { // several steps may ask
		u.quote = say.Quoted(u.text)
	}
	return u.quote
}

// A Part is a Unit as explain and the policy tools see it: a subcommand, a file or URL it touches, a path of a tool, or
// the call as a whole.
type Part struct {
	Label      string                 // how reasons name it: "git push", "write a.txt"
	Sub        *bashsafety.Subcommand // the subcommand it belongs to; nil outside shell texts
	Effect     *bashsafety.Effect     // nil for the subcommand itself and outside shell texts
	NeedsAllow bool                   // an allow has to cover it; deny and ask look at every part
	Subject    *rules.Subject         // what rules are matched against
	Hits       []rules.Hit            // every rule that matches it, strictest list first
}

// Part is the unit as others see it, without the rules that match it.
func (u *Unit) Part() Part {
	return Part{Label: strings.TrimSpace(u.Verb() + " " + u.text), Sub: u.sub, Effect: u.effect, NeedsAllow: u.needsAllow, Subject: &u.subject}
}

// OverridesDNS reports whether a command has one of curl's options by which the name
// of a host leads to another machine: --resolve, --dns-servers and its neighbors.
func (u *Unit) OverridesDNS() bool {
	return u.sub != nil && u.sub.Program == "curl" && slices.ContainsFunc(u.sub.Argv, func(w bashsafety.Word) bool {
		return strings.HasPrefix(w.Text, "--res") || strings.HasPrefix(w.Text, "--dns-")
	})
}
