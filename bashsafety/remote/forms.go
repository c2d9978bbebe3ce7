package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

func newTool(sub int, program string, args []shell.Word) analysis.Tool {
	name := toolName(program)
	return analysis.Tool{Sub: sub, Name: name, Args: args, Losses: commands.LossesOf(name)}
}

// maxToolWords bounds how far the words of a launcher are searched for a program.
const maxToolWords = 24

// Tools lists what the subcommands of a text may run. What is quoted is one
// word and never a program with its words.
func Tools(s *analysis.Analysis) []analysis.Tool {
	all := make([]analysis.Tool, 0, len(s.Subcommands))
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Structural || len(sub.Argv) == 0 {
			continue
		}
		all = append(all, newTool(i, sub.Program, sub.Argv[1:]))
		if sub.Call != nil && !carrier(strings.TrimSuffix(sub.Program, ".exe")) {
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

// carrier reports whether a known program runs one that its words name, wherever: interpreters,
// package runners, what sets up an environment or works in a container.
func carrier(program string) bool {
	switch program {
	case "python", "python2", "python3", "pypy", "pypy3", "py", "pyw", "pythonw", "php", "ruby", "jruby", "node", "nodejs", "deno", "bun",
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
	case "aws-cli", "awscli", "aws2":
		return "aws"
	case "firebase-tools":
		return "firebase"
	case "netlify-cli":
		return "netlify"
	case "aws-amplify":
		return "amplify"
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
		if cut := len(name) - len(end); cut > 0 && strings.EqualFold(name[cut:], end) {
			name = name[:cut]
		}
	}
	return commands.VariantName(packaged(name))
}
