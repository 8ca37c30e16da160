// A picture of a screen in 256 colours, where no pngquant is installed: a third of the size, and nobody sees it.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { crc32, deflateSync, inflateSync } from "node:zlib";

function decode(bytes) {
  let at = 8;
  let head;
  const parts = [];
  while (at < bytes.length) {
    const [length, name] = [bytes.readUInt32BE(at), bytes.toString("latin1", at + 4, at + 8)];
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") head = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth: body[8], type: body[9] };
    if (name === "IDAT") parts.push(body);
    at += length + 12;
  }
  if (head.depth !== 8 || (head.type !== 2 && head.type !== 6)) return undefined;
  const wide = head.type === 6 ? 4 : 3;
  const row = head.width * wide;
  const raw = inflateSync(Buffer.concat(parts));
  const out = Buffer.alloc(row * head.height);
  for (let y = 0; y < head.height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const left = x >= wide ? out[y * row + x - wide] : 0;
      const up = y ? out[(y - 1) * row + x] : 0;
      const corner = y && x >= wide ? out[(y - 1) * row + x - wide] : 0;
      let add = 0;
      if (filter === 1) add = left;
      else if (filter === 2) add = up;
      else if (filter === 3) add = (left + up) >> 1;
      else if (filter === 4) {
        const guess = left + up - corner;
        const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
        add = a <= b && a <= c ? left : b <= c ? up : corner;
      }
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + add;
    }
  }
  return { ...head, wide, out };
}

/** The most used colours, and where they are many, the middle of boxes that are cut along their longest side. */
function choose(counts) {
  let boxes = [[...counts.entries()]];
  const side = (box) => {
    let best = { span: -1, shift: 0 };
    for (const shift of [16, 8, 0]) {
      let [low, high] = [255, 0];
      for (const [colour] of box) {
        const value = (colour >> shift) & 255;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (high - low > best.span) best = { span: high - low, shift };
    }
    return best;
  };
  const weigh = (box) => box.reduce((sum, [, count]) => sum + Math.sqrt(count), 0);
  let told = boxes.map((box) => ({ box, ...side(box), weight: weigh(box) }));
  while (told.length < 256) {
    told.sort((a, b) => b.span * Math.sqrt(b.weight) - a.span * Math.sqrt(a.weight));
    const widest = told[0];
    if (!widest || widest.span <= 0) break;
    widest.box.sort(([a], [b]) => ((a >> widest.shift) & 255) - ((b >> widest.shift) & 255));
    let [half, at] = [0, 0];
    while (at < widest.box.length - 1 && half < widest.weight / 2) half += Math.sqrt(widest.box[at++][1]);
    const cut = Math.max(1, at);
    const pieces = [widest.box.slice(0, cut), widest.box.slice(cut)].filter((box) => box.length);
    if (pieces.length < 2) break;
    told = [...told.slice(1), ...pieces.map((box) => ({ box, ...side(box), weight: weigh(box) }))];
  }
  // Each box is its most used colour: paper and ink stay what they are.
  return told.map(({ box }) => box.reduce((best, one) => (one[1] > best[1] ? one : best))[0]);
}

const chunk = (name, body) => {
  const out = Buffer.alloc(body.length + 12);
  out.writeUInt32BE(body.length, 0);
  out.write(name, 4, "latin1");
  body.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)) >>> 0, body.length + 8);
  return out;
};

export function toPalette(path) {
  const picture = decode(readFileSync(path));
  if (!picture) return;
  const { width, height, wide, out } = picture;
  const counts = new Map();
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at++) {
    const colour = (out[at * wide] << 16) | (out[at * wide + 1] << 8) | out[at * wide + 2];
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choose(counts);
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const find = (colour) => {
    let [best, far] = [0, Infinity];
    for (let index = 0; index < palette.length; index++) {
      const [r, g, b] = [16, 8, 0].map((shift) => ((colour >> shift) & 255) - ((palette[index] >> shift) & 255));
      const distance = r * r + g * g + b * b;
      if (distance < far) [best, far] = [index, distance];
    }
    nearest.set(colour, best);
    return best;
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(colours[y * width + x]) ?? find(colours[y * width + x]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colourBytes = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const made = Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), chunk("PLTE", colourBytes), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
  if (made.length < statSync(path).size) writeFileSync(path, made);
}
