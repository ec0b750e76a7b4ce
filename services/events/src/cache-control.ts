import type { SharedFreshness } from '@paddock/service';

/** Lists and statistics depend on the caller; a few seconds of age are acceptable. */
export const listCacheControl = 'private, max-age=10';

/** The representation depends on the caller and changes with the clock, so it is revalidated by ETag each time. */
export const eventCacheControl = 'private, no-cache';

/** A competition may be stored but is revalidated by ETag each time, so that edits begin from its present version. */
export const competitionCacheControl = 'no-cache';

/** Names of riders and amounts due: must not be stored by any cache, including the browser's on a shared computer. */
export const personalCacheControl = 'private, no-store';

/** The public calendar, also while the database is down. Calendar programs fetch it a few times a day. */
export const calendarFreshness: SharedFreshness = {
	maxAge: 300,
	staleWhileRevalidate: 60,
	staleIfError: 86_400,
};
