/** The languages of OCR, by Tesseract's language code. */

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
