package interp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refs says what a text looks up: runner dir [file] names vars, and why not.
func refs(text string) []string {
	var all []string
	s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u", Script: func(r commands.ScriptRef) []analysis.ScriptText {
		line := r.Runner + " " + r.Dir
		if r.File != "" {
			line += " <" + r.File + ">"
		}
		line += " " + strings.Join(append(slices.Clone(r.Names), r.Vars...), " ")
		all = append(all, strings.TrimSpace(line))
		return nil
	}})
	for _, t := range s.Scripts {
		all = append(all, t.Name+": "+t.Why)
	}
	return all
}

func TestScriptRefs(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"npm run build", "npm /w build"},
		{"npm run-script build -- --foo", "npm /w build"},
		{"npm t", "npm /w test"},
		{"npm run", ""},
		{"npm restart", "npm /w restart stop start"},
		{"npm ci", "npm /w install prepublish prepare"},
		{"npm it", "npm /w install prepublish prepare test"},
		{"npm ci --ignore-scripts", ""},
		{"npm i x", ""},
		{"npm publish", "npm /w publish prepublishOnly pack prepare"},
		{"npm view x", ""},
		{"npm exec x", ""},
		{"npm --prefix sub run build", "npm /w/sub build"},
		{"npm -C ../x run build", "npm /x build"},
		{"npm --silent run build --if-present", "npm /w build"},
		{"npm run --unheard-of a build", "npm /w a build"},
		{"npm run build -w a", "npm /w build"},
		{"npm -w a run build", "npm /w build"},
		{"npm run $X", "npm: the script name is unknown"},
		{"npm $X", "npm: the command it runs is unknown"},
		{"cd sub && npm test", "npm /w/sub test"},
		{"cd $X && npm test", "npm test: the directory it runs in is unknown"},
		{"(cd sub); npm test", "npm /w test"},
		{"sudo -u x npm test; timeout 5 npm run a; sh -c 'cd b && npm run b'; x=$(npm run c)", "npm /w test, npm /w a, npm /w/b b, npm /w c"},
		{"docker run x npm test", ""},
		{"ssh h npm test", ""},
		{"pnpm build --x", "pnpm /w build"},
		{"pnpm run build", "pnpm /w build"},
		{"pnpm t", "pnpm /w test"},
		{"pnpm run t", "pnpm /w t"},
		{"pnpm run -C sub t", "pnpm /w/sub t"},
		{"pnpm run --filter a build", "pnpm /w build"},
		{"pnpm -C sub build", "pnpm /w/sub build"},
		{"pnpm --unheard-of sub build", "pnpm: unknown option unheard-of"},
		{"pnpm -r build", "pnpm /w build"},
		{"pnpm dlx x", ""},
		{"pnpm add x", "pnpm /w add"},
		{"pnpm i", "pnpm /w install prepublish prepare"},
		{"pnpm install --ignore-scripts", ""},
		{"yarn --version", ""},
		{"npm --help run x", ""},
		{"yarn add x", "yarn /w install prepublish prepare"},
		{"yarn run add", "yarn /w add"},
		{"yarn", "yarn /w install prepublish prepare"},
		{"yarn build", "yarn /w build"},
		{"yarn run build --x", "yarn /w build"},
		{"yarn --cwd sub test", "yarn /w/sub test"},
		{"yarn workspace a run b", "yarn /w b"},
		{"bun run build", "bun /w build"},
		{"bun run --silent build", "bun /w build"},
		{"bun run --nobody-knows build", "bun: unknown option nobody-knows"},
		{"bun run --cwd sub build", "bun /w/sub build"},
		{"bun --cwd sub run build", "bun /w/sub build"},
		{"bun test", ""},
		{"bun x.ts", ""},
		{"make", "make /w"},
		{"make -j4 a b V=1", "make /w a b V=1"},
		{"make -C sub a", "make /w/sub a"},
		{"make -C sub -f x.mk a", "make /w/sub </w/sub/x.mk> a"},
		{"gmake a", "make /w a"},
		{"make -n a", ""},
		{"make $X", "make: the command it runs is unknown"},
		{"just", "just /w"},
		{"just a b=c", "just /w a b=c"},
		{"just -f sub/justfile a", "just /w/sub </w/sub/justfile> a"},
		{"just -f sub/justfile -d . a", "just /w </w/sub/justfile> a"},
		{"just --list", ""},
		{"task", "task /w"},
		{"task a b -- c", "task /w a b"},
		{"task -d sub a", "task /w/sub a"},
		{"task --dry a", ""},
		{"mise run a b", "mise /w a"},
		{"mise r a", "mise /w a"},
		{"mise run a x ::: b y", "mise /w a b"},
		{"mise a", "mise /w a"},
		{"mise -C sub run a", "mise /w/sub a"},
		{"mise run -f a", "mise /w a"},
		{"mise install x", ""},
		{"mise exec -- x", ""},
		{"echo npm run a", ""},
	} {
		if got := strings.Join(refs(tt.text), ", "); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// scripts is an Env with a script for each name.
func scripts(byName map[string]string) analysis.Env {
	return analysis.Env{Cwd: "/w", Home: "/home/u", Script: func(r commands.ScriptRef) []analysis.ScriptText {
		var out []analysis.ScriptText
		for _, n := range r.Names {
			if text, ok := byName[n]; ok {
				t := analysis.ScriptText{Origin: analysis.Origin{Name: r.Runner + " " + n, File: "/w/f", Line: 3}, Text: text, Dir: r.Dir, Args: true}
				if why, ok := strings.CutPrefix(text, "!"); ok {
					t.Text, t.Why, t.Doubt = "", why, true
				}
				out = append(out, t)
			}
		}
		return out
	}}
}

func TestScriptExpansion(t *testing.T) {
	env := scripts(map[string]string{
		"a": "npm run b && echo a", "b": "npm run a; echo b", "args": "rm", "grow": "npm run grow -- x", "many": strings.Repeat("x;", 600),
		"cd": "cd sub && rm x", "bad": "!cannot be read", "parse": "echo '", "dyn": "rm " + shell.HoleMark + "/x", "where": "npm run args -- y",
		"quotes": "rm '" + shell.HoleMark + "/a' \"" + shell.HoleMark + "/b\" \\" + shell.HoleMark + "/c $'" + shell.HoleMark + "/d'",
		"long":   "echo " + strings.Repeat("x", shell.MaxBytes), "fn": "git() { :; }; git push",
	})
	for _, tt := range []struct{ text, want string }{
		{"npm run a", "npm run a | npm run b {npm a} | echo a {npm a} | npm run a {npm b} | echo b {npm b}"},
		{"npm run args -- 'a b' $X", `npm run args -- 'a b' … | rm 'a b' … {npm args} delete:/w/a b delete:…`},
		{"cd sub && npm run args x && rm y", "cd sub | npm run args x | rm y delete:/w/sub/y | rm x {npm args} delete:/w/sub/x"},
		{"npm run cd; rm z", "npm run cd | rm z delete:/w/z | cd sub {npm cd} | rm x {npm cd} delete:/w/sub/x"},
		{"npm run bad", "npm run bad !unreadable-script"},
		{"npm run parse", "npm run parse !parse-error"},
		{"npm run dyn", "npm run dyn | rm …/x {npm dyn} delete:…/x"},
		{"npm run quotes", "npm run quotes | rm …/a …/b …/c …/d {npm quotes} delete:…/a delete:…/b delete:…/c delete:…/d"},
		{"npm run where", "npm run where | npm run args -- y {npm where} | rm y {npm args} delete:/w/y"},
		{"npm run grow", "npm run grow | npm run grow -- x {npm grow} | npm run grow -- x x {npm grow} | npm run grow -- x x x {npm grow} | npm run grow -- x x x x {npm grow} | " +
			"npm run grow -- x x x x x {npm grow} | npm run grow -- x x x x x x {npm grow} | npm run grow -- x x x x x x x {npm grow} | npm run grow -- x x x x x x x x {npm grow} !too-much-work"},
		{"npm run long", "npm run long !too-long"},
		{"npm run fn; git push", "npm run fn | git push git:/w | : {npm fn} | git push {npm fn} git:/w | : {npm fn}"},
		{"docker run x npm run args y", "docker run x npm run args y | npm run args y"},
	} {
		if got := told(bashsafety.Analyze(tt.text, env)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	s := bashsafety.Analyze("npm run many; rm x", env)
	if len(s.Subcommands) != shell.MaxSubcommands || s.Subcommands[1].Program != "rm" || len(s.Doubts) != 1 || s.Doubts[0].ID != "too-many-commands" {
		t.Errorf("many: %d subcommands, %v", len(s.Subcommands), s.Doubts)
	}
	if s = bashsafety.Analyze("npm run parse", env); !strings.HasPrefix(s.Doubts[0].Msg, "npm parse (/w/f:3): ") {
		t.Errorf("a doubt does not say where it is from: %s", s.Doubts[0].Msg)
	}
}

// told writes an Analysis on one line.
func told(s *analysis.Analysis) string {
	var parts []string
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Structural {
			continue
		}
		var words []string
		for _, w := range sub.Argv {
			text := w.Text
			if strings.Contains(text, " ") {
				text = "'" + text + "'"
			}
			words = append(words, text)
		}
		line := strings.Join(words, " ")
		if sub.Script != nil {
			line += " {" + sub.Script.Name + "}"
		}
		for _, e := range sub.Effects {
			switch e.Kind {
			case shell.Delete:
				line += " delete:" + e.Path
			case shell.GitChange:
				line += " git:" + e.Path
			}
		}
		parts = append(parts, line)
	}
	out := strings.Join(parts, " | ")
	for _, d := range s.Doubts {
		out += fmt.Sprintf(" !%s", d.ID)
	}
	return strings.ReplaceAll(out, shell.HoleMark, "…")
}

// Without Env.Script nothing is looked up, and a text is the same.
func TestScriptOff(t *testing.T) {
	on, off := bashsafety.Analyze("npm run a; rm x", scripts(nil)), bashsafety.Analyze("npm run a; rm x", analysis.Env{Cwd: "/w", Home: "/home/u"})
	if told(on) != told(off) || len(off.Scripts) != 0 {
		t.Errorf("on %s, off %s", told(on), told(off))
	}
}

// TestFailureIsDoubted lets the analysis fail in the middle of a text.
func TestFailureIsDoubted(t *testing.T) {
	env := analysis.Env{Cwd: "/w", Script: func(commands.ScriptRef) []analysis.ScriptText { panic("a fault") }}
	for name, analyze := range map[string]func(string, analysis.Env) *analysis.Analysis{
		"bash": bashsafety.Analyze, "powershell": bashsafety.AnalyzePowerShell,
	} {
		s := analyze("npm run build", env)
		failed := func(d shell.Doubt) bool { return d.ID == "internal-error" && d.Hides == shell.HidesAll }
		if !slices.ContainsFunc(s.Doubts, failed) || len(s.Findings) > 0 {
			t.Errorf("%s: doubts %v, findings %v", name, s.Doubts, s.Findings)
		}
	}
}
