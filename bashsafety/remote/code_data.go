package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// CodeDeletes reports whether a literal program of another language, or a text
// for the console of a framework, deletes what a database holds: by a statement
// in a string that it runs, or by a call on a whole model.
func CodeDeletes(text string) bool {
	return !strings.Contains(text, ":memory:") && (runsDeletion(text) || emptiesModel(text))
}

// runsDeletion reports whether a function that runs statements gets one that deletes.
func runsDeletion(code string) bool {
	for i := 0; i < len(code); i++ {
		if strings.IndexByte("'\"`", code[i]) < 0 {
			continue
		}
		runs := runsStatement(code[:i])
		if mark := strings.Repeat(code[i:i+1], 3); strings.HasPrefix(code[i:], mark) {
			i += 2 // of Python: """text"""
		}
		statement, rest, ok := commands.CodeString(code[i:])
		if !ok {
			continue
		}
		if runs && lang.SQLDeletes(statement, lang.Postgres) {
			return true
		}
		i = len(code) - len(rest) - 1
	}
	return false
}

// statementRunners are functions that take a statement for a database.
const statementRunners = "execute executescript executemany exec query statement unprepared raw unsafe run batch " +
	"exec_query select_all $executeRawUnsafe executeRawUnsafe $queryRawUnsafe queryRawUnsafe execute_sql read_sql"

// runsStatement reports whether a program text ends in the call of a function
// whose argument is a statement for a database.
func runsStatement(before string) bool {
	before = strings.TrimRight(before, " \t\n")
	before = strings.TrimRight(strings.TrimSuffix(before, "(text("), "( \t\n")
	start := len(before)
	for start > 0 && shell.NameByte(before[start-1]) {
		start--
	}
	return start > 0 && start < len(before) && shell.Listed(statementRunners, before[start:])
}

func emptiesModel(text string) bool {
	return shell.ContainsAny(scriptCode(text), ".objects.all().delete()", ".objects.delete()", ".all.delete_all",
		".all.destroy_all", ".unscoped.delete_all", "::truncate()", "->truncate()", "::query()->delete()",
		`db::table("")->delete()`, ".metadata.drop_all(", "db.drop_all(", ".dropdatabase()", ".drop_database(",
		".delete_many({})", ".deletemany()", ".deletemany({})", ".flushall()", ".flushdb()", ".sync({force:true})") ||
		calledOnClass(text, ".delete_all") || calledOnClass(text, ".destroy_all")
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

// CodeTexts are the literal programs of another language that a subcommand runs,
// or may run: its longer words, and what it is fed.
func CodeTexts(sub *analysis.Subcommand) []string {
	texts := make([]string, 0, 2)
	for k := 1; k < len(sub.Argv); k++ {
		if t := sub.Argv[k].Text; len(t) > 20 && sub.Argv[k-1].Text != "--" {
			texts = append(texts, t)
		}
	}
	if sub.StdinText != nil {
		texts = append(texts, sub.StdinText.Text)
	}
	return texts
}

// CodeFinds reports the subcommands that run a program in one of some languages of
// which a test holds.
func CodeFinds(s *analysis.Analysis, languages string, test func(code string) bool) []analysis.Finding {
	return RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return len(sub.Argv) > 0 && shell.Listed(languages, sub.As) &&
			slices.ContainsFunc(CodeTexts(sub), test)
	})
}

// CodeRunsDownload reports whether a program hands the answer of a server to
// what evaluates it or to a shell.
func CodeRunsDownload(code string) bool {
	code = shell.Without(" \t\n", code)
	// Perl and Ruby need no parentheses
	for _, runner := range [...]string{"exec(", "eval(", "os.system(", "os.popen(", "system(", "compile(", "eval"} {
		if follows(code, runner, fetches) {
			return true
		}
	}
	// Node.js and Deno hand the answer on in a function
	return shell.ContainsAny(code, ".get('http", `.get("http`, "fetch('http", `fetch("http`) &&
		(shell.ContainsAny(code, ".then(eval)", ".then(eval,") ||
			follows(code, "eval(", computed) || follows(code, "newFunction(", computed))
}

