/** The database can't be used by this version of a service with its present settings; the message says what to change. */
export class UnusableDatabaseError extends Error {
	override name = 'UnusableDatabaseError';
}
