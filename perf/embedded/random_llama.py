#!/usr/bin/env python3
"""Writes a GGUF file with random weights in the shape of a 7B Llama, to measure speed with.

    perf/embedded/random_llama.py SMALL.gguf OUT.gguf [--layers 32]

The tokenizer is that of SMALL.gguf, any Llama model. Weights are 16-bit floats (13 GB with 32 layers).
Needs the Python packages gguf and numpy; llama.cpp's source has gguf in its folder gguf-py.
"""

import argparse

import gguf
import numpy

WIDTH, HEADS, INNER, CONTEXT = 4096, 32, 11008, 4096


def copy_tokenizer(reader, writer):
    for name, field in reader.fields.items():
        if not name.startswith("tokenizer."):
            continue
        kind = field.types[0]
        if kind == gguf.GGUFValueType.ARRAY:
            writer.add_array(name, field.contents())
        else:
            writer.add_key_value(name, field.contents(), kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("small")
    parser.add_argument("out")
    parser.add_argument("--layers", type=int, default=32)
    arguments = parser.parse_args()
    reader = gguf.GGUFReader(arguments.small)
    tokens = len(reader.fields["tokenizer.ggml.tokens"].data)
    writer = gguf.GGUFWriter(arguments.out, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(arguments.layers)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(tokens)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    copy_tokenizer(reader, writer)

    # One long row of random numbers; each matrix begins somewhere else in it.
    random = numpy.random.default_rng(7)
    row = (random.standard_normal(1 << 26, dtype=numpy.float32) * 0.02).astype(numpy.float16)

    def matrix(name, *shape):
        count = int(numpy.prod(shape))
        start = int(random.integers(0, len(row)))
        values = numpy.resize(numpy.roll(row, start), count).reshape(shape)
        writer.add_tensor(name, values)

    def ones(name):
        writer.add_tensor(name, numpy.ones(WIDTH, dtype=numpy.float32))

    matrix("token_embd.weight", tokens, WIDTH)
    for layer in range(arguments.layers):
        ones(f"blk.{layer}.attn_norm.weight")
        ones(f"blk.{layer}.ffn_norm.weight")
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            matrix(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
        matrix(f"blk.{layer}.ffn_gate.weight", INNER, WIDTH)
        matrix(f"blk.{layer}.ffn_up.weight", INNER, WIDTH)
        matrix(f"blk.{layer}.ffn_down.weight", WIDTH, INNER)
    ones("output_norm.weight")
    matrix("output.weight", tokens, WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