// follows reports whether what comes after a word, somewhere in a text, passes a test.
func follows(text, word string, test func(rest string) bool) bool {
	_, rest, found := strings.Cut(text, word)
	for found && !test(rest) {
		_, rest, found = strings.Cut(rest, word)
	}
	return found
}

// computed reports whether an argument is no text that is spelled.
func computed(argument string) bool {
	return argument != "" && strings.IndexByte("'\"`", argument[0]) < 0
}

// fetches reports whether a text without blanks begins with what asks a server.
func fetches(code string) bool {
	if name := shell.WordLength(code, shell.NameByte); strings.HasPrefix(code[name:], ".urlopen(") {
		return true // import urllib.request as u
	}
	return shell.StartsWithAny(code, "urllib.", "urlopen(", "requests.get(", "httpx.get(", "__import__('urllib",
		`__import__("urllib`, "awaitfetch(", "file_get_contents('http", `file_get_contents("http`, "URI.open(", "get('http",
		`get("http`, "get'http", `get"http`, "LWP::Simple::get(", "open('http", `open("http`, "Net::HTTP.get(")
}

// ServesShell reports the programs in another language that give a peer of theirs a shell.
func ServesShell(s *analysis.Analysis) []analysis.Finding {
	return CodeFinds(s, CodeRunners+" awk lua luajit", codeServesShell)
}

// codeServesShell reports a program that opens a socket and starts a shell, or puts the one in the
// place of the other's files. What awk and Lua run is what they were sent.
func codeServesShell(code string) bool {
	code = strings.ReplaceAll(shell.Without(" \t\n", code), "'", `"`)
	if shell.ContainsAny(code, "/inet/tcp/", "/inet/udp/") {
		return strings.Count(code, "getline") > 1 || strings.Contains(code, "system(")
	}
	connected := shell.ContainsAny(code, "socket(", `require("socket")`, `require("net")`, `"node:net"`, "net.connect(", "create_connection(",
		"TCPSocket", "TCPServer", "IO::Socket", "fsockopen(", "stream_socket_client(")
	return connected && shell.ContainsAny(code, `"sh"`, `"bash"`, `"zsh"`, `"sh-i`, `"bash-i`, `"sh<&`, "/bin/sh", "/bin/bash", "/bin/zsh",
		`"cmd.exe"`, `"powershell`, "pty.spawn(", "dup2(", "io.popen(", "os.execute(")
}

// codeRequestsDeletion reports whether a program sends another machine a DELETE.
func codeRequestsDeletion(code string) bool {
	if !Talks(code) {
		return false
	}
	told := strings.NewReplacer(" ", "", `"`, "'", "'DELETE'", "'delete'").Replace(code)
	if !lang.PostsDeletion(code) && !shell.ContainsAny(told, "method:'delete'", "method='delete'", ".delete('http", "request('delete'",
		".delete(f'http") {
		return false
	}
	for rest := code; ; {
		at := strings.Index(rest, "http")
		if at < 0 {
			return false
		}
		if rest = rest[at:]; shell.StartsWithAny(rest, "http://", "https://") {
			url := rest[:len(rest)-len(strings.TrimLeft(rest, urlBytes))]
			if !localURL(&shell.Word{Text: url, Known: true}) {
				return true
			}
		}
		rest = rest[len("http"):]
	}
}

const urlBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/.-_~%?&=@#[]+"

// Talks reports whether a program text uses the network.
func Talks(code string) bool {
	return shell.ContainsAny(code, "urllib", "requests.", "httpx.", "http.client", "socket", "fetch(", "axios", "got(",
		"https.request", "http.request", "https.get", "Net::HTTP", "smtplib", "ftplib", "paramiko", "boto3", "LWP::",
		"HTTP::Tiny", "curl_init", "aiohttp", "XMLHttpRequest", "fsockopen")
}

// CodeRunners are the languages whose programs can send by themselves.
const CodeRunners = "python node ruby perl php deno bun"
