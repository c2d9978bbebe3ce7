package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

const portFlags = "name regex exact glob line"

// portfile: for a place port runs the Portfile there.
var portfile = Form{"FILE...:*/*|*:*", Disproves, "may run a Portfile"}

// packageCommands are the programs that install packages of the system.
var packageCommands = []Command{
	{
		// Asking brew may update its own list first: that changes no package.
		Names: "brew", Title: "installs packages", Net: AsksServices, Flags: "-qvdh quiet verbose debug help version", ReadOnly: true, Subs: []Command{{Names: "list ls info abv deps leaves config desc search tap-info casks formulae", ReadOnly: true, Flags: "-1vltrS versions cask casks formula formulae json full-name installed tree pinned multiple greedy eval-all include-build include-test include-optional skip-recommended declared topological direct graph recursive name description search installed-on-request installed-as-dependency fetch-HEAD analytics variations sizes desc pull-request open closed", Values: "days category", Opts: []Opt{{"github dot", NoArg, Executes}}, Forms: []Form{{"FILE...:*/*|*.rb", Disproves, "may load a formula from a file or a foreign tap"}}}, {Names: "services", Subs: []Command{{Names: "list info", ReadOnly: true, Flags: "json all"}}, ReadOnly: true}, {Names: "sh irb ruby", Opts: []Opt{{"-c", HasArg, Executes}, {"-e", HasArg, Unsafe}}, Style: StopAtOperand}, {Names: "bundle", Opts: []Opt{{"file", HasArg, Reads}}, Forms: []Form{{"exec COMMAND", Runs, "it runs a command"}}}, {Names: "*"}},
		Opts: []Opt{{"prefix cellar cache repository repo caskroom env", OptArg, 0}},
	},
	{Names: "tlmgr", Title: "installs packages of TeX Live", Net: AsksServices, Style: NoOptions},
	{
		Names: "port", Title: "installs packages", Flags: "-vdqnRuf", Opts: []Opt{{"-D", HasArg, Unsafe}}, ReadOnly: true, Subs: []Command{
			{Names: "list installed outdated version", ReadOnly: true, Flags: portFlags, Forms: []Form{portfile}},
			{Names: "info search contents deps rdeps dependents variants provides echo", ReadOnly: true, Flags: portFlags, Forms: []Form{portfile, {"$", Disproves, "runs the Portfile of the working directory"}}},
			{Names: "*"},
		},
	},
	{
		Names: "apt apt-get aptitude", Title: "installs packages",
		Flags: "-qyfdsmuVbh quiet yes assume-yes assume-no download-only simulate just-print dry-run recon no-act fix-broken " +
			"fix-missing purge auto-remove autoremove reinstall no-install-recommends install-recommends only-upgrade no-upgrade " +
			"verbose-versions show-upgraded force-yes trivial-only version help no-remove",
		Values: "-t target-release default-release solver",
		Opts: []Opt{
			{"-o option", HasArg, SetsKey}, {"-c config-file", HasArg, Unsafe},
			{"allow-unauthenticated allow-insecure-repositories allow-downgrades force-yes-all", NoArg, Unsafe}, {"-a host-architecture build-profiles", HasArg, 0},
		},
		Subs: []Command{
			{
				Names: "list show search policy depends rdepends showsrc why why-not versions", ReadOnly: true,
				Flags:  "-a installed upgradable upgradeable all-versions manual-installed names-only full recurse important installed-only no-recommends no-suggests",
				Values: "-FwO",
			},
			{Names: "changelog"},
			{Names: "*"},
		},
	},
	{
		Names: "apt-cache", Title: "queries packages", Flags: "-fginq full names-only all-versions installed important recurse no-recommends quiet version help",
		Opts: []Opt{{"-o option", HasArg, SetsKey}, {"-c config-file", HasArg, Unsafe}, {"-ps pkg-cache src-cache", HasArg, Unsafe}},
		Subs: []Command{
			{
				Names: "search show showpkg policy depends rdepends madison pkgnames stats showsrc dump dumpavail " +
					"unmet", ReadOnly: true,
			},
			{Names: "gencaches"},
		},
	},
	{Names: "apt-mark apt-key apt-config add-apt-repository", Title: "changes the settings of apt", Style: NoOptions},
	{
		Names: "dpkg", Title: "installs packages", Flags: "no-pager version help print-architecture print-foreign-architectures", Values: "-D",
		Opts: []Opt{
			{"-lLsSpIcCV list listfiles status search print-avail info contents audit verify get-selections compare-versions", NoArg, Asks},
			{"-irPBxXeRbf install remove purge unpack configure extract vextract control build recursive triggers-only set-selections clear-selections update-avail merge-avail add-architecture remove-architecture clear-avail forget-old-unavail record-avail", NoArg, Changes},
			{"pager pre-invoke post-invoke status-logger", HasArg, Executes}, {"root admindir instdir log force no-force status-fd path-exclude path-include", HasArg, Unsafe}, {"-a pending auto-deconfigure", NoArg, 0},
		},
		ReadsIfAsked: true, Forms: []Form{{"-x|-X|-e|--extract|--vextract|--control FILE *", Reads, ""}, {"-x|-X|-e|--extract|--vextract|--control * FILE", Unpacks, ""}},
	},
	{
		Names: "dpkg-query", Title: "queries packages", Flags: "-lLsSWpc list listfiles status search show print-avail load-avail no-pager version help control-list control-path control-show", Values: "-f showformat",
		Opts: []Opt{{"admindir root", HasArg, Unsafe}}, ReadOnly: true,
	},
	{
		Names: "dnf yum microdnf zypper tdnf", Title: "installs packages", Net: AsksServices, Flags: "-qyvCbn quiet assumeyes assumeno verbose cacheonly best nobest refresh version help no-refresh non-interactive",
		Values: "-de enablerepo disablerepo repo repoid releasever exclude color advisory",
		Opts:   []Opt{{"-c config installroot setopt disableplugin enableplugin root plus-repo plus-content", HasArg, Unsafe}, {"nogpgcheck no-gpg-checks allowerasing downloaddir destdir", NoArg, Unsafe}},
		Subs: []Command{
			{
				Names: "list info search repolist provides whatprovides check-update repoquery deplist repoinfo " +
					"updateinfo lr se if pa lu", ReadOnly: true,
				Flags:  "installed available updates upgrades all extras obsoletes recent showduplicates requires whatrequires deps -il",
				Values: "queryformat qf whatdepends",
			},
			{Names: "*"},
		},
	},
	{
		Names: "rpm rpmdb rpmquery rpmverify", Title: "installs packages", Flags: "-ailcdRpfgvq all info list configfiles docfiles requires provides changelog file package state scripts last whatrequires whatprovides nosignature nodigest verbose version",
		Values: "queryformat qf",
		Opts: []Opt{
			{"query verify checksig", NoArg, Asks}, {"-V", NoArg, Asks}, {"-eUFhK", NoArg, Changes}, {"install upgrade freshen erase reinstall initdb rebuilddb import setperms setugids restore", NoArg, Changes},
			{"-ED eval define predefine", HasArg, ObeysValue}, {"pipe", HasArg, Executes}, {"rcfile macros root dbpath load undefine", HasArg, Unsafe},
		},
		ReadsIfAsked: true, refine: refineRpm,
		// The first letter decides what the others mean; -qi asks, -i installs.
		Forms:   []Form{{"-q", Proves, ""}, {"-i !-q|-V|--query|--verify|--checksig", Changes, ""}, {"-p|--package -V|--verify", Disproves, "runs a script from a package file"}},
		Special: &Special{Language: rpmMacros},
	},
	{
		Names: "rpmspec rpmbuild", Title: "builds packages of RPM from their description", Operands: Reads, Special: &Special{Language: rpmMacros},
		Opts: []Opt{{"-ED eval define", HasArg, ObeysValue}, {"pipe", HasArg, Executes}, {"rcfile macros root dbpath load", HasArg, Unsafe}},
	},
	{Names: "pacman yay paru", Title: "installs packages", Net: AsksServices, Style: NoOptions, ReadsSome: true, refine: func(c *Invocation) { c.disproveIf(!c.pacmanAsks()) }, Forms: []Form{
		{"** --hookdir*|--config*|--root*|--dbpath*|--gpg*|--cachedir*|--sysroot*|--editor*|--makepkg*|--git*|--sudo*|--pacman*", Narrows, "an option loads configuration or names a program"},
	}},
	{
		Names: "apk", Title: "installs packages", Flags: "-qvf quiet verbose no-cache no-progress version help", Opts: []Opt{{"-pX root repository keys-dir repositories-file cache-dir", HasArg, Unsafe}, {"allow-untrusted", NoArg, Unsafe}},
		Subs: []Command{
			{Names: "info list search policy dot version stats", ReadOnly: true, Flags: "-aLeRrwsdtIuoOP installed upgradable available all contents who-owns depends description exact"},
			{Names: "*"},
		},
	},
	{
		Names: "snap flatpak", Title: "installs packages", Net: AsksServices, Flags: "-v user system verbose version help", Values: "installation",
		Subs: []Command{
			{
				Names: "list info find search remotes remote-ls ps history version services connections changes " +
					"interfaces", ReadOnly: true,
				Flags: "-dam all app runtime show-details updates verbose abs-time unicode", Values: "columns arch color",
			},
			{Names: "run", Values: "command cwd env branch arch shell", Opts: []Opt{{"filesystem socket device share talk-name allow devel", HasArg, Unsafe}}, Style: StopAtOperand, Forms: []Form{{"* COMMAND...", RunsThere, ""}}},
			{Names: "*"},
		},
	},
}

