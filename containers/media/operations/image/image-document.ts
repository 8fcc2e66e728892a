/** Writes a PDF with one image per page directly to disk. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { type PageLayout, placed } from '../../../../src/lib/page-layout.ts';
import type { ColorSpace, PdfImage } from './pdf-image.ts';

/** The matrix that applies each EXIF orientation to the unit square, as a b c d e f (ISO 32000-1, section 8.3.3). */
const UPRIGHT: Record<number, readonly number[]> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

const DEVICE_SPACES = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };
const CATALOG = 1;
const PAGES = 2;

export class ImageDocument {
  private readonly handle: FileHandle;
  private readonly layout: PageLayout;
  private position = 0;
  /** The byte offset of each object, by object number. */
  private readonly offsets: number[] = [0, 0, 0];
  private readonly pages: number[] = [];
  /** The object numbers of color profiles by hash. Images with the same profile share one object. */
  private readonly profiles = new Map<string, number>();

  private constructor(handle: FileHandle, layout: PageLayout) {
    this.handle = handle;
    this.layout = layout;
  }

  static async create(path: string, layout: PageLayout): Promise<ImageDocument> {
    const document = new ImageDocument(await open(path, 'w', 0o600), layout);
    await document.write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
    return document;
  }

  /**
   * @param orientation the EXIF orientation, 1 to 8
   * @param density in pixels per inch
   */
  async addPage(image: PdfImage, orientation: number, density?: number): Promise<void> {
    const upright = UPRIGHT[orientation] ?? UPRIGHT[1] ?? [];
    const turned = upright[0] === 0;
    const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
    const page = placed(width, height, this.layout, density);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = upright;
    const matrix = [
      a * page.width,
      b * page.height,
      c * page.width,
      d * page.height,
      e * page.width + page.x,
      f * page.height + page.y,
    ];
    const content = Buffer.from(`q ${matrix.map(number).join(' ')} cm /Im Do Q\n`);
    const embedded = await this.addImage(image);
    const contents = await this.addStream('', [content]);
    const box = `[0 0 ${number(page.pageWidth)} ${number(page.pageHeight)}]`;
    const resources = `<< /XObject << /Im ${embedded} 0 R >> >>`;
    this.pages.push(
      await this.addObject(
        `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox ${box} /Resources ${resources} /Contents ${contents} 0 R >>`,
      ),
    );
  }

  async finish(): Promise<void> {
    const kids = this.pages.map((page) => `${page} 0 R`).join(' ');
    await this.writeObject(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
    await this.writeObject(PAGES, `<< /Type /Pages /Count ${this.pages.length} /Kids [${kids}] >>`);
    const start = this.position;
    const entries = this.offsets.map((offset, index) =>
      index === 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
    await this.write(
      `xref\n0 ${entries.length}\n${entries.join('')}trailer\n<< /Size ${entries.length} /Root ${CATALOG} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    );
    await this.handle.close();
  }

  private async addImage(image: PdfImage): Promise<number> {
    const { decodeParms, decode, colorKey, softMask } = image;
    const mask = softMask && (await this.addImage(softMask));
    const colorSpace = await this.addColorSpace(image.colorSpace);
    const entries = [
      `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height}`,
      `/BitsPerComponent ${image.bitsPerComponent} /ColorSpace ${colorSpace} /Filter /${image.filter}`,
      decodeParms && `/DecodeParms ${decodeParms}`,
      decode && `/Decode ${decode}`,
      colorKey && `/Mask [${colorKey.join(' ')}]`,
      mask && `/SMask ${mask} 0 R`,
    ];
    return this.addStream(entries.filter(Boolean).join(' '), image.data);
  }

  private async addColorSpace({ components, profile, palette }: ColorSpace): Promise<string> {
    let space: string = DEVICE_SPACES[components];
    if (profile) {
      space = `[/ICCBased ${await this.addProfile(components, profile)} 0 R]`;
    }
    if (!palette) return space;
    const colors = Math.min(256, Math.floor(palette.length / 3));
    const hex = Buffer.from(palette.subarray(0, colors * 3)).toString('hex');
    return `[/Indexed ${space} ${colors - 1} <${hex}>]`;
  }

  private async addProfile(components: 1 | 3 | 4, profile: Uint8Array): Promise<number> {
    const hash = createHash('sha256').update(profile).digest('hex');
    const known = this.profiles.get(hash);
    if (known !== undefined) return known;
    const entries = `/N ${components} /Alternate ${DEVICE_SPACES[components]} /Filter /FlateDecode`;
    const object = await this.addStream(entries, [deflateSync(profile)]);
    this.profiles.set(hash, object);
    return object;
  }

  private addStream(entries: string, data: readonly Uint8Array[]): Promise<number> {
    const length = data.reduce((sum, piece) => sum + piece.length, 0);
    return this.addObject(`<< ${entries} /Length ${length} >>\nstream\n`, data, '\nendstream');
  }

  private async addObject(
    head: string,
    data: readonly Uint8Array[] = [],
    tail = '',
  ): Promise<number> {
    const object = this.offsets.length;
    this.offsets.push(0);
    await this.writeObject(object, head, data, tail);
    return object;
  }

  private async writeObject(
    object: number,
    head: string,
    data: readonly Uint8Array[] = [],
    tail = '',
  ): Promise<void> {
    this.offsets[object] = this.position;
    await this.write(`${object} 0 obj\n${head}`);
    for (const piece of data) await this.write(piece);
    await this.write(`${tail}\nendobj\n`);
  }

  private async write(piece: string | Uint8Array): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    this.position += bytes.length;
    await this.handle.writeFile(bytes);
  }
}

/** Formats a real number without an exponent, which PDF does not allow. */
const number = (value: number) => String(Number(value.toFixed(4)) + 0);
