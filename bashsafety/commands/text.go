package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// toDash is -o -, which to sort, shuf, sdiff and tree is a file like any other.
const toDash = "-o|--output=- >./-"

// textCommands are the programs that read, search and filter text.
var textCommands = []Command{
	{
		Names: "ag ack", Parser: Plus, Title: "searches trees for a pattern",
		Flags: "-acDfFgHhiILlnoQRsStuUvwVz0rkKx1 ackmate all-text all-types case-sensitive column count color nocolor follow " +
			"files-with-matches files-without-matches fixed-strings group nogroup heading noheading hidden invert-match literal " +
			"line-numbers no-numbers null numbers one-device passthrough print-all-files recurse norecurse search-binary search-files " +
			"search-zip silent skip-vcs-ignores smart-case stats stats-only unrestricted vimgrep word-regexp ignore-case filename " +
			"nofilename help version debug mmap nommap multiline nomultiline only-matching parallel passthru print-long-lines print0 nobreak " +
			"nofollow nonumbers",
		Values: "-ABCGmpWj after before color-line-number color-match color-path depth file-search-regex ignore ignore-dir max-count " +
			"width workers type",
		// old releases of ack run the value of --output as Perl
		OptValues: "context", Opts: []Opt{{"pager", HasArg, Executes}, {"output", HasArg, Unsafe}, {"ackrc", HasArg, Unsafe}, {"path-to-ignore files-from", HasArg, Reads}},
		Operands: PatternTree, ReadOnly: true,
		Forms: []Form{
			{"--files-from", Disproves, "reads the files that another file names"},
			{"-A|-B|-C|--after|--before=TEXT:^#", Narrows, "-A and the like without a number leave the next word an option"},
		},
	},
	{
		Names: "apply_patch applypatch apply-patch", Title: "edits the files a patch of an agent names", Style: NoOptions,
		refine: refineApplyPatch,
	},
	{
		Names: "awk gawk mawk nawk original-awk", Special: &Special{Endless: loopsAwk, Fed: awkFed, Files: "-fEi file exec include", Language: awkProgram}, Files: true, AllOptionsListed: true, Title: "runs an awk program over files",
		Flags: "-bcCgIkMnNOPrsStVh characters-as-bytes traditional copyright gen-pot no-optimize non-decimal-data bignum use-lc-numeric " +
			"optimize posix re-interval sandbox csv help version",
		Values: "-Fv field-separator assign", OptValues: "-L lint", Style: StopAtOperand,
		Opts: []Opt{
			{"-f file -E exec -i include", HasArg, ReadsPattern}, {"-l load", HasArg, Unsafe}, {"-D debug", OptArg, Unsafe},
			{"-o pretty-print -p profile -d dump-variables", OptArg, Unsafe}, {"-e source", HasArg, GivesPattern}, {"-W", HasArg, Unsafe},
		},
		ReadOnly: true, refine: refineAwk,
	},
	{
		Names: "base32 base64 basenc gbase64", Title: "encodes and decodes",
		Flags: "-diD decode ignore-garbage base64 base64url base32 base32hex base16 base2msbf base2lsbf z85 help version", Values: "-wb wrap break",
		Opts: []Opt{{"-o output", HasArg, WritesValue}, {"input", HasArg, Reads}}, Operands: Reads, ReadOnly: true,
	},
	{
		Names: "bat batcat", Title: "prints files with highlighting",
		Flags: "-AdfnpPSuhLV acknowledgements show-all plain number force-colorization unbuffered diff list-languages list-themes no-paging no-config " +
			"no-custom-assets help version",
		Values: "-lmHrB language map-syntax highlight-line line-range tabs wrap color italic-text decorations paging theme style " +
			"terminal-width file-name diff-context ignored-suffix theme-dark theme-light",
		Opts: []Opt{{"pager", HasArg, Executes}}, Operands: Reads, ReadOnly: true,
	},
	{
		Names: "cmp", Title: "compares two files", Flags: "-bls print-bytes verbose silent quiet help version",
		Values: "-in ignore-initial bytes", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "column", Title: "lines text up in columns",
		Flags: "-detxJLnhV table-header-repeat table keep-empty-lines json fillrows table-noheadings table-maxout help version",
		Values: "-cCEHilNoOprRsSTW table-columns table-column output-separator separator output-width table-name table-order " +
			"table-right table-truncate table-wrap table-noextreme table-hide tree tree-id tree-parent use-spaces table-columns-limit",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "cut gcut", Files: true, Title: "prints parts of lines",
		Flags:  "-nsz complement only-delimited zero-terminated help version",
		Values: "-bcdf bytes characters fields delimiter output-delimiter", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "expand unexpand", Title: "converts tabs and spaces", Flags: "-ai all initial first-only help version", Values: "-t tabs",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "fmt fold", Title: "wraps lines",
		Flags:  "-bcmnstu characters bytes spaces crown-margin split-only tagged-paragraph uniform-spacing help version",
		Values: "-dglw width goal prefix", Opts: []Opt{{"-p", HasArg, Reads}}, // on macOS it has no value
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "nl", Files: true, Title: "numbers lines", Flags: "-p no-renumber help version",
		Values: "-bdfhilnsvw body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines " +
			"number-format number-separator starting-line-number number-width",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "paste", Title: "joins lines of files", Flags: "-sz serial zero-terminated help version", Values: "-d delimiters",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "pr", Title: "paginates text",
		Flags: "-0123456789acdfFJmprtTv across show-control-chars double-space form-feed join-lines merge no-file-warnings omit-header " +
			"omit-pagination show-nonprinting help version",
		Values:    "-DhlNoWw columns date-format header length first-line-number indent width page-width",
		OptValues: "-einsS expand-tabs output-tabs number-lines separator sep-string", Operands: Reads, ReadOnly: true,
		NoRiskyOptions: true,
	},
	{
		Names: "col colcrt colrm rev tsort ul", Title: "formats text",
		Flags:  "-bfhHipVx2 no-backspaces fine spaces tabs pass no-underlining half-lines indicated zero help version",
		Values: "-ltT lines terminal", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "look", Title: "prints lines that start with a string", Flags: "-adf alternative alphanum ignore-case help version",
		Values: "-t terminate", Operands: PatternReads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "ptx", AllOptionsListed: true, Title: "generates an index of words",
		Flags:  "-AGfrtROT auto-reference traditional ignore-case references right-side-refs typeset-mode help version",
		Values: "-FMSWgw flag-truncation macro-name sentence-regexp word-regexp gap-size width format",
		Opts:   []Opt{{"-bio break-file ignore-file only-file", HasArg, Reads}}, Operands: Reads, ReadOnly: true,
		Forms: []Form{{"-G|--traditional * PATH", WritesValue, ""}},
	},
	{
		Names: "tac", Files: true, Title: "prints files in reverse", Flags: "-br before regex help version", Values: "-s separator",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "comm", Title: "compares sorted files",
		Flags: "-123iz check-order nocheck-order total zero-terminated help version", Values: "output-delimiter", Operands: Reads,
		ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "join", Title: "joins sorted files",
		Flags: "-iz check-order nocheck-order header ignore-case zero-terminated help version", Values: "-12aejotv", Operands: Reads,
		ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "csplit", Local: true, InfoFlags: "--help --version", Title: "splits a file by context",
		Flags: "-kszq keep-files suppress-matched quiet silent elide-empty-files help version", Values: "-bn suffix-format digits",
		Opts:  []Opt{{"-f prefix", HasArg, 0}},
		Forms: []Form{{"-b|--suffix-format", Unbinds, mayDoMore}, {"FILE", Reads, ""}, {"!-f|--prefix >xx*", Writes, ""}, {"-f|--prefix=STEM", Writes, ""}},
	},
	{
		Names: "diff gdiff colordiff icdiff", Title: "compares files",
		Flags: "-qscuenyptTlrNiEZbwBad brief report-identical-files ed rcs normal side-by-side left-column suppress-common-lines " +
			"show-c-function initial-tab paginate recursive no-dereference new-file unidirectional-new-file ignore-file-name-case " +
			"no-ignore-file-name-case ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space " +
			"ignore-blank-lines text strip-trailing-cr minimal speed-large-files expand-tabs suppress-blank-empty help version",
		Values: "-CDFILSUWx label width exclude starting-file ignore-matching-lines ifdef line-format horizon-lines tabsize " +
			"old-line-format new-line-format unchanged-line-format old-group-format new-group-format changed-group-format " +
			"unchanged-group-format show-function-line palette",
		OptValues: "color context unified", Opts: []Opt{{"-X from-file to-file exclude-from", HasArg, Reads}}, Operands: Reads,
		ReadOnly: true, NoRiskyOptions: true,
		refine: refineDiff,
	},
	{
		Names: "diff3", Title: "compares and merges three files",
		Flags:  "-3AaEeiTmvXx show-all ed show-overlap easy-only overlap-only merge text strip-trailing-cr initial-tab help version",
		Values: "-L label", Opts: []Opt{{"diff-program", HasArg, Executes}}, Operands: Reads, ReadOnly: true,
	},
	{
		Names: "sdiff", Title: "compares and merges two files",
		Flags: "-aBbdEHilstvWZ text ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space " +
			"ignore-blank-lines strip-trailing-cr left-column suppress-common-lines expand-tabs minimal speed-large-files help version",
		Values: "-Iw ignore-matching-lines width tabsize",
		Opts:   []Opt{{"diff-program", HasArg, Executes}, {"-o output", HasArg, WritesValue}}, Operands: Reads, ReadOnly: true, Forms: []Form{{toDash, WritesValue, ""}},
	},
	{
		Names: "grep egrep fgrep ggrep zgrep zegrep zfgrep", Style: DashValues, Files: true, Title: "searches files for a pattern",
		Flags: "-0123456789abcEFGHhiILlnoPpqsTUuvVwxyZzJMOS extended-regexp fixed-strings basic-regexp perl-regexp ignore-case " +
			"no-ignore-case word-regexp line-regexp null-data no-messages invert-match version help byte-offset line-number " +
			"line-buffered with-filename no-filename only-matching quiet silent text files-without-match files-with-matches count " +
			"initial-tab null binary decompress",
		Values: "-ABCDdm max-count label binary-files directories devices exclude include exclude-dir include-dir after-context " +
			"before-context context group-separator",
		OptValues: "color colour no-group-separator",
		Opts: []Opt{
			{"-rR recursive dereference-recursive", NoArg, Recurses}, {"-e regexp", HasArg, GivesPattern}, {"-f file", HasArg, ReadsPattern},
			{"exclude-from", HasArg, Reads},
		},
		Operands: PatternReads, ReadOnly: true, NoRiskyOptions: true, refine: refineGrep, Special: &Special{Integers: countsMatches},
	},
	{
		Names: "head ghead", Files: true, Title: "prints the first lines",
		Flags: "-0123456789qvz quiet silent verbose zero-terminated help version", Values: "-cn bytes lines", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "hexdump hd", Files: true, Title: "dumps bytes",
		Flags:  "-bcCdhovVxX one-byte-octal one-byte-hex one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex no-squeezing help version",
		Values: "-ens format length skip", OptValues: "-L color", Opts: []Opt{{"-f format-file", HasArg, Reads}}, Operands: Reads,
		ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "od", Files: true, Title: "dumps bytes",
		Flags:  "-aBbcDdeFfHhIiLlOosvXx output-duplicates traditional help version",
		Values: "-AjNSt address-radix endian skip-bytes read-bytes format", OptValues: "-w strings width", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "strings", Parser: ArgFiles, Files: true, Title: "prints the text in a file",
		Flags:  "-0123456789adfohvVw all data print-file-name include-all-whitespace help version",
		Values: "-enstTU bytes radix target encoding output-separator unicode", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "iconv", AllOptionsListed: true, Title: "converts encodings", Flags: "-clsh list silent verbose help version",
		Values: "-ft from-code to-code byte-subst unicode-subst widechar-subst", Opts: []Opt{{"-o output", HasArg, WritesValue}}, Operands: Reads, ReadOnly: true,
	},
	{
		Names: "jq gojq", Files: true, Title: "filters JSON",
		Flags: "-nrajcCMSesRhV null-input raw-output raw-output0 join-output ascii-output compact-output color-output monochrome-output " +
			"sort-keys tab unbuffered stream stream-errors seq slurp raw-input exit-status args jsonargs help version " +
			"build-configuration",
		Values: "indent -L library-path", Opts: []Opt{{"-f from-file", HasArg, ReadsPattern}}, ReadOnly: true, NoRiskyOptions: true,
		refine: refineJq,
	},
	{
		Names: "more", AllOptionsListed: true, Title: "pages files",
		Flags: "-0123456789cdefhlsuV silent logical no-pause print-over clean-print exit-on-eof squeeze plain help version",
		// where more is less, -p takes a command and -n takes nothing
		Values: "-n lines", Opts: []Opt{{"-p", NoArg, Unsafe}}, Operands: Reads, ReadOnly: true, refine: refineLess,
		Forms: []Form{{"-n=TEXT:^#", Narrows, "-n has no value where more is less"}},
	},
	{
		Names: "less most zless", AllOptionsListed: true, Title: "pages files",
		Flags: "-aABcCdeEfFgGiIJKLmMnNqQrRsSuUvVwWX~ quit-at-eof QUIT-AT-EOF raw-control-chars RAW-CONTROL-CHARS chop-long-lines " +
			"no-init quit-if-one-screen LINE-NUMBERS line-numbers ignore-case IGNORE-CASE squeeze-blank-lines help version " +
			"auto-buffers clear-screen CLEAR-SCREEN dumb follow-name hilite-search HILITE-SEARCH hilite-unread HILITE-UNREAD incsearch " +
			"long-prompt LONG-PROMPT mouse MOUSE quiet QUIET silent SILENT search-skip-screen SEARCH-SKIP-SCREEN underline-special " +
			"UNDERLINE-SPECIAL",
		Values: "-bhjpPxyzD# pattern tabs window prompt shift buffers color jump-target",
		Opts: []Opt{
			{"-oO log-file LOG-FILE", HasArg, WritesValue}, {"-k lesskey-file lesskey-src lesskey-context lesskey-content", HasArg, Unsafe},
			{"-tT tag tag-file", HasArg, Reads},
		},
		Operands: Reads, ReadOnly: true, refine: refineLess,
	},
	{
		Names: "patch", InfoFlags: "--help --version", Title: "applies a patch",
		Flags: "-bcEflNnRstTuvZ backup context ed remove-empty-files force forward normal reverse silent quiet batch set-time set-utc " +
			"unified verbose binary posix merge ignore-whitespace backup-if-mismatch no-backup-if-mismatch help version",
		Values: "-BDFgpVzxY prefix basename-prefix suffix strip fuzz get ifdef version-control quoting-style read-only reject-format",
		Opts: []Opt{
			{"-i input", HasArg, Reads}, {"-o output", HasArg, Writes}, {"-r reject-file", HasArg, Writes},
			{"-d directory", HasArg, WorkDir}, {"-e", NoArg, Unsafe}, {"dry-run", NoArg, Asks},
		},
		refine: refinePatch,
	},
	{
		Names: "rg", Style: DashValues, AllOptionsListed: true, Title: "searches trees for a pattern",
		Flags: "-0abcFHhIiLlnNoPpqsSUuvVwx. auto-hybrid-regex no-auto-hybrid-regex binary no-binary block-buffered no-block-buffered " +
			"byte-offset case-sensitive column no-column count count-matches crlf no-crlf debug trace files-with-matches " +
			"files-without-match fixed-strings no-fixed-strings follow no-follow glob-case-insensitive heading no-heading help hidden " +
			"no-hidden ignore-case ignore-file-case-insensitive include-zero invert-match json no-json line-buffered line-number " +
			"no-line-number line-regexp max-columns-preview mmap no-mmap multiline no-multiline multiline-dotall no-config " +
			"no-context-separator no-filename no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global " +
			"no-ignore-messages no-ignore-parent no-ignore-vcs no-messages no-pcre2-unicode no-pre no-require-git no-unicode null " +
			"null-data one-file-system only-matching passthru passthrough pcre2 no-pcre2 pcre2-version pretty print0 quiet " +
			"no-search-zip smart-case stats no-stats text no-text trim no-trim unrestricted version vimgrep with-filename " +
			"word-regexp sort-files no-sort-files stop-on-nonmatch no-byte-offset no-encoding no-glob-case-insensitive " +
			"no-ignore-file-case-insensitive no-include-zero no-invert-match no-line-buffered no-max-columns-preview no-multiline-dotall " +
			"ignore ignore-dot ignore-exclude ignore-files ignore-global ignore-messages ignore-parent ignore-vcs messages pcre2-unicode " +
			"require-git unicode no-one-file-system",
		Values: "-ABCdEgjMmrtT after-context before-context context color colors context-separator dfa-size-limit encoding engine " +
			"field-context-separator field-match-separator generate glob hyperlink-format iglob max-columns max-count max-depth " +
			"maxdepth max-filesize path-separator pre-glob regex-size-limit replace sort sortr threads type type-add type-clear type-not",
		Opts: []Opt{
			{"-e regexp", HasArg, GivesPattern}, {"files type-list", NoArg, GivesPattern}, {"-f file", HasArg, ReadsPattern}, {"ignore-file", HasArg, Reads},
			{"pre hostname-bin", HasArg, Executes}, {"-z search-zip", NoArg, Executes},
		},
		Operands: PatternTree, ReadOnly: true, refine: func(c *Invocation) { c.looksFor("g", "glob", "iglob") },
	},
	{
		Names: "sed gsed", Style: DashValues, Special: &Special{Endless: loopsSed, Fed: sedFed, Files: "-f file", Language: func(c *Invocation, text *shell.Word) { c.sedScript(text) }}, Local: true, Files: true, Forms: []Form{{"-i|-I|--in-place", Hides, ""}}, AllOptionsListed: true, Title: "edits streams",
		Flags:    "-nrEsuzbaH quiet silent regexp-extended separate unbuffered null-data binary posix debug sandbox follow-symlinks help version",
		Values:   "-l line-length",
		Opts:     []Opt{{"-iI in-place", OptArg, WritesInPlace}, {"-e expression", HasArg, GivesPattern}, {"-f file", HasArg, ReadsPattern}},
		Operands: Words, ReadOnly: true, refine: refineSed,
	},
	{
		Names: "shuf gshuf", Special: &Special{Endless: repeats}, AllOptionsListed: true, Title: "shuffles lines",
		Flags: "-erz echo repeat zero-terminated help version", Values: "-in input-range head-count",
		Opts: []Opt{{"-o output", HasArg, WritesValue}, {"random-source", HasArg, Reads}}, Operands: Reads, ReadOnly: true, Forms: []Form{{toDash, WritesValue, ""}},
	},
	{
		Names: "sort gsort", Style: DashValues, Local: true, Files: true, AllOptionsListed: true, Title: "sorts lines",
		Flags: "-bCcdfgHhiMmnRrsuVz ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting " +
			"month-sort human-numeric-sort numeric-sort random-sort reverse version-sort debug merge stable unique zero-terminated help " +
			"version mmap qsort mergesort heapsort radixsort",
		Values: "-kStT key buffer-size field-separator temporary-directory batch-size parallel sort", OptValues: "check",
		Opts:     []Opt{{"-o output", HasArg, WritesValue}, {"compress-program", HasArg, Executes}, {"files0-from", HasArg, ReadsNames}, {"random-source", HasArg, Reads}},
		Operands: Reads, ReadOnly: true, Forms: []Form{{"--files0-from", Disproves, "reads the files that another file names"}, {toDash, WritesValue, ""}},
	},
	{
		Names: "split gsplit", Local: true, InfoFlags: "--help --version", AllOptionsListed: true, Title: "splits a file",
		Flags:  "-dexu elide-empty-files numeric-suffixes hex-suffixes unbuffered verbose help version",
		Values: "-abClnpt suffix-length bytes line-bytes lines number separator additional-suffix",
		Opts:   []Opt{{"filter", HasArg, Executes}},
		Forms:  []Form{{"--additional-suffix", Unbinds, mayDoMore}, {"FILE", Reads, ""}, {"* STEM", Writes, ""}, {"$ >x*", Writes, ""}, {"* $ >x*", Writes, ""}},
	},
	{
		Names: "tail gtail", Special: &Special{Endless: follows}, Files: true, Title: "prints the last lines",
		Flags:  "-0123456789fFqrvz quiet silent verbose retry zero-terminated help version",
		Values: "-bcns bytes lines max-unchanged-stats pid sleep-interval", OptValues: "follow", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "tr gtr", Title: "translates characters",
		Flags: "-cCdst complement delete squeeze-repeats truncate-set1 help version", ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "uniq guniq", Local: true, AllOptionsListed: true, Title: "drops repeated lines",
		Flags: "-cdDiuz count repeated ignore-case unique zero-terminated help version", Values: "-fsw skip-fields skip-chars check-chars",
		OptValues: "all-repeated group", Operands: ReadThenWrite, ReadOnly: true,
	},
	{
		Names: "wc gwc", Special: &Special{Integers: countsOnce}, Forms: []Form{{"", Hides, ""}}, Title: "counts lines",
		Flags: "-cmlLw bytes chars lines max-line-length words help version libxo", Values: "total",
		Opts: []Opt{{"files0-from", HasArg, ReadsNames}}, Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{Names: "xxd", Title: "creates and reverts hex dumps", Style: NoOptions, ReadOnly: true, refine: refineXxd},
	{
		Names: "yq", Title: "filters YAML",
		Flags:  "-CMNPnrevjVhSyY colors no-colors no-doc prettyPrint null-input unwrapScalar exit-status verbose tojson help version yaml-output raw-output",
		Values: "-poIfL output-format input-format indent arg front-matter header-preprocess string-interpolation expression xml-attribute-prefix",
		Opts: []Opt{
			{"-i inplace in-place", NoArg, WritesInPlace}, {"-s split-exp split-exp-file", HasArg, Unsafe}, {"from-file", HasArg, ReadsPattern},
			{"security-enable-system-operator", NoArg, Executes},
		},
		ReadOnly: true, refine: refineYq,
	},
	{
		Names: "zcat gzcat bzcat xzcat", Title: "prints compressed files",
		Flags:  "-0123456789cdefhHklLqstvVz help long-help version quiet force list test verbose decompress compress keep stdout small license fast best extreme synchronous",
		Values: "-STM suffix threads memlimit", Opts: []Opt{{"-r recursive", NoArg, Recurses}}, Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
}

// refineDiff makes the operands of diff -r whole trees. Of a file and a directory
// it compares the file in there that is called alike.
func refineDiff(c *Invocation) {
	if a, b := c.Operand(0), c.Operand(1); b != nil {
		if directory(a, c.Home) {
			a, b = b, a
		}
		if directory(b, c.Home) {
			c.read(new(shell.Beneath(b, a)))
		}
	}
	if c.Has("r", "recursive") {
		c.readsTrees()
	}
}

// readsTrees makes what is read whole trees, and reports whether there was any.
func (c *Invocation) readsTrees() (some bool) {
	for i := range c.Facts.Effects {
		if e := &c.Facts.Effects[i]; e.Kind == shell.Read {
			e.Recursive, some = true, true
		}
	}
	return some
}

// refineGrep: -d recurse is -r, and like it reads the working directory without a file.
func refineGrep(c *Invocation) {
	o := c.Option("d", "directories")
	if o != nil && o.Given && (!o.Value.Known || strings.HasPrefix(o.Value.Text, "rec")) {
		if !c.readsTrees() {
			c.touch(shell.Read, c.here(), true)
		}
	}
	c.looksFor("include")
}

// refineJq reads jq's filter, files and the options with two values.
func refineJq(c *Invocation) {
	c.jqFiles()
	for _, i := range c.Operands {
		if jqEnvironment(c.Argv[i].Text) {
			c.Disprove(printsEnvironment)
		}
	}
	switch w := c.Operand(0); {
	case c.NoPattern:
		c.Disprove("runs a filter that is not in the command")
	case w != nil && jqLoads(w.Text):
		c.Disprove("loads modules, which may be any file")
	}
}

func (c *Invocation) jqFiles() {
	noFiles, filter := false, c.NoPattern
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		switch {
		case slices.Contains(c.Values, i):
		case shell.Among("--arg --argjson --slurpfile --rawfile --argfile", w.Text):
			i = c.jqPair(i)
		case shell.Among("--args --jsonargs", w.Text):
			noFiles = true
		case c.DashDash == 0 && optionLike(w):
		case !filter:
			filter = true
		case !noFiles:
			c.read(w)
		}
	}
}

// optionLike reports whether a word starts like an option; - is standard input.
func optionLike(w *shell.Word) bool {
	return w.Text != "-" && strings.HasPrefix(shell.LiteralPrefix(w), "-")
}

// jqPair reads the name and value of an option, and returns the place of the value.
func (c *Invocation) jqPair(at int) int {
	for i := at + 1; i < len(c.Argv) && i <= at+2; i++ {
		c.Facts.valueAt = append(c.Facts.valueAt, i)
		if i == at+2 && strings.HasSuffix(c.Argv[at].Text, "file") {
			c.read(&c.Argv[i])
		}
	}
	return at + 2
}

func jqLoads(filter string) bool {
	return jqWord(filter, "import") || jqWord(filter, "include") || jqWord(filter, "modulemeta")
}

// jqWord reports whether a filter holds a keyword, not as the name of a field.
func jqWord(filter, word string) bool {
	for i := 0; ; i++ {
		at := strings.Index(filter[i:], word)
		if at < 0 {
			return false
		}
		i += at
		end := i + len(word)
		starts := i == 0 || !shell.NameByte(filter[i-1]) && strings.IndexByte(`."`, filter[i-1]) < 0
		if starts && (end == len(filter) || !shell.NameByte(filter[end])) {
			return true
		}
	}
}

// jqEnvironment reports whether a filter of jq holds the whole environment, env
// or $ENV without a name after it.
func jqEnvironment(filter string) bool {
	for i := range len(filter) {
		if rest, ok := afterEnvironment(filter, i); ok && !plainVariable(rest) {
			return true
		}
	}
	return false
}

// afterEnvironment returns what follows env or $ENV at a place of a filter; false
// when it is not there, or part of another name, a key or a word of a string.
func afterEnvironment(filter string, i int) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(filter[i:], "$ENV"); !ok {
		if i > 0 && (shell.NameByte(filter[i-1]) || strings.IndexByte(`.$"'@-/{`, filter[i-1]) >= 0) {
			return "", false
		}
		rest, ok = strings.CutPrefix(filter[i:], "env")
	}
	if rest != "" && (shell.NameByte(rest[0]) || strings.IndexByte(`:"'-/`, rest[0]) >= 0) {
		return "", false
	}
	return rest, ok
}

