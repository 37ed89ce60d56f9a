package ratelimit

import (
	"log/slog"
	"sync"
	"time"
)

const warnEvery = time.Second

// outageLog logs the number of checks that are decided without ratelimit, at most once a second.
type outageLog struct {
	log *slog.Logger

	mu       sync.Mutex
	unlogged int
	loggedAt time.Time
	logged   bool
	cause    error
}

// decidedHere counts a check. The cause is the error of the call, if one was made.
func (l *outageLog) decidedHere(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unlogged++
	if cause != nil {
		l.cause = cause
	}
	if time.Since(l.loggedAt) < warnEvery {
		return
	}
	l.log.Warn("ratelimit does not answer: limits are decided here", "err", l.cause, "decided_here", l.unlogged)
	l.loggedAt, l.logged, l.unlogged = time.Now(), true, 0
}

func (l *outageLog) ended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logged {
		l.log.Info("ratelimit answers again", "decided_here", l.unlogged)
	}
	l.logged, l.unlogged = false, 0
}
