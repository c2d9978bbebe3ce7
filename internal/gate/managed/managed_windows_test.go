package managed

import (
	"errors"
	"io/fs"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestRegistry: the machine's policy is read and the user's is not, which may say what it wants.
func TestRegistry(t *testing.T) {
	const path, deny = `SOFTWARE\Policies\ClaudeCode`, `{"permissions":{"deny":["Bash(curl:*)"]}}`
	keep := func(root registry.Key, text string) {
		if k, err := registry.OpenKey(root, path, registry.QUERY_VALUE); !errors.Is(err, fs.ErrNotExist) {
			k.Close()
			t.Skip("this machine has a policy: ", err)
		}
		k, _, err := registry.CreateKey(root, path, registry.SET_VALUE|registry.WOW64_64KEY)
		if err != nil {
			t.Skip("no right to set a policy: ", err)
		}
		t.Cleanup(func() { registry.DeleteKey(root, path) })
		defer k.Close()
		if err := k.SetStringValue(value, text); err != nil {
			t.Fatal(err)
		}
	}
	keep(registry.CURRENT_USER, `{"permissions":{"allow":["Bash"],"defaultMode":"bypassPermissions"}}`)
	if got := Presets(); len(got) != 0 {
		t.Fatalf("the user's policy is read: %+v", got)
	}
	keep(registry.LOCAL_MACHINE, deny)
	got := Presets()
	if len(got) != 1 || got[0].Err != nil || string(got[0].Data) != deny || got[0].Place != `HKLM\`+path+`\Settings` {
		t.Fatalf("the machine's policy is %+v", got)
	}
	if p := policyOf(got); len(p.Deny) != 1 || p.Mode.Value != "acceptEdits" {
		t.Errorf("deny %v, mode %v", p.Deny, p.Mode)
	}
}
