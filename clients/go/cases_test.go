package ratelimit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"gatehouse.dev/ratelimit/internal/stream"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// casesFolder has the cases that the clients of all languages share. A copy of this module may be without it.
const casesFolder = "../cases"

type testCase struct {
	Name     string      `json:"name"`
	Replicas int         `json:"replicas"`
	Buckets  []caseRow   `json:"buckets"`
	Server   *caseServer `json:"server"`
	Steps    []caseStep  `json:"steps"`
}

type caseRow struct {
	Name          string   `json:"name"`
	Limit         uint32   `json:"limit"`
	WindowSeconds uint32   `json:"window_seconds"`
	Key           []string `json:"key"`
	Aliases       []string `json:"aliases"`
	Policy        string   `json:"policy"`
	Kind          string   `json:"kind"`
}

type caseServer struct {
	Decides *struct {
		Denial   *caseDenial `json:"denial"`
		Degraded bool        `json:"degraded"`
	} `json:"decides"`
	Answers bool   `json:"answers"`
	Fails   string `json:"fails"`
	TakesUs int64  `json:"takes_us"`
}

type caseDenial struct {
	Bucket       *string `json:"bucket"`
	Limit        *uint32 `json:"limit"`
	RetryAfterUs *uint64 `json:"retry_after_us"`
	EmptyAfterUs *uint64 `json:"empty_after_us"`
}

type caseCharge struct {
	Bucket     string   `json:"bucket"`
	Identities []string `json:"identities"`
	Cost       *uint32  `json:"cost"`
	LeaseID    *string  `json:"lease_id"`
}

type caseStep struct {
	AtUs     int64          `json:"at_us"`
	Check    [][]caseCharge `json:"check"`
	Refund   []caseCharge   `json:"refund"`
	Rules    []caseRow      `json:"rules"`
	Probe    bool           `json:"probe"`
	Times    int            `json:"times"`
	EveryUs  int64          `json:"every_us"`
	First    int            `json:"first"`
	Together bool           `json:"together"`
	Server   *caseServer    `json:"server"`
	Expect   caseExpect     `json:"expect"`
}

type caseExpect struct {
	// Denial is absent, null or a denial.
	Denial           json.RawMessage `json:"denial"`
	Error            string          `json:"error"`
	Called           *bool           `json:"called"`
	Breaker          string          `json:"breaker"`
	Remembered       *int            `json:"remembered"`
	RememberedAtMost *int            `json:"remembered_at_most"`
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(casesFolder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("SKIPPED: no cases in %s", casesFolder)
	}
	for _, file := range files {
		var cases []testCase
		readStrictly(t, file, &cases)
		for _, of := range cases {
			t.Run(of.Name, func(t *testing.T) { runCase(t, of) })
		}
	}
}

