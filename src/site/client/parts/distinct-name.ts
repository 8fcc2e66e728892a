/** Names the file of a result. */

/** Returns the name of a result. A saved result must not overwrite an input file with the same name. */
export function distinctName(name: string, sent: readonly File[], tool: string): string {
  if (!sent.some((file) => file.name.toLowerCase() === name.toLowerCase())) return name;
  const suffix = tool.startsWith('compress_') ? '-compressed' : '-result';
  return name.replace(/(\.[^.]*)?$/, (extension) => suffix + extension);
}
