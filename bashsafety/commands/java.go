package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// javaCommands compile and run Java.
var javaCommands = []Command{
	{
		Names: "java javaw", InfoFlags: "-version --version -help --help -h", Title: "runs Java", Style: StopAtOperand | SingleDash,
		Flags: "version showversion version help h ? X server client ea esa da enableassertions disableassertions enable-preview " +
			"dry-run list-modules validate-modules show-module-resolution",
		Values: "cp classpath class-path p module-path m module add-modules add-opens add-exports add-reads limit-modules",
		Opts:   []Opt{{"jar", HasArg, ReadsValue}}, refine: refineJava,
		Special: &Special{Losses: []Loss{{Of: OfCodeHost, Names: "java", Values: "-s auth http user", Style: SingleDash, fits: jenkinsDeletes}}},
	},
	{
		Names: "javac javadoc", InfoFlags: "-version --version -help --help", Title: "compiles Java", Style: SingleDash, Parser: ArgFiles,
		Flags: "g nowarn verbose deprecation help help-extra version X parameters Werror Xlint enable-preview private public protected " +
			"package quiet author use splitindex linksource",
		Values: "cp classpath class-path sourcepath source-path source target release encoding bootclasspath extdirs endorseddirs p " +
			"module-path module-source-path m module add-modules add-exports limit-modules system upgrade-module-path Xmaxerrs " +
			"Xmaxwarns windowtitle doctitle header bottom link subpackages exclude tag overview locale",
		Opts: []Opt{
			{"processor processorpath processor-path processor-module-path doclet docletpath taglet tagletpath", HasArg, Unsafe},
			{"d h s", HasArg, OutputsValue},
		},
		Operands: Reads, refine: refineJavac,
	},
}

// refineJava: what follows the class or -jar is the program's own.
func refineJava(c *Invocation) {
	end, unknown := len(c.Argv), c.Unknown
	if jar := c.Option("jar"); jar != nil {
		end = jar.at
		before := parseArgs(c.Argv[:end], 1, c.Cmd.Style, []*Command{c.Cmd})
		unknown = before.Unknown
	}
	c.javaOptions(unknown)
	if len(c.Operands) > 0 {
		end = min(end, c.Operands[0]+1)
	}
	c.optionFile(end)
}

func refineJavac(c *Invocation) { c.javaOptions(c.Unknown) }

// optionFile narrows a file of options before a place, see ArgFiles.
func (c *Invocation) optionFile(end int) {
	for i := c.From; i < end; i++ {
		if strings.HasPrefix(c.Argv[i].Text, "@") {
			c.Narrow("a file of options can load code")
			return
		}
	}
}

// javaOptions narrows options whose value hangs on a colon.
func (c *Invocation) javaOptions(unknown []string) {
	for _, u := range unknown {
		u = strings.TrimPrefix(u, "J-") // for the machine below the compiler
		switch {
		case shell.StartsWithAny(u, "XX:On", "XX:Flags", "XX:VMOptionsFile", "XX:CompileCommandFile", "XX:+",
			"XX:LogFile", "XX:HeapDumpPath", "XX:Dump"):
			if !shell.Among("XX:+UseG1GC XX:+UseZGC XX:+UseSerialGC XX:+UseParallelGC", u) {
				c.Narrow("-" + u + " can run a command or write a file")
			}
		case shell.StartsWithAny(u, "Xlint", "Xdoclint", "Xdiags", "g:", "implicit:", "Xm", "Xss", "XX:", "D", "ea:",
			"da:", "Xshare", "verbose:"), shell.Among("proc:none proc:full proc:only Xint Xcomp", u):
		default:
			c.Narrow("-" + u + " can load code or write a file")
		}
	}
}

// jenkinsDeletes: the client of Jenkins is a jar, its command a word after it.
func jenkinsDeletes(r *lossReading) bool {
	return r.given("-jar=*jenkins-cli*.jar") && r.fitsPattern("** "+jenkinsVerbs)
}
