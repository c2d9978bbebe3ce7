package optiontables

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The classes of what the tables say differently, the worst first.
const (
	provenVerb    = "proven-verb"    // ours does not know the verb, and proves the command all the same
	provenOption  = "proven-option"  // the same of an option
	closedWrites  = "closed-writes"  // ours says that no option matters, and its name says that it writes or runs something
	arityProven   = "arity-proven"   // the value is another word to us, in a form that ours proves
	fileUnseen    = "file-unseen"    // the value is a path to them, and no effect to us, in a form that ours proves
	claimedVerb   = "claimed-verb"   // ours proves a verb of which theirs says that it changes something
	claimedOption = "claimed-option" // the same of an option
	arityOther    = "arity-other"    // the value is another word to us; nothing is proven
	writesVerb    = "writes-verb"    // ours does not know the verb, and its name says that it writes or runs something
	writesOption  = "writes-option"  // the same of an option
	readsVerb     = "reads-verb"     // ours does not know the verb, and its name says that it only reads: it costs a prompt
	readsOption   = "reads-option"   // the same of an option, next to a verb that reads
	otherVerb     = "other-verb"
	otherOption   = "other-option"
)

// classes in the order of the list.
var classes = []string{
	provenVerb, provenOption, closedWrites, arityProven, fileUnseen, claimedVerb, claimedOption, arityOther,
	writesVerb, writesOption, readsVerb, readsOption, otherVerb, otherOption,
}

// A gap is one thing of which the tables say something else, or ours nothing.
type gap struct{ class, path, word, theirs, ours, about string }

// String is a line of the list.
func (g gap) String() string {
	return strings.Join([]string{g.class, g.path, g.word, g.theirs, g.ours, g.about}, "\t")
}

// compare lists what a public table says differently of one program, in the order of classes.
func compare(program *Verb) []gap {
	var gaps []gap
	compareVerb(&gaps, []string{program.Names[0]}, program)
	slices.SortFunc(gaps, func(a, b gap) int {
		return cmp.Or(
			cmp.Compare(slices.Index(classes, a.class), slices.Index(classes, b.class)),
			cmp.Compare(a.path, b.path), cmp.Compare(a.word, b.word), cmp.Compare(a.theirs, b.theirs),
		)
	})
	return slices.Compact(gaps)
}

// compareVerb compares the options and subcommands of the command that path selects in both tables.
func compareVerb(gaps *[]gap, path []string, theirs *Verb) {
	ours := parse(path...)
	at := strings.Join(path, " ")
	for i := range theirs.Options {
		for _, name := range theirs.Options[i].Names {
			g := compareOption(path, ours, name, &theirs.Options[i])
			if g.path, g.word, g.about = at, name, theirs.Options[i].About; g.class != "" {
				*gaps = append(*gaps, g)
			}
		}
	}
	for i := range theirs.Subs {
		sub := &theirs.Subs[i]
		for _, name := range sub.Names {
			if !plain.MatchString(name) {
				continue
			}
			below := append(slices.Clip(path), name)
			class, says := verbClass(ours, below, sub.About)
			if class != "" {
				*gaps = append(*gaps, gap{class, at, name, "verb", says, sub.About})
			}
			if len(parse(below...).Subs) == len(below)-1 {
				compareVerb(gaps, below, sub)
			}
		}
	}
}

// verbClass says how our table differs about a verb, and what it says of it.
func verbClass(ours *commands.Invocation, path []string, about string) (class, says string) {
	name := path[len(path)-1]
	known := len(parse(path...).Subs) == len(path)-1 || names(ours, name)
	switch proof := anyProof(path); {
	case proof != "" && !known && ours.Sub.Operands == commands.Words:
		return provenVerb, proof
	case proof == "reads" && changesAnyway(name, about):
		return claimedVerb, proof
	case known || proof != "" || !ours.Sub.HasSubs(): // ours says the same of every operand
		return "", ""
	case changes(name, about):
		return writesVerb, "unknown"
	case reads(name):
		return readsVerb, "unknown"
	}
	return otherVerb, "unknown"
}