// refineRpm: with -p the operands are files.
func refineRpm(c *Invocation) {
	if !c.Has("p", "package") {
		return
	}
	for _, w := range c.operands() {
		if strings.Contains(w.Text, "://") {
			c.network(w)
		} else {
			c.read(w)
		}
	}
}

// rpmMacros shows the shell texts in macros of rpm: %(TEXT).
func rpmMacros(c *Invocation, text *shell.Word) {
	c.program("lua", code.Lua, text) // %{lua:CODE}
	for rest := text.Text; ; {
		_, after, ok := strings.Cut(rest, "%(")
		if !ok {
			return
		}
		rest = after
		command, _, _ := strings.Cut(after, ")")
		c.scan("%()", command, text)
	}
}

// pacmanAsking are the options of pacman and what is built on it that narrow a question.
const pacmanAsking = "-q -v -i -l -s --noconfirm --quiet --verbose --color=never --info --list --search --query " +
	"--explicit --foreign --deps --upgrades --unrequired --native --owns"

// pacmanAsks: -Q asks; -Ss, -Si, -Sl, -Fl and -Fx ask when no y refreshes.
func (c *Invocation) pacmanAsks() bool {
	asks := false
	for _, w := range c.words() {
		switch t := w.Text; {
		case !w.Known:
			return false
		case len(t) < 2 || t[0] != '-':
		case shell.Among(pacmanAsking, t):
			asks = asks || t == "--query"
		case pacmanQuestion(t[1], t[2:]):
			asks = true
		default:
			return false
		}
	}
	return asks
}

// pacmanQuestion reports whether an operation of pacman with its letters asks.
func pacmanQuestion(operation byte, letters string) bool {
	switch operation {
	case 'Q':
		return !strings.Contains(letters, "y")
	case 'S', 'F':
		return strings.ContainsAny(letters, "silpx") && !strings.ContainsAny(letters, "ywuc")
	}
	return false
}
