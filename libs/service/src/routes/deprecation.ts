/** Announces the end of a route, with the headers of RFC 9745 and RFC 8594; docs/api-policy.md states the period. */
export interface Deprecation {
	/** `YYYY-MM-DD`, the day since which clients should use the successor. */
	readonly since: string;
	/** `YYYY-MM-DD`, the first day on which the route may be missing. */
	readonly sunset: string;
	/** Operation to use instead: `GET /api/horses?ownerId={id}`. */
	readonly successor: string;
}

export function deprecationHeaders({ since, sunset }: Deprecation): Readonly<Record<string, string>> {
	return { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
}

/** The parts of an operation in OpenAPI; `description` is that of the route. */
export function documentedDeprecation(deprecated: Deprecation | undefined, description: string | undefined) {
	if (deprecated === undefined) return description === undefined ? {} : { description };
	const { since, sunset, successor } = deprecated;
	const notice = `Deprecated since ${since}; may be removed from ${sunset}. Use \`${successor}\`.`;
	return {
		description: description === undefined ? notice : `${description} ${notice}`,
		deprecated: true,
		'x-deprecated-since': since,
		'x-sunset': sunset,
	};
}
