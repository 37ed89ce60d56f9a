package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/protobuf/proto"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

const (
	// The server reads no further requests while so many checks are open.
	maxOpen = 1024
	// The wait before a lost stream is opened again doubles with each attempt.
	firstDelay, maxDelay = 10 * time.Millisecond, time.Second
	// A stream belongs to one replica and one certificate, so it is replaced at this age.
	maxAge = 5 * time.Minute
	// Timeouts so close to each other count as one failure.
	moment = time.Millisecond
)

// connection is what a *grpc.ClientConn says about itself.
type connection interface {
	GetState() connectivity.State
	WaitForStateChange(ctx context.Context, from connectivity.State) bool
}

// link keeps a stream to one connection open while there are checks. Its goroutine writes; each stream has another one that
// reads.
type link struct {
	client ratelimitv1.RatelimitServiceClient
	// connection is nil if the caller's own does not tell its state.
	connection connection
	timeout    time.Duration
	maxAge     time.Duration
	// slots bounds the checks that wait or are open.
	slots chan struct{}
	// wake has an entry when there is something to write.
	wake chan struct{}

	mu      sync.Mutex
	closed  bool
	waiting []*call
	session *session
	lastErr error
	delay   time.Duration
	retryAt time.Time
	// The last timeout, and when it was.
	timedOut   *Outage
	timedOutAt time.Time
}

func newLink(over grpc.ClientConnInterface, timeout time.Duration) *link {
	connection, _ := over.(connection)
	return &link{
		client: ratelimitv1.NewRatelimitServiceClient(over), connection: connection, timeout: timeout, maxAge: maxAge, slots: make(chan struct{}, maxOpen), wake: make(chan struct{}, 1),
	}
}

func (l *link) isUsable(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !now.Before(l.retryAt)
}

func (l *link) reconnect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay, l.retryAt = 0, time.Time{}
}

// check makes a check until `late` has a value.
func (l *link) check(ctx context.Context, sets []*ratelimitv1.ChargeSet, late <-chan time.Time) outcome {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-late:
		return outcome{err: l.timeOut(nil)}
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
	c := newCall(sets)
	if err := l.enqueue(c); err != nil {
		return outcome{err: err, unsent: true}
	}
	select {
	case result := <-c.outcome:
		return result
	case <-late:
		return outcome{err: l.timeOut(c)}
	case <-ctx.Done():
		l.abandon(c)
		return outcome{err: ctx.Err()}
	}
}

func (l *link) enqueue(c *call) error {
	c.request.TimeoutMs = proto.Uint32(uint32(l.timeout.Milliseconds()))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if time.Now().Before(l.retryAt) {
		if !IsOutage(l.lastErr) {
			return l.lastErr
		}
		return &Outage{codes.Unavailable, l.lastErr.Error()}
	}
	l.waiting = append(l.waiting, c)
	l.notify()
	return nil
}

// notify wakes the writer.
func (l *link) notify() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// abandon cancels a check that its caller no longer waits for.
func (l *link) abandon(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.drop(c)
	if s == nil || s != l.session {
		return
	}
	s.cancelled = append(s.cancelled, c.request.GetTag())
	if len(s.cancelled) > maxOpen {
		l.lose(s, &Outage{codes.Unavailable, "it does not read its requests"})
	}
	l.notify()
}

// timeOut drops a check without an answer. The server drops it by its own clock.
func (l *link) timeOut(c *call) error {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timedOut == nil || now.Sub(l.timedOutAt) > moment {
		l.timedOut, l.timedOutAt = &Outage{codes.DeadlineExceeded, "no answer within " + l.timeout.String()}, now
	}
	if s := l.drop(c); s != nil {
		s.timeouts++
		if s.timeouts >= maxTimeouts && now.Sub(s.answeredAt) >= l.timeout {
			l.lose(s, l.timedOut)
		}
	}
	return l.timedOut
}

// drop forgets a check, and returns the stream on which it was open. Nil if it was not sent.
func (l *link) drop(c *call) *session {
	if at := slices.Index(l.waiting, c); at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
	}
	if c == nil || c.session == nil || !c.session.forget(c) {
		return nil
	}
	return c.session
}

