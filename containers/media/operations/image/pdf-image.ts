/** Describes an image XObject with its color data (ISO 32000-1, section 8.9.5). */

export interface PdfImage {
  width: number;
  height: number;
  bitsPerComponent: number;
  colorSpace: ColorSpace;
  filter: 'FlateDecode' | 'DCTDecode' | 'CCITTFaxDecode';
  data: readonly Uint8Array[];
  /** The DecodeParms dictionary in PDF syntax, for example with a predictor. */
  decodeParms?: string;
  /** The Decode array in PDF syntax. */
  decode?: string;
  /** For each component, the range of values in which a pixel is transparent. */
  colorKey?: readonly number[];
  softMask?: PdfImage;
}

export interface ColorSpace {
  components: 1 | 3 | 4;
  /** An ICC profile with the same number of components. */
  profile?: Uint8Array;
  /** RGB triples. The image's single component is an index into them. */
  palette?: Uint8Array;
}

const SIGNATURES: Record<string, number> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };

/**
 * Returns a color space. It contains the profile only if the profile has the same number of components (ICC.1, section
 * 7.2.6).
 */
export function colorSpaceOf(
  components: 1 | 3 | 4,
  profile: Uint8Array | undefined,
  palette?: Uint8Array,
): ColorSpace {
  const signature = profile && String.fromCharCode(...profile.subarray(16, 20));
  const fits = signature !== undefined && SIGNATURES[signature] === components;
  return { components, ...(fits && { profile }), ...(palette && { palette }) };
}

/** Returns the decoding parameters of rows with PNG filters (ISO 32000-1, section 7.4.4.4). */
export const predictor = (colors: number, bits: number, columns: number) =>
  `<< /Predictor 15 /Colors ${colors} /BitsPerComponent ${bits} /Columns ${columns} >>`;
