/** The models port over providers: asked in order, each within its time, charged to the caller. */
import * as z from 'zod';
import {
  failed,
  farSideFailed,
  farSideTimedOut,
  type ToolError,
  unavailable,
  unsupported,
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
import { embeddedJson, withoutThoughts } from '../lib/model-answer.ts';
import { readableKind } from '../lib/picture-kind.ts';
import { withinTokens } from '../lib/within-tokens.ts';
import {
  type ChatResult,
  type Hearing,
  type Modality,
  ModelFailure,
  type ModelProvider,
} from './model-provider.ts';
import { withinTime } from './within-time.ts';

/** Of a picture, by which its kind is told. */
const HEAD_BYTES = 1024;
/** For all providers of a call together (decisions.md, Configuration). */
const TIME_LIMIT_MS = 60_000;
const RETRY_SECONDS = 10;
/** Byte-pair encodings make a token of some four bytes, in most languages. */
const BYTES_PER_TOKEN = 4;

/** What to set where nothing is configured, by what was asked for. */
const VARIABLES: Record<Modality, { name: string; kind: string }> = {
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

  /** @param providers in the order in which they are asked */
  constructor(providers: readonly ModelProvider[], limitMs = TIME_LIMIT_MS) {
    this.#providers = providers;
    this.#limitMs = limitMs;
    this.textModels = this.#attempts('text')
      .map(({ provider, model }) => `${provider.name}:${model}`)
      .join();
  }

  require(kind: ModelKind): void {
    this.#configured(kind);
  }

  text<T = undefined>(request: TextRequest<T>, call: ModelCall): Promise<TextAnswer<T>> {
    return this.#chat('text', request, undefined, call);
  }

  vision<T = undefined>(
    request: TextRequest<T> & { image: ModelImage },
    call: ModelCall,
  ): Promise<TextAnswer<T>> {
    return this.#chat('vision', request, request.image, call);
  }

  async image(request: ImageRequest, call: ModelCall): Promise<ImageAnswer> {
    return this.#inTurn('image', call, async ({ provider, model }, signal, meter) => {
      meter.hear(request.prompt);
      const result = meter.answered(await provider.image(model, request, signal));
      if (!readableKind(result.bytes.subarray(0, HEAD_BYTES)))
        throw new ModelFailure('failed', 'no picture in the answer');
      const { bytes, negativePromptUsed } = result;
      return { bytes, negativePromptUsed, provider: provider.name };
    });
  }

  async embed(texts: readonly string[], call: ModelCall): Promise<EmbedAnswer> {
    return this.#inTurn('embed', call, async ({ provider, model }, signal, meter) => {
      for (const text of texts) meter.hear(text);
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
      // In words too: not every server keeps to a schema, and some want to be told of JSON.
      system: jsonSchema
        ? `${system}\n\nAnswer with JSON of this schema only: ${JSON.stringify(jsonSchema)}`
        : system,
      messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
      maxTokens,
      ...(jsonSchema && { schema: jsonSchema }),
      ...(image && { image }),
    };
    return this.#inTurn(modality, call, async ({ provider, model }, signal, meter) => {
      meter.hear(chat.system);
      for (const { content } of chat.messages) meter.hear(content);
      const result = meter.answered(await provider.chat(model, chat, signal, meter));
      return { provider: provider.name, ...read(result, request) };
    });
  }

  /** The first answer of the providers' models that have this kind. */
  async #inTurn<R>(
    modality: Modality,
    call: ModelCall,
    ask: (attempt: Attempt, signal: AbortSignal, meter: Meter) => Promise<R>,
  ): Promise<R> {
    const attempts = this.#configured(modality);
    const end = Date.now() + this.#limitMs;
    const failures: ModelFailure[] = [];
    for (const [index, attempt] of attempts.entries()) {
      call.signal.throwIfAborted();
      const meter = new Meter();
      // What is left is shared among those still to be asked.
      const share = Math.max(1, (end - Date.now()) / (attempts.length - index));
      try {
        return await withinTime(share, call.signal, (signal) => ask(attempt, signal, meter));
      } catch (error) {
        if (call.signal.aborted) {
          meter.left();
          throw call.signal.reason;
        }
        const failure = asFailure(error);
        log(modality, attempt, failure);
        if (failure.kind === 'refused') {
          throw failed(`The model refuses this for safety: ${failure.message}`);
        }
        failures.push(failure);
      } finally {
        if (meter.charged > 0) call.spend(meter.charged);
      }
    }
    throw summary(failures);
  }

  /** What there is to try. Throws 501 where there is nothing. */
  #configured(modality: Modality): Attempt[] {
    const attempts = this.#attempts(modality);
    if (attempts.length === 0) throw this.#notConfigured(modality);
    return attempts;
  }

  #attempts(modality: Modality): Attempt[] {
    return this.#providers.flatMap((provider) =>
      provider.models(modality).map((model) => ({ provider, model })),
    );
  }

  #notConfigured(modality: Modality): ToolError {
    const { name, kind } = VARIABLES[modality];
    const set = this.#providers.some((provider) => provider.name === 'openai')
      ? name
      : `OPENAI_BASE_URL and ${name}`;
    // Read by visitors and by who can mend it.
    return unsupported(
      `This service has no ${kind} model yet, so it cannot do this for anyone. Whoever runs it can set ${set} to a model of an OpenAI-compatible server, or deploy it with the Workers AI binding.`,
    );
  }
}

