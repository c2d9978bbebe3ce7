package subcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/rules"
)

// Misnamed says which value of an option means nothing: with it something else would be decided than what was asked
// for. The hook goes on with the strictest meaning instead.
func (e *Env) Misnamed(options *pflag.FlagSet) error {
	value := func(name string) string {
		if f := options.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	if err := namesMode("permission-mode", value("permission-mode")); err != nil || value("last") != "" {
		return err // a call of the log may be of a folder that is gone
	}
	return e.NamesFolder("cwd", value("cwd"))
}

func namesMode(option, mode string) error {
	if mode == "" || rules.ModeAlias(mode) != "" || rules.Strictness(mode) >= 0 {
		return nil
	}
	if meant := Nearest(mode, rules.ModeNames()); meant != "" {
		return fmt.Errorf("--%s %s: no such mode; did you mean %s?", option, QuoteArg(mode), meant)
	}
	return fmt.Errorf("--%s %s: no such mode; modes are %s", option, QuoteArg(mode), strings.Join(rules.ModeNames(), ", "))
}

// NamesFolder reports what is wrong with an option that names a folder.
func (e *Env) NamesFolder(option, name string) error {
	if name == "" {
		return nil
	}
	info, err := e.World.Files.Stat(e.World.OS.Canon(e.Abs(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--%s %s: no such folder", option, QuoteArg(name))
	case err == nil && !info.IsDir():
		return fmt.Errorf("--%s %s: not a folder", option, QuoteArg(name))
	case err != nil:
		return fmt.Errorf("--%s %s: %w", option, QuoteArg(name), err)
	}
	return nil
}

// Nearest returns the name that a misspelt one probably means, "" for none.
func Nearest(word string, names []string) string {
	best, meant := min(3, len(word)/2+1), "" // of a short word not much may differ
	for _, name := range names {
		if d := rules.Distance(word, name); d < best {
			best, meant = d, name
		}
	}
	return meant
}
