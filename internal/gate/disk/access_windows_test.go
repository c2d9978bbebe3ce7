package disk

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// TestSubst: a drive that is a name of a folder leads there.
func TestSubst(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "")
	drive := ""
	for _, d := range []string{"K:", "L:", "M:", "N:"} {
		if _, err := os.Lstat(d + `\`); err != nil {
			drive = d
		}
	}
	name, err := windows.UTF16PtrFromString(drive)
	if err != nil {
		t.Fatal(err)
	}
	target, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		t.Fatal(err)
	}
	define := windows.NewLazySystemDLL("kernel32.dll").NewProc("DefineDosDeviceW")
	if ok, _, err := define.Call(0, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(target))); ok == 0 {
		t.Skip("subst: ", err)
	}
	t.Cleanup(func() { define.Call(2, uintptr(unsafe.Pointer(name)), 0) }) // DDD_REMOVE_DEFINITION
	want := rules.Windows.Canon(filepath.Join(dir, "f"))
	if got := rules.Windows.Canon(load.Resolve(Disk{}, rules.Windows.Canon(drive+`\f`))); got != want {
		t.Errorf("%s leads to %s, want %s", drive, got, want)
	}
}

// TestAccess: a file is the user's own until somebody else may write to it, and one that is not described is no one's.
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
	for list, want := range map[string]bool{
		"(A;;FR;;;WD)":                         false, // everybody reads
		"(A;;FRFW;;;WD)":                       true,
		"(A;;FA;;;SY)(A;;FA;;;BA)(A;;FX;;;BU)": false, // as below Program Files
		"(A;;FA;;;SY)(A;;0x1301bf;;;AU)":       true,  // as below a drive: all users modify
		"(A;OICIIO;FA;;;AU)(A;;FR;;;BU)":       false, // what others get further down
		"(D;;FW;;;WD)":                         false,
		"(A;;DC;;;BU)":                         true, // a folder whose entries others delete
		"(A;;WD;;;BU)":                         true, // a file whose rights others change
		"(A;;GA;;;BG)":                         true, // guests
		"(A;;FA;;;OW)":                         false,
		"(A;;FA;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)": false, // Windows itself
		"(A;;FA;;;S-1-5-21-1-2-3-1001)":                                            true,  // another user
		"":                                                                         false,
	} {
		sd, err := windows.SecurityDescriptorFromString("D:P" + list + "(A;;FR;;;WD)")
		if err != nil {
			t.Fatal(list, err)
		}
		acl, _, err := sd.DACL()
		if err != nil {
			t.Fatal(list, err)
		}
		if got := othersWrite(acl, writes); got != want {
			t.Errorf("%s: others write %v", list, got)
		}
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
