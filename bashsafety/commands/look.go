package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The options of hadolint, yamllint and actionlint.
const (
	lintFlags  = "-sVv strict version help no-color no-fail verbose no-warnings oneline list-files"
	lintValues = "-fd format config-data ignore"
	lintTells  = "--version -V -v --help -h -version"
)

var lintOpts = []Opt{{"-c config config-file", HasArg, ReadsValue}, {"shellcheck pyflakes", HasArg, Executes}}

// The options of cloc and scc.
const (
	countFlags = "-Cwhv quiet json yaml csv md by-file by-file-by-lang hide-rate no-autogen no-cocomo " +
		"no-complexity wide files compact hidden no-ignore no-duplicates ci help version show-lang show-ext " +
		"languages verbose skip-uniqueness follow-links fullpath count-and-diff no-gitignore no-scc-ignore " +
		"no-size no-min no-gen uloc"
	countValues = "-efstix exclude-dir exclude-ext exclude-file exclude-lang include-lang include-ext match-d " +
		"not-match-d match-f not-match-f timeout types exclude sort format count-as not-match"
)

var countOpts = []Opt{
	{"-o output out report-file sql write-lang-def diff-timeout-file counted found ignored categorized unicode-file strip-comments strip-code", HasArg, WritesValue},
	{"extract-with vcs script-lang", HasArg, Executes}, {"config read-lang-def force-lang-def", HasArg, Unsafe}, {"list-file exclude-list-file", HasArg, ReadsValue},
}

// lookCommands read sources and packages without running anything of them.
var lookCommands = []Command{
	{
		Names: "shellcheck", Net: StaysHere, Title: "checks shell scripts", ReadOnly: true, Operands: Reads,
		Flags: "-axV check-sourced external-sources norc list-optional version help", Values: "-fiePosSW format include exclude enable shell severity wiki-link-count source-path",
		OptValues: "-C color", Opts: []Opt{{"rcfile", HasArg, ReadsValue}},
	},
	{
		Names: "shfmt", Local: true, Silent: &Silence{With: "w write l list f find", Unless: "d diff tojson to-json"}, InPlace: true, Title: "formats shell scripts", Style: SingleDash, ReadOnly: true, Operands: ReadsTree,
		Flags:  "l list d diff s simplify mn minify bn binary-next-line ci case-indent sr space-redirects kp keep-padding fn func-next-line f find tojson to-json fromjson from-json version help h",
		Values: "i indent ln language-dialect p posix filename", Opts: []Opt{{"w write", NoArg, WritesInPlace}},
	},
	{
		Names: "hadolint yamllint", Title: "checks configuration files", Operands: ReadsTree, ReadsSome: true,
		Flags: lintFlags, Values: lintValues, Opts: lintOpts, InfoFlags: lintTells,
	},
	{
		Names: "actionlint", Title: "checks workflows, and what their scripts say with other checkers", Operands: ReadsTree,
		Flags: lintFlags, Values: lintValues, Opts: lintOpts, InfoFlags: lintTells,
	},
	{
		// Its long options may have one dash.
		Names: "cloc", Parser: AnyCase | Plus, Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true, Net: FetchesURLs, refine: refineCloc,
		Flags: countFlags, Values: countValues, Opts: countOpts,
	},
	{
		Names: "scc", Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true, Net: FetchesURLs, Flags: countFlags,
		Values: countValues, Opts: countOpts,
	},
	{
		Names: "tokei", Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true,
		Flags: "-CfhlVv compact files hidden languages no-ignore no-ignore-dot no-ignore-parent no-ignore-vcs verbose help version", Values: "-cest columns exclude sort type types num-format",
		Opts: []Opt{{"-i input", HasArg, ReadsValue}},
	},
	{
		Names: "javap", Parser: ArgFiles, Title: "shows the contents of a class file", Style: SingleDash, ReadOnly: true, Operands: Reads, Net: FetchesURLs,
		Flags: "version help verbose v l public protected package private p c s sysinfo constants", Values: "module system multi-release", Opts: []Opt{{"classpath class-path cp bootclasspath", HasArg, ReadsValue}},
	},
	{
		Names: "gem", Title: "installs Ruby packages", Style: StopAtOperand, Flags: "-hvq", Opts: []Opt{{"config-file", HasArg, Unsafe}}, ReadsSome: true, refine: refineGem, InfoFlags: "--version -v --help -h",
		Special: &Special{Losses: []Loss{{Of: OfRegistry, Values: "-vkp version key host platform", Verbs: []string{"yank", "owner --remove|-r"}}}},
	},
}

// refineCloc: a long option with one dash would be read as a run of letters.
func refineCloc(c *Invocation) {
	for i := range c.Argv[1:] {
		if t := shell.LiteralPrefix(&c.Argv[i+1]); len(t) > 2 && t[0] == '-' && t[1] != '-' {
			c.Narrow("with one dash it is a long option of cloc; write two")
		}
	}
}

// refineGem: what looks at the installed packages reads; the rest installs or runs.
func refineGem(c *Invocation) {
	verb := c.LiteralOperand(0)
	c.gemOptions(verb)
	switch verb {
	case "list", "environment", "env", "which", "contents":
		c.disproveIf(slices.ContainsFunc(c.rest(1), gemMayFetch))
	case "exec":
		c.Disprove("")
		c.packaged(1)
	default:
		c.Disprove("")
	}
}

// gemOptions looks at the options behind a verb of gem.
func (c *Invocation) gemOptions(verb string) {
	rest := c.rest(1)
	for i, w := range rest {
		switch name, value, _ := strings.Cut(w.Text, "="); name {
		case "--source", "-s", "--config-file", "--host":
			c.Narrow(name + " takes code from elsewhere")
		case "--editor", "-e":
			if verb != "open" && verb != "edit" && verb != "contents" {
				continue
			}
			c.Narrow(name + " runs a program")
			if value == "" && i+1 < len(rest) {
				c.scan(name, rest[i+1].Text, &rest[i+1])
			} else {
				c.scan(name, value, &w)
			}
		}
	}
}

// gemMayFetch reports whether a word of a lookup could be an option that asks elsewhere.
func gemMayFetch(w shell.Word) bool {
	if !w.Known || !strings.HasPrefix(w.Text, "-") {
		return !w.Known
	}
	switch w.Text {
	case "--local", "-l", "--all", "-a", "--versions", "--exact", "-e", "-i":
		return false
	}
	return true
}
