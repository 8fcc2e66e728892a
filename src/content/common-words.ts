/**
 * Lists words that occur in text about any topic. A question and a passage that share such a word are not necessarily
 * related.
 */
import { stemsOf } from './terms.ts';

/** The stems of common words, except the service's own topics (image, text, page). */
export const COMMON = new Set(
  stemsOf(`
  ability able accept across act actual actually add afternoon again against age ago agree air allow almost alone
  along already although always amount animal another answer anyone anything anyway anywhere appear area arm
  around arrive ask away baby bad bag ball bank bar base beat beautiful become bed begin beginner behind believe
  best better big bird bit black blue board boat body bottom box boy break bring brother build building
  business busy buy call car care carry case catch cause center centre certain chair chance change cheap check
  child choose church city clean clear close clothes cold come common company complete consider contain continue
  control cook cool corner correct cost country couple course cover cross cry cup cut dad dark day dead deal death
  decide deep deliver depend die difference different difficult dinner direct distance doctor dog dollar door
  doubt drink drive dry during early earn earth east easy eat effect eight either else end enjoy enough enter
  entire especially evening event ever every everybody everyone everything everywhere exact example except
  exercise expect experience explain eye face fact fall family famous far farm fast father favourite feel few
  field fight fill final find fine finish fire first fish five flat floor fly follow food foot force foreign
  forget four free fresh friend front full fun funny future game garden general girl glad glass good government
  great green ground group grow guess guy hair half hand happen happy hard hate head health hear heart heat heavy
  help high history hit hold holiday home hope hospital hot hour house huge human hundred husband idea ill
  important include increase inside instead interest invent job join keep kill kind kitchen know lady land large
  last late later laugh lead learn least leave left leg less level lie life light like likely line listen little
  live long look lose lot loud love low lower luck lunch machine main man many mark marry matter mean measure meat
  meet middle mile mind minute miss moment money month moon morning mother mountain mouth move music name nation
  nature near necessary neck never new news next nice night nine nobody noise none north nose note nothing notice
  number object ocean offer often old open opinion opposite order outside paint pair parent part party pass past
  pay people perfect perhaps person piece place plan plant play pleasant point poor popular position possible
  power practice prefer prepare present pretty price probably problem produce promise proper protect proud prove
  public pull push quick quiet quite rain raise rather reach ready real really reason receive red remain remember
  rest result rich ride right ring rise river road rock room round rule run sad safe sail salt say sea season seat
  second see seem sell sense serious serve set seven several shape sharp shine ship shoe shop shore short shout
  sick side simple since sing single sister sit six sky sleep slow small smell smile snow soft soil somebody
  someone sometimes somewhere son song soon sort soul south speak special spend spring stand star start state stay
  step still stone stop story straight strange street strong student study stupid success sudden suit summer sun
  sure surprise sweet swim table tall taste teach team tell ten terrible thank thick thin think third thousand
  three throw tie time tired today together tomorrow tonight top total touch town tree trip trouble true try turn
  twelve twice two understand unit upon usual various visit voice voyage wait wake walk wall war warm wash watch
  water way weak wear weather week weekend well west wet whether white whole wide wife wild win wind window winter
  wish woman wonder wood word work world worry worse worst worth write wrong year yellow yesterday yet young
  `),
);
