/**
 * Implements a model provider for servers with an OpenAI-compatible API, such as OpenAI, Ollama, llama.cpp, vLLM or a
 * gateway.
 */
import type { ImageRequest } from '../core/models-port.ts';
import { isJsonType, mediaTypeOf, readBounded } from '../lib/body.ts';
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
import { failureOfResponse, fieldInDispute } from './openai-errors.ts';
import { ChatReading, type Completion, readStream, usedTokens } from './openai-reading.ts';

const MAX_TEXT_BYTES = 4 * 2 ** 20;
/**
 * The maximum size of an image in bytes. A 4-megapixel PNG in Base64 is smaller. Decoding an image of this size uses
 * several times as much isolate memory.
 */
const MAX_IMAGE_BYTES = 12 * 2 ** 20;
/**
 * The maximum number of times that a call's body is adapted. Servers accept different fields, and each rejected field
 * costs another request.
 */
const MAX_ADAPTATIONS = 3;

export interface OpenAiSettings {
  /** The server's base URL, with `/v1` and without a trailing slash. */
  baseUrl: string;
  apiKey: string | undefined;
  models: Partial<Record<Modality, string>>;
}

type Body = Record<string, unknown>;

export class OpenAiCompatible implements ModelProvider {
  readonly name = 'openai';
  readonly #settings: OpenAiSettings;

  constructor(settings: OpenAiSettings) {
    this.#settings = settings;
  }

  models(modality: Modality): string[] {
    const model = this.#settings.models[modality];
    return model ? [model] : [];
  }

  async chat(
    model: string,
    request: ChatRequest,
    signal: AbortSignal,
    sink: AnswerSink,
  ): Promise<ChatResult> {
    const response = await this.#post('/chat/completions', chatBody(model, request), signal);
    const reading = new ChatReading(sink, mostCharacters(request));
    if (typeOf(response) === 'text/event-stream' && response.body) {
      await readStream(response.body, reading);
    } else {
      reading.take((await jsonOf(response, MAX_TEXT_BYTES)) as Completion);
    }
    return reading.result();
  }

  async image(model: string, { prompt }: ImageRequest, signal: AbortSignal): Promise<ImageResult> {
    const body = { model, prompt, n: 1, response_format: 'b64_json' };
    const response = await this.#post('/images/generations', body, signal);
    const answer = (await jsonOf(response, MAX_IMAGE_BYTES)) as {
      data?: { b64_json?: string; url?: string }[];
      usage?: Completion['usage'];
    };
    const [drawn] = answer.data ?? [];
    const bytes = drawn?.b64_json
      ? Uint8Array.fromBase64(drawn.b64_json)
      : await this.#download(drawn?.url, signal);
    return { bytes, negativePromptUsed: false, tokens: usedTokens(answer.usage) };
  }

  async embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<EmbedResult> {
    const response = await this.#post('/embeddings', { model, input: texts }, signal);
    const answer = (await jsonOf(response, MAX_TEXT_BYTES)) as {
      data?: { index: number; embedding: number[] }[];
      usage?: Completion['usage'];
    };
    const vectors = (answer.data ?? [])
      .sort((one, other) => one.index - other.index)
      .map(({ embedding }) => embedding);
    return { vectors, tokens: usedTokens(answer.usage) };
  }

  /**
   * Posts the body. If the server refuses a field, posts the body again without the field or with another name for it.
   */
  async #post(path: string, body: Body, signal: AbortSignal): Promise<Response> {
    let sent = body;
    for (let adaptations = 0; ; adaptations += 1) {
      const response = await this.#send(path, sent, signal);
      if (response.ok) return response;
      const text = new TextDecoder().decode(await readBounded(response.body, MAX_TEXT_BYTES));
      const adapted =
        adaptations < MAX_ADAPTATIONS ? fieldInDispute(response.status, text, sent) : null;
      if (!adapted) throw failureOfResponse(response, text);
      sent = adapted;
    }
  }

  #send(path: string, body: Body, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey } = this.#settings;
    return fetch(baseUrl + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey && { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // If a redirect were followed, the API key could be sent to another server.
      redirect: 'manual',
      signal,
    });
  }

  /** Downloads an image that the model server has stored. Throws if its URL is missing or has another origin. */
  async #download(url: string | undefined, signal: AbortSignal): Promise<Uint8Array> {
    const address = url ? URL.parse(url) : null;
    if (address?.origin !== new URL(this.#settings.baseUrl).origin) {
      throw new ModelFailure('failed', 'the image is not on the host of the model server');
    }
    const response = await fetch(address, { signal, redirect: 'manual' });
    if (!response.ok)
      throw new ModelFailure('failed', `the image request returned ${response.status}`);
    return readBounded(response.body, MAX_IMAGE_BYTES);
  }
}

function chatBody(model: string, request: ChatRequest): Body {
  const { maxTokens, schema } = request;
  return {
    model,
    messages: chatMessages(request),
    max_tokens: maxTokens,
    // Requests a stream, so that an abort stops the model and the call can still be charged.
    stream: true,
    stream_options: { include_usage: true },
    ...(schema && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema, strict: true },
      },
    }),
  };
}

const typeOf = (response: Response): string => mediaTypeOf(response.headers.get('Content-Type'));

async function jsonOf(response: Response, most: number): Promise<unknown> {
  const type = typeOf(response);
  if (!isJsonType(type)) {
    throw new ModelFailure('failed', `a response of type ${type || 'unknown'}`);
  }
  return JSON.parse(new TextDecoder().decode(await readBounded(response.body, most)));
}
