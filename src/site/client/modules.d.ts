/** Declares files whose path on the site is imported (scripts/static-files.ts, loader). */
declare module '*.min.mjs' {
  const path: string;
  export default path;
}
