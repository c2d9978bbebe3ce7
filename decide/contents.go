package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
)

// contents is what comes to lie in a folder with a write of subcommand at.
func (c *Case) contents(at int, in *bashsafety.Contents) *world.Listing {
	if had := c.listings[in]; had != nil {
		return had
	}
	l := &world.Listing{}
	from, why := c.contentsFrom(at, in)
	switch {
	case in.Kind == bashsafety.FromPatch && in.Stdin && c.history(at):
		// what the repository holds is no more than a checkout
	case why != "":
		l.Why = why
	case in.Kind == bashsafety.FromPatch:
		c.World.ListPatch(l, in, from)
	case in.Kind == bashsafety.FromFolder:
		c.World.ListFolder(l, from)
	default:
		c.World.ListArchive(l, from)
	}
	if l.Why == "" && in.Changed {
		l.Why = "its names are changed while unpacking"
	}
	if c.listings == nil {
		c.listings = map[*bashsafety.Contents]*world.Listing{}
	}
	c.listings[in] = l
	return l
}

// contentsFrom finds the file or folder that holds the names.
func (c *Case) contentsFrom(at int, in *bashsafety.Contents) (from, why string) {
	from = in.From
	if in.Stdin && in.Text == "" && from == "" {
		from = c.piped(at)
	}
	switch {
	case in.Text != "" && in.Kind == bashsafety.FromPatch:
		return "", ""
	case in.Kind == bashsafety.FromElsewhere:
		return "", "it is not a local file"
	case from == "":
		return "", unnamed(in)
	case c.World.Blind():
		return "", "no file system is available"
	case c.putAt(c.World.Path(from), c.Script.Puts(at)):
		return "", "the same command may write " + from + " first"
	}
	return from, ""
}

// unnamed says why no file is known to hold the names.
func unnamed(in *bashsafety.Contents) string {
	if in.Stdin {
		return "it comes from another command"
	}
	return "the file is only known at run time"
}

// piped is the one file that the commands in front of a pipe print, as it is or
// uncompressed, "" where there is none.
func (c *Case) piped(at int) string {
	subs := c.Script.Subcommands
	if len(subs[at].From) != 1 {
		return ""
	}
	sub := &subs[subs[at].From[0]]
	switch sub.Program {
	case "cat", "zcat", "gzcat", "bzcat", "gzip", "gunzip", "pigz", "bzip2", "bunzip2", "pv":
	default:
		return ""
	}
	if !sub.ReadOnly || len(sub.Effects) != 1 || !sub.Effects[0].Known || sub.Effects[0].Kind != bashsafety.Read {
		return ""
	}
	return sub.Effects[0].Path
}

// history reports whether what comes in through a pipe is what the repository
// itself holds.
func (c *Case) history(at int) bool {
	subs := c.Script.Subcommands
	for _, i := range subs[at].From {
		if !subs[i].PrintsHistory() || len(readPaths(&subs[i])) > 0 {
			return false
		}
	}
	return len(subs[at].From) > 0
}
