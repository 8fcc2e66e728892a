/** Decodes URLs in the browser, and warns about plus signs, which stay unchanged. */
import { defineTool } from '../../core/define-tool.ts';
import { decodeUrl } from './decode_url.ts';

export const decodeUrlHere = defineTool({
  ...decodeUrl,
  run(parameters, context) {
    if (parameters.encoded.includes('+'))
      context.warn(
        'The + was kept. In form data and query strings, it usually stands for a space.',
      );
    return decodeUrl.run!(parameters, context, undefined);
  },
});
