package main

import (
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() { register.Function2x2(rowOf) }

// A row says how many calls have something in common. Without Calls it is the key by
// which they are counted.
type row struct {
	Count  string `json:"count"`
	Name   string `json:"name,omitempty"`
	Place  string `json:"place,omitempty"`
	List   string `json:"list,omitempty"`
	Answer string `json:"answer,omitempty"`
	Calls  int    `json:"calls,omitempty"`
}

func (r row) key() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it holds texts alone
	}
	return string(text)
}

func rowOf(key string, calls int) (string, error) {
	var r row
	if err := json.Unmarshal([]byte(key), &r); err != nil {
		return "", err
	}
	r.Calls = calls
	return r.key(), nil
}
