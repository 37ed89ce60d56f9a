package main

import (
	"context"
	"net/netip"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"gatehouse.dev/ratelimit"
)

// limiter charges the same bucket for each call of a peer.
type limiter struct {
	client *ratelimit.Client
	bucket string
}

// unary limits unary calls.
func (l limiter) unary(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	if err := l.check(ctx); err != nil {
		return nil, err
	}
	return handle(ctx, request)
}

// stream limits new streams.
func (l limiter) stream(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	if err := l.check(stream.Context()); err != nil {
		return err
	}
	return handle(server, stream)
}

// check returns RESOURCE_EXHAUSTED with the wait as RetryInfo if ratelimit denies.
func (l limiter) check(ctx context.Context) error {
	charge := ratelimit.Charge{Bucket: l.bucket, Identities: []string{"ip:" + address(ctx)}}
	denial, err := l.client.Check(ctx, ratelimit.Set{charge})
	if ctx.Err() != nil {
		return status.FromContextError(ctx.Err()).Err()
	}
	if err != nil {
		return status.Error(codes.Internal, "limits")
	}
	if denial == nil {
		return nil
	}
	exhausted, err := status.New(codes.ResourceExhausted, "too many calls").
		WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(denial.RetryAfter)})
	if err != nil {
		return status.Error(codes.Internal, "limits")
	}
	return exhausted.Err()
}

// address is the peer's IPv4 address, or its /64 of IPv6: who has one of its addresses has all.
func address(ctx context.Context) string {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return "unknown"
	}
	parsed, err := netip.ParseAddrPort(from.Addr.String())
	if err != nil {
		return from.Addr.String()
	}
	host := parsed.Addr().Unmap()
	if host.Is4() {
		return host.String()
	}
	prefix, _ := host.WithZone("").Prefix(64) // 64 bits exist
	return prefix.String()
}
