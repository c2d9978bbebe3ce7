package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// CodeFinds reports the subcommands that are given a program in another language of which a test holds.
func CodeFinds(s *analysis.Analysis, test func(*code.Text) bool) []analysis.Finding {
	return RunningAt(s, func(_ int, sub *analysis.Subcommand) bool { return slices.ContainsFunc(sub.Programs, test) })
}

// CodeDeletes reports whether a program, or a text for the console of a framework, deletes what a database holds: by
// a statement that it runs, or by a call on a whole model.
func CodeDeletes(t *code.Text) bool {
	deletes := func(a code.Act) bool {
		return a.Verb == code.Queries && lang.SQLDeletes(a.Words[0].Text, lang.Postgres)
	}
	return !strings.Contains(t.Source, ":memory:") && (slices.ContainsFunc(t.Acts, deletes) || emptiesModel(t))
}

func emptiesModel(t *code.Text) bool {
	return shell.ContainsAny(code.Bare(t.Lang, t.Source), ".objects.all().delete()", ".objects.delete()", ".all.delete_all",
		".all.destroy_all", ".unscoped.delete_all", "::truncate()", "->truncate()", "::query()->delete()",
		`db::table("")->delete()`, ".metadata.drop_all(", "db.drop_all(", ".dropdatabase()", ".drop_database(",
		".delete_many({})", ".deletemany()", ".deletemany({})", ".flushall()", ".flushdb()", ".sync({force:true})") ||
		calledOnClass(t.Source, ".delete_all") || calledOnClass(t.Source, ".destroy_all")
}

// calledOnClass reports whether a method is called on the name of a class outside a string.
func calledOnClass(text, method string) bool {
	before, rest, found := strings.Cut(text, method)
	for found {
		if constantEnds(before) && strings.Count(before, `"`)%2 == 0 {
			return true
		}
		before, rest, found = strings.Cut(rest, method)
	}
	return false
}

// constantEnds reports whether a text ends in the name of a class: Admin::User.
func constantEnds(text string) bool {
	start := len(text)
	for start > 0 && (shell.NameByte(text[start-1]) || text[start-1] == ':') {
		start--
	}
	name := strings.TrimLeft(text[start:], ":")
	if start > 0 && text[start-1] == '.' {
		return false
	}
	return name != "" && 'A' <= name[0] && name[0] <= 'Z'
}

// CodeRunsDownload reports whether a program hands the answer of a server to what evaluates it or to a shell.
func CodeRunsDownload(t *code.Text) bool {
	calledBack := t.Does(code.Evaluates) && t.Has("http.get https.get fetch")
	return calledBack || t.Does(code.RunsDownload)
}

// ServesShell reports the programs in another language that give a peer of theirs a shell.
func ServesShell(s *analysis.Analysis) []analysis.Finding {
	found := CodeFinds(s, codeServesShell)
	return append(found, RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return sub.As == "awk" && slices.ContainsFunc(sub.Argv, func(w shell.Word) bool {
			return shell.ContainsAny(w.Text, "/inet/tcp/", "/inet/udp/") && (strings.Count(w.Text, "getline") > 1 ||
				strings.Contains(w.Text, "system("))
		})
	})...)
}

// codeServesShell reports a program that opens a socket and starts a shell, or puts the one in the place of the
// other's files.
func codeServesShell(t *code.Text) bool {
	if !t.Has("socket net net.connect create_connection TCPSocket TCPServer IO.Socket fsockopen stream_socket_client Socket") {
		return false
	}
	starts := func(text string) bool {
		return shell.Among("sh bash zsh cmd.exe", text) ||
			shell.StartsWithAny(text, "sh -i", "bash -i", "sh <&", "sh<&", "powershell") ||
			shell.ContainsAny(text, "/bin/sh", "/bin/bash", "/bin/zsh")
	}
	return t.Has("dup2 pty.spawn io.popen os.execute") || slices.ContainsFunc(t.Strings, starts)
}

// codeRequestsDeletion reports whether a program sends another machine a DELETE.
func codeRequestsDeletion(t *code.Text) bool {
	elsewhere := func(text string) bool {
		return shell.StartsWithAny(text, "http://", "https://") &&
			!localURL(&shell.Word{Text: text, Known: !strings.Contains(text, shell.HoleMark)})
	}
	if !t.Talks() || !slices.ContainsFunc(t.Strings, elsewhere) {
		return false
	}
	method := func(text string) bool { return strings.EqualFold(text, "delete") }
	return slices.ContainsFunc(t.Strings, method) || slices.ContainsFunc(t.Strings, lang.PostsDeletion) ||
		t.Has("requests.delete httpx.delete axios.delete http.delete")
}
