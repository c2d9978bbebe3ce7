package spec

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A posture is what the user's permgate.json says of every key.
func posture(keys ...func(*Case)) func(*Case) {
	return func(c *Case) {
		for _, set := range keys {
			set(c)
		}
	}
}

func recommended(c *Case) {
	c.Catastrophic.User, c.Trust.User = Tight, Tight
	c.Defer.User, c.Destructive.User, c.Subagents.User = Loose, Loose, Loose
}

func reads(c *Case)   { c.ReadOnly.User = Loose }
func inherit(c *Case) { c.Subagents.User = Unset }
func observe(c *Case) { c.Enforce.User = Loose }

var postures = []func(*Case){
	func(*Case) {}, recommended, posture(recommended, reads, inherit), posture(recommended, observe),
}

var modes = []func(*Case){
	func(*Case) {},
	func(c *Case) { c.Payload = Default },
	func(c *Case) { c.Payload = AcceptEdits },
	func(c *Case) { c.Payload = Auto },
	func(c *Case) { c.Payload = Bypass },
	func(c *Case) { c.Payload = Plan },
	func(c *Case) { c.Payload = DontAsk },
	func(c *Case) { c.Payload, c.Flag = Default, AcceptEdits },
	func(c *Case) { c.Payload, c.Flag = Plan, Plan },
	func(c *Case) { c.Default, c.DefaultScope = Bypass, User },
	func(c *Case) { c.Default, c.DefaultScope = AcceptEdits, Shared },
}

// rulesFor are all rules that can match a call, of the scopes that make a difference: a local file that
// git does not track is as good as the user's.
func rulesFor(c Case) (out []Rule) {
	for list := Denies; list <= Opens; list++ {
		for form := Matches; form <= Anchored; form++ {
			for scope := Managed; scope <= Session; scope++ {
				for _, r := range []Rule{
					{List: list, Form: form, Scope: scope},
					{List: list, Form: form, Scope: scope, Claude: true},
					{List: list, Form: form, Scope: scope, Claude: true, Recorded: true},
					{List: list, Form: form, Scope: scope, Claude: true, Wide: true},
				} {
					same := scope == Local || (r.Claude || scope == Shared) && list != Allows && list != Opens
					if fits(c, r) && !same {
						out = append(out, r)
					}
				}
			}
		}
	}
	return out
}

// enumerate calls f with every case of no or one rule, in several goroutines.
func enumerate(t *testing.T, f func(Case)) (n int64) {
	every := testenv.Every(t, 17, 2, 1) // a multiple of 3 would leave out callers
	var wg sync.WaitGroup
	work := make(chan Case)
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for c := range work {
				atomic.AddInt64(&n, enumerateFrom(c, every, f))
			}
		}()
	}
	for event := PreToolUse; event <= PermissionRequest; event++ {
		for tool := Read; tool <= Other; tool++ {
			for place := Inside; place <= HostOwn; place++ {
				for finding := Clean; finding <= Catastrophic; finding++ {
					for host := Bare; host <= Runs; host++ {
						work <- Case{Event: event, Tool: tool, Place: place, Finding: finding, Host: host}
					}
				}
			}
		}
	}
	close(work)
	wg.Wait()
	return n
}

func enumerateFrom(c Case, every int, f func(Case)) (n int64) {
	if !Possible(c) {
		return 0
	}
	rules := rulesFor(c)
	at := 0
	callers := []Caller{Main, Subagent, AgentAllows, AgentUnread, Agent, AgentExcludes}
	for _, setPosture := range postures {
		for _, setMode := range modes {
			for j, caller := range callers {
				for i := -1; i < len(rules) && (i < 0 || j < 3); i++ { // to the others rules mean less
					if at++; at%every != 0 {
						continue
					}
					one := c
					setPosture(&one)
					setMode(&one)
					one.Caller = caller
					if i >= 0 {
						one.Rules = rules[i : i+1 : i+1]
					}
					if Possible(one) {
						n++
						f(one)
					}
				}
			}
		}
	}
	return n
}

// A change of a case that must not loosen the answer.
type change struct {
	name  string
	do    func(*Case)
	where func(Case) bool // nil is everywhere
}

func adding(name string, r Rule) change {
	return change{name, func(c *Case) { c.Rules = append(c.Rules, r) }, func(c Case) bool { return fits(c, r) }}
}

