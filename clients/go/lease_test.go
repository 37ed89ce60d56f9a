package ratelimit

import (
	"context"
	"errors"
	"testing"
	"time"

	"gatehouse.dev/ratelimit/internal/fake"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// exports is a concurrency limit whose leases last so many seconds.
func exports(t *testing.T, seconds uint32) (*fake.Server, *Client) {
	t.Helper()
	kind := ratelimitv1.LimitKind_LIMIT_KIND_CONCURRENCY
	server := fake.Start(t)
	server.Serve(&ratelimitv1.Bucket{Name: "exports", Limit: 5, WindowSeconds: seconds, Key: []string{"account"}, Kind: &kind})
	client := dial(t, server.Address())
	eventually(t, "the rules are read", func() bool { return client.rules.Load().Rule("exports") != nil })
	return server, client
}

var export = Charge{Bucket: "exports", Identities: []string{"account:1"}, Cost: 2}

func deny(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse {
	return &ratelimitv1.CheckResponse{Denial: &ratelimitv1.Denial{Bucket: "exports", Limit: 5, RetryAfterUs: 7, EmptyAfterUs: 7}}
}

func TestALeaseIsRenewedUntilItIsReleased(t *testing.T) {
	server, client := exports(t, 3)
	lease, err := client.Acquire(t.Context(), export)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "two renewals", func() bool { return len(server.Read()) >= 3 })
	for _, request := range server.Read() {
		if charge := request.GetSets()[0].GetCharges()[0]; charge.GetLeaseId() != lease.ID() || charge.GetCost() != 2 {
			t.Errorf("charge %v", charge)
		}
	}
	if err := lease.Release(); err != nil {
		t.Fatal(err)
	}
	refunds := server.Refunds()
	if len(refunds) != 1 || refunds[0].GetLeaseId() != lease.ID() || lease.Err() != nil {
		t.Errorf("refunds %v, error %v", refunds, lease.Err())
	}
	if err := lease.Release(); err != nil || len(server.Refunds()) != 1 {
		t.Errorf("a second release: error %v, refunds %v", err, server.Refunds())
	}
}

func TestALeaseIsReleasedWhenItsContextEnds(t *testing.T) {
	server, client := exports(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	lease, err := client.Acquire(ctx, export)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-lease.Done()
	if len(server.Refunds()) != 1 {
		t.Errorf("refunds %v", server.Refunds())
	}
}

func TestADeniedLeaseIsTheDenial(t *testing.T) {
	server, client := exports(t, 3)
	server.Answer(deny)
	for range 2 { // such a denial is not remembered
		_, err := client.Acquire(t.Context(), export)
		var denial *Denial
		if !errors.As(err, &denial) || denial.Bucket != "exports" {
			t.Fatalf("error %v", err)
		}
	}
	if len(server.Read()) != 2 || len(server.Refunds()) != 0 {
		t.Errorf("%d checks, refunds %v", len(server.Read()), server.Refunds())
	}
}

func TestALeaseThatIsNotRenewedInTimeIsLost(t *testing.T) {
	server, client := exports(t, 1)
	lease, err := client.Acquire(t.Context(), export)
	if err != nil {
		t.Fatal(err)
	}
	server.Answer(deny)
	<-lease.Done()
	if !errors.Is(lease.Err(), ErrLeaseLost) {
		t.Errorf("error %v", lease.Err())
	}
}

func TestACancelledAcquireReleasesWhatItMayHaveGot(t *testing.T) {
	server, client := exports(t, 3)
	server.Answer(fake.Silent)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(server.Read()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := client.Acquire(ctx, export); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	eventually(t, "the refund", func() bool { return len(server.Refunds()) == 1 })
}

func TestCloseEndsLeases(t *testing.T) {
	_, client := exports(t, 3)
	lease, err := client.Acquire(context.Background(), export)
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	if <-lease.Done(); !errors.Is(lease.Err(), ErrClosed) {
		t.Errorf("error %v", lease.Err())
	}
	if _, err := client.Acquire(context.Background(), export); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
}

func TestALeaseOfALimitThatIsNotKnownYetHasTheShortestWindow(t *testing.T) {
	server := fake.Start(t)
	server.List(false)
	client := dial(t, server.Address())
	lease, err := client.Acquire(t.Context(), export)
	if err != nil {
		t.Fatal(err)
	}
	if lease.window() != time.Second {
		t.Errorf("window %v", lease.window())
	}
	kind := ratelimitv1.LimitKind_LIMIT_KIND_CONCURRENCY
	server.Serve(&ratelimitv1.Bucket{Name: "exports", Limit: 5, WindowSeconds: 3, Key: []string{"account"}, Kind: &kind})
	server.List(true)
	client.tryRefresh(t.Context())
	if lease.window() != 3*time.Second {
		t.Errorf("window %v", lease.window())
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}
