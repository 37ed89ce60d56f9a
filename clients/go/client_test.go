package ratelimit

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit/internal/fake"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Long enough for an answer on a busy machine.
const long = 20 * time.Second

func dial(t *testing.T, address string, opts ...Option) *Client {
	t.Helper()
	client, err := Dial(address, append([]Option{WithTimeout(long)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 s: %s", what)
		}
	}
}

func report(account int) Set {
	return Set{{Bucket: "report", Identities: []string{"account:" + strconv.Itoa(account)}}}
}

var accounts atomic.Int64

// newReport is a charge of an account that no other one charges: this process admits it too.
func newReport() Set { return report(1_000_000 + int(accounts.Add(1))) }

func mustAdmit(t *testing.T, client *Client, sets ...Set) {
	t.Helper()
	if denial, err := client.Check(t.Context(), sets...); denial != nil || err != nil {
		t.Errorf("denial %v, error %v", denial, err)
	}
}

func TestGoroutinesShareAStreamAndEachGetsItsOwnAnswer(t *testing.T) {
	server := fake.Start(t)
	server.Answer(func(request *ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse {
		cost := request.GetSets()[0].GetCharges()[0].GetCost()
		return &ratelimitv1.CheckResponse{Degraded: true, Denial: &ratelimitv1.Denial{Bucket: "report", Limit: cost}}
	})
	client := dial(t, server.Address())
	var all sync.WaitGroup
	for caller := range uint32(64) {
		all.Go(func() {
			for n := range uint32(50) {
				cost := caller*50 + n + 1
				denial, err := client.Check(t.Context(), Set{{Bucket: "report", Identities: []string{"account:1"}, Cost: cost}})
				if err != nil || denial == nil || denial.Limit != cost {
					t.Errorf("cost %d: denial %+v, error %v", cost, denial, err)
				}
			}
		})
	}
	all.Wait()
	if streams := server.Streams(); streams != 1 {
		t.Errorf("%d streams", streams)
	}
	if local := client.Stats().Local; local != 0 {
		t.Errorf("%d local decisions", local)
	}
}

func TestTheEndOfAContextCancelsItsCheck(t *testing.T) {
	server := fake.Start(t)
	server.Answer(fake.Silent)
	client := dial(t, server.Address())
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(server.Read()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := client.Check(ctx, report(1)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	eventually(t, "the server reads a cancellation of the check", func() bool {
		read := server.Read()
		return len(read) == 2 && read[1].GetCancel() && read[1].GetTag() == read[0].GetTag()
	})
	server.Answer(fake.Admit)
	mustAdmit(t, client, report(2))
	if stats := client.Stats(); stats.Local != 0 || stats.BreakerOpen {
		t.Errorf("it counts as a failure: %+v", stats)
	}
}

func TestAnErrorOfTheServerReachesTheCaller(t *testing.T) {
	server := fake.Start(t)
	server.Answer(func(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse {
		invalid, err := status.New(codes.InvalidArgument, "no such bucket").
			WithDetails(&errdetails.ErrorInfo{Reason: "UNKNOWN_BUCKET"})
		if err != nil {
			t.Error(err)
		}
		return &ratelimitv1.CheckResponse{Error: invalid.Proto()}
	})
	client := dial(t, server.Address())
	_, err := client.Check(t.Context(), report(1))
	if status.Code(err) != codes.InvalidArgument || Reason(err) != "UNKNOWN_BUCKET" {
		t.Errorf("error %v, reason %q", err, Reason(err))
	}
	server.Answer(fake.Admit)
	mustAdmit(t, client, report(1))
	if server.Streams() != 1 {
		t.Error("the stream did not go on")
	}
}

func TestALostStreamIsOpenedAgain(t *testing.T) {
	server := fake.Start(t)
	client := dial(t, server.Address())
	mustAdmit(t, client, report(1))
	server.Answer(fake.Silent)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() { mustAdmit(t, client, report(n)) }) // decided here
	}
	eventually(t, "the server reads all checks", func() bool { return len(server.Read()) == 21 })
	server.Stop()
	all.Wait()
	if stats := client.Stats(); stats.Local != 20 || stats.BreakerOpen {
		t.Errorf("a lost stream is one failure: %+v", stats)
	}
	server.Answer(fake.Admit)
	server.Restart(t)
	eventually(t, "checks reach the server again", func() bool {
		before := len(server.Read())
		mustAdmit(t, client, newReport())
		return len(server.Read()) > before
	})
	if server.Streams() < 2 {
		t.Error("there is no second stream")
	}
}

func TestASilentServerOpensTheBreakerAndAProbeClosesIt(t *testing.T) {
	server := fake.Start(t)
	server.Answer(fake.Silent)
	server.List(false)
	client := dial(t, server.Address(), WithTimeout(20*time.Millisecond))
	for n := range 5 {
		mustAdmit(t, client, report(n))
	}
	if !client.Stats().BreakerOpen {
		t.Fatal("the breaker is closed")
	}
	read := len(server.Read())
	for n := range 100 {
		mustAdmit(t, client, report(100+n))
	}
	if len(server.Read()) != read {
		t.Error("checks reach the server while the breaker is open")
	}
	if _, err := client.Peek(t.Context(), report(1)...); status.Code(err) != codes.Unavailable {
		t.Errorf("Peek: error %v", err)
	}
	server.Answer(fake.Admit)
	server.List(true)
	eventually(t, "the breaker is closed", func() bool { return !client.Stats().BreakerOpen })
	eventually(t, "checks reach the server again", func() bool {
		mustAdmit(t, client, newReport())
		return len(server.Read()) > read
	})
}

func TestAtMost1024ChecksAreOpenOnAStream(t *testing.T) {
	server := fake.Start(t)
	gate := make(chan struct{})
	var open, most atomic.Int64
	server.Answer(func(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse {
		most.Store(max(most.Load(), open.Add(1)))
		defer open.Add(-1)
		<-gate
		return &ratelimitv1.CheckResponse{}
	})
	client := dial(t, server.Address())
	var all sync.WaitGroup
	for n := range 2_000 {
		all.Go(func() { mustAdmit(t, client, report(n)) })
	}
	eventually(t, "1,024 checks are open and the others are made", func() bool {
		return len(server.Read()) == 1024 && client.Stats().Checks == 2_000
	})
	close(gate)
	all.Wait()
	if most.Load() > 1024 || len(server.Read()) != 2_000 || client.Stats().Local != 0 {
		t.Errorf("%d were open, %d read, %+v", most.Load(), len(server.Read()), client.Stats())
	}
}

func TestSeveralAddressesTakeTurnsAndASilentOneIsLeftOut(t *testing.T) {
	first, second := fake.Start(t), fake.Start(t)
	client := dial(t, first.Address()+", "+second.Address(), WithTimeout(200*time.Millisecond))
	for n := range 20 {
		mustAdmit(t, client, report(n))
	}
	if len(first.Read()) == 0 || len(second.Read()) == 0 {
		t.Fatalf("%d and %d checks", len(first.Read()), len(second.Read()))
	}
	first.Answer(fake.Silent)
	eventually(t, "a check after which another one does not wait for the silent server", func() bool {
		before := client.Stats().Local
		for range 10 {
			mustAdmit(t, client, newReport())
		}
		return client.Stats().Local == before
	})
}

func TestChecksGoToTheOtherAddressIfOneRefusesConnections(t *testing.T) {
	first, second := fake.Start(t), fake.Start(t)
	first.Stop()
	client := dial(t, first.Address()+","+second.Address())
	for range 200 {
		mustAdmit(t, client, newReport())
	}
	if stats := client.Stats(); stats.Local != 0 || len(second.Read()) != 200 {
		t.Errorf("%d of 200 checks are decided here, and %d there", stats.Local, len(second.Read()))
	}
}

func TestAServerThatStopsGetsNoFurtherChecksAndLosesNone(t *testing.T) {
	first, second := fake.Start(t), fake.Start(t)
	client := dial(t, first.Address()+","+second.Address())
	drained := make(chan struct{})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 20 {
				mustAdmit(t, client, newReport())
			}
			<-drained
			for range 20 {
				mustAdmit(t, client, newReport())
			}
		})
	}
	eventually(t, "the first server reads checks", func() bool { return len(first.Read()) > 10 })
	first.Drain() // ends only if the client ends its stream
	close(drained)
	all.Wait()
	if local := client.Stats().Local; local != 0 {
		t.Errorf("%d checks are decided here", local)
	}
}

func TestCloseEndsAllGoroutinesAndFailsOpenChecks(t *testing.T) {
	server := fake.Start(t)
	before := runtime.NumGoroutine()
	for range 3 {
		client := dial(t, server.Address())
		mustAdmit(t, client, report(1))
		server.Answer(fake.Silent)
		read := len(server.Read())
		failed := make(chan error)
		go func() {
			_, err := client.Check(context.Background(), report(2))
			failed <- err
		}()
		eventually(t, "the server reads the check", func() bool { return len(server.Read()) > read })
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Errorf("error %v", err)
		}
		if _, err := client.Check(context.Background(), report(3)); !errors.Is(err, ErrClosed) {
			t.Errorf("error %v", err)
		}
		server.Answer(fake.Admit)
	}
	// The server's goroutines for its connections end too.
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

func TestRulesOfTheServerReplaceTheBuiltInOnes(t *testing.T) {
	server := fake.Start(t)
	server.Serve(&ratelimitv1.Bucket{
		Name: "exports", Limit: 1, WindowSeconds: 60, Key: []string{"account"}, Policy: ratelimitv1.FailurePolicy_FAILURE_POLICY_CLOSED,
	})
	client := dial(t, server.Address())
	eventually(t, "the rules are read", func() bool { return client.rules.Load().Rule("exports") != nil })
	server.Stop()
	denial, err := client.Check(t.Context(), Set{{Bucket: "exports", Identities: []string{"account:1"}}})
	if err != nil || denial == nil || denial.RetryAfter != time.Second {
		t.Errorf("denial %v, error %v", denial, err)
	}
}

func TestAnEmptyAddressIsRefused(t *testing.T) {
	for _, addresses := range []string{"", "127.0.0.1:1, "} {
		if client, err := Dial(addresses); err == nil {
			t.Errorf("%q makes a client", addresses)
			client.Close()
		}
	}
}
