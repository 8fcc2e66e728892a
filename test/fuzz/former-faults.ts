/**
 * Contains parsers with bugs that the service once had. The fuzzer must find each bug. No other code may use these
 * parsers.
 */
import type { ParserTarget } from './parsers.ts';
import { PARSERS } from './parsers.ts';

export const FORMER_FAULTS: Record<string, ParserTarget> = {
  /** The run time is cubic in the length of the white space in a part header. */
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
  /** The run time is quadratic in the length of the white space after `charset=`. */
  'former charset': {
    ...PARSERS.charset!,
    parse: (text) => /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1],
  },
  /** The length of the base address is unlimited, and the result repeats it for every link. */
  'former base address': {
    ...PARSERS['html-head']!,
    parse: (text) => {
      const base = /<base href="([^"]*)/.exec(text)?.[1] ?? 'http://page.test/';
      const links = [...text.matchAll(/<link[^>]*href="?([^\s">]*)/g)].map(([, href]) => href!);
      return links.map((href) => URL.parse(href, base)?.href);
    },
  },
};
