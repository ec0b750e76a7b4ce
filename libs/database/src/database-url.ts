/** The same server and options, another database and, if given, another role. */
export function withDatabase(
	url: string,
	database: string,
	credentials?: { role: string; password: string },
): string {
	const result = new URL(url);
	result.pathname = `/${encodeURIComponent(database)}`;
	if (credentials) {
		result.username = encodeURIComponent(credentials.role);
		result.password = encodeURIComponent(credentials.password);
	}
	return result.href;
}

/** The `connect_timeout` of a URL, in milliseconds; undefined if absent. libpq defines it in whole seconds. */
export function connectTimeoutOf(url: string): number | undefined {
	const seconds = /[?&]connect_timeout=(\d+)(?:&|$)/.exec(url)?.[1];
	return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
