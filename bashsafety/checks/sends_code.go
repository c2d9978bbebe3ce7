package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// codeSends finds literal programs of another language that talk to the network
// and name a secret, or turn the whole environment into text.
func codeSends(s *interp.Analysis) []interp.Finding {
	f := &flow{s: s}
	return remote.RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
		if sub.Remote || len(sub.Argv) == 0 || !shell.Listed(remote.CodeRunners, sub.As) {
			return false
		}
		return slices.ContainsFunc(remote.CodeTexts(sub), func(code string) bool {
			return remote.Talks(code) && (f.quotesSecret(code, sub) || tellsEnvironment(code))
		})
	})
}

// tellsEnvironment reports whether a program text makes one text or value of all
// variables.
func tellsEnvironment(code string) bool {
	code = shell.Without(" \t\n", code)
	return shell.ContainsAny(code, "dict(os.environ)", "str(os.environ)", "dumps(os.environ", "data=os.environ",
		"json=os.environ", "os.environ.items()", "JSON.stringify(process.env)", "JSON.stringify({...process.env})",
		"body:process.env", "ENV.to_h", "ENV.to_json", "json_encode($_ENV)", "json_encode(getenv())",
		"Object.entries(process.env)")
}

// quotesSecret reports whether a string of a program text names a secret that the
// program opens; what loads a file of variables only sets them.
func (f *flow) quotesSecret(code string, sub *interp.Subcommand) bool {
	const longest = 200
	for i := 0; i < len(code); i++ {
		if code[i] != '\'' && code[i] != '"' && code[i] != '`' {
			continue
		}
		name, rest, ok := commands.CodeString(code[i:])
		if !ok {
			continue
		}
		loaded := strings.Contains(strings.ToLower(code[max(0, i-40):i]), "dotenv")
		if len(name) < longest && !loaded && !strings.ContainsAny(name, " \n") && f.secretAt(name, sub) {
			return true
		}
		i = len(code) - len(rest) - 1
	}
	return false
}
