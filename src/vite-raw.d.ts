/** Files imported as text by tests (Vite's ?raw). */
declare module '*?raw' {
  const text: string;
  export default text;
}
