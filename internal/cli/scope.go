package cli

import (
	"fmt"
	"path/filepath"

	"permgate/hookio"
	"permgate/rules"
)

// settingsFile is the file of a scope in the root in use: that of the host when
// one is named, else the first that is there, else .claude.
func (e *env) settingsFile(p *rules.Policy, h *hookio.Host, scope string) (string, error) {
	switch scope {
	case rules.Local.String():
		return filepath.Join(p.Project.Given, rootInUse(h, p.Project.Given), "settings.local.json"), nil
	case rules.Shared.String():
		return filepath.Join(p.Project.Given, rootInUse(h, p.Project.Given), "settings.json"), nil
	case rules.User.String():
		folders, err := e.postureFolders(hookio.ForUser)
		if err != nil {
			return "", err
		}
		use := rootInUse(h, p.Home.Given)
		for i, root := range rules.Roots {
			if root == use {
				return filepath.Join(folders[i], "settings.json"), nil
			}
		}
	}
	return "", fmt.Errorf("unknown scope %q; scopes are local, shared, user", hookio.Escape(scope))
}

// rootInUse is the settings folder that is used in dir.
func rootInUse(h *hookio.Host, dir string) string {
	if h != nil && len(h.Roots) > 0 {
		return h.Roots[0]
	}
	for _, root := range rules.Roots {
		if exists(filepath.Join(dir, root)) {
			return root
		}
	}
	return rules.Roots[len(rules.Roots)-1]
}
