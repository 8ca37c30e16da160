// Paths that both the pages and the sender know.
export const MEDIA = "/housekeeping/v1/media";
export const PUNCHES = "/staff/v1/clock/punches";
export const REPLAY = "/staff/v1/clock/offline-replay";
