package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// TestScriptsOfDisk: a script of the project has the answer of what it runs, however it is called or written.
func TestScriptsOfDisk(t *testing.T) {
	pkg := map[string]string{"package.json": `{"name": "n", "workspaces": ["src"], "scripts": {"b": "H", "prec": "H", "c": "ls", "d": "npm run b", "e": "run-s b"}}`}
	for _, runs := range []string{
		"npm run b", "npm ru b", "npm run-scrip b", "npm run c", "npm run d", "npm run e", "npm run --workspaces --include-workspace-root b", "npm run b -w src", "npm -ws run b",
		"yarn workspace n b", "yarn workspace n run b", "yarn workspaces run b", "yarn workspaces foreach -A run b", "yarn workspaces foreach --all --exclude x run b",
		"pnpm -r run b", "pnpm -r b", "pnpm --filter . b", "pnpm --filter n run b", "pnpm -F n b", "pnpm --recursive --parallel run b", "bun --filter n b", "bun run --filter '*' b",
		"npx npm-run-all b", "npx npm-run-all --parallel b c", "npx run-s b", "npx run-p b c", "pnpm exec run-s b", "npx concurrently npm:b", "npx concurrently 'npm:b' 'ls'",
		"npx concurrently 'npm run b'", "node --run b", "node --run=b", "npm run ${u:-b}", `npm run "${u:-b}"`, "s=b; npm run ${s:-c}", "npm exec -- run-s b", "run-s b",
		"npx turbo run b", "npx nx run n:b", "lerna run b", "npx lerna run b",
	} {
		diskHarms(t, pkg, runs)
	}
	for what, text := range map[string]string{
		"plain": "x:\n\tH\n", "oneshell": ".ONESHELL:\nx:\n\tcd .\n\tH\n", "static pattern": "x: %: ;\n\tH\n", "pattern": "x: y.o\n%.o:\n\tH\n", "any": "%:\n\tH\n", "static": "O = x\n$(O): %: %.c\n\tH\n",
		"variable of a target": "x: V = H\nx:\n\t$(V)\n", "of a target later": "x:\n\t$(V)\nx: private V := H\n", "foreach": "x:\n\t$(foreach i,1 2,H;)\n", "shell": "x:\n\t$(shell H)\n",
		"shell in a variable": "V := $(shell H)\nx:\n\techo $(V)\n", "shell assignment": "V != H\nx:\n\techo $(V)\n", "default": ".DEFAULT:\n\tH\n", "prefix": ".RECIPEPREFIX = >\nx:\n>H\n",
		"prefix later": "y:\n\tls\n.RECIPEPREFIX := >\nx:\n> @H\n", "define": "define V\nls\nH\nendef\nx:\n\t$(V)\n", "call": "V = H\nx:\n\t$(call V)\n", "call with a value": "R = ls; $(1)\nx:\n\t$(call R,H)\n",
		"if": "x:\n\t$(if y,H)\n", "twice": "V = ls\nV = H\nx:\n\t$(V)\n", "conditional": "ifdef Y\nV = H\nelse\nV = ls\nendif\nx:\n\t$(V)\n", "appended": "V = ls;\nV += H\nx:\n\t$(V)\n",
		"double colon": "x::\n\tH\n", "order only": "x: | y\ny:\n\tH\n", "recursive": "x:\n\t$(MAKE) y\ny:\n\tH\n", "target names": "T = x\n$(T):\n\tH\n",
		"at top": "$(shell H)\nx:\n\tls\n", "info": "$(info $(shell H))\nx:\n\tls\n", "export": "export V = H\nx:\n\t$(V)\n", "computed": "N = V\nV = H\nx:\n\t$($(N))\n", "text": "x:\n\t$(strip H)\n",
	} {
		for _, runs := range []string{"make x", "make -C . x", "make -f Makefile x", "cd . && make -s -j4 x"} {
			if t.Run(what, func(t *testing.T) { diskHarms(t, map[string]string{"Makefile": text}, runs) }); t.Failed() {
				break
			}
		}
	}
	settings := map[string]string{"/home/dev/.gen/settings.json": harmDeny, "/home/dev/.gen/permgate.json": `{"expandScripts":true}`, "/work/project/Makefile": "x:\n\t$(notdir ./git) push origin main\n"}
	if _, v := call(t, Setup{Tool: "Bash", Input: shell("make x"), Mode: "bypassPermissions", Settings: settings}); v.Decision() != hookio.Deny {
		t.Errorf("notdir: %s", v.Decision())
	}
}

// diskHarms puts every harm in the place of the word H of files, and wants at least its own answer of what runs them.
func diskHarms(t *testing.T, files map[string]string, text string) {
	t.Helper()
	for _, harm := range harms {
		bare, _ := harmAnswer(t, harm)
		settings := map[string]string{"/home/dev/.gen/settings.json": harmDeny, "/home/dev/.gen/permgate.json": `{"catastrophic":"deny","expandScripts":true}`}
		for name, content := range files {
			harm := harm
			if strings.HasSuffix(name, "file") {
				harm = strings.ReplaceAll(harm, "$", "$$")
			}
			settings["/work/project/"+name] = placed(content, harm)
		}
		_, v := call(t, Setup{Tool: "Bash", Input: shell(text), Mode: "bypassPermissions", Settings: settings})
		if got := v.Decision(); got != bare && got != hookio.Deny {
			t.Errorf("%s: %s runs %s: %s, want %s", text, files, harm, got, bare)
		}
	}
}
