// Made by scripts/words.ts: the messages, cut by language and page (`ps/my`).
declare module "virtual:words" {
  const parts: Record<string, () => Promise<{ default: Record<string, string> }>>;
  export default parts;
}
