package ratelimit

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"gatehouse.dev/ratelimit/internal/local"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Charge is tokens for a bucket, or permits of a concurrency limit.
type Charge struct {
	// Bucket is a name of the reference, such as "webhook:execute".
	Bucket string
	// Identities has one value for each part of the bucket's key, in the key's order, such as {"account:1", "channel:2"}.
	Identities []string
	// Cost is the number of tokens or permits. 0 counts as 1.
	Cost uint32
	// LeaseID names the lease that holds the permits of a concurrency limit, 1 to 64 bytes. Acquire makes one if it is
	// empty. Other buckets have none.
	LeaseID string
}

// Set is charged as a whole or not at all.
type Set []Charge

// Denial is the bucket that denies, and for how long. As an error it says the same.
type Denial struct {
	Bucket string
	// Limit is the bucket's capacity.
	Limit uint32
	// RetryAfter is the time until the same charge is admitted if nothing else charges the bucket. A concurrency limit may
	// admit it earlier, when leases are released.
	RetryAfter time.Duration
	// EmptyAfter is the time until the bucket is empty.
	EmptyAfter time.Duration
}

func (d *Denial) Error() string {
	return fmt.Sprintf("ratelimit: bucket %s denies, retry after %s", d.Bucket, d.RetryAfter)
}

// State is the level of a bucket.
type State struct {
	Bucket string
	Limit  uint32
	// Remaining is the whole tokens, or permits, that would be admitted now.
	Remaining uint32
	// RetryAfter is the time until one token is admitted; 0: now.
	RetryAfter time.Duration
	// EmptyAfter is the time until the bucket is empty.
	EmptyAfter time.Duration
}

func micros(us uint64) time.Duration { return time.Duration(us) * time.Microsecond }

func setMessages(sets []Set) []*ratelimitv1.ChargeSet {
	messages := make([]*ratelimitv1.ChargeSet, len(sets))
	for i, set := range sets {
		messages[i] = &ratelimitv1.ChargeSet{Charges: chargeMessages(set)}
	}
	return messages
}

func chargeMessages(charges []Charge) []*ratelimitv1.Charge {
	messages := make([]*ratelimitv1.Charge, len(charges))
	for i, charge := range charges {
		messages[i] = &ratelimitv1.Charge{Bucket: charge.Bucket, Identities: charge.Identities}
		if charge.Cost != 0 {
			messages[i].Cost = proto.Uint32(charge.Cost)
		}
		if charge.LeaseID != "" {
			messages[i].LeaseId = proto.String(charge.LeaseID)
		}
	}
	return messages
}

func denialOf(denial *ratelimitv1.Denial) *Denial {
	return &Denial{
		Bucket: denial.GetBucket(), Limit: denial.GetLimit(),
		RetryAfter: micros(denial.GetRetryAfterUs()), EmptyAfter: micros(denial.GetEmptyAfterUs()),
	}
}

func localDenial(denial *local.Denial) *Denial {
	rule := denial.Charge.Rule
	return &Denial{
		Bucket: rule.Name, Limit: uint32(rule.Whole),
		RetryAfter: micros(uint64(denial.RetryAfter)), EmptyAfter: micros(uint64(denial.EmptyAfter)),
	}
}

func stateOf(state *ratelimitv1.BucketState) State {
	return State{
		Bucket: state.GetBucket(), Limit: state.GetLimit(), Remaining: state.GetRemaining(),
		RetryAfter: micros(state.GetRetryAfterUs()), EmptyAfter: micros(state.GetEmptyAfterUs()),
	}
}
