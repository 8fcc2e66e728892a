/** The interface of a model provider, and its failures. */
import type { ChatMessage, FinishReason, ImageRequest, ModelImage } from '../core/models-port.ts';

/** `simple` is text from a small model, which a provider may not have. */
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
  /** The tokens in and out, if the provider counted them. */
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
  /** Returns the models to try, in order. Empty if the provider has none of this kind. */
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

/** `limited`: the provider is rate-limiting us. `refused`: it refuses for safety, and the message is its reason. */
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

/** An upper bound for the average token length of a text, in any language. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** The size limit of a JSON answer, which would be invalid if cut. */
const MAX_JSON_CHARACTERS = 4 * 2 ** 20;

/** The number of characters after which reading stops, for servers without a token limit. */
export const mostCharacters = ({ schema, maxTokens }: ChatRequest): number =>
  schema ? MAX_JSON_CHARACTERS : maxTokens * MAX_CHARACTERS_PER_TOKEN;
