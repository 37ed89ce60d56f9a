"""Calls to ratelimit, over grpcio's channels and over those of grpc.aio."""
