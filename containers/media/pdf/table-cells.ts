/** Reads the attributes of the cells of tagged tables (ISO 32000-1, section 14.8.5.7). */
import { byteKey } from './byte-key.ts';
import type { PdfDocument } from './document.ts';
import { isDictionary, type PdfDictionary, PdfString, type PdfValue } from './objects.ts';

const MAX_HEADERS = 20;
/** The maximum length in bytes of an identifier, which many cells may refer to. */
const MAX_IDENTIFIER = 100;
/** An element has one attribute dictionary per owner, such as `Table` and `Layout`. */
const MAX_ATTRIBUTES = 20;

export interface CellAttributes {
  /** The number of rows and columns that the cell spans, at least 1. */
  rowSpan: number;
  columnSpan: number;
  /** The identifier by which other cells refer to this cell. */
  id: string | undefined;
  /** The identifiers of the header cells that apply to this cell. */
  headers: string[];
  /** Whether the cell is the header of its column. */
  headsColumn: boolean;
}

/** Returns the attributes of a `TD` or `TH` element. */
export function cellAttributes(document: PdfDocument, element: PdfDictionary): CellAttributes {
  // The list can also contain the revision numbers of attributes.
  const attributes = document
    .list(element.get('A'))
    .slice(0, MAX_ATTRIBUTES)
    .map((value) => document.resolve(value))
    .filter(isDictionary);
  const attribute = (name: string) => attributes.find((one) => one.has(name))?.get(name);
  const span = (name: string) => Math.max(1, Math.floor(document.number(attribute(name)) ?? 1));
  const scope = document.name(attribute('Scope'));
  const headers = document.list(attribute('Headers')).slice(0, MAX_HEADERS);
  return {
    rowSpan: span('RowSpan'),
    columnSpan: span('ColSpan'),
    id: identifier(document, element.get('ID')),
    headers: headers.flatMap((header) => identifier(document, header) ?? []),
    headsColumn: scope === 'Column' || scope === 'Both',
  };
}

function identifier(document: PdfDocument, value: PdfValue | undefined): string | undefined {
  const resolved = document.resolve(value);
  if (!(resolved instanceof PdfString) || resolved.bytes.length > MAX_IDENTIFIER) {
    return undefined;
  }
  return byteKey(resolved.bytes);
}
