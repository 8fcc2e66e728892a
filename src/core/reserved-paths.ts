/**
 * Lists the first path segments that cannot be codes of short links, because the site uses them or may use them later.
 * Short links are permanent, so a code cannot be withdrawn.
 */

const RESERVED = new Set(
  `about abuse account accounts admin api app apps asset assets auth blog callback card cards cdn-cgi chain chains changelog chat code compare
  comparisons contact content cookies dashboard developer developers doc docs download downloads error faq favicon
  feed feeds file files font fonts forum health help home how-to howto icon icons image images imprint index info
  install invite jobs js key keys legal license limits link links llms llms-full login logout mail manifest mcp me media
  metrics new news oauth openapi page pages passkey password pricing privacy profile public reference register releases report reset
  robots rss search security server server-card session settings short shorten sign-in sign-out sign-up signin signout
  signup site sitemap social static stats status storage style styles support team terms test theme themes tool tools tos upload
  uploads usage user users v1 v2 version webhook webhooks well-known www`.split(/\s+/),
);

/** Whether a code would hide a path of the site, regardless of case. */
export const isReservedPath = (code: string): boolean => RESERVED.has(code.toLowerCase());
