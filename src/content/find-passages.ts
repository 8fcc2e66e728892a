/** Finds the passages that answer a question, with this service's URLs in their texts. */
import type { ModelsPort } from '../core/models-port.ts';
import type { VectorStore } from '../core/vector-store.ts';
import { type Addresses, withAddresses } from './addresses.ts';
import { embedWith } from './embed-passages.ts';
import type { PassageIndex } from './passage-index.ts';
import { type SearchResult, search } from './search.ts';

interface Parts {
  config: Addresses;
  ports: { models: ModelsPort };
  vectors: VectorStore;
  passages: () => Promise<PassageIndex>;
}

/** Returns the best `topK` passages. Throws if `signal` aborts or the index cannot be read. */
export async function findPassages(
  { config, ports, vectors, passages: index }: Parts,
  { query, topK }: { query: string; topK: number },
  signal: AbortSignal,
): Promise<SearchResult> {
  // The tokens are not charged. A question uses only about twenty tokens, so the limits on searches are sufficient.
  const embed = embedWith(ports.models, { signal, spend: () => {} });
  const { passages, retrieval } = await search(query, topK, {
    index: await index(),
    vectors,
    embed,
  });
  return {
    passages: passages.map(({ passage, score }) => ({
      passage: { ...passage, text: withAddresses(passage.text, config) },
      score,
    })),
    retrieval,
  };
}
