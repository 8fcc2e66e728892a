/** Declares files that tests import as text (Vite's ?raw). */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Imports every file that matches a pattern at once (Vite). */
interface ImportMeta {
  glob(pattern: string, options: object): Record<string, unknown>;
}
