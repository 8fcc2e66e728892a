/** Finds errors in the files of a call, before or after they are sent. */

const MB = 2 ** 20;

/**
 * Returns the reason why the service would refuse a call with these files, or undefined if it would accept them.
 * `limits` are those of the file field.
 */
export function problemWith(sent: readonly File[], limits: DOMStringMap): string | undefined {
  const min = Number(limits.min);
  if (sent.length < min) return min > 1 ? `Choose at least ${min} files.` : 'Choose a file first.';
  return refusalOf(sent, limits);
}

/** Returns the reason why these files cannot be part of a call, or undefined. The visitor may add more files. */
export function refusalOf(chosen: readonly File[], limits: DOMStringMap): string | undefined {
  const kinds = limits.kinds?.split(' ');
  // The type is empty if the browser does not know it.
  const wrong = kinds && chosen.find((file) => file.type !== '' && !kinds.includes(kindOf(file)));
  if (wrong) return `The file ${wrong.name} is not ${limits.noun}. Choose another file.`;
  const maxBytes = Number(limits.maxBytes);
  const large = chosen.find(({ size }) => size > maxBytes);
  if (large) return `The file ${large.name} is larger than the limit of ${maxBytes / MB} MB.`;
  // If the tool has no total limit, this is NaN, which no size exceeds.
  const maxTogether = Number(limits.maxTogether);
  if (chosen.reduce((sum, { size }) => sum + size, 0) > maxTogether)
    return `The files exceed the total limit of ${maxTogether / MB} MB.`;
  return undefined;
}

/** Returns `image`, `pdf`, or another name for the type of a file. */
export const kindOf = ({ type }: File): string =>
  type.startsWith('image/') ? 'image' : type.replace('application/', '');

/** Returns the first file that the browser cannot read. */
export async function unreadableOf(sent: readonly File[]): Promise<File | undefined> {
  for (const file of sent) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return file;
    }
  }
  return undefined;
}
