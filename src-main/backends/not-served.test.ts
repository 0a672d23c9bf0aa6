// What a model of a backend that this server does not have is told it needs.

import { expect, it } from 'vitest';
import { notServedBackends } from './not-served.ts';

const needs = (name: string): string | undefined =>
  notServedBackends.find((backend) => backend.name === name)?.needs;

it('sends a vLLM model to the backend of its own, which this server runs once it is there', () => {
  expect(needs('vllm')).toMatch(/under --backend-directory.*`python3 -m pip install vllm`/);
});

it('sends others to a Triton server', () => {
  for (const name of ['tensorrtllm', 'fil']) expect(needs(name)).toContain('keep it on a Triton server');
});
