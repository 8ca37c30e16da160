// Lays `.br` and `.gz` beside what compresses well, so that the server only has to choose.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = new URL("../dist/", import.meta.url).pathname;
const WORTH_IT = /\.(js|css|html|json|svg|webmanifest)$/;

for (const name of await readdir(root, { recursive: true })) {
  if (!WORTH_IT.test(name)) continue;
  const path = join(root, name);
  const text = await readFile(path);
  if (text.length < 512) continue;
  await writeFile(`${path}.gz`, gzipSync(text, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  await writeFile(`${path}.br`, brotliCompressSync(text, { params }));
}
