/** Lists change rarely and everybody may read them: five minutes from any cache, then a question by ETag. */
export const listCacheControl = 'public, max-age=300';

/**
 * A record may be kept, but is asked for by ETag each time: whoever edits it must begin from its present version, or
 * `If-Match` would go on failing until the cached copy has expired.
 */
export const recordCacheControl = 'no-cache';
