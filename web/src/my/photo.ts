// A photo from the phone, made small enough for bad Wi-Fi. It is sent at once: without a net the report goes without it.
import { call } from "../api/client";
import { property } from "../app/session";

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

/** The photo's id, or nothing where it could not be sent. */
export async function sendPhoto(file: Blob): Promise<string | undefined> {
  try {
    const blob = await shrink(file);
    if (!blob) return undefined;
    const response = await call(`/housekeeping/v1/media?propertyId=${encodeURIComponent(property.get())}`, {
      method: "POST",
      headers: { "content-type": "image/jpeg", "idempotency-key": crypto.randomUUID() },
      body: blob,
    });
    return response.ok ? ((await response.json()) as { mediaId: string }).mediaId : undefined;
  } catch {
    return undefined;
  }
}
