// Command floor is noop with the four packages that every hook call needs linked, and each used once: what
// permgate cannot go below without giving one of them up.
package main

import (
	"io"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"
)

func main() {
	flags := pflag.NewFlagSet("floor", pflag.ContinueOnError)
	for _, name := range [...]string{"host", "event", "home"} {
		flags.String(name, "", "")
	}
	if err := flags.Parse(os.Args[2:]); err != nil {
		os.Exit(1)
	}
	call, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	command := gjson.GetBytes(call, "tool_input.command").Str
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		os.Exit(1)
	}
	ok, err := doublestar.Match("src/**/*.go", "src/a/b/c.go")
	if err != nil || !ok || len(file.Stmts) == 0 {
		os.Exit(1)
	}
	os.Stdout.WriteString("{}\n")
}
