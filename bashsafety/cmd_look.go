package bashsafety

import "strings"

// lookCommands read sources and packages without running anything of them.
var lookCommands = []Command{
	{
		Names: []string{"shellcheck"}, Title: "checks shell scripts", ReadOnly: true, Operands: Reads,
		Flags: "-axV check-sourced external-sources norc list-optional version help", Values: "-fiePosSW format include exclude enable shell severity wiki-link-count source-path",
		OptValues: "-C color", Opts: []Opt{{"rcfile", HasArg, ReadsValue}},
		Examples: []Example{
			{"shellcheck -S warning a.sh", "ro read:a.sh"}, {"shellcheck --format=json -e SC1 a b", "ro read:a read:b"}, {"shellcheck --rcfile=.env a", "ro read:.env read:a"},
			{`shellcheck "$x"`, "read:?"}, {"shellcheck --frob a", "read:a"},
		},
	},
	{
		Names: []string{"shfmt"}, Silent: "w write l list f find", Loud: "d diff tojson to-json", InPlace: true, Title: "formats shell scripts", Style: SingleDash, ReadOnly: true, Operands: ReadsTree,
		Flags:  "l list d diff s simplify mn minify bn binary-next-line ci case-indent sr space-redirects kp keep-padding fn func-next-line f find tojson to-json fromjson from-json version help h",
		Values: "i indent ln language-dialect p posix filename", Opts: []Opt{{"w write", NoArg, WritesInPlace}},
		Examples: []Example{
			{"shfmt -d .", "ro read:./**"}, {"shfmt -l -i 2 a.sh", "ro read:a.sh/**"}, {"shfmt -w x.sh", "write:x.sh/**"}, {"shfmt -l -w=true x.sh", "write:x.sh/**"},
			{"shfmt --write x.sh", "write:x.sh/**"}, {"shfmt -lw x.sh", "read:x.sh/**"},
		},
	},
	{
		Names: []string{"hadolint", "yamllint", "actionlint"}, Title: "checks configuration files", Operands: ReadsTree,
		Flags: "-sVv strict version help no-color no-fail verbose no-warnings oneline list-files", Values: "-fdc format config config-data config-file ignore",
		Opts: []Opt{{"shellcheck pyflakes", HasArg, Executes}}, more: lintsReadOnly, Tells: "--version -V -v --help -h -version",
		Examples: []Example{
			{"hadolint Dockerfile", "ro read:Dockerfile/**"}, {"yamllint -s .", "ro read:./**"}, {"actionlint a", "read:a/**"}, {"actionlint --shellcheck=./x a", "narrow actionlint --shellcheck>>'./x' read:a/**"},
			{"hadolint --version", "ro"},
		},
	},
	{
		Names: []string{"cloc", "scc"}, Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true, more: clocMore,
		Flags: "-Cwhv quiet json yaml csv md by-file by-file-by-lang hide-rate no-autogen no-cocomo no-complexity wide files compact hidden no-ignore no-duplicates ci help version " +
			"show-lang show-ext languages verbose skip-uniqueness follow-links fullpath count-and-diff no-gitignore no-scc-ignore no-size no-min no-gen uloc",
		Values: "-efstix exclude-dir exclude-ext exclude-file exclude-lang include-lang include-ext match-d not-match-d match-f not-match-f timeout types exclude sort format " +
			"count-as not-match",
		Opts: []Opt{
			{"-o output out report-file sql write-lang-def diff-timeout-file counted found ignored categorized unicode-file strip-comments strip-code", HasArg, WritesValue},
			{"extract-with vcs script-lang", HasArg, Executes}, {"config read-lang-def force-lang-def", HasArg, Unsafe}, {"list-file exclude-list-file", HasArg, ReadsValue},
		},
		Examples: []Example{
			{"cloc .", "ro read:./**"}, {"cloc -sql=x .", "narrow read:./**"}, {"cloc -extract-with=id .", "narrow read:./**"}, {"cloc --json --exclude-dir=node_modules,dist src", "ro read:src/**"}, {"cloc --out=.envrc .", "write:.envrc narrow read:./**"},
			{"cloc --extract-with='x >FILE<' a", "narrow cloc --extract-with>>'x >FILE<' read:a/**"}, {"cloc --vcs='x' .", "narrow cloc --vcs>>'x' read:./**"},
			{"scc --by-file", "ro read:./**"}, {"scc -o .envrc", "write:.envrc narrow read:./**"}, {"cloc --frob=x", "read:./**"}, {"cloc --config x .", "narrow read:./**"},
		},
	},
	{
		Names: []string{"tokei"}, Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true,
		Flags: "-CfhlVv compact files hidden languages no-ignore no-ignore-dot no-ignore-parent no-ignore-vcs verbose help version", Values: "-cest columns exclude sort type types num-format",
		Opts:     []Opt{{"-i input", HasArg, ReadsValue}},
		Examples: []Example{{"tokei -e x src", "ro read:src/**"}, {"tokei -o json", "read:json/**"}, {"tokei --input x", "ro read:x read:./**"}},
	},
	{
		Names: []string{"javap"}, Title: "shows what a class file holds", Style: SingleDash, ReadOnly: true, Operands: Reads,
		Flags: "version help verbose v l public protected package private p c s sysinfo constants", Values: "module classpath class-path cp bootclasspath system multi-release",
		Examples: []Example{{"javap -c -p A.class", "ro read:A.class"}, {"javap -J-javaagent:x.jar A", "read:A"}, {"javap -cp x A", "ro read:A"}},
	},
	{
		Names: []string{"gem"}, Title: "installs Ruby packages", Style: StopAtOperand, Flags: "-hvq", Opts: []Opt{{"config-file", HasArg, Unsafe}}, more: gemMore, Tells: "--version -v --help -h",
		Examples: []Example{
			{"gem install x", ""}, {"gem list", "ro"}, {"gem list --local rails", "ro"}, {"gem which json", "ro"}, {"gem environment", "ro"}, {"gem exec rm x", "gem>>rm x"},
			{"gem list --config-file=x", "narrow"}, {"gem install x --source https://y", "narrow"}, {"gem open -e id x", "narrow gem -e>>'id'"}, {"gem build x", ""}, {"gem outdated", ""},
		},
	},
}

