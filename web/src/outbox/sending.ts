// Everything that sends, as one part: a page is painted, and a tap kept and shown, before it is there.
export { nextLook } from "./rules";
export { pump } from "./sender";
export { browserWorld } from "./world";
