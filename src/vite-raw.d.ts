/** Declares the types of files that tests import as text (Vite's `?raw`). */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Imports all files that match a pattern (Vite). */
interface ImportMeta {
  glob(pattern: string, options: object): Record<string, unknown>;
}
