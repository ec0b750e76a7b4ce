/** Lists and numbers hold what the caller may see, and a few seconds of age do no harm. */
export const listCacheControl = 'private, max-age=10';

/**
 * Status, entry window and counts of an event move by themselves while its version, and so its ETag, stays: a cache
 * that asked by ETag would be told that nothing has changed.
 */
export const eventCacheControl = 'no-store';

/** A competition may be kept but is asked for by ETag each time, so that whoever edits it begins from its present version. */
export const competitionCacheControl = 'no-cache';
