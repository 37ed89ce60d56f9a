package ratelimit

import (
	"crypto/tls"
	"log/slog"
	"time"

	"google.golang.org/grpc"
)

// Option changes a client.
type Option func(*options)

type options struct {
	replicas    int
	timeout     time.Duration
	log         *slog.Logger
	tls         *tls.Config
	dial        []grpc.DialOption
	listBuckets bool
	maxLocal    int
	// now is microseconds since the Unix epoch, on a clock that does not go back.
	now func() int64
}

func newOptions(opts []Option) options {
	start := time.Now()
	o := options{
		replicas: 1, timeout: 250 * time.Millisecond, log: slog.New(slog.DiscardHandler), listBuckets: true, maxLocal: 65_536,
		now: func() int64 { return start.UnixMicro() + time.Since(start).Microseconds() },
	}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithReplicas says how many processes like this one there are. While ratelimit does not answer, each admits an equal share
// of a limit. 1 by default.
func WithReplicas(n int) Option { return func(o *options) { o.replicas = max(1, n) } }

// WithTimeout is the longest wait for an answer of ratelimit. 250 ms by default.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) { o.timeout = max(time.Millisecond, timeout) }
}

// WithLogger logs outages and changes of the rules, without identities. Nothing is logged by default.
func WithLogger(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithTLS makes Dial connect over TLS. TLSFiles reads a configuration.
func WithTLS(config *tls.Config) Option { return func(o *options) { o.tls = config } }

// WithDialOptions are further options of Dial's connections.
func WithDialOptions(dial ...grpc.DialOption) Option {
	return func(o *options) { o.dial = append(o.dial, dial...) }
}

// WithoutListBuckets is for a process that may not call ListBuckets: the rules of this module apply while ratelimit does
// not answer, and it is probed by health checks.
func WithoutListBuckets() Option { return func(o *options) { o.listBuckets = false } }

// WithMaxLocalBuckets bounds the buckets that this process holds while ratelimit does not answer. 65,536 by default.
func WithMaxLocalBuckets(n int) Option { return func(o *options) { o.maxLocal = max(1, n) } }
