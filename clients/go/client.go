// Package ratelimit is a client of Gatehouse's ratelimit.
//
// Checks of all goroutines share one stream. A denial is remembered, and repeated without a call until its wait is over. If
// ratelimit does not answer within 250 ms, this process decides by the buckets' failure policies; after five such failures
// it makes no calls until a probe succeeds.
package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/codes"

	"gatehouse.dev/ratelimit/internal/breaker"
	"gatehouse.dev/ratelimit/internal/local"
	"gatehouse.dev/ratelimit/internal/rules"
	"gatehouse.dev/ratelimit/internal/stream"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// ErrClosed is the error of calls after Close.
var ErrClosed = stream.ErrClosed

const maxDenials = 65_536

// Client checks limits. Any number of goroutines may use it.
type Client struct {
	options
	remote   remote
	breaker  *breaker.Breaker
	rules    atomic.Pointer[rules.Table]
	hash     local.Hash
	denials  *local.Denials
	policies local.Policies
	outage   outageLog
	counts   counts

	// opened has an entry when the breaker has opened.
	opened          chan struct{}
	closeConnection func() error
	closed          atomic.Bool

	// Guards the start of goroutines against Close.
	mu         sync.Mutex
	background sync.WaitGroup
	ctx        context.Context
	stop       context.CancelFunc
}

// newClient follows the rules in the background.
func newClient(remote remote, o options, closeConnection func() error) (*Client, error) {
	client, err := newIdleClient(remote, o)
	if err != nil {
		return nil, err
	}
	client.closeConnection = closeConnection
	client.inBackground(client.follow)
	return client, nil
}

func newIdleClient(remote remote, o options) (*Client, error) {
	builtIn, err := rules.BuiltIn(o.replicas)
	if err != nil {
		return nil, err
	}
	denials := local.NewDenials(maxDenials)
	client := &Client{
		options: o, remote: remote, breaker: breaker.New(o.now, o.timeout.Microseconds()), hash: local.NewHash(), denials: denials,
		policies: local.Policies{Store: local.NewStore(o.maxLocal), Denials: denials},
		outage:   outageLog{log: o.log}, counts: counts{denied: map[string]uint64{}}, opened: make(chan struct{}, 1),
	}
	client.ctx, client.stop = context.WithCancel(context.Background())
	client.rules.Store(builtIn)
	return client, nil
}

// Check charges sets of buckets in order, each as a whole or not at all, up to the first that denies. Nil if all admit.
//
// The error is the context's if it ends before the answer; the check may have been charged then. INVALID_ARGUMENT says
// that there is no such bucket, that the identities do not match its key, or that a cost is above its limit. Nothing is
// charged then.
func (c *Client) Check(ctx context.Context, sets ...Set) (*Denial, error) {
	return c.check(ctx, setMessages(sets))
}

