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
	links []*link
	next  atomic.Uint32
	stop  context.CancelFunc
	done  sync.WaitGroup
}

// NewPool opens no stream before the first check.
func NewPool(connections []grpc.ClientConnInterface, timeout time.Duration) *Pool {
	ctx, stop := context.WithCancel(context.Background())
	pool := &Pool{stop: stop}
	for _, connection := range connections {
		link := newLink(ratelimitv1.NewRatelimitServiceClient(connection), timeout)
		pool.links = append(pool.links, link)
		pool.done.Go(func() { link.run(ctx) })
	}
	return pool
}

// Check makes a check on the next stream that is not waiting to be opened again. The error is the context's if it ends
// first, an *Outage if ratelimit does not answer in time, or ratelimit's own.
func (p *Pool) Check(ctx context.Context, sets []*ratelimitv1.ChargeSet) (*ratelimitv1.CheckResponse, error) {
	if err := validate(sets); err != nil {
		return nil, err
	}
	now := time.Now()
	first := int(p.next.Add(1) % uint32(len(p.links)))
	chosen := p.links[first]
	for i := range p.links {
		if link := p.links[(first+i)%len(p.links)]; link.isUsable(now) {
			chosen = link
			break
		}
	}
	return chosen.check(ctx, sets)
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
