package profile

import (
	_ "embed" // of the ecosystems
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A member is a package, module or folder of a project, and what is run there.
type member struct {
	name  string
	tasks []string
}

// pairs are "TASK MEMBER" of all members, first tasks first: where there are too many, each member has some.
func pairs(members []member) []string {
	var out []string
	for i := range mostNames {
		for _, m := range members {
			if i < len(m.tasks) && plain(m.name) {
				out = append(out, m.tasks[i]+" "+m.name)
			}
		}
	}
	return out[:min(len(out), mostNames)]
}

// plain reports whether a rule may name a package or a folder: it has no wildcard, blank, option or way out.
func plain(name string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(name, "@"), "/") {
		if part == "" || strings.Trim(part, letters+".") != "" || part[0] == '.' || part[0] == '-' {
			return false
		}
	}
	return len(name) <= 60
}

// below are the members in the folders that hold a file of a name, without the root.
func below(files []string, read func(dir string) member, names ...string) (out []member) {
	var seen []string
	for _, file := range files {
		if dir := path.Dir(file); dir != "." && slices.Contains(names, path.Base(file)) && !slices.Contains(seen, dir) {
			seen, out = append(seen, dir), append(out, read(dir))
		}
	}
	return out
}

// folderScripts are the scripts of the packages below the root, by folder.
func folderScripts(root fs.FS, files []string) []string {
	return pairs(below(files, func(dir string) member {
		return member{dir, packageScripts(root, []string{dir + "/package.json"})}
	}, "package.json"))
}

// packages are the packages below the root and their scripts, by name.
func packages(root fs.FS, files []string) []member {
	return below(files, func(dir string) member {
		file := dir + "/package.json"
		return member{gjson.GetBytes(read(root, file), "name").Str, packageScripts(root, []string{file})}
	}, "package.json")
}

// packagePairs are the scripts of the packages of a workspace.
func packagePairs(root fs.FS, files []string) []string { return pairs(packages(root, files)) }

// workspacePairs is packagePairs where package.json says that there is a workspace.
func workspacePairs(root fs.FS, files []string) []string {
	if !gjson.GetBytes(read(root, "package.json"), "workspaces").Exists() {
		return nil
	}
	return packagePairs(root, files)
}

// turboTasks are all scripts, and those of each package.
func turboTasks(root fs.FS, files []string) []string {
	return slices.Concat(packageScripts(root, files), packagePairs(root, files))
}

// pnpmTurboTasks is turboTasks where pnpm starts turbo.
func pnpmTurboTasks(root fs.FS, files []string) []string {
	if !slices.Contains(files, "pnpm-lock.yaml") {
		return nil
	}
	return packageScripts(root, files)
}

// nxTargets are the targets of the projects that nx knows.
func nxTargets(root fs.FS, files []string) []string {
	projects := below(files, func(dir string) member {
		doc := gjson.ParseBytes(read(root, dir+"/project.json"))
		m := member{name: doc.Get("name").Str}
		doc.Get("targets").ForEach(func(key, _ gjson.Result) bool {
			if usual(key.Str) {
				m.tasks = append(m.tasks, key.Str)
			}
			return len(m.tasks) < mostNames
		})
		return m
	}, "project.json")
	return pairs(append(packages(root, files), projects...))
}

// packageTools are usual programs among all dependencies. npx and bunx may fetch them: the package has the same name.
func packageTools(root fs.FS, files []string) []string {
	return slices.DeleteFunc([]string{"vitest", "jest", "mocha", "eslint", "prettier"}, func(name string) bool {
		return !depends(root, files, name)
	})
}

// installedTools are packageTools for programs that fetch none, and the TypeScript compiler.
func installedTools(root fs.FS, files []string) []string {
	out := packageTools(root, files)
	if depends(root, files, "typescript") {
		out = append(out, "tsc")
	}
	return out
}

