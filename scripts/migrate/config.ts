/** The database of one context from the environment of its service: MIGRATION_DATABASE_URL, otherwise DATABASE_URL. */
export function urlOfEnvironment(): string | undefined {
	const { MIGRATION_DATABASE_URL: direct, DATABASE_URL: url } = process.env;
	return direct || url || undefined;
}
