/**
 * Replaces the CMYK output intents of documents that draw nothing in CMYK. A compact RGB profile is much smaller than
 * the tables for a printing press.
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

const MAX_BYTES = 64 * 1024 * 1024;
const CMYK_NAMES = new Set(['DeviceCMYK', 'CMYK']);
const CMYK_COMPONENTS = 4;
/** Matches an operand followed by `k` or `K`, the operators that set a CMYK color. */
const SETS_CMYK = /[\d.]\s+k(?![\w.])/i;
/** Streams with one of these keys are fonts or profiles rather than content. */
const OTHER_DATA = ['Length1', 'N'];
const SRGB = new PdfString(Buffer.from('sRGB IEC61966-2.1'));

/** Returns the object numbers of the output intents' profiles. */
export function intentProfiles(draft: Draft): Set<number> {
  const profiles = intentsOf(draft).map((intent) => intent.get('DestOutputProfile'));
  return new Set(
    profiles.flatMap((profile) => (profile instanceof PdfReference ? profile.number : [])),
  );
}

/**
 * Replaces CMYK intents if nothing uses CMYK. PDF/X documents are excluded, because their intents describe a press.
 * Throws PdfDamage.
 */
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

/** Whether the document may draw anything in CMYK, with or without a profile. */
const drawsCmyk = (draft: Draft): boolean =>
  draft.objects().some(([, value]) => {
    if (namesCmyk(draft, value)) return true;
    return value instanceof PdfStream && mayDrawCmyk(draft, value);
  });

/**
 * Whether a value refers to CMYK, for example as the color space of an image, group or shading. The Alternate of a
 * profile does not count.
 */
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
    // A JPEG 2000 image without a ColorSpace defines its color space itself.
    return !dictionary.has('ColorSpace') && draft.resolve(dictionary.get('ImageMask')) !== true;
  }
  if (isNamed(subtype, 'XML') || OTHER_DATA.some((key) => dictionary.has(key))) return false;
  const data = decodedData(draft, stream, MAX_BYTES);
  return !data || SETS_CMYK.test(Buffer.from(data).toString('latin1'));
}