// depends reports whether some package.json names a package.
func depends(root fs.FS, files []string, name string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		if path.Base(file) != "package.json" {
			return false
		}
		doc := gjson.ParseBytes(read(root, file))
		return doc.Get("devDependencies."+name).Exists() || doc.Get("dependencies."+name).Exists()
	})
}

// pythonTools are the usual checkers and formatters that the project's files name.
func pythonTools(root fs.FS, files []string) []string {
	return named(root, files, "black", "isort", "flake8", "pyright")
}

func coverage(root fs.FS, files []string) []string {
	return named(root, files, "coverage", "pytest-cov")
}

// named are the words that some file of requirements says.
func named(root fs.FS, files []string, words ...string) []string {
	var out []string
	for _, file := range files {
		base := path.Base(file)
		requires, _ := path.Match("requirements*.txt", base)
		if !requires && base != "pyproject.toml" && base != "setup.cfg" {
			continue
		}
		said := strings.FieldsFunc(string(read(root, file)), func(r rune) bool { return !strings.ContainsRune(letters, r) })
		for _, word := range words {
			if slices.Contains(said, word) && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// environments are the virtual environments in the root.
func environments(root fs.FS, _ []string) []string {
	var out []string
	for _, name := range [...]string{".venv", "venv"} {
		if read(root, name+"/pyvenv.cfg") != nil {
			out = append(out, name)
		}
	}
	return out
}

// modules are what is run in the Go modules below the root.
func modules(_ fs.FS, files []string) []string {
	return pairs(below(files, func(dir string) member { return member{dir, []string{"test", "build", "vet"}} }, "go.mod"))
}

// folderTargets are the usual targets of the makefiles below the root.
func folderTargets(root fs.FS, files []string) []string {
	return pairs(below(files, func(dir string) member {
		sub, err := fs.Sub(root, dir)
		if err != nil {
			return member{}
		}
		return member{dir, makeTargets(sub, nil)}
	}, "GNUmakefile", "makefile", "Makefile"))
}

//go:embed parts.txt
var partsText string

// A part is what an ecosystem adds: the lines of parts.txt below its name, by what is before the tab.
type part struct {
	Name string // for people
	Text map[string]string
}

// parts are the ecosystems of parts.txt.
func parts() (all []part) {
	for line := range strings.Lines(partsText) {
		line = strings.TrimSuffix(line, "\n")
		key, text, own := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		switch {
		case line == "" || line[0] == '#':
		case own:
			all[len(all)-1].Text[key] = text
		default:
			all = append(all, part{line, map[string]string{}})
		}
	}
	return all
}

// A finder finds the names that a part puts into its texts.
type finder struct {
	name string
	find func(root fs.FS, files []string) []string
}

var finders = [...]finder{
	{"coverage", coverage}, {"environments", environments}, {"folderScripts", folderScripts}, {"folderTargets", folderTargets},
	{"installedTools", installedTools}, {"makeTargets", makeTargets}, {"modules", modules}, {"nxTargets", nxTargets},
	{"packagePairs", packagePairs}, {"packageScripts", packageScripts}, {"packageTools", packageTools},
	{"pnpmTurboTasks", pnpmTurboTasks}, {"pythonTools", pythonTools}, {"turboTasks", turboTasks}, {"workspacePairs", workspacePairs},
}

// names are those that the part finds in a project.
func (p *part) names(root fs.FS, files []string) []string {
	for i := range finders {
		if finders[i].name == p.Text["each"] {
			return finders[i].find(root, files)
		}
	}
	return nil
}

// lists are the rules and tests that a part has for a profile, or for "both".
func (p *part) lists(profile string) Lists {
	rules := func(list string) []string { return spelled(p.Text[profile+" "+list], "", "Bash(", ")") }
	tests := func(decision, list string) []string { return spelled(p.Text[profile+" "+list], decision, "Bash ", "") }
	return Lists{rules("allow"), rules("ask"), rules("deny"),
		slices.Concat(tests("deny ", "denied"), tests("allow ", "allowed"), tests("ask ", "asked"))}
}
