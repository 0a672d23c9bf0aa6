// grpc-go against a server: sizes around those of frames and windows, many calls at once, streams that are read late, calls
// that are given up, metadata, compression, short connections, pings of an idle connection.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	service = "/inference.GRPCInferenceService/"
	largest = 1 << 28
	limit   = 60 * time.Second
)

type client struct{ connection *grpc.ClientConn }

func dial(address string) client {
	connection, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(largest), grpc.MaxCallSendMsgSize(largest)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second, PermitWithoutStream: true}))
	if err != nil {
		panic(err)
	}
	return client{connection}
}

func (c client) call(ctx context.Context, method string, request *[]byte, options ...grpc.CallOption) ([]byte, error) {
	var response []byte
	err := c.connection.Invoke(ctx, service+method, request, &response, options...)
	return response, err
}

// echoes sends that many random values and wants them back.
func (c client) echoes(ctx context.Context, values int, options ...grpc.CallOption) error {
	raw := make([]byte, 4*values)
	rand.Read(raw)
	response, err := c.call(ctx, "ModelInfer", inferRequest("echo", raw), options...)
	if err != nil {
		return err
	}
	got, err := rawOutput(response)
	if err == nil && !bytes.Equal(got, raw) {
		err = fmt.Errorf("%d other bytes came back for %d", len(got), len(raw))
	}
	return err
}

func (c client) stream(ctx context.Context) (grpc.ClientStream, error) {
	return c.connection.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, service+"ModelStreamInfer")
}

// streams sends requests, waits, and wants an answer to each.
func (c client) streams(ctx context.Context, count, values int, wait time.Duration) error {
	stream, err := c.stream(ctx)
	if err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() {
		for range count {
			if err := stream.SendMsg(inferRequest("echo", make([]byte, 4*values))); err != nil {
				sent <- err
				return
			}
		}
		sent <- stream.CloseSend()
	}()
	time.Sleep(wait)
	for received := 0; ; received++ {
		var response []byte
		err := stream.RecvMsg(&response)
		if errors.Is(err, io.EOF) {
			if received != count {
				return fmt.Errorf("%d answers to %d requests", received, count)
			}
			return <-sent
		}
		if err == nil {
			response, err = streamed(response)
		}
		if err == nil {
			_, err = rawOutput(response)
		}
		if err != nil {
			return fmt.Errorf("answer %d: %w", received+1, err)
		}
	}
}

func atOnce(workers int, work func(worker int) error) error {
	faults := make(chan error, workers)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() { faults <- work(worker) })
	}
	all.Wait()
	close(faults)
	var found []error
	for fault := range faults {
		if fault != nil {
			found = append(found, fault)
		}
	}
	return errors.Join(found[:min(len(found), 3)]...)
}

// endsWith wants the call to fail with that code.
func endsWith(want codes.Code, err error) error {
	if status.Code(err) != want {
		return fmt.Errorf("%v instead of %v", err, want)
	}
	return nil
}

func main() {
	address := os.Args[1]
	c := dial(address)
	ctx, end := context.WithTimeout(context.Background(), limit)
	defer end()
	failed := 0
	check := func(name string, fault error) {
		if fault == nil {
			fmt.Println("ok grpc-go:", name)
			return
		}
		failed++
		fmt.Printf("FAILED grpc-go: %s: %v\n", name, fault)
	}
	for _, values := range []int{0, 1, 4095, 4096, 16383, 16384, 65536, 1 << 20, 1 << 22} {
		check(fmt.Sprintf("%d values there and back", values), c.echoes(ctx, values))
	}
	check("a compressed request", c.echoes(ctx, 100_000, grpc.UseCompressor("gzip")))
	check("7 kB of metadata", c.echoes(metadata.AppendToOutgoingContext(ctx, "x-long", strings.Repeat("a", 7000), "x-raw-bin", "\x00\xff"), 1))
	check("10,000 calls, 200 at once", atOnce(200, func(worker int) error {
		for turn := range 50 {
			if err := c.echoes(ctx, 1+worker*turn%5000); err != nil {
				return err
			}
		}
		return nil
	}))
	check("8 MiB in each of 8 calls at once", atOnce(8, func(int) error { return c.echoes(ctx, 1<<21) }))
	check("500 requests on a stream", c.streams(ctx, 500, 100, 0))
	check("answers of 40 MiB that are read a second late", c.streams(ctx, 40, 1<<18, time.Second))
	check("many streams at once", atOnce(50, func(int) error { return c.streams(ctx, 50, 1000, 0) }))

	short, giveUp := context.WithTimeout(ctx, 100*time.Millisecond)
	_, err := c.call(short, "ModelInfer", inferRequest("slow", make([]byte, 16)))
	giveUp()
	check("a deadline", endsWith(codes.DeadlineExceeded, err))
	check("300 calls that are given up", atOnce(300, func(worker int) error {
		given, giveUp := context.WithTimeout(ctx, time.Duration(1+worker%7)*time.Millisecond)
		defer giveUp()
		_, err := c.call(given, "ModelInfer", inferRequest("slow", make([]byte, 40_000)))
		return endsWith(codes.DeadlineExceeded, err)
	}))
	check("a call after them", c.echoes(ctx, 10))
	given, giveUp := context.WithCancel(ctx)
	stream, err := c.stream(given)
	if err == nil {
		err = stream.SendMsg(inferRequest("slow", make([]byte, 16)))
	}
	giveUp()
	if err == nil {
		var response []byte
		err = stream.RecvMsg(&response)
	}
	check("a stream that is given up", endsWith(codes.Canceled, err))

	_, err = c.call(ctx, "ModelInfer", inferRequest("nobody", nil))
	check("a model that is not there", endsWith(codes.NotFound, err))
	_, err = c.call(ctx, "Nothing", &[]byte{})
	check("a method that is not there", endsWith(codes.Unimplemented, err))
	check("100 short connections", atOnce(10, func(int) error {
		for range 10 {
			other := dial(address)
			err := other.echoes(ctx, 3)
			other.connection.Close()
			if err != nil {
				return err
			}
		}
		return nil
	}))
	time.Sleep(11 * time.Second)
	check("a call after the pings of an idle connection", c.echoes(ctx, 10))
	if failed > 0 {
		os.Exit(1)
	}
}
