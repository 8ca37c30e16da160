export const sideways: () => number;
export const clipped: () => string[];
export const small: (least: number) => string[];
