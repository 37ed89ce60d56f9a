package ratelimit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// realClient is a client of the ratelimit at RATELIMIT_ADDRESS, which has the buckets of the tests below. Over mutual TLS
// if RATELIMIT_TLS_DIR has the certificates.
func realClient(t *testing.T) *Client {
	t.Helper()
	address := os.Getenv("RATELIMIT_ADDRESS")
	if address == "" {
		t.Skip("SKIPPED: needs a ratelimit at RATELIMIT_ADDRESS (npm run test:outer -- test-e2e/clients/ratelimit)")
	}
	var opts []Option
	if folder := os.Getenv("RATELIMIT_TLS_DIR"); folder != "" {
		in := func(name string) string { return filepath.Join(folder, name) }
		config, err := TLSFiles(in("ca.pem"), in("platform.pem"), in("platform-key.pem"), "ratelimit.gatehouse.internal")
		if err != nil {
			t.Fatal(err)
		}
		opts = append(opts, WithTLS(config))
	}
	client := dial(t, address, opts...)
	eventually(t, "its rules are read", func() bool { return client.rules.Load().Revision != "" })
	return client
}

func account(t *testing.T) []string { return []string{"account:" + t.Name()} }

func TestRealExactlyTheLimitIsAdmitted(t *testing.T) {
	client := realClient(t)
	var admitted atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 20 {
				denial, err := client.Check(t.Context(), Set{{Bucket: "test:thousand", Identities: account(t)}})
				if err != nil {
					t.Error(err)
				}
				if denial == nil {
					admitted.Add(1)
				}
			}
		})
	}
	all.Wait()
	if stats := client.Stats(); admitted.Load() != 1_000 || stats.Local != 0 || stats.Degraded != 0 {
		t.Errorf("%d of 1,280 checks are admitted: %+v", admitted.Load(), stats)
	}
	states, err := client.Peek(t.Context(), Charge{Bucket: "test:thousand", Identities: account(t)})
	if err != nil || len(states) != 1 || states[0].Limit != 1_000 || states[0].Remaining != 0 {
		t.Errorf("states %+v, error %v", states, err)
	}
}

func TestRealARefundAdmitsAgain(t *testing.T) {
	client := realClient(t)
	whole := Charge{Bucket: "test:thousand", Identities: account(t), Cost: 1_000}
	mustAdmit(t, client, Set{whole})
	if denial, err := client.Check(t.Context(), Set{whole}); denial == nil || err != nil {
		t.Fatalf("denial %v, error %v", denial, err)
	}
	if err := client.Refund(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	mustAdmit(t, client, Set{whole})
}

func TestRealErrorsHaveReasons(t *testing.T) {
	client := realClient(t)
	for reason, charge := range map[string]Charge{
		"UNKNOWN_BUCKET":   {Bucket: "no:such", Identities: account(t)},
		"WRONG_IDENTITIES": {Bucket: "test:thousand"},
		"BAD_COST":         {Bucket: "test:thousand", Identities: account(t), Cost: 1_001},
		"BAD_LEASE_ID":     {Bucket: "test:exports", Identities: account(t)},
	} {
		_, err := client.Check(t.Context(), Set{charge})
		if status.Code(err) != codes.InvalidArgument || Reason(err) != reason {
			t.Errorf("%s: error %v with reason %q", reason, err, Reason(err))
		}
	}
}

func TestRealLeasesHoldPermits(t *testing.T) {
	client := realClient(t)
	export := Charge{Bucket: "test:exports", Identities: account(t)} // 5 at once, for 3 s
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var held []*Lease
	for range 5 {
		lease, err := client.Acquire(ctx, export)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, lease)
	}
	var denial *Denial
	if _, err := client.Acquire(ctx, export); !errors.As(err, &denial) || denial.Limit != 5 {
		t.Fatalf("error %v", err)
	}
	if err := held[0].Release(); err != nil {
		t.Fatal(err)
	}
	again, err := client.Acquire(ctx, export)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, lease := range append(held[1:], again) {
		<-lease.Done()
	}
	states, err := client.Peek(t.Context(), export)
	if err != nil || states[0].Remaining != 5 {
		t.Errorf("states %+v, error %v", states, err)
	}
}
