/** Defines the interface of a model provider and the failures that it throws. */
import type { ChatMessage, FinishReason, ImageRequest, ModelImage } from '../core/models-port.ts';

/** The kinds of models. `simple` is a small text model, which not every provider has. */
export type Modality = 'simple' | 'text' | 'image' | 'vision' | 'embed';

export interface ChatRequest {
  system: string;
  messages: readonly ChatMessage[];
  maxTokens: number;
  /** The JSON Schema of the answer. */
  schema?: Record<string, unknown>;
  image?: ModelImage;
}

export interface ChatResult {
  text: string;
  finishReason: FinishReason;
}

/** Receives a response in chunks, so that an aborted or unusable answer can also be charged. */
export interface AnswerSink {
  /** Receives the next piece of the answer. */
  receive(piece: string): void;
  /** Receives the number of input and output tokens, if the provider has counted them. */
  count(tokens: number | undefined): void;
}

export interface ImageResult {
  bytes: Uint8Array;
  negativePromptUsed: boolean;
  tokens: number | undefined;
}

export interface EmbedResult {
  vectors: number[][];
  tokens: number | undefined;
}

/** A model provider. Its methods throw ModelFailure. Any other error counts as `failed`. */
export interface ModelProvider {
  readonly name: string;
  /** Returns the models to try, in order. Returns an empty array if the provider has no model of this kind. */
  models(modality: Modality): readonly string[];
  chat(
    model: string,
    request: ChatRequest,
    signal: AbortSignal,
    sink: AnswerSink,
  ): Promise<ChatResult>;
  image(model: string, request: ImageRequest, signal: AbortSignal): Promise<ImageResult>;
  embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<EmbedResult>;
}

/**
 * The kinds of failures. `limited` means that the provider is rate-limiting us. `refused` means that it refuses the
 * request for safety reasons. The failure's message states them.
 */
export type FailureKind = 'failed' | 'limited' | 'timeout' | 'refused';

export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** The provider's Retry-After in seconds, if it reports one. */
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** An upper bound on the average number of characters per token, in any language. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** The maximum number of characters in a JSON response. A truncated response would be invalid JSON. */
const MAX_JSON_CHARACTERS = 4 * 2 ** 20;

/**
 * Returns the number of characters after which reading stops. This limit is needed for servers that do not apply the
 * token limit.
 */
export const mostCharacters = ({ schema, maxTokens }: ChatRequest): number =>
  schema ? MAX_JSON_CHARACTERS : maxTokens * MAX_CHARACTERS_PER_TOKEN;
