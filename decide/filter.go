package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// maxFilters bounds what the braces of one filter stand for.
const maxFilters = 32

// filterUnits are the names that a search of contents asks for below dir: a rule
// counts where the filter spells what it names.
func (c *Case) filterUnits(dir string, fields []rules.Field) {
	for _, filter := range c.Call.Filter {
		for _, pattern := range alternatives(filterList(filter)) {
			if pattern = c.Policy.OS.Slashes(pattern); pattern == "" || pattern[0] == '!' {
				continue
			}
			glob := dir + "/**/" + pattern
			if strings.Contains(pattern, "/") {
				glob = dir + "/" + strings.TrimPrefix(pattern, "/")
			}
			p := rules.Path{Given: glob, Real: glob}
			c.units = append(c.units, unit{
				subject: rules.Subject{Tool: c.Call.Tool, Path: &p, Glob: glob, Dots: true, Named: true, Fields: fields},
				text:    pattern,
			})
		}
	}
}

// filterList cuts a filter at blanks and at commas outside braces.
func filterList(filter string) []string {
	depth := 0
	return strings.FieldsFunc(filter, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ' ' || r == ',' && depth <= 0
	})
}

// alternatives writes out the braces of patterns, innermost first.
func alternatives(list []string) []string {
	for i := 0; i < len(list) && len(list) < maxFilters; i++ {
		end := strings.IndexByte(list[i], '}')
		start := strings.LastIndexByte(list[i][:max(end, 0)], '{')
		if start < 0 {
			continue
		}
		head, tail := list[i][:start], list[i][end+1:]
		var made []string
		for part := range strings.SplitSeq(list[i][start+1:end], ",") {
			made = append(made, head+part+tail)
		}
		list = append(append(list[:i:i], made...), list[i+1:]...)
		i--
	}
	return list
}
