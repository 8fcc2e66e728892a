/** The OCR languages, keyed by Tesseract's language codes. */

export const OCR_LANGUAGES = {
  eng: 'English',
  ara: 'Arabic',
  chi_sim: 'Chinese (simplified)',
  fra: 'French',
  deu: 'German',
  spa: 'Spanish',
  jpn: 'Japanese',
  kor: 'Korean',
} as const;

export type OcrLanguage = keyof typeof OCR_LANGUAGES;
