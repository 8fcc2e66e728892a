/** Implements search_docs, which finds passages in the service's own documents that answer a question. */
import { searchRequest } from '../../catalogue/request-bodies.ts';
import { withAddresses } from '../../content/addresses.ts';
import { embedWith } from '../../content/embed-passages.ts';
import { search } from '../../content/search.ts';
import { asData } from '../../content/untrusted-text.ts';
import { badRequest } from '../../core/errors.ts';
import type { CallCircumstances, CheckedCall } from '../checked-call.ts';
import { presentValue } from './agent-result.ts';

export function checkSearch(
  parameters: Record<string, unknown>,
  circumstances: CallCircumstances,
): CheckedCall {
  const { data, error } = searchRequest.safeParse(parameters);
  if (!data) throw badRequest(error.issues[0]!.message, 'query');
  return {
    tools: [],
    surfaces: ['search'],
    cost: 1,
    run: async () => {
      const { config, ports, vectors, passages: index } = circumstances.services;
      const embed = embedWith(ports.models, { signal: circumstances.signal(), spend: () => {} });
      const parts = { index: await index(), vectors, embed };
      const { passages } = await search(data.query, data.topK, parts);
      const value = {
        passages: passages.map(({ passage }) => ({
          title: passage.title,
          text: asData(withAddresses(passage.text, config)),
          url: config.baseUrl + passage.path,
        })),
      };
      return presentValue({ name: 'search_docs' }, value, circumstances);
    },
  };
}
