/** How a tool's page shows a parameter to people. Callers of the API never see it. */

export interface FormField {
  /** Default: the parameter's name as words. */
  label?: string;
  /** One sentence below the field. Default: the parameter's description. */
  help?: string;
  /** Shown in the empty field. Default: the value of the example. */
  placeholder?: string;
  /** Lines of the text field. Default: 1. */
  rows?: number;
  /**
   * `address`: a web address; https:// is optional. `line`: a text field in which Enter submits. `pages`:
   * page ranges, also chosen by clicking on the pages of the PDF. `zone`: a time zone; the browser's is the default.
   */
  control?: 'address' | 'line' | 'pages' | 'zone';
  /** The offered values, in this order unless they are numbers, with their labels. Default: all values. */
  choices?: Readonly<Record<string, string>>;
  /** The label of the choice that sends no value. */
  unset?: string;
  /** The initial value of the form, if it differs from the default of the API. */
  initial?: string | number | boolean;
  /** Whether a fraction is shown as a percentage. */
  isPercent?: boolean;
  /** Whether the field is collapsed at first. */
  isAdvanced?: boolean;
  /** Whether the field is hidden, because the parameter has no effect on the page. */
  isHidden?: boolean;
}

/** The fields by parameter. They come first in the form, in this order. */
export type FormFields = Readonly<Record<string, FormField>>;
