package ratelimit

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// Dial makes a client of ratelimit at an address, host:port, or at several separated by commas, which take checks in turn.
// It connects in the background, without TLS unless there is an option WithTLS.
func Dial(addresses string, opts ...Option) (*Client, error) {
	o := newOptions(opts)
	var opened []*grpc.ClientConn
	closeAll := func() error {
		var errs []error
		for _, connection := range opened {
			errs = append(errs, connection.Close())
		}
		return errors.Join(errs...)
	}
	var connections []grpc.ClientConnInterface
	for address := range strings.SplitSeq(addresses, ",") {
		if address = strings.TrimSpace(address); address == "" {
			return nil, errors.Join(fmt.Errorf("ratelimit: no address in %q", addresses), closeAll())
		}
		connection, err := grpc.NewClient(address, dialOptions(o)...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("ratelimit: address %q: %w", address, err), closeAll())
		}
		opened = append(opened, connection)
		connections = append(connections, connection)
	}
	return newClient(newRemote(connections, o), o, closeAll)
}

// New makes a client over a connection that the caller closes.
func New(connection grpc.ClientConnInterface, opts ...Option) (*Client, error) {
	o := newOptions(opts)
	return newClient(newRemote([]grpc.ClientConnInterface{connection}, o), o, func() error { return nil })
}

// A lost connection is opened again within a second, and a dead one is found within 15.
func dialOptions(o options) []grpc.DialOption {
	transport := insecure.NewCredentials()
	if o.tls != nil {
		transport = credentials.NewTLS(o.tls)
	}
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithNoProxy(),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: time.Second,
		}),
	}, o.dial...)
}

// TLSFiles reads a configuration for WithTLS from PEM files: the certificate authority of ratelimit, and this process's
// certificate and key for mutual TLS, or "" for both. `name` is a name of ratelimit's certificate; "" is the host of the
// address.
func TLSFiles(ca, cert, key, name string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS13, ServerName: name, RootCAs: x509.NewCertPool()}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ratelimit: no certificate in %s", ca)
	}
	if cert == "" && key == "" {
		return config, nil
	}
	own, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("ratelimit: certificate %s with key %s: %w", cert, key, err)
	}
	config.Certificates = []tls.Certificate{own}
	return config, nil
}
