/**
 * Lists everyday words for technical terms. Each line is a group. If a document's title, description or tags contain a
 * word before the colon, the words after the colon also match the document.
 */
import { stemsOf } from './terms.ts';

const GROUPS = `
merge : combine join glue together concatenate append unite attach assemble single bundle stitch stick behind bind fuse consolidate
split range : divide cut separate break extract take part portion chapter section piece apart slice remove drop omit skip keep only detach
compress smaller : shrink reduce lighten heavy large big huge size squeeze optimise slim mail send attachment disk space weight archive storage lighter reduced bytes kilobytes
pdf : document report contract paper manual book form chapter
page : sheet
image picture : photo photograph snapshot graphic scan jpeg jpg png camera drawing photographed thumbnail illustration artwork figure visual snaps selfie
video : clip film movie recording footage mp4 phone demo animation screencast videos
audio : sound music voice mute
upload : host store keep share send put online attach hand transfer transferring again reuse serve cdn download
link url : address web website shorten
short : brief compact tiny print vanity memorable redirect campaign alias
screenshot : capture snapshot picture render look homepage website phone thumbnail
logo favicon icon : brand symbol badge company tab emblem
metadata : social preview card share description snippet summary unfurl slack teaser title
humanize : natural robot machine chatbot rewrite rephrase paraphrase artificial writing style detector stiff
email : message letter mail reply polite write write-up correspondence decline invitation invite apology apologise thank thanks complaint
outline : structure plan article headings skeleton post draft essay
sql : database query table rows question english
base64 : binary ascii encoded unreadable safe bytes string
decode : undo reverse back unpack read restore unescape
encode : convert escape turn safe represent
percent : spaces special characters escaped address
jwt token : credential claims login bearer session issuer expire expires expiry issued signed authorised authorized unauthorised unauthorized logged 401
json : format pretty indent beautify messy readable minify validate api response configuration
qr : barcode square scan scannable code phone camera sticker label badge point
percentage : percent ratio growth grow increase decrease discount tax tip share rise off difference vat plus surcharge markup margin interest price add subtract
compare : difference diff change changed alter altered edit version revision redesign changes lines
fake : dummy sample mock test seed invented people customers database placeholder random fictional demo
lorem : filler placeholder dummy copy words
text : words writing wording paragraph string sentence
ocr recognition : read searchable scan scanned photographed handwriting letter typed transcribe type off transcript book digitise digitize archive print
generate : create make produce write build
parse : extract read pull words contents count plain characters feed ingest llm
panel : frame cell comic strip contact grid tile storyboard
hash : checksum digest fingerprint integrity sha md5
password : passphrase secret credential login strong random secure
regex regular : pattern match expression search validate grep find
timestamp : date time epoch unix seconds calendar clock zone
markdown : readme render formatted html preview
crop resize : dimension width height scale
limit rate : quota allowance cap ceiling throttle often maximum too many wait told throttled 429 exceeded
usage consumption : consumed spent spend used
key : token credential access account sign
error : failure problem fail wrong broken refuse refused reject
convert format : change turn transform switch modern type
model : ai artificial intelligence llm chatbot gpt
prompt : draw paint illustrate describe imagine art illustration
stored storage : keep host hosted save saved
expire expiry lives : long until deadline valid end lifetime
mcp : agent assistant claude cursor client chatbot
chain : sequence workflow pipeline steps automate combine series
docker container deploy : install run host server self-hosted production
privacy : private confidential secret gdpr
`;

interface Group {
  /** The stems of the words before the colon. */
  terms: string[];
  names: string[];
  words: string[];
}

const groups: Group[] = GROUPS.trim()
  .split('\n')
  .map((line) => {
    const [names = '', words = ''] = line.split(' : ');
    return { terms: stemsOf(names), names: names.split(' '), words: words.split(' ') };
  });

/** Returns the words after the colon of every group that `about` matches. Each word occurs once. */
export const otherWords = (about: string): string[] => [
  ...new Set(touchedBy(about).flatMap(({ words }) => words)),
];

/** Returns the words before and after the colon of every group that `about` matches. */
export const allWords = (about: string): string[] =>
  touchedBy(about).flatMap(({ names, words }) => [...names, ...words]);

function touchedBy(about: string): Group[] {
  const requested = new Set(stemsOf(about));
  return groups.filter(({ terms }) => terms.some((term) => requested.has(term)));
}
