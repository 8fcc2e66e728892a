/** Modules imported as text (wrangler.toml, rules): page scripts, their libraries, documents. */
declare module '*.client.js' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*/marked.umd.js' {
  const text: string;
  export default text;
}
declare module '*.min.mjs' {
  const text: string;
  export default text;
}
