package hosttest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"
)

// standIn puts the fake model in the place of a server of the host's maker, behind the proxy that the session is given,
// and returns the environment for it: some of a host is only there without a gateway. No other server is reached.
func (s *Session) standIn(t *testing.T, server string) []string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{server}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, own, own, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	authority := filepath.Join(s.Home, "authority.pem")
	writeFile(t, authority, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	maker := httptest.NewUnstartedServer(http.HandlerFunc(s.maker))
	maker.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	maker.StartTLS()
	t.Cleanup(maker.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != server+":443" {
			http.Error(w, "no such server", http.StatusForbidden)
			return
		}
		there, err := net.Dial("tcp", maker.Listener.Addr().String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	}))
	t.Cleanup(proxy.Close)
	return []string{"HTTPS_PROXY=" + proxy.URL, "https_proxy=" + proxy.URL, "NODE_EXTRA_CA_CERTS=" + authority,
		"ANTHROPIC_BASE_URL=https://" + server}
}

// maker answers as the server of the maker: an organization without settings and limits, and the fake model.
func (s *Session) maker(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/claude_code/policy_limits":
		writeJSON(w, map[string]any{"restrictions": map[string]any{}})
	case "/api/claude_code/settings":
		writeJSON(w, map[string]any{"uuid": "00000000-0000-4000-8000-000000000001", "checksum": "0", "settings": map[string]any{}})
	default:
		s.API.serve(w, r)
	}
}