// names reports whether our table knows a word of a command, and has no row for it.
func names(ours *commands.Invocation, name string) bool {
	lists := []string{ours.Cmd.InfoFlags}
	for _, f := range ours.Sub.Forms {
		lists = append(lists, strings.ReplaceAll(f.If, "|", " "))
	}
	return slices.ContainsFunc(strings.Fields(strings.Join(lists, " ")), func(known string) bool {
		return known == name || commands.LikeName(known, name)
	})
}

// plain are names that need no quotes and are no sentence.
var plain = regexp.MustCompile(`^[A-Za-z0-9@+][A-Za-z0-9_.:@+/-]*$`)

// optionName is how a name of an option is spelled; "-?" and "+x" are left out.
var optionName = regexp.MustCompile(`^--?[A-Za-z0-9][A-Za-z0-9_.:+-]*$`)

// compareOption says how the tables differ about an option; the class is "" where they do not.
func compareOption(path []string, ours *commands.Invocation, name string, theirs *Option) gap {
	g := gap{theirs: theirs.Arg}
	if !optionName.MatchString(name) || ours.Sub.Style&commands.NoOptions != 0 {
		return g
	}
	form := append(slices.Clip(path), name)
	arg, known := takes(form)
	g.ours = arg
	with := form
	if theirs.Arg == takesValue {
		with = append(slices.Clip(form), value)
	}
	proof := anyProof(with)
	if names(ours, name) {
		return g
	}
	risky := changes(name, theirs.About)
	anyDoes := ours.Sub.NoRiskyOptions || ours.Cmd.Parameters
	switch {
	case !known && proof != "" && !anyDoes:
		g.class, g.ours = provenOption, proof
	case !known && proof != "" && ours.Sub.NoRiskyOptions && risky:
		g.class, g.ours = closedWrites, proof
	case !known && proof != "": // no option matters
	case !known && risky:
		g.class, g.ours = writesOption, "unknown"
	case !known && anyProof(path) == "reads":
		g.class, g.ours = readsOption, "unknown"
	case !known:
		g.class, g.ours = otherOption, "unknown"
	case differ(theirs.Arg, arg) && anyProof(form) != "":
		g.class = arityProven
	case differ(theirs.Arg, arg):
		g.class = arityOther
	case proof == "reads" && risky:
		g.class = claimedOption
	case proof != "" && theirs.File && theirs.Arg == takesValue && !seen(with):
		g.class = fileUnseen
	}
	return g
}

// differ reports whether one table takes the next word for the value and the other does not.
// What is optional may be in either.
func differ(theirs, ours string) bool {
	return theirs != takesOptional && (theirs == takesValue) != (ours == takesValue)
}

// value stands for the value of an option, and operand for an operand.
const (
	value   = "vvv"
	operand = "ooo"
)

// takes says how our table has the last word of a form take a value; not whether it does not know it.
func takes(form []string) (string, bool) {
	with := parse(append(slices.Clip(form), value, operand)...)
	if len(with.Unknown) > 0 || len(with.Opts) == 0 {
		return "", false
	}
	if slices.Contains(with.Values, len(form)) {
		return takesValue, true
	}
	last, joint := form[len(form)-1], "="
	if len(last) == 2 {
		joint = ""
	}
	attached := parse(append(slices.Clip(form[:len(form)-1]), last+joint+value)...)
	if n := len(attached.Opts); len(attached.Unknown) == 0 && n > 0 && attached.Opts[n-1].Given {
		return takesAttached, true
	}
	return takesNone, true
}

// parse takes a command apart by our table.
func parse(words ...string) *commands.Invocation {
	argv := make([]shell.Word, len(words))
	for i, w := range words {
		argv[i] = shell.Word{Text: w, Known: true, Single: true}
	}
	return commands.NewInvocation(argv, nil, "")
}

