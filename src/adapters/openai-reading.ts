/**
 * Reads a chat completion, either whole or as a stream. Both OpenAI's format and the format of Workers AI's older
 * models are accepted.
 */
import type { FinishReason } from '../core/models-port.ts';
import { eventData } from './event-stream.ts';
import { type AnswerSink, type ChatResult, ModelFailure } from './model-provider.ts';
import { failureInAnswer, MAX_REASON } from './openai-errors.ts';

interface Message {
  content?: unknown;
  refusal?: unknown;
}

/** A completion or a chunk of a streamed completion. Every field may be missing. */
export interface Completion {
  choices?: { message?: Message; delta?: Message; text?: string; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null;
  error?: unknown;
  /** The answer. In Workers AI's JSON mode, it is an object. */
  response?: unknown;
}

export class ChatReading {
  readonly #sink: AnswerSink;
  readonly #mostCharacters: number;
  readonly #pieces: string[] = [];
  #characters = 0;
  #refusal = '';
  #reason: string | undefined;
  #usage: Completion['usage'];

  /** @param mostCharacters the number of characters after which reading stops */
  constructor(sink: AnswerSink, mostCharacters: number) {
    this.#sink = sink;
    this.#mostCharacters = mostCharacters;
  }

  take(piece: Completion): void {
    if (piece === null || typeof piece !== 'object') {
      throw new ModelFailure('failed', 'no completion');
    }
    if (piece.error) {
      throw failureInAnswer(piece.error);
    }
    const [choice] = piece.choices ?? [];
    const message = choice?.delta ?? choice?.message;
    const text = textOf(message?.content ?? choice?.text ?? piece.response);
    if (text !== '') {
      this.#pieces.push(text);
      this.#characters += text.length;
      this.#sink.receive(text);
    }
    if (typeof message?.refusal === 'string') {
      this.#refusal = (this.#refusal + message.refusal).slice(0, MAX_REASON);
    }
    this.#reason = this.full ? 'length' : (choice?.finish_reason ?? this.#reason);
    this.#usage = piece.usage ?? this.#usage;
    this.#sink.count(usedTokens(this.#usage));
  }

  /** Whether more characters than the limit have been read. */
  get full(): boolean {
    return this.#characters > this.#mostCharacters;
  }

  /** Whether the server has reported the end of the answer. */
  get finished(): boolean {
    return this.#reason !== undefined;
  }

  /** @param maxTokens the limit, for providers that do not report why the answer ended */
  result(maxTokens = Number.POSITIVE_INFINITY): ChatResult {
    if (this.#refusal) throw new ModelFailure('refused', this.#refusal);
    if (this.#reason === 'content_filter') {
      throw new ModelFailure('refused', 'its content filter stopped the answer.');
    }
    const cut =
      this.#reason === 'length' ||
      (this.#reason === undefined && (this.#usage?.completion_tokens ?? 0) >= maxTokens);
    const finishReason: FinishReason = cut ? 'length' : 'stop';
    return { text: this.#pieces.join(''), finishReason };
  }
}

/** Reads a completion from server-sent events. Throws if the stream is cut off. */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  reading: ChatReading,
): Promise<void> {
  const events = eventData(body);
  try {
    while (!reading.full) {
      const { done, value } = await events.next();
      if (done) {
        if (!value && !reading.finished) throw new ModelFailure('failed', 'the stream was cut off');
        return;
      }
      reading.take(JSON.parse(value) as Completion);
    }
  } finally {
    // Closes the stream unless it has ended, so that the model stops.
    await events.return(false);
  }
}

/** Returns the number of input and output tokens, or undefined if the server sent no valid count. */
export function usedTokens(usage: Completion['usage']): number | undefined {
  if (!usage) return undefined;
  const { prompt_tokens = 0, completion_tokens = 0 } = usage;
  const total = usage.total_tokens ?? prompt_tokens + completion_tokens;
  return Number.isSafeInteger(total) && total > 0 ? total : undefined;
}

/** Returns the content as text. The content is text, a list of parts or, in Workers AI's JSON mode, a JSON value. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && content.every((part) => typeof part?.text === 'string')) {
    return content.map(({ text }) => text).join('');
  }
  return content === undefined || content === null ? '' : JSON.stringify(content);
}
