package gitindex

import (
	"bytes"
	stdsha1 "crypto/sha1"
	"encoding/hex"
	"testing"
)

func TestBlob(t *testing.T) {
	for content, want := range map[string]string{ // what git hash-object says
		"":        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
		"hello\n": "ce013625030ba8dba906f756967f9e9ca394464a",
	} {
		if got := Blob([]byte(content)); hex.EncodeToString(got[:]) != want {
			t.Errorf("%q: %x, want %s", content, got, want)
		}
	}
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n)}, n)
		if sha1(data) != stdsha1.Sum(data) {
			t.Errorf("%d bytes: another sum than crypto/sha1's", n)
		}
	}
}
