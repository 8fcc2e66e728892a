/** Implements search_docs, which finds passages in the service's own documents that answer a question. */
import { searchRequest } from '../../catalogue/request-bodies.ts';
import { findPassages } from '../../content/find-passages.ts';
import { asData } from '../../content/untrusted-text.ts';
import { badRequest } from '../../core/errors.ts';
import type { CheckedCall, McpContext } from '../checked-call.ts';
import { presentValue } from './agent-result.ts';

export function checkSearch(parameters: Record<string, unknown>, context: McpContext): CheckedCall {
  const { data, error } = searchRequest.safeParse(parameters);
  if (!data) throw badRequest(error.issues[0]!.message, 'query');
  return {
    tools: [],
    limits: ['search'],
    cost: 1,
    run: async () => {
      const { services } = context;
      const { passages } = await findPassages(services, data, context.signal());
      const value = {
        passages: passages.map(({ passage }) => ({
          title: passage.title,
          text: asData(passage.text),
          url: services.config.baseUrl + passage.path,
        })),
      };
      return presentValue({ name: 'search_docs' }, value, context);
    },
  };
}