// lose ends a stream. Its open checks fail; those that wait may take the next one.
func (l *link) lose(s *session, err error) {
	if s.ended {
		return
	}
	s.ended = true
	s.cancel()
	close(s.gone)
	if l.closed {
		err = ErrClosed
	}
	for _, c := range s.open {
		c.fail(err)
	}
	clear(s.open) // a response that was read meanwhile would be a second outcome, for which nobody waits
	if l.session != s {
		return // it was retired
	}
	l.session = nil
	if s.answered && s.timeouts == 0 {
		l.delay = 0
	} else {
		l.backOff(err)
	}
}

// retire leaves a stream to its open checks. The server answers them, and ends it.
func (l *link) retire(s *session) {
	if s.ended || l.session != s {
		return
	}
	l.session = nil
	time.AfterFunc(2*l.timeout, s.cancel)
	l.notify()
}

func (l *link) backOff(err error) {
	l.lastErr = err
	l.delay = min(max(firstDelay, 2*l.delay), maxDelay)
	l.retryAt = time.Now().Add(l.delay)
	for _, c := range l.waiting {
		c.failUnsent(err)
	}
	l.waiting = nil
}

// run writes until the context ends.
func (l *link) run(ctx context.Context) {
	var readers sync.WaitGroup
	defer readers.Wait()
	for {
		select {
		case <-ctx.Done():
			l.close()
			return
		case <-l.wake:
		}
		if !l.hasWork() {
			continue
		}
		if s := l.open(ctx); s != nil {
			readers.Go(func() { l.read(s) })
			readers.Go(func() { l.watch(s) })
			l.write(ctx, s)
		}
	}
}

func (l *link) hasWork() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) > 0
}

// open opens a stream. Nil if that fails.
func (l *link) open(ctx context.Context) *session {
	ctx, cancel := context.WithCancel(ctx)
	stream, err := l.client.CheckStream(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		cancel()
		l.backOff(lost(err))
		return nil
	}
	l.session = newSession(stream, cancel)
	return l.session
}

func (l *link) read(s *session) {
	for {
		response, err := s.stream.Recv()
		l.mu.Lock()
		if err != nil {
			l.lose(s, lost(err))
			l.mu.Unlock()
			return
		}
		s.deliver(response)
		l.mu.Unlock()
	}
}

// watch retires a stream when its server ends the connection (GOAWAY): a server that stops reads no further checks.
func (l *link) watch(s *session) {
	if l.connection == nil {
		return
	}
	for wasReady := false; ; {
		state := l.connection.GetState()
		if wasReady && state != connectivity.Ready {
			break
		}
		wasReady = state == connectivity.Ready // gRPC may open a stream before it says so
		if !l.connection.WaitForStateChange(s.stream.Context(), state) {
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retire(s)
}

// write sends what waits, until the stream is gone or retired. gRPC puts messages that follow each other into one write.
func (l *link) write(ctx context.Context, s *session) {
	for {
		requests, retired := l.take(s)
		if retired {
			_ = s.stream.CloseSend()
			l.notify() // for checks that wait
			return
		}
		for _, request := range requests {
			if s.stream.Send(request) != nil {
				<-s.gone // the reader gets the error
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.gone:
			l.notify() // for checks that wait
			return
		case <-l.wake:
		}
	}
}

// take returns the requests to write, and marks their checks as sent. An old stream gets none.
func (l *link) take(s *session) (requests []*ratelimitv1.CheckRequest, retired bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(s.openedAt) > l.maxAge {
		l.retire(s)
	}
	if l.session != s {
		return nil, !s.ended
	}
	requests = s.cancellations()
	for _, c := range l.waiting {
		requests = append(requests, s.register(c))
	}
	l.waiting = nil
	return requests, false
}

// close fails all checks.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, c := range l.waiting {
		c.fail(ErrClosed)
	}
	l.waiting = nil
	if l.session != nil {
		l.lose(l.session, ErrClosed)
	}
}
