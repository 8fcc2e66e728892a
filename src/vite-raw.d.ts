/** Files imported as text by tests (Vite's ?raw). */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Every file of a pattern at once (Vite). */
interface ImportMeta {
  glob(pattern: string, options: object): Record<string, unknown>;
}
