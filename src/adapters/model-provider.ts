/** The interface of a model provider, and its failures. */
import type { ChatMessage, FinishReason, ImageRequest, ModelImage } from '../core/models-port.ts';

/** `simple`: text by a small model. A provider may have none. */
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

/** Receives an answer as it arrives, so that an aborted or useless one can be charged. */
export interface AnswerSink {
  /** Receives every piece of the answer. */
  receive(piece: string): void;
  /** Tokens in and out, if the provider counted them. */
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

/** Methods throw ModelFailure. Any other error counts as `failed`. */
export interface ModelProvider {
  readonly name: string;
  /** The models to try, in order; empty if the provider has none of this kind. */
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

/** `limited`: the provider is rate-limiting us. `refused`: it refuses for safety; the message is its reason. */
export type FailureKind = 'failed' | 'limited' | 'timeout' | 'refused';

export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** Seconds, if the provider reports them. */
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** An upper bound for the average token length of a text, in any language. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** The limit of a JSON answer, which cannot be cut. */
const MAX_JSON_CHARACTERS = 4 * 2 ** 20;

/** The number of characters after which an answer is not read, for servers without a token limit. */
export const mostCharacters = ({ schema, maxTokens }: ChatRequest): number =>
  schema ? MAX_JSON_CHARACTERS : maxTokens * MAX_CHARACTERS_PER_TOKEN;
