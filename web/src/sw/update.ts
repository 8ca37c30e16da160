// Whether a newer version waits, and how it takes over.
import { createStore } from "../app/store";

export const updateReady = createStore<{ takeOver: () => void } | undefined>(undefined);
