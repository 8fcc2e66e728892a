/** The names of the months in most languages of Europe and in Indonesian. */

/** The names and abbreviations of each month. Where a language has a separate form for dates, both forms are listed. */
const MONTH_WORDS = [
  `jan january januar jänner janvier janv enero ene gennaio gen janeiro januari gener ianuarie stycznia
   styczeń sty ledna leden januára január siječnja siječanj януари января январь янв січня січень січ
   sausio sausis janvāris jaanuar jaan tammikuuta tammikuu ocak oca ιανουαρίου ιαν`,
  `feb february februar février févr fevrier febrero febbraio fevereiro fev februari febrer febr februarie
   lutego luty lut února únor februára február veljače veljača февруари февраля февраль февр лютого лютий
   лют vasario vasaris februāris veebruar veebr helmikuuta helmikuu şubat şub φεβρουαρίου φεβ`,
  `mar march märz mrz mär mars marzo março maart mrt marts març martie marca marzec března březen marec ožujka
   ožujak март марта мар березня березень бер kovo kovas märts maaliskuuta maaliskuu március márc mart
   μαρτίου μαρ maret`,
  `apr april avril avr abril abr aprile aprilie kwietnia kwiecień kwi dubna duben apríla apríl travnja travanj
   април апреля апрель апр квітня квітень квіт balandžio balandis aprīlis aprill huhtikuuta huhtikuu
   április ápr nisan nis απριλίου απρ`,
  `may mai mayo maggio mag maio mei maj maig maja května květen mája máj svibnja svibanj май мая травня
   травень трав gegužės gegužė maijs toukokuuta toukokuu május mayıs μαΐου μαΐ`,
  `jun june juni juin junio giugno giu junho juny iunie iun czerwca czerwiec cze června červen júna jún junij
   lipnja lipanj юни июня июнь июн червня червень черв birželio birželis jūnijs jūn juuni kesäkuuta kesäkuu
   június haziran haz ιουνίου ιουν`,
  `jul july juli juillet juil julio luglio lug julho juliol iulie iul lipca lipiec lip července červenec júla
   júl julij srpnja srpanj юли июля июль июл липня липень лип liepos liepa jūlijs jūl juuli heinäkuuta
   heinäkuu július temmuz tem ιουλίου ιουλ`,
  `aug august août aout agosto ago augustus augusti agost sierpnia sierpień sie srpna srpen augusta avgust avg
   kolovoza kolovoz август августа авг серпня серпень серп rugpjūčio rugpjūtis augusts elokuuta elokuu
   augusztus ağustos ağu αυγούστου αυγ agustus agu`,
  `sep sept september septembre septiembre settembre set setembro setembre septembrie września wrzesień wrz
   září septembra rujna rujan септември сентября сентябрь сент вересня вересень вер rugsėjo rugsėjis
   septembris syyskuuta syyskuu szeptember szept eylül eyl σεπτεμβρίου σεπ`,
  `oct october oktober okt octobre octubre ottobre ott outubro out octombrie października październik paź října
   říjen októbra október октомври октября октябрь окт жовтня жовтень жовт spalio spalis oktobris oktoober
   lokakuuta lokakuu ekim eki οκτωβρίου οκτ`,
  `nov november novembre noviembre novembro noiembrie listopada listopad listopadu novembra studenoga
   studeni ноември ноября ноябрь нояб листопада листопад лист lapkričio lapkritis novembris marraskuuta
   marraskuu kasım kas νοεμβρίου νοε`,
  `dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro desember des desembre
   decembrie grudnia grudzień gru prosince prosinec decembra prosinca prosinac декември декабря декабрь дек
   грудня грудень груд gruodžio gruodis decembris detsember dets joulukuuta joulukuu aralık δεκεμβρίου δεκ`,
];
const MONTHS = new Map(
  MONTH_WORDS.flatMap((words, index) => words.split(/\s+/).map((word) => [word, index + 1])),
);

/** Returns the month with this number or name. */
export const monthOf = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : MONTHS.get(text.toLowerCase());

/** Whether a text contains the name of a month. */
export const hasMonth = (text: string): boolean =>
  text.split(/[^\p{L}]+/u).some((word) => MONTHS.has(word.toLowerCase()));
