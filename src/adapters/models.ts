/**
 * Implements the models port with several providers, which are tried in order. Each provider has a time limit, and
 * tokens are charged to the caller.
 */
import * as z from 'zod';
import { currentRecord } from '../core/current-request.ts';
import {
  failed,
  type ToolError,
  unavailable,
  unsupported,
  upstreamFailed,
  upstreamTimedOut,
} from '../core/errors.ts';
import type {
  EmbedAnswer,
  ImageAnswer,
  ImageRequest,
  ModelCall,
  ModelImage,
  ModelKind,
  ModelsPort,
  TextAnswer,
  TextRequest,
} from '../core/models-port.ts';
import { readableKind } from '../lib/image-kind.ts';
import { log } from '../lib/log.ts';
import { embeddedJson, withoutThoughts } from './model-answer.ts';
import {
  type AnswerSink,
  type ChatResult,
  type Modality,
  ModelFailure,
  type ModelProvider,
} from './model-provider.ts';
import { withinTime } from './within-time.ts';
import { withinTokens } from './within-tokens.ts';

/** The number of bytes needed to detect an image's type. */
const HEAD_BYTES = 1024;
/** The total time limit for all providers in a call, in milliseconds (decisions.md, Configuration). */
const TIME_LIMIT_MS = 60_000;
const RETRY_SECONDS = 10;
/**
 * The estimated number of bytes per token. Byte-pair encodings use one token for about four bytes in most languages.
 */
const BYTES_PER_TOKEN = 4;

/** The configuration variable of each kind of model. */
const VARIABLES: Record<Modality, { name: string; kind: string }> = {
  simple: { name: 'MODEL_TEXT', kind: 'text' },
  text: { name: 'MODEL_TEXT', kind: 'text' },
  image: { name: 'MODEL_IMAGE', kind: 'image' },
  vision: { name: 'MODEL_VISION', kind: 'vision' },
  embed: { name: 'MODEL_EMBED', kind: 'embedding' },
};

interface Attempt {
  provider: ModelProvider;
  model: string;
}

export class Models implements ModelsPort {
  readonly textModels: string;
  readonly #providers: readonly ModelProvider[];
  readonly #limitMs: number;

  /** @param providers the providers, in the order in which they are tried */
  constructor(providers: readonly ModelProvider[], limitMs = TIME_LIMIT_MS) {
    this.#providers = providers;
    this.#limitMs = limitMs;
    this.textModels = this.#attempts('simple')
      .map(({ provider, model }) => `${provider.name}:${model}`)
      .join();
  }

  isConfigured(kind: ModelKind): boolean {
    return this.#attempts(kind).length > 0;
  }

  require(kind: ModelKind): void {
    this.#configured(kind);
  }

  text<T = undefined>(request: TextRequest<T>, call: ModelCall): Promise<TextAnswer<T>> {
    return this.#chat(request.simple ? 'simple' : 'text', request, undefined, call);
  }

  vision<T = undefined>(
    request: TextRequest<T> & { image: ModelImage },
    call: ModelCall,
  ): Promise<TextAnswer<T>> {
    return this.#chat('vision', request, request.image, call);
  }

  async image(request: ImageRequest, call: ModelCall): Promise<ImageAnswer> {
    return this.#inOrder('image', call, async ({ provider, model }, signal, meter) => {
      meter.receive(request.prompt);
      const result = meter.answered(await provider.image(model, request, signal));
      if (!readableKind(result.bytes.subarray(0, HEAD_BYTES)))
        throw new ModelFailure('failed', 'no image in the answer');
      const { bytes, negativePromptUsed } = result;
      return { bytes, negativePromptUsed, provider: provider.name };
    });
  }

  async embed(texts: readonly string[], call: ModelCall): Promise<EmbedAnswer> {
    return this.#inOrder('embed', call, async ({ provider, model }, signal, meter) => {
      for (const text of texts) meter.receive(text);
      const result = meter.answered(await provider.embed(model, texts, signal));
      if (result.vectors.length !== texts.length) {
        throw new ModelFailure('failed', `${result.vectors.length} vectors for ${texts.length}`);
      }
      return { vectors: result.vectors, provider: provider.name, model };
    });
  }

  #chat<T>(
    modality: Modality,
    request: TextRequest<T>,
    image: ModelImage | undefined,
    call: ModelCall,
  ): Promise<TextAnswer<T>> {
    const { system, messages, maxTokens, schema } = request;
    const jsonSchema = schema && jsonSchemaOf(schema);
    const chat = {
      // The prompt repeats the schema, because some servers do not support schemas and some require the word JSON.
      system: jsonSchema
        ? `${system}\n\nAnswer only with JSON that matches this schema: ${JSON.stringify(jsonSchema)}`
        : system,
      messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
      maxTokens,
      ...(jsonSchema && { schema: jsonSchema }),
      ...(image && { image }),
    };
    return this.#inOrder(modality, call, async ({ provider, model }, signal, meter) => {
      meter.receive(chat.system);
      for (const { content } of chat.messages) meter.receive(content);
      const result = meter.answered(await provider.chat(model, chat, signal, meter));
      return { provider: provider.name, ...read(result, request) };
    });
  }

  /** Returns the first answer from a model of this kind. The providers are tried in order. */
  async #inOrder<R>(
    modality: Modality,
    call: ModelCall,
    run: (attempt: Attempt, signal: AbortSignal, meter: Meter) => Promise<R>,
  ): Promise<R> {
    const attempts = this.#configured(modality);
    const end = Date.now() + this.#limitMs;
    const failures: ModelFailure[] = [];
    for (const [index, attempt] of attempts.entries()) {
      call.signal.throwIfAborted();
      const meter = new Meter();
      // Each attempt gets an equal share of the remaining time.
      const share = Math.max(1, (end - Date.now()) / (attempts.length - index));
      try {
        const answer = await withinTime(share, call.signal, (signal) =>
          run(attempt, signal, meter),
        );
        currentRecord()?.answeredBy(attempt.provider.name);
        return answer;
      } catch (error) {
        if (call.signal.aborted) {
          meter.left();
          throw call.signal.reason;
        }
        const failure = asFailure(error);
        report(modality, attempt, failure);
        if (failure.kind === 'refused') {
          throw failed(`The model refused this request for safety reasons: ${failure.message}`);
        }
        failures.push(failure);
      } finally {
        if (meter.charged > 0) call.spend(meter.charged);
      }
    }
    throw summary(failures);
  }

  /** Returns the models to try. Throws 501 if none is configured. */
  #configured(modality: Modality): Attempt[] {
    const attempts = this.#attempts(modality);
    if (attempts.length === 0) throw this.#notConfigured(modality);
    return attempts;
  }

  #attempts(modality: Modality): Attempt[] {
    const modalities = modality === 'simple' ? (['simple', 'text'] as const) : [modality];
    return this.#providers.flatMap((provider) =>
      modalities.flatMap((each) => provider.models(each)).map((model) => ({ provider, model })),
    );
  }

  #notConfigured(modality: Modality): ToolError {
    const { name, kind } = VARIABLES[modality];
    const set = this.#providers.some((provider) => provider.name === 'openai')
      ? name
      : `OPENAI_BASE_URL and ${name}`;
    // Both visitors and the operator read this message.
    return unsupported(
      `This service has no ${kind} model configured. The operator can set ${set} to use an OpenAI-compatible server, or deploy with the Workers AI binding.`,
    );
  }
}

