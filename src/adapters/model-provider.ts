/** What a provider of models is to src/adapters/models.ts, and how it fails. */
import type { ChatMessage, FinishReason, ImageRequest, ModelImage } from '../core/models-port.ts';

export type Modality = 'text' | 'image' | 'vision' | 'embed';

export interface ChatRequest {
  system: string;
  messages: readonly ChatMessage[];
  maxTokens: number;
  /** JSON Schema of the answer. */
  schema?: Record<string, unknown>;
  image?: ModelImage;
}

export interface ChatResult {
  text: string;
  finishReason: FinishReason;
}

/** Is told of an answer as it comes, so that one broken off or of no use can be charged. */
export interface Hearing {
  /** Every piece of the answer. */
  receive(piece: string): void;
  /** Tokens in and out, where the provider counted them. */
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

/** Every method throws ModelFailure, or anything else, which counts as `failed`. */
export interface ModelProvider {
  readonly name: string;
  /** The models to try, in order; empty where the provider has none of this kind. */
  models(modality: Modality): readonly string[];
  chat(
    model: string,
    request: ChatRequest,
    signal: AbortSignal,
    hearing: Hearing,
  ): Promise<ChatResult>;
  image(model: string, request: ImageRequest, signal: AbortSignal): Promise<ImageResult>;
  embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<EmbedResult>;
}

/** `limited`: we ask too often. `refused`: it will not, for safety; the message is its reason. */
export type FailureKind = 'failed' | 'limited' | 'timeout' | 'refused';

export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** Seconds, where the provider said. */
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfter?: number) {
    super(message);
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** Hardly a text has longer tokens on average, in any language. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** Of an answer by a schema, which is whole or nothing. */
const MAX_JSON_CHARACTERS = 4 * 2 ** 20;

/** Beyond which an answer is not read: for servers that know no bound. */
export const mostCharacters = ({ schema, maxTokens }: ChatRequest): number =>
  schema ? MAX_JSON_CHARACTERS : maxTokens * MAX_CHARACTERS_PER_TOKEN;
