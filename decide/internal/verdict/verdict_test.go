package verdict

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// asks asks in a sentence, "what|does|target, why" or only what it does.
func asks(g Gravity, text, part string, targets ...say.Target) Question {
	return Ask(g, part, func() Reason {
		r := Reason{Text: text, Part: part, Mark: "m", Targets: targets}
		if words := strings.Split(text, "|"); len(words) == 4 {
			r.What, r.Text, r.Target, r.Why = words[0], words[1], words[2], words[3]
		}
		return r
	})
}

// TestReason: how several questions are told as one.
func TestReason(t *testing.T) {
	a, b := say.Target{Kind: "write", Given: "/a"}, say.Target{Kind: "write", Given: "/b"}
	check := Must(Lost, Reason{What: "`rm x`", Text: "deletes", Target: "x", Why: "git has none", Check: &bashsafety.Check{ID: "rm"}, Mark: "m", Way: "Try less", Own: "Allow it"})
	for _, tt := range []struct {
		name    string
		asked   []Question
		want    string
		targets int
	}{
		{"one", []Question{check}, "`rm x` deletes x; git has none. Allow it", 0},
		{"the gravest first", []Question{asks(Remembered, "`cp a b`|writes|b|", "b", b), check},
			"`rm x` deletes x; git has none. Also: `cp a b` writes b. Allow it", 1},
		{"a check is named, and why only what is said first matters", []Question{check, asks(Control, "`cp a c`|writes|c|it runs", "c")}, "`cp a c` writes c; it runs. Also: `rm x` deletes x (rm)", 0},
		{"one command, one list", []Question{asks(Remembered, "`cp a b`|writes|a|", "a", a), asks(Remembered, "`cp a b`|writes|b|", "b", b)},
			"`cp a b` writes a and b", 2},
		{"one command, two deeds", []Question{asks(Secret, "`cp a b`|reads|a|which is a key", "a"), asks(Remembered, "`cp a b`|may write|b|which is outside", "b", b)},
			"`cp a b` reads a, which is a key. It may also write b, which is outside", 1},
		{"several, two of one command", []Question{asks(Control, "`x`|writes|x|", "x"), asks(Secret, "`y`|reads|a|", "a"), asks(Secret, "`y`|sends|b|", "b")},
			"`x` writes x. Also: `y` reads a, and sends b", 0},
		{"a target that is named already", []Question{asks(Sent, "`cp`|sends|`a`|", "cp"), asks(Secret, "`cat a`|reads|a|which is a key", "a"), asks(Remembered, "`cat a`|reads|a outside|", "a", a)},
			"`cp` sends `a`. Also: `cat a` reads a, which is a key", 0},
		{"a read and a removal of one file by one command", []Question{asks(Secret, "`cat a`|reads|`a`|which is a key", "a"), asks(Remembered, "`rm a`|deletes|a|", "a", a)},
			"`cat a` reads `a`, which is a key", 0},
		{"a place of another command", []Question{asks(Control, "`cp x a`|writes|`a`|it runs later", "a"), Ask(Remembered, 1, func() Reason {
			return Reason{What: "`rm a`", Text: "deletes", Target: "a", Part: "a", Of: new(bashsafety.Subcommand)}
		})}, "`cp x a` writes `a`; it runs later. Also: `rm a` deletes a", 0},
		{"a place that is sensitive, and outside", []Question{asks(Control, "`cp x a`|writes|`a`|it runs later", "a"), asks(Remembered, "`cp x a`|writes|a|", "a", a)},
			"`cp x a` writes `a`; it runs later", 0},
		{"three in words, and a yes is to those alone", []Question{asks(Doubtful, "1", ""), asks(Doubtful, "2", ""), asks(Doubtful, "3", ""),
			asks(Remembered, "4", "", a), asks(Remembered, "4", "", b), asks(Remembered, "5", "", b)}, "1. Also: 2; 3, and 3 more", 0},
		{"the same twice", []Question{asks(Doubtful, "1", "", a), asks(Doubtful, "1", "", a)}, "1", 1},
		{"the same words about another target", []Question{asks(Doubtful, "1", "", a), asks(Doubtful, "1", "", b)}, "1. Also: 1", 2},
	} {
		v := Asking("2", Asked{all: tt.asked}).Verdict()
		if got := v.Told(Person); got != tt.want+" [permgate m]" || len(v.Why().Targets) != tt.targets || v.Decision() != hookio.Ask {
			t.Errorf("%s: %q with %d targets, want %q with %d", tt.name, got, len(v.Why().Targets), tt.want, tt.targets)
		}
	}
}

