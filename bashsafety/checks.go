package bashsafety

import "strings"

// checkFamilies are the checks in the order findings are reported, the worst
// first.
var checkFamilies = [...][]Check{catastrophicChecks, destructiveChecks, gitChecks, suspiciousChecks}

// Checks returns every check, the worst first, those of PowerShell last.
func Checks() []*Check {
	var all []*Check
	for _, family := range append(checkFamilies[:len(checkFamilies):len(checkFamilies)], powershellChecks) {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}

// runChecks fills s.Findings.
func runChecks(s *Script) {
	takeApart(s)
	for _, family := range checkFamilies {
		runFamily(s, family)
	}
}

// takeApart sees to it that every subcommand is looked up once for all checks.
// The walk did it, but for commands that run elsewhere in the working directory
// of the text, which is not theirs.
func takeApart(s *Script) {
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if sub.Structural || len(sub.Argv) == 0 {
			continue
		}
		if sub.call == nil || sub.Remote {
			sub.call = describe(sub.Argv, &cwdState{}, s.env.Home)
		}
		if sub.call.home = s.env.Home; sub.call.cmd == nil {
			sub.call = nil
		}
	}
}

func runFamily(s *Script, family []Check) {
	for i := range family {
		for _, f := range family[i].Find(s) {
			f.Check = &family[i]
			s.Findings = append(s.Findings, f)
		}
	}
}

// matching reports the subcommands of a program of the tables that fit. Only
// argv and effects are looked at: what is quoted is data and never fires.
func matching(s *Script, program string, fits func(*call, *Subcommand) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		if c := s.Subcommands[i].call; c != nil && c.cmd.Names[0] == program && fits(c, &s.Subcommands[i]) {
			all = append(all, Finding{Sub: i, Span: s.Subcommands[i].Span})
		}
	}
	return all
}

// writing reports the subcommands with a known write that fits.
func writing(s *Script, fits func(*Effect) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		for k := range sub.Effects {
			e := &sub.Effects[k]
			if (e.Kind == Write || e.Kind == Delete) && (e.Known || e.Glob) && fits(e) {
				all = append(all, Finding{Sub: i, Span: e.Span})
				break
			}
		}
	}
	return all
}

// blockDevice reports whether a path names a disk or a part of one.
func blockDevice(p string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(p), "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{"sd", "hd", "nvme", "vd", "xvd", "mmcblk", "disk", "rdisk", "mapper/", "loop", "dm-", "md", "zd", "nbd", "ram", "pmem", "sr", "block/"} {
		if strings.HasPrefix(name, prefix) && name != prefix {
			return true
		}
	}
	return false
}

// onDevice reports whether a command writes to a block device: by effect, or by
// an operand of a command that runs elsewhere and has no effects.
func onDevice(c *call, sub *Subcommand) bool {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; (e.Kind == Write || e.Kind == Delete) && blockDevice(e.Path) {
			return true
		}
	}
	for i := range c.d.effects {
		if e := &c.d.effects[i]; (e.Kind == Write || e.Kind == Delete) && blockDevice(e.Path) {
			return true
		}
	}
	return false
}

// targets are the paths a command touches in one of two ways, as far as they
// are known.
func targets(c *call, sub *Subcommand, a, b EffectKind) []Effect {
	var all []Effect
	for _, list := range [...][]Effect{sub.Effects, c.d.effects} {
		for _, e := range list {
			if (e.Kind == a || e.Kind == b) && !e.Redirect && strings.HasPrefix(e.Path, "/") {
				all = append(all, e)
			}
		}
	}
	return all
}

// ruinous reports whether losing everything at or below a path is losing the
// machine or the user's home: the root, what stands directly below it, a home.
func ruinous(e *Effect, home string) bool {
	if !e.Known && !e.Glob {
		return false
	}
	p := e.Path
	if rest, ok := strings.CutPrefix(p, "/proc/"); ok { // /proc/self/root is another name of the root
		if _, inside, ok := strings.Cut(rest, "/root"); ok {
			p = cleanPath("/" + inside)
		}
	}
	dir, last := p[:strings.LastIndexByte(p, '/')], p[strings.LastIndexByte(p, '/')+1:]
	if e.Glob && (strings.HasPrefix(last, "*") || strings.HasPrefix(last, ".*") || strings.HasPrefix(last, "?")) && strings.Trim(last, "*.?[]!^") == "" {
		if dir == "" || systemDir(dir) {
			return true
		}
		p = dir // everything in dir
		if strings.Count(p, "/") == 1 {
			return p == home
		}
	}
	if strings.Count(p, "/") == 1 { // the root itself or directly below it
		return true
	}
	if home != "" && home != "/" && p == cleanPath(home) {
		return true
	}
	dir, last = p[:strings.LastIndexByte(p, '/')], p[strings.LastIndexByte(p, '/')+1:]
	switch dir {
	case "/home", "/Users", "/var/home":
		return true
	case "/mnt", "/cygdrive":
		return len(last) == 1
	}
	return false
}

// systemDir reports the directories whose content is the system.
func systemDir(p string) bool {
	switch p {
	case "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/root", "/sbin", "/srv", "/sys", "/usr", "/var", "/Applications", "/Library", "/System", "/Users", "/private":
		return true
	}
	return false
}

// driveRoot reports whether a word is the root of a Windows drive.
func driveRoot(w *Word) bool {
	t := w.Text
	if len(t) < 2 || t[1] != ':' || (t[0]|0x20) < 'a' || (t[0]|0x20) > 'z' {
		return false
	}
	return strings.Trim(t[2:], `\/*.`) == ""
}
