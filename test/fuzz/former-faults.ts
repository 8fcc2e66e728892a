/**
 * Parsers with faults that this service once had. The fuzzer must find each of them. Nothing else
 * may use them.
 */
import type { ParserTarget } from './parsers.ts';
import { PARSERS } from './parsers.ts';

export const FORMER_FAULTS: Record<string, ParserTarget> = {
  /** Its time is cubic in the white space of a part's header. */
  'former multipart header': {
    ...PARSERS.multipart!,
    parse: (text) =>
      [
        ...text
          .slice(0, 16_384)
          .matchAll(
            /;\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^";]*))\s*(?=;|$)/gs,
          ),
      ].length,
  },
  /** Its time is quadratic in the white space after `charset=`. */
  'former charset': {
    ...PARSERS.charset!,
    parse: (text) => /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1],
  },
  /** It prefixes every link with an unbounded base address. */
  'former base address': {
    ...PARSERS['html-head']!,
    parse: (text) => {
      const base = /<base href="([^"]*)/.exec(text)?.[1] ?? 'http://page.test/';
      const links = [...text.matchAll(/<link[^>]*href="?([^\s">]*)/g)].map(([, href]) => href!);
      return links.map((href) => URL.parse(href, base)?.href);
    },
  },
};
