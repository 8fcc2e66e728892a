/**
 * Reads the structure tree of a tagged document, which lists the content of each page in logical order (ISO 32000-1,
 * section 14.7).
 */
import type { PdfDocument } from './document.ts';
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from './objects.ts';
import type { Pages } from './pages.ts';
import { type CellAttributes, cellAttributes } from './table-cells.ts';

const MAX_ELEMENTS = 500_000;
const MAX_DEPTH = 200;
const MAX_ROLES = 16;

export interface StructureElement {
  /**
   * The standard structure type (section 14.8.4), such as `P`, `H1` or `TD`. Custom types are resolved by the role map.
   */
  type: string;
  parent: StructureElement | undefined;
  kids: StructureElement[];
  /** The attributes of a table cell. */
  cell?: CellAttributes;
}

/** The position and the element of marked content, by `OBJECT:MCID`. Positions follow the logical order. */
export type StructuredContent = Map<string, { order: number; element: StructureElement }>;

interface Waiting {
  value: PdfValue;
  parent: StructureElement | undefined;
  page: number | undefined;
  depth: number;
}

/** Returns undefined if the document has no structure tree. */
export function readStructureTree(
  document: PdfDocument,
  pages: Pages,
): StructuredContent | undefined {
  const root = document.dictionary(document.catalog.dictionary.get('StructTreeRoot'));
  if (!root) return undefined;
  const content: StructuredContent = new Map();
  const roles = document.dictionary(root.get('RoleMap'));
  const seen = new Set<number>();
  const lists = new Set<number>();
  const waiting: Waiting[] = [];
  const push = (kids: PdfValue | undefined, from: Omit<Waiting, 'value'>) => {
    // Elements may share one list of kids, whose content belongs to the first of them.
    if (kids instanceof PdfReference && Array.isArray(document.resolve(kids))) {
      if (lists.has(kids.number)) return;
      lists.add(kids.number);
    }
    const list = document.list(kids);
    for (let at = list.length - 1; at >= 0; at -= 1) waiting.push({ ...from, value: list[at]! });
  };
  const add = (owner: number | undefined, mcid: number, element: StructureElement) => {
    const key = `${owner}:${mcid}`;
    if (!content.has(key)) content.set(key, { order: content.size, element });
  };
  push(root.get('K'), { parent: undefined, page: undefined, depth: 0 });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, parent, page, depth } = next;
    if (content.size > MAX_ELEMENTS || seen.size > MAX_ELEMENTS) break;
    if (value instanceof PdfReference) {
      if (seen.has(value.number)) continue;
      seen.add(value.number);
    }
    const kid = document.resolve(value);
    if (typeof kid === 'number' && parent) add(page, kid, parent);
    if (!isDictionary(kid) || depth > MAX_DEPTH) continue;
    const own = pageOf(kid, pages) ?? page;
    const type = document.name(kid.get('S'));
    if (type === undefined) {
      const stream = kid.get('Stm');
      const mcid = document.number(kid.get('MCID'));
      const owner = stream instanceof PdfReference ? stream.number : own;
      if (mcid !== undefined && parent) add(owner, mcid, parent);
      continue;
    }
    const standard = standardType(document, roles, type);
    const element: StructureElement = { type: standard, parent, kids: [] };
    if (standard === 'TD' || standard === 'TH') element.cell = cellAttributes(document, kid);
    parent?.kids.push(element);
    push(kid.get('K'), { parent: element, page: own, depth: depth + 1 });
  }
  return content;
}

function pageOf(element: PdfDictionary, pages: Pages): number | undefined {
  const page = element.get('Pg');
  return page instanceof PdfReference && pages.indexOf.has(page.number) ? page.number : undefined;
}

function standardType(
  document: PdfDocument,
  roles: PdfDictionary | undefined,
  given: string,
): string {
  let type = given;
  for (let hops = 0; hops < MAX_ROLES; hops += 1) {
    const role = document.name(roles?.get(type));
    if (role === undefined || role === type) break;
    type = role;
  }
  return type;
}
