package main

import (
	"fmt"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// The messages are written and read field by field, so that nothing has to be generated.

// rawCodec hands the bytes of messages on as they are.
type rawCodec struct{}

func (rawCodec) Marshal(message any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*message.(*[]byte))}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, message any) error {
	*message.(*[]byte) = data.Materialize()
	return nil
}

func (rawCodec) Name() string { return "proto" }

// inferRequest is a ModelInferRequest with one FP32 tensor of shape [len(raw) / 4].
func inferRequest(model string, raw []byte) *[]byte {
	var shape, input, request []byte
	shape = protowire.AppendVarint(nil, uint64(len(raw)/4))
	input = textField(input, 1, "INPUT0")
	input = textField(input, 2, "FP32")
	input = bytesField(input, 3, shape)
	request = textField(request, 1, model)
	request = bytesField(request, 5, input)
	request = bytesField(request, 7, raw)
	return &request
}

// rawOutput is the first of the raw_output_contents of a ModelInferResponse.
func rawOutput(response []byte) ([]byte, error) { return field(response, 6) }

// streamed is the ModelInferResponse within a ModelStreamInferResponse; its error_message is an error.
func streamed(response []byte) ([]byte, error) {
	if text, err := field(response, 1); err == nil && len(text) > 0 {
		return nil, fmt.Errorf("%s", text)
	}
	return field(response, 2)
}

func textField(to []byte, number protowire.Number, text string) []byte {
	return bytesField(to, number, []byte(text))
}

func bytesField(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
}

// field is the first field of that number that holds bytes.
func field(message []byte, wanted protowire.Number) ([]byte, error) {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		message = message[size:]
		if number == wanted && kind == protowire.BytesType {
			value, size := protowire.ConsumeBytes(message)
			return value, protowire.ParseError(min(size, 0))
		}
		size = protowire.ConsumeFieldValue(number, kind, message)
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		message = message[size:]
	}
	return nil, fmt.Errorf("no field %d", wanted)
}
