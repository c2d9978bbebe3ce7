package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// MongoDeletes reports whether a program of MongoDB's shell deletes wholesale.
// What its strings and comments hold is data, except for the name of a command.
func MongoDeletes(text string) bool {
	bare := code.Bare(code.JavaScript, text)
	if shell.ContainsAny(bare, ".dropdatabase(", ".drop(", ".dropuser(", ".dropallusers(", ".droprole(",
		".dropallroles(", ".deletemany()", ".deletemany({})", ".deletemany({},", ".remove()", ".remove({})",
		".remove({},", ".updatemany({},", ".update({},", ".dropindexes(", ".find().remove(", ".shutdownserver(",
		".drop_database(", ".delete_many({})") {
		return true
	}
	runsCommand := shell.ContainsAny(bare, ".runcommand(", ".admincommand(", `[""](`)
	return runsCommand && shell.ContainsAny(strings.ToLower(text),
		"dropdatabase", "drop:", "drop'", `drop"`, "dropalluser", "dropuser", "shutdown")
}

// Redis reports whether a client is one of Redis, whose words are one command.
func Redis(t *analysis.Tool) bool { return shell.Listed("redis-cli valkey-cli keydb-cli", t.Name) }

// RedisDeletes reports whether one line is a command that empties a database.
func RedisDeletes(text string) bool {
	for line := range strings.SplitSeq(lang.Unescaped(strings.ToLower(text)), "\n") {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.Trim(verb, `"'`+"\r") {
		case "flushall", "flushdb", "shutdown":
			return true
		case "cluster", "debug", "acl", "function", "config", "replicaof", "slaveof":
			if redisSubDeletes(verb, strings.Fields(rest)) {
				return true
			}
		case "eval", "fcall":
			empties := shell.ContainsAny(rest, "flushall", "flushdb")
			if empties || strings.Contains(rest, "keys") && redisScriptRemoves(rest) {
				return true
			}
		}
	}
	return false
}

// redisSubDeletes knows the commands of two words: those that forget slots or
// users, crash, replace the data by another server's, or write it elsewhere.
func redisSubDeletes(verb string, rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	switch sub := rest[0]; sub {
	case "reset", "flushslots", "delslots", "forget":
		return verb == "cluster"
	case "segfault", "panic", "restart", "crash-and-recover", "crash-and-abort":
		return verb == "debug"
	case "deluser":
		return verb == "acl"
	case "flush", "delete":
		return verb == "function"
	case "set":
		return verb == "config" && len(rest) > 1 && shell.Among("dir dbfilename", rest[1])
	default:
		return sub != "no" && shell.Among("replicaof slaveof", verb)
	}
}

// redisScriptRemoves reports whether a script calls the command that removes keys.
func redisScriptRemoves(script string) bool {
	return shell.ContainsAny(script, "'del'", `"del"`, "'unlink'", `"unlink"`)
}

// RedisRemoves reports whether keys are deleted that the words do not name.
func RedisRemoves(args []shell.Word) bool { return AnyWord(args, "del", "unlink") }

// OperandsOf are the words of a command of Redis: those after the options of its
// client and their values.
func OperandsOf(args []shell.Word) []shell.Word {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case !strings.HasPrefix(t, "-"):
			return args[i:]
		case shell.Listed("h p s a u r i n D d", strings.TrimPrefix(t, "-")),
			shell.Listed("user pass sni pattern count cacert cert key tls-ciphers", strings.TrimPrefix(t, "--")):
			i++
		}
	}
	return nil
}
