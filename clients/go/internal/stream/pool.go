package stream

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Pool has one CheckStream for each connection, and gives checks to them in turn.
type Pool struct {
	links   []*link
	timeout time.Duration
	next    atomic.Uint32
	stop    context.CancelFunc
	done    sync.WaitGroup
}

// NewPool opens no stream before the first check.
func NewPool(connections []grpc.ClientConnInterface, timeout time.Duration) *Pool {
	ctx, stop := context.WithCancel(context.Background())
	pool := &Pool{timeout: timeout, stop: stop}
	for _, connection := range connections {
		link := newLink(connection, timeout)
		pool.links = append(pool.links, link)
		pool.done.Go(func() { link.run(ctx) })
	}
	return pool
}

// Check makes a check on the next stream; on another one if that cannot be opened. The error is the context's if it ends
// first, an *Outage if ratelimit does not answer in time, or ratelimit's own.
func (p *Pool) Check(ctx context.Context, sets []*ratelimitv1.ChargeSet) (*ratelimitv1.CheckResponse, error) {
	if err := validate(sets); err != nil {
		return nil, err
	}
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	var result outcome
	for _, link := range p.inTurn() {
		if result = link.check(ctx, sets, timer.C); !result.unsent {
			break
		}
	}
	return result.response, result.err
}

// inTurn returns the links in the order in which the next check tries them. Those that wait to be opened again come last.
func (p *Pool) inTurn() []*link {
	if len(p.links) == 1 {
		return p.links
	}
	now := time.Now()
	first := int(p.next.Add(1) % uint32(len(p.links)))
	usable, others := make([]*link, 0, len(p.links)), []*link(nil)
	for i := range p.links {
		if link := p.links[(first+i)%len(p.links)]; link.isUsable(now) {
			usable = append(usable, link)
		} else {
			others = append(others, link)
		}
	}
	return append(usable, others...)
}

// Reconnect opens lost streams again at the next check, without a wait.
func (p *Pool) Reconnect() {
	for _, link := range p.links {
		link.reconnect()
	}
}

// Close ends the streams. Open checks fail with ErrClosed.
func (p *Pool) Close() {
	p.stop()
	p.done.Wait()
}