func (c *Client) check(ctx context.Context, sets []*ratelimitv1.ChargeSet) (*Denial, error) {
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	c.counts.checks.Add(1)
	sent := c.now()
	if known := c.recall(sets, sent); known != nil {
		c.counts.remembered.Add(1)
		return c.counts.deny(localDenial(known)), nil
	}
	if c.breaker.IsOpen() {
		return c.decide(sets, nil), nil
	}
	response, err := c.remote.Check(ctx, sets)
	if err == nil {
		return c.answered(sets, response, sent), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if c.closed.Load() {
		return nil, ErrClosed
	}
	if !stream.IsOutage(err) {
		return nil, err
	}
	c.failed(err)
	return c.decide(sets, err), nil
}

// begin returns an error if no call may begin.
func (c *Client) begin(ctx context.Context) error {
	if c.closed.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

// recall returns the remembered denial of the first set. The sets before another one must still be charged.
func (c *Client) recall(sets []*ratelimitv1.ChargeSet, now int64) *local.Denial {
	if len(sets) == 0 || c.denials.IsEmpty() {
		return nil
	}
	return c.denials.Recall(c.hash.Set(c.rules.Load(), sets[0]), now)
}

func (c *Client) answered(sets []*ratelimitv1.ChargeSet, response *ratelimitv1.CheckResponse, sent int64) *Denial {
	c.breaker.Succeeded()
	denial := response.GetDenial()
	if response.GetDegraded() {
		c.counts.degraded.Add(1)
	}
	if denial == nil {
		return nil
	}
	// A denial by a failure policy is not remembered: the bucket itself may admit a moment later.
	if !response.GetDegraded() {
		now := c.now()
		c.denials.Remember(c.hash.Sets(c.rules.Load(), sets), local.Answer{
			Bucket: denial.GetBucket(), Limit: int64(denial.GetLimit()),
			RetryAfter: int64(denial.GetRetryAfterUs()), EmptyAfter: int64(denial.GetEmptyAfterUs()), Age: now - sent,
		}, now)
	}
	return c.counts.deny(denialOf(denial))
}

func (c *Client) failed(err error) {
	if c.breaker.Failed(err) {
		select {
		case c.opened <- struct{}{}:
		default:
		}
	}
}

// decide decides in this process.
func (c *Client) decide(sets []*ratelimitv1.ChargeSet, cause error) *Denial {
	c.counts.local.Add(1)
	c.outage.decidedHere(cause)
	denial := c.policies.Decide(c.hash.Sets(c.rules.Load(), sets), c.now())
	if denial == nil {
		return nil
	}
	return c.counts.deny(localDenial(denial))
}

// Peek reads buckets, and charges nothing. Costs are ignored. The error is UNAVAILABLE or DEADLINE_EXCEEDED if ratelimit or
// its store does not answer, and INVALID_ARGUMENT as of Check.
func (c *Client) Peek(ctx context.Context, charges ...Charge) ([]State, error) {
	if err := c.beginCall(ctx); err != nil {
		return nil, err
	}
	response, err := c.remote.Peek(ctx, chargeMessages(charges))
	if err != nil {
		return nil, err
	}
	c.breaker.Succeeded()
	states := make([]State, len(response.GetStates()))
	for i, state := range response.GetStates() {
		states[i] = stateOf(state)
	}
	return states, nil
}

// Refund returns charges for work that did not happen, and releases leases. Errors are those of Peek; the refund may have
// happened nevertheless.
func (c *Client) Refund(ctx context.Context, charges ...Charge) error {
	return c.refund(ctx, chargeMessages(charges))
}

func (c *Client) refund(ctx context.Context, charges []*ratelimitv1.Charge) error {
	counted := c.hash.Set(c.rules.Load(), &ratelimitv1.ChargeSet{Charges: charges})
	// After a failure too: the refund may have happened.
	defer c.denials.Forget(counted)
	c.policies.Release(counted)
	if err := c.beginCall(ctx); err != nil {
		return err
	}
	if err := c.remote.Refund(ctx, charges); err != nil {
		return err
	}
	c.breaker.Succeeded()
	return nil
}

// beginCall begins a call that this process cannot answer. Failures of such calls are not counted, since they may be
// failures of ratelimit's store.
func (c *Client) beginCall(ctx context.Context) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	if c.breaker.IsOpen() {
		return &stream.Outage{Code: codes.Unavailable, Cause: "the circuit breaker is open"}
	}
	return nil
}

// Close ends the stream. Calls that wait fail with ErrClosed; leases end by their expiry unless they are released before.
func (c *Client) Close() error {
	c.mu.Lock()
	wasClosed := c.closed.Swap(true)
	c.mu.Unlock()
	if wasClosed {
		return nil
	}
	c.stop()
	c.remote.Close()
	c.background.Wait()
	return c.closeConnection()
}

// inBackground begins a goroutine that Close waits for. False if the client is closed.
func (c *Client) inBackground(run func(ctx context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed.Load() {
		return false
	}
	c.background.Go(func() { run(c.ctx) })
	return true
}