// plainVariable reports whether what follows env or $ENV names one variable that
// by its name is no secret: .NAME, ."NAME" or ["NAME"].
func plainVariable(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	field, dotted := strings.CutPrefix(rest, ".")
	quoted := strings.HasPrefix(rest, `["`) || strings.HasPrefix(rest, `."`)
	named := quoted || dotted && field != "" && shell.NameByte(field[0])
	return named && !secretName(filterName(rest))
}

// filterName is the name after env or $ENV: .NAME or ["NAME"].
func filterName(rest string) string {
	rest = strings.TrimLeft(rest, `.["`)
	return rest[:shell.WordLength(rest, shell.NameByte)]
}

// refineLess looks at +command words, and at patterns that are typed like them.
func refineLess(c *Invocation) {
	for i := range c.Opts {
		if u := &c.Opts[i]; (u.Name == "p" || u.Name == "pattern") && strings.ContainsAny(u.Value.Text, "\n\r") {
			c.Narrow("another command of the pager follows on the line")
		} else if text, ok := strings.CutPrefix(u.Value.Text, "!"); ok && (u.Name == "p" || u.Name == "pattern") {
			c.scan("-p", text, &u.Value)
		}
		if u := &c.Opts[i]; endsEarly(u) {
			c.Narrow("another option follows in the value of one")
		}
	}
	for _, w := range c.words() {
		lit := shell.LiteralPrefix(w)
		if !strings.HasPrefix(lit, "+") {
			continue
		}
		c.dropRead(w)
		command := strings.TrimLeft(lit, "+")
		if w.Known && pagerMoves(command) {
			continue
		}
		c.Narrow("+ runs a command of the pager")
		if _, text, ok := strings.Cut(command, "!"); ok {
			c.scan("+!", text, w)
		}
	}
}

