package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Form is a way to call a program. It is data: a check that asks about what a
// program of no table deletes is a list of forms.
type Form struct {
	Names string // programs, blank-separated
	// Words are words that follow each other, options and their values aside. In
	// each, | separates spellings and * is any run of characters but /.
	Words string
	// Among is set when other operands may come first: rake build db:drop.
	Among bool
	// With are options of which one has to be there, Unless options of which each
	// makes the call harmless, both spelled with their dashes; "" for none. An
	// option may hold a value after =.
	With, Unless string
}

// asked are the words that make every program print its help and end.
const asked = "--help --version -version"

func newTool(sub int, program string, args []shell.Word) interp.Tool {
	name := toolName(program)
	return interp.Tool{Sub: sub, Name: name, Args: args, Losses: commands.LossesOf(name)}
}

// maxToolWords bounds how far the words of a launcher are searched for a program.
const maxToolWords = 24

// Tools lists what the subcommands of a text may run. What is quoted is one
// word and never a program with its words.
func Tools(s *interp.Analysis) []interp.Tool {
	all := make([]interp.Tool, 0, len(s.Subcommands))
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Structural || len(sub.Argv) == 0 {
			continue
		}
		all = append(all, newTool(i, sub.Program, sub.Argv[1:]))
		if sub.Call != nil && !carrier(sub.Program) {
			continue
		}
		for k := 1; k < len(sub.Argv) && k < maxToolWords; k++ {
			if w := &sub.Argv[k]; mayNameProgram(w) {
				all = append(all, newTool(i, namedProgram(w.Text), sub.Argv[k+1:]))
			}
		}
	}
	return all
}

// carrier reports whether a program of the tables runs a program that its words
// name, wherever it is among them: interpreters, runners of packages, programs
// that set an environment up or work in a container.
func carrier(program string) bool {
	switch program {
	case "python", "python2", "python3", "pypy", "pypy3", "php", "ruby", "jruby", "node", "nodejs", "deno", "bun",
		"bunx", "tsx", "ts-node", "npm", "npx", "pnpm", "pnpx", "yarn", "corepack", "poetry", "uv", "uvx", "pipenv",
		"pdm", "hatch", "rye", "pipx", "bundle", "bundler", "composer", "symfony", "sail", "ddev", "lando", "dotenv",
		"dotenvx", "doppler", "op", "infisical", "aws-vault", "chamber", "mise", "asdf", "direnv", "nix",
		"nix-shell", "heroku", "fly", "flyctl", "railway", "docker", "docker-compose", "podman", "podman-compose",
		"nerdctl", "kubectl", "oc", "vagrant", "conda", "mamba", "micromamba", "pixi", "dotnet", "mvn", "mvnw",
		"gradle", "gradlew", "sbt", "turbo", "nx", "lerna", "rush", "supabase", "wrangler":
		return true
	}
	return false
}

// namedProgram is the program that a word of a carrier names: terraform for
// hashicorp/terraform:1.5 and nixpkgs#terraform, railway for @railway/cli.
func namedProgram(word string) string {
	word = word[strings.LastIndexByte(word, '#')+1:]
	scope, name, _ := strings.Cut(word, "/")
	if strings.HasPrefix(scope, "@") && (name == "cli" || strings.HasPrefix(name, "cli@")) {
		return scope[1:]
	}
	if slash := strings.LastIndexByte(word, '/'); slash >= 0 {
		word, _, _ = strings.Cut(word[slash+1:], ":")
	}
	return word
}

// mayNameProgram reports whether a word is no option and not several words.
func mayNameProgram(w *shell.Word) bool {
	return w.Known && w.Text != "" && w.Text[0] != '-' && !strings.ContainsAny(w.Text, " \n")
}

// packaged is the program that a package, module or image of another name brings.
func packaged(name string) string {
	switch name {
	case "aws-cdk", "aws-cdk-local":
		return "cdk"
	case "firebase-tools":
		return "firebase"
	case "netlify-cli":
		return "netlify"
	case "aws-amplify":
		return "amplify"
	case "aws-cli", "awscli", "aws2":
		return "aws"
	case "kubecolor":
		return "kubectl"
	case "finch", "docker.io":
		return "docker"
	case "wrangler2":
		return "wrangler"
	case "helm3":
		return "helm"
	case "azure-cli":
		return "az"
	case "django":
		return "django-admin"
	}
	return name
}

// toolName is the name a form knows a program by: prisma for prisma@5.
func toolName(name string) string {
	if name == "" {
		return ""
	}
	if i := strings.IndexByte(name[1:], '@'); i >= 0 {
		name = name[:i+1]
	}
	for _, end := range [...]string{".exe", ".cmd", ".bat", ".phar"} {
		name = strings.TrimSuffix(name, end)
	}
	return commands.VariantName(packaged(name))
}

// Fits reports whether the words after a program have the form.
func (f *Form) Fits(args []shell.Word) bool {
	if f.Words == "" && len(args) == 0 {
		return false
	}
	for i := range args {
		w := &args[i]
		if w.Text == "--" && w.Known {
			break
		}
		if w.Known && (shell.Among(asked, w.Text) || shell.Among(f.Unless, optionName(w.Text))) {
			return false
		}
	}
	if f.With != "" && !anyOption(args, f.With) {
		return false
	}
	at := make([]bool, len(args)+1) // where the next word may be
	at[0] = true
	for w := range strings.FieldsSeq(f.Words) {
		next, some := make([]bool, len(args)+1), false
		for i := range args {
			t := &args[i]
			switch {
			case !at[i]:
				continue
			case t.Known && spelled(w, t.Text):
				next[i+1], some = true, true
			case f.Among:
				at[i+1] = true
			}
			if strings.HasPrefix(t.Text, "-") { // its value may be the next word
				at[i+1] = true
				if i+2 <= len(args) && !strings.Contains(t.Text, "=") {
					at[i+2] = true
				}
			}
		}
		if at = next; !some {
			return false
		}
	}
	return true
}

// spelled reports whether a word is one of the spellings.
func spelled(spellings, word string) bool {
	for s := range strings.SplitSeq(spellings, "|") {
		if s == word || commands.LikeName(s, word) {
			return true
		}
	}
	return false
}

// anyOption reports whether one of the options is among the words.
func anyOption(args []shell.Word, options string) bool {
	return slices.ContainsFunc(args, func(w shell.Word) bool { return shell.Among(options, optionName(w.Text)) })
}

// optionName is an option without the value after its =.
func optionName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	return name
}