// clocMore: cloc takes its long options with one dash, too.
func clocMore(c *call) {
	for i := range c.argv[1:] {
		if t := literalPrefix(&c.argv[i+1]); programName(c.argv) == "cloc" && len(t) > 2 && t[0] == '-' && t[1] != '-' {
			c.narrow("with one dash it is a long option of cloc; write two")
		}
	}
}

// lintsReadOnly: actionlint runs other checkers and others only read.
func lintsReadOnly(c *call) {
	c.d.readOnly = programName(c.argv) != "actionlint" && c.proven()
}

// gemMore: lookups among the installed packages.
func gemMore(c *call) {
	for i, w := range c.rest(1) {
		switch name, value, _ := strings.Cut(w.Text, "="); name {
		case "--source", "-s", "--config-file", "--host":
			c.narrow(name + " takes code from elsewhere")
		case "--editor", "-e":
			if verb := c.literalOperand(0); verb == "open" || verb == "edit" || verb == "contents" {
				c.narrow(name + " runs a program")
				if rest := c.rest(1); value == "" && i+1 < len(rest) {
					c.scan(name, rest[i+1].Text, &rest[i+1])
				} else {
					c.scan(name, value, &w)
				}
			}
		}
	}
	switch c.literalOperand(0) {
	case "exec":
		c.packaged(1)
	case "list", "environment", "env", "which", "contents":
		c.d.readOnly = c.proven()
		for _, w := range c.rest(1) {
			t := w.Text
			if !w.Known || strings.HasPrefix(t, "-") && t != "--local" && t != "-l" && t != "--all" && t != "-a" && t != "--versions" && t != "--exact" && t != "-e" && t != "-i" {
				c.d.readOnly = false
			}
		}
	}
}