// endsEarly reports whether less takes the end of a value for options: after a $, and after a number.
func endsEarly(u *Used) bool {
	if !u.Given {
		return false
	}
	rest := u.Value.Text
	if shell.Among("b h j x y z buffers jump-target tabs window shift", u.Name) {
		rest = strings.TrimLeft(rest, "-+.,0123456789")
		return rest != "" || !u.Value.Known
	}
	_, rest, _ = strings.Cut(rest, "$")
	return rest != "" || !u.Value.Known
}

// pagerMoves reports whether a command of a pager only goes to a place.
func pagerMoves(command string) bool {
	switch {
	case strings.Trim(command, "0123456789") == "", command == "G", command == "g", command == "F":
		return true
	}
	return strings.HasPrefix(command, "/") && !strings.ContainsAny(command, "\n\r!|")
}

// dropRead takes back the read of a word that turned out to be no file.
func (c *Invocation) dropRead(w *shell.Word) {
	kept := c.Facts.Effects[:0]
	for _, e := range c.Facts.Effects {
		if e.Kind != shell.Read || e.Span != w.Span || !strings.HasSuffix(e.Path, w.Text) {
			kept = append(kept, e)
		}
	}
	c.Facts.Effects = kept
}

// refinePatch writes whatever the patch names, below the working directory. A
// file that is named is kept and its rejects are written next to it.
func refinePatch(c *Invocation) {
	if c.asks {
		c.readOperands(c.Operands)
		return
	}
	c.Wrote = true
	if len(c.Operands) == 0 && !c.Has("o", "output") || c.Has("B", "Y", "prefix", "basename-prefix") {
		c.patched()
	}
	w := c.Operand(0)
	if o := c.Option("o", "output"); o != nil {
		w = &o.Value
	} else if w != nil {
		c.writeFile(w)
	}
	if w == nil {
		return
	}
	if c.write(new(shell.NamesStartingWith(w))); strings.HasSuffix(w.Text, "/") {
		c.touch(shell.Write, w, true)
	}
	if w := c.Operand(1); w != nil {
		c.read(w)
	}
}

