package stream

import (
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

// call is a check that waits for its answer.
type call struct {
	request *ratelimitv1.CheckRequest
	// session is the stream on which it was sent.
	session *session
	// outcome takes one, and never blocks.
	outcome chan outcome
}

type outcome struct {
	response *ratelimitv1.CheckResponse
	err      error
	// unsent: the server never saw the check, so another one may decide it.
	unsent bool
}

func newCall(sets []*ratelimitv1.ChargeSet) *call {
	return &call{request: &ratelimitv1.CheckRequest{Sets: sets}, outcome: make(chan outcome, 1)}
}

func (c *call) fail(err error) { c.outcome <- outcome{err: err} }

func (c *call) failUnsent(err error) { c.outcome <- outcome{err: err, unsent: true} }

// The server accepts no larger messages either: it would end the stream for all callers.
const maxBytes = 256 << 10

// validate refuses a check that gRPC cannot send, since it would end the stream.
func validate(sets []*ratelimitv1.ChargeSet) error {
	if proto.Size(&ratelimitv1.CheckRequest{Sets: sets}) > maxBytes-64 {
		return status.Error(codes.InvalidArgument, "ratelimit: the check has more than 256 KiB")
	}
	for _, set := range sets {
		for _, charge := range set.GetCharges() {
			valid := utf8.ValidString(charge.GetBucket()) && utf8.ValidString(charge.GetLeaseId())
			for _, identity := range charge.GetIdentities() {
				valid = valid && utf8.ValidString(identity)
			}
			if !valid {
				return status.Error(codes.InvalidArgument, "ratelimit: bucket, identities and lease ID are UTF-8")
			}
		}
	}
	return nil
}
