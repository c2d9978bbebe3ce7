package disk

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// TestAccess: a file is the user's own until somebody else may write to it, and one that is not described is nobody's.
func TestAccess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, name, "")
	facts := func() (uid int, others bool) {
		info, err := Disk{}.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		uid, _ = Disk{}.Owner(info)
		return uid, Disk{}.OthersWrite(info)
	}
	if uid, others := facts(); uid != UID() || others {
		t.Errorf("a new file: owner %d, others write %v", uid, others)
	}
	everyone, err := windows.CreateWellKnownSid(windows.WinWorldSid)
	if err != nil {
		t.Fatal(err)
	}
	for mask, want := range map[windows.ACCESS_MASK]bool{windows.GENERIC_READ: false, windows.GENERIC_WRITE | windows.GENERIC_READ: true} {
		acl, err := windows.ACLFromEntries([]windows.EXPLICIT_ACCESS{{
			AccessPermissions: mask, AccessMode: windows.GRANT_ACCESS,
			Trustee: windows.TRUSTEE{TrusteeForm: windows.TRUSTEE_IS_SID, TrusteeValue: windows.TrusteeValueFromSID(everyone)},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		const what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
		if err := windows.SetNamedSecurityInfo(name, windows.SE_FILE_OBJECT, what, nil, nil, acl, nil); err != nil {
			t.Fatal(err)
		}
		if _, others := facts(); others != want {
			t.Errorf("everybody has %x: others write %v", mask, others)
		}
	}
	if !(Disk{}).OthersWrite(nil) {
		t.Error("what is not known counts as nobody else's")
	}
}