// refineXxd reads xxd's options, which do not cluster: the first letter says
// which one is meant. They end at the input, and what follows is the output.
func refineXxd(c *Invocation) {
	i := 1
	for i < len(c.Argv) {
		t := shell.LiteralPrefix(&c.Argv[i])
		if !strings.HasPrefix(t, "-") && c.Argv[i].Known || t == "-" {
			break
		}
		if !c.Argv[i].Known {
			c.Narrow("a word only known at run time could be an option that reverts, or name the file written")
			break
		}
		if t == "--" {
			i++
			break
		}
		name := strings.TrimPrefix(t[1:], "-")
		i++
		if xxdUnclear(name) {
			c.Narrow("versions of xxd read -" + name + " differently; spell it out")
		}
		if xxdTakesNext(name) {
			c.Facts.valueAt = append(c.Facts.valueAt, i)
			i++
		}
		if strings.IndexByte("abCdeEiprRtuvhcglosn", name[0]) < 0 {
			c.Narrow("an unknown option of xxd: -" + name)
		}
	}
	if i < len(c.Argv) {
		c.read(&c.Argv[i])
	}
	if i+1 < len(c.Argv) {
		c.writeExtra(&c.Argv[i+1])
	}
}

// xxdTakesNext reports whether the next word is the value: -c 8 and -cols 8, not -c8.
func xxdTakesNext(name string) bool {
	return shell.Among("c g l s o n R cols len seek skip off name", name)
}

