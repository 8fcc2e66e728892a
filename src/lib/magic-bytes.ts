/** What a file is, told by its first bytes. */

/** `%PDF-` within the first 1,024 bytes, as readers look for it (ISO 32000-1, Annex H, implementation note 13). */
export function isPdf(head: Uint8Array): boolean {
  const end = Math.min(head.length, 1024) - 4;
  for (let i = 0; i < end; i++) {
    if (
      head[i] === 0x25 &&
      head[i + 1] === 0x50 &&
      head[i + 2] === 0x44 &&
      head[i + 3] === 0x46 &&
      head[i + 4] === 0x2d
    ) {
      return true;
    }
  }
  return false;
}
