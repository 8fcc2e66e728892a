/** Writes ToUnicode CMaps (ISO 32000-1, section 9.10.3). */

/** The maximum number of entries between two operators (Adobe Technical Note 5411). */
const ENTRIES_PER_BLOCK = 100;
/** Shorter runs of consecutive codes are smaller as single entries. */
const MIN_RUN = 3;
const HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
`;
const TAIL = `endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;

export interface UnicodeMap {
  /** The first and last codes of the code space, alternately. */
  codeSpace: Uint8Array[];
  /** The UTF-16 text of each code, by the number of bytes of the code. */
  texts: Map<number, Map<number, Uint8Array>>;
}

interface Run {
  codes: string[];
  texts: Uint8Array[];
}

export function writeUnicodeMap({ codeSpace, texts }: UnicodeMap): Uint8Array {
  const spaces = codeSpace.map(hexOf).join('');
  const runs = [...texts].flatMap(([bytes, ofBytes]) => runsOf(bytes, ofBytes));
  const ranges = runs.filter(({ codes }) => codes.length >= MIN_RUN);
  const singles = runs.filter(({ codes }) => codes.length < MIN_RUN);
  const parts = [
    HEAD,
    `${codeSpace.length >> 1} begincodespacerange\n${spaces}\nendcodespacerange\n`,
    ...blocks('bfrange', ranges.map(rangeText)),
    ...blocks('bfchar', singles.flatMap(charTexts)),
    TAIL,
  ];
  return Buffer.from(parts.join(''), 'latin1');
}

/** Returns the runs of consecutive codes with consecutive texts. Only the last byte changes within a run. */
function runsOf(bytes: number, texts: ReadonlyMap<number, Uint8Array>): Run[] {
  const runs: Run[] = [];
  let [previous, before]: [number, Uint8Array | undefined] = [-1, undefined];
  for (const [code, text] of [...texts].sort(([left], [right]) => left - right)) {
    const follows = code === previous + 1 && (code & 255) !== 0 && before && isNext(before, text);
    if (!follows) runs.push({ codes: [], texts: [] });
    const run = runs.at(-1) as Run;
    run.codes.push(code.toString(16).padStart(bytes * 2, '0'));
    run.texts.push(text);
    [previous, before] = [code, text];
  }
  return runs;
}

/** Whether the texts differ only in their last byte, which is one larger in the second text. */
const isNext = (first: Uint8Array, second: Uint8Array): boolean =>
  first.length === second.length &&
  first.length >= 2 &&
  first.every((byte, at) => second[at] === byte + (at === first.length - 1 ? 1 : 0));

const rangeText = ({ codes, texts }: Run) =>
  `<${codes[0]}><${codes.at(-1)}>${hexOf(texts[0] as Uint8Array)}\n`;

const charTexts = ({ codes, texts }: Run) =>
  codes.map((code, at) => `<${code}>${hexOf(texts[at] as Uint8Array)}\n`);

function* blocks(operator: string, entries: readonly string[]): Generator<string> {
  for (let at = 0; at < entries.length; at += ENTRIES_PER_BLOCK) {
    const block = entries.slice(at, at + ENTRIES_PER_BLOCK);
    yield `${block.length} begin${operator}\n${block.join('')}end${operator}\n`;
  }
}

const hexOf = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;
