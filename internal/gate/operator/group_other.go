//go:build !unix

package operator

import "os/exec"

// ownGroup: Windows has no group to kill. What the program started may outlive it, without a wait.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
