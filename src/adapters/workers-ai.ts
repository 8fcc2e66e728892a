/** Implements a model provider with Cloudflare Workers AI, through its binding. */
import type { ImageRequest } from '../core/models-port.ts';
import { readBounded } from '../lib/body.ts';
import { chatMessages } from './chat-messages.ts';
import {
  type AnswerSink,
  type ChatRequest,
  type ChatResult,
  type EmbedResult,
  type ImageResult,
  type Modality,
  ModelFailure,
  type ModelProvider,
  mostCharacters,
} from './model-provider.ts';
import { ChatReading, type Completion, readStream } from './openai-reading.ts';

const STABLE_DIFFUSION = '@cf/stabilityai/stable-diffusion-xl-base-1.0';

/** The models for each kind of request, in order. Of the image models, only the last one accepts a negative prompt. */
const MODELS: Record<Modality, readonly string[]> = {
  simple: ['@cf/meta/llama-3.1-8b-instruct-fp8-fast'],
  text: ['@cf/meta/llama-3.3-70b-instruct-fp8-fast'],
  image: ['@cf/black-forest-labs/flux-1-schnell', STABLE_DIFFUSION],
  vision: ['@cf/meta/llama-4-scout-17b-16e-instruct'],
  embed: ['@cf/baai/bge-m3'],
};

const MAX_IMAGE_BYTES = 24 * 2 ** 20;

/** The part of the `AI` binding that this adapter uses. */
export interface AiBinding {
  run(
    model: string,
    inputs: Record<string, unknown>,
    options: { signal: AbortSignal },
  ): Promise<unknown>;
}

export class WorkersAi implements ModelProvider {
  readonly name = 'workers-ai';
  readonly #binding: AiBinding;

  constructor(binding: AiBinding) {
    this.#binding = binding;
  }

  models(modality: Modality): readonly string[] {
    return MODELS[modality];
  }

  async chat(
    model: string,
    request: ChatRequest,
    signal: AbortSignal,
    sink: AnswerSink,
  ): Promise<ChatResult> {
    const { maxTokens } = request;
    const reading = new ChatReading(sink, mostCharacters(request));
    const answer = await this.#run(model, chatInputs(request), signal);
    if (answer instanceof ReadableStream) {
      // The binding may ignore the signal, so the pipe ends the stream on abort.
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      answer.pipeTo(writable, { signal }).catch(() => {});
      await readStream(readable, reading);
    } else {
      reading.take(answer as Completion);
    }
    return reading.result(maxTokens);
  }

  async image(
    model: string,
    { prompt, negativePrompt }: ImageRequest,
    signal: AbortSignal,
  ): Promise<ImageResult> {
    const negativePromptUsed = model === STABLE_DIFFUSION && negativePrompt !== undefined;
    const inputs = { prompt, ...(negativePromptUsed && { negative_prompt: negativePrompt }) };
    const bytes = await imageOf(await this.#run(model, inputs, signal));
    return { bytes, negativePromptUsed, tokens: undefined };
  }

  async embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<EmbedResult> {
    const answer = (await this.#run(model, { text: texts }, signal)) as { data?: number[][] };
    return { vectors: answer.data ?? [], tokens: undefined };
  }

  async #run(
    model: string,
    inputs: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#binding.run(model, inputs, { signal });
    } catch (error) {
      throw failureOf(error);
    }
  }
}

function chatInputs(request: ChatRequest) {
  const { maxTokens, schema } = request;
  return {
    messages: chatMessages(request),
    max_tokens: maxTokens,
    // Workers AI does not support streams in JSON mode.
    ...(schema
      ? { response_format: { type: 'json_schema', json_schema: schema } }
      : { stream: true }),
  };
}

/** Decodes an image that arrives either as Base64 in JSON or as bytes. */
async function imageOf(answer: unknown): Promise<Uint8Array> {
  if (answer instanceof ReadableStream) return readBounded(answer, MAX_IMAGE_BYTES);
  if (answer instanceof Uint8Array) return answer;
  if (answer instanceof ArrayBuffer) return new Uint8Array(answer);
  const { image } = (answer ?? {}) as { image?: unknown };
  if (typeof image !== 'string') throw new ModelFailure('failed', 'no image in the answer');
  return Uint8Array.fromBase64(image);
}

/** Classifies an error by the code in its message (https://developers.cloudflare.com/workers-ai/platform/errors/). */
function failureOf(error: unknown): ModelFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (/nsfw|flagged|safety/i.test(message)) return new ModelFailure('refused', reasonIn(message));
  const code = /^(?:\w*Error: )*(\d{3,4})\b/.exec(message)?.[1] ?? '';
  if (['3036', '3040', '429'].includes(code)) return new ModelFailure('limited', message);
  if (['3007', '3008', '408'].includes(code)) return new ModelFailure('timeout', message);
  return new ModelFailure('failed', message);
}

/** Returns the message without the error names and codes at its beginning. */
const reasonIn = (message: string) => message.replace(/^(?:\w*Error: |\d{4}: )+/, '').slice(0, 300);
