package stream

import (
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// call is a check that waits for its answer.
type call struct {
	request *ratelimitv1.CheckRequest
	// outcome takes one, and never blocks.
	outcome chan outcome
}

type outcome struct {
	response *ratelimitv1.CheckResponse
	err      error
}

func newCall(sets []*ratelimitv1.ChargeSet) *call {
	return &call{&ratelimitv1.CheckRequest{Sets: sets}, make(chan outcome, 1)}
}

func (c *call) fail(err error) { c.outcome <- outcome{err: err} }
