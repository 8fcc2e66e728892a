/** The models port: text, images, vision and embeddings, without naming who makes them. */
import type * as z from 'zod';

/** A kind of model that a tool can be nothing without. */
export type ModelKind = 'text' | 'image';

/** What a model call needs of the call that it serves; a tool's context is one. */
export interface ModelCall {
  /** Aborts when the caller goes away: the provider is told to stop. */
  signal: AbortSignal;
  /** Charges tokens to the caller, as the provider counts them, estimated where it does not. */
  spend(tokens: number): void;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface TextRequest<T = undefined> {
  /** What the model is to do. The caller's text never stands here. */
  system: string;
  messages: readonly ChatMessage[];
  /** Bound of the answer, in tokens. */
  maxTokens: number;
  /** The answer is JSON of this schema. */
  schema?: z.ZodType<T>;
}

/** `length`: the answer was cut off at its bound. */
export type FinishReason = 'stop' | 'length';

export interface TextAnswer<T = undefined> {
  text: string;
  /** The answer as the request's schema has it; undefined without a schema. */
  value: T;
  /** Who answered: `workers-ai` or `openai`. */
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
  /** In whatever format the provider makes. */
  bytes: Uint8Array;
  provider: string;
  /** Whether the provider took the negative prompt. */
  negativePromptUsed: boolean;
}

export interface EmbedAnswer {
  vectors: number[][];
  provider: string;
  /** Vectors of different models must not be compared. */
  model: string;
}

/**
 * Providers are asked in the configured order; errors, time-outs and empty answers go on to the next one, all within
 * 60 seconds. Throws a ToolError: 501 where no provider is configured, 422 where one refuses for safety, and when all
 * have failed 503 (one limits us), 504 (one did not answer in time) or 502.
 */
export interface ModelsPort {
  /** The text models in their order: answers kept under another value are of other models. Empty where there is none. */
  readonly textModels: string;
  /** Throws 501 where no model of this kind is configured. */
  require(kind: ModelKind): void;
  text<T = undefined>(request: TextRequest<T>, call: ModelCall): Promise<TextAnswer<T>>;
  /** As `text`, about an image. */
  vision<T = undefined>(
    request: TextRequest<T> & { image: ModelImage },
    call: ModelCall,
  ): Promise<TextAnswer<T>>;
  image(request: ImageRequest, call: ModelCall): Promise<ImageAnswer>;
  embed(texts: readonly string[], call: ModelCall): Promise<EmbedAnswer>;
}
