package hookio

import "github.com/tidwall/gjson"

// Again is the call that Read would make of c, which holds what a payload says
// besides the tool's input (Host, Event, RawEvent, Tool, RawTool, Cwd, RawMode
// and so on), and an input, which may be what a log kept of one. Cwd and Dir are
// where the call leads; an input that names a folder to go into does not move them.
func (c Call) Again(input string) *Call {
	cwd, dir := c.Cwd, c.Dir
	if c.RawTool == "" {
		c.RawTool = c.Tool
	}
	c.Mode = lookup(c.Host.Modes, c.RawMode)
	c.Input = gjson.Parse(input)
	readInput(&c)
	c.Cwd = cwd
	if dir != "" {
		c.Dir = dir
	}
	return &c
}
