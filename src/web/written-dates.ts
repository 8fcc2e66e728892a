/** Finds days in text, for example `May 24th, 2016` or `24.5.2016`. */

/** The names and abbreviations of the months in English, German, French, Spanish, Italian, Portuguese, Dutch and more. */
const MONTH_WORDS = [
  'jan january januar jänner janvier janv enero ene gennaio gen janeiro januari',
  'feb february februar février févr fevrier febrero febbraio fevereiro fev februari',
  'mar march märz mrz mär mars marzo março maart mrt marts',
  'apr april avril avr abril abr aprile',
  'may mai mayo maggio mag maio mei maj',
  'jun june juni juin junio giugno giu junho',
  'jul july juli juillet juil julio luglio lug julho',
  'aug august août aout agosto ago augustus augusti',
  'sep sept september septembre septiembre settembre set setembro',
  'oct october oktober okt octobre octubre ottobre ott outubro out',
  'nov november novembre noviembre novembro',
  'dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro desember des',
];
const MONTHS = new Map(
  MONTH_WORDS.flatMap((words, index) => words.split(' ').map((word) => [word, index + 1])),
);

/** Matches `24 May 2016`, `24. Mai 2016` or `24 de mayo de 2016`. */
const DAY_AND_WORD =
  /(?<![\d.])(\d\d?)(?:st|nd|rd|th|er|\.|º)? (?:de )?(\p{L}{3,10})\.?,? (?:de )?(\d{4})(?!\d)/giu;
/** Matches `May 24th, 2016`. */
const WORD_AND_DAY = /(?<!\p{L})(\p{L}{3,10})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})(?!\d)/giu;
/** Matches `24.5.2016`. Other parsers would read the month first. */
const DAY_FIRST = /(?<!\d)(\d\d?)\. ?(\d\d?)\. ?(\d{4})(?!\d)/g;
/** Matches `2016-05-24`, `2016/5/24`, `2016.5.24` or `2016年5月24日`. */
const YEAR_FIRST = /(?<!\d)(\d{4})(?:[-/.]|年 ?)(\d\d?)(?:[-/.]|月 ?)(\d\d?)(?!\d)/g;

const FORMS: [RegExp, year: number, month: number, day: number][] = [
  [DAY_AND_WORD, 3, 2, 1],
  [WORD_AND_DAY, 3, 1, 2],
  [DAY_FIRST, 3, 2, 1],
  [YEAR_FIRST, 1, 2, 3],
];

export interface WrittenDay {
  /** The day in the format `2016-05-24`. */
  day: string;
  /** The position in the text. */
  start: number;
  end: number;
}

/** Returns the first day in a text. Its white space must be collapsed. */
export function writtenDay(text: string): WrittenDay | undefined {
  let first: WrittenDay | undefined;
  for (const [form, ...groups] of FORMS)
    for (const match of text.matchAll(form)) {
      const [year = '', month = '', day = ''] = groups.map((group) => match[group] ?? '');
      const found = isoDay(year, String(monthOf(month) ?? ''), day);
      if (!found) continue;
      const { index } = match;
      if (!first || index < first.start)
        first = { day: found, start: index, end: index + match[0].length };
      break;
    }
  return first;
}

/** Returns the month with this number or name. */
export const monthOf = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : MONTHS.get(text.toLowerCase());

/** Whether a text contains the name of a month. */
export const hasMonth = (text: string): boolean =>
  text.split(/[^\p{L}]+/u).some((word) => MONTHS.has(word.toLowerCase()));

/** Returns a day in the format `2016-05-24`. Returns undefined if it is not in the calendar. */
export function isoDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
