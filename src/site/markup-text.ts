/** Renders markup as HTML. */

interface Rendered {
  toString(): string | Promise<string>;
}
export type Markup = Rendered | Promise<Rendered>;

/** Rendering is asynchronous if a part, such as a result view, must be loaded first. */
export const textOf = async (markup: Markup): Promise<string> =>
  String(await (await markup).toString());
