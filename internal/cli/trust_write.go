package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/trust"
)

// trust shows what would be granted, asks and records.
func (k *grantDiff) trust(e *env, o *trustOptions, dir string) int {
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
		code = e.fail("fix it first: until then it grants nothing", "%s has an error", plural(faulty, "file", "files"))
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
	if code := o.confirmed(e, "trust this?"); code != exitOK {
		return code
	}
	if failed := k.record(e, todo, dir); failed != exitOK {
		return failed
	}
	for _, f := range todo {
		fmt.Fprintf(e.out, "trusted %s\n", e.path(f.Path))
	}
	if hosts, _ := e.required(); len(hosts) == 0 {
		fmt.Fprintln(e.out, `projectTrust is "off" here, so these files count anyway; the record matters once your permgate.json says "require"`)
	}
	return code
}

// nothing says why there is nothing to trust.
func (k *grantDiff) nothing(e *env) string {
	for _, f := range k.entries {
		if f.state() == stateTrusted {
			return "nothing to do: every file in " + e.path(k.policy.Project.Given) + " that grants something is trusted"
		}
	}
	return "nothing to trust: no file in " + e.path(k.policy.Project.Given) + " grants anything that needs trust"
}

// record writes down what was shown, if that is still what the files hold.
func (k *grantDiff) record(e *env, files []*entry, dir string) int {
	unlock, err := k.lock()
	if err != nil {
		return e.failFile(err)
	}
	defer unlock()
	now := e.grantDiff(dir)
	for _, f := range files {
		if !now.holds(f) {
			return e.fail("run the command again", "%s changed meanwhile; nothing was recorded", e.path(f.Path))
		}
	}
	for _, f := range files {
		if err := now.put(e, now.find(f.Path), now.all(f), f.Content); err != nil {
			return e.failFile(err)
		}
	}
	return exitOK
}

// revoke forgets every record of the project, of files that are gone as well.
func (k *grantDiff) revoke(e *env, o *trustOptions) int {
	for _, f := range k.entries {
		if errors.Is(f.err, trust.ErrNewer) {
			return e.failFile(f.err)
		}
	}
	have := k.recorded()
	if len(have) == 0 {
		fmt.Fprintf(e.out, "nothing to forget: no file in %s was trusted\n", e.path(k.policy.Project.Given))
		return exitOK
	}
	for _, r := range have {
		fmt.Fprintf(e.out, "%s %s\n", map[bool]string{true: "would forget", false: "forget"}[o.dryRun],
			e.path(k.at.Path(r.Key)))
	}
	if o.dryRun {
		return exitOK
	}
	if code := o.confirmed(e, "stop trusting this?"); code != exitOK {
		return code
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
	fmt.Fprintf(e.out, "%s in %s no longer trusted\n", plural(len(have), "file", "files"), e.path(k.policy.Project.Given))
	return exitOK
}