func under(require bool) func(Case) bool {
	return func(c Case) bool { return (c.Trust.User == Tight) == require }
}

func both(a, b func(Case) bool) func(Case) bool { return func(c Case) bool { return a(c) && b(c) } }

// tightening are the changes that must not loosen any answer.
func tightening() (all []change) {
	for scope := Managed; scope <= Shared; scope++ {
		for _, list := range []List{Denies, Asks, HardDenies, SoftDenies} {
			all = append(all, adding("a rule that denies or asks", Rule{List: list, Scope: scope}),
				adding("a rule that could deny or ask", Rule{List: list, Form: Could, Scope: scope}))
		}
	}
	for _, form := range []Form{Matches, HeldBack, Exact, Anchored} {
		for _, claude := range []bool{false, true} {
			c := adding("an allow rule of a project that is not trusted", Rule{List: Allows, Form: form, Scope: Shared, Claude: claude})
			c.where = both(c.where, under(true))
			all = append(all, c)
		}
	}
	dirs := adding("a folder of a project that is not trusted", Rule{List: Opens, Scope: Shared})
	dirs.where = both(dirs.where, under(true))
	all = append(all, dirs)
	for mode := Bypass; mode <= Explore; mode++ {
		all = append(all, change{"a mode of a project that is not trusted",
			func(c *Case) { c.Default, c.DefaultScope = mode, Shared },
			func(c Case) bool { return c.Default == NoMode && c.Trust.User == Tight }})
	}
	for fault := ManagedFault; fault <= UserKey; fault++ {
		all = append(all, change{"a file that cannot be used", func(c *Case) { c.Fault = fault }, nil})
	}
	for i, name := range keys {
		for _, say := range []Say{Tight, Loose} {
			all = append(all, change{name + " in permgate.json of the project", func(c *Case) { keysOf(c)[i].Project = say }, nil})
		}
	}
	return append(all,
		change{"headless", func(c *Case) { c.Headless = true }, nil},
		change{"a lock of bypass", func(c *Case) { c.LockBypass = true }, nil},
		change{"a lock of auto", func(c *Case) { c.LockAuto = true }, nil},
		change{"only managed rules", func(c *Case) { c.ManagedOnly = true }, nil})
}

var keys = [...]string{"catastrophic", "onUnmatched", "subagents", "readOnlyCommands", "destructive", "projectTrust", "enforce"}

func keysOf(c *Case) [len(keys)]*Key {
	return [...]*Key{&c.Catastrophic, &c.Defer, &c.Subagents, &c.ReadOnly, &c.Destructive, &c.Trust, &c.Enforce}
}

// A complaints keeps the first of each kind, and counts.
type complaints struct {
	sync.Mutex
	n map[string]int
}

func (k *complaints) add(t *testing.T, what string, c Case, format string, args ...any) {
	k.Lock()
	defer k.Unlock()
	if k.n[what]++; k.n[what] == 1 {
		t.Errorf("%s: %+v\n"+format, append([]any{what, c}, args...)...)
	}
}

// TestNothingLoosens: no deny, ask, fault, lock, tight key, nor anything of a project that is not trusted,
// makes an answer laxer; nor do the order and the number of rules matter.
func TestNothingLoosens(t *testing.T) {
	k := &complaints{n: map[string]int{}}
	changes := tightening()
	var compared atomic.Int64
	n := enumerate(t, func(c Case) {
		was, _ := Answer(c)
		for i := range changes {
			ch := &changes[i]
			if ch.where != nil && !ch.where(c) {
				continue
			}
			d := c
			ch.do(&d) // a rule is added to a copy: the list is as long as its array
			is, _ := Answer(d)
			compared.Add(1)
			if is < was && !excused(c, d) {
				k.add(t, ch.name, d, "is %d, was %d", is, was)
			}
			if len(d.Rules) == 2 {
				d.Rules = []Rule{d.Rules[1], d.Rules[0], d.Rules[1]}
				if again, _ := Answer(d); again != is {
					k.add(t, "order", d, "is %d, was %d", again, is)
				}
			}
		}
	})
	for what, n := range k.n {
		t.Logf("%s: %d", what, n)
	}
	t.Logf("%d cases, %d comparisons", n, compared.Load())
}

