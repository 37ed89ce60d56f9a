package ratelimit

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit/internal/stream"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// remote is ratelimit. Tests have another one.
type remote interface {
	Check(ctx context.Context, sets []*ratelimitv1.ChargeSet) (*ratelimitv1.CheckResponse, error)
	Peek(ctx context.Context, charges []*ratelimitv1.Charge) (*ratelimitv1.PeekResponse, error)
	Refund(ctx context.Context, charges []*ratelimitv1.Charge) error
	ListBuckets(ctx context.Context) (*ratelimitv1.ListBucketsResponse, error)
	// Healthy returns an error unless ratelimit is serving.
	Healthy(ctx context.Context) error
	// Recovered says that ratelimit answers again.
	Recovered()
	Close()
}

// connected is ratelimit at one or several addresses: checks on a stream for each, other calls in turn.
type connected struct {
	pool        *stream.Pool
	connections []grpc.ClientConnInterface
	timeout     time.Duration
	next        atomic.Uint32
}

func newRemote(connections []grpc.ClientConnInterface, o options) *connected {
	return &connected{pool: stream.NewPool(connections, o.timeout), connections: connections, timeout: o.timeout}
}

func (c *connected) Check(ctx context.Context, sets []*ratelimitv1.ChargeSet) (*ratelimitv1.CheckResponse, error) {
	return c.pool.Check(ctx, sets)
}

func (c *connected) Peek(ctx context.Context, charges []*ratelimitv1.Charge) (*ratelimitv1.PeekResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.client().Peek(ctx, &ratelimitv1.PeekRequest{Charges: charges})
}

func (c *connected) Refund(ctx context.Context, charges []*ratelimitv1.Charge) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	_, err := c.client().Refund(ctx, &ratelimitv1.RefundRequest{Charges: charges})
	return err
}

func (c *connected) ListBuckets(ctx context.Context) (*ratelimitv1.ListBucketsResponse, error) {
	return c.client().ListBuckets(ctx, &ratelimitv1.ListBucketsRequest{})
}

func (c *connected) Healthy(ctx context.Context) error {
	response, err := grpc_health_v1.NewHealthClient(c.connection()).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err == nil && response.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		err = errors.New("ratelimit is not serving")
	}
	return err
}

func (c *connected) Recovered() { c.pool.Reconnect() }

func (c *connected) Close() { c.pool.Close() }

func (c *connected) client() ratelimitv1.RatelimitServiceClient {
	return ratelimitv1.NewRatelimitServiceClient(c.connection())
}

func (c *connected) connection() grpc.ClientConnInterface {
	return c.connections[c.next.Add(1)%uint32(len(c.connections))]
}

// Reason is the code of an error of ratelimit, such as "UNKNOWN_BUCKET". Empty for other errors.
func Reason(err error) string {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return info.GetReason()
		}
	}
	return ""
}
