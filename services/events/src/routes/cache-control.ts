/** Lists and numbers hold what the caller may see, and a few seconds of age do no harm. */
export const listCacheControl = 'private, max-age=10';

/** What is shown depends on the caller, and moves by itself: asked for by ETag each time. */
export const eventCacheControl = 'private, no-cache';

/** A competition may be stored but is revalidated by ETag each time, so that edits begin from its present version. */
export const competitionCacheControl = 'no-cache';

/** Names of riders, amounts due: no cache may store it, that of a shared computer's browser included. */
export const personalCacheControl = 'private, no-store';
