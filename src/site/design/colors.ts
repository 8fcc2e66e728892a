/** Colors for images and the browser's own interface: the light ones of client/styles/tokens.css. */
export const COLORS = {
  paper: '#faf9f6',
  line: '#dedad2',
  ink: '#1d1c1a',
  soft: '#5b574f',
  accent: '#0a6454',
  onAccent: '#ffffff',
};