// excused: the lists of autoMode belong to mode auto; where bypass is taken away a rule of the user's own may
// allow, out loud, what a host in that mode runs anyway; and an allow of auto is silence before a host with a
// classifier.
func excused(was, is Case) bool {
	auto := func(r Rule) bool { return r.List == HardDenies || r.List == SoftDenies }
	from, to := settle(was), settle(is)
	return slices.ContainsFunc(is.Rules, auto) && to.mode != Auto ||
		from.leaves && from.mode == Bypass && to.mode != Bypass || from.Host == Full && from.mode == Auto && to.mode != Auto
}

// TestStricterModes: with the same mode of the host, a stricter flag is never laxer.
func TestStricterModes(t *testing.T) {
	k := &complaints{n: map[string]int{}}
	n := enumerate(t, func(c Case) {
		c.Flag, c.AllowBypass, c.LockBypass, c.LockAuto = Bypass, true, false, false
		was, _ := Answer(c)
		for c.Flag = Auto; c.Flag <= Explore; c.Flag++ {
			d := c
			d.Flag--
			is, _ := Answer(c)
			if is < was && !excused(d, c) {
				k.add(t, "flag", c, "is %d, in the mode before %d", is, was)
			}
			was = is
		}
	})
	t.Logf("%d cases", n)
}

// TestNeverAllows: what must hold of every single answer.
func TestNeverAllows(t *testing.T) {
	k := &complaints{n: map[string]int{}}
	n := enumerate(t, func(c Case) {
		for fault := NoFault; fault <= UserKey; fault++ {
			for _, c.Headless = range []bool{false, true} {
				c.Fault = fault
				told, _ := Answer(c)
				for what, ok := range holds(c, told) {
					if !ok {
						k.add(t, what, c, "told %d", told)
					}
				}
			}
		}
	})
	t.Logf("%d cases", n)
}

// granted: a rule, a session grant, a definition or a switch covers the call, by whatever rule it would count.
func granted(c Case) bool {
	covers := func(r Rule) bool {
		return r.List == Allows && r.Form != HeldBack && (r.Form != Anchored || c.Tool != Bash)
	}
	return slices.ContainsFunc(c.Rules, covers) || c.Caller == AgentAllows || c.Tool == BashRead && c.ReadOnly.User == Loose
}

func holds(c Case, told Told) func(func(string, bool) bool) {
	has := func(list List) bool {
		return slices.ContainsFunc(c.Rules, func(r Rule) bool { return r == Rule{List: list, Scope: Managed} })
	}
	observes := c.Enforce.User == Loose
	dialog := c.Event == PermissionRequest
	pre := c
	pre.Event = PreToolUse
	before, _ := Answer(pre)
	return func(yield func(string, bool) bool) {
		_ = yield("a managed deny wins", !has(Denies) || told == Deny) &&
			yield("a managed ask is no allow", !has(Asks) || told != Allow) &&
			yield("a finding is no allow", c.Finding == Clean || c.Finding == Destructive && granted(c) || told != Allow) &&
			yield("deferring allows nothing that no rule, grant or switch covers", c.Defer.User != Loose || c.Host == Runs || told != Allow || granted(c)) &&
			yield("silence does not run the tool", c.Host != Runs || told != Silence || observes) &&
			yield("no dialog is answered more freely than the call", !dialog || told != Allow || before == Allow) &&
			yield("a dialog gets no ask", !dialog || told != Ask) &&
			yield("no plan is left for the user", c.Tool != PlanExit || told != Allow) &&
			yield("headless asks no one", !c.Headless || told != Ask) &&
			yield("observing allows nothing", !observes || told != Allow) &&
			yield("a fault allows nothing that reaches out", c.Fault == NoFault || c.Tool <= PlanExit && c.Tool != Read || c.Tool == Other || told != Allow) &&
			yield("not trusted, not allowed", c.Trust.User != Tight || len(c.Rules) == 0 || c.Rules[0].Scope != Shared || c.Rules[0].Recorded ||
				c.Rules[0].List != Allows || told == without(c) || told > without(c))
	}
}

// without is the answer to a case that has no rules.
func without(c Case) Told {
	c.Rules = nil
	told, _ := Answer(c)
	return told
}
