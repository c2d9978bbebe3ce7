package bashsafety

import "strings"

// shellMore finds the program of a shell: -c text, a script, standard input.
// Options are read as bash reads them: +x as well as -x, -o and -O with a
// value of their own, and the text of -c behind all options.
func shellMore(c *call) {
	name := programName(c.argv)
	s := shellArgs{c: c, i: 1}
	for s.i < len(c.argv) && s.option() {
	}
	if s.doubt {
		c.doubt("unknown-program-text", "an unknown word could be -c; write the options out", &c.argv[0])
		return
	}
	switch rest := c.argv[s.i:]; {
	case s.info:
		c.d.readOnly = true
	case s.text != nil:
		c.runs(inner{kind: innerText, via: name + " -c", text: *s.text})
	case s.command && len(rest) > 0:
		c.runs(inner{kind: innerText, via: name + " -c", text: rest[0]})
	case s.command:
	case s.stdin || len(rest) == 0 || standardInput(&rest[0]):
		c.runs(inner{kind: innerStdin, via: name})
	case rest[0].Pipe:
		c.doubt("unknown-program-text", "the script is what another command prints; write it out", &rest[0])
	case s.noexec:
		c.touch(Read, &rest[0], false)
		c.d.readOnly = true
	default:
		c.execute(&rest[0])
	}
}

type shellArgs struct {
	c *call
	i int

	command, stdin, noexec, info, doubt bool
	text                                *Word // fish --command=TEXT
}

// option reads one option; false when the options are over.
func (s *shellArgs) option() bool {
	argv, w := s.c.argv, &s.c.argv[s.i]
	lit := literalPrefix(w)
	switch {
	case !w.Known && lit == "":
		// alone and in one piece it can only be a script
		s.doubt = !w.Single
		if w.Single && s.i+1 < len(argv) && !s.command {
			s.c.narrow("an unknown word could be -c")
		}
		return false
	case !w.Known && strings.HasPrefix(lit, "-"):
		s.doubt = true
		return false
	case lit == "--" || lit == "-":
		s.i++
		return false
	case len(lit) < 2 || lit[0] != '-' && lit[0] != '+':
		return false
	case strings.HasPrefix(lit, "--"):
		s.long(lit[2:])
		return true
	}
	s.i++
	if letters(lit, '-', "kH") || letters(lit, '+', "B") {
		s.rereads(lit, w)
	}
	for _, f := range lit[1:] {
		switch {
		case f == 'c' && lit[0] == '-':
			s.command = true
		case f == 's' && lit[0] == '-':
			s.stdin = true
		case f == 'n' && lit[0] == '-':
			s.noexec = true
		case f == 'o' || f == 'O':
			if s.i < len(argv) && !strings.HasPrefix(literalPrefix(&argv[s.i]), "-") {
				if value := &argv[s.i]; !value.Known || rereads(value.Text) && value.Text != "extglob" { // its patterns are always doubts
					s.rereads(value.Text, value)
				}
				s.i++
			}
		case f == 'C' && programName(argv) == "fish":
			s.c.narrow("-C runs a command")
			s.i = min(s.i+1, len(argv))
		}
	}
	return true
}

// rereads doubts an option under which the text is read in another way.
func (s *shellArgs) rereads(option string, at *Word) {
	s.c.doubt("shell-option", strings.ReplaceAll(option, HoleMark, "?")+" may change how the text is read; leave it as it is", at)
}

// long reads a long option.
func (s *shellArgs) long(name string) {
	at := s.i
	s.i++
	name, _, attached := strings.Cut(name, "=")
	value := func() *Word {
		if attached {
			v := suffix(&s.c.argv[at], len(name)+3)
			return &v
		}
		if s.i < len(s.c.argv) {
			s.i++
			return &s.c.argv[s.i-1]
		}
		return &Word{}
	}
	switch name {
	case "rcfile", "init-file":
		s.c.touch(Read, value(), false)
		s.c.narrow("--" + name + " runs a file")
	case "init-command":
		value()
		s.c.narrow("--" + name + " runs a command")
	case "command":
		s.text = value()
	case "version", "help", "dump-strings", "dump-po-strings":
		s.info = true
	}
}
