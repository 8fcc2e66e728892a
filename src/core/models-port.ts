/** Defines the models port, which offers text, images, vision and embeddings independently of the provider. */
import type * as z from 'zod';

/** A kind of model that a tool may require. */
export type ModelKind = 'text' | 'image';

/** The part of a tool's context that a call to a model needs. */
export interface ModelCall {
  /** Aborts when the caller disconnects. The request to the provider is then cancelled. */
  signal: AbortSignal;
  /**
   * Charges tokens to the caller. `tokens` is the number that the provider reports, or an estimate if it reports none.
   */
  spend(tokens: number): void;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface TextRequest<T = undefined> {
  /** The instructions. They never contain the caller's text. */
  system: string;
  messages: readonly ChatMessage[];
  /** The maximum number of output tokens. */
  maxTokens: number;
  /** The JSON schema that the model's response must match, if any. */
  schema?: z.ZodType<T>;
  /** Whether small models are tried first, because the request needs no knowledge or reasoning. */
  simple?: boolean;
}

/** The reason why the model stopped. `length` means that the text was cut off at the token limit. */
export type FinishReason = 'stop' | 'length';

export interface TextAnswer<T = undefined> {
  text: string;
  /** The parsed response. Undefined if the request has no schema. */
  value: T;
  /** The provider that responded: `workers-ai` or `openai`. */
  provider: string;
  finishReason: FinishReason;
}

export interface ModelImage {
  bytes: Uint8Array;
  contentType: string;
}

export interface ImageRequest {
  prompt: string;
  negativePrompt?: string;
}

export interface ImageAnswer {
  /** The image in the provider's format. */
  bytes: Uint8Array;
  provider: string;
  /** Whether the provider used the negative prompt. */
  negativePromptUsed: boolean;
}

export interface EmbedAnswer {
  vectors: number[][];
  provider: string;
  /** The name of the model. Vectors from different models cannot be compared. */
  model: string;
}

/**
 * Tries the providers in the configured order within 60 seconds. After an error, a timeout or an empty response, it
 * tries the next one. Throws a ToolError: 501 if no provider is configured, and 422 if one refuses the request for
 * safety reasons. If all providers fail, it throws 503 if one is rate-limiting us, 504 if one did not respond in time,
 * and 502 otherwise.
 */
export interface ModelsPort {
  /** The names of the text models in order, which are part of the cache key of responses. Empty if there are none. */
  readonly textModels: string;
  /** Whether a model of this kind is configured. */
  isConfigured(kind: ModelKind): boolean;
  /** Throws 501 if no model of this kind is configured. */
  require(kind: ModelKind): void;
  text<T = undefined>(request: TextRequest<T>, call: ModelCall): Promise<TextAnswer<T>>;
  /** Like `text`, but with an image in the prompt. */
  vision<T = undefined>(
    request: TextRequest<T> & { image: ModelImage },
    call: ModelCall,
  ): Promise<TextAnswer<T>>;
  image(request: ImageRequest, call: ModelCall): Promise<ImageAnswer>;
  embed(texts: readonly string[], call: ModelCall): Promise<EmbedAnswer>;
}