/** What one attempt costs: as the provider counted, or estimated from what went in and came out. */
class Meter implements Hearing {
  #heardBytes = 0;
  #counted: number | undefined;
  /** Whether there was an answer, of use or not, or a caller who did not wait for it. */
  #due = false;

  hear(text: string): void {
    this.#heardBytes += utf8.encode(text).byteLength;
  }

  count(tokens: number | undefined): void {
    this.#counted = tokens ?? this.#counted;
  }

  /** Hands on an answer that has come, with its count where that stands in it. */
  answered<R extends object>(result: R & { tokens?: number | undefined }): R {
    this.count(result.tokens);
    this.#due = true;
    return result;
  }

  /** The caller has gone. */
  left(): void {
    this.#due = true;
  }

  /** What the provider counted is due in any case; what is estimated, of an answer. */
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

/** The answer as the port gives it. Throws ModelFailure where it is empty or malformed. */
function read<T>(
  { text: raw, finishReason }: ChatResult,
  { schema, maxTokens }: TextRequest<T>,
): Pick<TextAnswer<T>, 'text' | 'value' | 'finishReason'> {
  const text = withoutThoughts(raw).trim();
  if (text === '') throw new ModelFailure('failed', 'an empty answer');
  if (!schema) {
    // A server that does not keep to the bound, or knows none, is given it here.
    const within = withinTokens(text, maxTokens);
    const reason = within.length < text.length ? 'length' : finishReason;
    return { text: within, value: undefined as T, finishReason: reason };
  }
  const parsed = schema.safeParse(embeddedJson(text));
  if (!parsed.success) throw new ModelFailure('failed', 'no JSON of the schema');
  return { text, value: parsed.data, finishReason };
}

const asFailure = (error: unknown): ModelFailure =>
  error instanceof ModelFailure ? error : new ModelFailure('failed', String(error));

/** For the operator: a second provider that answers would hide that the first one does not. */
function log(modality: Modality, { provider, model }: Attempt, failure: ModelFailure): void {
  const { kind, message } = failure;
  const event = { event: 'model-failure', modality, provider: provider.name, model, kind };
  console.warn(JSON.stringify({ ...event, message: message.slice(0, 300) }));
}

/** The error after all have failed: the one that leaves most hope. */
function summary(failures: readonly ModelFailure[]): ToolError {
  const limited = failures.filter(({ kind }) => kind === 'limited');
  if (limited.length > 0) {
    const hints = limited.flatMap(({ retryAfter }) => retryAfter ?? []);
    return unavailable(
      'The model provider takes no more calls from this service just now. Try again later.',
      hints.length > 0 ? Math.min(...hints) : RETRY_SECONDS,
    );
  }
  if (failures.some(({ kind }) => kind === 'timeout')) {
    return farSideTimedOut('The model did not answer in time. Try again, or ask for less.');
  }
  return farSideFailed('The model provider failed to answer. Try again in a moment.');
}
