/** Caches the text that a model returns, so that identical requests get identical responses. */
import type { FinishReason, ModelCall, ModelsPort, TextRequest } from '../core/models-port.ts';
import type { CachePort } from '../core/ports.ts';

interface CachedText {
  text: string;
  provider: string;
  finishReason: FinishReason;
}

export interface CachedAnswer extends CachedText {
  cached: boolean;
}

/**
 * @param finish returns the result for the model's text; nothing is cached if it throws
 * @param lifeSeconds the lifetime of the cache entry
 */
export async function cachedAnswer(
  request: TextRequest,
  context: ModelCall & { models: ModelsPort; cache: CachePort },
  finish: (text: string) => string,
  lifeSeconds: number,
): Promise<CachedAnswer> {
  const { models, cache } = context;
  const { system, messages, maxTokens } = request;
  const key = JSON.stringify([models.textModels, system, messages, maxTokens]);
  const cached = await cache.get(key);
  if (cached) return { ...read(cached), cached: true };
  const { text, provider, finishReason } = await models.text(request, context);
  const answer: CachedText = { text: finish(text), provider, finishReason };
  // Another isolate may have cached a response to the same request in the meantime. The first response is used, so that
  // all callers get the same text.
  const elsewhere = await cache.get(key);
  if (elsewhere) return { ...read(elsewhere), cached: true };
  await cache.put(key, utf8.encode(JSON.stringify(answer)), lifeSeconds);
  const first = await cache.get(key);
  return { ...(first ? read(first) : answer), cached: false };
}

const utf8 = new TextEncoder();
const read = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as CachedText;
