package operator

import (
	"os/exec"

	"golang.org/x/sys/windows"
)

// A group is a program and all it starts: a job, which it joins as soon as it runs.
type group struct {
	cmd *exec.Cmd
	job windows.Handle // 0 for none: the program is ended alone
}

func newGroup(cmd *exec.Cmd) *group {
	job, _ := windows.CreateJobObject(nil, nil)
	return &group{cmd, job}
}

func (g *group) join() {
	g.cmd.Process.WithHandle(func(program uintptr) { windows.AssignProcessToJobObject(g.job, windows.Handle(program)) })
}

func (g *group) kill() error {
	windows.TerminateJobObject(g.job, 1)
	return g.cmd.Process.Kill()
}

func (g *group) close() { windows.CloseHandle(g.job) }
