package stream

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit/internal/fake"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

func open(t *testing.T, server *fake.Server, timeout, maxAge time.Duration) *link {
	t.Helper()
	connection, err := grpc.NewClient(server.Address(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	link := newLink(connection, timeout)
	link.maxAge = maxAge
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { link.run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
		connection.Close()
	})
	return link
}

func (l *link) checkNow(ctx context.Context, sets []*ratelimitv1.ChargeSet) error {
	return l.check(ctx, sets, time.After(l.timeout)).err
}

func setOf(identity string) []*ratelimitv1.ChargeSet {
	return []*ratelimitv1.ChargeSet{{Charges: []*ratelimitv1.Charge{{Bucket: "report", Identities: []string{identity}}}}}
}

func TestAnOldStreamIsReplacedAndItsChecksAreAnswered(t *testing.T) {
	server := fake.Start(t)
	server.Answer(func(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse {
		time.Sleep(time.Millisecond)
		return &ratelimitv1.CheckResponse{}
	})
	opened := open(t, server, 20*time.Second, 5*time.Millisecond)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				if err := opened.checkNow(t.Context(), setOf("account:1")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if server.Streams() < 3 {
		t.Errorf("%d streams", server.Streams())
	}
}

func TestACheckThatCannotBeSentDoesNotEndTheStream(t *testing.T) {
	server := fake.Start(t)
	opened := open(t, server, 20*time.Second, maxAge)
	pool := &Pool{links: []*link{opened}, timeout: 20 * time.Second}
	for _, identity := range []string{"\xff", strings.Repeat("a", 300<<10)} {
		if _, err := pool.Check(t.Context(), setOf(identity)); status.Code(err) != codes.InvalidArgument {
			t.Errorf("error %v", err)
		}
		if _, err := pool.Check(t.Context(), setOf("account:1")); err != nil {
			t.Error(err)
		}
	}
	if server.Streams() != 1 {
		t.Errorf("%d streams", server.Streams())
	}
}

// A server that refuses the stream, such as one of an earlier version, is no outage.
func TestARefusedStreamIsAnError(t *testing.T) {
	server := fake.Start(t)
	server.Refuse(codes.PermissionDenied)
	opened := open(t, server, 20*time.Second, maxAge)
	for range 3 {
		if err := opened.checkNow(t.Context(), setOf("account:1")); status.Code(err) != codes.PermissionDenied {
			t.Errorf("error %v", err)
		}
	}
	if server.Streams() > 3 {
		t.Errorf("%d streams", server.Streams())
	}
}

func TestAResponseOnALostStreamIsNoSecondOutcome(t *testing.T) {
	opened := open(t, fake.Start(t), 20*time.Second, maxAge)
	s := newSession(nil, func() {})
	c := newCall(setOf("account:1"))
	tag := s.register(c).Tag
	opened.mu.Lock()
	defer opened.mu.Unlock()
	opened.lose(s, &Outage{codes.Unavailable, "it is lost"})
	s.deliver(&ratelimitv1.CheckResponse{Tag: tag}) // would block
	if first := <-c.outcome; first.err == nil || len(c.outcome) != 0 {
		t.Errorf("outcome %v", first)
	}
}
