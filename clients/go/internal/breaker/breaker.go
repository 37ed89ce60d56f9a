// Package breaker is a circuit breaker for calls to ratelimit.
package breaker

import "sync"

// Failures in a row that open the breaker.
const Failures = 5

// Breaker opens after five failures in a row without a success within the timeout of a call. Only Close closes it.
type Breaker struct {
	now     func() int64
	timeout int64

	mu          sync.Mutex
	open        bool
	failures    int
	last        error
	succeededAt int64
	succeeded   bool
}

// New makes a closed breaker. The clock and the timeout of calls are in microseconds. A success within the timeout keeps
// the breaker closed: one replica may fail while others answer.
func New(now func() int64, timeout int64) *Breaker {
	return &Breaker{now: now, timeout: timeout}
}

// IsOpen reports whether no calls may be made now.
func (b *Breaker) IsOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// Succeeded counts an answer.
func (b *Breaker) Succeeded() {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.last, b.succeeded, b.succeededAt = 0, nil, true, now
}

// Failed counts a failure, and reports whether it opened the breaker. Calls that fail with the same error value, such as
// those of a lost stream, count once.
func (b *Breaker) Failed(err error) bool {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open || b.last == err {
		return false
	}
	b.last = err
	b.failures++
	silent := !b.succeeded || now-b.succeededAt >= b.timeout
	b.open = b.failures >= Failures && silent
	return b.open
}

// Close closes the breaker: a probe succeeded.
func (b *Breaker) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open, b.failures, b.last = false, 0, nil
}
