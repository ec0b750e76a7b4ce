/** The same server and options, another database (and, where given, another role). */
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
