package ratelimit

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Stats is a client's counts since its creation.
type Stats struct {
	Checks uint64
	// Remembered checks were denied by a remembered denial, without a call.
	Remembered uint64
	// Local checks were decided by this process, because ratelimit did not answer.
	Local uint64
	// Degraded checks were decided by ratelimit without its store.
	Degraded uint64
	// Denied has the denials by the bucket's name.
	Denied map[string]uint64
	// RememberedDenials is the number of denials that are remembered now.
	RememberedDenials int
	// BreakerOpen: this process makes no calls now, and decides by itself.
	BreakerOpen bool
}

type counts struct {
	checks, remembered, local, degraded atomic.Uint64

	mu sync.Mutex
	// denied has at most the names of the reference.
	denied map[string]uint64
}

func (c *counts) deny(denial *Denial) *Denial {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.denied[denial.Bucket]++
	return denial
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	c.counts.mu.Lock()
	denied := maps.Clone(c.counts.denied)
	c.counts.mu.Unlock()
	return Stats{
		Checks: c.counts.checks.Load(), Remembered: c.counts.remembered.Load(),
		Local: c.counts.local.Load(), Degraded: c.counts.degraded.Load(), Denied: denied,
		RememberedDenials: c.denials.Count(c.now()), BreakerOpen: c.breaker.IsOpen(),
	}
}
