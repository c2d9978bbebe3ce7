package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// policies are what the calls are decided under. They travel to the workers, with the
// text of the settings: no worker needs the files.
type policies struct {
	Now, Was *load.StandIn // nil: the settings of the machine; nothing to compare with
	Host     string        // whose calls they are, where they do not say
	Home     string        // where ~ is; "" for that of the worker
}

// packed reads the files that were named, "" for none, and returns policies as JSON.
func packed(now, was, host, home string) (string, error) {
	p := &policies{Host: host, Home: home}
	var err error
	if p.Now, err = standIn(now); err != nil {
		return "", err
	}
	if p.Was, err = standIn(was); err != nil {
		return "", err
	}
	if _, err = gate.NamedHost(host); err != nil {
		return "", err
	}
	text, err := json.Marshal(p)
	return string(text), err
}

// standIn reads a settings file that is to stand in for that of every project.
func standIn(name string) (*load.StandIn, error) {
	if name == "" {
		return nil, nil
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if len(data) > load.MaxSettings {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, load.MaxSettings)
	}
	return &load.StandIn{Scope: rules.Shared, Place: name, Data: data, Gate: filepath.Base(name) == "permgate.json"}, err
}

// room is what a worker may keep of settings and files, in bytes.
const room = 12 << 20

// unpacked is a replay under the policies of packed.
func unpacked(text string) (*replay.Job, error) {
	var p policies
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return nil, err
	}
	h, err := gate.NamedHost(p.Host)
	if err != nil {
		return nil, err
	}
	j := &replay.Job{Flags: &gate.Flags{Home: p.Home}, World: gate.System(), Room: room}
	j.Bind = func(c *hookio.Call) { gate.Bind(c, h) }
	if p.Was != nil {
		w := j.World
		j.Against = &w
		w.StandIns = &load.StandIns{Files: []load.StandIn{*p.Was}}
	}
	if p.Now != nil {
		j.World.StandIns = &load.StandIns{Files: []load.StandIn{*p.Now}}
	}
	return j, nil
}