// anyProof says what the analysis proves of a command, alone or with an operand.
func anyProof(words []string) string {
	text := strings.Join(words, " ")
	return cmp.Or(proof(text), proof(text+" "+operand))
}

// proof says what is proven of a text: that it reads, that its effects are all it does ("local"),
// that it runs code of the project besides.
func proof(text string) string {
	a := bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/home/u"})
	if len(a.Subcommands) == 0 || len(a.Doubts) > 0 || len(a.Findings) > 0 {
		return ""
	}
	weakest := "reads"
	for i := range a.Subcommands {
		s := &a.Subcommands[i]
		switch bound, _ := s.Bound(); {
		case s.ReadOnly || bound == analysis.OnlyReads:
		case bound == bashsafety.OnlyLocal && weakest == "reads":
			weakest = "local"
		case bound == bashsafety.RunsProject:
			weakest = "project"
		case bound == bashsafety.NotBound:
			return ""
		}
	}
	return weakest
}

// seen reports whether the value of an option is among the effects of a command.
func seen(words []string) bool {
	a := bashsafety.Analyze(strings.Join(words, " "), bashsafety.Env{Cwd: "/w", Home: "/home/u"})
	for i := range a.Subcommands {
		for _, e := range a.Subcommands[i].Effects {
			if strings.Contains(e.Path, value) {
				return true
			}
		}
	}
	return false
}

// changing are words in names that say that something is run or changed.
const changing = ` add append apply attach browse browser build cancel clean clear clone command commit config configure convert copy
 create cmd daemon delete deploy destroy disable download dump edit editor enable eval exec execute export file fix force generate
 hook import in-place init install interactive invoke kill launch link load log login logout merge migrate move open out output
 overwrite pager patch plugin prune publish pull purge push put record register release remove rename repair replace reset restart
 restore resume revert rm rotate run save script send serve set shell shutdown start stop submit sync tee trace undo uninstall
 unset unlink unlock update upgrade upload use web wipe write yes `

// changed finds a sentence that says that something is changed.
var changed = regexp.MustCompile(`(?i)\b(writes?|saves?|deletes?|removes?|creates?|executes?|overwrites?|modify|modifies|installs?|` +
	`uploads?|edits?|launch(es)?|runs? (a|an|the|this|command)|update[sd]?|generates?|adds?|sets? |updates?|opens?|applies|apply)\b`)

// changes reports whether an option or a verb is one of those that write or run something, by its
// name or by what is said of it.
func changes(name, about string) bool {
	return slices.ContainsFunc(split(name), func(w string) bool { return strings.Contains(changing, " "+w+" ") }) ||
		changed.MatchString(about)
}

// changesAnyway is changes for what is proven to read: of list-hooks nothing says so but that it
// creates something, in the first word that is said of it.
func changesAnyway(name, about string) bool {
	if !reads(split(name)[0]) {
		return changes(name, about)
	}
	at := changed.FindStringIndex(about)
	return at != nil && at[0] == 0
}

const reading = ` audit blame cat check compare config count current describe diff doctor env events explain export find get help history
 images info inspect list log logs ls outdated plan ps query read report search shortlog show stat stats status summary top tree validate
 verify version view which who why `

// reads reports whether a verb is one of those that read, by its name.
func reads(name string) bool {
	return slices.ContainsFunc(split(name), func(w string) bool { return strings.Contains(reading, " "+w+" ") })
}

// split cuts a name into its words: --log-file, logFile, ls_tree.
func split(name string) []string {
	var b strings.Builder
	for i, r := range strings.TrimLeft(name, "-") {
		switch {
		case 'A' <= r && r <= 'Z' && i > 0:
			b.WriteByte(' ')
			b.WriteRune(r + 'a' - 'A')
		case strings.ContainsRune("-_:.", r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return strings.Fields(b.String())
}
