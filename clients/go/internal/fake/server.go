// Package fake is a ratelimit for tests, on a real port.
package fake

import (
	"context"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Server answers by a test's function.
type Server struct {
	ratelimitv1.UnimplementedRatelimitServiceServer

	mu      sync.Mutex
	address string
	running *grpc.Server
	answer  func(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse
	read    []*ratelimitv1.CheckRequest
	refunds []*ratelimitv1.Charge
	streams int
	buckets []*ratelimitv1.Bucket
	// unlisted makes ListBuckets fail.
	unlisted bool
	refusal  codes.Code
}

// Start starts a server that admits all checks. The test's end stops it.
func Start(t *testing.T) *Server {
	t.Helper()
	s := &Server{address: "127.0.0.1:0", answer: Admit}
	s.Restart(t)
	t.Cleanup(s.Stop)
	return s
}

// Admit admits a check.
func Admit(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse { return &ratelimitv1.CheckResponse{} }

// Silent never answers.
func Silent(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse { return nil }

// Restart starts it again on its port.
func (s *Server) Restart(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	s.running = grpc.NewServer()
	ratelimitv1.RegisterRatelimitServiceServer(s.running, s)
	go func(running *grpc.Server) { _ = running.Serve(listener) }(s.running)
}

// Stop ends all streams, and refuses connections.
func (s *Server) Stop() {
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	running.Stop()
}

// Drain sends GOAWAY, and waits until all streams have ended.
func (s *Server) Drain() {
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	running.GracefulStop()
}

// Address is host:port.
func (s *Server) Address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.address
}

// Answer changes the answer of checks. Without one (nil) the check stays open.
func (s *Server) Answer(answer func(*ratelimitv1.CheckRequest) *ratelimitv1.CheckResponse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// Refuse makes streams fail.
func (s *Server) Refuse(code codes.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = code
}

// Serve changes the buckets.
func (s *Server) Serve(buckets ...*ratelimitv1.Bucket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buckets = buckets
}

// List says whether ListBuckets, and so a probe, succeeds.
func (s *Server) List(succeeds bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unlisted = !succeeds
}

// Read returns the requests that came on streams.
func (s *Server) Read() []*ratelimitv1.CheckRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*ratelimitv1.CheckRequest(nil), s.read...)
}

// Refunds returns the refunded charges.
func (s *Server) Refunds() []*ratelimitv1.Charge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*ratelimitv1.Charge(nil), s.refunds...)
}

// Streams is the number of streams that were opened.
func (s *Server) Streams() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams
}

// CheckStream answers checks in any order.
func (s *Server) CheckStream(stream ratelimitv1.RatelimitService_CheckStreamServer) error {
	s.mu.Lock()
	s.streams++
	refusal := s.refusal
	s.mu.Unlock()
	if refusal != codes.OK {
		return status.Error(refusal, "refused")
	}
	var sending sync.Mutex
	var answers sync.WaitGroup
	defer answers.Wait()
	for {
		request, err := stream.Recv()
		if err != nil {
			return status.Error(codes.Unavailable, "the client has ended its requests")
		}
		s.mu.Lock()
		s.read = append(s.read, request)
		answer := s.answer
		s.mu.Unlock()
		if request.GetCancel() {
			continue
		}
		answers.Go(func() {
			if response := answer(request); response != nil {
				response.Tag = request.Tag
				sending.Lock()
				defer sending.Unlock()
				_ = stream.Send(response)
			}
		})
	}
}

// ListBuckets serves the test's buckets.
func (s *Server) ListBuckets(context.Context, *ratelimitv1.ListBucketsRequest) (*ratelimitv1.ListBucketsResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unlisted {
		return nil, status.Error(codes.Unavailable, "not now")
	}
	return &ratelimitv1.ListBucketsResponse{Buckets: s.buckets, Revision: "a"}, nil
}

// Refund records the charges.
func (s *Server) Refund(_ context.Context, request *ratelimitv1.RefundRequest) (*ratelimitv1.RefundResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refunds = append(s.refunds, request.GetCharges()...)
	return &ratelimitv1.RefundResponse{}, nil
}
