// A gRPC server whose calls are limited by ratelimit. It serves grpc.health.v1, which every gRPC tool can call.
package main

import (
	"cmp"
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"gatehouse.dev/ratelimit"
)

func main() {
	client, err := ratelimit.Dial(cmp.Or(os.Getenv("RATELIMIT_ADDRESS"), "127.0.0.1:8081"), ratelimit.WithLogger(slog.Default()))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	limits := limiter{client, "auth:register"}
	server := grpc.NewServer(grpc.UnaryInterceptor(limits.unary), grpc.StreamInterceptor(limits.stream))
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	reflection.Register(server)

	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("LISTEN"), "127.0.0.1:8091"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(server.Serve(listener))
}
