// Command floor links the four packages every hook call needs and uses each once: what permgate cannot
// go below without giving one of them up.
package main

import (
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"
)

func main() {
	flags := pflag.NewFlagSet("floor", pflag.ContinueOnError)
	host := flags.String("host", "", "")
	event := flags.String("event", "", "")
	if err := flags.Parse(os.Args[1:]); err != nil {
		os.Exit(1)
	}
	command := gjson.Get(`{"tool_input":{"command":"cd web && npm test -- --watch=false 2>&1 | tail -n 40"}}`, "tool_input.command").Str
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		os.Exit(1)
	}
	ok, err := doublestar.Match("src/**/*.go", "src/a/b/c.go")
	if err != nil || !ok || len(file.Stmts) == 0 || *host+*event == "" {
		os.Exit(1)
	}
}
