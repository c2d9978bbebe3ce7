// Package examples reads the examples of the programs that bashsafety/commands knows: one command a
// line, with what the tables say of it. They are tests, fuzz seeds and the source of docs/commands.md.
// Those of hookio/redact have the same form: the shape of a secret, and a text.
package examples

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Example is a command of one program and what the tables say of it.
type Example struct {
	Family  string // the table that has the program, which is the name of the file
	Program string // the program, or the program and its subcommand, by their usual names
	Cmd     string
	// Want is a blank-separated list in any order:
	//
	//	ro            proven to read only
	//	prints-secret a password, a key or a token, see commands.Credential
	//	narrow        a patterned allow rule must not cover it
	//	doubt:ID      a Doubt
	//	load:PATH     a read whose file can hold code that is run
	//	extra:PATH   a write that is not what the program is for
	//	mount:PATH    what a container gets of the machine: its root, a home, a system folder
	//	read:PATH write:PATH delete:PATH exec:PATH source:PATH net:URL priv:USER
	//	gitread:DIR gitchange:DIR unknown:?  effects; paths below /w are shown
	//	              relative, ? is what is not known, /** a whole tree
	//	VIA>COMMAND   a command it runs: sh text in quotes, - for standard input, ...
	//	              where unknown words are appended
	//	VIA>>COMMAND  one that only deny rules and checks see: it runs elsewhere or
	//	              inside the program of another language
	Want string
}

// Read returns the examples of a folder: in each file lines of program, command and what is expected, with
// tabs in between. A command that takes several lines is quoted as in Go. It panics where a file cannot be read.
func Read(dir string) []Example {
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil || len(files) == 0 {
		panic(fmt.Sprintf("%s: no examples: %v", dir, err))
	}
	var all []Example
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		family := strings.TrimSuffix(filepath.Base(file), ".tsv")
		for line := range strings.Lines(string(text)) {
			program, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			cmd, want, _ := strings.Cut(rest, "\t")
			if unquoted, err := strconv.Unquote(cmd); err == nil && strings.Contains(unquoted, "\n") {
				cmd = unquoted
			}
			if !ok || cmd == "" {
				panic(fmt.Sprintf("%s: want program, command and what is expected, tabs in between: %q", file, line))
			}
			all = append(all, Example{family, program, cmd, want})
		}
	}
	return all
}

// Pattern reports what is wrong with a pattern of a commands.Form, nil where a command can fit it. Of a Form
// it may be about one of the places; a Loss has no places. With loose no options are listed, and they are
// among the words.
func Pattern(pattern, places string, loose bool) error {
	if strings.Contains(pattern, "  ") || strings.HasSuffix(pattern, " ") {
		return errors.New("a blank too many")
	}
	isPlace := func(token string) bool {
		name, _, _ := strings.Cut(token, ":")
		return slices.Contains(strings.Fields(places), strings.TrimSuffix(name, "..."))
	}
	last, about := "", 0
	for token := range strings.FieldsSeq(pattern) {
		bare := strings.TrimPrefix(token, "!")
		if bare == "--" && places != "" {
			continue
		}
		option := strings.HasPrefix(bare, "-") && len(bare) > 1
		_, value, _ := strings.Cut(bare, "=")
		value = value[max(strings.IndexFunc(value, unicode.IsUpper), 0):]
		if isPlace(bare) || option && isPlace(value) {
			if about++; about > 1 || bare != token {
				return fmt.Errorf("%s is about more than one thing, or denied", token)
			}
			bare, _, _ = strings.Cut(strings.TrimSuffix(bare, value), ":")
		}
		if places != "" && !option { // of a Form any other word
			token = strings.TrimPrefix(token, "!")
		}
		if err := tokenError(token, bare, loose); err != nil {
			return err
		}
		if strings.IndexByte("!~>=", token[0]) >= 0 || option && !loose {
			continue
		}
		if last == "$" || last == "**" && token == "**" || strings.Contains(last, "...") {
			return fmt.Errorf("%s after %s", token, last)
		}
		if last == "**" && isPlace(bare) && (strings.Contains(bare, "...") || !strings.HasSuffix(pattern, token+" $")) {
			return fmt.Errorf("%s after ** is not the last word", token)
		}
		last = token
	}
	if last == "**" {
		return errors.New("** at the end is nothing")
	}
	return nil
}

func tokenError(token, bare string, loose bool) error {
	if strings.HasPrefix(bare, "~") && len(bare) > 1 {
		return nil
	}
	option := strings.HasPrefix(bare, "-") && len(bare) > 1
	if token[0] == '!' && !option {
		return fmt.Errorf("%s denies no option and no text", token)
	}
	seen := map[string]bool{}
	names, _, _ := strings.Cut(bare, "=")
	if !option {
		names = bare
	}
	for name := range strings.SplitSeq(names, "|") {
		misplaced := strings.HasPrefix(name, "-") != option && !loose
		if strings.Trim(name, "-") == "" || seen[name] || misplaced || strings.ContainsAny(name, "!~") {
			return fmt.Errorf("%q in %s", name, token)
		}
		seen[name] = true
	}
	return nil
}
