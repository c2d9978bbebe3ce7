package cli

import (
	"fmt"
	"os"

	"permgate/hookio"
	"permgate/rules"
)

// trust shows what would be granted, asks and records.
func (k *ledger) trust(e *env, o *trustOptions, dir string) int {
	var todo []*entry
	faulty := 0
	for _, f := range k.entries {
		switch f.state() {
		case stateFaulty:
			fmt.Fprintf(e.err, "%s: not trusted: %s\n", e.cmd, e.fault(f.Fault))
			faulty++
		case stateUntrusted, stateChanged:
			todo = append(todo, f)
		}
	}
	code := exitOK
	if faulty > 0 {
		code = e.fail("correct it first: as long as it cannot be used it grants nothing", "%s cannot be used", plural(faulty, "file", "files"))
	}
	if len(todo) == 0 {
		if faulty == 0 {
			fmt.Fprintln(e.out, hookio.Escape(k.nothing(e)))
		}
		return code
	}
	k.show(e, todo)
	if o.dryRun {
		return code
	}
	if !o.yes {
		if code := e.confirm("trust this?"); code != exitOK {
			return code
		}
	}
	if failed := k.record(e, todo, dir); failed != exitOK {
		return failed
	}
	for _, f := range todo {
		fmt.Fprintf(e.out, "trusted %s\n", e.path(f.Path))
	}
	if hosts, _ := e.required(); len(hosts) == 0 {
		fmt.Fprintln(e.out, `projectTrust is "off" here, so these files count without it; the record counts once a permgate.json of yours says "require"`)
	}
	return code
}

// nothing says why there is nothing to trust.
func (k *ledger) nothing(e *env) string {
	for _, f := range k.entries {
		if f.state() == stateTrusted {
			return "nothing to do: every file of " + e.path(k.policy.Project.Given) + " that grants something is trusted"
		}
	}
	return "nothing to trust: no file of " + e.path(k.policy.Project.Given) + " grants anything that needs it"
}

// record writes down what was shown, if that is still what the files hold.
func (k *ledger) record(e *env, files []*entry, dir string) int {
	unlock, err := k.lock()
	if err != nil {
		return e.failFile(err)
	}
	defer unlock()
	now := e.ledger(dir)
	for _, f := range files {
		if !now.holds(f) {
			return e.fail("run the command again", "%s changed while it was shown; nothing was recorded", e.path(f.Path))
		}
	}
	for _, f := range files {
		if err := now.put(e, now.find(f.Path), now.all(f), f.Content); err != nil {
			return e.failFile(err)
		}
	}
	return exitOK
}

// all is what was recorded of a file, and all that it grants now: what was
// trusted once stays so, for another branch may still hold it.
func (k *ledger) all(f *entry) []rules.Grant {
	return union(f.Recorded(k.find(f.Path).trust), f.Grants)
}

// revoke forgets every record of the project, of files that are gone as well.
func (k *ledger) revoke(e *env, o *trustOptions) int {
	have := k.recorded()
	if len(have) == 0 {
		fmt.Fprintf(e.out, "nothing to forget: no file of %s was trusted\n", e.path(k.policy.Project.Given))
		return exitOK
	}
	for _, r := range have {
		fmt.Fprintf(e.out, "%s %s\n", map[bool]string{true: "would forget", false: "forget"}[o.dryRun], e.path(k.at.Path(r.Key)))
	}
	if o.dryRun {
		return exitOK
	}
	if !o.yes {
		if code := e.confirm("trust this no more?"); code != exitOK {
			return code
		}
	}
	unlock, err := k.lock()
	if err != nil {
		return e.failFile(err)
	}
	defer unlock()
	for _, r := range have {
		if err := os.Remove(r.Name); err != nil && !os.IsNotExist(err) {
			return e.failFile(err)
		}
	}
	fmt.Fprintf(e.out, "%s of %s trusted no more\n", plural(len(have), "file", "files"), e.path(k.policy.Project.Given))
	return exitOK
}
