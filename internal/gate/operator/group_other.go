//go:build !unix

package operator

import "os/exec"

// ownGroup: Windows knows no group that could be killed at once. What the program
// started may outlive it, but is not waited for.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