func readStrictly(t *testing.T, file string, into any) {
	t.Helper()
	text, err := fs.ReadFile(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func runCase(t *testing.T, of testCase) {
	server := &scriptedServer{always: of.Server, rows: of.Buckets}
	o := newOptions([]Option{WithReplicas(of.Replicas)})
	o.now = server.now
	client, err := newIdleClient(server, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, step := range of.Steps {
		server.begin(step)
		at := fmt.Sprintf("step %d at %d us", i, step.AtUs)
		switch {
		case step.Rules != nil:
			server.rows = step.Rules
			if err := client.refresh(context.Background()); err != nil {
				t.Fatalf("%s: %v", at, err)
			}
		case step.Probe:
			client.probe(context.Background())
		default:
			takeStep(t, at, client, server, step)
		}
		expectAfter(t, at, client, server, step.Expect)
	}
	if server.unscripted != 0 {
		t.Errorf("%d calls without an answer", server.unscripted)
	}
}

// takeStep makes a check or a refund as often as the step says.
func takeStep(t *testing.T, at string, client *Client, server *scriptedServer, step caseStep) {
	times := max(1, step.Times)
	if !step.Together {
		for n := range times {
			if n > 0 {
				server.move(step.EveryUs)
			}
			calls := server.calls()
			denial, err := act(client, step, step.First+n)
			expectOne(t, fmt.Sprintf("%s, %d", at, n), step.Expect, denial, err, server.calls() > calls)
		}
		return
	}
	if step.Expect.Called == nil || *step.Expect.Called {
		server.hold(times)
	}
	var all sync.WaitGroup
	for n := range times {
		all.Go(func() {
			denial, err := act(client, step, step.First+n)
			expectOne(t, fmt.Sprintf("%s, %d", at, n), step.Expect, denial, err, server.gate != nil)
		})
	}
	all.Wait()
}

func act(client *Client, step caseStep, n int) (*Denial, error) {
	if step.Refund != nil {
		return nil, client.refund(context.Background(), chargesOf(step.Refund, n))
	}
	sets := make([]*ratelimitv1.ChargeSet, len(step.Check))
	for i, set := range step.Check {
		sets[i] = &ratelimitv1.ChargeSet{Charges: chargesOf(set, n)}
	}
	return client.check(context.Background(), sets)
}

func chargesOf(charges []caseCharge, n int) []*ratelimitv1.Charge {
	messages := make([]*ratelimitv1.Charge, len(charges))
	for i, charge := range charges {
		identities := make([]string, len(charge.Identities))
		for j, identity := range charge.Identities {
			identities[j] = strings.ReplaceAll(identity, "{n}", fmt.Sprint(n))
		}
		messages[i] = &ratelimitv1.Charge{Bucket: charge.Bucket, Identities: identities, Cost: charge.Cost, LeaseId: charge.LeaseID}
	}
	return messages
}

func expectOne(t *testing.T, at string, expect caseExpect, denial *Denial, err error, called bool) {
	t.Helper()
	code := ""
	if err != nil {
		code = statusName(status.Code(err))
	}
	if code != expect.Error {
		t.Errorf("%s: error %v, want %q", at, err, expect.Error)
	}
	if expect.Called != nil && called != *expect.Called {
		t.Errorf("%s: called %v, want %v", at, called, *expect.Called)
	}
	if expect.Denial == nil {
		return
	}
	var want *caseDenial
	if err := json.Unmarshal(expect.Denial, &want); err != nil {
		t.Fatal(err)
	}
	if !want.matches(denial) {
		t.Errorf("%s: denial %+v, want %s", at, denial, expect.Denial)
	}
}

func (want *caseDenial) matches(denial *Denial) bool {
	if want == nil || denial == nil {
		return want == nil && denial == nil
	}
	return (want.Bucket == nil || *want.Bucket == denial.Bucket) &&
		(want.Limit == nil || *want.Limit == denial.Limit) &&
		(want.RetryAfterUs == nil || micros(*want.RetryAfterUs) == denial.RetryAfter) &&
		(want.EmptyAfterUs == nil || micros(*want.EmptyAfterUs) == denial.EmptyAfter)
}

func expectAfter(t *testing.T, at string, client *Client, server *scriptedServer, expect caseExpect) {
	t.Helper()
	state := map[bool]string{true: "open", false: "closed"}[client.breaker.IsOpen()]
	if expect.Breaker != "" && state != expect.Breaker {
		t.Errorf("%s: the breaker is %s, want %s", at, state, expect.Breaker)
	}
	remembered := client.denials.Count(server.now())
	if expect.Remembered != nil && remembered != *expect.Remembered {
		t.Errorf("%s: %d remembered, want %d", at, remembered, *expect.Remembered)
	}
	if expect.RememberedAtMost != nil && remembered > *expect.RememberedAtMost {
		t.Errorf("%s: %d remembered, want at most %d", at, remembered, *expect.RememberedAtMost)
	}
}

// scriptedServer answers as the current step says, and has the case's clock.
type scriptedServer struct {
	always     *caseServer
	rows       []caseRow
	mu         sync.Mutex
	clock      int64
	answer     *caseServer
	called     int
	unscripted int
	// Calls of a step `together` wait for each other, and fail with one error.
	awaited int
	gate    chan struct{}
	failure error
}

func (s *scriptedServer) now() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock
}

func (s *scriptedServer) move(us int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock += us
}

func (s *scriptedServer) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.called
}

func (s *scriptedServer) begin(step caseStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = max(s.clock, step.AtUs)
	s.answer, s.gate, s.failure = step.Server, nil, nil
	if s.answer == nil && !step.Probe {
		s.answer = s.always
	}
}

func (s *scriptedServer) hold(calls int) {
	s.awaited, s.gate, s.failure = calls, make(chan struct{}), nil
	if s.answer != nil && s.answer.Fails != "" {
		s.failure = failure(s.answer.Fails)
	}
}

func (s *scriptedServer) arrived() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited--
	if s.awaited == 0 {
		close(s.gate)
	}
}

