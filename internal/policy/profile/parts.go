package profile

import (
	_ "embed" // of the ecosystems
	"io/fs"
	"slices"
	"strings"
)

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
