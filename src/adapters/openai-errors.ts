/** Interprets the error responses of OpenAI-compatible servers. */
import { embeddedJson } from './model-answer.ts';
import { ModelFailure } from './model-provider.ts';

/** The limit on a provider's Retry-After, in seconds. Longer times are reduced to it. */
const MAX_RETRY_SECONDS = 24 * 3600;

const SAFETY = /content_policy|content_filter|moderation|safety|responsible_ai|nsfw/i;
/** The maximum length of a provider's reason, in characters. Callers see the reason of a refusal. */
export const MAX_REASON = 300;

interface ErrorBody {
  message: string;
  /** The code and the type of the error, if the response contains them. */
  kind: string;
}

function errorBody(text: string): ErrorBody {
  const body = embeddedJson(text) as { error?: unknown; detail?: unknown } | null | undefined;
  const error = (body?.error ?? body) as Record<string, unknown> | string | null | undefined;
  if (typeof error === 'string') return { message: error, kind: '' };
  const message = error?.message ?? body?.detail ?? text;
  return {
    message: typeof message === 'string' ? message : JSON.stringify(message),
    kind: `${error?.code ?? ''} ${error?.type ?? ''}`,
  };
}

/** Returns the failure that corresponds to a response status. */
export function failureOfResponse(response: Response, text: string): ModelFailure {
  const { status } = response;
  const { message, kind } = errorBody(text);
  const short = `${status}: ${message.slice(0, MAX_REASON)}`;
  const retryAfter = secondsOf(response.headers.get('Retry-After'));
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return new ModelFailure('limited', short, retryAfter);
  }
  if (status === 408 || status === 504) return new ModelFailure('timeout', short);
  if ((status === 400 || status === 403) && SAFETY.test(`${kind} ${message}`)) {
    return new ModelFailure('refused', message.slice(0, MAX_REASON));
  }
  return new ModelFailure('failed', short);
}

/** Returns the failure for an error inside an answer. Such an error has no status. */
export function failureInAnswer(error: unknown): ModelFailure {
  const { message, kind } = errorBody(JSON.stringify({ error }));
  const short = message.slice(0, MAX_REASON);
  if (SAFETY.test(kind)) return new ModelFailure('refused', short);
  return new ModelFailure(/\b429\b|rate.?limit/i.test(kind) ? 'limited' : 'failed', short);
}

/** The value of Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_SECONDS);
}

/** Returns the adapted body if a 400 or 422 names a field that the server does not accept. Otherwise returns null. */
export function fieldInDispute(
  status: number,
  text: string,
  body: Record<string, unknown>,
): Record<string, unknown> | null {
  if (status !== 400 && status !== 422) return null;
  if (text.includes('max_completion_tokens') && 'max_tokens' in body) {
    const { max_tokens, ...others } = body;
    return { ...others, max_completion_tokens: max_tokens };
  }
  const field = ['stream_options', 'response_format'].find(
    (name) => name in body && text.includes(name),
  );
  if (!field) return null;
  const { [field]: _, ...others } = body;
  return others;
}
