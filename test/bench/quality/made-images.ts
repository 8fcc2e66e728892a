/** Makes photos and screenshots that depend only on their seed and sharp's noise. */
import sharp from 'sharp';

const WIDTH = 600;
const HEIGHT = 400;

/** Makes a JPEG whose detail decreases with its scale, as in photos. It has soft shapes under noise at six scales. */
export async function photograph(seed: number): Promise<Buffer> {
  const shapes = Array.from({ length: 6 }, (_, index) => {
    const hue = (seed * 67 + index * 53) % 360;
    const [x, y] = [(seed * 97 + index * 131) % WIDTH, (seed * 61 + index * 83) % HEIGHT];
    return `<ellipse cx="${x}" cy="${y}" rx="${60 + index * 20}" ry="${40 + index * 15}" fill="hsl(${hue},45%,${30 + index * 8}%)"/>`;
  });
  const ground = svg(
    `<rect width="100%" height="100%" fill="hsl(${seed * 40},40%,55%)"/>${shapes.join('')}`,
  );
  const layers = await Promise.all([64, 32, 16, 8, 4, 2].map((scale) => noise(scale)));
  return sharp(await sharp(ground).blur(1.5).png().toBuffer())
    .composite(layers.map((input) => ({ input, blend: 'soft-light' as const })))
    .flatten()
    .jpeg({ quality: 92 })
    .toBuffer();
}

async function noise(scale: number): Promise<Buffer> {
  const create = {
    width: Math.ceil(WIDTH / scale),
    height: Math.ceil(HEIGHT / scale),
    channels: 3 as const,
    background: 'gray',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 14 + scale / 2 },
  };
  const small = await sharp({ create }).png().toBuffer();
  return sharp(small).resize(WIDTH, HEIGHT, { kernel: 'cubic', fit: 'fill' }).png().toBuffer();
}

/** Makes a PNG that resembles a screenshot of a window, with text, lines and a gradient. */
export function screenshot(seed: number): Promise<Buffer> {
  const lines = Array.from({ length: 18 }, (_, index) => {
    const color = (seed * 7919 + index * 104729) % 360;
    return `<text x="${150 + (index % 3) * 12}" y="${50 + index * 19}" font-size="13" fill="hsl(${color},60%,30%)">${'function value return '.slice(index)}${seed * index}</text>`;
  });
  const bar = `<linearGradient id="g"><stop stop-color="#235"/><stop offset="1" stop-color="#59${seed % 10}"/></linearGradient>`;
  const content = `${bar}<rect width="100%" height="100%" fill="#fbfbf8"/><rect width="100%" height="28" fill="url(#g)"/><rect y="28" width="130" height="100%" fill="#e8eaee"/>${lines.join('')}`;
  return sharp(svg(content)).flatten().png().toBuffer();
}

const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${content}</svg>`,
  );
