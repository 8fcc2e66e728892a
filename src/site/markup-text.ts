/** Renders markup as HTML. */

interface Rendered {
  toString(): string | Promise<string>;
}
export type Markup = Rendered | Promise<Rendered>;

/** Returns a promise, because a part such as a result view may have to be loaded first. */
export const textOf = async (markup: Markup): Promise<string> =>
  String(await (await markup).toString());
