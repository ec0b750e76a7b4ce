import { statusOf } from './wait-until-ready.ts';

const candidates = [
	['Explorer', '/docs'],
	['OpenAPI', '/openapi.yaml'],
	['Postman', '/postman/collection.json'],
	['Status', '/status'],
] as const;

/** The pages of the gateway that this deployment serves (STATUS_PAGE may be off): label → address. */
export async function existingPages(
	gatewayUrl: string,
	signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
	const pages: (readonly [string, string])[] = [];
	for (const [label, path] of candidates) {
		const url = `${gatewayUrl}${path}`;
		if ((await statusOf(url, signal)) === 200) pages.push([label, url]);
	}
	return pages;
}
