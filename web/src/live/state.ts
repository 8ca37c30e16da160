// Whether what is shown is live, and since when it is not.
import { createStore } from "../app/store";

export type Live = "live" | "catching-up" | "offline";
export const live = createStore<Live>("catching-up");
/** When the copy on the screen was made by the server; 0 while there is none. */
export const copyAt = createStore(0);
