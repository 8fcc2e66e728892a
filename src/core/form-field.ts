/** Describes how a tool's page shows a parameter. It has no effect on the API. */

export interface FormField {
  /** The label. Default: the parameter's name as words. */
  label?: string;
  /** One sentence below the field, which may contain Markdown links. Default: the parameter's description. */
  help?: string;
  /** The text in the empty field. Default: the value of the example. */
  placeholder?: string;
  /** The number of lines of the text field. Default: 1. */
  rows?: number;
  /**
   * The kind of field. `address` is a web address whose https:// is optional. `line` is a text field in which Enter
   * submits the form. `pages` accepts page ranges, which the visitor can also choose by clicking pages of the PDF.
   * `zone` is a time zone, by default the browser's. `decimal` is a number that may be written with a decimal comma,
   * which browsers drop in other number fields. `color` has a color picker beside the text. `image-quality` is a
   * quality whose effect on the chosen image the page previews. `page-size` is the paper on which the page shows the
   * chosen images. It belongs to a tool with the parameters `pageSize`, `orientation` and `margin`.
   */
  control?:
    | 'address'
    | 'line'
    | 'pages'
    | 'zone'
    | 'decimal'
    | 'color'
    | 'image-quality'
    | 'page-size';
  /**
   * The offered values with their labels, in display order. Whole numbers always come first, in ascending order.
   * Default: all values.
   */
  choices?: Readonly<Record<string, string>>;
  /** The label of the choice that sends no value. */
  unset?: string;
  /** The form's initial value, if it differs from the API's default. */
  initial?: string | number | boolean;
  /** Whether the field shows a fraction as a percentage. */
  isPercent?: boolean;
  /**
   * Whether visitors can open a text file in the field instead of pasting its content. The field changes the file's
   * line breaks, so a tool that works on bytes must not set this.
   */
  takesFile?: boolean;
  /** Whether an empty string is a valid value, so that the visitor can leave a multi-line text field empty. */
  mayBeEmpty?: boolean;
  /** The texts that differ on the chain page, where a tool's JSON result is passed on as data. */
  inChain?: Pick<FormField, 'label' | 'help' | 'choices'>;
  /** Whether the field is collapsed at first. */
  isAdvanced?: boolean;
  /** Whether the field is hidden, because the parameter has no effect on the page. */
  isHidden?: boolean;
}

/** The fields by parameter. They are the first fields of the form, in this order. */
export type FormFields = Readonly<Record<string, FormField>>;
