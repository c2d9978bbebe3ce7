package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

const nonBlock = 0

// busy reports whether a file could not be opened only because another one is put in its place at this moment.
func busy(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// A described file is what the system says of one. Who may do what to it is in its access control list, which takes
// two more questions: it is looked at where somebody wants to know. The mode bits say nothing of others.
type described struct {
	fs.FileInfo
	name   string
	how    uint32 // flags for opening it
	once   sync.Once
	access access
}

// access is what a handle of a file tells. Where none is to be had, it is another's, and others write to it.
type access struct {
	owner  int
	others bool
	links  uint64
}

// foreign is an owner who is neither root nor any user that runs permgate.
const foreign = 1

// Lstat describes a file without following a symlink.
func (Disk) Lstat(path string) (fs.FileInfo, error) {
	if name := native(path); substituted(name) != "" {
		return substDrive{name: name}, nil
	}
	info, err := os.Lstat(native(path))
	return describe(info, err, path, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT)
}

// A substDrive is a drive that subst made a name of a folder: a link, though Windows tells no program so.
type substDrive struct {
	fs.FileInfo
	name string
}

func (d substDrive) Name() string      { return d.name }
func (d substDrive) Mode() fs.FileMode { return fs.ModeSymlink }
func (d substDrive) IsDir() bool       { return false }

// substituted returns the folder that a drive stands for, "" for any other path.
func substituted(name string) string {
	if len(name) != len(`C:\`) || filepath.VolumeName(name) == "" {
		return ""
	}
	var text [1 << 10]uint16
	drive, err := windows.UTF16PtrFromString(name[:2])
	if err != nil {
		return ""
	}
	if _, err := windows.QueryDosDevice(drive, &text[0], uint32(len(text))); err != nil {
		return ""
	}
	target, ok := strings.CutPrefix(windows.UTF16ToString(text[:]), `\??\`)
	if !ok {
		return ""
	}
	return `\\?\` + target // UNC\ too is spelled so after it
}

// Stat describes a file.
func (Disk) Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(native(path))
	return describe(info, err, path, windows.FILE_FLAG_BACKUP_SEMANTICS)
}

func describe(info fs.FileInfo, err error, path string, how uint32) (fs.FileInfo, error) {
	if err != nil {
		return nil, err
	}
	return &described{FileInfo: info, name: native(path), how: how}, nil
}

// Mode is without the bits of group and others, which Go makes up here.
func (d *described) Mode() fs.FileMode { return d.FileInfo.Mode() &^ 0o077 }

// of is what is known of a file that this package described.
func of(info fs.FileInfo) (a access, ok bool) {
	d, ok := info.(*described)
	if !ok {
		return access{owner: foreign, others: true}, false
	}
	d.once.Do(func() { d.access = look(d.name, d.how) })
	return d.access, true
}

func look(name string, how uint32) access {
	a := access{owner: foreign, others: true}
	wide, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return a
	}
	h, err := windows.CreateFile(wide, windows.READ_CONTROL|windows.FILE_READ_ATTRIBUTES,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING, how, 0)
	if err != nil {
		return a
	}
	defer windows.CloseHandle(h)
	var by windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(h, &by) == nil {
		a.links = uint64(by.NumberOfLinks)
	}
	sd, err := windows.GetSecurityInfo(h, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return a
	}
	if owner, _, err := sd.Owner(); err == nil && owner != nil {
		a.owner = userOf(owner)
	}
	mask := windows.ACCESS_MASK(writes)
	if len(name) == len(filepath.VolumeName(name))+1 { // there everybody may make folders, and replaces nothing
		mask &^= windows.FILE_APPEND_DATA
	}
	if acl, _, err := sd.DACL(); err == nil && acl != nil { // none at all lets everybody do everything
		a.others = othersWrite(acl, mask)
	}
	return a
}

// writes are the rights with which a file or folder is changed, replaced or given away.
const writes = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | fileDeleteChild | windows.DELETE |
	windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_WRITE | windows.GENERIC_ALL

const fileDeleteChild = 0x40 // winnt.h

// othersWrite reports whether a list grants such a right to anybody but the user and the system. What it denies is not
// looked at, and an entry of a kind that is not known counts as one that grants.
func othersWrite(acl *windows.ACL, writes windows.ACCESS_MASK) bool {
	for i := range uint32(acl.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if windows.GetAce(acl, i, &ace) != nil {
			return true
		}
		switch {
		case ace.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0, ace.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE:
		case ace.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE:
			return true
		case ace.Mask&writes != 0 && userOf((*windows.SID)(unsafe.Pointer(&ace.SidStart))) == foreign:
			return true
		}
	}
	return false
}

// trustedInstaller owns what Windows itself installs.
const trustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"

// userOf is the number of a user: that of this process, 0 for the system and its administrators, or foreign.
func userOf(sid *windows.SID) int {
	if u, err := windows.GetCurrentProcessToken().GetTokenUser(); err == nil && sid.Equals(u.User.Sid) ||
		sid.IsWellKnown(windows.WinCreatorOwnerRightsSid) {
		return UID()
	}
	if sid.IsWellKnown(windows.WinLocalSystemSid) || sid.IsWellKnown(windows.WinBuiltinAdministratorsSid) ||
		sid.String() == trustedInstaller {
		return 0
	}
	return foreign
}

// UID is the number of permgate's own user: 0, as root's, where it runs with an administrator's rights, whose files
// belong to all administrators.
func UID() int {
	if windows.GetCurrentProcessToken().IsElevated() {
		return 0
	}
	return os.Getuid()
}

// Owner returns the number of a file's owner, see UID.
func (Disk) Owner(info fs.FileInfo) (int, bool) {
	a, ok := of(info)
	return a.owner, ok
}

// OthersWrite reports whether anybody but the user and the system may change a file.
func (Disk) OthersWrite(info fs.FileInfo) bool {
	a, _ := of(info)
	return a.others
}

// Links returns how many names a file has.
func (Disk) Links(info fs.FileInfo) (uint64, bool) {
	a, _ := of(info)
	return a.links, a.links > 0
}

// Device is the same for all: what is mounted in a folder is no directory to Lstat here.
func (Disk) Device(fs.FileInfo) (uint64, bool) { return 0, true }
