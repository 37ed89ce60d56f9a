package ratelimit

import (
	"context"
	"time"

	"gatehouse.dev/ratelimit/internal/rules"
)

const (
	refreshEvery   = 5 * time.Second
	refreshTimeout = 2 * time.Second
	probeEvery     = 200 * time.Millisecond
	probeTimeout   = 200 * time.Millisecond
)

// follow reads the rules every 5 s, and probes ratelimit every 200 ms while the breaker is open.
func (c *Client) follow(ctx context.Context) {
	c.tryRefresh(ctx)
	for {
		wait := refreshEvery
		if c.breaker.IsOpen() {
			wait = probeEvery
		}
		select {
		case <-ctx.Done():
			return
		case <-c.opened:
			continue
		case <-time.After(wait):
		}
		if c.breaker.IsOpen() {
			c.probe(ctx)
		} else {
			c.tryRefresh(ctx)
			c.policies.Store.Sweep(c.now())
		}
	}
}

// probe closes the breaker if ratelimit answers.
func (c *Client) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	ask := c.remote.Healthy
	if c.listBuckets {
		ask = c.refresh
	}
	if ask(ctx) != nil {
		return // the next probe may succeed
	}
	c.breaker.Close()
	c.remote.Recovered()
	c.outage.ended()
}

func (c *Client) tryRefresh(ctx context.Context) {
	if !c.listBuckets {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	_ = c.refresh(ctx) // the next attempt may succeed
}

// refresh reads the rules that ratelimit serves.
func (c *Client) refresh(ctx context.Context) error {
	response, err := c.remote.ListBuckets(ctx)
	if err != nil {
		return err
	}
	before := c.rules.Load()
	if response.GetRevision() == before.Revision {
		return nil
	}
	table, err := rules.Served(response, c.replicas)
	if err != nil {
		c.log.Warn("ratelimit serves rules that this client cannot count", "err", err)
		return nil // it answers
	}
	c.rules.Store(table)
	c.policies.Store.Keep(table)
	c.denials.Clear()
	if before.Revision != "" {
		c.log.Info("ratelimit has other rules", "revision", table.Revision)
	}
	return nil
}
