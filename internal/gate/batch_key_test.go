package gate

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
)

// TestBatchKey: nothing that the settings are loaded for is left out of what tells two
// calls apart, whichever field of a call it comes from.
func TestBatchKey(t *testing.T) {
	w := World{Getenv: func(string) string { return "" }, Cwd: "/w", PasswdHome: "/home/dev"}
	where := func(call *hookio.Call) map[string]any {
		out := map[string]any{}
		v := reflect.ValueOf(LoadOptions(call, &Flags{}, w))
		for i := range v.NumField() {
			if v.Field(i).Kind() != reflect.Func {
				out[v.Type().Field(i).Name] = v.Field(i).Interface()
			}
		}
		return out
	}
	moved := 0
	for _, host := range hookio.Hosts() {
		for _, based := range []hookio.Call{{Host: host}, {Host: host, Named: true}, {Host: host, AgentID: "a", AgentType: "b"},
			{Host: host, Event: hookio.PreSkillShellCommand}} {
			for i := range reflect.TypeOf(based).NumField() {
				call := based
				field := reflect.ValueOf(&call).Elem().Field(i)
				switch field.Kind() {
				case reflect.String:
					field.SetString(field.String() + "/x")
				case reflect.Bool:
					field.SetBool(!field.Bool())
				default:
					continue
				}
				if reflect.DeepEqual(where(&call), where(&based)) {
					continue
				}
				if moved++; keyOf(&call) == keyOf(&based) {
					t.Errorf("%s: %s of a call is not in the key", host.Name, reflect.TypeOf(based).Field(i).Name)
				}
			}
		}
	}
	if moved < 5*len(hookio.Hosts()) {
		t.Errorf("only %d changes make a difference", moved)
	}
}

// TestBatchRoom: however many folders and sessions the calls are from, what is kept
// has a bound.
func TestBatchRoom(t *testing.T) {
	w := World{
		Getenv: func(string) string { return "" }, Cwd: "/nowhere", PasswdHome: "/nowhere/home", Files: disk.Disk{},
		Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
	}
	const room = 512 << 10
	b, most := NewBatch(&Flags{}, w, room), 0
	for i := range 3000 {
		call := &hookio.Call{Host: hookio.Lookup("claude"), Tool: "Read", Cwd: fmt.Sprint("/nowhere/", i)}
		if i%2 == 0 {
			call.Cwd, call.SessionID = "/nowhere", fmt.Sprint("s", i)
		}
		b.Case(call)
		kept := 0
		for _, p := range b.policies {
			kept += policySize + len(p.sessions)*policySize/2
		}
		if most = max(most, kept); kept > room/2 || b.taken > room/2 {
			t.Fatalf("%d bytes are kept, %d by its own count, after %d calls", kept, b.taken, i+1)
		}
	}
	if most < room/4 {
		t.Errorf("at most %d bytes were kept", most)
	}
}
