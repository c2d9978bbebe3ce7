package operator

import "github.com/permgate--owner/permgate/rules"

// A Key is a key of a policy that names a program.
type Key struct {
	Name string
	rules.Setting
	Program Program
	Err     error // why the value names none
}

// Keys are those that a policy sets. environ is where bare names are looked up.
func Keys(p *rules.Policy, environ func() []string) (list []Key) {
	for _, k := range [...]Key{{Name: "classifier", Setting: p.Posture.Classifier}, {Name: "approver", Setting: p.Posture.Approver}} {
		if k.Value == "" {
			continue
		}
		if k.Program, k.Err = Of(&k.Setting, 0, p); environ != nil {
			k.Program.Environ = environ()
		}
		list = append(list, k)
	}
	return list
}

// Find returns the file that would be run, or why none would.
func (k *Key) Find() (string, error) {
	if k.Err != nil {
		return "", k.Err
	}
	return k.Program.Find()
}
