/** A model's text for a request, made once and kept: the same request gets the same answer. */
import type { FinishReason, ModelCall, ModelsPort, TextRequest } from '../core/models-port.ts';
import type { CachePort } from '../core/ports.ts';

interface Kept {
  text: string;
  provider: string;
  finishReason: FinishReason;
}

export interface KeptAnswer extends Kept {
  cached: boolean;
}

/**
 * @param finish makes the result of the model's text; what it throws is not kept
 * @param lifeSeconds for how long the answer is kept
 */
export async function keptAnswer(
  request: TextRequest,
  context: ModelCall & { models: ModelsPort; cache: CachePort },
  finish: (text: string) => string,
  lifeSeconds: number,
): Promise<KeptAnswer> {
  const { models, cache } = context;
  const { system, messages, maxTokens } = request;
  const key = JSON.stringify([models.textModels, system, messages, maxTokens]);
  const kept = await cache.get(key);
  if (kept) return { ...read(kept), cached: true };
  const { text, provider, finishReason } = await models.text(request, context);
  const answer: Kept = { text: finish(text), provider, finishReason };
  // The same request may have been answered meanwhile, here or elsewhere: the first answer stays.
  const elsewhere = await cache.get(key);
  if (elsewhere) return { ...read(elsewhere), cached: true };
  await cache.put(key, utf8.encode(JSON.stringify(answer)), lifeSeconds);
  const first = await cache.get(key);
  return { ...(first ? read(first) : answer), cached: false };
}

const utf8 = new TextEncoder();
const read = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as Kept;
