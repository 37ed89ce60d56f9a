// Package stream makes checks on streams that all callers share.
package stream

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// ErrClosed is the error of checks after Close.
var ErrClosed = errors.New("ratelimit: the client is closed")

// Outage is a failure of the connection, or a check without an answer in time. Checks that fail in the same moment, such
// as those of a lost stream, fail with the same Outage.
type Outage struct {
	Code  codes.Code
	Cause string
}

func (o *Outage) Error() string { return fmt.Sprintf("ratelimit does not answer: %s", o.Cause) }

// GRPCStatus makes status.FromError and status.Code work.
func (o *Outage) GRPCStatus() *status.Status { return status.New(o.Code, o.Error()) }

// IsOutage reports whether an error says that ratelimit does not answer.
func IsOutage(err error) bool {
	code := status.Code(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

// lost is the error of checks whose stream has ended. A server that refuses the stream is no outage.
func lost(err error) error {
	switch status.Code(err) {
	case codes.PermissionDenied, codes.Unauthenticated, codes.Unimplemented, codes.InvalidArgument, codes.FailedPrecondition:
		return err
	}
	return &Outage{codes.Unavailable, fmt.Sprintf("the stream has ended: %v", err)}
}
