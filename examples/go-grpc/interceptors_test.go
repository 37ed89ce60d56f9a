package main

import (
	"cmp"
	"context"
	"net"
	"os"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit"
)

// serve uses the ratelimit at RATELIMIT_ADDRESS; without one this process counts.
func serve(t *testing.T, bucket string) grpc_health_v1.HealthClient {
	t.Helper()
	client, err := ratelimit.Dial(cmp.Or(os.Getenv("RATELIMIT_ADDRESS"), "127.0.0.1:1"))
	if err != nil {
		t.Fatal(err)
	}
	limits := limiter{client, bucket}
	server := grpc.NewServer(grpc.UnaryInterceptor(limits.unary), grpc.StreamInterceptor(limits.stream))
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		connection.Close()
		server.Stop()
		client.Close()
	})
	return grpc_health_v1.NewHealthClient(connection)
}

func expectDenied(t *testing.T, err error) {
	t.Helper()
	denied := status.Convert(err)
	if denied.Code() != codes.ResourceExhausted || len(denied.Details()) != 1 {
		t.Fatalf("error %v", err)
	}
	info, ok := denied.Details()[0].(*errdetails.RetryInfo)
	if !ok || info.GetRetryDelay().AsDuration() <= 0 {
		t.Errorf("details %v", denied.Details())
	}
}

func TestUnaryCallsAreLimited(t *testing.T) {
	api := serve(t, "auth:register")
	for range 10 {
		if _, err := api.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := api.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	expectDenied(t, err)
}

func TestStreamsAreLimited(t *testing.T) {
	api := serve(t, "registration:ip") // 3 an hour
	var err error
	for n := range 4 {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var stream grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse]
		if stream, err = api.Watch(ctx, &grpc_health_v1.HealthCheckRequest{}); err != nil {
			t.Fatal(err)
		}
		if _, err = stream.Recv(); err != nil && n < 3 {
			t.Fatal(err)
		}
	}
	expectDenied(t, err)
}

func TestAPeerIsItsAddressOrItsNetwork(t *testing.T) {
	for from, want := range map[string]string{
		"192.0.2.1:1": "192.0.2.1", "[::ffff:192.0.2.1]:1": "192.0.2.1", "[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::/64",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", from)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(peer.NewContext(t.Context(), &peer.Peer{Addr: tcp})); got != want {
			t.Errorf("%s is %s", from, got)
		}
	}
}
