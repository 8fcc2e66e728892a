/** The colors of images and of the browser's own interface. They match the light colors in client/styles/tokens.css. */
export const COLORS = {
  paper: '#faf9f6',
  line: '#dedad2',
  ink: '#1d1c1a',
  soft: '#5b574f',
  accent: '#0a6454',
  onAccent: '#ffffff',
};
