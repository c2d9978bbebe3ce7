package bashsafety

import "strings"

// javaCommands compile and run Java.
var javaCommands = []Command{
	{
		Names: []string{"java", "javaw"}, Title: "runs Java", Style: StopAtOperand | SingleDash,
		Flags: "version showversion version help h ? X server client ea esa da enableassertions disableassertions enable-preview dry-run " +
			"list-modules validate-modules show-module-resolution",
		Values: "cp classpath class-path p module-path m module add-modules add-opens add-exports add-reads limit-modules",
		Opts:   []Opt{{"jar", HasArg, ReadsValue}},
		more:   javaMore,
		Examples: []Example{
			{"java -jar x.jar --fast", "read:x.jar"},
			{"java -version", ""},
			{"java -javaagent:x.jar Main", "narrow"},
			{"java -XX:OnOutOfMemoryError=id Main", "narrow"},
			{"java @args", "narrow"},
			{"java -Xmx2g -Da=b Main", ""},
		},
	},
	{
		Names: []string{"javac", "javadoc"}, Title: "compiles Java", Style: SingleDash,
		Flags: "g nowarn verbose deprecation help help-extra version X parameters Werror Xlint enable-preview private public protected package quiet " +
			"author use splitindex linksource",
		Values: "cp classpath class-path sourcepath source-path source target release encoding bootclasspath extdirs endorseddirs p " +
			"module-path module-source-path m module add-modules add-exports limit-modules system upgrade-module-path Xmaxerrs Xmaxwarns " +
			"windowtitle doctitle header bottom link subpackages exclude tag overview locale",
		Opts: []Opt{
			{"processor processorpath processor-path processor-module-path doclet docletpath taglet tagletpath", HasArg, Unsafe},
			{"d h s", HasArg, OutputsValue},
		},
		Operands: Reads, more: javaMore,
		Examples: []Example{
			{"javac -d out A.java", "write:out read:A.java"},
			{"javac -Xlint:all -J-Xmx1g A.java", "read:A.java"},
			{"javac -processor x A.java", "narrow read:A.java"},
			{"javac -Xplugin:x A.java", "narrow read:A.java"},
			{"javac @args", "narrow read:@args"},
		},
	},
}

// javaMore narrows options whose value hangs on a colon, and files of options.
func javaMore(c *call) {
	end, unknown := len(c.argv), c.unknown
	if jar := c.option("jar"); jar != nil { // what follows is the program's own
		end = jar.at
		before := parseArgs(c.argv[:end], 1, c.cmd.Style, []*Command{c.cmd})
		unknown = before.unknown
	}
	for _, u := range unknown {
		u = strings.TrimPrefix(u, "J-") // for the machine below the compiler
		switch {
		case strings.HasPrefix(u, "XX:On"), strings.HasPrefix(u, "XX:Flags"), strings.HasPrefix(u, "XX:VMOptionsFile"),
			strings.HasPrefix(u, "XX:CompileCommandFile"), strings.HasPrefix(u, "XX:+"), strings.HasPrefix(u, "XX:LogFile"),
			strings.HasPrefix(u, "XX:HeapDumpPath"), strings.HasPrefix(u, "XX:Dump"):
			if u != "XX:+UseG1GC" && u != "XX:+UseZGC" && u != "XX:+UseSerialGC" && u != "XX:+UseParallelGC" {
				c.narrow("-" + u + " can run a command or write a file")
			}
		case strings.HasPrefix(u, "Xlint"), strings.HasPrefix(u, "Xdoclint"), strings.HasPrefix(u, "Xdiags"), strings.HasPrefix(u, "g:"),
			strings.HasPrefix(u, "implicit:"), u == "proc:none", u == "proc:full", u == "proc:only", strings.HasPrefix(u, "Xm"),
			strings.HasPrefix(u, "Xss"), strings.HasPrefix(u, "XX:"), strings.HasPrefix(u, "D"), strings.HasPrefix(u, "ea:"),
			strings.HasPrefix(u, "da:"), strings.HasPrefix(u, "Xshare"), strings.HasPrefix(u, "verbose:"), u == "Xint", u == "Xcomp":
		default:
			c.narrow("-" + u + " can load code or write a file")
		}
	}
	for i := c.from; i < end; i++ {
		if strings.HasPrefix(c.argv[i].Text, "@") && (c.cmd.Names[0] == "javac" || len(c.operands) == 0 || i <= c.operands[0]) {
			c.narrow("a file of options can load code")
			return
		}
	}
}
