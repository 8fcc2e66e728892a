/**
 * Replaces CMYK output intents of documents that draw nothing in CMYK: a compact RGB profile is much smaller than the
 * tables of a printing press.
 */
import {
  dictionary,
  isDictionary,
  isNamed,
  name,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../objects.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';
import { SRGB_PROFILE } from './srgb-profile.ts';

const MAXIMUM_BYTES = 64 * 1024 * 1024;
const CMYK_NAMES = new Set(['DeviceCMYK', 'CMYK']);
const CMYK_COMPONENTS = 4;
/** Matches the operators that set a CMYK color: numbers and `k` or `K`. */
const SETS_CMYK = /[\d.]\s+k(?![\w.])/i;
/** Streams with these entries are fonts and profiles, not content. */
const OTHER_DATA = ['Length1', 'N'];
const SRGB = new PdfString(Buffer.from('sRGB IEC61966-2.1'));

/** Returns the profiles of output intents, by object number. */
export function intentProfiles(draft: Draft): Set<number> {
  const profiles = intentsOf(draft).map((intent) => intent.get('DestOutputProfile'));
  return new Set(
    profiles.flatMap((profile) => (profile instanceof PdfReference ? profile.number : [])),
  );
}

/** Replaces unused CMYK intents, except those of PDF/X, which are for a press. Throws PdfDamage. */
export function replaceUnusedIntents(draft: Draft): void {
  const intents = intentsOf(draft);
  const isForCmyk = intents.some((intent) => isCmyk(draft, intent.get('DestOutputProfile')));
  const isForPress = intents.some((intent) => draft.isNamed(intent.get('S'), 'GTS_PDFX'));
  if (!isForCmyk || isForPress || drawsCmyk(draft)) return;
  const profile = draft.add(flateStream(SRGB_PROFILE, dictionary({ N: 3 })));
  const replaced = intents.map((intent): PdfValue => {
    if (!isCmyk(draft, intent.get('DestOutputProfile'))) return intent;
    return dictionary({
      Type: name('OutputIntent'),
      S: intent.get('S'),
      OutputConditionIdentifier: SRGB,
      Info: SRGB,
      DestOutputProfile: profile,
    });
  });
  const { reference } = draft.document.catalog;
  const catalog = new Map(draft.dictionary(reference));
  draft.set(reference, catalog.set('OutputIntents', replaced));
}

const intentsOf = (draft: Draft) =>
  (draft.array(draft.document.catalog.dictionary.get('OutputIntents')) ?? []).flatMap(
    (intent) => draft.dictionary(intent) ?? [],
  );

function isCmyk(draft: Draft, profile: PdfValue | undefined): boolean {
  const stream = draft.resolve(profile);
  const isStream = stream instanceof PdfStream;
  return isStream && draft.resolve(stream.dictionary.get('N')) === CMYK_COMPONENTS;
}

/** Whether anything may be drawn in CMYK, with or without a profile. */
const drawsCmyk = (draft: Draft): boolean =>
  draft.objects().some(([, value]) => {
    if (namesCmyk(draft, value)) return true;
    return value instanceof PdfStream && mayDrawCmyk(draft, value);
  });

/** Whether a value names CMYK: a color space, image, group or shading, but not the alternate of a profile. */
function namesCmyk(draft: Draft, value: PdfValue): boolean {
  if (value instanceof PdfName) return CMYK_NAMES.has(value.value);
  if (value instanceof PdfStream) return namesCmyk(draft, value.dictionary);
  if (Array.isArray(value)) {
    const isProfiled = draft.isNamed(value[0], 'ICCBased') && isCmyk(draft, value[1]);
    return isProfiled || value.some((item) => namesCmyk(draft, item));
  }
  if (!isDictionary(value)) return false;
  return [...value].some(([key, item]) => key !== 'Alternate' && namesCmyk(draft, item));
}

function mayDrawCmyk(draft: Draft, stream: PdfStream): boolean {
  const { dictionary } = stream;
  const subtype = draft.resolve(dictionary.get('Subtype'));
  if (isNamed(subtype, 'Image')) {
    // A JPEG 2000 image without a ColorSpace defines its own.
    return !dictionary.has('ColorSpace') && draft.resolve(dictionary.get('ImageMask')) !== true;
  }
  if (isNamed(subtype, 'XML') || OTHER_DATA.some((key) => dictionary.has(key))) return false;
  const data = decodedData(draft, stream, MAXIMUM_BYTES);
  return !data || SETS_CMYK.test(Buffer.from(data).toString('latin1'));
}
