package stream

import (
	"context"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Timeouts in a row, without any response meanwhile, after which a stream is given up.
const maxTimeouts = 5

// session is one open stream. The link's lock guards it.
type session struct {
	stream ratelimitv1.RatelimitService_CheckStreamClient
	cancel context.CancelFunc
	open   map[uint32]*call
	// cancelled has the tags of sent checks that nobody waits for.
	cancelled  []uint32
	lastTag    uint32
	openedAt   time.Time
	answeredAt time.Time
	answered   bool
	timeouts   int
	// gone is closed when the stream has ended.
	gone  chan struct{}
	ended bool
}

func newSession(stream ratelimitv1.RatelimitService_CheckStreamClient, cancel context.CancelFunc) *session {
	now := time.Now()
	return &session{
		stream: stream, cancel: cancel, open: map[uint32]*call{}, openedAt: now, answeredAt: now, gone: make(chan struct{}),
	}
}

// register gives a call a tag that no open check has.
func (s *session) register(c *call) *ratelimitv1.CheckRequest {
	for s.lastTag++; s.open[s.lastTag] != nil; s.lastTag++ {
	}
	s.open[s.lastTag] = c
	c.session = s
	c.request.Tag = proto.Uint32(s.lastTag)
	return c.request
}

// cancellations takes the requests that cancel checks.
func (s *session) cancellations() []*ratelimitv1.CheckRequest {
	requests := make([]*ratelimitv1.CheckRequest, 0, len(s.cancelled))
	for _, tag := range s.cancelled {
		requests = append(requests, &ratelimitv1.CheckRequest{Tag: proto.Uint32(tag), Cancel: proto.Bool(true)})
	}
	s.cancelled = nil
	return requests
}

// deliver ignores the answers of checks that nobody waits for.
func (s *session) deliver(response *ratelimitv1.CheckResponse) {
	s.answeredAt, s.answered, s.timeouts = time.Now(), true, 0
	waiting := s.open[response.GetTag()]
	if waiting == nil || response.Tag == nil {
		return
	}
	delete(s.open, response.GetTag())
	if failed := response.GetError(); failed != nil {
		waiting.fail(status.ErrorProto(failed))
		return
	}
	waiting.outcome <- outcome{response: response}
}

// forget drops a sent check, and reports whether it was open.
func (s *session) forget(c *call) bool {
	tag := c.request.GetTag()
	if s.open[tag] != c {
		return false
	}
	delete(s.open, tag)
	return true
}
