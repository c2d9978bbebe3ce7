package hookio

import "strings"

// addUnder adds a pattern of files below the primary path.
func (c *Call) addUnder(p string) {
	c.checkPattern(p)
	c.Under = append(c.Under, p)
}

// addPattern adds a path that may be a pattern. What alternatives in braces and
// parentheses stand for is not worked out: any path below is taken for them.
func (c *Call) addPattern(p string, a Access) {
	c.addPath(p, a)
	p = strings.ReplaceAll(p, `\`, "/")
	c.checkPattern(p)
	if i := strings.IndexAny(p, "{("); i >= 0 {
		p = p[:strings.LastIndexByte(p[:i], '/')+1] + "**"
	}
	if strings.ContainsAny(p, "*?[!") {
		c.Args = append(c.Args, Arg{Path: p, Access: a, Pattern: true})
	}
}

// checkPattern notes a pattern that leads elsewhere after its first wildcard:
// up again by .., or to one of several places. Only what comes before it is
// known to be searched.
func (c *Call) checkPattern(p string) {
	i := strings.IndexAny(p, "*?[{(")
	if i < 0 {
		return
	}
	for _, out := range [...]string{"/..", "../", "{..", ",..", "(..", "|..", "{/", ",/", "(/", "|/", "{~", ",~"} {
		if strings.Contains(p[i:], out) {
			c.fault("the pattern " + quote(p) + " may lead out of its folder")
		}
	}
}
