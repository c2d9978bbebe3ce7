package guard

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
)

// Contents is what comes to lie in a folder with a write of subcommand at.
func (g *Guard) Contents(at int, in *bashsafety.Contents) *world.Listing {
	if had := g.listings[in]; had != nil {
		return had
	}
	l := &world.Listing{}
	from, why := g.contentsFrom(at, in)
	switch {
	case in.Kind == bashsafety.FromPatch && in.Stdin && g.history(at):
		// what the repository holds is no more than a checkout
	case why != "":
		l.Why = why
	case in.Kind == bashsafety.FromPatch:
		g.World.ListPatch(l, in, from)
	case in.Kind == bashsafety.FromFolder:
		g.World.ListFolder(l, from)
	default:
		g.World.ListArchive(l, from)
	}
	if l.Why == "" && in.Changed {
		l.Why = "its names are changed while unpacking"
	}
	if g.listings == nil {
		g.listings = map[*bashsafety.Contents]*world.Listing{}
	}
	g.listings[in] = l
	return l
}

// contentsFrom finds the file or folder that holds the names.
func (g *Guard) contentsFrom(at int, in *bashsafety.Contents) (from, why string) {
	from = in.From
	if in.Stdin && in.Text == "" && from == "" {
		from = g.piped(at)
	}
	switch {
	case in.Text != "" && in.Kind == bashsafety.FromPatch:
		return "", ""
	case in.Kind == bashsafety.FromElsewhere:
		return "", "it is not a local file"
	case from == "":
		return "", unnamed(in)
	case g.World.Blind():
		return "", "no file system is available"
	case g.PutAt(g.World.Path(from), g.Script.Puts(at)):
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
func (g *Guard) piped(at int) string {
	subs := g.Script.Subcommands
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
func (g *Guard) history(at int) bool {
	subs := g.Script.Subcommands
	for _, i := range subs[at].From {
		if !subs[i].PrintsHistory() || len(ReadPaths(&subs[i])) > 0 {
			return false
		}
	}
	return len(subs[at].From) > 0
}

// ReadPaths are the files a command names to read.
func ReadPaths(sub *bashsafety.Subcommand) (paths []string) {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Kind == bashsafety.Read && e.Known {
			paths = append(paths, e.Path)
		}
	}
	return paths
}