/**
 * Measures the tokens that one attempt uses. If the provider does not count them, they are estimated from the input and
 * the output.
 */
class Meter implements AnswerSink {
  #heardBytes = 0;
  #counted: number | undefined;
  /**
   * Whether the attempt is charged even without a token count. This is true if the model answered or the caller
   * disconnected.
   */
  #due = false;

  receive(text: string): void {
    this.#heardBytes += utf8.encode(text).byteLength;
  }

  count(tokens: number | undefined): void {
    this.#counted = tokens ?? this.#counted;
  }

  /** Records that the model answered, counts the answer's tokens, and returns the answer. */
  answered<R extends object>(result: R & { tokens?: number | undefined }): R {
    this.count(result.tokens);
    this.#due = true;
    return result;
  }

  /** Records that the attempt is charged, because the caller has disconnected. */
  left(): void {
    this.#due = true;
  }

  /** Returns the tokens to charge: the provider's count or, without a count, an estimate if the attempt is charged. */
  get charged(): number {
    return this.#counted ?? (this.#due ? Math.ceil(this.#heardBytes / BYTES_PER_TOKEN) : 0);
  }
}

const utf8 = new TextEncoder();
const jsonSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema, ...made } = z.toJSONSchema(schema);
  jsonSchemas.set(schema, made);
  return made;
}

/** Returns the answer as the port defines it. Throws ModelFailure if the answer is empty or malformed. */
function read<T>(
  { text: raw, finishReason }: ChatResult,
  { schema, maxTokens }: TextRequest<T>,
): Pick<TextAnswer<T>, 'text' | 'value' | 'finishReason'> {
  const text = withoutThoughts(raw).trim();
  if (text === '') throw new ModelFailure('failed', 'an empty answer');
  if (!schema) {
    // The text is truncated here, because some servers do not apply the token limit.
    const within = withinTokens(text, maxTokens);
    const reason = within.length < text.length ? 'length' : finishReason;
    return { text: within, value: undefined as T, finishReason: reason };
  }
  const parsed = schema.safeParse(embeddedJson(text));
  if (!parsed.success) throw new ModelFailure('failed', 'no JSON that matches the schema');
  return { text, value: parsed.data, finishReason };
}

const asFailure = (error: unknown): ModelFailure =>
  error instanceof ModelFailure ? error : new ModelFailure('failed', String(error));

/** Logs each failure, because the operator would not notice it if the next provider answers. */
function report(modality: Modality, { provider, model }: Attempt, failure: ModelFailure): void {
  // The provider's message may repeat the caller's text, so only the HTTP status at its beginning is logged.
  const status = Number.parseInt(failure.message, 10) || undefined;
  log('warn', 'model-failure', {
    modality,
    provider: provider.name,
    model,
    kind: failure.kind,
    status,
  });
}

/**
 * Returns the error after all attempts have failed. A rate limit takes precedence over other failures, because it is
 * the failure after which a retry is most likely to succeed.
 */
function summary(failures: readonly ModelFailure[]): ToolError {
  const limited = failures.filter(({ kind }) => kind === 'limited');
  if (limited.length > 0) {
    const hints = limited.flatMap(({ retryAfter }) => retryAfter ?? []);
    return unavailable(
      'The model provider is rate-limiting us. Try again later.',
      hints.length > 0 ? Math.min(...hints) : RETRY_SECONDS,
    );
  }
  if (failures.some(({ kind }) => kind === 'timeout')) {
    return upstreamTimedOut('The model timed out. Try again, or make the request smaller.');
  }
  return upstreamFailed('The model provider failed. Try again in a moment.');
}
