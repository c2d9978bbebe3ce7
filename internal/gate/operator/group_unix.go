//go:build unix

package operator

import (
	"os/exec"
	"syscall"
)

// A group is a program and all it starts: a process group of its own, which is killed when its time is over.
type group struct{ cmd *exec.Cmd }

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{cmd}
}

func (g *group) kill() error { return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

func (*group) join()  {}
func (*group) close() {}