// xxdUnclear reports the other abbreviations, of which some releases take the
// letters after the first for the value.
func xxdUnclear(name string) bool {
	long := []string{"cols", "groupsize", "len", "seek", "skip", "off", "name"}
	return !xxdTakesNext(name) && slices.ContainsFunc(long, func(full string) bool { return strings.HasPrefix(full, name) })
}

// refineYq reads yq's expression and files; the eval word may be left out.
func refineYq(c *Invocation) {
	ops := c.Operands
	if shell.Among("eval e eval-all ea", c.LiteralOperand(0)) {
		ops = ops[1:]
	}
	if c.NoPattern {
		c.Disprove("runs an expression that is not in the command")
	} else if len(ops) > 0 {
		first := &c.Argv[ops[0]]
		if len(ops) == 1 && patterned(first) && !strings.ContainsAny(first.Text, "|() =") {
			c.read(first) // an expression, or a file of which all is printed
		}
		if strings.Contains(c.Argv[ops[0]].Text, "load") {
			c.Facts.Code = true
			c.Disprove("loads a file that its expression names")
		}
		ops = ops[1:]
	}
	c.readOperands(ops)
	for i := range c.Argv[1:] {
		switch t := c.Argv[i+1].Text; {
		case shell.ContainsAny(t, "env(", "envsubst"), jqEnvironment(t):
			c.Disprove(printsEnvironment)
		case jqWord(t, "load"), strings.Contains(t, "load_"):
			c.Disprove("loads other files")
		}
	}
}

// Filters reports whether a call prints, or writes, something else than the text it reads.
func (c *Invocation) Filters() bool {
	const decoders = "uudecode openssl gunzip bunzip2 unxz envsubst"
	const shows = "less most more bat batcat cmp wc patch apply_patch applypatch apply-patch"
	name := ProgramName(c.Argv)
	of := func(row Command) bool { return shell.Among(row.Names, name) && !shell.Among(shows, name) }
	return shell.Among(decoders, name) || shell.Among("perl ruby", name) && c.Has("n", "p") || slices.ContainsFunc(textCommands, of)
}
