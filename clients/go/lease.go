package ratelimit

import (
	"context"
	"crypto/rand"
	"errors"
	"time"
)

// ErrLeaseLost is the error of a lease that has ended before it was renewed.
var ErrLeaseLost = errors.New("ratelimit: the lease has ended before it was renewed")

// The shortest time of a lease, for a bucket that this client does not know yet.
const unknownWindow = time.Second

// Lease holds permits of a concurrency limit. It is renewed in the background until it is released, its context ends, or
// the client is closed.
type Lease struct {
	client *Client
	charge Charge
	// expires is when the lease ends if it is not renewed, at the earliest.
	expires time.Time
	end     context.CancelFunc
	done    chan struct{}
	err     error
	// released is the error of the release.
	released error
}

// Acquire takes permits of a concurrency limit: Cost of them, or one. If the limit denies, the error is a *Denial. When the
// context ends, the lease is released. Call Release in any case.
func (c *Client) Acquire(ctx context.Context, charge Charge) (*Lease, error) {
	if charge.LeaseID == "" {
		charge.LeaseID = rand.Text()
	}
	lease := &Lease{client: c, charge: charge, done: make(chan struct{})}
	sent := time.Now()
	denial, err := c.Check(ctx, Set{charge})
	if err != nil && ctx.Err() != nil {
		c.inBackground(func(context.Context) { _ = lease.release() }) // it may have been granted
	}
	if err == nil && denial != nil {
		err = denial
	}
	if err != nil {
		return nil, err
	}
	lease.expires = sent.Add(lease.window())
	held, end := context.WithCancel(ctx)
	lease.end = end
	if !c.inBackground(func(client context.Context) { lease.keep(held, client) }) {
		end()
		return nil, ErrClosed
	}
	return lease, nil
}

func (c *Client) windowOf(bucket string) time.Duration {
	if rule := c.rules.Load().Rule(bucket); rule != nil {
		return time.Duration(rule.WindowSeconds) * time.Second
	}
	return unknownWindow
}

// window is the time of the lease by the current rules.
func (l *Lease) window() time.Duration { return l.client.windowOf(l.charge.Bucket) }

// ID names the lease.
func (l *Lease) ID() string { return l.charge.LeaseID }

// Done is closed when the lease is no longer held.
func (l *Lease) Done() <-chan struct{} { return l.done }

// Err is, once Done is closed: nil for a lease that was released, ErrLeaseLost, or ErrClosed.
func (l *Lease) Err() error {
	select {
	case <-l.done:
		return l.err
	default:
		return nil
	}
}

// Release gives the permits back. An error says that ratelimit did not answer; the lease then ends by its expiry. Further
// calls return the same.
func (l *Lease) Release() error {
	l.end()
	<-l.done
	return l.released
}

// keep renews the lease after each third of its time.
func (l *Lease) keep(held, client context.Context) {
	defer close(l.done)
	defer l.end()
	for {
		wait := min(l.window()/3, time.Until(l.expires))
		select {
		case <-client.Done():
			l.err = ErrClosed
			return
		case <-held.Done():
			l.released = l.release()
			return
		case <-time.After(wait):
		}
		if !time.Now().Before(l.expires) {
			l.err, l.released = ErrLeaseLost, l.release()
			return
		}
		sent := time.Now()
		// Until the lease ends, a failed renewal is repeated.
		if denial, err := l.client.Check(held, Set{l.charge}); err == nil && denial == nil {
			l.expires = sent.Add(l.window())
		}
	}
}

func (l *Lease) release() error { return l.client.Refund(context.Background(), l.charge) }
