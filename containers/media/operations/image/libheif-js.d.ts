/** The part of libheif-js that is used: it has no types of its own. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Fills `data` with RGBA, upright; gives null where the image is broken. */
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (filled: { data: Uint8ClampedArray } | null) => void,
    ): void;
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export default libheif;
}
