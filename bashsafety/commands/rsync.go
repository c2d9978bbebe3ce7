package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What scp and sftp have in common.
const (
	scpFlags  = "-346ACafNOpqrTv"
	scpValues = "-clPX"
)

var scpOpts = []Opt{
	{"-SDs", HasArg, Executes}, {"-F", HasArg, Unsafe}, {"-o", HasArg, 0}, {"-b", HasArg, Unsafe}, {"-J", HasArg, 0}, {"-i", HasArg, UsesKey},
}

// rsyncCommands are the programs that copy files between machines.
var rsyncCommands = []Command{
	{
		Names: "rsync", AllOptionsListed: true, Title: "copies trees", InfoFlags: "--version --help",
		Flags: "-acCDgGhHiIJkKlLnoOpPqrRsSuUvVWxXzANbdEFty0 archive verbose quiet checksum recursive relative update inplace append " +
			"append-verify dirs links copy-links copy-unsafe-links safe-links munge-links hard-links perms executability acls xattrs " +
			"owner group devices specials times atimes crtimes omit-dir-times super fake-super sparse preallocate dry-run whole-file " +
			"one-file-system existing ignore-existing remove-source-files delete delete-before delete-during delete-delay delete-after " +
			"delete-excluded ignore-missing-args delete-missing-args ignore-errors force partial delay-updates prune-empty-dirs " +
			"numeric-ids ignore-times size-only fuzzy compress cvs-exclude from0 protect-args secluded-args stats human-readable " +
			"progress itemize-changes list-only ipv4 ipv6 blocking-io no-motd no-implied-dirs open-noatime fsync version help backup " +
			"old-args trust-sender mkpath no-relative no-perms no-owner no-group no-times",
		Values: "-Bf@ suffix chmod chown usermap groupmap max-delete max-size min-size timeout contimeout modify-window exclude include " +
			"filter bwlimit block-size port sockopts outbuf iconv checksum-seed protocol compress-level compress-choice checksum-choice " +
			"skip-compress address info debug stop-after stop-at max-alloc stderr log-file-format out-format",
		Opts: []Opt{
			{"-e rsh rsync-path", HasArg, Executes}, {"daemon", NoArg, Unsafe}, {"-M remote-option config", HasArg, Unsafe},
			{"files-from", HasArg, ReadsNames}, {"exclude-from include-from password-file read-batch", HasArg, Reads},
			{"log-file write-batch only-write-batch", HasArg, WritesValue},
			{"-T temp-dir partial-dir backup-dir compare-dest copy-dest link-dest", HasArg, 0}, {"early-input", HasArg, Reads},
		},
		Forms: []Form{{"-n|--dry-run|--list-only", Proves, ""}, {"-T|--temp-dir|--partial-dir|--backup-dir=DIR", Writes, ""}}, refine: refineRsync,
		Special: &Special{Losses: []Loss{{
			Of: OfStorage, Flags: "-h", Dry: "dry-run n list-only",
			fits: rsyncDeletesThere,
		}}},
	},
	{
		Names: "scp", InfoFlags: "--help --version", AllOptionsListed: true, Title: "copies files over ssh", Flags: scpFlags + "B", Values: scpValues, Opts: scpOpts,
		refine: refineScp,
	},
	{
		Names: "sftp", InfoFlags: "--help --version", AllOptionsListed: true, Title: "copies files over ssh", Flags: scpFlags, Values: scpValues + "B", Opts: scpOpts,
		Forms: []Form{{"HOST...", Sends, ""}, {"-b=FILE", Reads, ""}}, refine: refineSftp,
		Special: &Special{Stdin: &StdinProgram{Operands: NoLimit}},
	},
}

func refineRsync(c *Invocation) {
	c.Recursive = true
	n, dry := len(c.Operands), c.Has("n", "dry-run", "list-only")
	for k, w := range c.operands() {
		switch {
		case elsewhere(w):
			c.network(w)
			c.Disprove("")
		case k == n-1 && n > 1:
			if !dry {
				c.write(w)
				c.rsyncArrives(w)
				if c.given("delete delete-before delete-during delete-delay delete-after delete-excluded del") {
					c.remove(w)
				}
			}
		case c.Has("remove-source-files"):
			c.remove(w)
		default:
			c.read(w)
		}
	}
}

// rsyncArrives says what the sources put below the destination.
func (c *Invocation) rsyncArrives(dest *shell.Word) {
	var skip []string
	for u := range c.options() {
		if u.Name == "exclude" && u.Value.Known {
			skip = append(skip, strings.TrimSuffix(u.Value.Text, "/"))
		}
	}
	if c.Has("f", "F", "filter", "include", "include-from") {
		skip = nil
	}
	for _, i := range c.Operands[:len(c.Operands)-1] {
		src := &c.Argv[i]
		in := c.copiedFrom(src)
		if in.Skip = skip; c.Has("R", "relative") {
			in.Kind = shell.FromElsewhere
		}
		if c.Has("R", "relative", "files-from") {
			c.unpacks(dest, in)
			continue
		}
		c.arrives(dest, src, in, true)
	}
}

func refineScp(c *Invocation) {
	c.sshOptions()
	c.Recursive = true
	n := len(c.Operands)
	for k, w := range c.operands() {
		switch {
		case elsewhere(w):
			c.network(w)
		case k == n-1 && n > 1:
			c.write(w)
			c.fetched(w, c.Operands[:n-1])
		default:
			c.read(w)
		}
	}
}

// refineSftp is sftp HOST[:FILE [TO]].
func refineSftp(c *Invocation) {
	c.sshOptions()
	c.Recursive = true
	if h := c.Operand(0); h == nil || !strings.Contains(h.Text, ":") {
		return
	}
	to := c.here()
	if w := c.Operand(1); w != nil {
		to = w
	}
	c.write(to)
	c.fetched(to, c.Operands[:1])
}

// fetched says what comes from sources, which may be elsewhere, into dest.
func (c *Invocation) fetched(dest *shell.Word, from []int) {
	for _, i := range from {
		c.arrives(dest, &c.Argv[i], c.copiedFrom(&c.Argv[i]), false)
	}
}

// copiedFrom is what is in a folder that is copied, of one elsewhere nothing.
func (c *Invocation) copiedFrom(src *shell.Word) shell.Contents {
	if elsewhere(src) {
		return shell.Contents{}
	}
	return c.folder(src)
}

// elsewhere reports whether an operand of rsync and scp is on another host.
func elsewhere(w *shell.Word) bool {
	t := shell.LiteralPrefix(w)
	i := strings.IndexByte(t, ':')
	return i > 0 && !strings.Contains(t[:i], "/") || strings.Contains(t, "://")
}

// rsyncDeletesThere: what rsync deletes is at its last operand, here about
// files, on another machine about something else.
func rsyncDeletesThere(r *reading) bool {
	if len(r.words) < 2 || !r.given("--delete*|--del|--remove-source-files", false) {
		return false
	}
	there := r.words
	if r.given("--delete*|--del", false) {
		there = there[len(there)-1:]
	} else {
		there = there[:len(there)-1]
	}
	for _, w := range there {
		host, _, remote := strings.Cut(w.Text, ":")
		if remote && !strings.Contains(host, "/") {
			return true
		}
	}
	return false
}