// TestTold: a person is told of a command that is safer, else of what only they can do, an agent of what it can try, and the
// log of everything.
func TestTold(t *testing.T) {
	other := Reason{What: "`ls`", Text: "lists", Target: "y", Why: "it is long"}
	for _, tt := range []struct {
		way, own string
		also     []Reason
		want     [3]string // for All, Agent and Person
	}{
		{"", "", nil, [3]string{"`rm` x", "`rm` x", "`rm` x"}},
		{"Try less", "Allow it", nil, [3]string{"`rm` x. Try less. Allow it", "`rm` x. Try less", "`rm` x. Allow it"}},
		{"Try `mv`", "Allow it", nil, [3]string{"`rm` x. Try `mv`. Allow it", "`rm` x. Try `mv`", "`rm` x. Safer: `mv`"}},
		{"Fix it", "", nil, [3]string{"`rm` x. Fix it", "`rm` x. Fix it", "`rm` x"}},
		{"Try `mv`", "Allow it", []Reason{other}, [3]string{"`rm` x. Also: `ls` lists y; it is long. Instead of `rm`, try `mv`. Allow it",
			"`rm` x. Also: `ls` lists y. Instead of `rm`, try `mv`", "`rm` x. Also: `ls` lists y. Allow it"}},
	} {
		r := Reason{What: "`rm`", Text: "x", Way: tt.way, Own: tt.own, also: tt.also, Mark: "m" + EveryMode}
		v := Must(Lost, r).AskedOr(Reason{})
		asked := Asking("2", v).Verdict()
		asked.why = r
		for reader, want := range tt.want {
			mark := " [permgate m" + EveryMode + "]"
			if Reader(reader) == Agent {
				mark = " [permgate m]"
			}
			if got := asked.Told(Reader(reader)); got != want+mark {
				t.Errorf("%+v: reader %d is told %q, want %q", tt, reader, got, want+mark)
			}
		}
	}
}

// TestStanding: a lift takes back the questions of its kind that it holds for, and nothing else; no question is lost.
func TestStanding(t *testing.T) {
	type (
		even int
		odd  int
	)
	lifts := func() []Lift[int] {
		return []Lift[int]{
			NewLift("even numbers above", func(least int, n even) bool { return int(n) >= least }),
			NewLift("odd numbers above", func(least int, n odd) bool { return int(n) >= least }),
		}
	}
	for range 2000 {
		least, want := rand.IntN(9), 0
		var all []Question
		for range rand.IntN(7) {
			n := rand.IntN(9)
			switch {
			case rand.IntN(3) == 0:
				all = append(all, Must(Lost, Reason{}))
				want++
				continue
			case n%2 == 0:
				all = append(all, Ask(Lost, even(n), nil))
			default:
				all = append(all, Ask(Lost, odd(n), nil))
			}
			if n < least {
				want++
			}
		}
		got := Standing(least, all, lifts, 0)
		if len(got.All()) != want || got.Holds() != (want > 0) {
			t.Fatalf("%d questions stand, want %d", len(got.All()), want)
		}
		for _, q := range got.All() {
			if n, ok := Evidence[odd](q); ok && int(n) >= least {
				t.Fatalf("%d is not lifted", n)
			}
		}
	}
}

// TestManagedDenial: of several denials one of managed settings counts, because it binds where others are observed.
func TestManagedDenial(t *testing.T) {
	own, managed := Deny(Reason{Text: "own"}), Deny(Reason{Text: "managed", Managed: true})
	for _, d := range []Denial{Denial{}.Stricter(managed), own.Stricter(managed), managed.Stricter(own), managed.Stricter(Denial{}), Denial{}.Stricter(own).Stricter(managed)} {
		if d.String() != "managed" {
			t.Errorf("%q counts", d.String())
		}
	}
	if v := Denied("1", own.Stricter(Denial{})); v.Why().Managed || v.Decision() != hookio.Deny || v.Reason() != "own [permgate step 1]" || v.Kept().Holds() {
		t.Errorf("%v %q", v.Decision(), v.Reason())
	}
	kept := Denied("7", Refuse(asks(Doubtful, "q", ""), Reason{Text: "plan"}))
	if !kept.Kept().Holds() || strings.Contains(kept.Reason(), "q") {
		t.Errorf("what a mode refuses is not kept: %q", kept.Reason())
	}
}
