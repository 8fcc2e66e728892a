import { expect, it } from 'vitest';
import { otherLanguageWarnings } from './other-language.ts';

/** Texts as Tesseract returns them with the language English. */
const GERMAN =
  'Die Rechnung ist innerhalb von 30 Tagen ohne Abzug zu zahlen. Der Betrag wird auf das unten angegebene Konto ' +
  'uberwiesen, und die Lieferung ist nicht mit einer Frist verbunden. Muller und Sohne, Konigstrafe 12, sind auch ' +
  'mit einer Zahlung auf dem Postweg einverstanden.';
const FRENCH =
  'Le reglement est du dans les trente jours qui suivent la livraison. Pour toute question sur cette facture, une ' +
  'reponse est donnee par le service avec lequel vous traitez, et les delais ne sont pas prolonges au dela du mois.';
const SPANISH =
  'El pago se realiza por transferencia con los datos del contrato. Las facturas del cliente son enviadas por correo, ' +
  'pero una copia queda en el archivo como prueba de los servicios que fueron prestados entre las dos partes.';
const ENGLISH =
  'The invoice is due within thirty days of the delivery. Payments that have not been received by this date are ' +
  'charged with interest, and the goods remain the property of the seller, from whom you have bought them.';
/** A French list, which has few words between its nouns. */
const FRENCH_LIST =
  'Comparaison : distance entre villes, ecart entre gares, relation entre clients, accord entre parties, delai entre ' +
  'commandes, lien entre fichiers, marge entre colonnes, rapport entre prix, choix entre options, pause entre services.';

it.each([
  [GERMAN, 'eng', 'German. Run again with `language: "deu"`.'],
  [FRENCH, 'eng', 'French. Run again with `language: "fra"`.'],
  [SPANISH, 'eng', 'Spanish. Run again with `language: "spa"`.'],
  [ENGLISH, 'deu', 'English. Run again with `language: "eng"`.'],
] as const)('names the language of %s', (text, recognizedIn, expected) => {
  const [warning] = otherLanguageWarnings([text], [recognizedIn]);
  expect(warning).toContain(expected);
});

it.each([
  ['in the chosen language', GERMAN, ['deu']],
  ['in one of several chosen languages', GERMAN, ['eng', 'deu']],
  ['in French that uses a word of Spanish', FRENCH_LIST, ['fra']],
  ['in two languages', `${GERMAN} ${ENGLISH}`, ['eng']],
  ['with few words', 'Der Preis ist nicht mit dem Rabatt', ['eng']],
  ['without words', '12 34 -- 56', ['eng']],
  ['in a language that is not offered', 'Lorem ipsum dolor sit amet '.repeat(10), ['eng']],
] as const)('returns nothing for a text %s', (_, text, languages) => {
  expect(otherLanguageWarnings([text], [...languages])).toEqual([]);
});

it('names the pages in another language if other pages are in the chosen one', () => {
  const letter = `${ENGLISH} ${ENGLISH}`;
  expect(otherLanguageWarnings([GERMAN, letter, GERMAN, FRENCH], ['eng'], [2, 3, 7, 9])).toEqual([
    'Pages 2, 7: the text looks like German. Run again with `language: "deu"`.',
    'Page 9: the text looks like French. Run again with `language: "fra"`.',
  ]);
  expect(otherLanguageWarnings([letter, letter], ['eng'])).toEqual([]);
});
