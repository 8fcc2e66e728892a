/**
 * Recognizes elements that are not part of a page's main content: navigation, sidebars, scripts and hidden elements.
 */

const SKIPPED = new Set(
  'script style noscript template svg math nav aside footer button select textarea iframe dialog head object audio video'.split(
    ' ',
  ),
);
const SKIPPED_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const SKIPPED_WORDS = new Set(
  'nav navbar navigation menu sidebar footer comments share social related promo cookie breadcrumb breadcrumbs'.split(
    ' ',
  ),
);
/**
 * Words in the classes of wrappers. In a class such as `with-sidebar`, `sidebar` describes the content of the element
 * and not the element itself.
 */
const SURROUNDING_WORDS = new Set('has with without no page layout wrapper container'.split(' '));
/** The elements whose ID may name their role on the page. The IDs of headings, sections and anchors name their topic. */
const NAMED_BY_ID = new Set('div ul ol table td form header'.split(' '));
const SURROUNDING_ELEMENTS = new Set(['html', 'body', 'main', 'article']);
const MAX_WORDS = 20;
const INVISIBLE = /(?:^|[;\s])(?:display:\s{0,9}none|visibility:\s{0,9}hidden)/i;

type Attributes = Readonly<Record<string, string>>;

/** Whether an element is skipped because of its name, role or visibility. */
export function isSkipped(name: string, { role = '', style = '', ...rest }: Attributes): boolean {
  if (SKIPPED.has(name) || SKIPPED_ROLES.has(role)) return true;
  if (rest.hidden !== undefined || rest['aria-hidden'] === 'true') return true;
  return !SURROUNDING_ELEMENTS.has(name) && INVISIBLE.test(style);
}

/** Whether the class or ID of an element suggests that it is not content. This heuristic is correct on most pages. */
export function isNamedSkipped(
  name: string,
  { class: classes = '', id = '' }: Attributes,
): boolean {
  if (SURROUNDING_ELEMENTS.has(name)) return false;
  const classNames = classes.split(/\s+/, MAX_WORDS);
  const isNamedById = NAMED_BY_ID.has(name) && !classNames.includes('section');
  return [...classNames, isNamedById ? id : ''].some((named) => {
    const words = named.toLowerCase().split(/[^a-z]+/, MAX_WORDS);
    return (
      words.some((word) => SKIPPED_WORDS.has(word)) &&
      !words.some((word) => SURROUNDING_WORDS.has(word))
    );
  });
}
