/**
 * Defines glyph names and the encodings of simple fonts (ISO 32000-1, annex D; CFF specification, appendices A and B).
 */

/** The standard strings of CFF that are glyph names. The index is the identifier of the string. */
export const STANDARD_STRINGS: readonly string[] = (
  '.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus ' +
  'comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater ' +
  'question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum ' +
  'underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde ' +
  'exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft ' +
  'guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase ' +
  'quotedblbase quotedblright guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron ' +
  'breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ' +
  'ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus ' +
  'Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply ' +
  'threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis ' +
  'Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute ' +
  'Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla ' +
  'eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ' +
  'ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron' +
  ' exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall' +
  ' parenleftsuperior parenrightsuperior twodotenleader onedotenleader zerooldstyle oneoldstyle' +
  ' twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle' +
  ' nineoldstyle commasuperior threequartersemdash periodsuperior questionsmall asuperior bsuperior' +
  ' centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior rsuperior' +
  ' ssuperior tsuperior ff ffi ffl parenleftinferior parenrightinferior Circumflexsmall hyphensuperior' +
  ' Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall' +
  ' Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall' +
  ' colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall Scaronsmall' +
  ' Zcaronsmall Dieresissmall Brevesmall Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior' +
  ' Ogoneksmall Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths seveneighths' +
  ' onethird twothirds zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior' +
  ' ninesuperior zeroinferior oneinferior twoinferior threeinferior fourinferior fiveinferior' +
  ' sixinferior seveninferior eightinferior nineinferior centinferior dollarinferior periodinferior' +
  ' commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall AEsmall' +
  ' Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall' +
  ' Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall' +
  ' Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall' +
  ' Udieresissmall Yacutesmall Thornsmall Ydieresissmall'
).split(' ');

/** The characters of these glyph names, beginning with `space`. */
const CHARACTERS =
  ' !"#$%&’()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_‘abcdefghijklmnopqrstuvwxyz{|}~' +
  "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©" +
  'ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž';

/** Glyph names outside Adobe's Latin set that MacRoman contains or that are common in other encodings. */
const OTHERS: Readonly<Record<string, string>> = {
  notequal: '≠',
  infinity: '∞',
  lessequal: '≤',
  greaterequal: '≥',
  partialdiff: '∂',
  summation: '∑',
  product: '∏',
  pi: 'π',
  integral: '∫',
  Omega: 'Ω',
  radical: '√',
  approxequal: '≈',
  Delta: '∆',
  lozenge: '◊',
  Euro: '€',
};

const UNICODES = new Map<string, number>();
const NAMES = new Map<number, string>();
for (const [name, character] of [
  ...Array.from(
    CHARACTERS,
    (character, index) => [STANDARD_STRINGS[index + 1]!, character] as const,
  ),
  ...Object.entries(OTHERS),
]) {
  const code = character.codePointAt(0)!;
  UNICODES.set(name, code);
  NAMES.set(code, name);
}
/** Additional characters that readers map to these names. */
const SECOND: Readonly<Record<string, readonly number[]>> = {
  space: [0xa0],
  hyphen: [0xad, 0x2010],
  mu: [0x3bc],
  Omega: [0x2126],
  Delta: [0x394],
  periodcentered: [0x2219],
  macron: [0x2c9],
  fraction: [0x2215],
  bullet: [0x2219],
};

/**
 * Returns the code points that readers look up for a glyph name. The array is empty if the name implies no character.
 */
export function unicodesOf(name: string): readonly number[] {
  const base = /^(.+?)\.\w+$/.exec(name)?.[1] ?? name;
  const known = UNICODES.get(base);
  if (known !== undefined) return [known, ...(SECOND[base] ?? [])];
  const [, four, more] = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(base) ?? [];
  const digits = four ?? more;
  return digits ? [Number.parseInt(digits, 16)] : [];
}

/** The codes of StandardEncoding above 126. The identifiers of their strings are consecutive. */
const STANDARD_HIGH: readonly number[] = [
  161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 177, 178, 179, 180,
  182, 183, 184, 185, 186, 187, 188, 189, 191, 193, 194, 195, 196, 197, 198, 199, 200, 202, 203,
  205, 206, 207, 208, 225, 227, 232, 233, 234, 235, 241, 245, 248, 249, 250, 251,
];

export type CodeNames = readonly (string | undefined)[];

function standardEncoding(): CodeNames {
  const names: (string | undefined)[] = new Array(256).fill(undefined);
  for (let code = 32; code < 127; code += 1) names[code] = STANDARD_STRINGS[code - 31];
  for (const [index, code] of STANDARD_HIGH.entries()) names[code] = STANDARD_STRINGS[96 + index];
  return names;
}

/** Returns an encoding with the same characters as a text encoding, except for `exceptions`. */
function encodingLike(label: string, exceptions: Readonly<Record<number, string>>): CodeNames {
  const characters = new TextDecoder(label).decode(
    Uint8Array.from({ length: 256 }, (_, code) => code),
  );
  return Array.from(characters, (character, code) =>
    code < 32 ? undefined : (exceptions[code] ?? NAMES.get(character.codePointAt(0)!)),
  );
}

const BULLETS = Object.fromEntries([127, 129, 141, 143, 144, 157].map((code) => [code, 'bullet']));

/** The encodings by their PDF names. */
export const ENCODINGS: Readonly<Record<string, CodeNames>> = {
  StandardEncoding: standardEncoding(),
  WinAnsiEncoding: encodingLike('windows-1252', { 160: 'space', 173: 'hyphen', ...BULLETS }),
  MacRomanEncoding: encodingLike('macintosh', { 202: 'space', 219: 'currency' }),
};
