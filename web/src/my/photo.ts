// A photo from the phone, made small enough for bad Wi-Fi.

const LARGEST = 600_000;
const LONGEST_SIDE = 1_600;

async function shrink(file: Blob): Promise<Blob | undefined> {
  const image = await createImageBitmap(file);
  for (const [side, quality] of [
    [LONGEST_SIDE, 0.8],
    [LONGEST_SIDE, 0.6],
    [1_024, 0.6],
    [800, 0.5],
  ] as const) {
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (blob && blob.size <= LARGEST) return blob;
  }
  return undefined;
}

/** The photo as it will be sent, or nothing where the device cannot read it. */
export async function smallPhoto(file: Blob): Promise<ArrayBuffer | undefined> {
  try {
    return await (await shrink(file))?.arrayBuffer();
  } catch {
    return undefined;
  }
}