// call returns the error of a call, if the step has one.
func (s *scriptedServer) call() error {
	if s.gate != nil {
		s.arrived()
		<-s.gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.called++
	switch {
	case s.answer == nil:
		s.unscripted++
		return status.Error(codes.Internal, "this step has no answer")
	case s.failure != nil:
		return s.failure
	case s.answer.Fails != "":
		s.clock += s.answer.TakesUs
		return failure(s.answer.Fails)
	}
	s.clock += s.answer.TakesUs
	return nil
}

func failure(name string) error {
	code := codeNamed(name)
	if code == codes.Unavailable || code == codes.DeadlineExceeded {
		return &stream.Outage{Code: code, Cause: "the step fails"}
	}
	return status.Error(code, "the step fails")
}

func (s *scriptedServer) Check(context.Context, []*ratelimitv1.ChargeSet) (*ratelimitv1.CheckResponse, error) {
	if err := s.call(); err != nil {
		return nil, err
	}
	decision := s.answer.Decides
	response := &ratelimitv1.CheckResponse{Degraded: decision.Degraded}
	if denied := decision.Denial; denied != nil {
		response.Denial = &ratelimitv1.Denial{
			Bucket: *denied.Bucket, Limit: *denied.Limit, RetryAfterUs: *denied.RetryAfterUs, EmptyAfterUs: *denied.EmptyAfterUs,
		}
	}
	return response, nil
}

func (s *scriptedServer) Refund(context.Context, []*ratelimitv1.Charge) error { return s.call() }

func (s *scriptedServer) Peek(context.Context, []*ratelimitv1.Charge) (*ratelimitv1.PeekResponse, error) {
	return &ratelimitv1.PeekResponse{}, s.call()
}

// ListBuckets serves the rows. As a probe it fails if the step says so.
func (s *scriptedServer) ListBuckets(context.Context) (*ratelimitv1.ListBucketsResponse, error) {
	if s.answer != nil && s.answer.Fails != "" {
		return nil, failure(s.answer.Fails)
	}
	text, err := json.Marshal(s.rows)
	response := &ratelimitv1.ListBucketsResponse{Revision: string(text)}
	for _, row := range s.rows {
		kind := ratelimitv1.LimitKind(ratelimitv1.LimitKind_value["LIMIT_KIND_"+strings.ToUpper(row.Kind)])
		response.Buckets = append(response.Buckets, &ratelimitv1.Bucket{
			Name: row.Name, Limit: row.Limit, WindowSeconds: row.WindowSeconds, Key: row.Key, Aliases: row.Aliases, Kind: &kind,
			Policy: ratelimitv1.FailurePolicy(ratelimitv1.FailurePolicy_value["FAILURE_POLICY_"+strings.ToUpper(row.Policy)]),
		})
	}
	return response, err
}

func (s *scriptedServer) Healthy(context.Context) error { return nil }
func (s *scriptedServer) Recovered()                    {}
func (s *scriptedServer) Close()                        {}

// codeNamed returns a code by its name in the protocol, such as INVALID_ARGUMENT.
func codeNamed(name string) codes.Code {
	var code codes.Code
	if err := code.UnmarshalJSON([]byte(`"` + name + `"`)); err != nil {
		panic(err)
	}
	return code
}

func statusName(code codes.Code) string {
	for name := range strings.FieldsSeq("INVALID_ARGUMENT PERMISSION_DENIED UNAUTHENTICATED RESOURCE_EXHAUSTED UNIMPLEMENTED INTERNAL UNAVAILABLE DEADLINE_EXCEEDED") {
		if codeNamed(name) == code {
			return name
		}
	}
	return code.String()
}
